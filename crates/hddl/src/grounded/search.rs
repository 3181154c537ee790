//! Greedy best-first search through states and ground networks.
//!
//! Where several tasks are ready, each applicable action may come next, but only one compound task is refined: choosing its
//! method does not depend on the state, so the order of such choices does not matter. A method whose precondition does
//! not hold yet is *chosen*, and its subtasks take its place as soon as the precondition holds; that is never too early,
//! since nothing is changed by it. Where there is only one way to go on, it is gone without an estimate.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;

use counterplay_base::{Budget, BudgetPoll, Growth, Limit};
use counterplay_tasknet::network::{NetworkId, Networks};
use rustc_hash::FxHashSet;

use super::model::{GroundCondition, GroundProblem, GroundTask};
use super::relaxed::Relaxed;
use crate::lifted::HddlProblem;
use crate::plan::Decision;

/// So many tasks are refined one after the other without an action, then others get their turn: a task may come up inside
/// itself for ever.
const FORCED_REFINEMENTS: usize = 1_000;

/// The true facts, a bit each.
type Bits = Arc<[u64]>;

/// What was decided about a task of the front.
#[derive(Clone, Copy, Debug)]
enum Step {
    Do(u32),
    /// It comes before all others.
    Select(u32),
    /// A method was chosen; it is not in use yet.
    Choose,
    /// The subtasks of a method take the place of the task.
    Refine(u32, u32),
}

#[derive(Clone, Debug)]
struct Situation {
    state: Bits,
    network: NetworkId,
    cost: u32,
}

#[derive(Debug)]
struct Node {
    situation: Situation,
    /// The node before, or the number of the start.
    from: Result<u32, u32>,
    steps: Vec<Step>,
}

/// What became of a share of the search.
pub(crate) enum Outcome {
    /// The number of the start, the decisions from there on, and the number of actions.
    Found(usize, Vec<Decision>, u64),
    /// There is no plan.
    Exhausted,
    /// The share is used up.
    More,
}

/// Whether the parts of unordered tasks may alternate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Interleaving {
    /// A task is carried out to its end before the next one is begun. Not every problem with a plan has such a plan.
    None,
    Any,
}

/// A search that can be continued.
#[derive(Debug)]
pub(crate) struct GroundSearch<'p> {
    lifted: &'p HddlProblem,
    problem: &'p GroundProblem,
    interleaving: Interleaving,
    relaxed: Relaxed,
    networks: Networks<u32>,
    nodes: Vec<Node>,
    open: BinaryHeap<(Reverse<u32>, u32)>,
    seen: FxHashSet<(u128, NetworkId)>,
    started: bool,
    found: Option<(u32, u64)>,
    poll: BudgetPoll,
}

