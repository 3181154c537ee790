//! Belief worlds: Kriegspiel and other hidden-information worlds.

use crate::Area;

/// The areas of this module.
pub(super) const AREAS: &[&dyn Area] = &[];
