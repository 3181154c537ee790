//! Games in which players choose at the same moment or do not see everything, solved exactly.
//!
//! ```text
//! linear      linear programs over whole numbers, by integer pivots
//! matrix      two players, opposite payoffs: value and mixed strategies
//! bimatrix    two players, any payoffs: one Nash equilibrium, by support enumeration
//! sequence    players with perfect recall and information sets: value, best responses, regret minimisation
//! ```
//! All results are fractions. Nothing here knows where a game comes from.
//!
//! ```
//! use counterplay_base::Budget;
//! use counterplay_equilibrium::{fraction, matrix};
//!
//! let pennies = [[1, 0], [0, 1]].map(|row| row.map(|payoff| fraction(payoff, 1)).to_vec());
//! let solution = matrix::solve(&pennies, &Budget::unlimited())?;
//! assert_eq!(solution.value, fraction(1, 2));
//! assert_eq!(solution.row, [fraction(1, 2), fraction(1, 2)]);
//! # Ok::<(), counterplay_base::Limit>(())
//! ```

pub mod bimatrix;
mod linear;
pub mod matrix;
pub mod sequence;

pub use num_rational::BigRational as Rational;

/// A fraction of two small numbers.
pub fn fraction(numerator: i64, denominator: i64) -> Rational {
    Rational::new(numerator.into(), denominator.into())
}

/// The whole numbers that the fractions are multiples of, and the factor: the least common denominator.
fn scaled<'r>(
    fractions: impl Iterator<Item = &'r Rational> + Clone,
) -> (Vec<num_bigint::BigInt>, num_bigint::BigInt) {
    use num_integer::Integer;
    let one = num_bigint::BigInt::from(1);
    let factor = fractions.clone().fold(one, |all, own| all.lcm(own.denom()));
    let whole = fractions.map(|own| own.numer() * (&factor / own.denom())).collect();
    (whole, factor)
}