impl<'p> GroundSearch<'p> {
    pub(crate) fn new(
        lifted: &'p HddlProblem,
        problem: &'p GroundProblem,
        interleaving: Interleaving,
    ) -> GroundSearch<'p> {
        GroundSearch {
            lifted,
            problem,
            interleaving,
            relaxed: Relaxed::new(problem),
            networks: Networks::new(),
            nodes: Vec::new(),
            open: BinaryHeap::new(),
            seen: FxHashSet::default(),
            started: false,
            found: None,
            poll: BudgetPoll::every(16),
        }
    }

    /// Goes on for a share of work, counted in rules that estimates look at.
    pub(crate) fn run(&mut self, work: u64, budget: &Budget) -> Result<Outcome, Limit> {
        let until = self.relaxed.work.saturating_add(work);
        if !std::mem::replace(&mut self.started, true) {
            self.starts(budget)?;
        }
        loop {
            if let Some((node, cost)) = self.found.take() {
                let (start, decisions) = self.decisions(node);
                return Ok(Outcome::Found(start, decisions, cost));
            }
            if self.relaxed.work >= until {
                return Ok(Outcome::More);
            }
            let Some((Reverse(estimate), at)) = self.open.pop() else { return Ok(Outcome::Exhausted) };
            let network = self.nodes[at as usize].situation.network;
            if self.interleaving == Interleaving::None && !self.networks.is_forced(network) {
                self.select(at, estimate);
            } else {
                self.expand(at, budget)?;
            }
        }
    }

    /// Whether it finds a plan if there is one.
    pub(crate) fn is_complete(&self) -> bool {
        self.interleaving == Interleaving::Any
    }

    /// Pairs of state and network that were kept.
    pub(crate) fn kept(&self) -> u64 {
        self.nodes.len() as u64
    }

    /// The binding of the initial network's variables at a start.
    pub(crate) fn binding(&self, start: usize) -> &[u32] {
        &self.problem.starts[start].0
    }

    fn starts(&mut self, budget: &Budget) -> Result<(), Limit> {
        let mut state = vec![0u64; self.problem.facts.div_ceil(64).max(1)];
        self.problem.init.iter().for_each(|&fact| state[fact as usize / 64] |= 1 << (fact % 64));
        let state: Bits = state.into();
        let nothing = self.networks.empty();
        for (number, (_, tasks)) in self.problem.starts.iter().enumerate() {
            let after = self.lifted.initial.network.after.as_deref();
            let network = self.networks.before(tasks.iter().copied(), after, nothing);
            let situation = Situation { state: state.clone(), network, cost: 0 };
            self.add(situation, Err(number as u32), Vec::new(), budget)?;
        }
        Ok(())
    }

    /// Each of the ready tasks may come first. The relaxed problem knows no order, so the estimate stays.
    fn select(&mut self, at: u32, estimate: u32) {
        let here = self.nodes[at as usize].situation.clone();
        for position in (0..self.networks.front(here.network).count()).rev() {
            if self.networks.ready(here.network, position).is_none() {
                continue;
            }
            let network = self.networks.selected(here.network, position);
            if self.seen.insert((hash(&here.state), network)) {
                let number = self.nodes.len() as u32;
                let situation = Situation { network, ..here.clone() };
                self.nodes.push(Node { situation, from: Ok(at), steps: vec![Step::Select(position as u32)] });
                self.open.push((Reverse(estimate), number));
            }
        }
    }

    fn expand(&mut self, at: u32, budget: &Budget) -> Result<(), Limit> {
        let here = self.nodes[at as usize].situation.clone();
        let mut compound: Option<(usize, usize, u32)> = None;
        for position in 0..self.networks.front(here.network).count() {
            let Some(&task) = self.networks.ready(here.network, position) else { continue };
            match self.problem.tasks.get(task as usize) {
                Some(GroundTask::Action { condition, .. }) if holds(condition, &here.state) => {
                    let next = self.done(&here, position, task);
                    self.add(next, Ok(at), vec![Step::Do(position as u32)], budget)?;
                }
                Some(GroundTask::Compound(methods))
                    if compound.is_none_or(|(fewest, ..)| methods.len() < fewest) =>
                {
                    compound = Some((methods.len(), position, task));
                }
                // An action that cannot be done now, or a method that was chosen and has to wait.
                _ => {}
            }
            if self.found.is_some() {
                return Ok(());
            }
        }
        let Some((_, position, task)) = compound else { return Ok(()) };
        let problem = self.problem;
        let GroundTask::Compound(methods) = &problem.tasks[task as usize] else { return Ok(()) };
        for &method in methods {
            if let Some((next, step)) = self.refined(&here, position, method) {
                self.add(next, Ok(at), vec![step], budget)?;
            }
            if self.found.is_some() {
                break;
            }
        }
        Ok(())
    }

    /// Follows what is forced, and keeps the result if it is new and not known to be a dead end.
    fn add(
        &mut self,
        situation: Situation,
        from: Result<u32, u32>,
        mut steps: Vec<Step>,
        budget: &Budget,
    ) -> Result<(), Limit> {
        let Some(situation) = self.forced(situation, &mut steps, budget)? else { return Ok(()) };
        if !self.seen.insert((hash(&situation.state), situation.network)) {
            return Ok(());
        }
        let number = self.nodes.len() as u32;
        if self.networks.is_empty(situation.network) {
            if holds(&self.problem.goal, &situation.state) {
                self.found = Some((number, situation.cost.into()));
                self.nodes.push(Node { situation, from, steps });
            }
            return Ok(());
        }
        self.poll.step_growing(budget, || {
            self.nodes.growth(16) + self.seen.growth(16) + self.networks.growth(1024)
        })?;
        let Some(estimate) = self.estimate(&situation) else { return Ok(()) };
        self.nodes.push(Node { situation, from, steps });
        self.open.push((Reverse(estimate), number));
        Ok(())
    }

    fn estimate(&mut self, situation: &Situation) -> Option<u32> {
        let tasks = self.problem.tasks.len() as u32;
        let relaxed = &self.relaxed;
        let wanted: Vec<u32> = (self.networks.tasks(situation.network).into_iter())
            .map(|task| match task.checked_sub(tasks) {
                None => relaxed.of_task(task),
                Some(method) => relaxed.of_method(method),
            })
            .collect();
        self.relaxed.estimate(ones(&situation.state), &wanted, &self.problem.goal.holds)
    }

    /// Goes on as long as there is one way only; `None` if there is none at all.
    fn forced(
        &mut self,
        mut here: Situation,
        steps: &mut Vec<Step>,
        budget: &Budget,
    ) -> Result<Option<Situation>, Limit> {
        let mut refined = 0;
        loop {
            self.poll.step(budget)?;
            if refined > FORCED_REFINEMENTS {
                return Ok(Some(here));
            }
            if let Some((position, method)) = self.usable(&here) {
                here = self.refine(&here, position, method);
                steps.push(Step::Refine(position as u32, method));
                continue;
            }
            if self.networks.is_empty(here.network) || !self.networks.is_forced(here.network) {
                return Ok(Some(here));
            }
            let count = self.networks.front(here.network).count();
            let ready = (0..count)
                .find_map(|position| Some((position, *self.networks.ready(here.network, position)?)));
            let Some((position, task)) = ready else { return Ok(None) };
            let problem = self.problem;
            match problem.tasks.get(task as usize) {
                Some(GroundTask::Action { condition, .. }) => {
                    if !holds(condition, &here.state) {
                        return Ok(None);
                    }
                    here = self.done(&here, position, task);
                    steps.push(Step::Do(position as u32));
                    refined = 0;
                }
                Some(GroundTask::Compound(methods)) => {
                    let mut fitting = methods
                        .iter()
                        .filter(|&&it| holds(&problem.methods[it as usize].condition, &here.state));
                    let Some(&method) = fitting.next() else { return Ok(None) };
                    if fitting.next().is_some() {
                        return Ok(Some(here));
                    }
                    here = self.refine(&here, position, method);
                    steps.push(Step::Refine(position as u32, method));
                    refined += 1;
                }
                // Nothing else can make its precondition true.
                None => return Ok(None),
            }
        }
    }

    /// A method that was chosen and whose precondition holds.
    fn usable(&self, here: &Situation) -> Option<(usize, u32)> {
        let tasks = self.problem.tasks.len() as u32;
        (0..self.networks.front(here.network).count()).find_map(|position| {
            let method = self.networks.ready(here.network, position)?.checked_sub(tasks)?;
            let condition = &self.problem.methods[method as usize].condition;
            holds(condition, &here.state).then_some((position, method))
        })
    }

    /// A method used or chosen for a task; `None` if its precondition does not hold and nothing can change that.
    fn refined(&mut self, here: &Situation, position: usize, method: u32) -> Option<(Situation, Step)> {
        if holds(&self.problem.methods[method as usize].condition, &here.state) {
            return Some((self.refine(here, position, method), Step::Refine(position as u32, method)));
        }
        if self.networks.is_forced(here.network) {
            return None;
        }
        let chosen = self.problem.tasks.len() as u32 + method;
        let network = self.networks.refined(here.network, position, vec![chosen], None);
        Some((Situation { network, ..here.clone() }, Step::Choose))
    }

    fn refine(&mut self, here: &Situation, position: usize, method: u32) -> Situation {
        let method = &self.problem.methods[method as usize];
        let after = self.lifted.methods[method.method].network.after.as_deref();
        let network = self.networks.refined(here.network, position, method.subtasks.clone(), after);
        Situation { network, ..here.clone() }
    }

    fn done(&mut self, here: &Situation, position: usize, task: u32) -> Situation {
        let network = self.networks.done(here.network, position);
        let GroundTask::Action { effects, .. } = &self.problem.tasks[task as usize] else {
            unreachable!("only actions are done");
        };
        let mut state: Vec<u64> = here.state.to_vec();
        let happens = || effects.iter().filter(|effect| holds(&effect.condition, &here.state));
        for &fact in happens().flat_map(|effect| &effect.deleted) {
            state[fact as usize / 64] &= !(1 << (fact % 64));
        }
        for &fact in happens().flat_map(|effect| &effect.added) {
            state[fact as usize / 64] |= 1 << (fact % 64);
        }
        Situation { state: state.into(), network, cost: here.cost + 1 }
    }

    /// The start of a node and the decisions that lead to it, in the words of the lifted problem.
    fn decisions(&self, mut at: u32) -> (usize, Vec<Decision>) {
        let mut steps = Vec::new();
        let start = loop {
            let node = &self.nodes[at as usize];
            steps.extend(node.steps.iter().rev());
            match node.from {
                Ok(before) => at = before,
                Err(start) => break start as usize,
            }
        };
        let decision = |step: &Step| match *step {
            Step::Do(position) => Some(Decision::Do(position as usize)),
            Step::Select(position) => Some(Decision::Select(position as usize)),
            Step::Choose => None,
            Step::Refine(position, method) => {
                let method = &self.problem.methods[method as usize];
                Some(Decision::Refine(position as usize, method.method, method.binding.clone()))
            }
        };
        (start, steps.iter().rev().filter_map(decision).collect())
    }
}

