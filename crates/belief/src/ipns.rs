//! Incremental proof-number search.
//!
//! The leaves of the tree are physical states that wait in a node of the belief-state tree. To prove a node, all of its waiting
//! states and its tree must be proved; to disprove it, one of them is enough. So the proof number of a node is that of
//! its tree plus one for each waiting state, its disproof number the smaller of that of its tree and one, and a
//! most-proving *state* is found as usual (Russell and Wolfe 2005, section 6.1).
//!
//! The paper explains its weakness on near misses by the depth limit, which makes states near the limit much cheaper than
//! states far from it, and expects that an adaptation would help. With `knows_depth`, a waiting state counts
//! as many as the replies, or attempts, that are typically behind it.

use std::rc::Rc;

use counterplay_base::{Budget, Limit};
use rustc_hash::FxHashSet;

use crate::algorithm::PlanOf;
use crate::effort::{Effort, Meter};
use crate::plan::Plan;
use crate::world::{After, HiddenWorld};

/// Proof and disproof numbers that cannot be reached.
const INFINITE: u64 = u64::MAX / 4;
/// The factor for each further pair of steps.
const GROWTH: u64 = 6;

#[derive(Clone, Copy)]
struct Numbers {
    proof: u64,
    disproof: u64,
}

const PROVED: Numbers = Numbers { proof: 0, disproof: INFINITE };
const DISPROVED: Numbers = Numbers { proof: INFINITE, disproof: 0 };

struct OrNode<W: HiddenWorld> {
    depth: usize,
    numbers: Numbers,
    pending: Vec<W::State>,
    covered: Vec<W::State>,
    keys: FxHashSet<u64>,
    /// Attempts that failed for the covered states, and so for all supersets of them.
    failed: Vec<W::Attempt>,
    children: Vec<AndNode<W>>,
}

struct AndNode<W: HiddenWorld> {
    attempt: W::Attempt,
    numbers: Numbers,
    rejected: Option<Box<OrNode<W>>>,
    cases: Vec<(W::Percept, ExpandNode<W>)>,
}

struct ExpandNode<W: HiddenWorld> {
    depth: usize,
    numbers: Numbers,
    pending: Vec<W::State>,
    keys: FxHashSet<u64>,
    cases: Vec<(W::Percept, OrNode<W>)>,
}

struct Ipns<'a, W: HiddenWorld> {
    world: &'a W,
    meter: Meter<'a>,
    knows_depth: bool,
}

pub(crate) fn search<W: HiddenWorld>(
    world: &W,
    states: &[W::State],
    depth: usize,
    knows_depth: bool,
    budget: &Budget,
) -> (Result<Option<PlanOf<W>>, Limit>, Effort) {
    let mut search = Ipns { world, meter: Meter::new(budget), knows_depth };
    let mut root = OrNode::new(depth);
    for state in states {
        root.add(world, state.clone());
    }
    root.numbers = search.or_numbers(&root);
    let found = loop {
        if root.numbers.proof == 0 {
            break Ok(Some(root.plan()));
        }
        if root.numbers.disproof == 0 {
            break Ok(None);
        }
        if let Err(limit) = search.develop_or(&mut root) {
            break Err(limit);
        }
    };
    (found, search.meter.effort)
}

