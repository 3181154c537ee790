//! A player for whole games on small boards.
//!
//! The move comes from Monte-Carlo tree search with playouts to the end. Local knowledge guides it: shapes,
//! tactical reading of strings that are short of liberties, and the solver's answers about groups that are shut in and whose life
//! depends on who moves first. The same playouts tell who owns what, which stones are dead, and the score. Nothing here is a proof.

mod clock;
mod pattern;
mod playout;
mod prior;
mod score;
mod tree;

use std::time::Duration;

use counterplay_base::Budget;

pub use self::clock::Clock;
pub use self::score::{Count, FinalStatus};
pub use self::tree::Choice;
use self::tree::GameTree;
use crate::board::Board;
use crate::point::{Color, Move, Point};
use crate::problem::{Problem, candidates};
use crate::solve::{Options, solve};

/// A position of a game, and what its past says.
#[derive(Clone, Copy)]
pub struct Situation<'a> {
    pub board: &'a Board,
    pub to_move: Color,
    /// What white gets at the end.
    pub komi: f64,
    /// The last move and the one before it, if they were stones.
    pub last: [Option<Point>; 2],
    /// Whether the last move was a pass.
    pub passed: bool,
    /// Hashes of the positions that must not come back.
    pub history: &'a [u64],
}

/// How to look for a move.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// At most so many playouts.
    pub playouts: u32,
    pub seed: u64,
    /// Whether dead stones of the other side are to be taken off before passing.
    pub clean_up: bool,
}

/// What a search has found out about a position.
#[derive(Clone, Debug)]
pub struct Outlook {
    /// The moves, the best first.
    pub choices: Vec<Choice>,
    pub playouts: u32,
    /// The mean score for black, komi included.
    pub score: f64,
    /// For each point from -1 (white's in every playout) to 1 (black's).
    owner: Vec<f32>,
}

impl Outlook {
    /// Whose a point is at the end: from -1 (white's in every playout) to 1 (black's).
    pub fn owner(&self, point: Point) -> f32 {
        self.owner[point.index()]
    }
}

/// A point is settled if this share of the playouts agrees on its owner, in the measure of [`Outlook::owner`].
const SETTLED: f32 = 0.7;

/// The part of the time for a move that goes to questions about groups.
const QUESTIONS: u32 = 8;

/// At most so many groups are asked about.
const GROUPS: usize = 3;

/// Looks for a move until the budget ends. `told` hears now and then what is known, and says whether to go on.
pub fn look(
    game: &Situation,
    effort: Effort,
    budget: &Budget,
    told: &mut dyn FnMut(&Outlook) -> bool,
) -> Outlook {
    let mut board = game.board.clone();
    let mut moves = prior::moves(&mut board, game.to_move, game.last, true);
    moves.retain(|(action, _)| match action {
        Move::Play(point) => is_new(game, *point),
        Move::Pass => true,
    });
    for (point, weight) in at_stake(game, budget) {
        if let Some((_, prior)) = moves.iter_mut().find(|(action, _)| *action == Move::Play(point)) {
            prior.win(weight);
        }
    }
    let mut tree = GameTree::new(game.board, game.to_move, game.komi, game.last, &moves, effort.seed);
    loop {
        let slice = tree.playouts.saturating_add(1000).min(effort.playouts);
        tree.run(slice, effort.playouts, budget);
        let outlook = outlook(&tree, game);
        let ended = tree.playouts < slice || tree.playouts >= effort.playouts;
        if ended || !told(&outlook) {
            return outlook;
        }
    }
}

fn outlook(tree: &GameTree, game: &Situation) -> Outlook {
    let playouts = tree.playouts.max(1);
    Outlook {
        choices: tree.choices(),
        playouts: tree.playouts,
        score: tree.score / f64::from(playouts) - game.komi,
        owner: tree.owner.iter().map(|&sum| sum as f32 / playouts as f32).collect(),
    }
}

/// Whether the position after a move has not been there before.
fn is_new(game: &Situation, point: Point) -> bool {
    let mut after = game.board.clone();
    after.play(game.to_move, Move::Play(point));
    !game.history.contains(&after.hash())
}

/// Moves on which the life of a group that is shut in depends, with how much they count.
fn at_stake(game: &Situation, budget: &Budget) -> Vec<(Point, f32)> {
    let time = budget.remaining().unwrap_or(Duration::from_secs(2)) / QUESTIONS;
    let budget = budget.slice(time);
    let quick = Options { samples: 0, search_nodes: 30_000, ..Options::default() };
    let mut found = Vec::new();
    for stone in candidates(game.board).into_iter().take(GROUPS) {
        let ask = |color: Color| {
            let problem = Problem::about(game.board.clone(), color, stone)?;
            let solution = solve(&problem, &quick, &budget);
            solution.is_proof().then(|| solution.action())
        };
        if let Some(Some(Move::Play(point))) = ask(game.to_move)
            && let Some(Some(_)) = ask(game.to_move.other())
        {
            found.push((point, 40.0 + 10.0 * game.board.string_size(stone) as f32));
        }
    }
    found
}

/// The move to play.
pub fn choose(game: &Situation, effort: Effort, budget: &Budget) -> (Move, Outlook) {
    let outlook = look(game, effort, budget, &mut |_| true);
    let action = decide(game, &outlook, effort.clean_up);
    (action, outlook)
}

/// The move that a search suggests; a pass where nothing is left to be won.
pub fn decide(game: &Situation, outlook: &Outlook, clean_up: bool) -> Move {
    let count = Count::of(game.board, outlook, game.komi);
    let ahead = if game.to_move == Color::Black { count.score > 0.0 } else { count.score < 0.0 };
    let dead_stones = count.dead.iter().any(|&p| game.board.cell(p).color() == Some(game.to_move.other()));
    let done = count.settled && !(clean_up && dead_stones);
    if done && (ahead || game.passed) {
        return Move::Pass;
    }
    let best = outlook.choices.first().map_or(Move::Pass, |choice| choice.action);
    if best != Move::Pass || !dead_stones || !clean_up {
        return best;
    }
    outlook.choices.iter().map(|choice| choice.action).find(|&action| action != Move::Pass).unwrap_or(best)
}
