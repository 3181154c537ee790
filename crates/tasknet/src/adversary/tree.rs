//! The plan tree, and the contingency tree that is left of it without the abstract steps.

use counterplay_base::{Id, IdVec, id};

use super::Agent;

id! {
    /// One choice of the plan tree.
    pub struct NodeId;
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlanChoice<G, M> {
    Root,
    /// This goal of the agenda is worked on.
    Goal(G),
    /// A critic's goal is worked on.
    Critic(G),
    /// It is refined by this schema.
    Schema(&'static str),
    /// This move is made.
    Move(M),
    /// All plans have failed: this move is tried because it is there.
    Guard(M),
}

#[derive(Clone, Debug)]
struct ChoiceNode<G, M> {
    parent: Option<NodeId>,
    agent: Agent,
    choice: PlanChoice<G, M>,
    /// Who wins after a move, once that is known.
    winner: Option<Agent>,
    children: Vec<NodeId>,
}

/// All choices that were made while planning, failed ones included.
#[derive(Clone, Debug)]
pub struct PlanTree<G, M> {
    nodes: IdVec<NodeId, ChoiceNode<G, M>>,
}

/// The moves of a plan tree with the reasons for each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contingency<G, M> {
    pub action: M,
    pub agent: Agent,
    /// Who wins after it.
    pub winner: Option<Agent>,
    /// The goals it serves, the most abstract first.
    pub goals: Vec<G>,
    /// The schemas on the way, the most abstract first.
    pub schemas: Vec<&'static str>,
    /// Whether a critic asked for it.
    pub critic: bool,
    /// What the other agent does next: everything if it loses, the refutation if it wins.
    pub replies: Vec<Contingency<G, M>>,
}

impl<G: Clone, M: Copy> PlanTree<G, M> {
    pub(super) fn new(agent: Agent) -> PlanTree<G, M> {
        let mut nodes = IdVec::new();
        nodes.push(ChoiceNode {
            parent: None,
            agent,
            choice: PlanChoice::Root,
            winner: None,
            children: Vec::new(),
        });
        PlanTree { nodes }
    }

    pub fn root(&self) -> NodeId {
        NodeId::new(0)
    }

    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether nothing was chosen.
    pub fn is_empty(&self) -> bool {
        self.nodes.len() <= 1
    }

    /// What was chosen at a node.
    pub fn choice(&self, node: NodeId) -> &PlanChoice<G, M> {
        &self.nodes[node].choice
    }

    /// The choices below a node, in the order in which they were made.
    pub fn children(&self, node: NodeId) -> &[NodeId] {
        &self.nodes[node].children
    }

    /// Who wins after a move.
    pub fn winner(&self, node: NodeId) -> Option<Agent> {
        self.nodes[node].winner
    }

    pub(super) fn add(&mut self, parent: NodeId, agent: Agent, choice: PlanChoice<G, M>) -> NodeId {
        let node = self.nodes.push(ChoiceNode {
            parent: Some(parent),
            agent,
            choice,
            winner: None,
            children: Vec::new(),
        });
        self.nodes[parent].children.push(node);
        node
    }

    pub(super) fn decide(&mut self, node: NodeId, winner: Agent) {
        self.nodes[node].winner = Some(winner);
    }

    /// The moves below a node without the abstract steps. Of an agent that wins only the winning move is kept.
    pub fn contingency(&self, node: NodeId) -> Vec<Contingency<G, M>> {
        let mut moves = Vec::new();
        let mut open: Vec<NodeId> = self.children(node).iter().rev().copied().collect();
        while let Some(at) = open.pop() {
            match self.nodes[at].choice {
                PlanChoice::Move(_) | PlanChoice::Guard(_) => moves.push(at),
                _ => open.extend(self.children(at).iter().rev()),
            }
        }
        if let Some(&win) = moves.iter().find(|&&at| self.nodes[at].winner == Some(self.nodes[at].agent)) {
            moves = vec![win];
        }
        moves.into_iter().map(|at| self.explain(at, node)).collect()
    }

    /// A move with its reasons: the abstract choices between it and the move before.
    fn explain(&self, at: NodeId, above: NodeId) -> Contingency<G, M> {
        let node = &self.nodes[at];
        let (PlanChoice::Move(action) | PlanChoice::Guard(action)) = node.choice else {
            unreachable!("only moves are explained")
        };
        let (mut goals, mut schemas, mut critic) = (Vec::new(), Vec::new(), false);
        let mut parent = node.parent;
        while let Some(up) = parent.filter(|&up| up != above) {
            match &self.nodes[up].choice {
                PlanChoice::Goal(goal) => goals.push(goal.clone()),
                PlanChoice::Critic(goal) => {
                    goals.push(goal.clone());
                    critic = true;
                }
                PlanChoice::Schema(name) => schemas.push(*name),
                _ => {}
            }
            parent = self.nodes[up].parent;
        }
        goals.reverse();
        schemas.reverse();
        Contingency {
            action,
            agent: node.agent,
            winner: node.winner,
            goals,
            schemas,
            critic,
            replies: self.contingency(at),
        }
    }
}
