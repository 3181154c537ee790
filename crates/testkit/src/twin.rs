//! Answers by enumeration.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use counterplay_base::IdVec;
use counterplay_task::{
    Fact, Task, Value, VarId, apply, close_under_axioms, holds, is_applicable, is_goal, violation,
};

/// A state as the task crate knows it.
pub type State = IdVec<VarId, Value>;

/// The cost of a cheapest plan, that of violated soft goals included, by Dijkstra's algorithm over all reachable
/// states; `None` if there is no plan.
pub fn brute_force(task: &Task) -> Option<u64> {
    let mut start = task.initial.clone();
    close_under_axioms(task, &mut start);
    let mut best: HashMap<Vec<Value>, u64> = HashMap::from([(start.as_slice().to_vec(), 0)]);
    let mut open = BinaryHeap::from([Reverse((0, start.as_slice().to_vec()))]);
    let mut least = None;
    while let Some(Reverse((cost, values))) = open.pop() {
        if best[&values] < cost {
            continue;
        }
        let state = State::from(values);
        if least.is_some_and(|least| cost >= least) {
            break;
        }
        if is_goal(task, &state) {
            let violated = violation(task, &state).expect("small weights");
            least = Some(least.map_or(cost + violated, |least: u64| least.min(cost + violated)));
        }
        for (op, operator) in task.operators.enumerate() {
            if !is_applicable(task, &state, op) {
                continue;
            }
            let next = apply(task, &state, op).as_slice().to_vec();
            let through = cost + operator.cost;
            if best.get(&next).is_none_or(|&known| through < known) {
                best.insert(next.clone(), through);
                open.push(Reverse((through, next)));
            }
        }
    }
    least
}

/// All reachable states, the initial one first, in breadth-first order.
pub fn reachable(task: &Task) -> Vec<State> {
    explore(task).0
}

/// All reachable states with the cost of reaching the goal from each; `None` for dead ends.
pub fn goal_distances(task: &Task) -> Vec<(State, Option<u64>)> {
    let (states, edges) = explore(task);
    let mut into: Vec<Vec<(usize, u64)>> = vec![Vec::new(); states.len()];
    for &(from, to, cost) in &edges {
        into[to].push((from, cost));
    }
    let mut distance: Vec<Option<u64>> = vec![None; states.len()];
    let goals = (0..states.len()).filter(|&i| is_goal(task, &states[i]));
    let mut open: BinaryHeap<Reverse<(u64, usize)>> = goals.map(|i| Reverse((0, i))).collect();
    while let Some(Reverse((cost, i))) = open.pop() {
        if distance[i].is_some() {
            continue;
        }
        distance[i] = Some(cost);
        open.extend(into[i].iter().map(|&(from, step)| Reverse((cost + step, from))));
    }
    states.into_iter().zip(distance).collect()
}

/// Adds every pair of facts that never hold together in a reachable state to the task's mutex pairs.
pub fn add_true_mutexes(task: &mut Task) {
    let states = reachable(task);
    let facts: Vec<Fact> = task
        .variables
        .ids()
        .flat_map(|var| (0..task.domain_size(var)).map(move |value| Fact { var, value }))
        .collect();
    for (i, &a) in facts.iter().enumerate() {
        for &b in &facts[i + 1..] {
            let met = states.iter().any(|state| state[a.var] == a.value && state[b.var] == b.value);
            if a.var != b.var && !met {
                task.mutex_pairs.push((a, b));
            }
        }
    }
}

/// Tells each soft goal all facts and pairs of facts under which it is lost: from no reachable state with them can a
/// goal state be reached in which it holds.
pub fn add_true_losses(task: &mut Task) {
    let (states, edges) = explore(task);
    let mut into: Vec<Vec<usize>> = vec![Vec::new(); states.len()];
    edges.iter().for_each(|&(from, to, _)| into[to].push(from));
    let plain = task.variables.enumerate().filter(|(_, variable)| variable.derived.is_none());
    let facts: Vec<Fact> = plain
        .flat_map(|(var, variable)| (0..variable.values.len() as Value).map(move |value| Fact { var, value }))
        .collect();
    for at in 0..task.soft.len() {
        let alternatives = &task.soft[at].alternatives;
        let is_met = |state: &State| alternatives.iter().any(|facts| holds(state, facts));
        let mut open: Vec<usize> =
            (0..states.len()).filter(|&i| is_goal(task, &states[i]) && is_met(&states[i])).collect();
        let mut hopeful = vec![false; states.len()];
        open.iter().for_each(|&i| hopeful[i] = true);
        while let Some(i) = open.pop() {
            for &from in &into[i] {
                if !std::mem::replace(&mut hopeful[from], true) {
                    open.push(from);
                }
            }
        }
        let mut lost = Vec::new();
        for (i, &a) in facts.iter().enumerate() {
            for &b in facts[i..].iter().filter(|b| b.var != a.var || **b == a) {
                let hope = |state: usize| hopeful[state] && holds(&states[state], &[a, b]);
                if !(0..states.len()).any(hope) {
                    lost.push(if a == b { vec![a] } else { vec![a, b] });
                }
            }
        }
        task.soft[at].lost = lost;
    }
}

/// All reachable states, and the steps between them as positions and costs.
fn explore(task: &Task) -> (Vec<State>, Vec<(usize, usize, u64)>) {
    let mut start = task.initial.clone();
    close_under_axioms(task, &mut start);
    let mut index: HashMap<Vec<Value>, usize> = HashMap::from([(start.as_slice().to_vec(), 0)]);
    let (mut states, mut edges) = (vec![start], Vec::new());
    let mut at = 0;
    while at < states.len() {
        for (op, operator) in task.operators.enumerate() {
            if !is_applicable(task, &states[at], op) {
                continue;
            }
            let next = apply(task, &states[at], op);
            let to = *index.entry(next.as_slice().to_vec()).or_insert_with(|| {
                states.push(next);
                states.len() - 1
            });
            edges.push((at, to, operator.cost));
        }
        at += 1;
    }
    (states, edges)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random_task;

    #[test]
    fn both_directions_agree_on_the_initial_state() {
        for seed in 0..100 {
            let task = random_task(seed);
            assert_eq!(goal_distances(&task)[0].1, brute_force(&task), "seed {seed}");
        }
    }

    #[test]
    fn true_mutexes_hold_in_every_reachable_state() {
        let mut task = random_task(3);
        add_true_mutexes(&mut task);
        for state in reachable(&task) {
            for &(a, b) in &task.mutex_pairs {
                assert!(state[a.var] != a.value || state[b.var] != b.value);
            }
        }
    }
}
