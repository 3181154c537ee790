//! Goal states by what they leave unfulfilled.
//!
//! The thesis turns preferences into variables and adds their weights up with diagrams (Kissmann 2012, section 7.3).
//! We build the sum once: soft goal by soft goal, each set of states of one violation cost is split into those that
//! fulfil the goal and those that pay for it. There are as many sets as different sums, not as many as subsets.

use std::collections::BTreeMap;

use counterplay_base::Limit;
use counterplay_symbolic::{Encoding, StateSet, union};
use counterplay_task::{SoftGoal, Task, close_under_axioms, is_goal, violation};

/// More different sums of weights than these are not worth a set each.
const MOST_LAYERS: usize = 4_000;

/// Goal states by the cost of the soft goals that they violate. Sets that cost more than to stay at the initial state
/// are left out, if that is a goal.
pub(super) fn layers(encoding: &Encoding<'_>) -> Result<BTreeMap<u64, StateSet>, Limit> {
    let task = encoding.task;
    let most = most_useful(task);
    let mut layers = BTreeMap::from([(0, encoding.goal()?)]);
    for soft in &task.soft {
        let met = fulfilled(encoding, soft)?;
        let mut split: BTreeMap<u64, StateSet> = BTreeMap::new();
        for (&cost, states) in &layers {
            let paid = soft.weight.saturating_add(cost);
            for (cost, part) in [(cost, states.intersect(&met)?), (paid, states.minus(&met)?)] {
                if part.is_empty() || cost > most {
                    continue;
                }
                let both = match split.get(&cost) {
                    Some(other) => other.union(&part)?,
                    None => part,
                };
                split.insert(cost, both);
            }
        }
        layers = split;
    }
    Ok(layers)
}

/// The states in which a soft goal holds.
fn fulfilled(encoding: &Encoding<'_>, soft: &SoftGoal) -> Result<StateSet, Limit> {
    let sets = soft.alternatives.iter().map(|facts| encoding.states(facts));
    Ok(union(sets.collect::<Result<Vec<_>, Limit>>()?)?.unwrap_or_else(|| encoding.space.none()))
}

/// Whoever pays more for soft goals than this would do better to do nothing.
fn most_useful(task: &Task) -> u64 {
    let mut state = task.initial.clone();
    close_under_axioms(task, &mut state);
    match is_goal(task, &state) {
        true => violation(task, &state).unwrap_or(u64::MAX),
        false => u64::MAX,
    }
}

/// Whether a task has few enough different sums of weights for a set each.
pub(crate) fn has_few_layers(task: &Task) -> bool {
    let most = most_useful(task);
    let mut sums = vec![0u64];
    for soft in &task.soft {
        let paid: Vec<u64> = sums.iter().map(|sum| sum.saturating_add(soft.weight)).collect();
        sums.extend(paid.into_iter().filter(|&sum| sum <= most));
        sums.sort_unstable();
        sums.dedup();
        if sums.len() > MOST_LAYERS {
            return false;
        }
    }
    true
}
