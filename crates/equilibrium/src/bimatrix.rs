//! Bimatrix games: two players with payoffs of their own choose at the same moment.
//!
//! An equilibrium is found by support enumeration: for a set of rows and a set of columns we ask whether a mixture of the columns
//! makes all these rows best replies, and a mixture of the rows all these columns. Pairs of sets of the same size come first,
//! small ones before large ones; then all others, so that an equilibrium is always found (Nash 1951), also where several replies
//! are equally good.

use counterplay_base::{Budget, Limit};
use num_bigint::BigInt;
use num_traits::{One, Zero};

use crate::linear::Program;
use crate::{Rational, scaled};

/// A mixed strategy of each player from which neither gains by deviating.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Equilibrium {
    /// The probability of each row.
    pub row: Vec<Rational>,
    /// The probability of each column.
    pub column: Vec<Rational>,
}

/// More rows or columns than this are too many sets.
pub const MOST: usize = 12;

/// An equilibrium of a game with the payoffs of the row player and those of the column player; the game has at most [`MOST`] rows
/// and columns.
///
/// # Errors
/// The limit that was reached.
pub fn solve(own: &[Vec<Rational>], other: &[Vec<Rational>], budget: &Budget) -> Result<Equilibrium, Limit> {
    let (rows, columns) = (own.len(), own[0].len());
    assert!(rows <= MOST && columns <= MOST, "at most {MOST} choices");
    let for_rows = positive(own.to_vec());
    let for_columns =
        positive((0..columns).map(|at| other.iter().map(|row| row[at].clone()).collect()).collect());
    let mut pairs: Vec<(u32, u32)> =
        (1..1u32 << rows).flat_map(|one| (1..1u32 << columns).map(move |two| (one, two))).collect();
    pairs.sort_by_key(|&(one, two)| {
        let (few, many) = (one.count_ones(), two.count_ones());
        (few != many, few + many, one, two)
    });
    for (one, two) in pairs {
        budget.check()?;
        let Some(column) = mixture(&for_rows, two, one, budget)? else { continue };
        if let Some(row) = mixture(&for_columns, one, two, budget)? {
            return Ok(Equilibrium { row, column });
        }
    }
    unreachable!("every finite game has an equilibrium")
}

/// Payoffs as positive whole numbers; shifting and scaling changes no best reply.
fn positive(payoffs: Vec<Vec<Rational>>) -> Vec<Vec<BigInt>> {
    let (whole, _) = scaled(payoffs.iter().flatten());
    let shift = whole.iter().min().expect("a payoff") - 1;
    whole.chunks(payoffs[0].len()).map(|row| row.iter().map(|own| own - &shift).collect()).collect()
}

/// A mixture of these columns to which all of these rows are best replies.
fn mixture(
    payoffs: &[Vec<BigInt>],
    columns: u32,
    rows: u32,
    budget: &Budget,
) -> Result<Option<Vec<Rational>>, Limit> {
    let is_in = |set: u32, at: usize| set >> at & 1 == 1;
    let inside: Vec<usize> = (0..payoffs[0].len()).filter(|&at| is_in(columns, at)).collect();
    // Scaled so that the best reply gains 1, all rows gain at most 1, and these rows together as many as they are.
    let program = Program {
        rows: payoffs.iter().map(|row| inside.iter().map(|&at| row[at].clone()).collect()).collect(),
        limits: vec![BigInt::one(); payoffs.len()],
        gains: inside
            .iter()
            .map(|&at| (0..payoffs.len()).filter(|&row| is_in(rows, row)).map(|row| &payoffs[row][at]).sum())
            .collect(),
    };
    let optimum = program.maximise(budget)?;
    if optimum.value != Rational::from(BigInt::from(rows.count_ones())) {
        return Ok(None);
    }
    let sum: Rational = optimum.primal.iter().sum();
    let mut found = vec![Rational::zero(); payoffs[0].len()];
    for (at, own) in inside.into_iter().zip(optimum.primal) {
        found[at] = own / &sum;
    }
    Ok(Some(found))
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::fraction;

    fn matrix(rows: &[&[i64]]) -> Vec<Vec<Rational>> {
        rows.iter().map(|row| row.iter().map(|&own| fraction(own, 1)).collect()).collect()
    }

    /// Neither player gains by a pure deviation.
    fn prove(own: &[Vec<Rational>], other: &[Vec<Rational>], found: &Equilibrium) {
        let (rows, columns) = (own.len(), own[0].len());
        assert_eq!(found.row.iter().sum::<Rational>(), Rational::one());
        assert_eq!(found.column.iter().sum::<Rational>(), Rational::one());
        let of_row = |row: usize| (0..columns).map(|at| &own[row][at] * &found.column[at]).sum::<Rational>();
        let of_column = |at: usize| (0..rows).map(|row| &other[row][at] * &found.row[row]).sum::<Rational>();
        let row_value: Rational = (0..rows).map(|row| of_row(row) * &found.row[row]).sum();
        let column_value: Rational = (0..columns).map(|at| of_column(at) * &found.column[at]).sum();
        assert!((0..rows).all(|row| of_row(row) <= row_value));
        assert!((0..columns).all(|at| of_column(at) <= column_value));
    }

    #[test]
    fn the_dilemma_has_one_equilibrium() {
        let (own, other) = (matrix(&[&[3, 0], &[5, 1]]), matrix(&[&[3, 5], &[0, 1]]));
        let found = solve(&own, &other, &Budget::unlimited()).expect("no limit");
        prove(&own, &other, &found);
        assert_eq!((found.row[1].clone(), found.column[1].clone()), (fraction(1, 1), fraction(1, 1)));
    }

    #[test]
    fn inspection_needs_lots() {
        let (own, other) = (matrix(&[&[0, -10], &[-1, -6]]), matrix(&[&[0, 10], &[0, -90]]));
        let found = solve(&own, &other, &Budget::unlimited()).expect("no limit");
        prove(&own, &other, &found);
        assert_eq!((found.row[0].clone(), found.column[0].clone()), (fraction(9, 10), fraction(4, 5)));
    }

    #[test]
    fn random_games_and_degenerate_ones() {
        let mut random = ChaCha8Rng::seed_from_u64(3);
        for round in 0..200 {
            let (rows, columns) = (random.random_range(1..5), random.random_range(1..5));
            let most = if round % 2 == 0 { 2 } else { 30 };
            let mut payoffs = || -> Vec<Vec<Rational>> {
                let mut row = || (0..columns).map(|_| fraction(random.random_range(0..=most), 1)).collect();
                (0..rows).map(|_| row()).collect()
            };
            let (own, other) = (payoffs(), payoffs());
            prove(&own, &other, &solve(&own, &other, &Budget::unlimited()).expect("no limit"));
        }
    }
}
