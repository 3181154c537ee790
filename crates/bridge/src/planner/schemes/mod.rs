//! The schemes, one file each.

pub mod cash;
pub mod cross;
pub mod finesse;
pub mod follow;
pub mod length;
pub mod sequence;
pub mod them;
pub mod trumps;

use crate::card::{Card, Cards, Suit};
use crate::planner::infoset::InfoSet;
use crate::planner::network::{Ways, way};
use crate::planner::task::{Method, MethodName, Task};
use crate::rules::Ours;

/// What comes after our lead, when nothing special is planned for the other three cards.
const REST: [Task; 3] = [Task::ThemSplit, Task::FollowThird, Task::ThemSplit];

/// A lead followed by whatever the others make of it.
fn lead(method: Method, card: Card) -> counterplay_tasknet::Way<crate::planner::network::DeclarerNetwork> {
    way(method, [Task::Play(card), REST[0], REST[1], REST[2]])
}

/// All schemes that fit the moment.
pub fn something(world: &InfoSet) -> Ways {
    let ours = world.ours();
    let public = ours.public;
    if !public.is_ours(public.turn()) {
        return match public.trick().len() {
            0 => vec![way(
                Method::plain(MethodName::WaitForControl),
                [Task::ThemLead, Task::FollowSecond, Task::FreeFinesseThree, Task::FollowFourth],
            )],
            _ => Vec::new(),
        };
    }
    match public.trick().len() {
        0 => on_lead(world, &ours),
        1 => vec![way(
            Method::plain(MethodName::Follow),
            [Task::FollowSecond, Task::FreeFinesseThree, Task::FollowFourth],
        )],
        2 => vec![way(Method::plain(MethodName::FollowThird), [Task::FollowThird, Task::ThemSplit])],
        _ => vec![way(Method::plain(MethodName::Follow), [Task::FollowFourth])],
    }
}

fn on_lead(world: &InfoSet, ours: &Ours<'_>) -> Ways {
    if ours.here.len() == 1 {
        let card = ours.here.lowest().expect("one card");
        return vec![lead(Method::plain(MethodName::ThirteenthTrick), card)];
    }
    let mut ways = vec![way(Method::plain(MethodName::CashOut), [Task::CashOut])];
    if let Some(trump) = ours.public.trump() {
        ways.extend(trumps::schemes(ours, trump));
    }
    for suit in Suit::DOWN.into_iter().filter(|&suit| !ours.here.is_void(suit)) {
        ways.extend(finesse::schemes(world, ours, suit));
        ways.extend(sequence::schemes(ours, suit));
        ways.extend(length::schemes(ours, suit));
    }
    ways.push(way(Method::plain(MethodName::ConsiderCross), [Task::ConsiderCross]));
    ways
}

/// Lead the lowest card of a suit.
pub fn lead_low(ours: &Ours<'_>, suit: Suit) -> Ways {
    let low = ours.here.of(suit).lowest();
    low.map(|card| way(Method::card(MethodName::LeadLow, card), [Task::Play(card)])).into_iter().collect()
}

/// The cards of `hand` that differ in effect, the lowest of each group of equals, from below.
fn distinct(ours: &Ours<'_>, legal: Cards, hand: Cards) -> Vec<Card> {
    // A card of the trick on the table parts cards as one in a hand does.
    let walls = ours.public.trick().cards().fold(ours.out, Cards::with);
    let mut left = legal;
    let mut cards = Vec::new();
    while let Some(card) = left.lowest() {
        cards.push(card);
        left = left.minus(hand.touching(card, walls));
    }
    cards
}
