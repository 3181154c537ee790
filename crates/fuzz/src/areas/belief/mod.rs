//! Belief worlds: Kriegspiel and other hidden-information worlds.

mod chess;
mod kriegspiel;
mod tables;
mod world;

use crate::Area;

/// The areas of this module.
pub(super) const AREAS: &[&dyn Area] = &[&world::Belief, &world::Estimate, &kriegspiel::KriegspielArea];
