//! Checks strategies of games with hidden moves by best responses, from the definitions.
//!
//! A role knows its own moves, what it perceived of each joint move, and its legal moves. A strategy gives the probabilities of
//! its legal moves by what it knows. To check what a strategy is worth, everything else is fixed: chance draws its moves equally
//! often, one role keeps to its strategy, and the other, the responder, does what is best (or worst) for a reward. The responder
//! can do no more than choose one move for all histories that it cannot tell apart. So the recursion here runs over sets of
//! histories with their probabilities: every move of the responder is tried for the whole set, and what follows is divided by
//! what the responder perceives.
//!
//! Rules come from the interpreter and information from its texts; solvers number and merge nothing here.

use std::collections::BTreeMap;

use counterplay_base::{Budget, Limit};
use num_rational::BigRational;
use num_traits::{One, Zero};

use crate::solution::Rulebook;

/// What a role did, what it perceived of it, and what it could do then.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Experience {
    pub own: String,
    pub percepts: Vec<String>,
    pub legal: Vec<String>,
}

/// Rules of a game with hidden moves, and a strategy for each role.
pub trait HiddenClaim: Rulebook {
    /// The role that draws its moves.
    fn chance(&self) -> Option<usize>;
    /// What a role perceives of a joint move, as texts.
    fn percepts(
        &mut self,
        state: &Self::State,
        moves: &[Self::Move],
        role: usize,
    ) -> Result<Vec<String>, Self::Trouble>;
    /// A move as it is written.
    fn name(&self, own: &Self::Move) -> String;
    /// How a role that knows its past draws one of its legal moves; `None` if the strategy does not say.
    fn draw(
        &mut self,
        role: usize,
        past: &[Experience],
        legal: &[String],
    ) -> Result<Option<Vec<BigRational>>, Self::Trouble>;
}

/// Whose response is wanted, and what it is after.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Response {
    /// The role that is not bound to its strategy; `None` if all are.
    pub responder: Option<usize>,
    /// The role whose reward counts.
    pub reward_of: usize,
    /// Whether the responder wants the least of it.
    pub wants_least: bool,
}

/// Why a response cannot be found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ResponseFlaw<S, T> {
    /// A strategy does not say what a role does, or gives no probabilities.
    Strategy {
        state: S,
        role: usize,
    },
    Trouble(T),
    Stopped(Limit),
}

/// What is wrong with a claim.
pub type ResponseFlawIn<C> = ResponseFlaw<<C as Rulebook>::State, <C as Rulebook>::Trouble>;

/// What a response comes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Responded {
    /// The expected reward.
    pub value: BigRational,
    /// Positions that were looked at.
    pub positions: usize,
}

/// A history: where it has come to, what each role has experienced, and how likely it is.
struct History<S> {
    state: S,
    pasts: Vec<Vec<Experience>>,
    weight: BigRational,
}

/// The best that a responder can do against the strategies of the others.
pub fn best_response<C: HiddenClaim>(
    claim: &mut C,
    response: Response,
    budget: &Budget,
) -> Result<Responded, ResponseFlawIn<C>> {
    let state = claim.initial().map_err(ResponseFlaw::Trouble)?;
    let pasts = vec![Vec::new(); claim.roles()];
    let first = History { state, pasts, weight: BigRational::one() };
    let mut search = Search { claim, response, budget, positions: 0 };
    let value = search.set(vec![first])?;
    Ok(Responded { value, positions: search.positions })
}

struct Search<'c, C> {
    claim: &'c mut C,
    response: Response,
    budget: &'c Budget,
    positions: usize,
}

/// A history that is not over, with the legal moves of each role.
struct Open<C: Rulebook> {
    history: History<C::State>,
    moves: Vec<Vec<C::Move>>,
}

