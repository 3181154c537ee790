//! Checks expected values and mixed strategies, position by position, by best responses.
//!
//! A claim gives for each position an expected reward for every role, and how each role draws its move there. What the
//! positions one joint move later are claimed to be worth makes a small game of the position. Chance draws each of its legal
//! moves equally often. Then the claim is right in one of two ways. *Equilibrium*: the mixtures bring every role what is claimed,
//! and no role can get more by another move while the others keep to theirs. For two roles with a constant sum that is the value
//! of the position, however the mixtures were found. *Security*: the mixture of a role brings it at least what is claimed
//! against every joint move of the others, and a mixture of the others' joint moves holds it to that.
//!
//! Only the rules and the definition of an equilibrium are used: how a solver orders moves, breaks ties or solves a game plays no
//! part.

use std::collections::{HashSet, VecDeque};

use counterplay_base::{Budget, Limit};
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};

use crate::solution::{Rulebook, Scope, joint};

/// Rules of a game, and what is claimed about its positions.
pub trait MixedClaim: Rulebook {
    /// The role that draws its moves.
    fn chance(&self) -> Option<usize>;
    /// The expected reward of each role; `None` if nothing is claimed.
    fn expected(
        &mut self,
        state: &Self::State,
        made: usize,
    ) -> Result<Option<Vec<BigRational>>, Self::Trouble>;
    /// How the roles play in a position that is not over and whose successors all have values: `moves` and `values` are
    /// the legal moves of each role and what their combinations are worth, the moves of the last role varying fastest.
    fn profile(
        &mut self,
        moves: &[Vec<Self::Move>],
        values: &[Vec<BigRational>],
    ) -> Result<Profile, Self::Trouble>;
}

/// How roles play in a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Profile {
    /// For each role the probability of each of its legal moves; what is said of chance is not looked at.
    pub mixtures: Vec<Vec<BigRational>>,
    /// For security: for each role a mixture of the joint moves of all others but chance.
    pub threats: Vec<Vec<BigRational>>,
}

/// What values are claimed to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Promise {
    Equilibrium,
    Security,
}

/// Why a claim is wrong, or cannot be checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MixtureFlaw<S, T> {
    /// At an end, or where one was expected, something else is claimed.
    Value { state: S, claimed: Option<Vec<BigRational>>, expected: Option<Vec<BigRational>> },
    /// The weights of a role are no probabilities of its moves.
    Mixture { state: S, role: usize },
    /// A role can get more than is claimed, or be held to less.
    Response {
        state: S,
        role: usize,
        /// What is claimed, and what was found.
        rewards: Box<[BigRational; 2]>,
    },
    /// A question had no answer.
    Trouble(T),
    /// A limit came first.
    Stopped(Limit),
}

/// What is wrong with a claim.
pub type MixtureFlawIn<C> = MixtureFlaw<<C as Rulebook>::State, <C as Rulebook>::Trouble>;

/// Checks positions; returns how many were looked at.
pub fn check_mixtures<C: MixedClaim>(
    claim: &mut C,
    promise: Promise,
    scope: Scope<'_>,
    budget: &Budget,
) -> Result<usize, MixtureFlawIn<C>> {
    let first = claim.initial().map_err(MixtureFlaw::Trouble)?;
    match scope {
        Scope::All => {
            let mut seen: HashSet<C::State> = HashSet::from([first.clone()]);
            let mut open = VecDeque::from([(first, 0)]);
            let mut checked = 0;
            while let Some((state, made)) = open.pop_front() {
                budget.check().map_err(MixtureFlaw::Stopped)?;
                checked += 1;
                for next in check_position(claim, promise, &state, made)? {
                    if seen.insert(next.clone()) {
                        open.push_back((next, made + 1));
                    }
                }
            }
            Ok(checked)
        }
        Scope::Sample { positions, choose, is_enough } => {
            let (mut state, mut made) = (first.clone(), 0);
            for checked in 0..positions {
                if is_enough() {
                    return Ok(checked);
                }
                budget.check().map_err(MixtureFlaw::Stopped)?;
                let mut after = check_position(claim, promise, &state, made)?;
                match after.len() {
                    0 => (state, made) = (first.clone(), 0),
                    count => (state, made) = (after.swap_remove(choose(count)), made + 1),
                }
            }
            Ok(positions)
        }
    }
}

/// Checks a position; returns those that follow.
fn check_position<C: MixedClaim>(
    claim: &mut C,
    promise: Promise,
    state: &C::State,
    made: usize,
) -> Result<Vec<C::State>, MixtureFlawIn<C>> {
    let claimed = claim.expected(state, made).map_err(MixtureFlaw::Trouble)?;
    let wrong = |expected| MixtureFlaw::Value { state: state.clone(), claimed: claimed.clone(), expected };
    let mut moves: Vec<Vec<C::Move>> = Vec::new();
    let mut is_over = claim.is_over(state).map_err(MixtureFlaw::Trouble)?;
    if !is_over {
        for role in 0..claim.roles() {
            moves.push(claim.moves(state, role).map_err(MixtureFlaw::Trouble)?);
        }
        is_over = moves.iter().any(Vec::is_empty);
    }
    if is_over {
        let rewards = claim.rewards(state).map_err(MixtureFlaw::Trouble)?;
        let rewards: Vec<BigRational> =
            rewards.iter().map(|&own| BigRational::from_integer(own.into())).collect();
        return if claimed.as_ref() == Some(&rewards) { Ok(Vec::new()) } else { Err(wrong(Some(rewards))) };
    }
    let mut after = Vec::new();
    let mut values = Vec::new();
    for row in 0..moves.iter().map(Vec::len).product() {
        let next = claim.next(state, &joint(&moves, row)).map_err(MixtureFlaw::Trouble)?;
        values.push(claim.expected(&next, made + 1).map_err(MixtureFlaw::Trouble)?);
        after.push(next);
    }
    let Some(values) = values.into_iter().collect::<Option<Vec<Vec<BigRational>>>>() else {
        // Where something that follows has no value, neither has this.
        return if claimed.is_none() { Ok(after) } else { Err(wrong(None)) };
    };
    let Some(claimed) = &claimed else { return Err(wrong(values.first().cloned())) };
    let profile = claim.profile(&moves, &values).map_err(MixtureFlaw::Trouble)?;
    let place = Place {
        widths: moves.iter().map(Vec::len).collect(),
        chance: claim.chance(),
        values: &values,
        claimed,
        profile: &profile,
    };
    let found = match promise {
        Promise::Equilibrium => place.equilibrium(),
        Promise::Security => place.security(),
    };
    match found {
        Ok(()) => Ok(after),
        Err(Wrong::Mixture { role }) => Err(MixtureFlaw::Mixture { state: state.clone(), role }),
        Err(Wrong::Response { role, found }) => {
            let rewards = Box::new([claimed[role].clone(), found]);
            Err(MixtureFlaw::Response { state: state.clone(), role, rewards })
        }
    }
}

