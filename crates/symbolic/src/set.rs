//! Sets of states.

use counterplay_base::Limit;
use counterplay_bdd::Bdd;

/// A set of states of one [`Space`](crate::Space).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct StateSet(pub(crate) Bdd);

impl StateSet {
    /// States in one of them or both.
    pub fn union(&self, other: &StateSet) -> Result<StateSet, Limit> {
        self.0.or(&other.0).map(StateSet)
    }

    /// States in both.
    pub fn intersect(&self, other: &StateSet) -> Result<StateSet, Limit> {
        self.0.and(&other.0).map(StateSet)
    }

    /// States in this one but not in the other.
    pub fn minus(&self, other: &StateSet) -> Result<StateSet, Limit> {
        self.0.minus(&other.0).map(StateSet)
    }

    /// A set that agrees with this one on the states of `care`; it may have any others, so that its diagram is small.
    pub fn simplify(&self, care: &StateSet) -> Result<StateSet, Limit> {
        self.0.simplify(&care.0).map(StateSet)
    }

    /// Whether there is no state in it.
    pub fn is_empty(&self) -> bool {
        self.0.is_false()
    }

    /// Whether all of its states are in the other.
    pub fn is_subset(&self, other: &StateSet) -> Result<bool, Limit> {
        Ok(self.minus(other)?.is_empty())
    }

    /// Diagram nodes that hold it.
    pub fn nodes(&self) -> usize {
        self.0.size()
    }
}

/// The union of many sets, small ones first: the order matters for the size of what lies in between.
pub fn union(mut sets: Vec<StateSet>) -> Result<Option<StateSet>, Limit> {
    while sets.len() > 1 {
        let mut merged = Vec::with_capacity(sets.len().div_ceil(2));
        let mut rest = sets.into_iter();
        while let Some(first) = rest.next() {
            merged.push(match rest.next() {
                Some(second) => first.union(&second)?,
                None => first,
            });
        }
        sets = merged;
    }
    Ok(sets.pop())
}
