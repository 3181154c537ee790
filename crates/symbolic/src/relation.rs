//! How states lead to states: relations over the bits they change, and disjunctions of many of them.
//!
//! An operator reads some variables and changes few. Its relation says nothing about the rest, which stays as it
//! is. Relations of equal cost are merged while the result stays small; to merge two, each is told that what only
//! the other changes stays.

use counterplay_base::Limit;
use counterplay_bdd::{Bdd, Changed};
use counterplay_task::{Fact, VarId};

use crate::{Space, StateSet, set};

/// A relation between states.
#[derive(Clone, Debug)]
pub struct Relation {
    relation: Bdd,
    /// The bits of the changed variables.
    bits: Changed,
    /// The variables it may change, sorted.
    changed: Vec<VarId>,
}

impl Relation {
    pub(crate) fn new(space: &Space, relation: Bdd, mut changed: Vec<VarId>) -> Result<Relation, Limit> {
        changed.sort_unstable();
        changed.dedup();
        Ok(Relation { relation, bits: space.bits_of(&changed)?, changed })
    }

    /// The relation that leads from a state of `guard` to one in which each listed variable has the value in whose
    /// set the state is; all other variables stay as they are.
    pub fn from_updates(
        space: &Space,
        guard: &StateSet,
        updates: &[(VarId, Vec<StateSet>)],
    ) -> Result<Relation, Limit> {
        let mut updates: Vec<&(VarId, Vec<StateSet>)> = updates.iter().collect();
        // Changes nearest to the bottom of the order come first: conjunctions then only grow upwards.
        updates.sort_by_key(|(var, _)| std::cmp::Reverse(space.place(*var)));
        let mut relation = guard.0.clone();
        for (var, sets) in &updates {
            let mut becomes = space.manager.constant(false);
            for (value, from) in sets.iter().enumerate() {
                let next = space.cube(&[Fact { var: *var, value: value as u32 }], 1)?;
                becomes = becomes.or(&next.and(&from.0)?)?;
            }
            relation = relation.and(&becomes)?;
        }
        Relation::new(space, relation, updates.iter().map(|(var, _)| *var).collect())
    }

    /// The states it leads to from a set.
    pub fn image(&self, space: &Space, set: &StateSet) -> Result<StateSet, Limit> {
        space.manager.image(&set.0, &self.relation, &self.bits).map(StateSet)
    }

    /// The states from which it may lead into a set.
    pub fn pre_image(&self, space: &Space, set: &StateSet) -> Result<StateSet, Limit> {
        space.manager.pre_image(&set.0, &self.relation, &self.bits).map(StateSet)
    }

    /// The same relation, but only from states of `set`.
    pub fn restricted_to(&self, set: &StateSet) -> Result<Relation, Limit> {
        Ok(Relation {
            relation: self.relation.and(&set.0)?,
            bits: self.bits.clone(),
            changed: self.changed.clone(),
        })
    }

    /// The relation projected to some variables: a step is possible if it is possible for some
    /// values of the others. `None` if it changes nothing that is seen.
    pub fn projected_to(&self, space: &Space, seen: &[VarId]) -> Result<Option<Relation>, Limit> {
        let changed: Vec<VarId> = self.changed.iter().copied().filter(|var| seen.contains(var)).collect();
        if changed.is_empty() {
            return Ok(None);
        }
        let relation = self.relation.exists(&space.hidden_cube(seen)?)?;
        Ok(Some(Relation::new(space, relation, changed)?))
    }

    /// Whether it leads nowhere.
    pub fn is_empty(&self) -> bool {
        self.relation.is_false()
    }

    /// Diagram nodes that hold it.
    pub fn nodes(&self) -> usize {
        self.relation.size()
    }

    /// The variables it may change, sorted.
    pub fn changed(&self) -> &[VarId] {
        &self.changed
    }

    /// One of the two, on all variables that either changes.
    fn or(&self, space: &Space, other: &Relation) -> Result<Relation, Limit> {
        let mut changed: Vec<VarId> = self.changed.iter().chain(&other.changed).copied().collect();
        changed.sort_unstable();
        changed.dedup();
        let mut widened = [self.relation.clone(), other.relation.clone()];
        for (wide, own) in widened.iter_mut().zip([&self.changed, &other.changed]) {
            for &var in changed.iter().filter(|var| own.binary_search(var).is_err()) {
                *wide = wide.and(&space.unchanged(var)?)?;
            }
        }
        Relation::new(space, widened[0].or(&widened[1])?, changed)
    }
}

/// A disjunction of relations.
#[derive(Clone, Debug, Default)]
pub struct Partition {
    pub parts: Vec<Relation>,
}

impl Partition {
    /// The states that some part leads to.
    pub fn image(&self, space: &Space, set: &StateSet) -> Result<StateSet, Limit> {
        let images = self.parts.iter().map(|part| part.image(space, set));
        Ok(set::union(images.collect::<Result<_, _>>()?)?.unwrap_or_else(|| space.none()))
    }

    /// The states from which some part may lead into the set.
    pub fn pre_image(&self, space: &Space, set: &StateSet) -> Result<StateSet, Limit> {
        let images = self.parts.iter().map(|part| part.pre_image(space, set));
        Ok(set::union(images.collect::<Result<_, _>>()?)?.unwrap_or_else(|| space.none()))
    }

    /// The parts projected to some variables.
    pub fn projected_to(&self, space: &Space, seen: &[VarId]) -> Result<Partition, Limit> {
        let parts = self.parts.iter().map(|part| part.projected_to(space, seen));
        Ok(Partition { parts: parts.filter_map(Result::transpose).collect::<Result<_, _>>()? })
    }

    /// Diagram nodes of all parts, shared ones counted once for each part.
    pub fn nodes(&self) -> usize {
        self.parts.iter().map(Relation::nodes).sum()
    }
}

/// Merges relations while the result has at most `bound` nodes. `work` bounds the effort of all merging together;
/// what is not merged when it is used up stays apart.
pub fn merge(space: &Space, mut parts: Vec<Relation>, bound: usize, work: u64) -> Result<Partition, Limit> {
    let end = space.work().saturating_add(work);
    // Neighbours in this order change similar variables, so merging them adds few equalities.
    parts.sort_by_cached_key(|part| part.changed.iter().map(|&var| space.place(var)).collect::<Vec<_>>());
    let mut finished = Vec::new();
    while parts.len() > 1 && space.work() < end {
        let mut next = Vec::with_capacity(parts.len().div_ceil(2));
        let mut rest = parts.into_iter();
        while let Some(first) = rest.next() {
            let Some(second) = rest.next() else {
                next.push(first);
                break;
            };
            let allowed = (MERGE_EFFORT * bound as u64).min(end.saturating_sub(space.work()));
            match space.with_allowance(allowed, || first.or(space, &second)) {
                Ok(merged) if merged.nodes() <= bound => next.push(merged),
                Ok(_) | Err(Limit::Nodes(_)) => finished.extend([first, second]),
                Err(limit) => return Err(limit),
            }
        }
        parts = next;
    }
    finished.extend(parts);
    Ok(Partition { parts: finished })
}

/// Merging two relations may take so many units of work for each node of the bound.
const MERGE_EFFORT: u64 = 10;