/// What is wrong in a position.
enum Wrong {
    Mixture { role: usize },
    Response { role: usize, found: BigRational },
}

/// A position as a small game.
struct Place<'c> {
    widths: Vec<usize>,
    chance: Option<usize>,
    /// By joint move, for each role.
    values: &'c [Vec<BigRational>],
    claimed: &'c [BigRational],
    profile: &'c Profile,
}

impl Place<'_> {
    /// The move of a role in a joint move.
    fn part(&self, row: usize, role: usize) -> usize {
        row / self.widths[role + 1..].iter().product::<usize>() % self.widths[role]
    }

    /// The probability of a move of a role.
    fn weight(&self, role: usize, own: usize) -> BigRational {
        match self.chance == Some(role) {
            true => BigRational::new(1.into(), self.widths[role].into()),
            false => self.profile.mixtures[role][own].clone(),
        }
    }

    fn are_mixtures(&self) -> Result<(), Wrong> {
        for (role, &width) in self.widths.iter().enumerate().filter(|(role, _)| Some(*role) != self.chance) {
            if !self.profile.mixtures.get(role).is_some_and(|own| is_distribution(own, width)) {
                return Err(Wrong::Mixture { role });
            }
        }
        Ok(())
    }

    /// What each move of a role brings it if all others keep to their mixtures.
    fn replies(&self, role: usize) -> Vec<BigRational> {
        let mut sums = vec![BigRational::zero(); self.widths[role]];
        for (row, value) in self.values.iter().enumerate() {
            let others = (0..self.widths.len()).filter(|&other| other != role);
            let weight: BigRational = others.map(|other| self.weight(other, self.part(row, other))).product();
            sums[self.part(row, role)] += weight * &value[role];
        }
        sums
    }

    fn equilibrium(&self) -> Result<(), Wrong> {
        self.are_mixtures()?;
        for role in 0..self.widths.len() {
            let replies = self.replies(role);
            let together: BigRational =
                replies.iter().enumerate().map(|(own, reply)| self.weight(role, own) * reply).sum();
            if together != self.claimed[role] {
                return Err(Wrong::Response { role, found: together });
            }
            let better = replies.into_iter().find(|reply| *reply > self.claimed[role]);
            if let Some(found) = better.filter(|_| self.chance != Some(role)) {
                return Err(Wrong::Response { role, found });
            }
        }
        Ok(())
    }

    fn security(&self) -> Result<(), Wrong> {
        self.are_mixtures()?;
        for role in 0..self.widths.len() {
            let is_own = |other: usize| other == role || Some(other) == self.chance;
            let others: Vec<usize> = (0..self.widths.len()).filter(|&other| !is_own(other)).collect();
            let replies: usize = others.iter().map(|&other| self.widths[other]).product();
            let own = if Some(role) == self.chance { 1 } else { self.widths[role] };
            let threat = self.profile.threats.get(role).filter(|own| is_distribution(own, replies));
            let Some(threat) = threat else { return Err(Wrong::Mixture { role }) };
            // What each move of the role brings against each joint move of the others, on average over chance.
            let mut table = vec![vec![BigRational::zero(); replies]; own];
            for (row, value) in self.values.iter().enumerate() {
                let reply =
                    others.iter().fold(0, |all, &other| all * self.widths[other] + self.part(row, other));
                let drawn = self.chance.map_or(BigRational::one(), |chance| self.weight(chance, 0));
                let own = if Some(role) == self.chance { 0 } else { self.part(row, role) };
                table[own][reply] += drawn * &value[role];
            }
            let mixture: Vec<BigRational> = match Some(role) == self.chance {
                true => vec![BigRational::one()],
                false => self.profile.mixtures[role].clone(),
            };
            for reply in 0..replies {
                let brings = table.iter().zip(&mixture).map(|(row, weight)| weight * &row[reply]);
                let found: BigRational = brings.sum();
                if found < self.claimed[role] {
                    return Err(Wrong::Response { role, found });
                }
            }
            for row in &table {
                let found: BigRational = row.iter().zip(threat).map(|(value, weight)| value * weight).sum();
                if found > self.claimed[role] {
                    return Err(Wrong::Response { role, found });
                }
            }
        }
        Ok(())
    }
}

fn is_distribution(weights: &[BigRational], count: usize) -> bool {
    weights.len() == count
        && weights.iter().all(|own| !own.is_negative())
        && weights.iter().sum::<BigRational>().is_one()
}
