//! A guess by sampling: Monte-Carlo tree search (UCT with RAVE), for positions in which no proof is in reach.
//!
//! R. Coulom, Efficient selectivity and backup operators in Monte-Carlo tree search (2006), with the all-moves-as-first
//! statistics of S. Gelly and D. Silver (2007). The playouts stay within the zone and ask one thing only: whether
//! the target stands at the end. Nothing here is a proof; the result orders moves and, if all else fails, is the guess.

use counterplay_base::{Budget, Limit};

use super::chance::Chance;
use super::local::{LocalGame, Side};
use super::order::score;
use super::sense::{answer_to_atari, sensible};
use crate::board::{Board, Cell};
use crate::point::{Color, Move, Point};

struct UctNode {
    action: Move,
    /// Playouts through this node, and how many of them the side that made the move won.
    visits: f32,
    wins: f32,
    /// All moves as first (AMAF): the same for all playouts in which the move was made later.
    amaf_visits: f32,
    amaf_wins: f32,
    first: u32,
    count: u32,
    /// Who wins after the move, if that has been found out.
    decided: Option<Side>,
}

/// What sampling says of a move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    pub action: Move,
    /// How often it was looked at.
    pub visits: u32,
    /// The share of playouts won by the side to move.
    pub share: f32,
    /// Whether that is certain within the tree.
    pub decided: bool,
}

/// Playouts after which the statistics of a node itself weigh as much as those of all moves as first.
const EQUAL: f32 = 200.0;

/// How much moves that were seldom looked at are favoured.
const EXPLORE: f32 = 0.1;

#[derive(Clone, Debug, Default)]
pub struct Samples {
    /// The moves, the most visited first.
    pub moves: Vec<Estimate>,
    /// The principal variation: the most visited moves from the root on.
    pub line: Vec<Move>,
    /// How many playouts were made.
    pub playouts: u64,
}

impl Samples {
    /// Whether they tell moves apart: not all of them lose, and not several of them always win.
    pub fn is_telling(&self) -> bool {
        let sure = self.moves.iter().filter(|e| e.share > 0.98).count();
        let best = self.moves.iter().map(|e| e.share).fold(0.0, f32::max);
        best > 0.02 && sure < 4
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// At most so many playouts.
    pub playouts: u32,
    /// The seed of the playouts.
    pub seed: u64,
    /// How many out of a hundred random moves answer the last one by a shape next to it, if there is one.
    pub shapes: u32,
}

/// Samples so many playouts, or as many as the budget allows; a limit is an error only if there was no time for any.
pub fn sample(local: &mut LocalGame, settings: Settings, budget: &Budget) -> Result<Samples, Limit> {
    let Settings { playouts, seed, shapes } = settings;
    let mut tree = UctTree {
        nodes: vec![UctNode {
            action: Move::Pass,
            visits: 0.0,
            wins: 0.0,
            amaf_visits: 0.0,
            amaf_wins: 0.0,
            first: 0,
            count: 0,
            decided: None,
        }],
        chance: Chance::new(seed),
        played: vec![[0; 2]; local.board.grid().cells()],
        run: 0,
        bag: Vec::new(),
        shapes,
    };
    for i in 0..playouts {
        if i % 64 == 0
            && let Err(reached) = budget.check()
        {
            if i == 0 {
                return Err(reached);
            }
            break;
        }
        if tree.nodes[0].decided.is_some() {
            break;
        }
        // What is left cannot change which move is looked at most.
        if i % 256 == 0 && tree.lead() > playouts - i {
            break;
        }
        tree.descend(local);
    }
    let turn = local.turn;
    let root = &tree.nodes[0];
    let mut found: Vec<Estimate> = tree.nodes[root.first as usize..(root.first + root.count) as usize]
        .iter()
        .map(|node| Estimate {
            action: node.action,
            visits: node.visits as u32,
            share: match node.decided {
                Some(winner) => f32::from(winner == turn),
                None => node.wins / node.visits.max(1.0),
            },
            decided: node.decided.is_some(),
        })
        .collect();
    let rank = |e: &Estimate| match (e.decided, e.share > 0.5) {
        (true, true) => 0,
        (false, _) => 1,
        (true, false) => 2,
    };
    found.sort_by(|a, b| {
        rank(a).cmp(&rank(b)).then(b.visits.cmp(&a.visits)).then(b.share.total_cmp(&a.share))
    });
    Ok(Samples { moves: found, line: tree.line(), playouts: u64::from(tree.run) })
}

struct UctTree {
    nodes: Vec<UctNode>,
    chance: Chance,
    /// The run in which a side last played a point.
    played: Vec<[u32; 2]>,
    run: u32,
    bag: Vec<Point>,
    /// See [`Settings::shapes`].
    shapes: u32,
}

impl UctTree {
    /// By how many visits the most visited first move is ahead of the next.
    fn lead(&self) -> u32 {
        let root = &self.nodes[0];
        let (mut best, mut second) = (0.0f32, 0.0f32);
        for node in &self.nodes[root.first as usize..(root.first + root.count) as usize] {
            if node.visits > best {
                second = best;
                best = node.visits;
            } else {
                second = second.max(node.visits);
            }
        }
        (best - second) as u32
    }

