//! Where a goal can be reached at all, and where for sure: questions about the graph alone.

use counterplay_base::{Budget, BudgetPoll, Limit};

use crate::model::Mdp;

/// For each state the actions that may lead to it, as pairs of a state and the number of its action.
pub(crate) fn predecessors(mdp: &Mdp) -> Vec<Vec<(u32, u32)>> {
    let mut before = vec![Vec::new(); mdp.len()];
    for state in 0..mdp.len() {
        for number in mdp.action_numbers(state) {
            for outcome in mdp.outcomes(mdp.action(number)) {
                before[outcome.next as usize].push((state as u32, number as u32));
            }
        }
    }
    before
}

/// The states from which some policy reaches a goal with a positive probability.
///
/// # Errors
/// The limit that was reached.
pub fn can_reach(mdp: &Mdp, budget: &Budget) -> Result<Vec<bool>, Limit> {
    let all = vec![true; mdp.action_count()];
    let (reached, _) = attract(mdp, &predecessors(mdp), &all, &mdp.goal, budget)?;
    Ok(reached)
}

/// The states from which some policy reaches a goal with probability one, and the actions of such a policy.
///
/// The greatest set of states in which every action keeps inside the set and a goal can be reached from everywhere (de Alfaro 1997).
///
/// # Errors
/// The limit that was reached.
pub fn almost_sure(mdp: &Mdp, budget: &Budget) -> Result<(Vec<bool>, Vec<Option<u32>>), Limit> {
    let before = predecessors(mdp);
    let mut sure = vec![true; mdp.len()];
    loop {
        let keeps = allowed(mdp, &sure);
        let (reached, policy) = attract(mdp, &before, &keeps, &mdp.goal, budget)?;
        if reached == sure {
            return Ok((sure, policy));
        }
        sure = reached;
    }
}

/// The actions that never leave a set.
pub(crate) fn allowed(mdp: &Mdp, inside: &[bool]) -> Vec<bool> {
    let mut keeps = Vec::with_capacity(mdp.action_count());
    for (state, &is_in) in inside.iter().enumerate() {
        for action in mdp.actions(state) {
            keeps.push(is_in && mdp.outcomes(action).iter().all(|outcome| inside[outcome.next as usize]));
        }
    }
    keeps
}

/// The states from which one of the allowed actions leads towards the targets, nearest first, with that action.
pub(crate) fn attract(
    mdp: &Mdp,
    before: &[Vec<(u32, u32)>],
    keeps: &[bool],
    targets: &[bool],
    budget: &Budget,
) -> Result<(Vec<bool>, Vec<Option<u32>>), Limit> {
    let mut poll = BudgetPoll::every(1024);
    let mut reached = targets.to_vec();
    let mut policy = vec![None; mdp.len()];
    let mut queue: std::collections::VecDeque<usize> = (0..mdp.len()).filter(|&at| targets[at]).collect();
    while let Some(at) = queue.pop_front() {
        poll.step(budget)?;
        for &(state, number) in &before[at] {
            if keeps[number as usize] && !std::mem::replace(&mut reached[state as usize], true) {
                policy[state as usize] = Some(number - mdp.action_numbers(state as usize).start as u32);
                queue.push_back(state as usize);
            }
        }
    }
    Ok((reached, policy))
}
