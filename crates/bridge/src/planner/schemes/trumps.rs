//! Suit contracts: draw trumps, ruff, prepare a ruff, force a defender to ruff.

use crate::card::Suit;
use crate::planner::network::{Ways, way};
use crate::planner::schemes::lead;
use crate::planner::task::{Method, MethodName, Task};
use crate::rules::Ours;

/// What the trump suit offers to the hand on lead.
pub fn schemes(ours: &Ours<'_>, trump: Suit) -> Ways {
    let mut ways = Vec::new();
    if ours.out.is_void(trump) {
        if !ours.here.is_void(trump) {
            ways.push(way(Method::suit(MethodName::CashTrumps, trump), [Task::CashTrumps]));
        }
    } else if !ours.here.is_void(trump) {
        ways.push(way(Method::suit(MethodName::DrawTrump, trump), [Task::DrawTrump]));
    }
    for suit in Suit::DOWN.into_iter().filter(|&suit| suit != trump && !ours.here.is_void(suit)) {
        let shortens = ours.there.count(suit) <= 2
            && !ours.there.is_void(trump)
            && ours.here.count(suit) > ours.there.count(suit);
        let prepares = ours.here.count(suit) <= 2
            && !ours.here.is_void(trump)
            && ours.there.count(suit) > ours.here.count(suit);
        if shortens || prepares {
            let name = if ours.there.is_void(suit) { MethodName::RuffOut } else { MethodName::ConsiderRuff };
            ways.push(way(Method::suit(name, suit), [Task::ConsiderRuff(suit)]));
        }
        if ours.trumps_out() > 0 && !ours.winners(ours.here, suit).is_empty() {
            ways.push(way(Method::suit(MethodName::ForceThemRuff, suit), [Task::ForceThemRuff(suit)]));
        }
    }
    ways
}

/// A round of trumps: from the top, a sequence, or low towards the other hand.
pub fn draw(ours: &Ours<'_>) -> Ways {
    let Some(trump) = ours.public.trump() else { return Vec::new() };
    let here = ours.here.of(trump);
    let mut ways = Vec::new();
    ways.extend(
        ours.winners(here, trump).highest().map(|card| lead(Method::card(MethodName::DrawHigh, card), card)),
    );
    ways.extend(here.lowest().map(|card| lead(Method::card(MethodName::DrawLow, card), card)));
    ways
}

/// Lead the suit that will be ruffed: low, or a winner first.
pub fn ruff(ours: &Ours<'_>, suit: Suit) -> Ways {
    let here = ours.here.of(suit);
    let mut ways = Vec::new();
    let low = here.lowest();
    let name = if ours.there.is_void(suit) { MethodName::RuffLow } else { MethodName::SetUpRuff };
    ways.extend(low.map(|card| lead(Method::card(name, card), card)));
    let winner = ours.winners(here, suit).highest().filter(|&card| Some(card) != low);
    ways.extend(winner.map(|card| lead(Method::card(MethodName::SetUpRuff, card), card)));
    ways
}

/// Run a trump although they have none left.
pub fn cash(ours: &Ours<'_>) -> Ways {
    let trump = ours.public.trump().and_then(|trump| ours.here.of(trump).highest());
    trump.map(|card| lead(Method::card(MethodName::CashTrump, card), card)).into_iter().collect()
}

/// A side winner that a defender may have to ruff.
pub fn force(ours: &Ours<'_>, suit: Suit) -> Ways {
    let name = if ours.public.turn() == ours.public.dummy() {
        MethodName::CashDummyRuffed
    } else {
        MethodName::CashRuffed
    };
    let winner = ours.winners(ours.here, suit).highest();
    winner.map(|card| lead(Method::card(name, card), card)).into_iter().collect()
}
