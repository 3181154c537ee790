//! An order in which derived atoms can be computed.
//!
//! Strongly connected components by Tarjan's algorithm (1972), with a stack of its own: networks are deep.

use counterplay_base::Id;

use super::model::{AtomId, Game, RuleId};

/// The components of the derived atoms; each depends on earlier ones only.
pub(super) fn components(game: &Game) -> Vec<Vec<AtomId>> {
    let first = game.first_derived();
    let count = game.atoms - first;
    let mut rules_of = vec![(0usize, 0usize); count];
    for (rule, head) in game.heads.enumerate() {
        let place = &mut rules_of[head.index() - first];
        if place.1 == 0 {
            place.0 = rule.index();
        }
        place.1 = rule.index() + 1;
    }
    // All atoms below each one, back to back.
    let mut start = vec![0usize];
    let mut below: Vec<u32> = Vec::new();
    for &(from, to) in &rules_of {
        for rule in from..to {
            let body = game.bodies[RuleId::new(rule)].iter().map(|literal| literal.atom().index());
            below.extend(body.filter(|&atom| atom >= first).map(|atom| (atom - first) as u32));
        }
        start.push(below.len());
    }
    let found = strongly_connected(&start, &below);
    let atoms = |component: Vec<u32>| {
        component.into_iter().map(|own| AtomId::new(first + own as usize)).collect::<Vec<_>>()
    };
    found.into_iter().map(atoms).collect()
}

/// The strongly connected components of a graph, each sorted; what a node has below it comes in earlier components or in its
/// own. The nodes below `n` are `below[start[n]..start[n + 1]]`.
pub(super) fn strongly_connected(start: &[usize], below: &[u32]) -> Vec<Vec<u32>> {
    let count = start.len() - 1;
    const UNSEEN: u32 = u32::MAX;
    let mut index = vec![UNSEEN; count];
    let mut low = vec![0u32; count];
    let mut on_stack = vec![false; count];
    let mut stack: Vec<u32> = Vec::new();
    let mut found = Vec::new();
    let mut next = 0u32;
    let mut open: Vec<(u32, usize)> = Vec::new();
    for root in 0..count {
        if index[root] != UNSEEN {
            continue;
        }
        open.push((root as u32, start[root]));
        while let Some(&mut (atom, ref mut at)) = open.last_mut() {
            let own = atom as usize;
            if index[own] == UNSEEN {
                index[own] = next;
                low[own] = next;
                next += 1;
                stack.push(atom);
                on_stack[own] = true;
            }
            if *at < start[own + 1] {
                let child = below[*at] as usize;
                *at += 1;
                if index[child] == UNSEEN {
                    open.push((child as u32, start[child]));
                } else if on_stack[child] {
                    low[own] = low[own].min(index[child]);
                }
                continue;
            }
            open.pop();
            if let Some(&(parent, _)) = open.last() {
                low[parent as usize] = low[parent as usize].min(low[own]);
            }
            if low[own] == index[own] {
                let mut component: Vec<u32> = Vec::new();
                loop {
                    let member = stack.pop().expect("the component is on the stack");
                    on_stack[member as usize] = false;
                    component.push(member);
                    if member == atom {
                        break;
                    }
                }
                component.sort_unstable();
                found.push(component);
            }
        }
    }
    found
}
