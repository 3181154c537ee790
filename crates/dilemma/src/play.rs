//! One match: turns, noise, scores.

use counterplay_base::{Budget, BudgetPoll, Limit};

use crate::chance::Chance;
use crate::moves::{History, Move, Moves, outcome};
use crate::payoffs::{Game, Payoffs};
use crate::strategy::{Setting, Strategy};

/// How long a match lasts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Length {
    /// So many turns, and the players are told.
    Known(u32),
    /// So many turns, and the players are not told.
    Unknown(u32),
    /// After each turn the match goes on with this probability, but never longer than `most` turns.
    Geometric {
        /// How likely another turn is, less than 1.
        going_on: f64,
        /// A bound that no honest match reaches.
        most: u32,
    },
}

/// The rules of a match.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rules {
    /// What outcomes are worth.
    pub game: Game,
    /// How likely each executed move is to be the opposite of the intended one.
    pub noise: f64,
    /// How long a match lasts.
    pub length: Length,
}

impl Rules {
    /// What the player on this side is told: 0 is the first, 1 the second.
    pub fn setting(&self, side: usize) -> Setting {
        let payoffs = if side == 0 { self.game.first } else { self.game.second };
        let turns = match self.length {
            Length::Known(turns) => Some(turns),
            Length::Unknown(_) | Length::Geometric { .. } => None,
        };
        Setting { payoffs, noise: self.noise, turns }
    }
}

/// What happened in a match, summed up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// How often each outcome occurred, as CC, CD, DC, DD from the first player's side.
    pub outcomes: [u32; 4],
}

impl Tally {
    /// How many turns were played.
    pub fn turns(&self) -> u32 {
        self.outcomes.iter().sum()
    }

    /// The total scores of both.
    pub fn scores(&self, game: &Game) -> [f64; 2] {
        let [cc, cd, dc, dd] = self.outcomes;
        let sum = |payoffs: &Payoffs, counts: [u32; 4]| {
            payoffs.by_outcome().iter().zip(counts).map(|(worth, count)| worth * f64::from(count)).sum()
        };
        [sum(&game.first, [cc, cd, dc, dd]), sum(&game.second, [cc, dc, cd, dd])]
    }

    /// How often each cooperated.
    pub fn cooperations(&self) -> [u32; 2] {
        let [cc, cd, dc, _] = self.outcomes;
        [cc + cd, cc + dc]
    }
}

/// The executed moves of both sides; kept between matches to save room.
#[derive(Clone, Debug, Default)]
pub struct MatchMoves {
    /// Of the first player.
    pub first: Moves,
    /// Of the second player.
    pub second: Moves,
}

/// Where chance comes from in one match: the referee's and each player's own.
#[derive(Clone, Debug)]
pub struct Dice {
    noise: Chance,
    players: [Chance; 2],
}

impl Dice {
    /// The dice of the match that has this place in a run.
    pub fn new(seed: u64, place: &[u64]) -> Dice {
        let mut referee = Chance::new(seed, place);
        let players = [0, 1].map(|side| Chance::new(referee.bits(), &[side]));
        Dice { noise: referee, players }
    }

    /// The chance of the player on this side: 0 is the first, 1 the second.
    #[inline]
    pub fn player(&mut self, side: usize) -> &mut Chance {
        &mut self.players[side]
    }

    /// What comes of intended moves: each is flipped with the probability `noise`, in steps of 2^-32. One draw
    /// serves both players.
    #[inline]
    pub fn execute(&mut self, [first, second]: [Move; 2], noise: f64) -> [Move; 2] {
        let threshold = (noise * (1u64 << 32) as f64) as u64;
        if threshold == 0 {
            return [first, second];
        }
        let draw = self.noise.bits();
        [flip_if(first, draw >> 32 < threshold), flip_if(second, draw & 0xffff_ffff < threshold)]
    }
}

/// How many turns pass between two looks at the budget.
const TURNS_PER_BEAT: u32 = 4096;

/// Plays a match to its end. `board` holds the moves afterwards.
pub fn play(
    first: &mut dyn Strategy,
    second: &mut dyn Strategy,
    rules: &Rules,
    dice: &mut Dice,
    board: &mut MatchMoves,
    budget: &Budget,
) -> Result<Tally, Limit> {
    board.first.clear();
    board.second.clear();
    let mut tally = Tally::default();
    let mut poll = BudgetPoll::every(TURNS_PER_BEAT);
    let mut turn = 0;
    while goes_on(rules.length, turn, &mut dice.noise) {
        let history = History { own: &board.first, other: &board.second };
        let intended = first.choose(&history, &mut dice.players[0]);
        let history = History { own: &board.second, other: &board.first };
        let answered = second.choose(&history, &mut dice.players[1]);
        let [executed, replied] = dice.execute([intended, answered], rules.noise);
        board.first.push(executed);
        board.second.push(replied);
        tally.outcomes[outcome(executed, replied)] += 1;
        turn += 1;
        poll.step(budget)?;
    }
    Ok(tally)
}

#[inline]
fn flip_if(intended: Move, accident: bool) -> Move {
    if accident { !intended } else { intended }
}

#[inline]
fn goes_on(length: Length, turn: u32, chance: &mut Chance) -> bool {
    match length {
        Length::Known(turns) | Length::Unknown(turns) => turn < turns,
        Length::Geometric { going_on, most } => turn == 0 || turn < most && chance.happens(going_on),
    }
}
