//! Cheapest paths through an abstraction.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use counterplay_base::IdVec;
use counterplay_task::OpId;
use rustc_hash::FxHashMap;

/// A step to another abstract state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Step {
    pub(super) op: OpId,
    pub(super) state: u32,
}

/// The cost of each state that was reached, and the step that led there.
type Reached = FxHashMap<u32, (u32, Option<(u32, Step)>)>;

/// The steps of a cheapest path to a goal, `None` if there is none, and the work that took.
pub(super) fn cheapest_path(
    initial: u32,
    is_goal: impl Fn(u32) -> bool,
    outgoing: &[Vec<Step>],
    costs: &IdVec<OpId, u32>,
) -> (Option<Vec<Step>>, u64) {
    let mut work = 0;
    let mut reached = Reached::default();
    reached.insert(initial, (0, None));
    let mut queue = BinaryHeap::from([Reverse((0u32, initial))]);
    while let Some(Reverse((cost, state))) = queue.pop() {
        if reached.get(&state).is_some_and(|known| known.0 < cost) {
            continue;
        }
        if is_goal(state) {
            return (Some(path_to(state, &reached)), work);
        }
        work += 1 + outgoing[state as usize].len() as u64;
        for &step in &outgoing[state as usize] {
            let via = cost.saturating_add(costs[step.op]);
            if reached.get(&step.state).is_none_or(|known| via < known.0) {
                reached.insert(step.state, (via, Some((state, step))));
                queue.push(Reverse((via, step.state)));
            }
        }
    }
    (None, work)
}

fn path_to(mut state: u32, reached: &Reached) -> Vec<Step> {
    let mut path = Vec::new();
    while let Some((_, Some((before, step)))) = reached.get(&state) {
        path.push(*step);
        state = *before;
    }
    path.reverse();
    path
}
