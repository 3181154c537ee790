//! Matrix games: two players with opposite payoffs choose at the same moment.
//!
//! If a pure choice of each is best against the other, that is the solution. Else payoffs are made positive, and the linear
//! program "the greatest sum of z with A z ≤ 1" gives the mixed strategy of the column player, and its dual that of the row
//! player (von Neumann 1928; Dantzig 1951).

use counterplay_base::{Budget, Limit};
use num_bigint::BigInt;
use num_traits::{One, Zero};

use crate::linear::Program;
use crate::{Rational, scaled};

/// What a matrix game is worth to the row player, and a mixed strategy of each player that makes sure of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatrixSolution {
    pub value: Rational,
    /// The probability of each row.
    pub row: Vec<Rational>,
    /// The probability of each column.
    pub column: Vec<Rational>,
}

/// Solves a game of at least one row and one column; the row player wants the greatest payoff.
///
/// # Errors
/// The limit that was reached.
pub fn solve(payoffs: &[Vec<Rational>], budget: &Budget) -> Result<MatrixSolution, Limit> {
    if let Some(saddle) = saddle_point(payoffs) {
        return Ok(saddle);
    }
    let columns = payoffs[0].len();
    let (whole, factor) = scaled(payoffs.iter().flatten());
    let shift = whole.iter().min().expect("a payoff") - 1;
    let one = || BigInt::one();
    let rows: Vec<Vec<BigInt>> =
        whole.chunks(columns).map(|row| row.iter().map(|own| own - &shift).collect()).collect();
    let program = Program { limits: vec![one(); payoffs.len()], gains: vec![one(); columns], rows };
    let optimum = program.maximise(budget)?;
    let shifted = optimum.value.recip();
    let mixture = |weights: &[Rational]| weights.iter().map(|own| own * &shifted).collect();
    Ok(MatrixSolution {
        row: mixture(&optimum.dual),
        column: mixture(&optimum.primal),
        value: (shifted + Rational::from(shift)) / Rational::from(factor),
    })
}

/// A payoff that is least in its row and greatest in its column.
fn saddle_point(payoffs: &[Vec<Rational>]) -> Option<MatrixSolution> {
    let columns = payoffs[0].len();
    let least: Vec<&Rational> = payoffs.iter().map(|row| row.iter().min().expect("a column")).collect();
    let row = (0..payoffs.len()).rev().max_by_key(|&row| least[row]).expect("a row");
    let greatest = |column: usize| payoffs.iter().map(|row| &row[column]).max().expect("a row");
    let column = (0..columns).find(|&column| greatest(column) == least[row])?;
    let pure = |count: usize, only: usize| {
        (0..count).map(|own| if own == only { Rational::one() } else { Rational::zero() }).collect()
    };
    Some(MatrixSolution {
        value: least[row].clone(),
        row: pure(payoffs.len(), row),
        column: pure(columns, column),
    })
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::fraction;

    /// Each strategy makes sure of the value against every pure reply, which proves the value.
    fn prove(payoffs: &[Vec<Rational>], solution: &MatrixSolution) {
        let sum = |weights: &[Rational]| weights.iter().sum::<Rational>();
        assert_eq!((sum(&solution.row), sum(&solution.column)), (fraction(1, 1), fraction(1, 1)));
        let all = solution.row.iter().chain(&solution.column);
        assert!(all.clone().all(|own| *own >= Rational::zero()));
        for column in 0..payoffs[0].len() {
            let of = payoffs.iter().zip(&solution.row);
            assert!(of.map(|(row, own)| &row[column] * own).sum::<Rational>() >= solution.value);
        }
        for row in payoffs {
            let of = row.iter().zip(&solution.column);
            assert!(of.map(|(payoff, own)| payoff * own).sum::<Rational>() <= solution.value);
        }
    }

    #[test]
    fn known_games() {
        let solve = |payoffs: &[&[i64]]| {
            let payoffs: Vec<Vec<Rational>> =
                payoffs.iter().map(|row| row.iter().map(|&own| fraction(own, 1)).collect()).collect();
            let solution = super::solve(&payoffs, &Budget::unlimited()).expect("no limit");
            prove(&payoffs, &solution);
            solution
        };
        assert_eq!(solve(&[&[100, 0], &[0, 100]]).value, fraction(50, 1));
        let roshambo = solve(&[&[0, -1, 1], &[1, 0, -1], &[-1, 1, 0]]);
        assert_eq!((roshambo.value, roshambo.row[0].clone()), (fraction(0, 1), fraction(1, 3)));
        assert_eq!(solve(&[&[3, 1], &[2, 2]]).value, fraction(2, 1));
        // Two-finger Morra: worth nothing to either, with the strategy 7/12, 5/12 in the version of four payoffs.
        let morra = solve(&[&[-2, 3], &[3, -4]]);
        assert_eq!((morra.value, morra.row[0].clone()), (fraction(1, 12), fraction(7, 12)));
    }

    #[test]
    fn random_games_are_proved_by_their_strategies() {
        let mut random = ChaCha8Rng::seed_from_u64(7);
        for _ in 0..300 {
            let (rows, columns) = (random.random_range(1..7), random.random_range(1..7));
            let mut payoff = || fraction(random.random_range(-20..=20), random.random_range(1..=4));
            let payoffs: Vec<Vec<Rational>> =
                (0..rows).map(|_| (0..columns).map(|_| payoff()).collect()).collect();
            prove(&payoffs, &solve(&payoffs, &Budget::unlimited()).expect("no limit"));
        }
    }
}
