//! Deterministic task-network planning: first any plan, then shorter ones.
//!
//! The first plan comes from rounds of depth-first search, each with more nodes than the one before: with the
//! methods sorted by what they may cost, with few deviations from that order, and in the order of the file.
//! Which of them is quick depends on the domain, and none loses more than a constant factor to the others.
//! After a few rounds a heuristic search over the ground problem takes turns with them, if that is not too large.
//! The plan is then improved with an amount of work that is fixed beforehand, so the same input gives the same
//! plan: A* if it comes to an end, and otherwise a walk along the plan that tries the other ways at each of its
//! choices and takes what is shorter.

use std::cell::OnceCell;

use counterplay_base::{Budget, Limit, Progress, Report, Verdict};

use crate::best_first::{Best, best_first};
use crate::descend::{Descent, FREE, Style, descend};
use crate::grounded::NotGround;
use crate::grounded::model::GroundProblem;
use crate::grounded::search::{GroundSearch, Interleaving, Outcome};
use crate::plan::{Decision, Plan};
use crate::prepared::{PreparedProblem, Task};
use crate::successors::{Configuration, SuccessorGenerator};

/// What to do beyond the first plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Pairs of state and network that may be looked at to make the plan shorter. Zero keeps the first plan.
    pub effort: u64,
}

impl Default for Options {
    fn default() -> Options {
        Options { effort: 40_000 }
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

/// A way from the start to an end.
struct Found {
    start: Configuration,
    binding: Vec<u16>,
    decisions: Vec<Decision>,
    cost: u64,
}

/// After so many rounds of a task inside itself in one state, more of the same is taken to be in vain.
const ROUND_LIMIT: usize = 64;
/// How much of the time that is left after the first plan may go into shorter ones.
const IMPROVING_SHARE: f64 = 0.75;
/// Nodes of the first depth-first search.
const FIRST_NODES: u64 = 1_000;
/// The ground problem is made after so many rounds of depth-first search.
const LIFTED_ROUNDS: u32 = 2;
/// Rules that the search over the ground problem may look at for each node of the depth-first searches.
const RULES_FOR_A_NODE: u64 = 1_500;

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
    match first(&mut generator, &mut answer, budget, progress) {
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

/// The first plan; `None` with a looping task noted, if that is why there is none.
fn first(
    generator: &mut SuccessorGenerator<'_>,
    answer: &mut Answer,
    budget: &Budget,
    progress: &dyn Progress,
) -> Result<Option<Found>, Limit> {
    let starts = generator.starts();
    let mut nodes = FIRST_NODES;
    let mut rounds = 0;
    let lifted = generator.known.lifted;
    let is_total = lifted.is_totally_ordered();
    let problem = OnceCell::new();
    let mut ground: Vec<GroundSearch<'_>> = Vec::new();
    loop {
        answer.figures.rounds += 1;
        let deviations = answer.figures.rounds;
        progress.report(Report { phase: "decomposing", counts: &[("nodes", nodes as f64)] });
        // Where tasks are unordered, doing one after the other often works, and is tried first.
        let mut styles = vec![(true, FREE, false), (true, deviations, false), (false, FREE, false)];
        if !is_total {
            styles.splice(1.., [(true, deviations, true), (false, FREE, true)]);
            styles.rotate_left(1);
        }
        for (cheapest_first, deviations, one_by_one) in styles {
            let style = Style { cheapest_first, one_by_one, rounds, deviations, bound: u64::MAX, nodes };
            // A search that saw everything there is to see decides for all.
            let mut is_complete = true;
            let mut looping = None;
            for (binding, start) in &starts {
                match descend(generator, start.clone(), style, budget)?.0 {
                    Descent::Found(decisions, cost) => {
                        let (start, binding) = (start.clone(), binding.clone());
                        return Ok(Some(Found { start, binding, decisions, cost }));
                    }
                    Descent::None if one_by_one => is_complete = false,
                    Descent::None => {}
                    Descent::Looping(_) if one_by_one => is_complete = false,
                    Descent::Looping(task) => looping = looping.or(Some(task)),
                    Descent::Narrow | Descent::Long => is_complete = false,
                }
            }
            if is_complete {
                let Some(task) = looping else { return Ok(None) };
                if rounds >= ROUND_LIMIT {
                    answer.looping = Some(task);
                    return Ok(None);
                }
                rounds = (2 * rounds).max(1);
                break;
            }
        }
        if answer.figures.rounds >= LIFTED_ROUNDS {
            if problem.get().is_none() {
                progress.report(Report { phase: "grounding", counts: &[] });
                let made = match GroundProblem::new(generator.known, budget) {
                    Ok(made) => Some(made),
                    Err(NotGround::Large | NotGround::Disjunction) => None,
                    Err(NotGround::Stopped(limit)) => return Err(limit),
                };
                answer.figures.ground = made.as_ref().map(|it| (it.tasks.len(), it.methods.len()));
                if let Some(made) = problem.get_or_init(|| made) {
                    let ways = [Interleaving::None, Interleaving::Any];
                    let ways = ways.into_iter().skip(usize::from(is_total));
                    ground.extend(ways.map(|way| GroundSearch::new(lifted, made, way)));
                }
            }
            let mut kept = 0;
            let mut at = 0;
            while let Some(search) = ground.get_mut(at) {
                progress.report(Report { phase: "searching", counts: &[] });
                let outcome = search.run(nodes.saturating_mul(RULES_FOR_A_NODE), budget);
                kept += search.kept();
                answer.figures.estimates = kept;
                match outcome? {
                    Outcome::Found(start, decisions, cost) => {
                        answer.figures.by_estimates = true;
                        let binding = search.binding(start).to_vec();
                        let (_, start) = starts
                            .into_iter()
                            .find(|(own, _)| *own == binding)
                            .expect("both searches have the same starts");
                        return Ok(Some(Found { start, binding, decisions, cost }));
                    }
                    Outcome::Exhausted if search.is_complete() => return Ok(None),
                    Outcome::Exhausted => {
                        ground.remove(at);
                    }
                    Outcome::More => at += 1,
                }
            }
        }
        nodes = nodes.saturating_mul(4);
    }
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
