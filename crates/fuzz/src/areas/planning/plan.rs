//! Plans of least cost: every search on every grounding.

use counterplay_base::{Silent, Verdict};
use counterplay_check::{Confirmation, confirm_no_plan};
use counterplay_ground::is_net_benefit;
use counterplay_pddl::model::{Number, Problem};
use counterplay_plan::{PlanSearch, Quality};
use counterplay_task::{Task, sas};
use rand_chacha::ChaCha8Rng;

use super::twin::{GivesUp, explore};
use super::{
    checked, disagreed, figure, grounded, groundings, problem_of, searches, stopped_bounds, text, twin,
};
use crate::{Area, Case, Outcome};

pub(super) struct PlanArea;

impl Area for PlanArea {
    fn name(&self) -> &'static str {
        "plan"
    }

    fn about(&self) -> &'static str {
        "PDDL with ADL, derived predicates, costs and numbers: every search for plans, and the proof that there is none"
    }

    fn sample(&self) -> u64 {
        200
    }

    fn generate(&self, rng: &mut ChaCha8Rng) -> Case {
        text::generate(rng, text::Kind::Plan)
    }

    fn examine(&self, case: &Case) -> Outcome {
        examine(case).unwrap_or_else(|outcome| outcome)
    }
}

fn examine(case: &Case) -> Result<Outcome, Outcome> {
    let problem = problem_of(case)?;
    if problem.is_nondeterministic() || is_net_benefit(&problem) {
        return Err(Outcome::Rejected("another kind of problem".to_owned()));
    }
    let truth = least_cost(&problem).map_err(Outcome::Rejected)?;
    let mut answers = 0;
    for (name, options) in groundings() {
        let task = grounded(&problem, &options)?;
        let is_default = name == "h2";
        answers += ask_all(&problem, &task, truth, name, is_default)?;
        if is_default {
            // The same through the translator format.
            let again = sas::read(&sas::write(&task))
                .map_err(|error| disagreed("sas: unreadable".to_owned(), format!("{error:?}")))?;
            answers += ask_all(&problem, &Task { cost_unit: task.cost_unit, ..again }, truth, "sas", false)?;
        }
    }
    // A claim that there is no plan is confirmed exactly where the twin finds none.
    match (confirm_no_plan(&problem, 100_000, &super::budget()), truth) {
        (Confirmation::Confirmed { .. }, None) | (Confirmation::Refuted(_), Some(_)) => answers += 1,
        (Confirmation::TooLarge, _) => {}
        (found, _) => {
            let what = format!("confirmation against the twin: {}", truth.map_or("no plan", |_| "a plan"));
            return Err(disagreed(what, format!("{found:?}")));
        }
    }
    Ok(Outcome::Agreed { answers, kind: if truth.is_some() { "solved" } else { "unsolvable" } })
}

/// Runs the searches on a task: all of them, or one explicit and one symbolic.
fn ask_all(
    problem: &Problem,
    task: &Task,
    truth: Option<Number>,
    grounding: &str,
    all: bool,
) -> Result<u32, Outcome> {
    let mut costs = task.operators.iter().map(|operator| operator.cost);
    let has_one_cost = costs.next().is_none_or(|first| costs.all(|cost| cost == first));
    let mut answers = 0;
    for (name, options) in searches() {
        let is_chosen = ["dijkstra both", "explicit lmcut"].contains(&name.as_str());
        if (!all && !is_chosen) || (options.search == PlanSearch::Bfs && !has_one_cost) {
            continue;
        }
        let who = format!("{name} on {grounding}");
        let answer = counterplay_plan::solve(task, &options, &super::budget(), &Silent);
        // The least cost, as far as this search proves it.
        let least = answer.verdict.as_ref().solved().map(|plan| plan.cost);
        match (answer.verdict, truth) {
            (Verdict::Unsolvable, None) => {}
            (Verdict::Unsolvable, Some(cost)) => {
                return Err(disagreed(format!("{who}: unsolvable, twin: solved"), format!("of cost {cost}")));
            }
            (Verdict::Solved(plan), truth) => {
                let cost = figure(plan.cost, task.cost_unit);
                let valid = checked(problem, task, &plan).map_err(|why| {
                    disagreed(format!("{who}: the checker refuses its plan"), format!("{plan:?}: {why}"))
                })?;
                if valid.cost != Some(cost) {
                    let detail = format!("{cost}, checker {:?}", valid.cost);
                    return Err(disagreed(format!("{who}: another cost than the checker"), detail));
                }
                let is_right = match options.quality {
                    Quality::Any => truth.is_some_and(|least| least <= cost),
                    Quality::Improve | Quality::Optimal => truth == Some(cost),
                };
                if !is_right {
                    let word = truth.map_or("unsolvable", |_| "another cost");
                    return Err(disagreed(
                        format!("{who}: solved, twin: {word}"),
                        format!("{cost}, {truth:?}"),
                    ));
                }
            }
            (Verdict::Stopped(limit), _) => return Err(Outcome::Rejected(format!("{who}: {limit}"))),
        }
        answers += 1;
        if all && options.quality != Quality::Any {
            answers += stopped_bounds(task, &options, &who, least)?;
        }
    }
    Ok(answers)
}

/// The least cost of a plan.
fn least_cost(problem: &Problem) -> Result<Option<Number>, GivesUp> {
    let space = explore(problem)?;
    let has_costs = problem.metric.is_some();
    let price = |step: &twin::Step| if has_costs { step.cost } else { Number::from_integer(1) };
    let distances = distances(&space, &price)?;
    let goals = space.nodes.iter().zip(distances).filter(|(node, _)| node.is_goal);
    Ok(goals.filter_map(|(_, distance)| distance).min())
}

/// The least price of a way to each state, by relaxing every step until nothing changes.
pub(super) fn distances(
    space: &twin::Space,
    price: &dyn Fn(&twin::Step) -> Number,
) -> Result<Vec<Option<Number>>, GivesUp> {
    let mut best: Vec<Option<Number>> = vec![None; space.nodes.len()];
    for &start in &space.starts {
        best[start] = Some(Number::from_integer(0));
    }
    let mut changed = true;
    while changed {
        changed = false;
        for (at, node) in space.nodes.iter().enumerate() {
            let Some(own) = best[at] else { continue };
            for step in &node.steps {
                let price = price(step);
                if price < Number::from_integer(0) {
                    return Err("a negative price".to_owned());
                }
                for &next in &step.next {
                    if best[next].is_none_or(|known| own + price < known) {
                        best[next] = Some(own + price);
                        changed = true;
                    }
                }
            }
        }
    }
    Ok(best)
}
