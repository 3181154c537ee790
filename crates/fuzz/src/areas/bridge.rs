//! Bridge: single suits and whole deals.

use crate::Area;

/// The areas of this module.
pub(super) const AREAS: &[&dyn Area] = &[];
