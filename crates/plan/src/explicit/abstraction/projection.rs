//! Projections: what some variables see of a task.

use counterplay_base::{Id, IdVec};
use counterplay_task::{OpId, Task, Value, VarId};
use rustc_hash::FxHashMap;

use super::{Abstraction, Mapping, Transition};

/// Projections with more states or transitions are not built.
pub(super) const MOST_STATES: u64 = 20_000;
const MOST_TRANSITIONS: u64 = 400_000;

/// A pattern of variables; abstract states are numbers with a digit for each.
#[derive(Debug)]
pub(super) struct Projection {
    /// Each variable and what its digit counts for.
    digits: Vec<(VarId, u32)>,
}

impl Projection {
    pub(super) fn abstract_state(&self, state: &IdVec<VarId, Value>) -> u32 {
        self.digits.iter().map(|&(var, weight)| state[var] * weight).sum()
    }
}

/// How many states a projection to a pattern has.
pub(super) fn size(task: &Task, pattern: &[VarId]) -> u64 {
    pattern.iter().fold(1u64, |size, &var| size.saturating_mul(u64::from(task.domain_size(var))))
}

/// What the pattern sees of an operator: digits that are required, and digits that change.
type Seen = (Vec<(usize, Value)>, Vec<(usize, Value)>);

/// Builds a projection; `None` if it would be too large. Adds what it took to `work`.
pub(super) fn project(task: &Task, pattern: Vec<VarId>, work: &mut u64) -> Option<Abstraction> {
    let states = size(task, &pattern);
    if states > MOST_STATES {
        return None;
    }
    let mut weight = 1;
    let digits: Vec<(VarId, u32)> = pattern
        .iter()
        .map(|&var| {
            let own = weight;
            weight *= task.domain_size(var);
            (var, own)
        })
        .collect();
    let mut place: IdVec<VarId, Option<usize>> = IdVec::filled(None, task.variables.len());
    pattern.iter().enumerate().for_each(|(i, &var)| place[var] = Some(i));
    let mut classes: FxHashMap<Seen, Vec<OpId>> = FxHashMap::default();
    for (op, operator) in task.operators.enumerate() {
        let seen = |fact: &counterplay_task::Fact| place[fact.var].map(|i| (i, fact.value));
        let mut changes: Vec<(usize, Value)> =
            operator.effects.iter().filter_map(|effect| seen(&effect.fact)).collect();
        if !changes.is_empty() {
            // An effect may be told twice, but never with two values.
            changes.sort_unstable();
            changes.dedup();
            let mut needs: Vec<(usize, Value)> = operator.precondition.iter().filter_map(seen).collect();
            needs.sort_unstable();
            classes.entry((needs, changes)).or_default().push(op);
        }
    }
    *work += task.operators.len() as u64 * 4;
    let mut classes: Vec<(Seen, Vec<OpId>)> = classes.into_iter().collect();
    classes.sort_unstable_by_key(|(_, ops)| ops[0].index());
    let sizes: Vec<Value> = pattern.iter().map(|&var| task.domain_size(var)).collect();
    let mut transitions = Vec::new();
    for (class, ((needs, changes), _)) in (0..).zip(&classes) {
        let free: Vec<usize> = (0..pattern.len()).filter(|i| needs.iter().all(|(at, _)| at != i)).collect();
        let count = free.iter().fold(1u64, |count, &i| count.saturating_mul(u64::from(sizes[i])));
        *work += count;
        if transitions.len() as u64 + count > MOST_TRANSITIONS {
            return None;
        }
        let mut values = vec![0; pattern.len()];
        needs.iter().for_each(|&(i, value)| values[i] = value);
        loop {
            let from: u32 = values.iter().zip(&digits).map(|(value, (_, weight))| value * weight).sum();
            let to = changes.iter().fold(from, |to, &(i, value)| {
                let weight = digits[i].1;
                to - values[i] * weight + value * weight
            });
            if from != to {
                transitions.push(Transition { from, to, class });
            }
            if !increment(&mut values, &free, &sizes) {
                break;
            }
        }
    }
    let is_goal = |state: u32| {
        task.goal
            .iter()
            .all(|fact| place[fact.var].is_none_or(|i| state / digits[i].1 % sizes[i] == fact.value))
    };
    let goals = (0..states as u32).filter(|&state| is_goal(state)).collect();
    *work += states;
    let classes = classes.into_iter().map(|(_, ops)| ops).collect();
    let mapping = Mapping::Projection(Projection { digits });
    Some(Abstraction::new(mapping, states as u32, goals, transitions, classes))
}

/// Counts the free digits up; `false` after the last number.
fn increment(values: &mut [Value], free: &[usize], sizes: &[Value]) -> bool {
    for &i in free {
        values[i] += 1;
        if values[i] < sizes[i] {
            return true;
        }
        values[i] = 0;
    }
    false
}
