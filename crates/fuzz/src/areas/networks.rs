//! Task networks in HDDL.

use crate::Area;

/// The areas of this module.
pub(super) const AREAS: &[&dyn Area] = &[];
