//! Finesses: lead towards a card that wins if the missing higher one lies in front of it.
//!
//! The network of the paper's Figure 1. The key cards are those out that beat the finesse card; the second hand
//! produces one (an easy finesse), shows out (a busted one), or follows low and the finesse is taken.

use crate::card::{Card, Suit};
use crate::planner::infoset::{Guard, InfoSet};
use crate::planner::network::{Ways, if_they, way};
use crate::planner::task::{Method, MethodName, Task};
use crate::rules::Ours;

/// Finesses in one suit with a card of the hand opposite, and leads of an honour through the missing one.
pub fn schemes(world: &InfoSet, ours: &Ours<'_>, suit: Suit) -> Ways {
    let there = ours.there.of(suit);
    let here = ours.here.of(suit);
    let mut ways = Vec::new();
    let mut left = there;
    while let Some(card) = left.highest() {
        let group = there.touching(card, ours.out);
        left = left.minus(group);
        let low = group.lowest().expect("a card touches itself");
        if (1..=2).contains(&ours.beaten_by(low)) && !here.below(low).is_empty() {
            let marked = world
                .chance(ours.public.turn().next(), |held| ours.out.above(low).minus(held).is_empty())
                >= 0.98;
            ways.push(if marked {
                way(Method::card(MethodName::MarkedStandardFinesse, low), [Task::MarkedStandardFinesse(low)])
            } else {
                way(Method::card(MethodName::Finesse, low), [Task::Finesse(low)])
            });
        }
    }
    ways
}

/// Lead low, or an equal honour that costs nothing when covered.
pub fn finesse(ours: &Ours<'_>, card: Card) -> Ways {
    let rest = [Task::FinesseTwo(card), Task::StandardFinesseThree(card), Task::FinesseFour];
    let low = ours.here.of(card.suit()).lowest().expect("a finesse is led to");
    let mut ways =
        vec![way(Method::card(MethodName::LeadLow, low), [Task::Play(low), rest[0], rest[1], rest[2]])];
    let group = ours.both().touching(card, ours.out);
    let honour = ours.here.common(group).highest();
    if let Some(honour) = honour.filter(|&honour| honour != low && group.len() >= 2) {
        let subtasks = [Task::Play(honour), Task::ThemSplit, Task::FollowThird, Task::ThemSplit];
        ways.push(way(Method::card(MethodName::AutomaticFinesse, honour), subtasks));
    }
    ways
}

/// A finesse that is known to work: low, and the card that does it.
pub fn marked(ours: &Ours<'_>, card: Card) -> Ways {
    let low = ours.here.of(card.suit()).lowest();
    let subtasks = |low| {
        [
            Task::Play(low),
            Task::MarkedFinesseTwo(card),
            Task::StandardFinesseThree(card),
            Task::MarkedFinesseFour,
        ]
    };
    low.map(|low| way(Method::card(MethodName::LeadLow, low), subtasks(low))).into_iter().collect()
}

/// The second hand has the key card: it plays it or not.
pub fn marked_two(ours: &Ours<'_>, card: Card) -> Ways {
    let mut ways = two(ours, card);
    for way in ways.iter_mut().filter(|way| way.method.name == MethodName::StandardFinesseTwo) {
        way.method.name = MethodName::MarkedFinesseTwo;
    }
    ways
}

/// The second hand: easy, busted or standard.
pub fn two(ours: &Ours<'_>, card: Card) -> Ways {
    let suit = card.suit();
    let out = ours.out.of(suit);
    let keys = out.above(card);
    let low = out.below(card);
    let mut ways = Vec::new();
    let mut they =
        |name, cards| ways.push(if_they(Method::suit(name, suit), Guard::Plays(cards), [Task::Them(cards)]));
    they(MethodName::EasyFinesse, keys);
    they(MethodName::BustedFinesse, ours.out.minus(out));
    they(MethodName::StandardFinesseTwo, low);
    ways
}

/// The third hand: the finesse card if it still does its work, and what else may serve.
pub fn three(ours: &Ours<'_>, card: Card) -> Ways {
    let (_, best) = ours.public.trick().best(ours.public.trump()).expect("two cards lie");
    let standard = best.suit() == card.suit() && best.rank() < card.rank() && ours.here.has(card);
    let mut ways = Vec::new();
    if standard {
        ways.push(way(Method::card(MethodName::StandardFinesseThree, card), [Task::Play(card)]));
    }
    let others = super::follow::third(ours).into_iter();
    ways.extend(others.filter(|other| !standard || other.method.card != Some(card)));
    ways
}
