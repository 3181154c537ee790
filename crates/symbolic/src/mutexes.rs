//! Mutexes as constraints on sets of states.
//!
//! Backward search from a partial goal reaches masses of states that no forward search ever sees. Facts that are
//! known never to hold together cut them off (Torralba and Alcázar 2013). The constraints of one fact are one
//! diagram; diagrams are joined while they stay small.

use counterplay_base::{IdVec, Limit};
use counterplay_task::{Fact, Task, VarId};

use crate::{Space, StateSet};

/// States that satisfy some of the known mutexes: a set that contains every state of interest.
pub type Constraint = StateSet;

/// For each fact, the facts of other variables that never hold with it.
type Partners = IdVec<VarId, Vec<Vec<Fact>>>;

fn partners(task: &Task, space: &Space) -> Partners {
    let mut partners: Partners =
        task.variables.iter().map(|variable| vec![Vec::new(); variable.values.len()]).collect();
    let mut note = |a: Fact, b: Fact| {
        if a.var != b.var && space.is_encoded(a.var) && space.is_encoded(b.var) {
            // Each pair once, with the fact that comes first in the order.
            let (a, b) = if space.place(a.var) < space.place(b.var) { (a, b) } else { (b, a) };
            partners[a.var][a.value as usize].push(b);
        }
    };
    for group in &task.mutex_groups {
        for (i, &a) in group.iter().enumerate() {
            group[i + 1..].iter().for_each(|&b| note(a, b));
        }
    }
    task.mutex_pairs.iter().for_each(|&(a, b)| note(a, b));
    for facts in partners.iter_mut().flatten() {
        facts.sort_unstable();
        facts.dedup();
    }
    partners
}

/// The constraints of a task's mutexes, joined while they have at most `bound` nodes.
pub(crate) fn constraints(task: &Task, space: &Space, bound: usize) -> Result<Vec<Constraint>, Limit> {
    let partners = partners(task, space);
    let mut order: Vec<VarId> = space.variables().collect();
    order.sort_by_key(|&var| std::cmp::Reverse(space.place(var)));
    let mut joined: Vec<StateSet> = Vec::new();
    for var in order {
        for (value, facts) in partners[var].iter().enumerate().filter(|(_, facts)| !facts.is_empty()) {
            let mut forbidden = space.manager.constant(false);
            for &fact in facts {
                forbidden = forbidden.or(&space.cube(&[fact], 0)?)?;
            }
            let own = space.cube(&[Fact { var, value: value as u32 }], 0)?;
            let constraint = StateSet(own.and(&forbidden)?.not());
            let Some(last) = joined.last_mut() else {
                joined.push(constraint);
                continue;
            };
            match space.manager.with_allowance(4 * bound, || last.intersect(&constraint)) {
                Ok(both) if both.nodes() <= bound => *last = both,
                Ok(_) | Err(Limit::Nodes(_)) => joined.push(constraint),
                Err(limit) => return Err(limit),
            }
        }
    }
    Ok(joined)
}
