//! Atoms that are never true together while a policy is followed.
//!
//! Two atoms can be true together if they are so at the start, or if an action whose needs can be true together adds
//! one of them, and the other one is added too or can be true together with the needs and is not deleted. All other
//! pairs exclude each other for ever (Haslum and Geffner 2000, for pairs of facts). Atoms that exclude each
//! other pairwise make a group.

use counterplay_base::{Budget, Limit};

use super::ground::{Change, Formula, GroundAction};

/// Which pairs of atoms can be true together.
struct Together {
    count: usize,
    pairs: Vec<bool>,
}

/// Groups of atoms of which at most one is true at any time; each atom is in one group.
pub(super) fn groups(
    count: usize,
    starts: &[Vec<u32>],
    actions: &[GroundAction],
    budget: &Budget,
) -> Result<Vec<Vec<u32>>, Limit> {
    let mut together = Together { count, pairs: vec![false; count * count] };
    for start in starts {
        for &a in start {
            start.iter().for_each(|&b| together.pairs[a as usize * count + b as usize] = true);
        }
    }
    let mut changed = true;
    while changed {
        changed = false;
        for action in actions {
            budget.check()?;
            let needed = action.precondition.certain();
            for changes in &action.outcomes {
                for change in changes.iter().filter(|change| change.value) {
                    let needed = [&needed[..], &change.guard.certain()].concat();
                    changed |= together.add(&needed, changes, change);
                }
            }
        }
    }
    Ok(together.groups())
}

impl Together {
    fn is_possible(&self, a: u32, b: u32) -> bool {
        self.pairs[a as usize * self.count + b as usize]
    }

    /// Notes what can be true together with an atom after it has been added; whether that was new.
    fn add(&mut self, needed: &[u32], changes: &[Change], added: &Change) -> bool {
        let mut pairs = needed.iter().flat_map(|&a| needed.iter().map(move |&b| (a, b)));
        if !pairs.all(|(a, b)| self.is_possible(a, b)) {
            return false;
        }
        let is_certain = |change: &Change| [&added.guard, &Formula::Constant(true)].contains(&&change.guard);
        let mut changed = false;
        for other in 0..self.count as u32 {
            if self.is_possible(added.atom, other) {
                continue;
            }
            let of_other = || changes.iter().filter(|change| change.atom == other);
            let is_added = of_other().any(|change| change.value);
            let is_deleted = of_other().any(|change| !change.value && is_certain(change));
            let stays = !is_deleted
                && self.is_possible(other, other)
                && needed.iter().all(|&it| self.is_possible(it, other));
            if is_added || stays {
                for (a, b) in [(added.atom, other), (other, added.atom)] {
                    self.pairs[a as usize * self.count + b as usize] = true;
                }
                changed = true;
            }
        }
        changed
    }

    /// Each atom joins the first group all of whose members it excludes.
    fn groups(&self) -> Vec<Vec<u32>> {
        let mut groups: Vec<Vec<u32>> = Vec::new();
        for atom in 0..self.count as u32 {
            let fits = |group: &&mut Vec<u32>| group.iter().all(|&other| !self.is_possible(atom, other));
            match groups.iter_mut().find(fits) {
                Some(group) => group.push(atom),
                None => groups.push(vec![atom]),
            }
        }
        groups
    }
}
