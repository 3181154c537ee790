//! Goal states by what they leave unfulfilled.
//!
//! The thesis turns preferences into variables and adds their weights up with diagrams (Kissmann 2012, section 7.3).
//! We build the sum once: soft goal by soft goal, each set of states of one violation cost is split into those that
//! fulfil the goal and those that pay for it. There are as many sets as different sums, not as many as subsets.

use std::collections::BTreeMap;

use counterplay_base::Limit;
use counterplay_symbolic::{Encoding, StateSet, union};
use counterplay_task::{Fact, Task, close_under_axioms, is_goal, violation};

/// More different sums of weights than these are not worth a set each.
const MOST_LAYERS: usize = 4_000;

/// Work allowed for adding up what states are sure to pay.
const DOOM_WORK: u64 = 2_000_000;

/// Goal states by the cost of the soft goals that they violate. Sets that cost more than to stay at the initial state
/// are left out, if that is a goal.
pub(super) fn layers(encoding: &Encoding<'_>) -> Result<BTreeMap<u64, StateSet>, Limit> {
    let most = most_useful(encoding.task);
    let mut layers = BTreeMap::from([(0, encoding.goal()?)]);
    for soft in &encoding.task.soft {
        let violated = encoding.space.all().minus(&any_of(encoding, &soft.alternatives)?)?;
        layers =
            charge(layers, &violated, |cost| cost.checked_add(soft.weight).filter(|&paid| paid <= most))?;
    }
    Ok(layers)
}

/// For each cost the states that are sure to pay at least as much, since they have lost soft goals for good. Nothing
/// if that is too hard to find out.
pub(super) fn lost(encoding: &Encoding<'_>) -> Result<BTreeMap<u64, StateSet>, Limit> {
    // Beyond the cost of the empty plan it does not matter how much more is paid.
    let most = most_useful(encoding.task).saturating_add(1);
    let add_up = || -> Result<BTreeMap<u64, StateSet>, Limit> {
        let mut layers = BTreeMap::from([(0, encoding.space.all())]);
        for soft in encoding.task.soft.iter().filter(|soft| !soft.lost.is_empty()) {
            let lost = any_of(encoding, &soft.lost)?;
            layers = charge(layers, &lost, |cost| Some(cost.saturating_add(soft.weight).min(most)))?;
            if layers.len() > MOST_LAYERS {
                return Ok(BTreeMap::new());
            }
        }
        layers.remove(&0);
        let (mut above, mut result) = (encoding.space.none(), BTreeMap::new());
        for (cost, states) in layers.into_iter().rev() {
            above = above.union(&states)?;
            result.insert(cost, above.clone());
        }
        Ok(result)
    };
    match encoding.space.with_allowance(DOOM_WORK, add_up) {
        Err(Limit::Nodes(_)) => Ok(BTreeMap::new()),
        other => other,
    }
}

/// States by cost, after those in `paying` have paid; where `pay` says nothing, they are dropped.
fn charge(
    layers: BTreeMap<u64, StateSet>,
    paying: &StateSet,
    pay: impl Fn(u64) -> Option<u64>,
) -> Result<BTreeMap<u64, StateSet>, Limit> {
    let mut charged: BTreeMap<u64, StateSet> = BTreeMap::new();
    for (cost, states) in layers {
        for (cost, part) in [(Some(cost), states.minus(paying)?), (pay(cost), states.intersect(paying)?)] {
            let Some(cost) = cost.filter(|_| !part.is_empty()) else { continue };
            let both = match charged.get(&cost) {
                Some(other) => other.union(&part)?,
                None => part,
            };
            charged.insert(cost, both);
        }
    }
    Ok(charged)
}

/// The states in which one of the conditions holds.
fn any_of(encoding: &Encoding<'_>, conditions: &[Vec<Fact>]) -> Result<StateSet, Limit> {
    let sets = conditions.iter().map(|facts| encoding.states(facts));
    Ok(union(sets.collect::<Result<Vec<_>, Limit>>()?)?.unwrap_or_else(|| encoding.space.none()))
}

/// A plan that pays more for soft goals than this is worse than the empty plan.
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
