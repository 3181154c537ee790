//! Incremental search: DBU, L-DBU, GL-DBU, DUB and L-DUB.
//!
//! Uncertainty is a third dimension of the search. Instead of whole belief states, a proof is built for one physical
//! state and then extended to the next, so that a belief state can be refuted by a single one of its members
//! (Russell and Wolfe 2005, section 6). DBU extends whole proof trees (depth, then breadth, then uncertainty); DUB
//! extends one branch of percepts at a time (depth, then uncertainty, then breadth): an inner recursion that looks only at
//! the first percept, and an outer one that verifies the others, deepest first.
//!
//! Attempts that no state examined so far accepts are left for later. With greedy pruning a lost rejected set loses its
//! OR-node, and when an attempt fails the rest of the plan behind its rejection is kept (footnote 10 of the paper).

use std::rc::Rc;

use counterplay_base::{Budget, Limit};
use rustc_hash::FxHashSet;

use crate::algorithm::{PlanOf, RepliesOf};
use crate::effort::{Effort, Meter};
use crate::plan::Plan;
use crate::world::{After, HiddenWorld};

/// When the other percepts are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Breadth {
    /// Before the next physical state: DBU.
    Second,
    /// After all physical states of the branch: DUB.
    Last,
}

/// The search, as far as all nodes share it.
struct IncrementalSearch<'a, W: HiddenWorld> {
    world: &'a W,
    meter: Meter<'a>,
    breadth: Breadth,
    legal_first: bool,
    greedy: bool,
}

/// The solver is to attempt something.
struct OrNode<W: HiddenWorld> {
    depth: usize,
    /// States of the belief state that have not been added to the proof yet.
    pending: Vec<W::State>,
    /// Keys of all states that ever came here.
    keys: FxHashSet<u64>,
    /// States that the current proof covers.
    covered: Vec<W::State>,
    /// Attempts that some covered state accepts, not tried yet; the last one is next.
    untried: Vec<W::Attempt>,
    /// Attempts that failed for the covered states, and so for all supersets of them.
    failed: Vec<W::Attempt>,
    current: Option<Box<AndNode<W>>>,
}

/// What an attempt leads to.
struct AndNode<W: HiddenWorld> {
    attempt: W::Attempt,
    pending: Vec<W::State>,
    rejected: Option<Child<W, OrNode<W>>>,
    rejection_came_first: bool,
    cases: Vec<Case<W, ExpandNode<W>>>,
}

/// The other side is to act, unseen.
struct ExpandNode<W: HiddenWorld> {
    depth: usize,
    pending: Vec<W::State>,
    keys: FxHashSet<u64>,
    /// Replies that wait to be sorted by percept.
    told: Vec<(W::Percept, W::State)>,
    cases: Vec<Case<W, OrNode<W>>>,
}

/// A child that is still looked at, or the part of the plan that is left of it.
enum Child<W: HiddenWorld, N> {
    Live(N),
    Proved(Part<W>),
}

/// A child and the percept that leads to it.
type Case<W, N> = (<W as HiddenWorld>::Percept, Child<W, N>);

enum Part<W: HiddenWorld> {
    Plan(PlanOf<W>),
    Cases(RepliesOf<W>),
}

/// Why an AND-node failed.
#[derive(PartialEq, Eq)]
enum Failed {
    /// The attempt does not win where it is accepted.
    Accepted,
    /// There is no plan for the states that reject it.
    Rejected,
}

pub(crate) fn search<W: HiddenWorld>(
    world: &W,
    states: &[W::State],
    depth: usize,
    breadth: Breadth,
    legal_first: bool,
    greedy: bool,
    budget: &Budget,
) -> (Result<Option<PlanOf<W>>, Limit>, Effort) {
    // The first state is examined first: waiting lists are taken from the end.
    search_stream(world, states.iter().cloned(), depth, (breadth, legal_first, greedy), budget)
}

