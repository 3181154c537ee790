//! Room for new positions: what the match has left behind goes first, then what was visited least.
//!
//! Room is made in one sweep over the whole tree when the memory is full, for a third of it at once, so that a sweep comes
//! once in many playouts and costs a small share of them. The statistics of the moves that lead to a forgotten position stay:
//! only what lies below is searched again.

use counterplay_base::Id;

use super::arena::{Blocks, hash};
use super::{Child, FREE, Leads, Node, TreeEdge, UctNodeId, UctTree};

/// A sweep frees so much of the memory, in percent, if it can.
const FREED: usize = 35;
/// Nodes with at least so many visits are alike.
const MANY_VISITS: usize = 4095;

impl UctTree {
    /// Bytes of the memory that are in use.
    pub fn bytes(&self) -> usize {
        let joint = 64 + 4 * self.roles;
        self.len() * size_of::<Node>()
            + self.edges.bytes()
            + self.later.len() * size_of::<super::Later>()
            + self.positions.bytes()
            + self.index.bytes()
            + self.joint.len() * joint
    }

    /// Whether a position with so many moves and words fits, after a sweep if need be.
    pub(super) fn make_room(&mut self, moves: usize, words: usize) -> bool {
        if self.has_room(moves, words) {
            return true;
        }
        if self.turned_away > 0 {
            self.turned_away -= 1;
            return false;
        }
        self.sweep();
        let has_room = self.has_room(moves, words);
        if !has_room {
            // Nearly everything is in use: the next sweep waits until that may have changed.
            self.turned_away = self.len() / 8 + 64;
        }
        has_room
    }

    fn has_room(&self, moves: usize, words: usize) -> bool {
        let grows = |has_room: bool, bytes: usize| if has_room { 0 } else { bytes };
        let more = grows(self.edges.has_room(moves), moves * size_of::<TreeEdge>())
            + grows(self.positions.has_room(words), 8 * words)
            + grows(!self.free.is_empty(), size_of::<Node>());
        let held = self.nodes.len() * size_of::<Node>()
            + self.edges.held()
            + self.later.len() * size_of::<super::Later>()
            + self.positions.held()
            + self.index.bytes()
            + self.joint.len() * (64 + 4 * self.roles);
        held + more <= self.settings.bytes
    }

    /// Forgets what cannot be reached from the root, and of the rest what was visited least.
    fn sweep(&mut self) {
        self.sweeps += 1;
        let mut keep = self.reachable();
        let wanted = self.settings.bytes / 100 * FREED;
        let freed: usize =
            (0..self.nodes.len()).filter(|&at| !keep[at]).map(|at| self.size(&self.nodes[at])).sum();
        if freed < wanted {
            self.drop_least_visited(&mut keep, wanted - freed);
        }
        self.forget(&keep);
    }

    /// Bytes of a node with its moves and its position.
    fn size(&self, node: &Node) -> usize {
        if node.shape == FREE {
            return 0;
        }
        let moves = self.shapes[node.shape as usize].len();
        size_of::<Node>() + moves * size_of::<TreeEdge>() + 8 * node.words as usize
    }

    /// Nodes that can still come up: below the root, or on the way of a playout.
    fn reachable(&self) -> Vec<bool> {
        let mut is_reached = vec![false; self.nodes.len()];
        let mut open: Vec<UctNodeId> = self.root.into_iter().collect();
        for (at, node) in self.nodes.iter().enumerate() {
            if node.shape != FREE && node.pending > 0 {
                open.push(UctNodeId::new(at));
            }
        }
        open.iter().for_each(|node| is_reached[node.index()] = true);
        let mut joint: Vec<(UctNodeId, UctNodeId)> = Vec::new();
        for ((parent, _), child) in &self.joint {
            if let Leads::To(child) = child.leads() {
                joint.push((*parent, child));
            }
        }
        joint.sort_unstable();
        while let Some(node) = open.pop() {
            let own = self.node(node);
            let first = own.first as usize;
            let edges = self.edges[first..first + self.shape(node).len()].iter();
            let from = joint.partition_point(|&(parent, _)| parent < node);
            let joined = joint[from..].iter().take_while(|&&(parent, _)| parent == node);
            let children = edges
                .filter_map(|edge| match edge.child.leads() {
                    Leads::To(child) => Some(child),
                    _ => None,
                })
                .chain(joined.map(|&(_, child)| child));
            for child in children {
                if !std::mem::replace(&mut is_reached[child.index()], true) {
                    open.push(child);
                }
            }
        }
        is_reached
    }

    /// Unmarks the least visited nodes, up to so many bytes.
    fn drop_least_visited(&self, keep: &mut [bool], wanted: usize) {
        let visits = |node: &Node| (node.visits as usize).min(MANY_VISITS);
        let may_go = |at: usize| {
            let node = &self.nodes[at];
            node.shape != FREE && node.pending == 0 && self.root.map(Id::index) != Some(at)
        };
        let mut bytes = vec![0usize; MANY_VISITS + 1];
        for at in (0..self.nodes.len()).filter(|&at| keep[at] && may_go(at)) {
            bytes[visits(&self.nodes[at])] += self.size(&self.nodes[at]);
        }
        // All with fewer visits go, and of those with as many, what is still wanted.
        let mut left = wanted;
        let last = bytes.iter().position(|&bytes| match left.checked_sub(bytes) {
            Some(less) => {
                left = less;
                false
            }
            None => true,
        });
        let last = last.unwrap_or(MANY_VISITS);
        for (at, keep) in keep.iter_mut().enumerate() {
            let own = visits(&self.nodes[at]);
            if own > last || !*keep || !may_go(at) {
                continue;
            }
            if own == last {
                if left == 0 {
                    continue;
                }
                left = left.saturating_sub(self.size(&self.nodes[at]));
            }
            *keep = false;
        }
    }

    /// Forgets all nodes that are not marked.
    fn forget(&mut self, keep: &[bool]) {
        self.forget_children(keep);
        for (at, &keep) in keep.iter().enumerate() {
            let node = self.nodes[at];
            if keep || node.shape == FREE {
                continue;
            }
            self.edges.give(node.first, self.shapes[node.shape as usize].len());
            self.positions.give(node.position, node.words as usize);
            self.nodes[at].shape = FREE;
            self.free.push(UctNodeId::new(at));
        }
        let live = self.nodes.iter().enumerate().filter(|(_, node)| node.shape != FREE);
        let (index, positions): (_, &Blocks<u64>) = (&mut self.index, &self.positions);
        index.refill(live.map(|(at, node)| {
            let words = &positions[node.position as usize..(node.position + node.words) as usize];
            (hash(words), at as u32)
        }));
    }

    /// Makes moves lead nowhere, or to the proved outcome, where the position is about to be forgotten.
    fn forget_children(&mut self, keep: &[bool]) {
        let nodes = &self.nodes;
        let left = |child: Child| match child.leads() {
            Leads::To(node) if !keep[node.index()] => match nodes[node.index()].proved.checked_sub(1) {
                Some(outcome) => Child::proved(outcome),
                None => Child::default(),
            },
            _ => child,
        };
        for (node, _) in nodes.iter().zip(keep).filter(|(node, keep)| **keep && node.shape != FREE) {
            let first = node.first as usize;
            for edge in &mut self.edges[first..first + self.shapes[node.shape as usize].len()] {
                edge.child = left(edge.child);
            }
        }
        self.joint.retain(|(parent, _), child| {
            *child = left(*child);
            keep[parent.index()] && *child != Child::default()
        });
    }
}
