//! Heuristic search over the ground problem, for task networks that a walk by the order of methods does not solve.
//!
//! The instances of actions and methods that the initial network can need at all are enumerated ([`narrow`], [`reach`],
//! [`model`]). The
//! search goes through states and networks from the front, as the lifted one does ([`search`]), and expands first what a
//! relaxed problem says is nearest to the end ([`relaxed`]).

pub(crate) mod model;
mod narrow;
mod reach;
mod relaxed;
pub(crate) mod search;

use counterplay_base::Limit;

/// Why there is no ground problem.
#[derive(Debug)]
pub(crate) enum NotGround {
    /// There are more instances than this search is made for.
    Large,
    /// A condition is a disjunction even when its variables are bound.
    Disjunction,
    Stopped(Limit),
}

impl From<Limit> for NotGround {
    fn from(limit: Limit) -> NotGround {
        NotGround::Stopped(limit)
    }
}
