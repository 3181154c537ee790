//! Which groups become variables.
//!
//! Greedily the group with the most atoms that no variable holds yet (Helmert, AIJ 2009, section 5.5); what remains gets a
//! variable with two values each. Where groups overlap, the opposite greed sometimes needs fewer bits: of the balls and
//! the grippers that may hold them, many balls with four places each are cheaper than two grippers with many balls
//! each, since the balls need a variable anyway. So both are tried and the one with fewer bits is taken.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use counterplay_base::{Id, IdVec};

use crate::propositional::{AtomId, Literal, Propositional};

/// For each variable the atoms that are its values.
pub(super) fn cover(problem: &Propositional, groups: &[Vec<Literal>]) -> Vec<Vec<AtomId>> {
    let groups: Vec<Vec<AtomId>> = groups
        .iter()
        .map(|group| group.iter().filter(|l| l.is_positive()).map(|l| l.atom()).collect::<Vec<_>>())
        .collect();
    let largest = Cover::greedy(&problem.derived, &groups, |size| size as i64);
    let smallest = Cover::greedy(&problem.derived, &groups, |size| -(size as i64));
    let best = if smallest.bits < largest.bits { smallest } else { largest };
    let mut chosen = best.variables;
    chosen.sort_by_key(|atoms| atoms[0].index());
    chosen.extend(problem.atoms.ids().filter(|&atom| !best.covered[atom]).map(|atom| vec![atom]));
    chosen.extend(problem.atoms.ids().filter(|&atom| problem.derived[atom]).map(|atom| vec![atom]));
    chosen
}

struct Cover {
    variables: Vec<Vec<AtomId>>,
    covered: IdVec<AtomId, bool>,
    /// Bits that all variables together need, those with two values included.
    bits: u32,
}

impl Cover {
    /// Takes groups in the order of their rank among those with two or more atoms left.
    fn greedy(derived: &IdVec<AtomId, bool>, groups: &[Vec<AtomId>], rank: impl Fn(usize) -> i64) -> Cover {
        let mut covered = derived.clone();
        let (mut variables, mut bits) = (Vec::new(), 0);
        // An entry whose size is out of date goes back with the right one. Earlier groups win ties.
        let entry = |size: usize, at: usize| (rank(size), Reverse(at), size);
        let mut queue: BinaryHeap<_> =
            groups.iter().enumerate().map(|(at, group)| entry(group.len(), at)).collect();
        while let Some((_, Reverse(at), size)) = queue.pop() {
            let left: Vec<AtomId> = groups[at].iter().copied().filter(|&atom| !covered[atom]).collect();
            if left.len() < 2 {
                continue;
            }
            if left.len() < size {
                queue.push(entry(left.len(), at));
                continue;
            }
            left.iter().for_each(|&atom| covered[atom] = true);
            // A group that lost atoms to others needs a value for when one of those holds; whole groups mostly not.
            let values = left.len() + usize::from(left.len() < groups[at].len());
            bits += usize::BITS - (values - 1).leading_zeros();
            variables.push(left);
        }
        bits += covered.iter().filter(|&&covered| !covered).count() as u32;
        Cover { variables, covered, bits }
    }
}
