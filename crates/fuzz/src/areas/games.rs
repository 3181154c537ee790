//! Games in GDL.

use crate::Area;

/// The areas of this module.
pub(super) const AREAS: &[&dyn Area] = &[];
