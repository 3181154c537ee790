//! The first plan, by searches that take turns.
//!
//! Depth-first searches come in rounds, each with more nodes than the one before: with the methods sorted by what they may
//! cost, with few deviations from that order, and in the order of the file. Which of them is quick depends on the domain,
//! and none loses more than a constant factor to the others. After a few rounds a heuristic search over the ground problem
//! takes turns with them, if that is not too large. Shares are counted in work and not in time, so that the same problem
//! gets the same plan on every machine; the two kinds of search get about the same time.

use std::cell::{Cell, OnceCell};

use counterplay_base::{Budget, Limit, Progress, Report};

use crate::descend::{Descent, FREE, Style, descend};
use crate::grounded::NotGround;
use crate::grounded::model::GroundProblem;
use crate::grounded::search::{GroundSearch, Interleaving, Outcome};
use crate::plan::Decision;
use crate::shop::{Answer, NetworkSearch};
use crate::successors::{Configuration, SuccessorGenerator};

/// A way from the start to an end.
pub(crate) struct Found {
    pub(crate) start: Configuration,
    pub(crate) binding: Vec<u32>,
    pub(crate) decisions: Vec<Decision>,
    pub(crate) cost: u64,
}

/// After so many rounds of a task inside itself in one state, more of the same is taken to be in vain.
pub(crate) const ROUND_LIMIT: usize = 64;
/// Nodes of the first depth-first search, and of one from each of many starts at least.
const FIRST_NODES: u64 = 1_000;
const NODES_OF_START: u64 = 20;
/// So many searches of a round try objects in other orders.
const RESTARTS: u64 = 8;
/// The ground problem is made after so many rounds of depth-first search.
const DEPTH_FIRST_ROUNDS: u32 = 2;
/// A node of depth-first search takes as long as so many steps of unification, besides those it makes.
const STEPS_OF_NODE: u64 = 10;
/// Rules that the search over the ground problem may look at for each step of unification, and in a round at least.
const RULES_FOR_A_STEP: u64 = 8;
const RULES_OF_ROUND: u64 = 6_000_000;

/// What a round came to.
enum Round {
    Found(Found),
    /// There is no plan.
    None,
    /// There is none without more rounds of a task inside itself.
    Looping,
    /// It is not decided.
    Open,
}

/// The first plan; `None` with a looping task noted, if that is why there is none.
pub(crate) fn first_plan(
    generator: &mut SuccessorGenerator<'_>,
    search: NetworkSearch,
    answer: &mut Answer,
    budget: &Budget,
    progress: &dyn Progress,
) -> Result<Option<Found>, Limit> {
    let starts = generator.starts();
    let is_total = generator.known.lifted.is_totally_ordered();
    let mut walk = DepthFirst { starts, is_total, rounds: 0, nodes: Cell::new(0) };
    let problem = OnceCell::new();
    let mut ground: Option<Vec<GroundSearch<'_>>> = None;
    let mut nodes = FIRST_NODES;
    loop {
        answer.figures.rounds += 1;
        let mut is_open = search == NetworkSearch::Estimates;
        let before = walk.steps(generator);
        // Without a ground problem depth-first search has to do.
        let no_ground = matches!(problem.get(), Some(None));
        if search != NetworkSearch::Estimates || no_ground {
            progress.report(Report { phase: "decomposing", counts: &[("nodes", nodes as f64)] });
            match walk.round(generator, nodes, answer, budget)? {
                Round::Found(found) => return Ok(Some(found)),
                Round::None => return Ok(None),
                Round::Looping if walk.rounds >= ROUND_LIMIT => return Ok(None),
                // All was seen but for the loops, so that more nodes are not what is needed.
                Round::Looping => walk.rounds = (2 * walk.rounds).max(1),
                Round::Open => is_open = true,
            }
        }
        let is_due = match search {
            NetworkSearch::Auto => answer.figures.rounds >= DEPTH_FIRST_ROUNDS,
            NetworkSearch::DepthFirst => false,
            NetworkSearch::Estimates => true,
        };
        if is_due {
            if ground.is_none() {
                progress.report(Report { phase: "grounding", counts: &[] });
                let made = ground_problem(generator, answer, budget)?;
                let lifted = generator.known.lifted;
                let ways = [Interleaving::None, Interleaving::Any].into_iter().skip(usize::from(is_total));
                let made = problem.get_or_init(|| made).iter();
                ground = Some(
                    made.flat_map(|made| ways.clone().map(|way| GroundSearch::new(lifted, made, way)))
                        .collect(),
                );
            }
            progress.report(Report { phase: "searching", counts: &[] });
            let searches = ground.get_or_insert_default();
            let steps = walk.steps(generator) - before;
            let rules = steps.saturating_mul(RULES_FOR_A_STEP).max(RULES_OF_ROUND);
            match by_estimates(searches, &walk.starts, rules, answer, budget)? {
                Round::Found(found) => return Ok(Some(found)),
                Round::None => return Ok(None),
                Round::Looping | Round::Open => {}
            }
        }
        if is_open {
            nodes = nodes.saturating_mul(4);
        }
    }
}

