//! One joint move: what comes of it, and what the roles do about it.
//!
//! A stage game has for each role a number of moves, and for each joint move what the position after it is worth to every
//! role. Chance draws its move first; the expectation over it leaves a game between the others. If one of them has a choice, it
//! takes what it likes best. If two with opposite wishes choose at once, the value is that of a matrix game.

use counterplay_base::{Budget, Limit};
use counterplay_equilibrium::{Rational, bimatrix, fraction, matrix};
use num_traits::{One, Zero};
use serde::{Deserialize, Serialize};

/// What is meant by the value of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum Concept {
    /// The value by backward induction; where two roles choose at once their rewards must have a constant sum
    #[default]
    Value,
    /// What each role can make sure of by lots, whatever the others do (its security level)
    Maximin,
    /// One Nash equilibrium in every position; at most two roles choose at once
    Nash,
}

/// Joint moves of so many or more are refused where lots are to be drawn.
pub const MOST_JOINT_MOVES: usize = 10_000;

/// A position and what follows.
pub struct Stage<'v> {
    /// The number of legal moves of each role.
    pub widths: &'v [usize],
    /// The role that draws its moves.
    pub chance: Option<usize>,
    /// What each joint move is worth to every role; the moves of the last role vary fastest.
    pub values: Vec<&'v [Rational]>,
}

/// What a stage game is worth, and how it is played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StageSolution {
    /// For each role.
    pub value: Vec<Rational>,
    /// For each role the probability of each move.
    pub mixtures: Vec<Vec<Rational>>,
    /// For [`Concept::Maximin`]: for each role a mixture of the joint moves of the others that holds it to its value; they are
    /// numbered like joint moves in which this role and chance have one move.
    pub threats: Vec<Vec<Rational>>,
}

/// Why a stage game has no solution of the kind that was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unsolved {
    /// Several roles choose at once whose wishes are not opposite.
    GeneralSum,
    /// More than two roles choose at once.
    ManyChoose,
    /// Too many joint moves.
    Wide {
        joint: usize,
    },
    Stopped(Limit),
}

impl From<Limit> for Unsolved {
    fn from(limit: Limit) -> Unsolved {
        Unsolved::Stopped(limit)
    }
}

impl Stage<'_> {
    /// Roles that have a choice, without chance.
    pub fn choosers(&self) -> Vec<usize> {
        choosers(self.widths, self.chance)
    }

    /// Solves it. `is_opposite` says that there are two roles besides chance, whose rewards have a constant sum.
    ///
    /// # Errors
    /// Why it has no such solution.
    pub fn solve(
        &self,
        concept: Concept,
        is_opposite: bool,
        budget: &Budget,
    ) -> Result<StageSolution, Unsolved> {
        let expected = self.expected();
        let widths: Vec<usize> = (0..self.widths.len())
            .map(|role| if Some(role) == self.chance { 1 } else { self.widths[role] })
            .collect();
        let choosers = self.choosers();
        let joint = expected.len();
        if joint >= MOST_JOINT_MOVES && (choosers.len() > 1 || concept == Concept::Maximin) {
            return Err(Unsolved::Wide { joint });
        }
        let stage = Expected { widths: &widths, values: &expected };
        if concept == Concept::Maximin {
            let mut solution = stage.maximin(budget)?;
            solution.mixtures = self.with_chance(solution.mixtures);
            return Ok(solution);
        }
        let mut mixtures: Vec<Vec<Rational>> = widths.iter().map(|&width| pure(width, 0)).collect();
        match choosers[..] {
            [] => {}
            [role] => mixtures[role] = pure(widths[role], stage.favourite(role)),
            [one, two] if is_opposite => {
                let solution = matrix::solve(&stage.payoffs(one, two, one), budget)?;
                (mixtures[one], mixtures[two]) = (solution.row, solution.column);
            }
            [one, two] if concept == Concept::Nash => {
                if widths[one].max(widths[two]) > bimatrix::MOST {
                    return Err(Unsolved::Wide { joint });
                }
                let (own, other) = (stage.payoffs(one, two, one), stage.payoffs(one, two, two));
                let found = bimatrix::solve(&own, &other, budget)?;
                (mixtures[one], mixtures[two]) = (found.row, found.column);
            }
            [_, _] => return Err(Unsolved::GeneralSum),
            _ if concept == Concept::Nash => return Err(Unsolved::ManyChoose),
            _ => return Err(Unsolved::GeneralSum),
        }
        let value = stage.under(&mixtures);
        Ok(StageSolution { value, mixtures: self.with_chance(mixtures), threats: Vec::new() })
    }

    /// Mixtures with that of chance, which draws each of its moves equally often.
    fn with_chance(&self, mut mixtures: Vec<Vec<Rational>>) -> Vec<Vec<Rational>> {
        if let Some(chance) = self.chance {
            let width = self.widths[chance];
            mixtures[chance] = vec![fraction(1, width as i64); width];
        }
        mixtures
    }

    /// What the joint moves of the others are worth on average over the moves of chance.
    fn expected(&self) -> Vec<Vec<Rational>> {
        let width = self.chance.map_or(1, |chance| self.widths[chance]);
        if width == 1 {
            return self.values.iter().map(|value| value.to_vec()).collect();
        }
        let step: usize = self.widths[self.chance.expect("it has a choice") + 1..].iter().product();
        let share = fraction(1, width as i64);
        let mut found = Vec::with_capacity(self.values.len() / width);
        for block in self.values.chunks(step * width) {
            for rest in 0..step {
                let drawn = (0..width).map(|own| block[own * step + rest]);
                let mut sum = vec![Rational::zero(); self.widths.len()];
                for value in drawn {
                    sum.iter_mut().zip(value).for_each(|(sum, own)| *sum += own);
                }
                found.push(sum.into_iter().map(|sum| sum * &share).collect());
            }
        }
        found
    }
}

