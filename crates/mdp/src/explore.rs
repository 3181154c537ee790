//! From a finite task whose outcomes have odds to the process of the states that can be reached.

use counterplay_base::{Budget, BudgetPoll, Id, IdVec, Limit};
use counterplay_task::{ChoiceId, OddsTask, Value, VarId, apply, close_under_axioms, holds, is_goal};
use num_traits::{CheckedAdd, CheckedMul};
use rustc_hash::FxHashMap;

use crate::model::{Mdp, MdpBuilder, Number};

/// The states that can be reached, and the process over them. Labels of actions are numbers of choices.
#[derive(Clone, Debug)]
pub struct Explored {
    pub mdp: Mdp,
    pub states: Vec<IdVec<VarId, Value>>,
}

/// Why there is no process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unexplored {
    /// The expected cost of an action has too many digits.
    Overflow(ChoiceId),
    Stopped(Limit),
}

impl From<Limit> for Unexplored {
    fn from(limit: Limit) -> Unexplored {
        Unexplored::Stopped(limit)
    }
}

/// Lists the states that can be reached, breadth first.
///
/// # Errors
/// What is wrong with a cost, or the limit that was reached.
pub fn explore(task: &OddsTask, budget: &Budget) -> Result<Explored, Unexplored> {
    let costs = expected_costs(task)?;
    let finite = &task.nondet.task;
    let mut initial = finite.initial.clone();
    close_under_axioms(finite, &mut initial);
    let mut numbers: FxHashMap<IdVec<VarId, Value>, u32> = FxHashMap::default();
    numbers.insert(initial.clone(), 0);
    let mut states = vec![initial];
    let mut builder = MdpBuilder::default();
    let mut poll = BudgetPoll::every(64);
    let mut at = 0;
    while at < states.len() {
        poll.step(budget)?;
        if at.is_power_of_two() {
            budget.allow_bytes(builder.bytes() + 16 * at * finite.variables.len())?;
        }
        let state = states[at].clone();
        let is_goal = is_goal(finite, &state);
        builder.state(is_goal, Number::from(0));
        if !is_goal {
            for (id, choice) in task.nondet.choices.enumerate() {
                if !holds(&state, task.nondet.precondition(id)) {
                    continue;
                }
                let mut outcomes: Vec<(Number, u32)> = Vec::new();
                for op in choice.operators() {
                    let next = apply(finite, &state, op);
                    let fresh = states.len() as u32;
                    let number = *numbers.entry(next.clone()).or_insert(fresh);
                    if number == fresh {
                        states.push(next);
                    }
                    outcomes.push((task.odds[op], number));
                }
                builder.action(id.index() as u32, costs[id], outcomes);
            }
        }
        at += 1;
    }
    Ok(Explored { mdp: builder.finish(0), states })
}

/// What each action costs on average.
fn expected_costs(task: &OddsTask) -> Result<IdVec<ChoiceId, Number>, Unexplored> {
    let mut costs = IdVec::new();
    for (id, choice) in task.nondet.choices.enumerate() {
        let mut sum = Number::from(0);
        for op in choice.operators() {
            let part = task.costs[op].checked_mul(&task.odds[op]);
            sum = part.and_then(|part| sum.checked_add(&part)).ok_or(Unexplored::Overflow(id))?;
        }
        costs.push(sum);
    }
    Ok(costs)
}
