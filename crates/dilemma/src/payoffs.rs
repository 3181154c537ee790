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
    /// The same for both players: R 3, S 0, T 5, P 1.
    pub const DILEMMA: Game = Game { first: Payoffs::DILEMMA, second: Payoffs::DILEMMA };

    /// The game with these payoffs: R, S, T, P of both players, or four numbers for the first and four for the second.
    ///
    /// # Errors
    /// There are neither four nor eight numbers, or one of them is not finite.
    pub fn from_numbers(numbers: &[f64]) -> Result<Game, PayoffError> {
        if let Some(number) = numbers.iter().find(|number| !number.is_finite()) {
            return Err(PayoffError::NotANumber(number.to_string()));
        }
        match *numbers {
            [cc, cd, dc, dd] => {
                let payoffs = Payoffs { cc, cd, dc, dd };
                Ok(Game { first: payoffs, second: payoffs })
            }
            [cc, cd, dc, dd, second_cc, second_cd, second_dc, second_dd] => Ok(Game {
                first: Payoffs { cc, cd, dc, dd },
                second: Payoffs { cc: second_cc, cd: second_cd, dc: second_dc, dd: second_dd },
            }),
            _ => Err(PayoffError::Count(numbers.len())),
        }
    }

    /// The numbers that [`Game::from_numbers`] reads: four if the game is symmetric, else eight.
    pub fn to_numbers(&self) -> Vec<f64> {
        let mut numbers = self.first.by_outcome().to_vec();
        if !self.is_symmetric() {
            numbers.extend(self.second.by_outcome());
        }
        numbers
    }

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
        Game::from_numbers(&numbers)
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
        for game in [Game::DILEMMA, both] {
            assert_eq!(Game::from_numbers(&game.to_numbers()), Ok(game));
        }
        assert_eq!("3,0,x,1".parse::<Game>(), Err(PayoffError::NotANumber("x".to_owned())));
        assert!(matches!("3,0,inf,1".parse::<Game>(), Err(PayoffError::NotANumber(_))));
        assert_eq!("3,0,5".parse::<Game>(), Err(PayoffError::Count(3)));
        assert!(Payoffs::DILEMMA.is_dilemma());
        assert!(!both.first.is_dilemma());
    }
}