/// The depth-first searches.
struct DepthFirst {
    starts: Vec<(Vec<u32>, Configuration)>,
    is_total: bool,
    /// How often a task may come up inside itself in one state.
    rounds: usize,
    /// Nodes of all searches so far.
    nodes: Cell<u64>,
}

impl DepthFirst {
    /// The time it took so far, in steps of unification.
    fn steps(&self, generator: &SuccessorGenerator<'_>) -> u64 {
        generator.work() + self.nodes.get().saturating_mul(STEPS_OF_NODE)
    }

    fn round(
        &self,
        generator: &mut SuccessorGenerator<'_>,
        nodes: u64,
        answer: &mut Answer,
        budget: &Budget,
    ) -> Result<Round, Limit> {
        let few = answer.figures.rounds;
        // Where tasks are unordered, doing one after the other often works, and is tried first.
        let styles: &[(bool, u32, bool)] = match self.is_total {
            true => &[(true, FREE, false), (true, few, false), (false, FREE, false)],
            false => &[(true, few, true), (false, FREE, true), (true, FREE, false)],
        };
        let nodes = (nodes / self.starts.len().max(1) as u64).max(NODES_OF_START);
        // Short searches with objects in other orders follow: where the first choice misleads, another order often does not.
        let shuffled = (1..=RESTARTS).map(|at| {
            let seed = u64::from(few) * RESTARTS + at;
            (at % 2 == 0, FREE, !self.is_total, seed, nodes / RESTARTS)
        });
        let plain = styles
            .iter()
            .map(|&(cheapest, deviations, one_by_one)| (cheapest, deviations, one_by_one, 0, nodes));
        for (cheapest_first, deviations, one_by_one, seed, nodes) in plain.chain(shuffled) {
            let style = Style {
                cheapest_first,
                one_by_one,
                seed,
                rounds: self.rounds,
                deviations,
                bound: u64::MAX,
                nodes,
            };
            // A search that saw everything there is to see decides for all.
            let mut is_complete = !one_by_one;
            let mut looping = None;
            for (binding, start) in &self.starts {
                let (descent, nodes) = descend(generator, start.clone(), style, budget)?;
                self.nodes.set(self.nodes.get() + nodes);
                match descent {
                    Descent::Found(decisions, cost) => {
                        let (start, binding) = (start.clone(), binding.clone());
                        return Ok(Round::Found(Found { start, binding, decisions, cost }));
                    }
                    Descent::None => {}
                    Descent::Looping(task) => looping = looping.or(Some(task)),
                    Descent::Narrow | Descent::Long => is_complete = false,
                }
            }
            if is_complete {
                answer.looping = looping;
                return Ok(if looping.is_some() { Round::Looping } else { Round::None });
            }
        }
        Ok(Round::Open)
    }
}

/// The ground problem, if it is not too large and has a simple form.
fn ground_problem(
    generator: &SuccessorGenerator<'_>,
    answer: &mut Answer,
    budget: &Budget,
) -> Result<Option<GroundProblem>, Limit> {
    let made = match GroundProblem::new(generator.known, budget) {
        Ok(made) => Some(made),
        Err(NotGround::Large | NotGround::Disjunction) => None,
        Err(NotGround::Stopped(limit)) => return Err(limit),
    };
    answer.figures.ground = made.as_ref().map(|made| (made.tasks.len(), made.methods.len()));
    Ok(made)
}

/// A share of work for each search over the ground problem.
fn by_estimates(
    searches: &mut Vec<GroundSearch<'_>>,
    starts: &[(Vec<u32>, Configuration)],
    work: u64,
    answer: &mut Answer,
    budget: &Budget,
) -> Result<Round, Limit> {
    let mut at = 0;
    while let Some(search) = searches.get_mut(at) {
        let before = search.kept();
        let outcome = search.run(work, budget);
        answer.figures.estimates += search.kept() - before;
        match outcome? {
            Outcome::Found(start, decisions, cost) => {
                answer.figures.by_estimates = true;
                let binding = search.binding(start).to_vec();
                let same = starts.iter().find(|(own, _)| *own == binding);
                let start = same.map(|(_, start)| start.clone()).expect("both searches have the same starts");
                return Ok(Round::Found(Found { start, binding, decisions, cost }));
            }
            Outcome::Exhausted if search.is_complete() => {
                // What keeps coming up inside itself in a depth-first search is not why there is no plan.
                answer.looping = None;
                return Ok(Round::None);
            }
            Outcome::Exhausted => {
                searches.remove(at);
            }
            Outcome::More => at += 1,
        }
    }
    Ok(Round::Open)
}
