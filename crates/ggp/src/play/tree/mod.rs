//! The search tree: a graph of positions, with what was seen of each move.
//!
//! Every role keeps statistics of its own moves in a position and chooses among them by itself (decoupled UCT), so
//! one tree serves puzzles, games in turns and games with simultaneous moves. Positions that are reached on several
//! ways are one node. Proved values go up as far as they decide something (MCTS-Solver: Winands, Björnsson and Saito
//! 2008).
//!
//! Nodes, moves and positions lie in three vectors, and a position becomes a node at the second playout through the move that
//! leads to it: until then, and for ever if it is proved, the move alone says what is known. When the memory is full, what
//! the match has left behind and what was visited least makes room ([`recycle`]); the tree never stops growing.
//!
//! UCT: Kocsis and Szepesvári 2006; decoupled: Finnsson and Björnsson 2008; RAVE: Gelly and Silver 2007.

mod arena;
mod choice;
mod recycle;

use std::collections::VecDeque;
use std::sync::Arc;

use counterplay_base::{Id, id};
use rand::Rng;
use rustc_hash::FxHashMap;

use self::arena::{Blocks, HashIndex};
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
    /// Playouts that began with it, those on their way among them.
    pub visits: u32,
    /// Their rewards; playouts on their way have brought nothing yet (virtual loss).
    sum: f32,
    /// The best of them.
    best: f32,
    /// Where it leads, if no other role has a choice.
    child: Child,
}

impl TreeEdge {
    /// The mean reward; `None` if it was never tried.
    pub fn mean(&self) -> Option<f32> {
        (self.visits > 0).then(|| self.sum / self.visits as f32)
    }
}

/// Playouts in which a move was made later, and their rewards.
#[derive(Clone, Copy, Debug, Default)]
struct Later {
    visits: f32,
    sum: f32,
}

/// Where a move leads, in four bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Child(u32);

/// So many playouts look for a shorter way, once one to the greatest reward is known.
const PLAYOUTS_FOR_SHORTER: u64 = 1_000;

/// Marks a child that is an outcome.
const OUTCOME: u32 = 1 << 31;

/// The same, to be read.
enum Leads {
    Nowhere,
    To(UctNodeId),
    /// To a position with this proved outcome.
    Proved(u32),
}

impl Child {
    fn node(node: UctNodeId) -> Child {
        Child(node.index() as u32 + 1)
    }

    fn proved(outcome: u32) -> Child {
        Child(outcome | OUTCOME)
    }

    #[inline]
    fn leads(self) -> Leads {
        match self.0 {
            0 => Leads::Nowhere,
            proved if proved & OUTCOME != 0 => Leads::Proved(proved & !OUTCOME),
            node => Leads::To(UctNodeId::new(node as usize - 1)),
        }
    }
}

/// A position in the tree.
#[derive(Clone, Copy, Debug)]
struct Node {
    /// Where its words are, and how many.
    position: u32,
    words: u32,
    visits: u32,
    /// Where the moves of the first role begin; each role's follow.
    first: u32,
    /// The number of its shape; [`FREE`] if the node is not used.
    shape: u32,
    /// Playouts on their way through it: it must not be recycled.
    pending: u32,
    /// The outcome that is proved, plus one; 0 if nothing is.
    proved: u32,
    /// The move of the mover to try first, plus one.
    urgent: u32,
}

const FREE: u32 = u32::MAX;

/// How many moves the roles have in a position.
#[derive(Clone, Debug)]
struct Shape {
    /// Where each role's moves begin, and the end.
    starts: Box<[u32]>,
    /// The only role with a choice, or the first role if no role has one; `None` if several have.
    mover: Option<u8>,
}

impl Shape {
    fn new(widths: &[u32]) -> Shape {
        let mut starts = vec![0];
        starts.extend(widths.iter().scan(0, |sum, &width| {
            *sum += width;
            Some(*sum)
        }));
        let mut choosing = (0..widths.len()).filter(|&role| widths[role] > 1);
        let mover = match (choosing.next(), choosing.next()) {
            (None, _) => Some(0),
            (Some(only), None) => Some(only as u8),
            _ => None,
        };
        Shape { starts: starts.into(), mover }
    }

    fn len(&self) -> usize {
        *self.starts.last().expect("there is always an end") as usize
    }

    fn is_over(&self) -> bool {
        self.starts.windows(2).any(|pair| pair[0] == pair[1])
    }
}

