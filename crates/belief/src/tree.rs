//! The belief-state tree as an AND-OR tree of black boxes, for the proof-number searches.

use std::rc::Rc;

use counterplay_base::Limit;
use counterplay_proof::{AndOr, Expansion, Keyed};

use crate::belief::{fingerprint, runs};
use crate::effort::Meter;
use crate::world::{After, HiddenWorld};

/// How a node is reached from its parent.
#[derive(Debug)]
pub(crate) enum Label<W: HiddenWorld> {
    /// The root, or the first state of a turn.
    Root,
    /// By an attempt.
    Attempt(W::Attempt),
    /// By the rejection of it.
    Rejected,
    /// By what is perceived.
    Percept(W::Percept),
}

/// The kinds of nodes, with the states that they hold until they are expanded.
pub(crate) enum Kind<W: HiddenWorld> {
    /// The solver is to attempt something in one of these states.
    Or(Rc<[W::State]>),
    /// What an attempt led to.
    And { rejected: Vec<W::State>, accepted: Vec<(W::Percept, W::State)> },
    /// The other side is to act in one of these states.
    Expand(Vec<W::State>),
    /// It was expanded, and its states are gone.
    Done,
}

/// A node of the tree.
pub(crate) struct BeliefNode<W: HiddenWorld> {
    pub(crate) label: Label<W>,
    pub(crate) kind: Kind<W>,
    pub(crate) depth: usize,
}

/// The rules of the tree.
pub(crate) struct BeliefTree<'a, W: HiddenWorld> {
    pub(crate) world: &'a W,
    pub(crate) meter: Meter<'a>,
    pub(crate) legal_first: bool,
    pub(crate) early: bool,
}

impl<W: HiddenWorld> BeliefTree<'_, W> {
    pub(crate) fn root(states: &[W::State], depth: usize) -> BeliefNode<W> {
        BeliefNode { label: Label::Root, kind: Kind::Or(states.into()), depth }
    }

    fn or_children(&mut self, belief: &[W::State], depth: usize) -> Vec<BeliefNode<W>> {
        let mut attempts = Vec::new();
        for state in belief {
            self.world.feasible(state, &mut attempts);
        }
        attempts.sort_unstable();
        attempts.dedup();
        let mut children = Vec::new();
        for attempt in attempts {
            if let Some(kind) = self.and_node(belief, attempt, depth) {
                children.push(BeliefNode { label: Label::Attempt(attempt), kind, depth });
            }
        }
        children
    }

    /// What an attempt leads to; none if a state is lost.
    fn and_node(&mut self, belief: &[W::State], attempt: W::Attempt, depth: usize) -> Option<Kind<W>> {
        let (mut rejected, mut accepted) = (Vec::new(), Vec::new());
        let mut lost = false;
        for state in belief {
            if !self.world.is_feasible(state, attempt) {
                rejected.push(state.clone());
                continue;
            }
            self.meter.effort.states += 1;
            match self.world.act(state, attempt) {
                After::Won => {}
                After::Open(percept, next) if depth > 1 => accepted.push((percept, next)),
                After::Lost | After::Open(..) => lost = true,
            }
            if lost && self.early {
                break;
            }
        }
        (!lost).then_some(Kind::And { rejected, accepted })
    }

    fn and_children(
        &self,
        rejected: &[W::State],
        accepted: &[(W::Percept, W::State)],
        depth: usize,
    ) -> Vec<BeliefNode<W>> {
        let mut accepted = accepted.to_vec();
        accepted.sort_by_key(|(percept, state)| (*percept, self.world.key(state)));
        accepted.dedup();
        let mut children: Vec<BeliefNode<W>> = runs(&accepted)
            .map(|(percept, run)| BeliefNode {
                label: Label::Percept(percept),
                kind: Kind::Expand(run.iter().map(|(_, state)| state.clone()).collect()),
                depth,
            })
            .collect();
        if !rejected.is_empty() {
            let node = BeliefNode { label: Label::Rejected, kind: Kind::Or(rejected.into()), depth };
            let place = if self.legal_first { children.len() } else { 0 };
            children.insert(place, node);
        }
        children
    }

    fn expand_children(&mut self, states: &[W::State], depth: usize) -> Option<Vec<BeliefNode<W>>> {
        let (mut replies, mut told) = (Vec::new(), Vec::new());
        let mut lost = false;
        for state in states {
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
            if lost && self.early {
                return None;
            }
        }
        if lost {
            return None;
        }
        told.sort_unstable_by_key(|(percept, state)| (*percept, self.world.key(state)));
        told.dedup();
        let mut children = Vec::new();
        for (percept, run) in runs(&told) {
            let belief = run.iter().map(|(_, state)| state.clone()).collect();
            children.push(BeliefNode {
                label: Label::Percept(percept),
                kind: Kind::Or(belief),
                depth: depth - 2,
            });
        }
        Some(children)
    }
}

impl<W: HiddenWorld> AndOr for BeliefTree<'_, W> {
    type Node = BeliefNode<W>;

    fn expand(&mut self, node: &BeliefNode<W>) -> Result<Expansion<BeliefNode<W>>, Limit> {
        self.meter.node()?;
        Ok(match &node.kind {
            Kind::Or(belief) => Expansion::Any(self.or_children(belief, node.depth)),
            Kind::And { rejected, accepted } => {
                Expansion::All(self.and_children(rejected, accepted, node.depth))
            }
            Kind::Expand(states) => match self.expand_children(states, node.depth) {
                Some(children) => Expansion::All(children),
                None => Expansion::Disproved,
            },
            Kind::Done => unreachable!("a node is forgotten only after its expansion"),
        })
    }

    fn forget(&mut self, node: &mut BeliefNode<W>) {
        node.kind = Kind::Done;
    }
}

impl<W: HiddenWorld> Keyed for BeliefTree<'_, W> {
    type Key = (u64, u64, u8);

    fn key(&self, node: &BeliefNode<W>) -> (u64, u64, u8) {
        match &node.kind {
            Kind::Or(belief) => {
                let (a, b) = fingerprint(self.world, belief, node.depth);
                (a, b, 0)
            }
            Kind::Expand(states) => {
                let (a, b) = fingerprint(self.world, states, node.depth);
                (a, b, 1)
            }
            Kind::And { rejected, accepted } => {
                let (a, b) = fingerprint(self.world, rejected, node.depth);
                // The value depends on how percepts split the states, so each part is mixed before it is added.
                let mut accepted = accepted.to_vec();
                accepted.sort_by_key(|(percept, _)| *percept);
                let mut sums = (a.wrapping_mul(3), b.rotate_left(9));
                for (_, run) in runs(&accepted) {
                    let part: Vec<W::State> = run.iter().map(|(_, state)| state.clone()).collect();
                    let (c, d) = fingerprint(self.world, &part, node.depth);
                    sums.0 = sums.0.wrapping_add((c ^ (c >> 31)).wrapping_mul(0x94d0_49bb_1331_11eb));
                    sums.1 = sums.1.wrapping_add((d ^ (d >> 27)).wrapping_mul(0xd6e8_feb8_6659_fd93));
                }
                (sums.0, sums.1, 2)
            }
            Kind::Done => unreachable!("a table keeps no forgotten nodes"),
        }
    }
}
