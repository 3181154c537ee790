//! Crossing: put the hand opposite on lead.

use crate::card::Suit;
use crate::planner::network::{Ways, way};
use crate::planner::schemes::lead;
use crate::planner::task::{Method, MethodName, Task};
use crate::rules::Ours;

/// The suits that lead across.
pub fn consider(ours: &Ours<'_>) -> Ways {
    let suits = Suit::DOWN.into_iter().filter(|&suit| {
        ours.winners(ours.there, suit).highest().is_some_and(|winner| !ours.here.below(winner).is_empty())
    });
    suits.map(|suit| way(Method::suit(MethodName::SimpleCross, suit), [Task::SimpleCross(suit)])).collect()
}

/// A low card to the winner opposite.
pub fn simple(ours: &Ours<'_>, suit: Suit) -> Ways {
    let low = ours.here.of(suit).lowest();
    low.map(|card| lead(Method::card(MethodName::LeadLow, card), card)).into_iter().collect()
}