impl<C: HiddenClaim> Search<'_, C> {
    /// What a set of histories comes to that the responder cannot tell apart by what it did and perceived.
    fn set(&mut self, histories: Vec<History<C::State>>) -> Result<BigRational, ResponseFlawIn<C>> {
        let mut sum = BigRational::zero();
        // It also sees which moves it may make.
        let mut by_legal: BTreeMap<Vec<String>, Vec<Open<C>>> = BTreeMap::new();
        for history in histories {
            self.budget.check().map_err(ResponseFlaw::Stopped)?;
            self.positions += 1;
            let mut moves = Vec::new();
            let mut is_over = self.claim.is_over(&history.state).map_err(ResponseFlaw::Trouble)?;
            if !is_over {
                for role in 0..self.claim.roles() {
                    moves.push(self.claim.moves(&history.state, role).map_err(ResponseFlaw::Trouble)?);
                }
                is_over = moves.iter().any(Vec::is_empty);
            }
            if is_over {
                let rewards = self.claim.rewards(&history.state).map_err(ResponseFlaw::Trouble)?;
                sum += history.weight * BigRational::from_integer(rewards[self.response.reward_of].into());
                continue;
            }
            let legal = self.response.responder.map_or(Vec::new(), |role| self.names(&moves[role]));
            by_legal.entry(legal).or_default().push(Open { history, moves });
        }
        for (legal, set) in by_legal {
            sum += self.choice(&legal, &set)?;
        }
        Ok(sum)
    }

    fn names(&self, moves: &[C::Move]) -> Vec<String> {
        moves.iter().map(|own| self.claim.name(own)).collect()
    }

    /// What the responder makes of an information set.
    fn choice(&mut self, legal: &[String], set: &[Open<C>]) -> Result<BigRational, ResponseFlawIn<C>> {
        let mut best: Option<BigRational> = None;
        for chosen in 0..legal.len().max(1) {
            let found = self.after(chosen, set)?;
            let is_better = best.as_ref().is_none_or(|best| match self.response.wants_least {
                true => found < *best,
                false => found > *best,
            });
            if is_better {
                best = Some(found);
            }
        }
        Ok(best.expect("at least one choice"))
    }

    /// What follows a set of histories if the responder makes the chosen move in all of them.
    fn after(&mut self, chosen: usize, set: &[Open<C>]) -> Result<BigRational, ResponseFlawIn<C>> {
        let mut by_percepts: BTreeMap<Vec<String>, Vec<History<C::State>>> = BTreeMap::new();
        for Open { history, moves } in set {
            let names: Vec<Vec<String>> = moves.iter().map(|own| self.names(own)).collect();
            let mut weights: Vec<Vec<BigRational>> = Vec::new();
            for (role, legal) in names.iter().enumerate() {
                weights.push(self.weights(role, chosen, history, legal)?);
            }
            let mut combined: Vec<(Vec<usize>, BigRational)> = vec![(Vec::new(), history.weight.clone())];
            for own in &weights {
                combined = combined
                    .iter()
                    .flat_map(|(begun, weight)| {
                        let likely = own.iter().enumerate().filter(|(_, more)| !more.is_zero());
                        likely.map(move |(at, more)| ([&begun[..], &[at]].concat(), weight * more))
                    })
                    .collect();
            }
            for (choice, weight) in combined {
                let joint: Vec<C::Move> =
                    choice.iter().zip(moves).map(|(&at, own)| own[at].clone()).collect();
                let state = self.claim.next(&history.state, &joint).map_err(ResponseFlaw::Trouble)?;
                let mut pasts = history.pasts.clone();
                for (role, past) in pasts.iter_mut().enumerate() {
                    let percepts =
                        self.claim.percepts(&history.state, &joint, role).map_err(ResponseFlaw::Trouble)?;
                    let own = names[role][choice[role]].clone();
                    past.push(Experience { own, percepts, legal: names[role].clone() });
                }
                let seen = self.response.responder.map_or(Vec::new(), |role| {
                    pasts[role].last().map_or(Vec::new(), |last| last.percepts.clone())
                });
                by_percepts.entry(seen).or_default().push(History { state, pasts, weight });
            }
        }
        match self.response.responder {
            Some(_) => by_percepts.into_values().map(|set| self.set(set)).sum(),
            None => self.set(by_percepts.into_values().flatten().collect()),
        }
    }

    /// The probabilities of the moves of a role in a history.
    fn weights(
        &mut self,
        role: usize,
        chosen: usize,
        history: &History<C::State>,
        legal: &[String],
    ) -> Result<Vec<BigRational>, ResponseFlawIn<C>> {
        if Some(role) == self.response.responder {
            let pure = |at| if at == chosen { BigRational::one() } else { BigRational::zero() };
            return Ok((0..legal.len()).map(pure).collect());
        }
        if Some(role) == self.claim.chance() {
            return Ok(vec![BigRational::new(1.into(), legal.len().into()); legal.len()]);
        }
        let drawn = self.claim.draw(role, &history.pasts[role], legal).map_err(ResponseFlaw::Trouble)?;
        let is_sound = |own: &Vec<BigRational>| {
            own.len() == legal.len()
                && own.iter().all(|weight| *weight >= BigRational::zero())
                && own.iter().sum::<BigRational>().is_one()
        };
        drawn.filter(is_sound).ok_or_else(|| ResponseFlaw::Strategy { state: history.state.clone(), role })
    }
}
