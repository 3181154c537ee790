//! The AND-OR graph of belief states that have been met.
//!
//! A belief state is *solved* if it is a goal or has an action after which every possible percept leads to a solved one; labels
//! go back to the parents as soon as they are known. Since a label rests on labels that were there before, the
//! plan that they spell out has no cycle, and it does not matter in which order belief states are expanded.

use counterplay_base::{Budget, Limit};
use rustc_hash::FxHashMap;

use crate::heuristic::RelaxedPlans;
use crate::space::{BeliefSpace, Percept};

/// So many states stand for a belief state in the estimate.
const SAMPLES: usize = 24;

/// An action in a belief state.
pub(crate) struct Edge {
    pub(crate) action: u32,
    /// What may be told, and where that leads.
    pub(crate) next: Vec<(Percept, u32)>,
    unsolved: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Label {
    Open,
    Goal,
    /// By the edge of this number.
    Solved(u32),
}

pub(crate) struct Node<B> {
    pub(crate) belief: B,
    pub(crate) label: Label,
    /// The estimate; `None` for a dead end.
    pub(crate) estimate: Option<u32>,
    pub(crate) size: u64,
    /// `None` before it is expanded.
    pub(crate) edges: Option<Vec<Edge>>,
    parents: Vec<(u32, u32)>,
}

pub(crate) struct Graph<'t, S: BeliefSpace> {
    pub(crate) space: S,
    relaxed: RelaxedPlans,
    pub(crate) nodes: Vec<Node<S::Belief>>,
    numbers: FxHashMap<S::Belief, u32>,
    pub(crate) expanded: u64,
    budget: &'t Budget,
}

impl<'t, S: BeliefSpace> Graph<'t, S> {
    /// The graph with the initial belief state, which has the number 0.
    pub(crate) fn new(space: S, relaxed: RelaxedPlans, budget: &'t Budget) -> Result<Graph<'t, S>, Limit> {
        let (nodes, numbers) = (Vec::new(), FxHashMap::default());
        let mut graph = Graph { space, relaxed, nodes, numbers, expanded: 0, budget };
        let initial = graph.space.initial()?;
        graph.node(initial)?;
        Ok(graph)
    }

    pub(crate) fn is_solved(&self, node: u32) -> bool {
        self.nodes[node as usize].label != Label::Open
    }

    pub(crate) fn is_dead(&self, node: u32) -> bool {
        self.nodes[node as usize].estimate.is_none()
    }

    /// The number of a belief state, new or known.
    fn node(&mut self, belief: S::Belief) -> Result<u32, Limit> {
        if let Some(&number) = self.numbers.get(&belief) {
            return Ok(number);
        }
        self.budget.check()?;
        let is_goal = self.space.is_goal(&belief)?;
        let estimate = match is_goal {
            true => Some(0),
            false => self.relaxed.estimate(&self.space.samples(&belief, SAMPLES)?),
        };
        let number = self.nodes.len() as u32;
        self.nodes.push(Node {
            label: if is_goal { Label::Goal } else { Label::Open },
            estimate,
            size: self.space.size(&belief),
            edges: None,
            parents: Vec::new(),
            belief: belief.clone(),
        });
        self.numbers.insert(belief, number);
        Ok(number)
    }

    /// Finds out what every action leads to.
    pub(crate) fn expand(&mut self, number: u32) -> Result<(), Limit> {
        let at = number as usize;
        if self.nodes[at].edges.is_some() {
            return Ok(());
        }
        self.budget.check()?;
        self.expanded += 1;
        let mut edges: Vec<Edge> = Vec::new();
        if self.nodes[at].label == Label::Open && self.nodes[at].estimate.is_some() {
            let belief = self.nodes[at].belief.clone();
            for action in self.space.applicable(&belief)? {
                if let Some(edge) = self.edge(number, &belief, action)?
                    && !edges.iter().any(|known| known.next == edge.next)
                {
                    edges.push(edge);
                }
            }
        }
        for (index, edge) in edges.iter().enumerate() {
            for &(_, next) in &edge.next {
                self.nodes[next as usize].parents.push((number, index as u32));
            }
        }
        let solved = edges.iter().position(|edge| edge.unsolved == 0);
        self.nodes[at].edges = Some(edges);
        if let Some(edge) = solved {
            self.label(number, edge as u32);
        }
        Ok(())
    }

    /// What an action leads to; `None` if it changes nothing or may lead to a dead end.
    fn edge(&mut self, from: u32, belief: &S::Belief, action: u32) -> Result<Option<Edge>, Limit> {
        let mut next = Vec::new();
        for (percept, belief) in self.space.after(belief, action)? {
            let node = self.node(belief)?;
            if self.is_dead(node) {
                return Ok(None);
            }
            next.push((percept, node));
        }
        if next.iter().all(|&(_, node)| node == from) {
            return Ok(None);
        }
        let unsolved = next.iter().filter(|&&(_, node)| !self.is_solved(node)).count() as u32;
        Ok(Some(Edge { action, next, unsolved }))
    }

    /// Labels a belief state as solved, and its parents where that follows.
    fn label(&mut self, number: u32, edge: u32) {
        let mut open = vec![(number, edge)];
        while let Some((node, edge)) = open.pop() {
            if self.is_solved(node) {
                continue;
            }
            self.nodes[node as usize].label = Label::Solved(edge);
            for (parent, edge) in self.nodes[node as usize].parents.clone() {
                let edges = self.nodes[parent as usize].edges.as_mut().expect("a parent is expanded");
                edges[edge as usize].unsolved -= 1;
                if edges[edge as usize].unsolved == 0 {
                    open.push((parent, edge));
                }
            }
        }
    }
}