/// Roles that have a choice, without chance.
pub(crate) fn choosers(widths: &[usize], chance: Option<usize>) -> Vec<usize> {
    (0..widths.len()).filter(|&role| widths[role] > 1 && Some(role) != chance).collect()
}

/// The certain choice of one move.
fn pure(width: usize, only: usize) -> Vec<Rational> {
    (0..width).map(|own| if own == only { Rational::one() } else { Rational::zero() }).collect()
}

/// A stage game without chance.
struct Expected<'v> {
    widths: &'v [usize],
    values: &'v [Vec<Rational>],
}

impl Expected<'_> {
    /// The move that the only role with a choice likes best: the greatest reward, among equals the least sum for the others, then
    /// the greatest rewards of the first roles.
    fn favourite(&self, role: usize) -> usize {
        let key = |number: &usize| {
            let value = &self.values[*number];
            let sum: Rational = value.iter().sum();
            (value[role].clone(), -sum, value.clone())
        };
        (0..self.values.len()).rev().max_by_key(key).expect("a move")
    }

    /// The rewards of a role by the moves of two roles, the only ones with a choice.
    fn payoffs(&self, one: usize, two: usize, of: usize) -> Vec<Vec<Rational>> {
        let rows = self.values.chunks(self.widths[two]);
        debug_assert!(one < two);
        rows.map(|row| row.iter().map(|value| value[of].clone()).collect()).collect()
    }

    /// The expectation under mixtures.
    fn under(&self, mixtures: &[Vec<Rational>]) -> Vec<Rational> {
        let mut sum = vec![Rational::zero(); self.widths.len()];
        for (number, value) in self.values.iter().enumerate() {
            let mut weight = Rational::one();
            let mut rest = number;
            for (role, &width) in self.widths.iter().enumerate().rev() {
                weight *= &mixtures[role][rest % width];
                rest /= width;
            }
            if !weight.is_zero() {
                sum.iter_mut().zip(value).for_each(|(sum, own)| *sum += own * &weight);
            }
        }
        sum
    }

    /// For each role the matrix game against all others together.
    fn maximin(&self, budget: &Budget) -> Result<StageSolution, Limit> {
        let mut found = StageSolution { value: Vec::new(), mixtures: Vec::new(), threats: Vec::new() };
        for (role, &width) in self.widths.iter().enumerate() {
            let step: usize = self.widths[role + 1..].iter().product();
            let mut rows: Vec<Vec<Rational>> = vec![Vec::new(); width];
            for (number, value) in self.values.iter().enumerate() {
                rows[number / step % width].push(value[role].clone());
            }
            let solution = matrix::solve(&rows, budget)?;
            found.value.push(solution.value);
            found.mixtures.push(solution.row);
            found.threats.push(solution.column);
        }
        Ok(found)
    }
}
