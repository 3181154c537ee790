//! Bridge: single suits and whole deals.

mod deal;
mod suit;

use crate::Area;

/// The areas of this module.
pub(super) const AREAS: &[&dyn Area] = &[&suit::Suit, &deal::Deals];