impl<W: HiddenWorld> Ipns<'_, W> {
    /// What one waiting state counts, `depth` steps before the limit.
    fn weight(&self, depth: usize) -> u64 {
        if self.knows_depth { GROWTH.saturating_pow((depth as u32 - 1) / 2).min(INFINITE / 2) } else { 1 }
    }

    fn with_pending(&self, tree: Numbers, waiting: usize, depth: usize) -> Numbers {
        if waiting == 0 || tree.disproof == 0 {
            return tree;
        }
        let weight = self.weight(depth);
        Numbers {
            proof: tree.proof.saturating_add(weight.saturating_mul(waiting as u64)).min(INFINITE),
            disproof: tree.disproof.min(weight),
        }
    }

    fn or_numbers(&self, node: &OrNode<W>) -> Numbers {
        self.with_pending(node.tree_numbers(), node.pending.len(), node.depth)
    }

    fn expand_numbers(&self, node: &ExpandNode<W>) -> Numbers {
        let tree = all(node.cases.iter().map(|(_, child)| child.numbers));
        self.with_pending(tree, node.pending.len(), node.depth - 1)
    }

    fn develop_or(&mut self, node: &mut OrNode<W>) -> Result<(), Limit> {
        let tree = node.tree_numbers();
        if !node.pending.is_empty() && (node.covered.is_empty() || self.weight(node.depth) <= tree.disproof) {
            let state = node.pending.pop().expect("a state waits");
            self.cover(node, state)?;
        } else {
            let index = smallest(node.children.iter().map(|child| child.numbers.proof));
            let child = &mut node.children[index];
            self.develop_and(child)?;
            child.numbers = child.computed();
            if child.numbers.disproof == 0 {
                let failed = node.children.swap_remove(index);
                node.failed.push(failed.attempt);
            }
        }
        node.numbers = self.or_numbers(node);
        Ok(())
    }

    /// Extends all attempts of a node to one more state.
    fn cover(&mut self, node: &mut OrNode<W>, state: W::State) -> Result<(), Limit> {
        self.meter.node()?;
        let mut attempts = Vec::new();
        self.world.feasible(&state, &mut attempts);
        for attempt in attempts {
            let known = node.children.iter().any(|child| child.attempt == attempt);
            if known || node.failed.contains(&attempt) {
                continue;
            }
            let mut child = AndNode { attempt, numbers: PROVED, rejected: None, cases: Vec::new() };
            for earlier in &node.covered {
                child.reject(self.world, node.depth, earlier.clone());
            }
            node.children.push(child);
        }
        let mut index = 0;
        while index < node.children.len() {
            let child = &mut node.children[index];
            if self.extend(child, node.depth, &state) {
                if let Some(rejected) = &mut child.rejected {
                    rejected.numbers = self.or_numbers(rejected);
                }
                child.numbers = child.computed();
                index += 1;
            } else {
                let failed = node.children.swap_remove(index);
                node.failed.push(failed.attempt);
            }
        }
        node.covered.push(state);
        Ok(())
    }

    /// Extends one attempt to one more state; whether it still may win.
    fn extend(&mut self, child: &mut AndNode<W>, depth: usize, state: &W::State) -> bool {
        if !self.world.is_feasible(state, child.attempt) {
            child.reject(self.world, depth, state.clone());
            return true;
        }
        self.meter.effort.states += 1;
        match self.world.act(state, child.attempt) {
            After::Won => true,
            After::Open(percept, next) if depth > 1 => {
                let case = match child.cases.iter().position(|(known, _)| *known == percept) {
                    Some(index) => &mut child.cases[index].1,
                    None => {
                        child.cases.push((percept, ExpandNode::new(depth)));
                        &mut child.cases.last_mut().expect("just pushed").1
                    }
                };
                if case.keys.insert(self.world.key(&next)) {
                    case.pending.push(next);
                }
                case.numbers = self.expand_numbers(case);
                true
            }
            After::Lost | After::Open(..) => false,
        }
    }

    fn develop_and(&mut self, node: &mut AndNode<W>) -> Result<(), Limit> {
        let rejected = node.rejected.as_ref().map_or(INFINITE + 1, |child| child.numbers.disproof);
        let index = smallest(node.cases.iter().map(|(_, child)| child.numbers.disproof));
        match node.cases.get_mut(index) {
            Some((_, case)) if case.numbers.disproof <= rejected => self.develop_expand(case),
            _ => self.develop_or(node.rejected.as_mut().expect("an open AND-node has an open child")),
        }
    }

    fn develop_expand(&mut self, node: &mut ExpandNode<W>) -> Result<(), Limit> {
        let tree = all(node.cases.iter().map(|(_, child)| child.numbers));
        if !node.pending.is_empty() && self.weight(node.depth - 1) <= tree.disproof {
            let state = node.pending.pop().expect("a state waits");
            self.meter.node()?;
            let mut replies = Vec::new();
            self.world.replies(&state, &mut replies);
            self.meter.effort.states += replies.len() as u64;
            if replies.is_empty() || replies.contains(&After::Lost) {
                node.numbers = DISPROVED;
                return Ok(());
            }
            for reply in replies {
                let After::Open(percept, next) = reply else { continue };
                let case = match node.cases.iter().position(|(known, _)| *known == percept) {
                    Some(index) => &mut node.cases[index].1,
                    None => {
                        node.cases.push((percept, OrNode::new(node.depth - 2)));
                        &mut node.cases.last_mut().expect("just pushed").1
                    }
                };
                case.add(self.world, next);
            }
            for (_, case) in &mut node.cases {
                case.numbers = self.or_numbers(case);
            }
        } else {
            let index = smallest(node.cases.iter().map(|(_, child)| child.numbers.disproof));
            self.develop_or(&mut node.cases[index].1)?;
        }
        node.numbers = self.expand_numbers(node);
        Ok(())
    }
}

