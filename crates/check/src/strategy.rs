//! Checks plans that must win although the solver cannot see the other side.
//!
//! The plan is followed by a referee who sees everything: in each of the given states, after each reply that the rules
//! allow. It has to have an answer for all that is announced, and it has to win in time. Only the rules are asked;
//! belief states play no part.

use std::collections::HashSet;
use std::hash::Hash;

use counterplay_base::{Budget, Limit};

/// What the rules say to an attempt or a reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ruling<S, P> {
    /// The attempt is not possible in the true state; nothing has changed.
    Rejected,
    /// The solver has won.
    Won,
    /// It is over without a win of the solver.
    Over,
    /// It goes on with this announcement.
    Open(P, S),
}

/// The rules of a game with hidden information, told to the checker by a referee who sees everything.
pub trait Referee {
    /// A position, with everything that is hidden from a player.
    type State: Clone + Eq + Hash;
    /// What the solver may try.
    type Attempt: Copy;
    type Percept: Copy + Eq;

    /// What happens when the solver tries this.
    fn attempt(&self, state: &Self::State, attempt: Self::Attempt) -> Ruling<Self::State, Self::Percept>;

    /// What the other side may do; nothing means that it is over without a win.
    fn replies(&self, state: &Self::State) -> Vec<Ruling<Self::State, Self::Percept>>;
}

/// A plan as a tree: what to try, what to try if that is rejected, and how to go on after each pair of announcements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Strategy<A, P> {
    pub attempt: A,
    /// What to do if it is rejected.
    pub rejected: Option<Box<Strategy<A, P>>>,
    /// What to do after the announcement to the own step and the announcement to the reply.
    pub after: Vec<(P, Cases<A, P>)>,
}

/// What to do after each announcement to the reply.
pub type Cases<A, P> = Vec<(P, Strategy<A, P>)>;

/// Why a plan does not win.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StrategyFlaw<S, A, P> {
    /// The attempt may be rejected here, and the plan does not go on.
    NothingAfterRejection { state: S, attempt: A },
    /// This announcement is not foreseen after the attempt.
    Unforeseen { state: S, attempt: A, percept: P },
    /// This announcement is not foreseen after a reply.
    UnforeseenReply {
        /// What the reply leads to.
        state: S,
        percept: P,
    },
    /// It ends here without a win.
    NotWon { state: S },
    /// It takes more steps than allowed.
    TooLong {
        /// Where the plan still goes on.
        state: S,
    },
    /// A limit came first.
    Stopped(Limit),
}

/// A flaw in the words of a referee.
pub type FlawOf<R> = StrategyFlaw<<R as Referee>::State, <R as Referee>::Attempt, <R as Referee>::Percept>;

/// Follows a plan in every state and after every reply, for at most `depth` steps of both sides. Returns the number of
/// states in which something was decided.
pub fn check_strategy<R: Referee>(
    referee: &R,
    states: &[R::State],
    strategy: &Strategy<R::Attempt, R::Percept>,
    depth: usize,
    budget: &Budget,
) -> Result<u64, FlawOf<R>> {
    budget.check().map_err(StrategyFlaw::Stopped)?;
    let attempt = strategy.attempt;
    let mut visited = states.len() as u64;
    let mut rejected = Vec::new();
    let mut accepted: Vec<Vec<R::State>> = vec![Vec::new(); strategy.after.len()];
    for state in states {
        if depth == 0 {
            return Err(StrategyFlaw::TooLong { state: state.clone() });
        }
        match referee.attempt(state, attempt) {
            Ruling::Won => {}
            Ruling::Rejected => rejected.push(state.clone()),
            Ruling::Over => return Err(StrategyFlaw::NotWon { state: state.clone() }),
            Ruling::Open(percept, next) => {
                match strategy.after.iter().position(|(foreseen, _)| *foreseen == percept) {
                    Some(case) => accepted[case].push(next),
                    None => return Err(StrategyFlaw::Unforeseen { state: state.clone(), attempt, percept }),
                }
            }
        }
    }
    if let Some(state) = rejected.first() {
        let Some(next) = &strategy.rejected else {
            return Err(StrategyFlaw::NothingAfterRejection { state: state.clone(), attempt });
        };
        visited += check_strategy(referee, &rejected, next, depth, budget)?;
    }
    for ((_, cases), states) in strategy.after.iter().zip(accepted) {
        visited += check_replies(referee, &states, cases, depth, budget)?;
    }
    Ok(visited)
}

fn check_replies<R: Referee>(
    referee: &R,
    states: &[R::State],
    cases: &Cases<R::Attempt, R::Percept>,
    depth: usize,
    budget: &Budget,
) -> Result<u64, FlawOf<R>> {
    let mut reached: Vec<HashSet<R::State>> = vec![HashSet::new(); cases.len()];
    for state in states {
        budget.check().map_err(StrategyFlaw::Stopped)?;
        if depth < 3 {
            return Err(StrategyFlaw::TooLong { state: state.clone() });
        }
        let replies = referee.replies(state);
        if replies.is_empty() {
            return Err(StrategyFlaw::NotWon { state: state.clone() });
        }
        for reply in replies {
            match reply {
                Ruling::Won => {}
                Ruling::Over | Ruling::Rejected => return Err(StrategyFlaw::NotWon { state: state.clone() }),
                Ruling::Open(percept, next) => {
                    match cases.iter().position(|(foreseen, _)| *foreseen == percept) {
                        Some(case) => {
                            reached[case].insert(next);
                        }
                        None => return Err(StrategyFlaw::UnforeseenReply { state: next, percept }),
                    }
                }
            }
        }
    }
    let mut visited = 0;
    for ((_, strategy), states) in cases.iter().zip(reached) {
        let states: Vec<R::State> = states.into_iter().collect();
        visited += check_strategy(referee, &states, strategy, depth - 2, budget)?;
    }
    Ok(visited)
}
