//! What the positions of a game are worth, from the definitions, by going over all of them until nothing changes.

use std::collections::HashMap;

use super::twin::{State, Term, Twin, Unclear};

/// A reachable position.
pub(super) struct Node {
    pub(super) state: State,
    /// Joint moves on the shortest way here.
    pub(super) made: usize,
    pub(super) is_terminal: bool,
    /// The legal moves of each role.
    pub(super) legal: Vec<Vec<Term>>,
    /// The greatest reward of each role.
    pub(super) goals: Vec<Option<u32>>,
    /// Joint moves and where they lead; none at an end.
    pub(super) next: Vec<(Vec<Term>, usize)>,
}

impl Node {
    /// Roles with several moves where the game goes on.
    fn choosers(&self) -> Vec<usize> {
        match self.next.is_empty() {
            true => Vec::new(),
            false => (0..self.legal.len()).filter(|&role| self.legal[role].len() > 1).collect(),
        }
    }

    fn rewards(&self) -> Vec<u32> {
        self.goals.iter().map(|goal| goal.unwrap_or(0)).collect()
    }
}

/// All reachable positions; `None` if there are more than `most`.
pub(super) fn explore(twin: &mut Twin, most: usize) -> Result<Option<Vec<Node>>, Unclear> {
    let mut number: HashMap<State, usize> = HashMap::from([(twin.initial(), 0)]);
    let mut open = vec![(twin.initial(), 0)];
    let mut nodes = Vec::new();
    while nodes.len() < open.len() {
        let (state, made) = open[nodes.len()].clone();
        let model = twin.in_state(&state)?;
        let roles = 0..twin.roles.len();
        let legal: Vec<Vec<Term>> = roles.clone().map(|role| twin.legal(&model, role)).collect();
        let goals = roles.map(|role| twin.goal(&model, role)).collect();
        let is_terminal = twin.is_terminal(&model);
        let mut next = Vec::new();
        // Where some role has no move, the game cannot go on.
        if !is_terminal && legal.iter().all(|own| !own.is_empty()) {
            if legal.iter().map(Vec::len).product::<usize>() > 64 {
                return Ok(None);
            }
            let mut joint: Vec<Vec<Term>> = vec![Vec::new()];
            for own in &legal {
                joint = joint
                    .iter()
                    .flat_map(|begun| own.iter().map(|&more| [begun.as_slice(), &[more]].concat()))
                    .collect();
            }
            for moves in joint {
                let after = twin.next(&model, &moves)?;
                let place = *number.entry(after.clone()).or_insert_with(|| {
                    open.push((after, made + 1));
                    open.len() - 1
                });
                next.push((moves, place));
            }
            if open.len() > most {
                return Ok(None);
            }
        }
        nodes.push(Node { state, made, is_terminal, legal, goals, next });
    }
    Ok(Some(nodes))
}

/// Whether several roles choose at once somewhere.
pub(super) fn is_simultaneous(nodes: &[Node]) -> bool {
    nodes.iter().any(|node| node.choosers().len() > 1)
}

/// What a role wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Preference {
    Own,
    Difference,
}

/// Whether a role prefers the first rewards to the second.
fn prefers(preference: Preference, role: usize, one: &[u32], two: &[u32]) -> bool {
    let own = |rewards: &[u32]| i64::from(rewards[role]);
    let others =
        |rewards: &[u32]| rewards.iter().map(|&reward| i64::from(reward)).sum::<i64>() - own(rewards);
    let key = |rewards: &[u32]| match preference {
        Preference::Own => (own(rewards), -others(rewards), rewards.to_vec()),
        Preference::Difference => (own(rewards) - others(rewards), own(rewards), rewards.to_vec()),
    };
    key(one) > key(two)
}

fn favourite<'r>(
    preference: Preference,
    role: usize,
    all: impl Iterator<Item = &'r Vec<u32>>,
) -> Option<&'r Vec<u32>> {
    all.reduce(|best, other| if prefers(preference, role, other, best) { other } else { best })
}

/// The value of each position of a game in turns; `None` where play without an end keeps it open.
///
/// A single player gets the best end that it can reach. With several, a position has a value if all that follow have one,
/// or if the one to move can have the best of all ends.
pub(super) fn values(nodes: &[Node], preference: Preference) -> Vec<Option<Vec<u32>>> {
    let ends: Vec<Vec<u32>> = nodes.iter().filter(|node| node.next.is_empty()).map(Node::rewards).collect();
    let mut values: Vec<Option<Vec<u32>>> =
        nodes.iter().map(|node| node.next.is_empty().then(|| node.rewards())).collect();
    loop {
        let before = values.clone();
        for (at, node) in nodes.iter().enumerate().filter(|(_, node)| !node.next.is_empty()) {
            let role = node.choosers().first().copied().unwrap_or(0);
            let after: Vec<&Option<Vec<u32>>> = node.next.iter().map(|&(_, next)| &before[next]).collect();
            let best = favourite(preference, role, after.iter().filter_map(|value| value.as_ref()));
            let is_decided = node.legal.len() == 1
                || after.iter().all(|value| value.is_some())
                || best.is_some() && best == favourite(preference, role, ends.iter());
            if is_decided {
                values[at] = best.cloned();
            }
        }
        if values == before {
            return values;
        }
    }
}

/// The greatest reward that a role can force from the first position, and the least to which all others can hold it.
pub(super) fn bounds(nodes: &[Node], role: usize) -> (u32, u32) {
    let mut rewards: Vec<u32> =
        nodes.iter().filter(|node| node.next.is_empty()).map(|node| node.rewards()[role]).collect();
    rewards.sort_unstable();
    rewards.dedup();
    let can_force = |wanted: &dyn Fn(u32) -> bool, is_own: bool| {
        let mut forced: Vec<bool> =
            nodes.iter().map(|node| node.next.is_empty() && wanted(node.rewards()[role])).collect();
        loop {
            let before = forced.clone();
            for (at, node) in nodes.iter().enumerate() {
                // One choice of the side that forces, such that every reply of the other side leads there.
                let part = |moves: &[Term]| -> Vec<Term> {
                    let is_side = |other: &usize| (*other == role) == is_own;
                    (0..moves.len()).filter(is_side).map(|other| moves[other]).collect()
                };
                let works = |choice: &Vec<Term>| {
                    node.next
                        .iter()
                        .filter(|(moves, _)| part(moves) == *choice)
                        .all(|&(_, next)| before[next])
                };
                forced[at] |= node.next.iter().any(|(moves, _)| works(&part(moves)));
            }
            if forced == before {
                return forced[0];
            }
        }
    };
    let sure = rewards.iter().rev().find(|&&least| can_force(&|reward| reward >= least, true));
    let held_to = rewards.iter().find(|&&most| can_force(&|reward| reward <= most, false));
    (sure.copied().unwrap_or(0), held_to.copied().unwrap_or(100))
}
