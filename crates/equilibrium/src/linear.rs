//! Linear programs over whole numbers: the greatest `c x` with `A x ≤ b` and `x ≥ 0`, for `b ≥ 0`.
//!
//! The simplex algorithm on a condensed tableau whose entries are whole numbers over one common denominator, the last pivot:
//! each pivot multiplies out and divides by the pivot before, which leaves no remainder (Edmonds 1967, Bareiss 1968). Numbers
//! of 128 bits are tried first and large ones take over when they overflow. The column of the greatest gain enters; while
//! pivots gain nothing, the first one does (Bland 1977), so that there are no cycles. Primal and dual solution come out
//! together, and each is checked against the other by whoever uses them.

use std::cmp::Ordering;

use counterplay_base::{Budget, Limit};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{Signed, Zero};

use crate::Rational;

/// `A x ≤ b`, `x ≥ 0`, `c x` as great as possible.
pub(crate) struct Program {
    /// The rows of `A`, all of the same length.
    pub(crate) rows: Vec<Vec<BigInt>>,
    /// One for each row, none negative.
    pub(crate) limits: Vec<BigInt>,
    /// One for each column.
    pub(crate) gains: Vec<BigInt>,
}

/// The best point, and the prices of the limits that prove it.
#[derive(Clone, Debug)]
pub(crate) struct Optimum {
    pub(crate) value: Rational,
    pub(crate) primal: Vec<Rational>,
    pub(crate) dual: Vec<Rational>,
}

impl Program {
    /// The optimum of a program that is bounded.
    pub(crate) fn maximise(&self, budget: &Budget) -> Result<Optimum, Limit> {
        if let Some(mut small) = Tableau::<i128>::new(self) {
            match small.run(budget) {
                Ok(()) => return Ok(small.optimum()),
                Err(Trouble::Stopped(limit)) => return Err(limit),
                Err(Trouble::Overflow) => {}
            }
        }
        let mut large = Tableau::<BigInt>::new(self).expect("large numbers hold everything");
        match large.run(budget) {
            Ok(()) => Ok(large.optimum()),
            Err(Trouble::Stopped(limit)) => Err(limit),
            Err(Trouble::Overflow) => unreachable!("large numbers do not overflow"),
        }
    }
}

/// Why pivots end early.
enum Trouble {
    Overflow,
    Stopped(Limit),
}

/// Whole numbers of some size.
trait Whole: Clone + Ord {
    fn of(number: &BigInt) -> Option<Self>;
    fn big(&self) -> BigInt;
    fn sign(&self) -> Ordering;
    fn negated(&self) -> Self;
    /// `(a p - b c) / d`, where the division leaves no remainder.
    fn combined(a: &Self, p: &Self, b: &Self, c: &Self, d: &Self) -> Option<Self>;
    /// Compares `a / b` with `c / d` for positive `b` and `d`.
    fn compare(a: &Self, b: &Self, c: &Self, d: &Self) -> Option<Ordering>;
}

impl Whole for i128 {
    fn of(number: &BigInt) -> Option<i128> {
        i128::try_from(number).ok()
    }

    fn big(&self) -> BigInt {
        BigInt::from(*self)
    }

    fn sign(&self) -> Ordering {
        self.cmp(&0)
    }

    fn negated(&self) -> i128 {
        -*self
    }

    #[inline]
    fn combined(a: &i128, p: &i128, b: &i128, c: &i128, d: &i128) -> Option<i128> {
        Some(a.checked_mul(*p)?.checked_sub(b.checked_mul(*c)?)? / d)
    }

    fn compare(a: &i128, b: &i128, c: &i128, d: &i128) -> Option<Ordering> {
        Some(a.checked_mul(*d)?.cmp(&c.checked_mul(*b)?))
    }
}

impl Whole for BigInt {
    fn of(number: &BigInt) -> Option<BigInt> {
        Some(number.clone())
    }

    fn big(&self) -> BigInt {
        self.clone()
    }

    fn sign(&self) -> Ordering {
        self.cmp(&BigInt::ZERO)
    }

    fn negated(&self) -> BigInt {
        -self
    }