    /// The most visited moves from the root on, as long as they are well founded.
    fn line(&self) -> Vec<Move> {
        let (mut line, mut at) = (Vec::new(), 0);
        loop {
            let node: &UctNode = &self.nodes[at];
            let children = node.first as usize..(node.first + node.count) as usize;
            let best = children.max_by(|&a, &b| self.nodes[a].visits.total_cmp(&self.nodes[b].visits));
            match best {
                Some(child) if self.nodes[child].visits >= 20.0 => {
                    line.push(self.nodes[child].action);
                    at = child;
                }
                _ => return line,
            }
        }
    }

    fn descend(&mut self, local: &mut LocalGame) {
        self.run += 1;
        let mut path: Vec<u32> = vec![0];
        let start = local.board.depth();
        let mut winner = None;
        loop {
            let at = *path.last().expect("the root is there") as usize;
            if at != 0 || self.nodes[0].count > 0 {
                winner = local.quick_winner();
            }
            if winner.is_some() || path.len() > 60 {
                break;
            }
            if self.nodes[at].count == 0 {
                if self.nodes[at].visits < 2.0 && at != 0 {
                    break;
                }
                self.expand(local, at);
                if self.nodes[at].count == 0 {
                    winner = Some(local.turn.other());
                    break;
                }
            }
            let next = self.select(at, local.turn);
            let action = self.nodes[next as usize].action;
            self.note(local.turn, action);
            local.play(action);
            path.push(next);
        }
        if let Some(winner) = winner {
            self.decide(local, &path, winner);
        }
        let won = winner.unwrap_or_else(|| self.playout(local));
        while local.board.depth() > start {
            local.undo();
        }
        self.back_up(local.turn, &path, won);
    }

    /// Notes who wins at the end of a path, and what follows from it for the nodes above.
    fn decide(&mut self, local: &LocalGame, path: &[u32], winner: Side) {
        let last = *path.last().expect("the root is there");
        self.nodes[last as usize].decided = Some(winner);
        // The side to move at the end, and so at each node above it.
        let mut turn = local.turn;
        for &at in path[..path.len() - 1].iter().rev() {
            turn = turn.other();
            let node = &self.nodes[at as usize];
            let children = &self.nodes[node.first as usize..(node.first + node.count) as usize];
            let decided = if children.iter().any(|child| child.decided == Some(turn)) {
                Some(turn)
            } else if children.iter().all(|child| child.decided == Some(turn.other())) {
                Some(turn.other())
            } else {
                None
            };
            if decided.is_none() {
                return;
            }
            self.nodes[at as usize].decided = decided;
        }
    }

    fn note(&mut self, side: Side, action: Move) {
        if let Move::Play(point) = action {
            let seen = &mut self.played[point.index()][side as usize];
            if *seen != self.run {
                *seen = self.run;
            }
        }
    }

    fn expand(&mut self, local: &mut LocalGame, at: usize) {
        let first = self.nodes.len() as u32;
        let mut moves = Vec::new();
        local.moves(&mut moves);
        for action in moves {
            let promise = match action {
                Move::Play(point) => score(local, point) as f32,
                Move::Pass => -2.0,
            };
            // What knowledge suggests counts as a few playouts.
            let prior = 12.0;
            let share = 1.0 / (1.0 + (-(promise - 4.0) / 4.0).exp());
            self.nodes.push(UctNode {
                action,
                visits: 0.0,
                wins: 0.0,
                amaf_visits: prior,
                amaf_wins: prior * share,
                first: 0,
                count: 0,
                decided: None,
            });
        }
        self.nodes[at].first = first;
        self.nodes[at].count = self.nodes.len() as u32 - first;
    }

    fn select(&self, at: usize, turn: Side) -> u32 {
        let node = &self.nodes[at];
        let log = (node.visits + 1.0).ln();
        let mut best = (f32::MIN, node.first);
        for i in node.first..node.first + node.count {
            let child = &self.nodes[i as usize];
            let beta = (EQUAL / (3.0 * child.visits + EQUAL)).sqrt();
            let later = child.amaf_wins / child.amaf_visits.max(1.0);
            let own = if child.visits > 0.0 { child.wins / child.visits } else { later };
            let certain = match child.decided {
                None => 0.0,
                Some(winner) if winner == turn => 10.0,
                Some(_) => -10.0,
            };
            let value =
                certain + (1.0 - beta) * own + beta * later + EXPLORE * (log / (child.visits + 1.0)).sqrt();
            if value > best.0 {
                best = (value, i);
            }
        }
        best.1
    }

