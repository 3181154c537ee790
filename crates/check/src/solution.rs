//! Checks strong solutions of games: is every value what the values one move later make of it?
//!
//! A solution claims a value for each position, a reward for every role. At an end of the game it has to be what the
//! rules say. Elsewhere every role makes one of its legal moves, all of them at once: that is a joint move. If at most one
//! role has several, it decides alone which joint move is made, and the value is that of the position after the joint
//! move that it likes best. If several roles have several, none of them knows what the others do: such a position has no
//! value that this checker could confirm, and a solution that claims one anywhere on the way is refused.
//!
//! If that holds in all positions of a game that cannot go on for ever, all values are right (backward induction); a
//! sample makes a mistake unlikely. Only the rules are asked; how the values were found plays no part.
//!
//! Where play can go on for ever, a claim may be missing: then some position that follows must lack one as well. With a
//! single player, only if all of them do.

use std::collections::{HashSet, VecDeque};
use std::hash::Hash;

use counterplay_base::{Budget, Limit};

/// The rules of a game.
pub trait Rulebook {
    type State: Clone + Eq + Hash;
    /// A move of one role.
    type Move: Clone;
    /// Why a question has no answer.
    type Trouble;

    /// How many roles there are.
    fn roles(&self) -> usize;
    /// Where the game begins.
    fn initial(&mut self) -> Result<Self::State, Self::Trouble>;
    /// Whether the rules say that it is over.
    fn is_over(&mut self, state: &Self::State) -> Result<bool, Self::Trouble>;
    /// What each role gets if it ends here; 0 if the rules do not say.
    fn rewards(&mut self, state: &Self::State) -> Result<Vec<u32>, Self::Trouble>;
    /// The legal moves of a role.
    fn moves(&mut self, state: &Self::State, role: usize) -> Result<Vec<Self::Move>, Self::Trouble>;
    /// What a joint move leads to.
    fn next(&mut self, state: &Self::State, moves: &[Self::Move]) -> Result<Self::State, Self::Trouble>;
}

/// Rules of a game, and values claimed for its positions.
pub trait Claim: Rulebook {
    /// The value that is claimed, after so many joint moves from the beginning.
    fn value(&mut self, state: &Self::State, made: usize) -> Result<Option<Vec<u32>>, Self::Trouble>;
}

/// How much a role likes rewards: greater is better.
pub type Liking = fn(rewards: &[u32], role: usize) -> (i64, i64);

/// The greatest reward; among equals the least for the others.
pub fn own_reward(rewards: &[u32], role: usize) -> (i64, i64) {
    let own = i64::from(rewards[role]);
    (own, own - rewards.iter().map(|&reward| i64::from(reward)).sum::<i64>())
}

/// The greatest difference to the others; among equals the greatest reward.
pub fn difference(rewards: &[u32], role: usize) -> (i64, i64) {
    let own = i64::from(rewards[role]);
    (2 * own - rewards.iter().map(|&reward| i64::from(reward)).sum::<i64>(), own)
}

/// A position and the values one joint move later.
pub struct Ahead<M> {
    /// The rewards, if it is over here.
    pub over: Option<Vec<u32>>,
    /// The legal moves of each role.
    pub moves: Vec<Vec<M>>,
    /// The claimed values of what follows: the moves of the last role vary fastest.
    pub values: Vec<Option<Vec<u32>>>,
}

impl<M> Ahead<M> {
    /// What the role with a choice makes of it; `None` if a value is missing, or if several roles have a choice.
    pub fn combined(&self, likes: Liking) -> Option<Vec<u32>> {
        if let Some(rewards) = &self.over {
            return Some(rewards.clone());
        }
        if self.values.contains(&None) { None } else { self.best_known(likes) }
    }

    /// What comes of a move of the only role with a choice; `None` if there are several such roles, or the value is
    /// missing.
    pub fn after(&self, number: usize) -> Option<Vec<u32>> {
        // All others have one move, so that joint moves are numbered like the moves of the one that chooses.
        if self.choosers().count() > 1 { None } else { self.values.get(number)?.clone() }
    }

    /// Roles with more than one move.
    pub fn choosers(&self) -> impl Iterator<Item = usize> + '_ {
        self.moves.iter().enumerate().filter(|(_, moves)| moves.len() > 1).map(|(role, _)| role)
    }

    /// What the only role with a choice likes best among the values that are there.
    fn best_known(&self, likes: Liking) -> Option<Vec<u32>> {
        let mut choosers = self.choosers();
        let role = choosers.next().unwrap_or(0);
        if choosers.next().is_some() {
            return None;
        }
        let known = self.values.iter().flatten();
        // Rewards themselves decide between what is liked equally, so that there is one answer.
        known.max_by_key(|value| (likes(value, role), (*value).clone())).cloned()
    }
}