    fn combined(a: &BigInt, p: &BigInt, b: &BigInt, c: &BigInt, d: &BigInt) -> Option<BigInt> {
        match (a.is_zero(), b.is_zero() || c.is_zero()) {
            (true, true) => Some(BigInt::ZERO),
            (true, false) => Some(-(b * c) / d),
            (false, true) => Some(a * p / d),
            (false, false) => Some((a * p - b * c) / d),
        }
    }

    fn compare(a: &BigInt, b: &BigInt, c: &BigInt, d: &BigInt) -> Option<Ordering> {
        Some((a * d).cmp(&(c * b)))
    }
}

/// The program solved for some variables. Variables are numbered: columns of the program first, then the slack of each row.
struct Tableau<N> {
    /// Rows of the program, and last what is gained; the last column holds the limits.
    entries: Vec<Vec<N>>,
    /// What all entries are to be divided by; positive.
    denominator: N,
    /// The variable of each row.
    basic: Vec<usize>,
    /// The variable of each column.
    free: Vec<usize>,
}

impl<N: Whole> Tableau<N> {
    fn new(program: &Program) -> Option<Tableau<N>> {
        let mut entries = Vec::with_capacity(program.rows.len() + 1);
        for (row, limit) in program.rows.iter().zip(&program.limits) {
            debug_assert!(!limit.is_negative());
            entries.push(row.iter().chain([limit]).map(N::of).collect::<Option<Vec<N>>>()?);
        }
        let zero = BigInt::ZERO;
        let gains = program.gains.iter().map(|gain| N::of(&-gain)).chain([N::of(&zero)]);
        entries.push(gains.collect::<Option<Vec<N>>>()?);
        let columns = program.gains.len();
        Some(Tableau {
            entries,
            denominator: N::of(&BigInt::from(1))?,
            basic: (columns..columns + program.rows.len()).collect(),
            free: (0..columns).collect(),
        })
    }

    fn run(&mut self, budget: &Budget) -> Result<(), Trouble> {
        let columns = self.free.len();
        let mut without_gain = 0;
        loop {
            budget.check().map_err(Trouble::Stopped)?;
            let Some(column) = self.entering(without_gain > 8) else { return Ok(()) };
            let row = self.leaving(column)?;
            match self.entries[row][columns].sign() {
                Ordering::Equal => without_gain += 1,
                _ => without_gain = 0,
            }
            self.pivot(row, column)?;
        }
    }

    /// The column that gains most, or the one with the first variable that gains something.
    fn entering(&self, first: bool) -> Option<usize> {
        let gains = self.entries.last().expect("the row of gains");
        let better = (0..self.free.len()).filter(|&column| gains[column].sign() == Ordering::Less);
        match first {
            true => better.min_by_key(|&column| self.free[column]),
            false => better
                .min_by(|&one, &two| gains[one].cmp(&gains[two]).then(self.free[one].cmp(&self.free[two]))),
        }
    }

    /// The row whose limit is met first; among equals that of the first variable.
    fn leaving(&self, column: usize) -> Result<usize, Trouble> {
        let last = self.free.len();
        let mut best: Option<usize> = None;
        for row in 0..self.basic.len() {
            let own = &self.entries[row];
            if own[column].sign() != Ordering::Greater {
                continue;
            }
            let is_better = match best {
                None => true,
                Some(other) => {
                    let than = &self.entries[other];
                    let order = N::compare(&own[last], &own[column], &than[last], &than[column]);
                    let by_number = self.basic[row].cmp(&self.basic[other]);
                    order.ok_or(Trouble::Overflow)?.then(by_number) == Ordering::Less
                }
            };
            if is_better {
                best = Some(row);
            }
        }
        Ok(best.expect("the program is bounded"))
    }

