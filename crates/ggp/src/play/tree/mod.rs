//! The search tree: a graph of positions, with what was seen of each move.
//!
//! Every role keeps statistics of its own moves in a position and chooses among them by itself (decoupled UCT), so
//! one tree serves puzzles, games in turns and games with simultaneous moves. Positions that are reached on several
//! ways are one node. Proved values go up as far as they decide something (MCTS-Solver: Winands, Björnsson and Saito
//! 2008); the memory is bounded, and what the game has left behind is thrown away.
//!
//! UCT: Kocsis and Szepesvári 2006; decoupled: Finnsson and Björnsson 2008; RAVE: Gelly and Silver 2007.

mod choice;
mod prune;

use std::collections::VecDeque;
use std::sync::Arc;

use counterplay_base::{IdVec, id};
use rand::Rng;
use rustc_hash::FxHashMap;

use super::settings::UctSettings;

id! {
    /// A position in the tree.
    pub struct UctNodeId;
}

/// A position, as words that only its machine can read.
pub type Position = Arc<[u64]>;

/// The rewards of all roles, from 0 to 1.
pub type Rewards = Arc<[f32]>;

/// What is known of a move in a position.
#[derive(Clone, Copy, Debug, Default)]
pub struct TreeEdge {
    /// The number of the move.
    pub a_move: u32,
    /// Playouts that began with it.
    pub visits: u32,
    /// Playouts that are on their way.
    pending: u32,
    sum: f64,
    best: f32,
    /// Playouts in which it was made later, and their rewards.
    rave_visits: u32,
    rave_sum: f64,
    /// Where it leads, if no other role has a choice.
    child: Option<UctNodeId>,
}

impl TreeEdge {
    /// The mean reward; `None` if it was never tried.
    pub fn mean(&self) -> Option<f32> {
        (self.visits > 0).then(|| (self.sum / f64::from(self.visits)) as f32)
    }
}

/// A position in the tree.
#[derive(Clone, Debug)]
struct Node {
    position: Position,
    visits: u32,
    /// Where the moves of the first role begin; each role's follow.
    first: u32,
    widths: Box<[u32]>,
    /// The only role with a choice, or the first role if no role has one; `None` if several have.
    mover: Option<u8>,
    proved: Option<Rewards>,
}

/// A way down the tree: nodes and the moves chosen there, one for each role.
#[derive(Clone, Debug, Default)]
pub struct TreePath {
    nodes: Vec<UctNodeId>,
    /// Places among the legal moves, one for each role and node.
    choices: Vec<u32>,
}

impl TreePath {
    /// Begins anew.
    pub fn clear(&mut self) {
        self.nodes.clear();
        self.choices.clear();
    }

    /// How many moves it has.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }
}

/// Where a way down the tree ended.
#[derive(Clone, Debug)]
pub enum Descent {
    /// At a move that has not been made: the position before it.
    Leaf(Position),
    /// Where the rewards are proved.
    Proved(Rewards),
    /// The path is too long: it goes in cycles.
    Cycle,
}

/// A way down longer than this goes in cycles.
const LONGEST: usize = 400;

#[derive(Debug)]
pub struct UctTree {
    roles: usize,
    settings: UctSettings,
    nodes: IdVec<UctNodeId, Node>,
    edges: Vec<TreeEdge>,
    index: FxHashMap<Position, UctNodeId>,
    /// Where joint moves lead if several roles have a choice.
    joint: FxHashMap<(UctNodeId, Box<[u32]>), UctNodeId>,
    root: Option<UctNodeId>,
    bytes: usize,
    /// The greatest reward that each role can hope for.
    most: Vec<f32>,
    /// For puzzles: the best way to an end that was found from the root on, with its reward.
    plan: Option<(f32, VecDeque<u32>)>,
    /// Playouts that came back.
    pub playouts: u64,
}

impl UctTree {
    /// An empty tree of a game with rewards up to `most` for each role.
    pub fn new(most: Vec<f32>, settings: UctSettings) -> UctTree {
        UctTree {
            roles: most.len(),
            settings,
            nodes: IdVec::new(),
            edges: Vec::new(),
            index: FxHashMap::default(),
            joint: FxHashMap::default(),
            root: None,
            bytes: 0,
            most,
            plan: None,
            playouts: 0,
        }
    }

    /// The position that is searched.
    pub fn root(&self) -> Option<UctNodeId> {
        self.root
    }

    /// Number of positions.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is no position.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Whether there is no room for more positions.
    pub fn is_full(&self) -> bool {
        self.bytes >= self.settings.bytes
    }