/// Looks one joint move ahead.
pub fn look_ahead<C: Claim>(
    claim: &mut C,
    state: &C::State,
    made: usize,
) -> Result<Ahead<C::Move>, C::Trouble> {
    let mut moves = Vec::new();
    let mut is_over = claim.is_over(state)?;
    if !is_over {
        for role in 0..claim.roles() {
            moves.push(claim.moves(state, role)?);
        }
        // The game cannot go on from where a role has no move.
        is_over = moves.iter().any(Vec::is_empty);
    }
    if is_over {
        return Ok(Ahead { over: Some(claim.rewards(state)?), moves: Vec::new(), values: Vec::new() });
    }
    let mut values = Vec::new();
    for row in 0..moves.iter().map(Vec::len).product() {
        let next = claim.next(state, &joint(&moves, row))?;
        values.push(claim.value(&next, made + 1)?);
    }
    Ok(Ahead { over: None, moves, values })
}

/// The joint move of a row.
pub(crate) fn joint<M: Clone>(moves: &[Vec<M>], mut row: usize) -> Vec<M> {
    let mut joint: Vec<M> = Vec::with_capacity(moves.len());
    for own in moves.iter().rev() {
        joint.push(own[row % own.len()].clone());
        row /= own.len();
    }
    joint.reverse();
    joint
}

/// Why a solution is wrong, or cannot be checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SolutionFlaw<S, T> {
    /// The value of a position is not what follows from those after it.
    Wrong {
        state: S,
        /// Joint moves from the beginning.
        made: usize,
        /// What is claimed.
        claimed: Option<Vec<u32>>,
        /// The value that follows from the positions after it.
        expected: Option<Vec<u32>>,
    },
    /// Several roles have several legal moves in a position, which therefore has no value of this kind.
    Simultaneous { state: S, roles: Vec<usize> },
    /// A question had no answer.
    Trouble(T),
    /// A limit came first.
    Stopped(Limit),
}

/// Which positions are looked at.
pub enum Scope<'c> {
    /// All that can be reached.
    All,
    /// Those on games played at random until so many have been looked at; `choose(n)` gives a number below `n`.
    Sample {
        positions: usize,
        /// Where chance comes from.
        choose: &'c mut dyn FnMut(usize) -> usize,
        /// Asked before each position whether those so far will do.
        is_enough: &'c dyn Fn() -> bool,
    },
}

/// Checks the values of positions; returns how many were looked at.
pub fn check_solution<C: Claim>(
    claim: &mut C,
    likes: Liking,
    scope: Scope<'_>,
    budget: &Budget,
) -> Result<usize, FlawIn<C>> {
    let first = claim.initial().map_err(SolutionFlaw::Trouble)?;
    match scope {
        Scope::All => {
            let mut seen: HashSet<C::State> = HashSet::from([first.clone()]);
            let mut open = VecDeque::from([(first, 0)]);
            let mut checked = 0;
            while let Some((state, made)) = open.pop_front() {
                budget.check().map_err(SolutionFlaw::Stopped)?;
                let ahead = check_position(claim, likes, &state, made)?;
                checked += 1;
                for row in 0..ahead.values.len() {
                    let next =
                        claim.next(&state, &joint(&ahead.moves, row)).map_err(SolutionFlaw::Trouble)?;
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
                budget.check().map_err(SolutionFlaw::Stopped)?;
                let ahead = check_position(claim, likes, &state, made)?;
                if ahead.values.is_empty() {
                    (state, made) = (first.clone(), 0);
                    continue;
                }
                let row = choose(ahead.values.len());
                state = claim.next(&state, &joint(&ahead.moves, row)).map_err(SolutionFlaw::Trouble)?;
                made += 1;
            }
            Ok(positions)
        }
    }
}

/// What is wrong with a claim.
pub type FlawIn<C> = SolutionFlaw<<C as Rulebook>::State, <C as Rulebook>::Trouble>;

fn check_position<C: Claim>(
    claim: &mut C,
    likes: Liking,
    state: &C::State,
    made: usize,
) -> Result<Ahead<C::Move>, FlawIn<C>> {
    let claimed = claim.value(state, made).map_err(SolutionFlaw::Trouble)?;
    let ahead = look_ahead(claim, state, made).map_err(SolutionFlaw::Trouble)?;
    let roles: Vec<usize> = ahead.choosers().collect();
    if roles.len() > 1 {
        return Err(SolutionFlaw::Simultaneous { state: state.clone(), roles });
    }
    let expected = ahead.combined(likes);
    // Where something that follows has no value, the claim may be that of the best that does, or none.
    let is_right = claimed == expected || expected.is_none() && claimed == ahead.best_known(likes);
    if is_right && !(claim.roles() == 1 && claimed.is_none() && ahead.best_known(likes).is_some()) {
        return Ok(ahead);
    }
    Err(SolutionFlaw::Wrong { state: state.clone(), made, claimed, expected })
}
