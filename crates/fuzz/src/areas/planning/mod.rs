//! Planning problems in PDDL: plans, net benefit, policies, odds, hidden states.
//!
//! [`text`] writes random domains and problems with all features together, small enough for [`twin`], which reads the definition
//! of the language off the resolved model, state by state, and shares nothing with the grounder, the searches and the checker.

mod benefit;
mod fond;
mod hidden;
mod odds;
mod plan;
mod text;
mod twin;

use counterplay_base::{Budget, Silent, Verdict};
use counterplay_check::{Checked, check_plan, read_plan};
use counterplay_pddl::model::{Number, Problem};
use counterplay_plan::{Direction, Heuristic, Options, Plan, PlanSearch, Quality};
use counterplay_syntax::Sources;
use counterplay_task::Task;
use counterplay_testkit::Impatient;

use crate::{Area, Case, Outcome};

/// The areas of this module.
pub(super) const AREAS: &[&dyn Area] =
    &[&plan::PlanArea, &benefit::BenefitArea, &fond::FondArea, &odds::OddsArea, &hidden::HiddenArea];

/// Reads the two files of a case.
fn problem_of(case: &Case) -> Result<Problem, Outcome> {
    let mut sources = Sources::default();
    let domain = sources.add("domain.pddl", case.text("domain.pddl"));
    let problem = sources.add("problem.pddl", case.text("problem.pddl"));
    counterplay_pddl::read(&sources, domain, problem)
        .map_err(|errors| Outcome::Rejected(errors.first().map(ToString::to_string).unwrap_or_default()))
}

/// How long one engine may take: the problems are tiny.
fn budget() -> Budget {
    Budget::unlimited().with_time(std::time::Duration::from_secs(60))
}

/// The ways to ground that are compared.
fn groundings() -> [(&'static str, counterplay_ground::Options); 3] {
    let default = counterplay_ground::Options::default();
    [
        ("h2", default.clone()),
        ("no h2", counterplay_ground::Options { h2: false, ..default.clone() }),
        ("all disambiguated", counterplay_ground::Options { disambiguate_all: true, ..default }),
    ]
}

/// Stops a search after one, two and four reports: the bounds that it tells must hold for the least cost, which is known, or for there
/// being no plan.
fn stopped_bounds(task: &Task, options: &Options, who: &str, least: Option<u64>) -> Result<u32, Outcome> {
    let mut answers = 0;
    for reports in [1, 2, 4] {
        let impatient = Impatient::after(reports);
        let answer = counterplay_plan::solve(task, options, &impatient.budget, &impatient);
        if !matches!(answer.verdict, Verdict::Stopped(_)) {
            break;
        }
        answers += 1;
        let statistics = answer.statistics;
        let cheapest = answer.best.map(|plan| plan.cost).into_iter().chain(statistics.upper_bound).min();
        let is_right = match least {
            Some(least) => statistics.lower_bound <= least && cheapest.is_none_or(|cost| cost >= least),
            None => cheapest.is_none(),
        };
        if !is_right {
            let what = format!("{who}: stopped with wrong bounds");
            let detail = format!("after {reports} reports: {statistics:?}, least cost {least:?}");
            return Err(disagreed(what, detail));
        }
    }
    Ok(answers)
}

/// Every search for plans with every direction and heuristic.
fn searches() -> Vec<(String, Options)> {
    let mut all = vec![("auto".to_owned(), Options::default())];
    for (name, quality) in [("any", Quality::Any), ("improve", Quality::Improve)] {
        all.push((name.to_owned(), Options { quality, ..Options::default() }));
    }
    for (name, search) in [("bfs", PlanSearch::Bfs), ("dijkstra", PlanSearch::Dijkstra)] {
        for (way, direction) in
            [("forward", Direction::Forward), ("backward", Direction::Backward), ("both", Direction::Both)]
        {
            all.push((format!("{name} {way}"), Options { search, direction, ..Options::default() }));
        }
    }
    all.push(("astar".to_owned(), Options { search: PlanSearch::AStar, ..Options::default() }));
    for (name, heuristic) in
        [("lmcut", Heuristic::LmCut), ("blind", Heuristic::Blind), ("abstractions", Heuristic::Abstractions)]
    {
        let options = Options { search: PlanSearch::Explicit, heuristic, ..Options::default() };
        all.push((format!("explicit {name}"), options));
    }
    all
}

/// What the checker says about a plan, given to it as text.
fn checked(problem: &Problem, task: &Task, plan: &Plan) -> Result<Checked, String> {
    let text: String = plan.operators.iter().map(|&op| format!("({})\n", task.operators[op].name)).collect();
    let mut sources = Sources::default();
    let file = sources.add("plan", text);
    let steps = read_plan(&sources, file, problem).map_err(|errors| format!("{errors:?}"))?;
    check_plan(problem, &steps, &budget()).map_err(|flaw| flaw.to_string())
}

/// A number of units as a number.
fn figure(units: u64, unit: Number) -> Number {
    Number::from_integer(i128::from(units)) * unit
}

/// A disagreement between an engine and the twin.
fn disagreed(what: String, detail: String) -> Outcome {
    Outcome::Disagreed { what, detail }
}

/// Grounds a problem; what is not supported is no disagreement.
fn grounded(problem: &Problem, options: &counterplay_ground::Options) -> Result<Task, Outcome> {
    counterplay_ground::ground(problem, options, &budget(), &Silent)
        .map_err(|error| Outcome::Rejected(format!("not grounded: {error}")))
}
