//! Games between two contestants under a referee, and what many games say about their strength.
//!
//! A contestant is a [`Player`] of this crate, which hears what the referee says and no more; a [`Seer`], which is shown the board (as
//! the strongest opponent that an ending can have); or an [`Outsider`], which is not trusted: it may give up, fail, or try nonsense.

mod elo;
mod evader;

use counterplay_base::{Budget, Limit};
use counterplay_belief::Event;

use crate::chess::{Board, Color, Move};
use crate::history::KriegEvent;
use crate::percept::{Announcement, End};
use crate::player::Player;
use crate::referee::Game;
use crate::rules::{Extras, RuleSet};

pub use elo::{Elo, Tally};
pub use evader::Evader;

/// A player that is shown the board.
pub trait Seer: Send {
    /// A legal move.
    fn choose(&mut self, board: &Board) -> Move;
}

/// What a contestant that is not trusted answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Choice {
    Try(Move),
    Resign,
    /// It failed: no answer in time, no move at all. It loses the game.
    Fault(String),
}

/// A contestant that is not trusted, such as another program.
pub trait Outsider: Send {
    fn choose(&mut self, budget: &Budget) -> Choice;

    /// Hears of an own try that it was no try at all.
    fn nonsense(&mut self, attempt: Move);

    /// Hears what happened, the own tries included.
    fn hear(&mut self, event: KriegEvent, extras: Extras);

    /// Hears how the game ended: whether it has won (`None` for a draw), and why.
    fn over(&mut self, won: Option<bool>, why: &str);
}

/// Who plays a side.
pub enum Contestant {
    Player(Box<dyn Player + Send>),
    Seer(Box<dyn Seer>),
    Outsider(Box<dyn Outsider>),
}

/// The terms of a game.
#[derive(Clone, Copy, Debug)]
pub struct Terms {
    pub root: Board,
    pub rules: RuleSet,
    /// The game is drawn after so many moves of each side; rejected tries do not count.
    pub moves: usize,
}

/// Why a game is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// By the rules of chess.
    Ended(End),
    /// It lasted as long as it may.
    Unfinished,
    Resigned,
    /// A contestant failed, or tried nonsense again and again.
    Forfeited(String),
}

impl Outcome {
    /// The word for tools.
    pub fn name(&self) -> &'static str {
        match self {
            Outcome::Ended(end) => end.name(),
            Outcome::Unfinished => "unfinished",
            Outcome::Resigned => "resigned",
            Outcome::Forfeited(_) => "forfeited",
        }
    }
}

/// A game that was played.
#[derive(Clone, Debug)]
pub struct PlayedGame {
    /// `None` is a draw.
    pub winner: Option<Color>,
    pub outcome: Outcome,
    /// Accepted moves of both sides.
    pub moves: Vec<Move>,
    /// Tries of White and of Black that were rejected.
    pub rejected: [usize; 2],
    pub position: Board,
}

/// A contestant may try so much nonsense in a game before it has lost.
const NONSENSE: usize = 100;

/// Plays a game. The seats are those of White and Black.
///
/// # Errors
/// The limit that was reached; the game does not count then.
pub fn play_game(terms: &Terms, seats: &mut [Contestant; 2], budget: &Budget) -> Result<PlayedGame, Limit> {
    let mut table = Table {
        game: Game::new(terms.root),
        rules: terms.rules,
        moves: Vec::new(),
        rejected: [0; 2],
        nonsense: [0; 2],
    };
    let (outcome, winner) = loop {
        if let Some(end) = table.game.end() {
            let winner = (end == End::Checkmate).then(|| table.game.turn().other());
            break (Outcome::Ended(end), winner);
        }
        if table.moves.len() >= 2 * terms.moves {
            break (Outcome::Unfinished, None);
        }
        budget.check()?;
        if let Some(outcome) = table.step(seats, budget)? {
            break (outcome, Some(table.game.turn().other()));
        }
    };
    for (seat, color) in seats.iter_mut().zip([Color::White, Color::Black]) {
        if let Contestant::Outsider(outsider) = seat {
            outsider.over(winner.map(|winner| winner == color), outcome.name());
        }
    }
    let Table { game, moves, rejected, .. } = table;
    Ok(PlayedGame { winner, outcome, moves, rejected, position: *game.board() })
}

/// A game in progress.
struct Table {
    game: Game,
    rules: RuleSet,
    moves: Vec<Move>,
    rejected: [usize; 2],
    nonsense: [usize; 2],
}

impl Table {
    /// One try of the side to move; `Some` if that side has lost by it.
    fn step(&mut self, seats: &mut [Contestant; 2], budget: &Budget) -> Result<Option<Outcome>, Limit> {
        let color = self.game.turn();
        let before = *self.game.board();
        let mut tries = self.game.tries();
        tries.retain(|&mv| self.rules.admits(&before, mv));
        let choice = match &mut seats[color as usize] {
            Contestant::Player(player) => Choice::Try(player.choose(&tries, budget)),
            Contestant::Seer(seer) => Choice::Try(seer.choose(&before)),
            Contestant::Outsider(outsider) => outsider.choose(budget),
        };
        // What was chosen when a limit had been reached is no choice.
        budget.check()?;
        let attempt = match choice {
            Choice::Try(attempt) => attempt,
            Choice::Resign => return Ok(Some(Outcome::Resigned)),
            Choice::Fault(why) => return Ok(Some(Outcome::Forfeited(why))),
        };
        let rejections = self.game.rejections();
        let said = match tries.contains(&attempt) {
            true => self.game.attempt(attempt),
            false => Announcement::Nonsense,
        };
        match said {
            Announcement::Nonsense => return Ok(self.count_nonsense(seats, attempt)),
            Announcement::Illegal => {
                self.rejected[color as usize] += 1;
                tell(&mut seats[color as usize], Event::Own { attempt, heard: None }, Extras::default());
            }
            Announcement::Legal { percept, end } => {
                self.moves.push(attempt);
                let extras = self.rules.extras(&before, attempt, self.game.board());
                let heard = (percept, end);
                tell(&mut seats[color as usize], Event::Own { attempt, heard: Some(heard) }, extras);
                let rejections = if self.rules.tells_rejections() { rejections } else { 0 };
                tell(&mut seats[color.other() as usize], Event::Other { rejections, heard }, extras);
            }
        }
        Ok(None)
    }

    fn count_nonsense(&mut self, seats: &mut [Contestant; 2], attempt: Move) -> Option<Outcome> {
        let color = self.game.turn() as usize;
        self.nonsense[color] += 1;
        if self.nonsense[color] > NONSENSE {
            return Some(Outcome::Forfeited(format!("tried nonsense {} times", self.nonsense[color])));
        }
        match &mut seats[color] {
            Contestant::Outsider(outsider) => {
                outsider.nonsense(attempt);
                None
            }
            // Players of our own choose among the tries they are given.
            _ => Some(Outcome::Forfeited(format!("tried {attempt}, which is nonsense"))),
        }
    }
}

fn tell(seat: &mut Contestant, event: KriegEvent, extras: Extras) {
    match seat {
        Contestant::Player(player) => player.hear_all(event, extras),
        Contestant::Seer(_) => {}
        Contestant::Outsider(outsider) => outsider.hear(event, extras),
    }
}
