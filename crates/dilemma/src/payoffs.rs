//! What outcomes are worth: any game of two players with two moves each.

use std::str::FromStr;

use crate::moves::{Move, outcome};

/// What each outcome is worth to one player, by its own move and the other's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Payoffs {
    /// Both cooperate (the reward, R).
    pub cc: f64,
    /// Own cooperation, the other's defection (the sucker's payoff, S).
    pub cd: f64,
    /// Own defection, the other's cooperation (the temptation, T).
    pub dc: f64,
    /// Both defect (the punishment, P).
    pub dd: f64,
}

impl Payoffs {
    /// The usual dilemma: R 3, S 0, T 5, P 1.
    pub const DILEMMA: Payoffs = Payoffs { cc: 3.0, cd: 0.0, dc: 5.0, dd: 1.0 };

    /// What an outcome is worth.
    #[inline]
    pub fn of(&self, own: Move, other: Move) -> f64 {
        self.by_outcome()[outcome(own, other)]
    }

    /// All four, as CC, CD, DC, DD.
    #[inline]
    pub fn by_outcome(&self) -> [f64; 4] {
        [self.cc, self.cd, self.dc, self.dd]
    }

    /// Whether this is a prisoner's dilemma: T > R > P > S, and taking turns pays less than cooperation.
    pub fn is_dilemma(&self) -> bool {
        self.dc > self.cc && self.cc > self.dd && self.dd > self.cd && 2.0 * self.cc > self.dc + self.cd
    }
}

/// What outcomes are worth to the first and to the second player, each from its own point of view.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Game {
    /// To the first player.
    pub first: Payoffs,
    /// To the second player.
    pub second: Payoffs,
}

impl Game {
    /// The usual dilemma.
    pub const DILEMMA: Game = Game { first: Payoffs::DILEMMA, second: Payoffs::DILEMMA };

    /// Whether both players see the same game.
    pub fn is_symmetric(&self) -> bool {
        self.first == self.second
    }
}

/// Why a text is no game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PayoffError {
    /// A part is not a finite number.
    #[error("`{0}` is not a number")]
    NotANumber(String),
    /// There are neither four nor eight of them.
    #[error("{0} payoffs were given; write four (R,S,T,P) or eight (those of both players)")]
    Count(usize),
}

impl FromStr for Game {
    type Err = PayoffError;

    /// Reads `R,S,T,P`, or eight numbers: those of the first player, then those of the second.
    fn from_str(text: &str) -> Result<Game, PayoffError> {
        let number = |part: &str| {
            let found = part.trim().parse().ok().filter(|number: &f64| number.is_finite());
            found.ok_or_else(|| PayoffError::NotANumber(part.trim().to_owned()))
        };
        let numbers = text.split(',').map(number).collect::<Result<Vec<f64>, _>>()?;
        let payoffs = |part: &[f64]| Payoffs { cc: part[0], cd: part[1], dc: part[2], dd: part[3] };
        match numbers.len() {
            4 => Ok(Game { first: payoffs(&numbers), second: payoffs(&numbers) }),
            8 => Ok(Game { first: payoffs(&numbers[..4]), second: payoffs(&numbers[4..]) }),
            count => Err(PayoffError::Count(count)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_read_or_refused() {
        assert_eq!("3,0,5,1".parse(), Ok(Game::DILEMMA));
        let both: Game = "4, 1, 3, 2, 3, 0, 5, 1".parse().expect("eight numbers");
        assert_eq!((both.first.cc, both.second.dc), (4.0, 5.0));
        assert!(!both.is_symmetric());
        assert_eq!("3,0,x,1".parse::<Game>(), Err(PayoffError::NotANumber("x".to_owned())));
        assert!(matches!("3,0,inf,1".parse::<Game>(), Err(PayoffError::NotANumber(_))));
        assert_eq!("3,0,5".parse::<Game>(), Err(PayoffError::Count(3)));
        assert!(Payoffs::DILEMMA.is_dilemma());
        assert!(!both.first.is_dilemma());
    }
}
