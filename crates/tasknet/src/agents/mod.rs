//! Task networks with several agents: some are ours, the others we can only guess at.
//!
//! After Smith, Nau and Throop, "A planning approach to declarer play in contract bridge" (Tignum 2). The world is an
//! information set: everything that may be the case, with a belief. At a node where one of our agents moves, the ways
//! of the foremost task are alternatives, and the best one counts. Where another agent moves, the guards of the ways
//! are assumed in turn: each way gets the part of the world in which its guard holds and the earlier ones did not, and
//! its weight is the belief in that part; an external-agent [`Criterion`] makes one value of them. Leaves, where no
//! way is known, are valued by the field's own estimate. The tree of the best alternatives is a [`Plan`]: a policy
//! that is followed as long as what the others do passes the critic of a branch.
//!
//! Operator methods of the paper are tasks that [`Refinement::Do`](crate::Refinement::Do) carries out; decomposable
//! methods are [`Way`](crate::Way)s. The weighting function of an opponent's move is the belief in the part of the
//! world that its guard picks; a world whose guards are soft (a cover that happens in 85 of 100 cases) splits belief
//! rather than states.

mod criterion;
mod plan;
mod search;

pub use criterion::Criterion;
pub use plan::{Alternative, Branch, Plan, PlanNode, Step};
pub use search::{Planned, Settings, plan};

use crate::{Agenda, Knowledge, TaskWorld};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mover {
    /// An agent we control.
    Ours,
    /// An agent we do not control.
    Theirs,
    /// The game is over.
    Over,
}

/// Know-how about a game in which others move too.
///
/// Laws: where one of our agents moves, a guard holds in all of the world or in none of it (we know what our own
/// agents can do); [`mass`](Agents::mass) is additive over the two parts of a split.
pub trait Agents: Knowledge {
    /// What an agent is seen to do.
    type Seen;

    /// Who moves next in this world.
    fn mover(&self, world: &Self::World) -> Mover;

    /// How much belief lies in this world.
    fn mass(&self, world: &Self::World) -> f64;

    /// What a world is worth to us when planning ends there with `agenda` still to be done, from 0 to 1 or in any
    /// other unit that is larger for better.
    fn utility(&self, world: &Self::World, agenda: &Agenda<Self::Task>) -> f64;

    /// The critic of an opponent's planned operation: whether what was seen is as good as it.
    fn accepts(&self, planned: &<Self::World as TaskWorld>::Op, seen: &Self::Seen) -> bool;
}
