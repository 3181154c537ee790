//! Planning problems in PDDL: plans, net benefit, policies.

use crate::Area;

/// The areas of this module.
pub(super) const AREAS: &[&dyn Area] = &[];
