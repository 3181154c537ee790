//! Whether a strong-cyclic policy is strong as it is: no state is ever met twice.
//!
//! A policy with few states is followed state by state. One with many may still be seen to have no loops by its pairs: what is
//! certain after each outcome of a pair tells which pairs can answer next, and if no pair ever comes after itself, no
//! state does.

use counterplay_base::{Budget, BudgetPoll, IdVec};
use counterplay_task::{Fact, NondetTask, Value, VarId, holds, is_goal};

use crate::explicit::{Planner, progress};
use crate::graph::Walk;
use crate::{Policy, State};

/// A policy is followed through so many states.
const WALKED_STATES: usize = 20_000;
/// With more pairs than this, they are not compared with each other.
const MOST_PAIRS: usize = 10_000;

/// Whether a policy is seen to be strong. `false` says nothing.
pub(crate) fn is_strong(nondet: &NondetTask, policy: &Policy, budget: &Budget) -> bool {
    by_pairs(nondet, policy, budget) || by_states(nondet, policy, budget)
}

/// It answers every state that it can reach, and comes to none twice.
fn by_states(nondet: &NondetTask, policy: &Policy, budget: &Budget) -> bool {
    let Ok(walk) = Walk::new(nondet, policy, WALKED_STATES, budget) else { return false };
    let mut answered = walk.states.iter().zip(&walk.answers);
    let is_answered = |(state, answer): (&State, &Option<usize>)| match answer {
        // An answer that cannot be carried out is none.
        Some(pair) => holds(state, nondet.precondition(policy.pairs[*pair].choice)),
        None => is_goal(&nondet.task, state),
    };
    walk.is_whole && answered.all(is_answered) && walk.is_acyclic()
}

/// What is known of a state.
type Partial = IdVec<VarId, Option<Value>>;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    New,
    Open,
    Done,
}

/// No pair comes after itself, as far as conditions tell.
fn by_pairs(nondet: &NondetTask, policy: &Policy, budget: &Budget) -> bool {
    if !nondet.task.axioms.is_empty() || policy.pairs.len() > MOST_PAIRS {
        return false;
    }
    let initial = Planner::new(nondet).initial();
    let initial: Partial = initial.iter().map(|&value| Some(value)).collect();
    let Some(first) = next_pairs(nondet, policy, &initial) else { return false };
    let mut marks = vec![Mark::New; policy.pairs.len()];
    let mut poll = BudgetPoll::every(16);
    // Each entry is a pair that is open, with the pairs after it that are still to be looked at.
    let mut stack: Vec<(Option<usize>, Vec<usize>)> = vec![(None, first)];
    while let Some((pair, after)) = stack.last_mut() {
        let Some(next) = after.pop() else {
            if let Some(pair) = pair {
                marks[*pair] = Mark::Done;
            }
            stack.pop();
            continue;
        };
        match marks[next] {
            Mark::Open => return false,
            Mark::Done => continue,
            Mark::New => marks[next] = Mark::Open,
        }
        if poll.step(budget).is_err() {
            return false;
        }
        let Some(after) = after_pair(nondet, policy, next) else { return false };
        stack.push((Some(next), after));
    }
    true
}

/// The pairs that can answer after a pair; `None` if something may be left without an answer.
fn after_pair(nondet: &NondetTask, policy: &Policy, pair: usize) -> Option<Vec<usize>> {
    let pair = &policy.pairs[pair];
    let has = |fact: &Fact| pair.condition.contains(fact);
    if !nondet.precondition(pair.choice).iter().all(has) {
        return None;
    }
    let mut after = Vec::new();
    for op in nondet.choices[pair.choice].operators() {
        let known = progress(nondet, &pair.condition, &nondet.task.operators[op]);
        after.extend(next_pairs(nondet, policy, &known)?);
    }
    after.sort_unstable();
    after.dedup();
    Some(after)
}

/// The pairs that can be the first to fit where so much is known; `None` if perhaps none fits and the goal may not hold.
fn next_pairs(nondet: &NondetTask, policy: &Policy, known: &Partial) -> Option<Vec<usize>> {
    let is_certain = |fact: &Fact| known[fact.var] == Some(fact.value);
    let is_excluded = |fact: &Fact| known[fact.var].is_some_and(|value| value != fact.value);
    let mut found = Vec::new();
    if nondet.task.goal.iter().all(is_certain) {
        return Some(found);
    }
    for (at, pair) in policy.pairs.iter().enumerate() {
        if pair.condition.iter().any(is_excluded) {
            continue;
        }
        found.push(at);
        if pair.condition.iter().all(is_certain) {
            return Some(found);
        }
    }
    None
}
