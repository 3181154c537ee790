//! Deterministic task-network planning: first any plan, then shorter ones.
//!
//! The first plan comes from [`first_plan`](crate::first_plan).
//! The plan is then improved with an amount of work that is fixed beforehand, so the same input gives the same
//! plan: A* if it comes to an end, and otherwise a walk along the plan that tries the other ways at each of its
//! choices and takes what is shorter.

use counterplay_base::{Budget, Limit, Progress, Report, Verdict};

use crate::best_first::{Best, best_first};
use crate::descend::{Descent, FREE, Style, descend};
use crate::first_plan::{Found, ROUND_LIMIT, first_plan};
use crate::plan::{Decision, Plan};
use crate::prepared::{PreparedProblem, Task};
use crate::successors::{Configuration, SuccessorGenerator};

/// What to do beyond the first plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Pairs of state and network that may be looked at to make the plan shorter. Zero keeps the first plan.
    pub effort: u64,
    /// How the first plan is looked for.
    pub search: NetworkSearch,
}

/// Searches for a first plan.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NetworkSearch {
    /// Both in turn, depth-first search first.
    #[default]
    Auto,
    /// Depth-first search alone.
    DepthFirst,
    /// The search over the ground problem alone, as far as there is a ground problem.
    Estimates,
}

impl Default for Options {
    fn default() -> Options {
        Options { effort: 40_000, search: NetworkSearch::Auto }
    }
}

/// What became of the search.
#[derive(Clone, Debug)]
pub struct Answer {
    /// A plan, or that there is none, or the limit that was met.
    pub verdict: Verdict<Plan>,
    /// Whether no plan has fewer actions.
    pub is_optimal: bool,
    /// The task that keeps coming up inside itself, if that is why the search stopped.
    pub looping: Option<Task>,
    /// Which search found the plan, and how often it was made shorter.
    pub figures: Figures,
}

/// How the plan was found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    /// Rounds of the search for the first plan.
    pub rounds: u32,
    /// Length of the first plan.
    pub first: u64,
    /// How often a shorter one was found.
    pub improvements: u32,
    /// Whether the first plan came from the search over the ground problem.
    pub by_estimates: bool,
    /// Pairs of state and network that were kept by that search.
    pub estimates: u64,
    /// Tasks and methods of the ground problem; none if it was not made, or is too large.
    pub ground: Option<(usize, usize)>,
}

/// How much of the time that is left after the first plan may go into shorter ones.
const IMPROVING_SHARE: f64 = 0.75;

/// Looks for a short plan.
pub fn shop(
    known: &PreparedProblem<'_>,
    options: Options,
    budget: &Budget,
    progress: &dyn Progress,
) -> Answer {
    let mut answer = Answer {
        verdict: Verdict::Unsolvable,
        is_optimal: false,
        looping: None,
        figures: Figures::default(),
    };
    let mut generator = SuccessorGenerator::new(known);
    match first_plan(&mut generator, options.search, &mut answer, budget, progress) {
        Err(limit) => answer.verdict = Verdict::Stopped(limit),
        Ok(None) => {
            if answer.looping.is_some() {
                answer.verdict = Verdict::Stopped(Limit::Nodes(ROUND_LIMIT as u64));
            }
        }
        Ok(Some(mut found)) => {
            answer.figures.first = found.cost;
            // A limit now only ends the improvement, which leaves some of the time to those who check the plan.
            let own = match budget.remaining() {
                Some(left) => budget.slice(left.mul_f64(IMPROVING_SHARE)),
                None => budget.clone(),
            };
            let _ = improve(&mut generator, &mut found, options, &mut answer, &own, progress);
            answer.verdict = Verdict::Solved(Plan::replay(known, found.binding, &found.decisions));
        }
    }
    answer
}

/// Makes a plan shorter as far as the effort goes.
fn improve(
    generator: &mut SuccessorGenerator<'_>,
    found: &mut Found,
    options: Options,
    answer: &mut Answer,
    budget: &Budget,
    progress: &dyn Progress,
) -> Result<(), Limit> {
    // A short look for the shortest plan, then deviations, then a long look with what is then a tighter bound.
    let effort = options.effort;
    if shortest(generator, found, effort / 16, answer, budget)? {
        return Ok(());
    }
    deviations(generator, found, effort / 4, answer, budget, progress)?;
    shortest(generator, found, effort / 4 * 3, answer, budget)?;
    Ok(())
}

/// Looks for a shortest plan; whether the plan now is one.
fn shortest(
    generator: &mut SuccessorGenerator<'_>,
    found: &mut Found,
    nodes: u64,
    answer: &mut Answer,
    budget: &Budget,
) -> Result<bool, Limit> {
    // With several starts, a shortest plan from this one says nothing about the others.
    if nodes == 0 || generator.starts().len() != 1 {
        return Ok(false);
    }
    match best_first(generator, found.start.clone(), found.cost, nodes as usize, budget)? {
        Best::Found(decisions, cost) => {
            (found.decisions, found.cost) = (decisions, cost);
            answer.figures.improvements += 1;
            answer.is_optimal = true;
        }
        Best::None => answer.is_optimal = true,
        Best::Long => {}
    }
    Ok(answer.is_optimal)
}

/// Goes along the plan and takes other ways where they lead to a shorter one.
fn deviations(
    generator: &mut SuccessorGenerator<'_>,
    found: &mut Found,
    mut effort: u64,
    answer: &mut Answer,
    budget: &Budget,
    progress: &dyn Progress,
) -> Result<(), Limit> {
    let mut at = 0;
    let mut configuration = found.start.clone();
    let mut since = 0;
    // Once round the plan without finding a shorter one ends it. An empty plan has nothing to deviate from.
    while effort > 0 && !found.decisions.is_empty() && since <= found.decisions.len() {
        if at == found.decisions.len() {
            (at, configuration) = (0, found.start.clone());
        }
        if let Some((decisions, cost)) = deviate(generator, found, &configuration, at, &mut effort, budget)? {
            found.decisions.truncate(at);
            found.decisions.extend(decisions);
            found.cost = cost;
            answer.figures.improvements += 1;
            since = 0;
            progress.report(Report { phase: "improving", counts: &[("length", cost as f64)] });
        }
        configuration = generator.take(&configuration, &found.decisions[at]);
        since += 1;
        at += 1;
        effort = effort.saturating_sub(1);
    }
    Ok(())
}

/// Tries the other ways at one place of a plan; a shorter end, if one of them leads to it.
fn deviate(
    generator: &mut SuccessorGenerator<'_>,
    found: &Found,
    configuration: &Configuration,
    at: usize,
    effort: &mut u64,
    budget: &Budget,
) -> Result<Option<(Vec<Decision>, u64)>, Limit> {
    let mut ways = generator.ways(true);
    while let Some(decision) = ways.next(generator, configuration) {
        if decision == found.decisions[at] {
            continue;
        }
        let nodes = (3 * (found.decisions.len() - at) as u64 + 50).min(*effort);
        if nodes == 0 {
            return Ok(None);
        }
        let next = generator.take(configuration, &decision);
        let style = Style {
            cheapest_first: true,
            one_by_one: false,
            seed: 0,
            rounds: 0,
            deviations: FREE,
            bound: found.cost,
            nodes,
        };
        let (descent, spent) = descend(generator, next, style, budget)?;
        *effort = effort.saturating_sub(spent);
        if let Descent::Found(rest, cost) = descent {
            return Ok(Some(([vec![decision], rest].concat(), cost)));
        }
    }
    Ok(None)
}
