//! Lifted depth-first decomposition with a memory: the strategy of SHOP on indexed states.
//!
//! The search remembers every pair of state and network it has met. Such a pair either failed or is being worked
//! on, so meeting it again is in vain, unless it now comes cheaper or with more freedom. A task that comes up
//! inside itself in the same state, with more to do after it, is a loop that this memory cannot see, since the
//! network grows: it is cut after a number of rounds that the caller names, and the answer says so. Where several tasks are
//! ready it cannot be told which of them is inside which; there a network is cut that has grown too much in one state.
//!
//! Limited discrepancy search (Harvey and Ginsberg, IJCAI 1995) is the same walk with few deviations from the
//! first way: the order of methods is good advice, and where it misleads it does so early and seldom.

use counterplay_base::{Budget, BudgetPoll, Growth, Limit};
use rustc_hash::FxHashMap;

use crate::plan::Decision;
use crate::prepared::Task;
use crate::successors::{Configuration, DecisionIter, SuccessorGenerator};
use counterplay_tasknet::network::NetworkId;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Style {
    /// Whether methods that may come cheaper are tried first; otherwise the order of the file.
    pub(crate) cheapest_first: bool,
    /// How often a task may come up inside itself in one state.
    pub(crate) rounds: usize,
    /// How often another way than the first may be taken on the path to a plan.
    pub(crate) deviations: u32,
    /// Plans of this many actions or more are of no use.
    pub(crate) bound: u64,
    /// So many pairs of state and network may be looked at.
    pub(crate) nodes: u64,
}

/// A network with several ready tasks may grow by so many tasks in one state, for each round.
pub(crate) const GROWTH: usize = 16;

/// The budget is looked at once in so many pairs, which make no more than `AHEAD` networks.
const LOOK: usize = 64;
const AHEAD: usize = 64 * LOOK;

/// As many deviations as one likes.
pub(crate) const FREE: u32 = u32::MAX;

/// What became of a search.
#[derive(Debug)]
pub(crate) enum Descent {
    /// The decisions that lead to an end, and what they cost in all.
    Found(Vec<Decision>, u64),
    /// There is no plan within the style's limits on cost.
    None,
    /// There is none without more deviations.
    Narrow,
    /// There is none without more rounds of this task inside itself.
    Looping(Task),
    /// The nodes of the style ran out.
    Long,
}

struct Frame {
    configuration: Configuration,
    ways: DecisionIter,
    /// The task that is being refined, and the number of tasks after it.
    task: Task,
    rest_len: usize,
    /// The frame of the task that this one is part of.
    parent: Option<usize>,
    /// The least number of tasks of a network since the state last changed.
    least: usize,
    /// Number of decisions before this one.
    decided: usize,
    /// Deviations left, and whether the first way was taken.
    deviations: u32,
    taken: bool,
}

/// Pairs met, with the least cost and the most deviations left that they were met with.
pub(crate) type Memory = FxHashMap<(u128, NetworkId), (u64, u32)>;

/// Looks for the first plan from a configuration on; also tells at how many pairs it looked.
pub(crate) fn descend(
    generator: &mut SuccessorGenerator<'_>,
    start: Configuration,
    style: Style,
    budget: &Budget,
) -> Result<(Descent, u64), Limit> {
    let mut search = DepthFirstSearch {
        generator,
        style,
        seen: Memory::default(),
        stack: Vec::new(),
        decisions: Vec::new(),
        looping: None,
        narrowed: false,
    };
    let mut nodes = 0;
    let descent = search.run(start, &mut nodes, budget)?;
    Ok((descent, nodes))
}

struct DepthFirstSearch<'w, 'k> {
    generator: &'w mut SuccessorGenerator<'k>,
    style: Style,
    seen: Memory,
    stack: Vec<Frame>,
    decisions: Vec<Decision>,
    looping: Option<Task>,
    narrowed: bool,
}

impl DepthFirstSearch<'_, '_> {
    fn run(&mut self, start: Configuration, nodes: &mut u64, budget: &Budget) -> Result<Descent, Limit> {
        let mut poll = BudgetPoll::every(LOOK as u32);
        let mut configuration = Some((start, self.style.deviations));
        loop {
            poll.step_growing(budget, || self.growth())?;
            let Some((here, deviations)) = configuration.take() else {
                configuration = self.backtrack();
                if configuration.is_none() {
                    return Ok(match self.looping {
                        _ if self.narrowed => Descent::Narrow,
                        Some(task) => Descent::Looping(task),
                        None => Descent::None,
                    });
                }
                continue;
            };
            *nodes += 1;
            if *nodes > self.style.nodes {
                return Ok(Descent::Long);
            }
            if here.cost.saturating_add(self.generator.ahead(here.network)) >= self.style.bound {
                continue;
            }
            if self.generator.networks.is_empty(here.network) {
                if self.generator.known.is_goal(&here.state) {
                    return Ok(Descent::Found(std::mem::take(&mut self.decisions), here.cost));
                }
                continue;
            }
            if self.generator.is_dead_end(&here) || !self.is_new(&here, deviations) {
                continue;
            }
            configuration = self.step(here, deviations);
        }
    }

