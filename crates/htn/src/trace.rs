//! Which choice was made for which task, as a persistent log.
//!
//! Searches backtrack, so the log shares its past between branches just as agendas share their future. Nodes of
//! the decomposition tree are numbered as they appear: first the tasks of the initial agenda, then for each
//! choice of a method its subtasks. The log therefore needs to store only the choices; [`Tree`](crate::Tree)
//! turns it into a tree again.

use std::sync::Arc;

use counterplay_base::{Id, id};

use crate::{Agenda, Knowledge, World};

id! {
    /// One task of a decomposition, by order of appearance.
    pub struct NodeId;
}

/// What was chosen for one task.
pub enum Choice<K: Knowledge> {
    /// It was carried out.
    Done(<K::World as World>::Op),
    /// It was refined by a method into these tasks, whose nodes are numbered on from `first`.
    Refined {
        /// The method and its binding.
        method: K::Method,
        /// Node of the first subtask.
        first: NodeId,
        /// The subtasks, in order.
        subtasks: Vec<K::Task>,
    },
}

impl<K: Knowledge> Clone for Choice<K>
where
    <K::World as World>::Op: Clone,
{
    fn clone(&self) -> Self {
        match self {
            Choice::Done(op) => Choice::Done(op.clone()),
            Choice::Refined { method, first, subtasks } => {
                Choice::Refined { method: method.clone(), first: *first, subtasks: subtasks.clone() }
            }
        }
    }
}

/// The choices made so far, the latest foremost, and the number of nodes that exist.
pub struct Trace<K: Knowledge> {
    log: Agenda<Arc<(NodeId, Choice<K>)>>,
    nodes: usize,
}

impl<K: Knowledge> Clone for Trace<K> {
    fn clone(&self) -> Self {
        Trace { log: self.log.clone(), nodes: self.nodes }
    }
}

impl<K: Knowledge> Trace<K> {
    /// No choice yet; the initial agenda has `roots` tasks, with nodes `0..roots`.
    pub fn new(roots: usize) -> Trace<K> {
        Trace { log: Agenda::empty(), nodes: roots }
    }

    /// The log after `node` was carried out.
    pub fn done(&self, node: NodeId, op: <K::World as World>::Op) -> Trace<K> {
        Trace { log: self.log.then_after(Arc::new((node, Choice::Done(op)))), nodes: self.nodes }
    }

    /// The log after `node` was refined. The subtasks get the nodes from [`next_node`](Trace::next_node) on.
    pub fn refined(&self, node: NodeId, method: K::Method, subtasks: Vec<K::Task>) -> Trace<K> {
        let nodes = self.nodes + subtasks.len();
        let choice = Choice::Refined { method, first: self.next_node(), subtasks };
        Trace { log: self.log.then_after(Arc::new((node, choice))), nodes }
    }

    /// The node that the next new task will get.
    pub fn next_node(&self) -> NodeId {
        NodeId::new(self.nodes)
    }

    /// Number of nodes of the tree so far.
    pub fn nodes(&self) -> usize {
        self.nodes
    }

    /// Number of choices so far.
    pub fn len(&self) -> usize {
        self.log.len()
    }

    /// Whether nothing was chosen yet.
    pub fn is_empty(&self) -> bool {
        self.log.is_empty()
    }

    /// The choices, in the order they were made.
    pub fn choices(&self) -> Vec<&(NodeId, Choice<K>)> {
        let mut choices: Vec<_> = self.log.iter().map(|entry| &**entry).collect();
        choices.reverse();
        choices
    }
}
