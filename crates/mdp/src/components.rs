//! Strongly connected components, and end components: sets of states that a policy can stay in for ever.

use counterplay_base::{Budget, BudgetPoll, Limit};

use crate::model::Mdp;

/// The number of the component of each state, so numbered that successors have smaller or equal numbers (Tarjan 1972, without
/// recursion), and how many there are. `next` lists the successors of a state.
pub(crate) fn strongly_connected(
    count: usize,
    next: &dyn Fn(usize) -> Vec<u32>,
    budget: &Budget,
) -> Result<(Vec<u32>, usize), Limit> {
    const NEW: u32 = u32::MAX;
    let mut poll = BudgetPoll::every(1024);
    let (mut index, mut low) = (vec![NEW; count], vec![NEW; count]);
    let mut component = vec![NEW; count];
    let (mut stack, mut components, mut visited) = (Vec::new(), 0, 0u32);
    let mut calls: Vec<(usize, Vec<u32>)> = Vec::new();
    for start in 0..count {
        if index[start] != NEW {
            continue;
        }
        let mut entering = Some(start);
        loop {
            if let Some(at) = entering.take() {
                poll.step(budget)?;
                (index[at], low[at]) = (visited, visited);
                visited += 1;
                stack.push(at);
                calls.push((at, next(at)));
            }
            let Some((at, rest)) = calls.last_mut() else { break };
            let at = *at;
            if let Some(to) = rest.pop() {
                let to = to as usize;
                if index[to] == NEW {
                    entering = Some(to);
                } else if component[to] == NEW {
                    low[at] = low[at].min(index[to]);
                }
                continue;
            }
            calls.pop();
            if let Some((parent, _)) = calls.last() {
                low[*parent] = low[*parent].min(low[at]);
            }
            if low[at] == index[at] {
                while let Some(member) = stack.pop() {
                    component[member] = components as u32;
                    if member == at {
                        break;
                    }
                }
                components += 1;
            }
        }
    }
    Ok((component, components))
}

/// The maximal end components of the part of a process that consists of some actions: for each state the number of the component it
/// belongs to. A state in none has one of its own, and `stays[action]` tells which actions keep inside a component.
#[derive(Clone, Debug)]
pub(crate) struct EndComponents {
    pub(crate) of: Vec<u32>,
    pub(crate) count: usize,
    pub(crate) stays: Vec<bool>,
}

impl EndComponents {
    /// Looks for them among the actions that `uses` allows, by taking away what leaves a strongly connected component until
    /// nothing does.
    pub(crate) fn new(mdp: &Mdp, uses: &[bool], budget: &Budget) -> Result<EndComponents, Limit> {
        let mut stays = uses.to_vec();
        loop {
            let next = |state: usize| -> Vec<u32> {
                let numbers = mdp.action_numbers(state).filter(|&number| stays[number]);
                numbers.flat_map(|number| mdp.outcomes(mdp.action(number)).iter().map(|it| it.next)).collect()
            };
            let (of, count) = strongly_connected(mdp.len(), &next, budget)?;
            let mut changed = false;
            for state in 0..mdp.len() {
                for number in mdp.action_numbers(state) {
                    let leaves = |next: u32| of[next as usize] != of[state];
                    if stays[number] && mdp.outcomes(mdp.action(number)).iter().any(|it| leaves(it.next)) {
                        stays[number] = false;
                        changed = true;
                    }
                }
            }
            if !changed {
                return Ok(EndComponents { of, count, stays });
            }
        }
    }
}