    fn back_up(&mut self, turn: Side, path: &[u32], won: Side) {
        let mut side = turn;
        for (i, &at) in path.iter().enumerate() {
            if i > 0 {
                let node = &mut self.nodes[at as usize];
                node.visits += 1.0;
                node.wins += f32::from(won == side);
                side = side.other();
            } else {
                self.nodes[0].visits += 1.0;
            }
            let (first, count) = (self.nodes[at as usize].first, self.nodes[at as usize].count);
            for child in first..first + count {
                let node = &mut self.nodes[child as usize];
                if let Move::Play(point) = node.action
                    && self.played[point.index()][side as usize] == self.run
                {
                    node.amaf_visits += 1.0;
                    node.amaf_wins += f32::from(won == side);
                }
            }
        }
    }

    /// Plays on at random; who wins.
    fn playout(&mut self, local: &mut LocalGame) -> Side {
        let mut passes = 0;
        let most = 3 * local.zone.points().len();
        for _ in 0..most {
            if let Some(winner) = local.winner_after_last() {
                return winner;
            }
            let action = self.pick(local);
            passes = if action == Move::Pass { passes + 1 } else { 0 };
            if passes == 2 {
                break;
            }
            self.note(local.turn, action);
            local.play(action);
        }
        let standing = |&stone: &Point| local.board.cell(stone) == Cell::of(local.defender);
        if standing(&local.target) || local.also.iter().any(standing) {
            Side::Defender
        } else {
            Side::Attacker
        }
    }

    fn pick(&mut self, local: &mut LocalGame) -> Move {
        let color = local.color(local.turn);
        if let Some(Move::Play(last)) = local.last()
            && local.board.cell(last) == Cell::of(color.other())
            && let Some(point) = answer_to_atari(&local.board, color, last, |point| {
                local.is_legal(point) && local.board.ko() != Some(point)
            })
        {
            return Move::Play(point);
        }
        if self.shapes > 0
            && let Some(Move::Play(last)) = local.last()
            && (self.chance.below(100) as u32) < self.shapes
            && let Some(point) = self.shape(local, last, color)
        {
            return Move::Play(point);
        }
        // Where most points are free, trying at random is faster than collecting them.
        let points = local.zone.points().len();
        for _ in 0..6 {
            let point = local.zone.points()[self.chance.below(points)];
            if local.board.is_empty(point)
                && local.is_legal(point)
                && local.board.ko() != Some(point)
                && sensible(&local.board, color, point)
            {
                return Move::Play(point);
            }
        }
        self.bag.clear();
        self.bag.extend(local.zone.points().iter().filter(|&&p| local.board.is_empty(p)));
        while !self.bag.is_empty() {
            let i = self.chance.below(self.bag.len());
            let point = self.bag.swap_remove(i);
            if local.is_legal(point)
                && local.board.ko() != Some(point)
                && sensible(&local.board, color, point)
            {
                return Move::Play(point);
            }
        }
        Move::Pass
    }

    /// A move next to the last one that makes shape: a cut, a hane, a block at the edge.
    fn shape(&mut self, local: &LocalGame, last: Point, color: Color) -> Option<Point> {
        let board = &local.board;
        let mut found = [last; 8];
        let mut count = 0;
        for point in board.around(last).into_iter().chain(board.diagonals(last)) {
            if board.cell(point) == Cell::Empty
                && is_shape(board, color, point)
                && local.is_legal(point)
                && board.ko() != Some(point)
                && sensible(board, color, point)
            {
                found[count] = point;
                count += 1;
            }
        }
        (count > 0).then(|| found[self.chance.below(count)])
    }
}

/// Whether a stone here cuts or connects, goes around the end of an enemy stone, or blocks at the edge.
fn is_shape(board: &Board, color: Color, point: Point) -> bool {
    let (own, enemy) = (Cell::of(color), Cell::of(color.other()));
    let around = board.around(point);
    let diagonals = board.diagonals(point);
    let (mut mine, mut theirs, mut free, mut edge) = (0, 0, 0, false);
    for n in around {
        match board.cell(n) {
            Cell::Empty => free += 1,
            Cell::Border => edge = true,
            cell if cell == own => mine += 1,
            _ => theirs += 1,
        }
    }
    if mine == 0 && theirs == 0 {
        return false;
    }
    let diag = |cell: Cell| diagonals.iter().filter(|&&d| board.cell(d) == cell).count();
    if edge {
        return (theirs > 0 && (mine > 0 || diag(own) > 0)) || (mine > 0 && diag(enemy) > 0);
    }
    // A cut: two strings of one colour meet here, and the other colour is near.
    if theirs == 2 && mine <= 1 {
        let mut heads = around.iter().filter(|&&n| board.cell(n) == enemy).map(|&n| board.head(n));
        let (a, b) = (heads.next(), heads.next());
        if a != b && (mine == 1 || diag(own) > 0) {
            return true;
        }
    }
    if mine == 2 && theirs <= 1 {
        let mut heads = around.iter().filter(|&&n| board.cell(n) == own).map(|&n| board.head(n));
        let (a, b) = (heads.next(), heads.next());
        if a != b && (theirs == 1 || diag(enemy) > 0) {
            return true;
        }
    }
    // A hane: an enemy stone beside, an own stone beside that one.
    theirs == 1 && free >= 2 && diag(own) > 0
}
