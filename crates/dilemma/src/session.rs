//! A match against a player that is asked turn by turn, such as a person.

use crate::dbs::{Dbs, DbsSettings};
use crate::moves::{History, Move, Moves};
use crate::play::{Dice, Rules};
use crate::strategy::{Beliefs, Fault, Strategy};
use crate::tournament::Entrant;

/// A match in progress. The caller plays the first side, a strategy the second.
pub struct Session {
    rules: Rules,
    opponent: Box<dyn Strategy>,
    /// Plays the caller's side on paper: its move is the advice.
    adviser: Dbs,
    advice: Move,
    dice: Dice,
    /// Executed moves of the caller.
    pub own: Moves,
    /// Executed moves of the strategy.
    pub other: Moves,
    /// The scores so far, the caller's first.
    pub scores: [f64; 2],
}

/// What happened in one turn, the caller's side first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TurnResult {
    /// The executed moves. The caller's may be the opposite of the intended one, by noise.
    pub moves: [Move; 2],
    /// What the turn was worth.
    pub gains: [f64; 2],
}

impl Session {
    /// A new match. The length in the rules is what the strategy is told; the caller decides when to stop.
    pub fn new(entrant: &Entrant, rules: Rules, seed: u64) -> Session {
        let mut session = Session {
            rules,
            opponent: entrant.player(&rules.setting(1)),
            adviser: Dbs::new(DbsSettings::STANDARD, &rules.setting(0)),
            advice: Move::C,
            dice: Dice::new(seed, &[]),
            own: Moves::new(),
            other: Moves::new(),
            scores: [0.0; 2],
        };
        session.consult();
        session
    }

    /// Plays a turn: both sides intend a move, noise may flip each, and both see what was executed.
    ///
    /// # Errors
    /// The strategy failed; the turn does not count.
    pub fn turn(&mut self, intended: Move) -> Result<TurnResult, Fault> {
        let history = History { own: &self.other, other: &self.own };
        let reply = self.opponent.choose(&history, self.dice.player(1));
        if let Some(fault) = self.opponent.fault() {
            return Err(fault);
        }
        let [own, other] = self.dice.execute([intended, reply], self.rules.noise);
        self.own.push(own);
        self.other.push(other);
        let gains = [self.rules.game.first.of(own, other), self.rules.game.second.of(other, own)];
        for (score, gain) in self.scores.iter_mut().zip(gains) {
            *score += gain;
        }
        self.consult();
        Ok(TurnResult { moves: [own, other], gains })
    }

    /// What the strategy believes about the caller; `None` if it has no model.
    pub fn opponent_beliefs(&self) -> Option<Beliefs> {
        self.opponent.beliefs(&History { own: &self.other, other: &self.own })
    }

    /// What DBS in the caller's place believes about the strategy, and the move that it would make.
    pub fn advice(&self) -> (Option<Beliefs>, Move) {
        (self.adviser.beliefs(&History { own: &self.own, other: &self.other }), self.advice)
    }

    fn consult(&mut self) {
        let history = History { own: &self.own, other: &self.other };
        self.advice = self.adviser.choose(&history, self.dice.player(0));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Game, Length};

    #[test]
    fn scores_are_those_of_the_moves() {
        let tit_for_tat = Entrant::find("TitForTat").expect("it is in the library");
        let rules = Rules { game: Game::DILEMMA, noise: 0.0, length: Length::Unknown(3) };
        let mut session = Session::new(&tit_for_tat, rules, 0);
        for intended in [Move::C, Move::D, Move::D] {
            session.turn(intended).expect("strategies of the library do not fail");
        }
        assert_eq!(
            (session.own.to_string(), session.other.to_string()),
            ("CDD".to_owned(), "CCD".to_owned())
        );
        assert_eq!(session.scores, [9.0, 4.0]);
    }
}