    fn pivot(&mut self, row: usize, column: usize) -> Result<(), Trouble> {
        let pivot_row = self.entries[row].clone();
        let pivot = &pivot_row[column];
        for (number, own) in self.entries.iter_mut().enumerate().filter(|(number, _)| *number != row) {
            let factor = own[column].clone();
            debug_assert!(number != row);
            for (place, entry) in own.iter_mut().enumerate().filter(|(place, _)| *place != column) {
                let combined = N::combined(entry, pivot, &factor, &pivot_row[place], &self.denominator);
                *entry = combined.ok_or(Trouble::Overflow)?;
            }
            own[column] = factor.negated();
        }
        self.entries[row][column] = std::mem::replace(&mut self.denominator, pivot.clone());
        std::mem::swap(&mut self.basic[row], &mut self.free[column]);
        Ok(())
    }

    fn optimum(&self) -> Optimum {
        let (rows, columns) = (self.basic.len(), self.free.len());
        let denominator = self.denominator.big();
        let over = |number: &N| {
            let number = number.big();
            let common = number.gcd(&denominator);
            Rational::new_raw(&number / &common, &denominator / &common)
        };
        let mut primal = vec![Rational::zero(); columns];
        let mut dual = vec![Rational::zero(); rows];
        for (row, &variable) in self.basic.iter().enumerate() {
            if variable < columns {
                primal[variable] = over(&self.entries[row][columns]);
            }
        }
        let gains = &self.entries[rows];
        for (column, &variable) in self.free.iter().enumerate() {
            if variable >= columns {
                dual[variable - columns] = over(&gains[column]);
            }
        }
        Optimum { value: over(&gains[columns]), primal, dual }
    }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;

    fn program(rows: &[&[i64]], limits: &[i64], gains: &[i64]) -> Program {
        let big = |numbers: &[i64]| numbers.iter().map(|&number| number.into()).collect();
        Program { rows: rows.iter().map(|row| big(row)).collect(), limits: big(limits), gains: big(gains) }
    }

    /// Both solutions are feasible and equal: weak duality proves them.
    fn prove(program: &Program, optimum: &Optimum) {
        let whole = |number: &BigInt| Rational::from(number.clone());
        let zero = Rational::zero();
        for (row, limit) in program.rows.iter().zip(&program.limits) {
            let sum: Rational = row.iter().zip(&optimum.primal).map(|(a, x)| whole(a) * x).sum();
            assert!(sum <= whole(limit));
        }
        for (column, gain) in program.gains.iter().enumerate() {
            let of = program.rows.iter().zip(&optimum.dual);
            let sum: Rational = of.map(|(row, y)| whole(&row[column]) * y).sum();
            assert!(sum >= whole(gain));
        }
        assert!(optimum.primal.iter().chain(&optimum.dual).all(|number| *number >= zero));
        let gained: Rational = program.gains.iter().zip(&optimum.primal).map(|(c, x)| whole(c) * x).sum();
        let paid: Rational = program.limits.iter().zip(&optimum.dual).map(|(b, y)| whole(b) * y).sum();
        assert_eq!((&gained, &paid), (&optimum.value, &optimum.value));
    }

    #[test]
    fn random_programs_are_proved_by_their_duals() {
        let mut random = ChaCha8Rng::seed_from_u64(1);
        for round in 0..300 {
            let (rows, columns) = (random.random_range(1..8), random.random_range(1..8));
            let most = if round % 3 == 0 { 1_000_000_000_000i64 } else { 9 };
            let mut program = program(&[], &[], &[]);
            program.gains = (0..columns).map(|_| random.random_range(-most..=most).into()).collect();
            for _ in 0..rows {
                program.rows.push((0..columns).map(|_| random.random_range(-most..=most).into()).collect());
                program.limits.push(random.random_range(0..=most / 3).into());
            }
            // The last row bounds everything.
            program.rows.push(vec![1.into(); columns]);
            program.limits.push(most.into());
            let optimum = program.maximise(&Budget::unlimited()).expect("no limit");
            prove(&program, &optimum);
        }
    }

    /// Beale's program, on which the plain rule of the greatest gain goes round for ever.
    #[test]
    fn degenerate_programs_end() {
        let beale = program(
            &[&[25, -6000, -4, 900], &[50, -9000, -2, 300], &[0, 0, 1, 0]],
            &[0, 0, 1],
            &[75, -15000, 2, -600],
        );
        let optimum = beale.maximise(&Budget::unlimited()).expect("no limit");
        prove(&beale, &optimum);
    }
}