/// A way down the tree: nodes and the moves chosen there, one for each role.
#[derive(Clone, Debug, Default)]
pub struct TreePath {
    nodes: Vec<UctNodeId>,
    /// Places of the chosen moves, one for each role and node.
    edges: Vec<u32>,
}

impl TreePath {
    /// Begins anew.
    pub fn clear(&mut self) {
        self.nodes.clear();
        self.edges.clear();
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
    /// At a move that leads to no known position: the position before it.
    Leaf(UctNodeId),
    /// Where the rewards are proved.
    Proved(Rewards),
    /// The path is too long: it goes in cycles.
    Cycle,
}

/// What a playout found where it left the tree.
pub enum Arrival<'a> {
    /// A position that goes on, with the moves of each role and the move of the only role with a choice that should be
    /// tried first.
    Open { legal: &'a [Vec<u32>], urgent: Option<u32> },
    /// The rewards are certain: the game is over, or the position is solved.
    Proved(&'a [f32]),
}

/// A way down longer than this goes in cycles.
const LONGEST: usize = 400;
/// Statistics of a move are halved at so many visits: the sum of rewards has 24 bits.
const MOST_VISITS: u32 = 1 << 22;

#[derive(Debug)]
pub struct UctTree {
    roles: usize,
    settings: UctSettings,
    nodes: Vec<Node>,
    /// Nodes that can be used again.
    free: Vec<UctNodeId>,
    edges: Blocks<TreeEdge>,
    /// Beside the edges; empty if later moves do not count.
    later: Vec<Later>,
    positions: Blocks<u64>,
    index: HashIndex,
    shapes: Vec<Shape>,
    shape_of: FxHashMap<Box<[u32]>, u32>,
    /// Proved rewards, each once.
    outcomes: Vec<Rewards>,
    /// Where joint moves lead if several roles have a choice, by the places of their edges.
    joint: FxHashMap<(UctNodeId, Box<[u32]>), Child>,
    root: Option<UctNodeId>,
    /// The greatest reward that each role can hope for.
    most: Vec<f32>,
    /// For puzzles: the best way to an end that was found from the root on, with its reward.
    plan: Option<(f32, VecDeque<u32>)>,
    /// Playouts when it was found.
    planned_at: u64,
    /// After a sweep that brought little, so many positions are turned away before the next one.
    turned_away: usize,
    /// How often room was made.
    pub sweeps: u64,
    /// Playouts that came back.
    pub playouts: u64,
    /// How long a playout from the root is, on average of the last ones.
    length: f64,
    /// For statistics of later moves: the number of the playout in which a move was made.
    stamps: Vec<u32>,
    stamp: u32,
}

impl UctTree {
    /// An empty tree of a game with rewards up to `most` for each role.
    pub fn new(most: Vec<f32>, settings: UctSettings) -> UctTree {
        UctTree {
            roles: most.len(),
            settings,
            nodes: Vec::new(),
            free: Vec::new(),
            edges: Blocks::new(),
            later: Vec::new(),
            positions: Blocks::new(),
            index: HashIndex::new(),
            shapes: Vec::new(),
            shape_of: FxHashMap::default(),
            outcomes: Vec::new(),
            joint: FxHashMap::default(),
            root: None,
            most,
            plan: None,
            planned_at: 0,
            turned_away: 0,
            sweeps: 0,
            playouts: 0,
            length: 0.0,
            stamps: Vec::new(),
            stamp: 0,
        }
    }

    /// The position that is searched.
    pub fn root(&self) -> Option<UctNodeId> {
        self.root
    }

    /// Number of positions.
    pub fn len(&self) -> usize {
        self.nodes.len() - self.free.len()
    }

    /// Whether there is no position.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The words of a position.
    pub fn position(&self, node: UctNodeId) -> &[u64] {
        let own = self.node(node);
        &self.positions[own.position as usize..(own.position + own.words) as usize]
    }

    #[inline]
    fn node(&self, node: UctNodeId) -> &Node {
        &self.nodes[node.index()]
    }

    #[inline]
    fn shape(&self, node: UctNodeId) -> &Shape {
        &self.shapes[self.node(node).shape as usize]
    }

    /// Makes a position the root, after a joint move if there was one; `legal` are the moves of each role, none if
    /// the game is over. Nothing is thrown away here: what the match has left behind makes room when room is needed.
    pub fn set_root(
        &mut self,
        made: Option<&[u32]>,
        position: &[u64],
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
        let root = self.find(position).unwrap_or_else(|| self.push(position, legal, None));
        self.nodes[root.index()].proved = match proved {
            Some(rewards) => self.outcome(&rewards) + 1,
            // A proof that came from elsewhere does not say how to play: it is found again.
            None => self.decided(root).map_or(0, |outcome| outcome + 1),
        };
        self.root = Some(root);
        self.turned_away = 0;
    }

    /// The node of a position, if it is in the tree.
    pub fn find(&self, position: &[u64]) -> Option<UctNodeId> {
        let found = self
            .index
            .find(arena::hash(position), |number| self.position(UctNodeId::new(number as usize)) == position);
        found.map(|number| UctNodeId::new(number as usize))
    }

    /// The number of some rewards.
    fn outcome(&mut self, rewards: &[f32]) -> u32 {
        let known = self.outcomes.iter().position(|known| **known == *rewards);
        known.unwrap_or_else(|| {
            self.outcomes.push(rewards.into());
            self.outcomes.len() - 1
        }) as u32
    }

    fn shape_number(&mut self, legal: &[Vec<u32>]) -> u32 {
        let widths: Box<[u32]> = legal.iter().map(|own| own.len() as u32).collect();
        if let Some(&known) = self.shape_of.get(&widths) {
            return known;
        }
        let number = self.shapes.len() as u32;
        self.shapes.push(Shape::new(&widths));
        self.shape_of.insert(widths, number);
        number
    }

    fn push(&mut self, position: &[u64], legal: &[Vec<u32>], urgent: Option<u32>) -> UctNodeId {
        let shape = self.shape_number(legal);
        let moves = self.shapes[shape as usize].len();
        let first = self.edges.take(moves);
        if self.settings.rave > 0.0 {
            self.later.resize(self.edges.len(), Later::default());
            self.later[first as usize..first as usize + moves].fill(Later::default());
        }
        for (edge, &a_move) in self.edges[first as usize..].iter_mut().zip(legal.iter().flatten()) {
            *edge = TreeEdge { a_move, ..TreeEdge::default() };
        }
        let words = self.positions.take(position.len());
        self.positions[words as usize..words as usize + position.len()].copy_from_slice(position);
        let urgent = urgent.and_then(|wanted| {
            let mover = self.shapes[shape as usize].mover? as usize;
            legal[mover].iter().position(|&own| own == wanted)
        });
        let node = Node {
            position: words,
            words: position.len() as u32,
            visits: 0,
            first,
            shape,
            pending: 0,
            proved: 0,
            urgent: urgent.map_or(0, |at| at as u32 + 1),
        };
        let id = match self.free.pop() {
            Some(id) => {
                self.nodes[id.index()] = node;
                id
            }
            None => {
                self.nodes.push(node);
                UctNodeId::new(self.nodes.len() - 1)
            }
        };
        let (nodes, positions) = (&self.nodes, &self.positions);
        self.index.insert(arena::hash(position), id.index() as u32, |number| {
            let own = &nodes[number as usize];
            arena::hash(&positions[own.position as usize..(own.position + own.words) as usize])
        });
        id
    }

    /// Tells what the last move of a path leads to: a certain outcome, or a position, which is added if there is room.
    pub fn grow(&mut self, path: &TreePath, position: &[u64], found: &Arrival<'_>) {
        match found {
            Arrival::Proved(rewards) => {
                let outcome = self.outcome(rewards);
                self.link(path, Child::proved(outcome));
            }
            Arrival::Open { legal, urgent } => {
                let moves: usize = legal.iter().map(Vec::len).sum();
                if self.make_room(moves, position.len()) {
                    let node = self.push(position, legal, *urgent);
                    self.link(path, Child::node(node));
                }
            }
        }
    }

    /// Remembers that the last move of a path leads to a known node.
    pub fn join(&mut self, path: &TreePath, node: UctNodeId) {
        self.link(path, Child::node(node));
    }

    /// Whether the position that the last move of a path leads to is worth a node: most are reached once.
    pub fn wants_node(&self, path: &TreePath) -> bool {
        let Some(&parent) = path.nodes.last() else { return true };
        match self.shape(parent).mover {
            Some(role) => {
                let edge = path.edges[path.edges.len() - self.roles + role as usize];
                self.edges[edge as usize].visits >= self.settings.expand
            }
            None => true,
        }
    }

    /// Remembers where the last move of a path leads.
    fn link(&mut self, path: &TreePath, child: Child) {
        let Some(&parent) = path.nodes.last() else { return };
        let edges = &path.edges[path.edges.len() - self.roles..];
        match self.shape(parent).mover {
            Some(role) => self.edges[edges[role as usize] as usize].child = child,
            None => {
                self.joint.insert((parent, edges.into()), child);
            }
        }
    }

    #[inline]
    fn edge_at(&self, node: UctNodeId, role: usize) -> usize {
        (self.node(node).first + self.shape(node).starts[role]) as usize
    }

    /// The moves of a role in a position, with their statistics.
    pub fn edges(&self, node: UctNodeId, role: usize) -> &[TreeEdge] {
        let (own, starts) = (self.node(node), &self.shape(node).starts);
        &self.edges[(own.first + starts[role]) as usize..(own.first + starts[role + 1]) as usize]
    }

    /// What is proved of a position.
    pub fn proved(&self, node: UctNodeId) -> Option<&Rewards> {
        self.proved_outcome(node).map(|outcome| &self.outcomes[outcome as usize])
    }

    #[inline]
    fn proved_outcome(&self, node: UctNodeId) -> Option<u32> {
        self.node(node).proved.checked_sub(1)
    }

    /// The outcome that a child is proved to have.
    #[inline]
    fn proved_child(&self, child: Child) -> Option<u32> {
        match child.leads() {
            Leads::Nowhere => None,
            Leads::To(node) => self.proved_outcome(node),
            Leads::Proved(outcome) => Some(outcome),
        }
    }

    /// What is proved of the position that a move leads to, if it alone decides that.
    pub fn proved_after(&self, node: UctNodeId, role: usize, edge: &TreeEdge) -> Option<&Rewards> {
        if self.shape(node).mover != Some(role as u8) {
            return None;
        }
        self.proved_child(edge.child).map(|outcome| &self.outcomes[outcome as usize])
    }

    /// Goes down from where the path ends, or from the root, until a move that leads to no known position. `prior` tells what
    /// moves seem to be worth before they are tried.
    pub fn descend(
        &mut self,
        from: Option<UctNodeId>,
        path: &mut TreePath,
        random: &mut impl Rng,
        prior: impl Fn(u32) -> f32,
    ) -> Descent {
        let mut node = from.or(self.root).expect("a search has a root");
        loop {
            if let Some(outcome) = self.proved_outcome(node)
                && Some(node) != self.root
            {
                return Descent::Proved(Arc::clone(&self.outcomes[outcome as usize]));
            }
            // A root that is over has nothing to search.
            if path.len() >= LONGEST || self.shape(node).is_over() {
                return Descent::Cycle;
            }
            let start = path.edges.len();
            path.nodes.push(node);
            for role in 0..self.roles {
                let place = self.edge_at(node, role) + self.choose(node, role, random, &prior);
                self.edges[place].visits += 1;
                path.edges.push(place as u32);
            }
            let own = &mut self.nodes[node.index()];
            own.visits += 1;
            own.pending += 1;
            let child = match self.shape(node).mover {
                Some(role) => self.edges[path.edges[start + role as usize] as usize].child,
                None => self.joint.get(&(node, Box::from(&path.edges[start..]))).copied().unwrap_or_default(),
            };
            match child.leads() {
                Leads::To(child) => node = child,
                Leads::Nowhere => return Descent::Leaf(node),
                Leads::Proved(outcome) => {
                    return Descent::Proved(Arc::clone(&self.outcomes[outcome as usize]));
                }
            }
        }
    }

    /// The joint move that a path ends with.
    pub fn last_moves(&self, path: &TreePath, out: &mut Vec<u32>) {
        out.clear();
        let edges = &path.edges[path.edges.len() - self.roles..];
        out.extend(edges.iter().map(|&edge| self.edges[edge as usize].a_move));
    }

    /// The joint moves of a path, appended one after the other.
    pub fn moves(&self, path: &TreePath, out: &mut Vec<u32>) {
        out.extend(path.edges.iter().map(|&edge| self.edges[edge as usize].a_move));
    }

    /// Brings the rewards of a playout back up. `later` are the joint moves made after the path's last node.
    pub fn back_up(&mut self, path: &TreePath, rewards: &[f32], later: &[u32]) {
        self.playouts += 1;
        if !later.is_empty() {
            let length = (path.len() + later.len() / self.roles) as f64;
            self.length += (length - self.length) / (self.playouts as f64).min(1000.0);
        }
        for &node in &path.nodes {
            let own = &mut self.nodes[node.index()];
            own.pending = own.pending.saturating_sub(1);
        }
        for (at, &edge) in path.edges.iter().enumerate() {
            let reward = rewards[at % self.roles];
            let edge = &mut self.edges[edge as usize];
            edge.sum += reward;
            edge.best = edge.best.max(reward);
            if edge.visits >= MOST_VISITS {
                edge.visits /= 2;
                edge.sum /= 2.0;
            }
        }
        let steps = path.edges.len() + later.len();
        let is_better = |(reward, plan): &(f32, VecDeque<u32>)| {
            *reward < rewards[0] || *reward == rewards[0] && plan.len() > steps
        };
        if self.roles == 1 && self.plan.as_ref().is_none_or(is_better) {
            let mut made = Vec::new();
            self.moves(path, &mut made);
            made.extend_from_slice(later);
            self.plan = Some((rewards[0], made.into()));
            self.planned_at = self.playouts;
        }
        if self.settings.rave > 0.0 {
            self.count_later(path, rewards, later);
        }
        self.prove(path);
    }

    /// Moves made later count as if they had been made before.
    fn count_later(&mut self, path: &TreePath, rewards: &[f32], later: &[u32]) {
        self.stamp += 1;
        for &a_move in later {
            self.stamp_move(a_move);
        }
        for at in (0..path.nodes.len()).rev() {
            for role in 0..self.roles {
                let made = self.edges[path.edges[at * self.roles + role] as usize].a_move;
                self.stamp_move(made);
            }
            let node = path.nodes[at];
            let Some(role) = self.shape(node).mover else { continue };
            let first = self.edge_at(node, role as usize);
            let count = self.edges(node, role as usize).len();
            for place in first..first + count {
                if self.stamps.get(self.edges[place].a_move as usize) == Some(&self.stamp) {
                    self.later[place].visits += 1.0;
                    self.later[place].sum += rewards[role as usize];
                }
            }
        }
    }

    fn stamp_move(&mut self, a_move: u32) {
        let at = a_move as usize;
        if at >= self.stamps.len() {
            self.stamps.resize(at + 1, 0);
        }
        self.stamps[at] = self.stamp;
    }

    /// Forgets a playout that did not come back.
    pub fn abandon(&mut self, path: &TreePath) {
        for &node in &path.nodes {
            let own = &mut self.nodes[node.index()];
            own.pending = own.pending.saturating_sub(1);
            own.visits = own.visits.saturating_sub(1);
        }
        for &edge in &path.edges {
            let edge = &mut self.edges[edge as usize];
            edge.visits = edge.visits.saturating_sub(1);
        }
    }

    /// Proves the positions of a path from the last one up, as far as it goes.
    fn prove(&mut self, path: &TreePath) {
        for (at, &node) in path.nodes.iter().enumerate().rev() {
            let Some(role) = self.shape(node).mover else { return };
            let edge = path.edges[at * self.roles + role as usize];
            if self.proved_child(self.edges[edge as usize].child).is_none() {
                return;
            }
            if self.node(node).proved == 0 {
                let Some(outcome) = self.decided(node) else { return };
                self.nodes[node.index()].proved = outcome + 1;
            }
        }
    }

    /// The outcome of a position if its successors decide it.
    fn decided(&self, node: UctNodeId) -> Option<u32> {
        let role = self.shape(node).mover? as usize;
        let mut all = true;
        let mut best: Option<u32> = None;
        let key = |outcome: u32| {
            let rewards = &self.outcomes[outcome as usize];
            (rewards[role], -(rewards.iter().sum::<f32>() - rewards[role]))
        };
        for edge in self.edges(node, role) {
            match self.proved_child(edge.child) {
                Some(outcome) if best.is_none_or(|best| key(outcome) > key(best)) => best = Some(outcome),
                Some(_) => {}
                None => all = false,
            }
        }
        // Nothing is better than all for oneself and nothing for the others; but of moves that are equal for oneself, one
        // that is still open may leave the others less, and then that is what they get.
        best.filter(|&best| all || key(best) >= (self.most[role], 0.0))
    }

    /// How many moves a playout from the root has, on average of the last ones.
    pub fn length(&self) -> f64 {
        self.length
    }

    /// Number of playouts through a node.
    pub fn visits(&self, node: UctNodeId) -> u32 {
        self.node(node).visits
    }

    /// Whether nothing is left to search: the root is proved, or a way to the greatest reward is known and no shorter one was found for
    /// some time.
    pub fn is_settled(&self) -> bool {
        let proved = self.root.is_some_and(|root| self.proved(root).is_some());
        let tried = self.playouts.saturating_sub(self.planned_at);
        let is_short = |plan: &VecDeque<u32>| plan.len() <= 1 || tried >= PLAYOUTS_FOR_SHORTER;
        proved || self.plan.as_ref().is_some_and(|(reward, plan)| *reward >= self.most[0] && is_short(plan))
    }
}
