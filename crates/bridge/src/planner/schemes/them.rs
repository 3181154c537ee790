//! What the opponents may do: follow, win, show out, ruff, lead.
//!
//! Their cards count by what they mean to us: cards that none of ours parts are one card.

use crate::card::{Cards, Suit};
use crate::planner::infoset::Guard;
use crate::planner::network::{Ways, if_they};
use crate::planner::task::{Method, MethodName, Task};
use crate::rules::Ours;

/// Second or last hand to a suit: a card of one of the groups, or void.
pub fn split(ours: &Ours<'_>, name: MethodName) -> Ways {
    let public = ours.public;
    let Some(led) = public.trick().suit() else { return Vec::new() };
    let on_table: Cards = public.trick().cards().collect();
    let best = public.trick().best(public.trump()).map(|(_, card)| card);
    let walls = ours.both().and(on_table);
    let mut ways = Vec::new();
    let mut left = ours.out.of(led);
    while let Some(card) = left.highest() {
        let group = left.touching(card, walls);
        left = left.minus(group);
        let wins = best.is_some_and(|best| best.suit() == led && card.rank() > best.rank());
        let last = public.trick().len() == 3;
        let name = match (wins, last && name == MethodName::ThemSuit) {
            (true, _) => MethodName::ThemWin,
            (false, true) => MethodName::ThemNotWinner,
            (false, false) => name,
        };
        ways.push(if_they(Method::suit(name, led), Guard::Plays(group), [Task::Them(group)]));
    }
    for suit in Suit::DOWN.into_iter().filter(|&suit| suit != led) {
        let group = ours.out.of(suit);
        if group.is_empty() {
            continue;
        }
        let ruffed = best.is_some_and(|best| Some(best.suit()) == public.trump() && best.suit() != led);
        let name = match (Some(suit) == public.trump(), ruffed) {
            (true, true) => MethodName::ThemOverruff,
            (true, false) => MethodName::ThemRuff,
            _ => MethodName::ThemVoid,
        };
        ways.push(if_they(Method::suit(name, suit), Guard::Plays(group), [Task::Them(group)]));
    }
    ways
}

/// Third hand, after our second: over a card of ours that may win for nothing, or any card.
pub fn third(ours: &Ours<'_>) -> Ways {
    let trick = ours.public.trick();
    let best = trick.best(ours.public.trump());
    let free = best.is_some_and(|(seat, card)| ours.public.is_ours(seat) && ours.beaten_by(card) > 0);
    let mut ways = split(ours, if free { MethodName::FreeFinesseThree } else { MethodName::ThemAny });
    let lowest = trick.suit().and_then(|suit| ours.out.of(suit).lowest());
    for way in ways.iter_mut().filter(|way| way.method.name == MethodName::ThemAny) {
        if let Some(Guard::Plays(cards)) = way.guard
            && lowest.is_some_and(|card| cards.has(card))
        {
            way.method.name = MethodName::ThemAnyLow;
        }
    }
    ways
}

/// They lead: one suit or another, high or low.
pub fn lead(ours: &Ours<'_>) -> Ways {
    let mut ways = Vec::new();
    for suit in Suit::DOWN {
        let mut left = ours.out.of(suit);
        while let Some(card) = left.highest() {
            let group = left.touching(card, ours.both());
            left = left.minus(group);
            let through = ours.tenace(ours.here.of(suit), ours.there.of(suit)).is_some();
            let name = if through { MethodName::ThemFinesse } else { MethodName::ThemLead };
            ways.push(if_they(Method::suit(name, suit), Guard::Plays(group), [Task::Them(group)]));
        }
    }
    ways
}
