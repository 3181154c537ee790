//! Monte-Carlo tree search over the whole board: UCT with the all-moves-as-first statistics of RAVE.
//!
//! S. Gelly and D. Silver, Combining online and offline knowledge in UCT (2007). What is known of a move before it has been tried
//! counts as a few playouts. There is no exploration term: the all-moves-as-first values change fast enough to do its work.

use counterplay_base::Budget;

use super::playout::Playout;
use super::prior::{self, Prior};
use crate::board::Board;
use crate::point::{Color, Move, Point};
use crate::search::sense::is_eye;

/// At so many visits the all-moves-as-first values of a move count as much as its own, if there are many of them.
const EQUIVALENT: f32 = 3000.0;

/// A node gets children when it has been visited so often.
const EXPAND: f32 = 4.0;

/// The tree stops growing here: 48 bytes each.
const MOST_NODES: usize = 4_000_000;

/// How much of a playout's value is the size of the win.
const MARGIN: f32 = 0.04;

/// No line in the tree gets longer.
const DEEPEST: usize = 200;

struct Node {
    action: Move,
    /// Playouts through this node with what was known before, and their value for the side that moved here.
    visits: f32,
    value: f32,
    /// The same over all playouts in which the side played here later.
    amaf_visits: f32,
    amaf_value: f32,
    first: u32,
    count: u32,
}

/// What the search says of a move.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    pub action: Move,
    /// Playouts that began with it.
    pub visits: u32,
    /// Their mean value for the player to move, from 0 to 1.
    pub value: f32,
    /// What is likeliest to follow, this move first.
    pub line: Vec<Move>,
}

pub(super) struct GameTree<'a> {
    root: &'a Board,
    to_move: Color,
    komi: f64,
    nodes: Vec<Node>,
    playout: Playout,
    path: Vec<u32>,
    /// For each point, playouts that black has owned it at the end of, minus those of white.
    pub(super) owner: Vec<i32>,
    /// Sum of the scores for black, komi aside.
    pub(super) score: f64,
    pub(super) playouts: u32,
    last: [Option<Point>; 2],
}

