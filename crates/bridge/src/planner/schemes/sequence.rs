//! Sequences: drive out what is higher, and the rest of the sequence is good.

use crate::card::Suit;
use crate::planner::network::{Ways, way};
use crate::planner::schemes::REST;
use crate::planner::task::{Method, MethodName, Task};
use crate::rules::Ours;

/// A sequence of two or more that a few higher cards beat.
pub fn schemes(ours: &Ours<'_>, suit: Suit) -> Ways {
    if set_card(ours, suit).is_none() {
        return Vec::new();
    }
    vec![way(Method::suit(MethodName::PlaySetCard, suit), [Task::PlaySetCard(suit)])]
}

fn set_card(ours: &Ours<'_>, suit: Suit) -> Option<crate::card::Card> {
    let both = ours.both().of(suit);
    let key = ours.out.of(suit).highest()?;
    let top = both.below(key).highest()?;
    let group = both.touching(top, ours.out);
    (group.len() >= 2 && ours.beaten_by(top) <= 2).then(|| ours.here.common(group).highest()).flatten()
}

/// The top of the sequence in the hand on lead.
pub fn play_set_card(ours: &Ours<'_>, suit: Suit) -> Ways {
    let card = set_card(ours, suit);
    let through =
        |card| way(Method::card(MethodName::TopOfSequence, card), [Task::Play(card), Task::PlaySetFollowed]);
    card.map(through).into_iter().collect()
}

/// They win it or not, and the hand opposite plays what serves.
pub fn followed() -> Ways {
    vec![way(Method::plain(MethodName::PlaySetFollowed), REST)]
}
