//! Throwing away what a match has left behind.

use std::sync::Arc;

use counterplay_base::Id;
use rustc_hash::FxHashMap;

use super::{Node, TreeEdge, UctNodeId, UctTree};

/// Choices of all roles, and where they lead.
type Joint = (Box<[u32]>, UctNodeId);

impl UctTree {
    /// Throws away everything that cannot be reached from a node; everything if there is none.
    pub(super) fn keep_from(&mut self, node: Option<UctNodeId>) {
        let mut old = std::mem::replace(self, UctTree::new(self.most.clone(), self.settings.clone()));
        self.playouts = old.playouts;
        self.plan = old.plan.take();
        let Some(node) = node else { return };
        let mut joint: FxHashMap<UctNodeId, Vec<Joint>> = FxHashMap::default();
        for ((parent, choices), child) in std::mem::take(&mut old.joint) {
            joint.entry(parent).or_default().push((choices, child));
        }
        let mut new_of: FxHashMap<UctNodeId, UctNodeId> = FxHashMap::default();
        let mut order = vec![node];
        new_of.insert(node, UctNodeId::new(0));
        let mut at = 0;
        // Breadth first, so that the nodes nearest to the root are kept if there is no room for all.
        while let Some(&from) = order.get(at) {
            at += 1;
            let own = &old.nodes[from];
            let moves = own.widths.iter().map(|&width| width as usize).sum::<usize>();
            let edges = &old.edges[own.first as usize..own.first as usize + moves];
            let children = edges.iter().filter_map(|edge| edge.child);
            let joined = joint.get(&from).into_iter().flatten().map(|(_, child)| *child);
            for child in children.chain(joined) {
                if order.len() < old.nodes.len() / 2 && !new_of.contains_key(&child) {
                    new_of.insert(child, UctNodeId::new(order.len()));
                    order.push(child);
                }
            }
        }
        for &from in &order {
            let own = &old.nodes[from];
            let first = self.edges.len() as u32;
            let moves = own.widths.iter().map(|&width| width as usize).sum::<usize>();
            for edge in &old.edges[own.first as usize..own.first as usize + moves] {
                let child = edge.child.and_then(|child| new_of.get(&child).copied());
                self.edges.push(TreeEdge { child, pending: 0, ..*edge });
            }
            self.bytes += size_of::<Node>()
                + moves * size_of::<TreeEdge>()
                + own.position.len() * 8
                + 4 * self.roles
                + 96;
            let id = self.nodes.push(Node { first, ..own.clone() });
            self.index.insert(Arc::clone(&own.position), id);
            for (choices, child) in joint.remove(&from).into_iter().flatten() {
                if let Some(&child) = new_of.get(&child) {
                    self.joint.insert((id, choices), child);
                    self.bytes += 48 + 4 * self.roles;
                }
            }
        }
    }
}
