//! Following: to the opponents' leads, and third hand to our own.

use crate::card::{Card, Cards, Rank, Suit};
use crate::planner::network::{Ways, way};
use crate::planner::schemes::distinct;
use crate::planner::task::{Method, MethodName, Task};
use crate::play::beats;
use crate::rules::Ours;

fn play(name: MethodName, card: Card) -> counterplay_tasknet::Way<crate::planner::network::DeclarerNetwork> {
    way(Method::card(name, card), [Task::Play(card)])
}

/// Second hand: low, the cheapest card that is sure to win, or a card that may win for nothing.
pub fn second(ours: &Ours<'_>) -> Ways {
    if ours.public.trick().len() != 1 {
        return Vec::new();
    }
    let legal = ours.public.legal(ours.here);
    let led = ours.public.trick().suit().expect("they led");
    if ours.here.is_void(led) {
        return vec![way(Method::plain(MethodName::FollowVoid), [Task::FollowVoid])];
    }
    let (_, best) = ours.public.trick().best(ours.public.trump()).expect("they led");
    let name = |card: Card| {
        if card.rank() < best.rank() || card.suit() != best.suit() {
            MethodName::FollowSuit
        } else if ours.beaten_by(card) == 0 {
            MethodName::WinNow
        } else {
            MethodName::FreeFinesse
        }
    };
    let cards = distinct(ours, legal, ours.here);
    cards
        .into_iter()
        .filter(|&card| card == legal.lowest().expect("legal") || card.rank() > best.rank())
        .map(|card| play(name(card), card))
        .collect()
}

/// Third hand to our own lead: low, just enough to beat what lies, or high.
pub fn third(ours: &Ours<'_>) -> Ways {
    if ours.public.trick().len() != 2 {
        return Vec::new();
    }
    let led = ours.public.trick().suit().expect("we led");
    if ours.here.is_void(led) {
        return vec![way(Method::plain(MethodName::FollowVoid), [Task::FollowVoid])];
    }
    let legal = ours.public.legal(ours.here);
    let (_, best) = ours.public.trick().best(ours.public.trump()).expect("we led");
    let low = legal.lowest().expect("legal");
    let name = |card: Card| {
        if card == low && card.rank() < best.rank() {
            MethodName::ThirdHandLow
        } else if ours.beaten_by(card) == 0 {
            MethodName::ThirdHandHigh
        } else if card.rank() > best.rank() {
            MethodName::ThirdHandCover
        } else {
            MethodName::ThirdHandEquiv
        }
    };
    let useful = |card: &Card| *card == low || beats(*card, best, None) || card.rank() >= Rank::TEN;
    distinct(ours, legal, ours.here).into_iter().filter(useful).map(|card| play(name(card), card)).collect()
}

/// Last hand: win as cheaply as possible, or let them have it.
pub fn fourth(ours: &Ours<'_>) -> Ways {
    if ours.public.trick().len() != 3 {
        return Vec::new();
    }
    let led = ours.public.trick().suit().expect("the trick has a lead");
    if ours.here.is_void(led) {
        return vec![way(Method::plain(MethodName::FollowVoid), [Task::FollowVoid])];
    }
    let legal = ours.public.legal(ours.here);
    let (winner, best) = ours.public.trick().best(ours.public.trump()).expect("three cards lie");
    let low = legal.lowest().expect("legal");
    let holding_up = !ours.public.is_ours(winner) && !legal.above(best).is_empty();
    let mut ways = vec![play(if holding_up { MethodName::HoldUp } else { MethodName::FollowSuit }, low)];
    let cheapest = legal.above(best).lowest().filter(|&card| card != low && best.suit() == led);
    ways.extend(cheapest.map(|card| play(MethodName::WinCheaply, card)));
    ways
}

/// Void in the suit led: ruff, or discard from one suit or another.
pub fn void(ours: &Ours<'_>) -> Ways {
    let trump = ours.public.trump();
    let best = ours.public.trick().best(trump).map(|(_, card)| card);
    let mut ways = Vec::new();
    if let Some(trump) = trump {
        let ruffs: Cards = ours
            .here
            .of(trump)
            .iter()
            .filter(|&card| best.is_none_or(|best| beats(card, best, Some(trump))))
            .collect();
        let third = ours.public.trick().len() == 2;
        // A low ruff in third hand may be overruffed.
        let name = |card: Card| match (third, ours.beaten_by(card)) {
            (true, 0) => MethodName::ThirdHandRuff,
            (true, _) => MethodName::RuffRuffed,
            (false, _) => MethodName::RuffIn,
        };
        ways.extend(ruffs.lowest().map(|card| play(name(card), card)));
        let high = ruffs.highest().filter(|&card| ours.beaten_by(card) == 0 && Some(card) != ruffs.lowest());
        ways.extend(high.map(|card| play(MethodName::RuffHigh, card)));
    }
    let name =
        if ours.public.trick().len() == 2 { MethodName::DiscardDuringCash } else { MethodName::DiscardLow };
    let suits = Suit::DOWN.into_iter().filter(|&suit| Some(suit) != trump || ours.here.of(suit) == ours.here);
    ways.extend(suits.filter_map(|suit| ours.here.of(suit).lowest()).map(|card| play(name, card)));
    ways
}
