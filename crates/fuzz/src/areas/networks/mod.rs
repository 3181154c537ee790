//! Task networks in HDDL: plans, policies that carry out the network, and policies that follow its advice.
//!
//! ```text
//! generate   random domains and problems as text
//! twin       every situation that can come up, from the definition of HDDL
//! plans      area `htn`: actions with one outcome
//! policies   area `htn-policy`: actions with several
//! ```

mod generate;
mod plans;
mod policies;
mod twin;

use crate::Area;

/// The areas of this module.
pub(super) const AREAS: &[&dyn Area] = &[&plans::Plans, &policies::Policies];