    /// Makes a position the root, after a joint move if there was one; `legal` are the moves of each role, none if
    /// the game is over.
    pub fn set_root(
        &mut self,
        made: Option<&[u32]>,
        position: &Position,
        legal: &[Vec<u32>],
        proved: Option<Rewards>,
    ) {
        let plan = self.plan.take();
        let plan = plan.filter(|(_, plan)| plan.front() == made.and_then(<[u32]>::first)).map(|mut plan| {
            plan.1.pop_front();
            plan
        });
        // A way that led to a proved position ends there; from then on the proof is followed.
        self.plan = plan.filter(|(_, plan)| !plan.is_empty());
        let known = self.index.get(position).copied();
        if self.bytes * 2 > self.settings.bytes {
            self.keep_from(known);
        }
        let root = match self.index.get(position).copied() {
            Some(known) => known,
            None => self.push(position, legal, proved.clone()),
        };
        // A proof whose moves were thrown away does not say how to play: it is found again.
        if proved.is_none() && self.proved(root).is_some() && self.decided(root).is_none() {
            self.nodes[root].proved = None;
        }
        self.root = Some(root);
    }

    /// The node of a position, if it is in the tree.
    pub fn find(&self, position: &[u64]) -> Option<UctNodeId> {
        self.index.get(position).copied()
    }

    fn push(&mut self, position: &Position, legal: &[Vec<u32>], proved: Option<Rewards>) -> UctNodeId {
        let first = self.edges.len() as u32;
        let widths: Box<[u32]> = legal.iter().map(|own| own.len() as u32).collect();
        for &a_move in legal.iter().flatten() {
            self.edges.push(TreeEdge { a_move, ..TreeEdge::default() });
        }
        let mut choosing = (0..widths.len()).filter(|&role| widths[role] > 1);
        let mover = match (choosing.next(), choosing.next()) {
            (None, _) => Some(0),
            (Some(only), None) => Some(only as u8),
            _ => None,
        };
        let moves: usize = widths.iter().map(|&width| width as usize).sum();
        self.bytes +=
            size_of::<Node>() + moves * size_of::<TreeEdge>() + position.len() * 8 + 4 * self.roles + 96;
        let node = Node { position: Arc::clone(position), visits: 0, first, widths, mover, proved };
        let id = self.nodes.push(node);
        self.index.insert(Arc::clone(position), id);
        id
    }

    /// Adds the position that the last move of a path led to; `None` if there is no room.
    pub fn grow(
        &mut self,
        path: &TreePath,
        position: &Position,
        legal: &[Vec<u32>],
        proved: Option<Rewards>,
    ) -> Option<UctNodeId> {
        let known = self.index.get(position).copied();
        if known.is_none() && self.is_full() {
            return None;
        }
        let id = known.unwrap_or_else(|| self.push(position, legal, proved));
        self.link(path, id);
        Some(id)
    }

    /// Remembers where the last move of a path leads.
    fn link(&mut self, path: &TreePath, child: UctNodeId) {
        let Some(&parent) = path.nodes.last() else { return };
        let choices = &path.choices[path.choices.len() - self.roles..];
        match self.nodes[parent].mover {
            Some(role) => {
                let at = self.edge_at(parent, role as usize) + choices[role as usize] as usize;
                self.edges[at].child = Some(child);
            }
            None => {
                self.joint.insert((parent, choices.into()), child);
                self.bytes += 48 + 4 * self.roles;
            }
        }
    }

    fn edge_at(&self, node: UctNodeId, role: usize) -> usize {
        let own = &self.nodes[node];
        own.first as usize + own.widths[..role].iter().sum::<u32>() as usize
    }

    /// The moves of a role in a position, with their statistics.
    pub fn edges(&self, node: UctNodeId, role: usize) -> &[TreeEdge] {
        let first = self.edge_at(node, role);
        &self.edges[first..first + self.nodes[node].widths[role] as usize]
    }

    /// What is proved of a position.
    pub fn proved(&self, node: UctNodeId) -> Option<&Rewards> {
        self.nodes[node].proved.as_ref()
    }

    /// What is proved of the position that a move leads to, if it alone decides that.
    pub fn proved_after(&self, node: UctNodeId, role: usize, edge: &TreeEdge) -> Option<&Rewards> {
        if self.nodes[node].mover != Some(role as u8) {
            return None;
        }
        edge.child.and_then(|child| self.proved(child))
    }

    /// Goes down from where the path ends, or from the root, until a move that leads to no known position.
    pub fn descend(
        &mut self,
        from: Option<UctNodeId>,
        path: &mut TreePath,
        random: &mut impl Rng,
    ) -> Descent {
        let mut node = from.or(self.root).expect("a search has a root");
        loop {
            if let Some(rewards) = &self.nodes[node].proved
                && Some(node) != self.root
            {
                return Descent::Proved(Arc::clone(rewards));
            }
            if path.len() >= LONGEST {
                return Descent::Cycle;
            }
            if self.nodes[node].widths.contains(&0) {
                // A root that is over: nothing to search.
                return Descent::Cycle;
            }
            let start = path.choices.len();
            path.nodes.push(node);
            for role in 0..self.roles {
                let choice = self.choose(node, role, random);
                let at = self.edge_at(node, role) + choice;
                self.edges[at].pending += 1;
                path.choices.push(choice as u32);
            }
            let child = match self.nodes[node].mover {
                Some(role) => {
                    let at = self.edge_at(node, role as usize) + path.choices[start + role as usize] as usize;
                    self.edges[at].child
                }
                None => self.joint.get(&(node, Box::from(&path.choices[start..]))).copied(),
            };
            match child {
                Some(child) => node = child,
                None => return Descent::Leaf(Arc::clone(&self.nodes[node].position)),
            }
        }
    }

