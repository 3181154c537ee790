//! Which groups become variables.
//!
//! Greedily the group with the most atoms that no variable holds yet (Helmert, AIJ 2009, section 5.5); what remains gets a
//! variable with two values each.

use std::collections::BinaryHeap;

use counterplay_base::{Id, IdVec};

use crate::propositional::{AtomId, Literal, Propositional};

/// For each variable the atoms that are its values.
pub(super) fn cover(problem: &Propositional, groups: &[Vec<Literal>]) -> Vec<Vec<AtomId>> {
    let groups: Vec<Vec<AtomId>> = groups
        .iter()
        .map(|group| group.iter().filter(|l| l.is_positive()).map(|l| l.atom()).collect::<Vec<_>>())
        .collect();
    let mut covered: IdVec<AtomId, bool> = problem.derived.clone();
    let mut chosen: Vec<Vec<AtomId>> = Vec::new();
    // Sizes only shrink, so an entry whose size is still right is the largest. Earlier groups win ties.
    let mut queue: BinaryHeap<(usize, std::cmp::Reverse<usize>)> =
        groups.iter().enumerate().map(|(at, group)| (group.len(), std::cmp::Reverse(at))).collect();
    while let Some((size, std::cmp::Reverse(at))) = queue.pop() {
        if size < 2 {
            break;
        }
        let left: Vec<AtomId> = groups[at].iter().copied().filter(|&atom| !covered[atom]).collect();
        if left.len() < size {
            queue.push((left.len(), std::cmp::Reverse(at)));
            continue;
        }
        left.iter().for_each(|&atom| covered[atom] = true);
        chosen.push(left);
    }
    chosen.sort_by_key(|atoms| atoms[0].index());
    chosen.extend(problem.atoms.ids().filter(|&atom| !covered[atom]).map(|atom| vec![atom]));
    chosen.extend(problem.atoms.ids().filter(|&atom| problem.derived[atom]).map(|atom| vec![atom]));
    chosen
}
