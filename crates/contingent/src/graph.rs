//! The AND-OR graph of belief states that have been met.
//!
//! A belief state is *solved* if it is a goal or has an action after which every possible percept leads to a solved one; labels
//! go back to the parents as soon as they are known. Since a label rests on labels that were there before, the
//! plan that they spell out has no cycle, and it does not matter in which order belief states are expanded.

use counterplay_base::{Budget, Limit};
use rustc_hash::FxHashMap;

use crate::heuristic::RelaxedPlans;
use crate::space::{BeliefSpace, Percept};

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
    /// What was found out about its actions so far.
    pub(crate) edges: Vec<Edge>,
    /// The actions that were not looked at yet, the most promising last; `None` before the first look.
    pending: Option<Vec<u32>>,
    /// The actions that relaxed plans begin with.
    helpful: Vec<u32>,
    /// Actions that lead to the same belief states as an edge, or nowhere else. Strong plans do without them, but they may move the states
    /// within a belief state.
    spare: Vec<u32>,
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
            true => Some((0, Vec::new())),
            false => self.relaxed.estimate(&self.space.samples(&belief)?),
        };
        let (estimate, helpful) = estimate.map_or((None, Vec::new()), |(value, first)| (Some(value), first));
        let number = self.nodes.len() as u32;
        self.nodes.push(Node {
            label: if is_goal { Label::Goal } else { Label::Open },
            estimate,
            size: self.space.size(&belief),
            edges: Vec::new(),
            pending: None,
            helpful,
            spare: Vec::new(),
            parents: Vec::new(),
            belief: belief.clone(),
        });
        self.numbers.insert(belief, number);
        Ok(number)
    }

    /// Finds out what every action leads to.
    pub(crate) fn expand(&mut self, number: u32) -> Result<(), Limit> {
        while self.look(number)? {}
        Ok(())
    }

    /// Finds out what further actions lead to, until one leads to something better than the belief state itself. Returns whether there
    /// are more actions.
    pub(crate) fn expand_some(&mut self, number: u32) -> Result<bool, Limit> {
        let known = self.nodes[number as usize].estimate;
        while self.look(number)? {
            let edges = &self.nodes[number as usize].edges;
            let is_better = |node: u32| self.nodes[node as usize].estimate < known;
            if edges.last().is_some_and(|edge| edge.next.iter().all(|&(_, node)| is_better(node))) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Looks at actions until there is one more edge; returns whether there may be further ones.
    fn look(&mut self, number: u32) -> Result<bool, Limit> {
        let at = number as usize;
        self.budget.check()?;
        if self.nodes[at].pending.is_none() {
            self.expanded += 1;
            let pending = self.promising_last(number)?;
            self.nodes[at].pending = Some(pending);
        }
        let belief = self.nodes[at].belief.clone();
        while let Some(action) = self.nodes[at].pending.as_mut().and_then(Vec::pop) {
            let Some(edge) = self.edge(&belief, action)? else { continue };
            let is_still = edge.next.iter().all(|&(_, node)| node == number);
            if is_still || self.nodes[at].edges.iter().any(|known| known.next == edge.next) {
                self.nodes[at].spare.push(action);
                continue;
            }
            self.add(number, edge);
            return Ok(true);
        }
        Ok(false)
    }

    /// The applicable actions: others, those that tell something, those that relaxed plans begin with.
    fn promising_last(&mut self, number: u32) -> Result<Vec<u32>, Limit> {
        let node = &mut self.nodes[number as usize];
        if node.label != Label::Open || node.estimate.is_none() {
            return Ok(Vec::new());
        }
        let helpful = std::mem::take(&mut node.helpful);
        let belief = node.belief.clone();
        let mut actions = self.space.applicable(&belief)?;
        actions.reverse();
        actions.sort_by_key(|&action| (helpful.binary_search(&action).is_ok(), self.space.tells(action)));
        Ok(actions)
    }

    fn add(&mut self, number: u32, edge: Edge) {
        let at = number as usize;
        let index = self.nodes[at].edges.len() as u32;
        for &(_, next) in &edge.next {
            self.nodes[next as usize].parents.push((number, index));
        }
        let is_solved = edge.unsolved == 0;
        self.nodes[at].edges.push(edge);
        if is_solved {
            self.label(number, index);
        }
    }

    /// Adds the edges that strong plans do without.
    pub(crate) fn add_spare(&mut self) -> Result<(), Limit> {
        for number in 0..self.nodes.len() {
            let belief = self.nodes[number].belief.clone();
            for action in std::mem::take(&mut self.nodes[number].spare) {
                if let Some(edge) = self.edge(&belief, action)? {
                    self.add(number as u32, edge);
                }
            }
        }
        Ok(())
    }

    /// What an action leads to; `None` if that may be a dead end.
    fn edge(&mut self, belief: &S::Belief, action: u32) -> Result<Option<Edge>, Limit> {
        let mut next = Vec::new();
        for (percept, belief) in self.space.after(belief, action)? {
            let node = self.node(belief)?;
            if self.is_dead(node) {
                return Ok(None);
            }
            next.push((percept, node));
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
                let edges = &mut self.nodes[parent as usize].edges;
                edges[edge as usize].unsolved -= 1;
                if edges[edge as usize].unsolved == 0 {
                    open.push((parent, edge));
                }
            }
        }
    }
}