/// The index of the smallest number, the first among equals; zero if there is none.
fn smallest(numbers: impl Iterator<Item = u64>) -> usize {
    numbers.enumerate().min_by_key(|&(_, number)| number).map_or(0, |(index, _)| index)
}

/// The numbers of a node all of whose children must be proved.
fn all(children: impl Iterator<Item = Numbers>) -> Numbers {
    children.fold(PROVED, |sum, child| Numbers {
        proof: sum.proof.saturating_add(child.proof).min(INFINITE),
        disproof: sum.disproof.min(child.disproof),
    })
}

impl<W: HiddenWorld> OrNode<W> {
    fn new(depth: usize) -> OrNode<W> {
        OrNode {
            depth,
            numbers: PROVED,
            pending: Vec::new(),
            covered: Vec::new(),
            keys: FxHashSet::default(),
            failed: Vec::new(),
            children: Vec::new(),
        }
    }

    fn add(&mut self, world: &W, state: W::State) {
        if self.keys.insert(world.key(&state)) {
            self.pending.push(state);
        }
    }

    fn tree_numbers(&self) -> Numbers {
        if self.covered.is_empty() {
            return PROVED;
        }
        self.children.iter().fold(DISPROVED, |sum, child| Numbers {
            proof: sum.proof.min(child.numbers.proof),
            disproof: sum.disproof.saturating_add(child.numbers.disproof).min(INFINITE),
        })
    }

    fn plan(&self) -> PlanOf<W> {
        let best = self.children.iter().find(|child| child.numbers.proof == 0);
        let child = best.expect("a proved node has a proved child");
        let rejected = child.rejected.as_ref().map(|node| node.plan());
        let after = child.cases.iter().map(|(percept, case)| {
            (*percept, case.cases.iter().map(|(percept, node)| (*percept, node.plan())).collect())
        });
        Rc::new(Plan { attempt: child.attempt, rejected, after: after.collect() })
    }
}

impl<W: HiddenWorld> AndNode<W> {
    fn reject(&mut self, world: &W, depth: usize, state: W::State) {
        self.rejected.get_or_insert_with(|| Box::new(OrNode::new(depth))).add(world, state);
    }

    fn computed(&self) -> Numbers {
        let rejected = self.rejected.iter().map(|node| node.numbers);
        all(self.cases.iter().map(|(_, case)| case.numbers).chain(rejected))
    }
}

impl<W: HiddenWorld> ExpandNode<W> {
    fn new(depth: usize) -> ExpandNode<W> {
        ExpandNode {
            depth,
            numbers: PROVED,
            pending: Vec::new(),
            keys: FxHashSet::default(),
            cases: Vec::new(),
        }
    }
}
