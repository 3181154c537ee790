//! Cashing: take the tricks that are there.

use crate::card::Suit;
use crate::planner::network::{Ways, way};
use crate::planner::task::{Method, MethodName, Task};
use crate::rules::Ours;

/// Any suit in which the hand on lead has a winner.
pub fn cash_out(ours: &Ours<'_>) -> Ways {
    let suits = Suit::DOWN.into_iter().filter(|&suit| !ours.winners(ours.here, suit).is_empty());
    suits.map(|suit| way(Method::suit(MethodName::CashHand, suit), [Task::CashWinner(suit)])).collect()
}

/// The highest winner; opposite, the third hand follows low or unblocks.
pub fn cash_winner(ours: &Ours<'_>, suit: Suit) -> Ways {
    let name = if ours.public.turn() == ours.public.dummy() {
        MethodName::CashDummyWinner
    } else {
        MethodName::CashWinner
    };
    let winner = ours.winners(ours.here, suit).highest();
    let through = |card| way(Method::card(name, card), [Task::Play(card), Task::CashFollowed]);
    winner.map(through).into_iter().collect()
}

/// They follow under it or show out; the hand opposite follows low, unblocks or discards.
pub fn followed(ours: &Ours<'_>) -> Ways {
    let dummy_led = ours.public.trick().leader() == ours.public.dummy();
    let name = if dummy_led { MethodName::CashDummyFollowed } else { MethodName::CashFollowed };
    vec![way(Method::plain(name), [Task::ThemSplitLess, Task::FollowThird, Task::ThemSplitLess])]
}