fn has(state: &[u64], fact: u32) -> bool {
    state[fact as usize / 64] >> (fact % 64) & 1 == 1
}

fn holds(condition: &GroundCondition, state: &[u64]) -> bool {
    condition.holds.iter().all(|&fact| has(state, fact))
        && condition.fails.iter().all(|&fact| !has(state, fact))
}

/// The true facts.
fn ones(state: &[u64]) -> impl Iterator<Item = u32> + '_ {
    state.iter().enumerate().flat_map(|(at, &word)| {
        let mut left = word;
        std::iter::from_fn(move || {
            let bit = (left != 0).then(|| left.trailing_zeros())?;
            left &= left - 1;
            Some(at as u32 * 64 + bit)
        })
    })
}

/// Two independent halves: two of `n` states share a word with a probability of about n² / 2^129.
fn hash(state: &[u64]) -> u128 {
    let half = |key: u64| {
        state.iter().fold(key, |sum, &word| {
            let mut mixed = (sum ^ word).wrapping_mul(0xff51_afd7_ed55_8ccd);
            mixed ^= mixed >> 33;
            mixed = mixed.wrapping_mul(0xc4ce_b9fe_1a85_ec53);
            mixed ^ mixed >> 29
        })
    };
    u128::from(half(0x9e37_79b9_7f4a_7c15)) << 64 | u128::from(half(0xc2b2_ae3d_27d4_eb4f))
}