impl<'a> GameTree<'a> {
    /// A tree over the moves of a side that are given for the root, with what is known of them.
    pub(super) fn new(
        root: &'a Board,
        to_move: Color,
        komi: f64,
        last: [Option<Point>; 2],
        moves: &[(Move, Prior)],
        seed: u64,
    ) -> GameTree<'a> {
        let mut tree = GameTree {
            root,
            to_move,
            komi,
            nodes: vec![Node::new(Move::Pass, Prior::default())],
            playout: Playout::new(root, seed),
            path: Vec::new(),
            owner: vec![0; root.grid().cells()],
            score: 0.0,
            playouts: 0,
            last,
        };
        tree.attach(0, moves);
        tree
    }

    fn attach(&mut self, at: usize, moves: &[(Move, Prior)]) {
        self.nodes[at].first = self.nodes.len() as u32;
        self.nodes[at].count = moves.len() as u32;
        self.nodes.extend(moves.iter().map(|&(action, prior)| Node::new(action, prior)));
    }

    /// Makes playouts up to a number; the budget ends it, and a lead that `most` playouts in all cannot make up for.
    pub(super) fn run(&mut self, until: u32, most: u32, budget: &Budget) {
        while self.playouts < until {
            if self.playouts.is_multiple_of(32) && budget.check().is_err() {
                return;
            }
            if self.playouts % 256 == 255 && self.is_settled(most, budget) {
                return;
            }
            self.descend();
        }
    }

    /// Whether the rest of the playouts cannot change the choice.
    fn is_settled(&self, most: u32, budget: &Budget) -> bool {
        let left = f64::from(most - self.playouts);
        let left = match budget.remaining() {
            None => left,
            Some(time) => {
                let speed = f64::from(self.playouts) / budget.elapsed().as_secs_f64().max(1e-3);
                left.min(time.as_secs_f64() * speed)
            }
        };
        let mut visits: Vec<f32> = self.children(0).map(|child| self.nodes[child].visits).collect();
        visits.sort_by(|a, b| b.total_cmp(a));
        match visits[..] {
            [best, second, ..] => f64::from(best - second) > left,
            _ => true,
        }
    }

    fn children(&self, at: usize) -> std::ops::Range<usize> {
        let node = &self.nodes[at];
        node.first as usize..(node.first + node.count) as usize
    }

    fn descend(&mut self) {
        self.playouts += 1;
        self.playout.begin(self.root);
        self.path.clear();
        self.path.push(0);
        let (mut turn, mut last, mut passes, mut at) = (self.to_move, self.last, 0, 0usize);
        while passes < 2 && self.path.len() < DEEPEST {
            if self.nodes[at].count == 0 {
                let full = self.nodes.len() > MOST_NODES;
                if full || self.nodes[at].visits - prior::EVEN < EXPAND {
                    break;
                }
                let moves = prior::moves(&mut self.playout.board, turn, last, self.path.len() <= 2);
                self.attach(at, &moves);
            }
            at = self.select(at);
            self.path.push(at as u32);
            let action = self.nodes[at].action;
            self.playout.play(turn, action);
            let point = match action {
                Move::Play(point) => Some(point),
                Move::Pass => None,
            };
            passes = if point.is_none() { passes + 1 } else { 0 };
            (last, turn) = ([point, last[0]], turn.other());
        }
        self.playout.finish(turn, last, passes);
        self.back_up();
    }

    fn select(&self, at: usize) -> usize {
        let mut best = (f32::MIN, self.nodes[at].first as usize);
        for i in self.children(at) {
            let value = self.nodes[i].urgency();
            if value > best.0 {
                best = (value, i);
            }
        }
        best.1
    }

    fn back_up(&mut self) {
        let owner = &mut self.owner;
        let score = self.playout.score(&mut |point, color| {
            owner[point.index()] += if color == Color::Black { 1 } else { -1 };
        });
        self.score += f64::from(score);
        let margin = f64::from(score) - self.komi;
        let area = self.root.grid().points().count() as f64;
        let size = (margin / area * 2.0).clamp(-1.0, 1.0) as f32;
        let won = if margin > 0.0 { 1.0 } else { 0.0 };
        let black = (1.0 - MARGIN) * won + MARGIN * (size + 1.0) / 2.0;
        let mut turn = self.to_move;
        for depth in 0..self.path.len() {
            let at = self.path[depth] as usize;
            // The value is that of the side which moved into a node.
            let value = |side: Color| if side == Color::Black { black } else { 1.0 - black };
            let node = &mut self.nodes[at];
            node.visits += 1.0;
            node.value += value(turn.other());
            for child in self.children(at) {
                let child = &mut self.nodes[child];
                if let Move::Play(point) = child.action
                    && self.playout.was_first(turn, point)
                {
                    child.amaf_visits += 1.0;
                    child.amaf_value += value(turn);
                }
            }
            turn = turn.other();
        }
    }

    /// The moves, the most visited first.
    pub(super) fn choices(&self) -> Vec<Choice> {
        let mut found: Vec<Choice> = self
            .children(0)
            .map(|child| Choice {
                action: self.nodes[child].action,
                visits: (self.nodes[child].visits - prior::EVEN).max(0.0) as u32,
                value: self.nodes[child].value / self.nodes[child].visits.max(1.0),
                line: self.line(child),
            })
            .collect();
        found.sort_by(|a, b| b.visits.cmp(&a.visits).then(b.value.total_cmp(&a.value)));
        found
    }

    fn line(&self, first: usize) -> Vec<Move> {
        let mut line = vec![self.nodes[first].action];
        let mut at = first;
        while line.len() < 12 {
            let best =
                self.children(at).max_by(|&a, &b| self.nodes[a].visits.total_cmp(&self.nodes[b].visits));
            match best {
                Some(child) if self.nodes[child].visits > 20.0 => {
                    line.push(self.nodes[child].action);
                    at = child;
                }
                _ => break,
            }
        }
        line
    }
}

impl Node {
    fn new(action: Move, prior: Prior) -> Node {
        Node {
            action,
            visits: prior::EVEN + prior.visits,
            value: prior::EVEN / 2.0 + prior.value,
            amaf_visits: 0.0,
            amaf_value: 0.0,
            first: 0,
            count: 0,
        }
    }

    /// What is expected of a move: its own playouts, and those in which it came later.
    #[inline]
    fn urgency(&self) -> f32 {
        let own = self.value / self.visits;
        if self.amaf_visits == 0.0 {
            return own;
        }
        let (n, m) = (self.visits, self.amaf_visits);
        let beta = m / (n + m + n * m / EQUIVALENT);
        (1.0 - beta) * own + beta * self.amaf_value / m
    }
}

/// Whether a move of a side is worth a place in the tree.
pub(super) fn is_worth_trying(board: &Board, color: Color, point: Point) -> bool {
    board.check(color, point).is_ok() && !is_eye(board, color, point)
}
