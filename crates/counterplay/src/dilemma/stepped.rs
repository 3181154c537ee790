//! A strategy that is asked turn by turn, where another program plays the match.

use std::fmt;

use counterplay_dilemma::{Dice, Fault, History, Move, Moves, Setting, Strategy};

use super::players::Players;
use super::rules::MatchRules;
use crate::error::Error;

/// A strategy of the library in a match that the caller runs: the caller says what was executed, noise included, and asks for the next
/// move.
///
/// ```
/// use counterplay::dilemma::{MatchRules, Move, Players, SteppedStrategy};
///
/// let mut player = SteppedStrategy::new(&Players::default(), "TitForTat", &MatchRules::default(), 0)?;
/// assert_eq!(player.choose(), Ok(Move::C));
/// player.record(Move::C, Move::D);
/// assert_eq!(player.choose(), Ok(Move::D));
/// # Ok::<(), counterplay::Error>(())
/// ```
pub struct SteppedStrategy {
    strategy: Box<dyn Strategy>,
    own: Moves,
    other: Moves,
    dice: Dice,
    /// The move of this turn, so that asking twice changes nothing.
    chosen: Option<Move>,
}

impl SteppedStrategy {
    /// A player for one match. The rules are what it is told before.
    ///
    /// # Errors
    /// An unknown name, or rules that do not fit.
    pub fn new(
        players: &Players,
        name: &str,
        rules: &MatchRules,
        seed: u64,
    ) -> Result<SteppedStrategy, Error> {
        let setting: Setting = rules.decide()?.setting(0);
        Ok(SteppedStrategy {
            strategy: players.find(name)?.player(&setting),
            own: Moves::new(),
            other: Moves::new(),
            dice: Dice::new(seed, &[]),
            chosen: None,
        })
    }

    /// The move that it intends to make now.
    ///
    /// # Errors
    /// What the strategy did wrong. Strategies of the library do nothing wrong.
    pub fn choose(&mut self) -> Result<Move, Fault> {
        if let Some(chosen) = self.chosen {
            return Ok(chosen);
        }
        let history = History { own: &self.own, other: &self.other };
        let chosen = self.strategy.choose(&history, self.dice.player(0));
        if let Some(fault) = self.strategy.fault() {
            return Err(fault);
        }
        self.chosen = Some(chosen);
        Ok(chosen)
    }

    /// Tells what both sides executed. A strategy that was not asked for its move yet is asked first, since it has to see every turn.
    pub fn record(&mut self, own: Move, other: Move) {
        if self.chosen.is_none() {
            // A fault is told again when the next move is asked for.
            let _ = self.choose();
        }
        self.chosen = None;
        self.own.push(own);
        self.other.push(other);
    }

    /// Turns so far.
    pub fn turns(&self) -> usize {
        History { own: &self.own, other: &self.other }.turns()
    }
}

impl fmt::Debug for SteppedStrategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SteppedStrategy").field("turns", &self.turns()).finish_non_exhaustive()
    }
}
