//! The decision tree, and the plan to be followed in it.

use crate::agents::Agents;
use crate::{Knowledge, TaskWorld};

/// A node of the decision tree.
pub enum PlanNode<K: Knowledge> {
    /// Nothing is known beyond this: valued by the field's estimate.
    Leaf {
        /// What it is worth.
        value: f64,
    },
    /// An agent carries out an operation.
    Move {
        /// The operation; where it is not ours, the planned one.
        op: <K::World as TaskWorld>::Op,
        /// Whether one of our agents does it.
        ours: bool,
        /// What comes after it.
        then: Box<PlanNode<K>>,
    },
    /// We choose a way to carry out a task.
    Choice {
        task: K::Task,
        /// The ways, each with its tree.
        options: Vec<Alternative<K>>,
        /// The one to take.
        chosen: usize,
    },
    /// Another agent may go one of several ways.
    Theirs {
        /// The task, from our point of view.
        task: K::Task,
        /// What they may do.
        branches: Vec<Branch<K>>,
        /// What it is worth by the criterion.
        value: f64,
    },
}

/// One of our alternatives.
pub struct Alternative<K: Knowledge> {
    /// The method and its binding.
    pub method: K::Method,
    pub node: PlanNode<K>,
}

/// Something others may do.
pub struct Branch<K: Knowledge> {
    /// The method and its binding; `None` where no method applied.
    pub method: Option<K::Method>,
    /// The belief in the part of the world where it applies, as a share of the node's.
    pub weight: f64,
    pub node: PlanNode<K>,
}

impl<K: Knowledge> PlanNode<K> {
    /// What the node is worth.
    pub fn value(&self) -> f64 {
        match self {
            PlanNode::Leaf { value } | PlanNode::Theirs { value, .. } => *value,
            PlanNode::Move { then, .. } => then.value(),
            PlanNode::Choice { options, chosen, .. } => options[*chosen].node.value(),
        }
    }

    /// The values by what the others may do next, following our own choices.
    pub(super) fn outcomes(&self) -> Vec<f64> {
        match self {
            PlanNode::Leaf { value } => vec![*value],
            PlanNode::Move { then, .. } => then.outcomes(),
            PlanNode::Choice { options, chosen, .. } => options[*chosen].node.outcomes(),
            PlanNode::Theirs { branches, .. } => branches.iter().map(|branch| branch.node.value()).collect(),
        }
    }
}

/// An operation of ours and the methods that led to it.
pub type Step<K> = (<<K as Knowledge>::World as TaskWorld>::Op, Vec<<K as Knowledge>::Method>);

/// A policy: what to do, whatever the others do as far as it was foreseen.
pub struct Plan<K: Knowledge> {
    node: Option<PlanNode<K>>,
}

impl<K: Agents> Plan<K> {
    /// The plan of a decision tree.
    pub fn new(root: PlanNode<K>) -> Plan<K> {
        Plan { node: Some(root) }
    }

    /// Where the plan stands now; `None` after a surprise.
    pub fn node(&self) -> Option<&PlanNode<K>> {
        self.node.as_ref()
    }

    /// Our next operation with the methods that led to it, and moves on past it. `None` when it is not our turn in the
    /// plan or the plan has run out.
    pub fn advance(&mut self) -> Option<Step<K>> {
        let mut methods = Vec::new();
        loop {
            match self.node.take()? {
                PlanNode::Choice { mut options, chosen, .. } => {
                    let option = options.swap_remove(chosen);
                    methods.push(option.method);
                    self.node = Some(option.node);
                }
                PlanNode::Move { op, ours: true, then } => {
                    self.node = Some(*then);
                    return Some((op, methods));
                }
                other => {
                    self.node = Some(other);
                    return None;
                }
            }
        }
    }

    /// Follows what another agent did to the first branch whose critic accepts it. After `false` the plan is void and
    /// a new one is needed.
    pub fn observe(&mut self, knowledge: &K, seen: &K::Seen) -> bool {
        self.node = self.node.take().and_then(|node| follow(knowledge, node, seen));
        self.node.is_some()
    }

    /// Whether the plan says what to do now, or what to expect.
    pub fn is_useful(&self) -> bool {
        self.node.as_ref().is_some_and(|node| !matches!(node, PlanNode::Leaf { .. }))
    }
}

fn follow<K: Agents>(knowledge: &K, node: PlanNode<K>, seen: &K::Seen) -> Option<PlanNode<K>> {
    match node {
        PlanNode::Theirs { branches, .. } => {
            branches.into_iter().find_map(|branch| follow(knowledge, branch.node, seen))
        }
        PlanNode::Move { op, ours: false, then } if knowledge.accepts(&op, seen) => Some(*then),
        _ => None,
    }
}
