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

/// Lists the states that can be reached, breadth first; `None` if there are more than `most`.
///
/// # Errors
/// What is wrong with a cost, or the limit that was reached.
pub fn explore(task: &OddsTask, most: usize, budget: &Budget) -> Result<Option<Explored>, Unexplored> {
    let costs = expected_costs(task)?;
    let finite = &task.nondet.task;
    let mut initial = finite.initial.clone();
    close_under_axioms(finite, &mut initial);
    let mut numbers: FxHashMap<IdVec<VarId, Value>, u32> = FxHashMap::default();
    numbers.insert(initial.clone(), 0);
    let mut states = vec![initial];
    let applicable = Applicable::new(task);
    let mut builder = MdpBuilder::default();
    let mut poll = BudgetPoll::every(64);
    let mut at = 0;
    while at < states.len() {
        poll.step(budget)?;
        if states.len() > most {
            return Ok(None);
        }
        if at.is_power_of_two() {
            budget.allow_bytes(builder.bytes() + 16 * at * finite.variables.len())?;
        }
        let state = states[at].clone();
        let is_goal = is_goal(finite, &state);
        builder.state(is_goal, Number::from(0));
        if !is_goal {
            for id in applicable.of(task, &state) {
                let choice = &task.nondet.choices[id];
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
    Ok(Some(Explored { mdp: builder.finish(0), states }))
}

/// Actions by one fact of their precondition, the one that the fewest share.
pub(crate) struct Applicable {
    by_fact: IdVec<VarId, Vec<Vec<ChoiceId>>>,
    always: Vec<ChoiceId>,
}

impl Applicable {
    pub(crate) fn new(task: &OddsTask) -> Applicable {
        let variables = &task.nondet.task.variables;
        let mut counts: IdVec<VarId, Vec<usize>> =
            variables.iter().map(|it| vec![0; it.values.len()]).collect();
        for id in task.nondet.choices.ids() {
            task.nondet.precondition(id).iter().for_each(|fact| counts[fact.var][fact.value as usize] += 1);
        }
        let by_fact = variables.iter().map(|it| vec![Vec::new(); it.values.len()]).collect();
        let mut found = Applicable { by_fact, always: Vec::new() };
        for id in task.nondet.choices.ids() {
            let facts = task.nondet.precondition(id).iter();
            match facts.min_by_key(|fact| counts[fact.var][fact.value as usize]) {
                Some(fact) => found.by_fact[fact.var][fact.value as usize].push(id),
                None => found.always.push(id),
            }
        }
        found
    }

    /// The actions that can be done in a state, in order.
    pub(crate) fn of(&self, task: &OddsTask, state: &IdVec<VarId, Value>) -> Vec<ChoiceId> {
        let lists = state.enumerate().map(|(var, &value)| &self.by_fact[var][value as usize]);
        let all = lists.chain([&self.always]).flatten().copied();
        let mut found: Vec<ChoiceId> = all.filter(|&id| holds(state, task.nondet.precondition(id))).collect();
        found.sort_unstable();
        found
    }
}

/// What each action costs on average.
pub(crate) fn expected_costs(task: &OddsTask) -> Result<IdVec<ChoiceId, Number>, Unexplored> {
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
