//! Depth-first search of black-box belief states: DFS, L-DFS, G-DFS, GL-DFS, GX-DFS, E-DFS (UDB) and LE-DFS.
//!
//! An OR-node tries one attempt after the other; its AND-node holds the rejected states and, by percept, those that the
//! attempt leads to; an EXPAND-node joins all replies (Russell and Wolfe 2005, sections 4 and 5). The options are
//! the paper's improvements: the order of percepts, greedy pruning (a lost rejected set loses the whole OR-node),
//! and early termination (a lost state ends the construction of its belief state). As in the paper's own programs, only
//! one child of an OR-node is constructed at a time, and attempts that no state accepts are left out; among them are those
//! that were rejected before on the same turn.

use std::rc::Rc;

use counterplay_base::{Budget, Limit};

use crate::algorithm::{PlanOf, RepliesOf};
use crate::belief::{make_set, runs};
use crate::effort::{Effort, Meter};
use crate::plan::Plan;
use crate::world::{After, HiddenWorld};

/// Which percept is looked at first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// In the order in which the states bring them.
    AsTheyCome,
    /// Those of accepted attempts first.
    LegalFirst,
    /// Rejection first.
    RejectedFirst,
}

/// The paper's improvements: the order of percepts (L, X), greedy pruning (G), early termination (E).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Options {
    pub(crate) order: Order,
    pub(crate) greedy: bool,
    pub(crate) early: bool,
}

struct Dfs<'a, W: HiddenWorld> {
    world: &'a W,
    options: Options,
    meter: Meter<'a>,
}

pub(crate) fn search<W: HiddenWorld>(
    world: &W,
    states: &[W::State],
    depth: usize,
    options: Options,
    budget: &Budget,
) -> (Result<Option<PlanOf<W>>, Limit>, Effort) {
    let mut belief = states.to_vec();
    make_set(world, &mut belief);
    let mut search = Dfs { world, options, meter: Meter::new(budget) };
    let found = search.or_node(&belief, depth);
    (found, search.meter.effort)
}

/// What an attempt does to a belief state.
struct Split<W: HiddenWorld> {
    rejected: Vec<W::State>,
    accepted: Vec<(W::Percept, W::State)>,
    /// Whether the first state rejects the attempt.
    rejection_came_first: bool,
}

type Cases<W> = Vec<(<W as HiddenWorld>::Percept, RepliesOf<W>)>;

impl<W: HiddenWorld> Dfs<'_, W> {
    fn or_node(&mut self, belief: &[W::State], depth: usize) -> Result<Option<PlanOf<W>>, Limit> {
        self.meter.node()?;
        let mut attempts = Vec::new();
        for state in belief {
            self.world.feasible(state, &mut attempts);
        }
        attempts.sort_unstable();
        attempts.dedup();
        for attempt in attempts {
            let Some(split) = self.split(belief, attempt, depth)? else { continue };
            let rejected_first = match self.options.order {
                Order::AsTheyCome => split.rejection_came_first,
                Order::LegalFirst => false,
                Order::RejectedFirst => true,
            };
            let mut rejected = None;
            let mut after = None;
            for stage in 0..2 {
                if (stage == 0) == rejected_first {
                    if split.rejected.is_empty() {
                        continue;
                    }
                    rejected = self.or_node(&split.rejected, depth)?;
                    if rejected.is_none() {
                        if self.options.greedy {
                            return Ok(None);
                        }
                        break;
                    }
                } else {
                    after = self.accepted(&split.accepted, depth)?;
                    if after.is_none() {
                        break;
                    }
                }
            }
            let complete = rejected.is_some() || split.rejected.is_empty();
            if let (true, Some(after)) = (complete, after) {
                return Ok(Some(Rc::new(Plan { attempt, rejected, after })));
            }
        }
        Ok(None)
    }

    /// The children of an AND-node; none if a state is lost.
    fn split(
        &mut self,
        belief: &[W::State],
        attempt: W::Attempt,
        depth: usize,
    ) -> Result<Option<Split<W>>, Limit> {
        self.meter.node()?;
        let mut split = Split { rejected: Vec::new(), accepted: Vec::new(), rejection_came_first: false };
        let mut lost = false;
        for (i, state) in belief.iter().enumerate() {
            if !self.world.is_feasible(state, attempt) {
                split.rejected.push(state.clone());
                split.rejection_came_first |= i == 0;
                continue;
            }
            self.meter.effort.states += 1;
            match self.world.act(state, attempt) {
                After::Won => {}
                After::Open(percept, next) if depth > 1 => split.accepted.push((percept, next)),
                After::Lost | After::Open(..) => lost = true,
            }
            if lost && self.options.early {
                break;
            }
        }
        Ok((!lost).then_some(split))
    }

    /// The EXPAND-nodes after an accepted attempt.
    fn accepted(
        &mut self,
        states: &[(W::Percept, W::State)],
        depth: usize,
    ) -> Result<Option<Cases<W>>, Limit> {
        let mut states = states.to_vec();
        states.sort_by_key(|(percept, state)| (*percept, self.world.key(state)));
        states.dedup();
        let mut after = Vec::new();
        for (percept, run) in runs(&states) {
            match self.expand(run, depth)? {
                Some(plans) => after.push((percept, plans)),
                None => return Ok(None),
            }
        }
        Ok(Some(after))
    }

    fn expand(
        &mut self,
        states: &[(W::Percept, W::State)],
        depth: usize,
    ) -> Result<Option<RepliesOf<W>>, Limit> {
        self.meter.node()?;
        let mut replies = Vec::new();
        let mut told = Vec::new();
        let mut lost = false;
        for (_, state) in states {
            replies.clear();
            self.world.replies(state, &mut replies);
            self.meter.effort.states += replies.len() as u64;
            lost |= replies.is_empty();
            for reply in replies.drain(..) {
                match reply {
                    After::Won => {}
                    After::Lost => lost = true,
                    After::Open(percept, state) => told.push((percept, state)),
                }
            }
            if lost && self.options.early {
                return Ok(None);
            }
        }
        if lost {
            return Ok(None);
        }
        told.sort_unstable_by_key(|(percept, state)| (*percept, self.world.key(state)));
        told.dedup();
        let mut plans = Vec::new();
        for (percept, run) in runs(&told) {
            let belief: Vec<W::State> = run.iter().map(|(_, state)| state.clone()).collect();
            match self.or_node(&belief, depth - 2)? {
                Some(plan) => plans.push((percept, plan)),
                None => return Ok(None),
            }
        }
        Ok(Some(plans))
    }
}
