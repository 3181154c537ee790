//! What the search needs to know about belief states, however they are held.

use std::hash::Hash;

use counterplay_base::{IdVec, Limit};
use counterplay_task::{Value, VarId};

/// A state, one value for each variable.
pub(crate) type State = IdVec<VarId, Value>;

/// For each observed fact of an action whether it was seen to hold.
pub(crate) type Percept = Vec<bool>;

/// Belief states of one task.
///
/// Laws: equal sets of states are equal belief states; [`after`](BeliefSpace::after) gives non-empty belief states with different
/// percepts, whose union is everything that the action may lead to.
pub(crate) trait BeliefSpace {
    type Belief: Clone + Eq + Hash;

    fn initial(&mut self) -> Result<Self::Belief, Limit>;

    /// Whether the goal holds in all states.
    fn is_goal(&mut self, belief: &Self::Belief) -> Result<bool, Limit>;

    /// The actions that are applicable in all states, in order.
    fn applicable(&mut self, belief: &Self::Belief) -> Result<Vec<u32>, Limit>;

    /// Whether an action tells something.
    fn tells(&self, action: u32) -> bool;

    /// What is known after an applicable action, for each thing that it may tell.
    fn after(&mut self, belief: &Self::Belief, action: u32) -> Result<Vec<(Percept, Self::Belief)>, Limit>;

    /// Some states: together they show every value that a variable may have, unless that takes too many.
    fn samples(&mut self, belief: &Self::Belief) -> Result<Vec<State>, Limit>;

    /// How large the belief state is, for comparisons.
    fn size(&self, belief: &Self::Belief) -> u64;

    /// The states of `from` in which some outcome of the action leads into `into`.
    fn may_lead(
        &mut self,
        from: &Self::Belief,
        action: u32,
        into: &Self::Belief,
    ) -> Result<Self::Belief, Limit>;

    /// The states in one of two.
    fn union(&mut self, one: &Self::Belief, other: &Self::Belief) -> Result<Self::Belief, Limit>;

    /// No state.
    fn none(&self) -> Self::Belief;

    /// Most diagram nodes alive at once, where there are diagrams.
    fn peak_nodes(&self) -> Option<u64>;
}
