//! Cashing: take the tricks that are there.

use crate::card::Suit;
use crate::planner::network::{Ways, way};
use crate::planner::schemes::lead;
use crate::planner::task::{Method, Task};
use crate::rules::Ours;

/// Any suit in which the hand on lead has a winner.
pub fn cash_out(ours: &Ours<'_>) -> Ways {
    let suits = Suit::DOWN.into_iter().filter(|&suit| !ours.winners(ours.here, suit).is_empty());
    suits.map(|suit| way(Method::suit("CashHand", suit), [Task::CashWinner(suit)])).collect()
}

/// The highest winner; opposite, the third hand follows low or unblocks.
pub fn cash_winner(ours: &Ours<'_>, suit: Suit) -> Ways {
    let name = if ours.public.turn() == ours.public.dummy() { "CashDummyWinner" } else { "CashWinner" };
    let winner = ours.winners(ours.here, suit).highest();
    winner.map(|card| lead(Method::card(name, card), card)).into_iter().collect()
}
