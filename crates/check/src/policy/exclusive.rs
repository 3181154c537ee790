//! Atoms that are never true together while a policy is followed.
//!
//! Two atoms can be true together if they are so at the start, or if an action whose needs can be true together adds
//! one of them, and the other one is added too or can be true together with the needs and is not deleted. All other
//! pairs exclude each other for ever (Haslum and Geffner 2000, for pairs of facts). Atoms that exclude each
//! other pairwise make a group. If one of them is true at the start and whatever deletes one adds one, exactly one is
//! true for ever.

use counterplay_base::{Budget, Limit};

use super::ground::{Change, Formula, GroundAction};

/// Which pairs of atoms can be true together.
struct Together {
    count: usize,
    pairs: Vec<bool>,
}

/// Atoms of which at most one is true at any time.
pub(super) struct Group {
    pub(super) atoms: Vec<u32>,
    /// Whether one of them always is.
    pub(super) is_never_empty: bool,
}

/// The groups of a policy's atoms.
pub(super) struct Groups {
    /// Each atom is in one of these.
    pub(super) apart: Vec<Group>,
    /// More that are never empty, for atoms that are alone in theirs: `free` and `caught` of one that may be somewhere.
    pub(super) overlapping: Vec<Group>,
}

/// Puts each atom into a group.
pub(super) fn groups(
    count: usize,
    starts: &[Vec<u32>],
    actions: &[GroundAction],
    budget: &Budget,
) -> Result<Groups, Limit> {
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
    let group = |atoms: Vec<u32>| Group { is_never_empty: is_never_empty(&atoms, starts, actions), atoms };
    let apart: Vec<Group> = together.groups().into_iter().map(group).collect();
    let alone = apart.iter().filter(|group| group.atoms.len() == 1);
    let overlapping = alone.map(|alone| group(together.all_excluded_by(alone.atoms[0])));
    let overlapping = overlapping.filter(|group| group.atoms.len() > 1 && group.is_never_empty).collect();
    Ok(Groups { apart, overlapping })
}

/// Whether one of the atoms is true at the start, and each outcome that deletes one adds one.
fn is_never_empty(atoms: &[u32], starts: &[Vec<u32>], actions: &[GroundAction]) -> bool {
    let is_filled = |changes: &[Change], guard: &Formula| {
        let mut own = changes.iter().filter(|change| change.value && atoms.contains(&change.atom));
        own.any(|change| [guard, &Formula::Constant(true)].contains(&&change.guard))
    };
    let mut outcomes = actions.iter().flat_map(|action| &action.outcomes);
    starts.iter().all(|start| atoms.iter().any(|atom| start.contains(atom)))
        && outcomes.all(|changes| {
            let mut deletes = changes.iter().filter(|change| !change.value && atoms.contains(&change.atom));
            deletes.all(|change| is_filled(changes, &change.guard))
        })
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

    /// An atom with others that it excludes and that exclude each other.
    fn all_excluded_by(&self, first: u32) -> Vec<u32> {
        let mut group = vec![first];
        for atom in 0..self.count as u32 {
            if group.iter().all(|&other| !self.is_possible(atom, other)) {
                group.push(atom);
            }
        }
        group
    }
}