/// Looks for a plan while the states still come in: the search of section 7, which may end before they are all known.
pub(crate) fn search_stream<W: HiddenWorld>(
    world: &W,
    states: impl Iterator<Item = W::State>,
    depth: usize,
    (breadth, legal_first, greedy): (Breadth, bool, bool),
    budget: &Budget,
) -> (Result<Option<PlanOf<W>>, Limit>, Effort) {
    let mut search = IncrementalSearch { world, meter: Meter::new(budget), breadth, legal_first, greedy };
    let mut root = OrNode::new(depth);
    let found = search.run(&mut root, states);
    (found, search.meter.effort)
}

impl<W: HiddenWorld> IncrementalSearch<'_, W> {
    fn run(
        &mut self,
        root: &mut OrNode<W>,
        states: impl Iterator<Item = W::State>,
    ) -> Result<Option<PlanOf<W>>, Limit> {
        for state in states {
            root.add(self.world, state);
            if !self.solve_or(root)? {
                return Ok(None);
            }
        }
        if self.breadth == Breadth::Last && !self.outer_or(root)? {
            return Ok(None);
        }
        Ok(root.plan())
    }

    /// SOLVE-TOP of an OR-node.
    fn solve_or(&mut self, node: &mut OrNode<W>) -> Result<bool, Limit> {
        while let Some(state) = node.pending.pop() {
            self.meter.node()?;
            let known = node.untried.len();
            self.world.feasible(&state, &mut node.untried);
            let mut fresh = node.untried.split_off(known);
            fresh.retain(|attempt| {
                let current = node.current.as_ref().is_some_and(|child| child.attempt == *attempt);
                !current && !node.untried.contains(attempt) && !node.failed.contains(attempt)
            });
            // New ones wait behind the old ones.
            fresh.reverse();
            node.untried.splice(0..0, fresh);
            if let Some(child) = &mut node.current {
                child.pending.push(state.clone());
            }
            node.covered.push(state);
            if !self.settle_or(node)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// SOLVE of an OR-node: the current attempt, or else the next ones.
    fn settle_or(&mut self, node: &mut OrNode<W>) -> Result<bool, Limit> {
        loop {
            if node.current.is_none() {
                let Some(attempt) = node.untried.pop() else { return Ok(false) };
                let mut pending = node.covered.clone();
                pending.reverse();
                node.current = Some(Box::new(AndNode {
                    attempt,
                    pending,
                    rejected: None,
                    rejection_came_first: false,
                    cases: Vec::new(),
                }));
            }
            let child = node.current.as_mut().expect("there is a current attempt");
            match self.solve_and(child, node.depth)? {
                None => return Ok(true),
                Some(Failed::Rejected) if self.greedy => return Ok(false),
                Some(_) => self.drop_current(node),
            }
        }
    }

    /// Gives up the current attempt; a greedy search keeps the rest of the plan.
    fn drop_current(&mut self, node: &mut OrNode<W>) {
        let failed = node.current.take().expect("there is a current attempt");
        node.failed.push(failed.attempt);
        let Some(Child::Live(rest)) = failed.rejected.filter(|_| self.greedy) else { return };
        for attempt in rest.failed {
            if !node.failed.contains(&attempt) {
                node.failed.push(attempt);
            }
        }
        node.untried.retain(|attempt| !node.failed.contains(attempt));
        // The rest may have come back to an attempt that has failed here: kept, the two would alternate for ever.
        let Some(mut current) = rest.current.filter(|child| !node.failed.contains(&child.attempt)) else {
            return;
        };
        node.untried.retain(|attempt| *attempt != current.attempt);
        let missing = node.covered.iter().filter(|state| !rest.keys.contains(&self.world.key(state)));
        current.pending.extend(missing.cloned().chain(rest.pending));
        node.current = Some(current);
    }

    /// SOLVE-TOP of an AND-node; says what failed.
    fn solve_and(&mut self, node: &mut AndNode<W>, depth: usize) -> Result<Option<Failed>, Limit> {
        while let Some(state) = node.pending.pop() {
            self.meter.step()?;
            if !self.world.is_feasible(&state, node.attempt) {
                let first = node.cases.is_empty() && node.rejected.is_none();
                node.rejection_came_first |= first;
                let rejected = node.rejected.get_or_insert_with(|| Child::Live(OrNode::new(depth)));
                if let Child::Live(rejected) = rejected {
                    rejected.add(self.world, state);
                }
            } else {
                self.meter.effort.states += 1;
                match self.world.act(&state, node.attempt) {
                    After::Won => {}
                    After::Open(percept, next) if depth > 1 => {
                        let child = case(&mut node.cases, percept, || ExpandNode::new(depth));
                        child.add(self.world, next);
                    }
                    After::Lost | After::Open(..) => return Ok(Some(Failed::Accepted)),
                }
            }
            if let Some(failed) = self.settle_and(node)? {
                return Ok(Some(failed));
            }
        }
        // A failure further up may have left children unsolved.
        self.settle_and(node)
    }

    /// SOLVE of an AND-node: all percepts, or (DUB) the first one only.
    fn settle_and(&mut self, node: &mut AndNode<W>) -> Result<Option<Failed>, Limit> {
        let rejected_first = !self.legal_first && node.rejection_came_first;
        for stage in 0..2 {
            if (stage == 0) == rejected_first {
                if let Some(Child::Live(rejected)) = &mut node.rejected {
                    if !self.solve_or(rejected)? {
                        return Ok(Some(Failed::Rejected));
                    }
                    if self.breadth == Breadth::Last {
                        return Ok(None);
                    }
                }
            } else {
                for (_, child) in &mut node.cases {
                    let Child::Live(child) = child else { continue };
                    if !self.solve_expand(child)? {
                        return Ok(Some(Failed::Accepted));
                    }
                    if self.breadth == Breadth::Last {
                        return Ok(None);
                    }
                }
            }
        }
        Ok(None)
    }

    /// SOLVE-TOP of an EXPAND-node.
    fn solve_expand(&mut self, node: &mut ExpandNode<W>) -> Result<bool, Limit> {
        loop {
            while let Some((percept, state)) = node.told.pop() {
                let depth = node.depth - 2;
                case(&mut node.cases, percept, || OrNode::new(depth)).add(self.world, state);
                if !self.settle_expand(node)? {
                    return Ok(false);
                }
            }
            let Some(state) = node.pending.pop() else { break };
            self.meter.node()?;
            let mut replies = Vec::new();
            self.world.replies(&state, &mut replies);
            self.meter.effort.states += replies.len() as u64;
            if replies.is_empty() {
                return Ok(false);
            }
            for reply in replies.into_iter().rev() {
                match reply {
                    After::Won => {}
                    After::Lost => return Ok(false),
                    After::Open(percept, state) => node.told.push((percept, state)),
                }
            }
        }
        self.settle_expand(node)
    }

    fn settle_expand(&mut self, node: &mut ExpandNode<W>) -> Result<bool, Limit> {
        for (_, child) in &mut node.cases {
            let Child::Live(child) = child else { continue };
            if !self.solve_or(child)? {
                return Ok(false);
            }
            if self.breadth == Breadth::Last {
                return Ok(true);
            }
        }
        Ok(true)
    }

    /// OUTER of an OR-node: verifies the partial proof on the other percepts.
    fn outer_or(&mut self, node: &mut OrNode<W>) -> Result<bool, Limit> {
        loop {
            let Some(child) = &mut node.current else { return Ok(false) };
            if self.outer_and(child)? {
                return Ok(true);
            }
            self.drop_current(node);
            if !self.settle_or(node)? {
                return Ok(false);
            }
        }
    }

    fn outer_and(&mut self, node: &mut AndNode<W>) -> Result<bool, Limit> {
        loop {
            let rejected_first = !self.legal_first && node.rejection_came_first;
            let waits = matches!(node.rejected, Some(Child::Live(_)));
            let case = node.cases.iter().position(|(_, child)| matches!(child, Child::Live(_)));
            match case {
                Some(index) if !(waits && rejected_first) => {
                    let Child::Live(child) = &mut node.cases[index].1 else { unreachable!("it is live") };
                    if !self.outer_expand(child)? {
                        return Ok(false);
                    }
                    let plans = child.plans();
                    node.cases[index].1 = Child::Proved(Part::Cases(plans));
                }
                _ => {
                    let Some(Child::Live(rejected)) = &mut node.rejected else { return Ok(true) };
                    if !self.outer_or(rejected)? {
                        return Ok(false);
                    }
                    let plan = rejected.plan().expect("a proved node has a plan");
                    node.rejected = Some(Child::Proved(Part::Plan(plan)));
                }
            }
            if self.settle_and(node)?.is_some() {
                return Ok(false);
            }
        }
    }

    fn outer_expand(&mut self, node: &mut ExpandNode<W>) -> Result<bool, Limit> {
        while let Some(index) = node.cases.iter().position(|(_, child)| matches!(child, Child::Live(_))) {
            let Child::Live(child) = &mut node.cases[index].1 else { unreachable!("it is live") };
            if !self.outer_or(child)? {
                return Ok(false);
            }
            let plan = child.plan().expect("a proved node has a plan");
            node.cases[index].1 = Child::Proved(Part::Plan(plan));
            if !self.settle_expand(node)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// The child for a percept, made if there is none yet. Proved children get no more states.
fn case<P: Copy + Eq, W: HiddenWorld, N>(
    cases: &mut Vec<(P, Child<W, N>)>,
    percept: P,
    make: impl FnOnce() -> N,
) -> &mut N {
    let index = match cases.iter().position(|(known, _)| *known == percept) {
        Some(index) => index,
        None => {
            cases.push((percept, Child::Live(make())));
            cases.len() - 1
        }
    };
    match &mut cases[index].1 {
        Child::Live(node) => node,
        Child::Proved(_) => unreachable!("a branch is closed only when all its states are in it"),
    }
}

impl<W: HiddenWorld> OrNode<W> {
    fn new(depth: usize) -> OrNode<W> {
        OrNode {
            depth,
            pending: Vec::new(),
            keys: FxHashSet::default(),
            covered: Vec::new(),
            untried: Vec::new(),
            failed: Vec::new(),
            current: None,
        }
    }

    fn add(&mut self, world: &W, state: W::State) {
        if self.keys.insert(world.key(&state)) {
            self.pending.push(state);
        }
    }

    fn plan(&self) -> Option<PlanOf<W>> {
        let node = self.current.as_ref()?;
        let rejected = match &node.rejected {
            None => None,
            Some(Child::Live(rejected)) => rejected.plan(),
            Some(Child::Proved(Part::Plan(plan))) => Some(Rc::clone(plan)),
            Some(Child::Proved(Part::Cases(_))) => unreachable!("a rejected set has one plan"),
        };
        let after = node.cases.iter().map(|(percept, child)| {
            let plans = match child {
                Child::Live(child) => child.plans(),
                Child::Proved(Part::Cases(plans)) => plans.clone(),
                Child::Proved(Part::Plan(_)) => unreachable!("replies have a plan each"),
            };
            (*percept, plans)
        });
        Some(Rc::new(Plan { attempt: node.attempt, rejected, after: after.collect() }))
    }
}

impl<W: HiddenWorld> ExpandNode<W> {
    fn new(depth: usize) -> ExpandNode<W> {
        ExpandNode {
            depth,
            pending: Vec::new(),
            keys: FxHashSet::default(),
            told: Vec::new(),
            cases: Vec::new(),
        }
    }

    fn add(&mut self, world: &W, state: W::State) {
        if self.keys.insert(world.key(&state)) {
            self.pending.push(state);
        }
    }

    fn plans(&self) -> RepliesOf<W> {
        let plan = |child: &Child<W, OrNode<W>>| match child {
            Child::Live(child) => child.plan(),
            Child::Proved(Part::Plan(plan)) => Some(Rc::clone(plan)),
            Child::Proved(Part::Cases(_)) => unreachable!("an OR-node has one plan"),
        };
        self.cases
            .iter()
            .map(|(percept, child)| (*percept, plan(child).expect("a proved node has a plan")))
            .collect()
    }
}