    /// Bytes that the tables take if they have to grow before the next look at the budget.
    fn growth(&self) -> usize {
        self.generator.growth(AHEAD)
            + self.seen.growth(LOOK)
            + self.stack.growth(LOOK)
            + self.decisions.growth(LOOK)
    }

    /// Whether a pair is met for the first time, or cheaper or with more freedom than before.
    fn is_new(&mut self, here: &Configuration, deviations: u32) -> bool {
        let met = self.seen.entry((here.state.hash(), here.network)).or_insert((u64::MAX, 0));
        // Costs matter only where a bound does.
        let cost = if self.style.bound == u64::MAX { 0 } else { here.cost };
        if met.0 != u64::MAX && cost >= met.0 && deviations <= met.1 {
            return false;
        }
        *met = (met.0.min(cost), met.1.max(deviations));
        true
    }

    /// Goes on where there is no choice, or opens a choice point.
    fn step(&mut self, here: Configuration, deviations: u32) -> Option<(Configuration, u32)> {
        let known = self.generator.known;
        if self.generator.networks.is_forced(here.network) {
            let mut front = 0;
            while self.generator.networks.ready(here.network, front).is_none() {
                front += 1;
            }
            let task = *self.generator.networks.ready(here.network, front).expect("one task is ready");
            if known.lifted.is_primitive(task.symbol as usize) {
                if !known.is_applicable(&known.now(&here.state), task) {
                    return None;
                }
                let decision = Decision::Do(front);
                let next = self.generator.take(&here, &decision);
                self.decisions.push(decision);
                return Some((next, deviations));
            }
            self.push(here, task, deviations);
        } else {
            let task = *self.generator.networks.front(here.network).next().expect("a block has members");
            self.push(here, task, deviations);
        }
        None
    }

    /// Opens a choice point, unless the task came up inside itself too often.
    fn push(&mut self, configuration: Configuration, task: Task, deviations: u32) {
        let rest_len = self.generator.networks.len(configuration.network) - 1;
        let last =
            self.stack.last().filter(|frame| frame.configuration.state.hash() == configuration.state.hash());
        let least = last.map_or(rest_len + 1, |frame| frame.least.min(rest_len + 1));
        let is_forced = self.generator.networks.is_forced(configuration.network);
        let mut parent = self.stack.len().checked_sub(1);
        while let Some(at) = parent
            && self.stack[at].rest_len > rest_len
        {
            parent = self.stack[at].parent;
        }
        let mut rounds = 0;
        let mut ancestor = parent;
        while let Some(at) = ancestor {
            let frame = &self.stack[at];
            if frame.configuration.state.hash() != configuration.state.hash() {
                break;
            }
            rounds += usize::from(frame.task == task);
            ancestor = frame.parent;
        }
        let is_cut = match is_forced {
            true => rounds > self.style.rounds,
            false => rest_len + 1 - least > GROWTH * (self.style.rounds + 1),
        };
        if is_cut {
            self.looping.get_or_insert(task);
            return;
        }
        let ways = self.generator.ways(self.style.cheapest_first);
        let decided = self.decisions.len();
        let frame =
            Frame { configuration, ways, task, rest_len, parent, least, decided, deviations, taken: false };
        self.stack.push(frame);
    }

    /// The next way of the latest choice point that has one.
    fn backtrack(&mut self) -> Option<(Configuration, u32)> {
        while let Some(frame) = self.stack.last_mut() {
            if frame.taken && frame.deviations == 0 {
                self.narrowed = true;
            } else if let Some(decision) = frame.ways.next(self.generator, &frame.configuration) {
                let deviations = match frame.deviations {
                    FREE => FREE,
                    left => left - u32::from(frame.taken),
                };
                frame.taken = true;
                let next = self.generator.take(&frame.configuration, &decision);
                self.decisions.truncate(frame.decided);
                self.decisions.push(decision);
                return Some((next, deviations));
            }
            self.stack.pop();
        }
        None
    }
}
