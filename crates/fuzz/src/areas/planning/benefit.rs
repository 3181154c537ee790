//! Plans of best net benefit: every search.

use std::collections::BTreeMap;

use counterplay_base::{Silent, Verdict};
use counterplay_check::{Confirmation, confirm_no_plan};
use counterplay_ground::{is_net_benefit, metric_of};
use counterplay_pddl::model::{Expression, Metric, Number, Problem};
use counterplay_plan::{PlanSearch, Quality};
use rand_chacha::ChaCha8Rng;

use super::plan::distances;
use super::twin::{GivesUp, explore};
use super::{checked, disagreed, grounded, groundings, problem_of, searches, stopped_bounds, text};
use crate::{Area, Case, Outcome};

pub(super) struct BenefitArea;

impl Area for BenefitArea {
    fn name(&self) -> &'static str {
        "net-benefit"
    }

    fn about(&self) -> &'static str {
        "PDDL with preferences and metrics: every search for plans of best net benefit"
    }

    fn sample(&self) -> u64 {
        200
    }

    fn generate(&self, rng: &mut ChaCha8Rng) -> Case {
        text::generate(rng, text::Kind::Benefit)
    }

    fn examine(&self, case: &Case) -> Outcome {
        examine(case).unwrap_or_else(|outcome| outcome)
    }
}

fn examine(case: &Case) -> Result<Outcome, Outcome> {
    let problem = problem_of(case)?;
    if problem.is_nondeterministic() || !is_net_benefit(&problem) {
        return Err(Outcome::Rejected("another kind of problem".to_owned()));
    }
    let Some(metric) = &problem.metric else {
        return Err(Outcome::Rejected("no metric".to_owned()));
    };
    let truth = best_metric(&problem, metric).map_err(Outcome::Rejected)?;
    let worth = metric_of(&problem, &super::budget())
        .map_err(|error| Outcome::Rejected(format!("not weighed: {error}")))?
        .ok_or_else(|| Outcome::Rejected("no metric".to_owned()))?;
    let mut answers = 0;
    for (grounding, options) in groundings() {
        let task = grounded(&problem, &options)?;
        for (name, options) in searches() {
            let is_chosen = ["dijkstra both", "explicit lmcut"].contains(&name.as_str());
            let proves_nothing = options.search == PlanSearch::Bfs || options.quality == Quality::Any;
            if proves_nothing || (grounding != "h2" && !is_chosen) {
                continue;
            }
            let who = format!("{name} on {grounding}");
            let answer = counterplay_plan::solve(&task, &options, &super::budget(), &Silent);
            let least = answer.verdict.as_ref().solved().map(|plan| plan.cost);
            match (answer.verdict, truth) {
                (Verdict::Unsolvable, None) => {}
                (Verdict::Unsolvable, Some(best)) => {
                    return Err(disagreed(
                        format!("{who}: unsolvable, twin: solved"),
                        format!("metric {best}"),
                    ));
                }
                (Verdict::Solved(plan), truth) => {
                    let value = worth.of_units(plan.cost, task.cost_unit);
                    let valid = checked(&problem, &task, &plan).map_err(|why| {
                        disagreed(format!("{who}: the checker refuses its plan"), format!("{plan:?}: {why}"))
                    })?;
                    if valid.metric != value {
                        let detail = format!("{value:?}, checker {:?}", valid.metric);
                        return Err(disagreed(format!("{who}: another metric than the checker"), detail));
                    }
                    if truth != value {
                        let word = truth.map_or("unsolvable", |_| "another metric");
                        let detail = format!("{value:?}, {truth:?}");
                        return Err(disagreed(format!("{who}: solved, twin: {word}"), detail));
                    }
                }
                (Verdict::Stopped(limit), _) => return Err(Outcome::Rejected(format!("{who}: {limit}"))),
            }
            answers += 1;
            if grounding == "h2" {
                answers += stopped_bounds(&task, &options, &who, least)?;
            }
        }
    }
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

/// The best value of the metric that a plan can have.
fn best_metric(problem: &Problem, metric: &Metric) -> Result<Option<Number>, GivesUp> {
    let space = explore(problem)?;
    let zero = Number::from_integer(0);
    let nothing = BTreeMap::new();
    let constant = value(&metric.value, zero, zero, &nothing)?;
    let sign = Number::from_integer(if metric.maximize { -1 } else { 1 });
    // The metric is linear: what a step adds to it does not depend on the other steps.
    let added = |cost: Number, time: i128, violated: &BTreeMap<String, u32>| {
        let whole = value(&metric.value, cost, Number::from_integer(time), violated)?;
        Ok::<_, GivesUp>((whole - constant) * sign)
    };
    for step in space.nodes.iter().flat_map(|node| &node.steps) {
        added(step.cost, 1, &step.violated)?;
    }
    let price =
        |step: &super::twin::Step| added(step.cost, 1, &step.violated).expect("it was evaluated before");
    let distances = distances(&space, &price)?;
    let mut best: Option<Number> = None;
    for (node, distance) in space.nodes.iter().zip(distances) {
        if let (true, Some(distance)) = (node.is_goal, distance) {
            let all = distance + added(zero, 0, &node.violated)?;
            best = Some(best.map_or(all, |best| best.min(all)));
        }
    }
    Ok(best.map(|best| constant + best * sign))
}

/// The value of a metric.
fn value(
    metric: &Expression,
    cost: Number,
    time: Number,
    violated: &BTreeMap<String, u32>,
) -> Result<Number, GivesUp> {
    let part = |part: &Expression| value(part, cost, time, violated);
    Ok(match metric {
        Expression::Number(number) => *number,
        // The generator writes no other function into metrics, and shrinking cannot.
        Expression::Fluent(fluent, _) if fluent.arguments.is_empty() => cost,
        Expression::Fluent(..) | Expression::Divide(..) => return Err("another metric".to_owned()),
        Expression::Add(parts) => {
            let mut sum = Number::from_integer(0);
            for it in parts {
                sum += part(it)?;
            }
            sum
        }
        Expression::Multiply(parts) => {
            let mut product = Number::from_integer(1);
            for it in parts {
                product *= part(it)?;
            }
            product
        }
        Expression::Subtract(left, right) => part(left)? - part(right)?,
        Expression::Negate(it) => -part(it)?,
        Expression::IsViolated(name, _) => {
            Number::from_integer(i128::from(violated.get(name).copied().unwrap_or(0)))
        }
        Expression::TotalTime(_) => time,
    })
}