    /// The joint move that a path ends with.
    pub fn last_moves(&self, path: &TreePath, out: &mut Vec<u32>) {
        out.clear();
        let node = *path.nodes.last().expect("a path that ends with a move");
        let choices = &path.choices[path.choices.len() - self.roles..];
        for (role, &choice) in choices.iter().enumerate() {
            out.push(self.edges(node, role)[choice as usize].a_move);
        }
    }

    /// The joint moves of a path, appended one after the other.
    pub fn moves(&self, path: &TreePath, out: &mut Vec<u32>) {
        for (at, &node) in path.nodes.iter().enumerate() {
            for role in 0..self.roles {
                let choice = path.choices[at * self.roles + role];
                out.push(self.edges(node, role)[choice as usize].a_move);
            }
        }
    }

    /// Brings the rewards of a playout back up. `later` are the joint moves made after the path's last node.
    pub fn back_up(&mut self, path: &TreePath, rewards: &[f32], later: &[u32]) {
        self.playouts += 1;
        let roles = self.roles;
        for (at, &node) in path.nodes.iter().enumerate() {
            self.nodes[node].visits += 1;
            for (role, &reward) in rewards.iter().enumerate() {
                let edge = self.edge_at(node, role) + path.choices[at * roles + role] as usize;
                let edge = &mut self.edges[edge];
                edge.visits += 1;
                edge.pending = edge.pending.saturating_sub(1);
                edge.sum += f64::from(reward);
                edge.best = edge.best.max(reward);
            }
        }
        if self.roles == 1 && self.plan.as_ref().is_none_or(|(reward, _)| *reward < rewards[0]) {
            let mut made = Vec::new();
            self.moves(path, &mut made);
            made.extend_from_slice(later);
            self.plan = Some((rewards[0], made.into()));
        }
        if self.settings.rave > 0.0 {
            self.rave(path, rewards, later);
        }
        self.prove(path);
    }

    /// Moves made later count as if they had been made before.
    fn rave(&mut self, path: &TreePath, rewards: &[f32], later: &[u32]) {
        let roles = self.roles;
        let mut made: Vec<u32> = Vec::with_capacity(path.choices.len() + later.len());
        self.moves(path, &mut made);
        made.extend_from_slice(later);
        for (at, &node) in path.nodes.iter().enumerate() {
            for role in 0..roles {
                let first = self.edge_at(node, role);
                let width = self.nodes[node].widths[role] as usize;
                if width < 2 {
                    continue;
                }
                for &a_move in made[at * roles + role..].iter().step_by(roles) {
                    let edges = &mut self.edges[first..first + width];
                    if let Ok(found) = edges.binary_search_by_key(&a_move, |edge| edge.a_move) {
                        edges[found].rave_visits += 1;
                        edges[found].rave_sum += f64::from(rewards[role]);
                    }
                }
            }
        }
    }

    /// Forgets a playout that did not come back.
    pub fn abandon(&mut self, path: &TreePath) {
        for (at, &node) in path.nodes.iter().enumerate() {
            for role in 0..self.roles {
                let edge = self.edge_at(node, role) + path.choices[at * self.roles + role] as usize;
                self.edges[edge].pending = self.edges[edge].pending.saturating_sub(1);
            }
        }
    }

    /// Proves the positions of a path from the last one up, as far as it goes.
    fn prove(&mut self, path: &TreePath) {
        for &node in path.nodes.iter().rev() {
            if self.nodes[node].proved.is_some() {
                continue;
            }
            match self.decided(node) {
                Some(rewards) => self.nodes[node].proved = Some(rewards),
                None => return,
            }
        }
    }

    /// The rewards of a position if its successors decide them.
    fn decided(&self, node: UctNodeId) -> Option<Rewards> {
        let role = self.nodes[node].mover? as usize;
        let mut all = true;
        let mut best: Option<&Rewards> = None;
        let key = |rewards: &Rewards| (rewards[role], -(rewards.iter().sum::<f32>() - rewards[role]));
        for edge in self.edges(node, role) {
            match edge.child.and_then(|child| self.proved(child)) {
                Some(rewards) => {
                    if best.is_none_or(|best| key(rewards) > key(best)) {
                        best = Some(rewards);
                    }
                }
                None => all = false,
            }
        }
        // Nothing is better than all for oneself and nothing for the others; but of moves that are equal for oneself, one
        // that is still open may leave the others less, and then that is what they get.
        let is_best = |best: &Rewards| key(best) >= (self.most[role], 0.0);
        best.filter(|best| all || is_best(best)).map(Arc::clone)
    }

    /// Number of playouts through a node.
    pub fn visits(&self, node: UctNodeId) -> u32 {
        self.nodes[node].visits
    }

    /// Whether nothing is left to search: the root is proved, or a way to the greatest reward is known.
    pub fn is_settled(&self) -> bool {
        let proved = self.root.is_some_and(|root| self.proved(root).is_some());
        proved || self.plan.as_ref().is_some_and(|(reward, _)| *reward >= self.most[0])
    }
}
