//! The information set: the layouts that declarer holds possible, with a belief.
//!
//! The layouts agree on everything declarer knows: own cards, tricks, whose turn it is. The cards the defenders have
//! played agree up to equivalence: two of their cards that none of ours lies between are one card to us. What methods
//! may ask is only what declarer knows ([`InfoSet::ours`]) and how likely something is ([`InfoSet::chance`]); the
//! layouts themselves stay in this module and with the valuation.

use counterplay_tasknet::{Outcomes, TaskWorld};

use crate::belief::Beliefs;
use crate::card::{Card, Cards, Suit};
use crate::play::{PlayerView, Position, PublicState};
use crate::rules::{Ours, defend};
use crate::seat::Seat;

/// The layouts that declarer holds possible.
#[derive(Clone, Debug)]
pub struct InfoSet {
    layouts: Vec<(Position, f64)>,
    /// Tricks that were complete when planning began.
    started: u8,
}

/// A condition on the layouts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guard {
    /// The defender on turn plays one of these cards.
    Plays(Cards),
}

/// One card to the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// Declarer plays this card from the hand on turn.
    Ours(Card),
    /// The defender on turn plays one of these cards, which are worth the same to the plan.
    Theirs(Cards),
}

impl InfoSet {
    /// The set of these layouts, whose weights sum to one; `None` without a layout.
    pub fn new(layouts: Vec<(Position, f64)>) -> Option<InfoSet> {
        let started = layouts.first()?.0.public().tricks_played();
        Some(InfoSet { layouts, started })
    }

    /// What all four players know. Cards of the defenders stand for their equals.
    pub fn public(&self) -> &PublicState {
        self.layouts[0].0.public()
    }

    /// What declarer sees and has concluded, the same in all layouts.
    pub fn ours(&self) -> Ours<'_> {
        let public = self.public();
        Ours::new(public, self.layouts[0].0.hand(public.declarer()))
    }

    /// How many tricks the plan has covered so far.
    pub fn tricks_ahead(&self) -> u8 {
        self.public().tricks_played() - self.started
    }

    pub fn len(&self) -> usize {
        self.layouts.len()
    }

    /// Whether there is no layout; never, for a set that exists.
    pub fn is_empty(&self) -> bool {
        self.layouts.is_empty()
    }

    /// The belief in this set.
    pub fn mass(&self) -> f64 {
        self.layouts.iter().map(|&(_, weight)| weight).sum()
    }

    /// How likely it is that what `seat` holds satisfies `event`.
    pub fn chance(&self, seat: Seat, event: impl Fn(Cards) -> bool) -> f64 {
        let good = self.layouts.iter().filter(|(position, _)| event(position.hand(seat)));
        good.map(|&(_, weight)| weight).sum::<f64>() / self.mass()
    }

    /// The layouts with their weights, for the valuation.
    pub(super) fn layouts(&self) -> &[(Position, f64)] {
        &self.layouts
    }

    fn of(&self, layouts: Vec<(Position, f64)>) -> Option<InfoSet> {
        (!layouts.is_empty()).then_some(InfoSet { layouts, started: self.started })
    }
}

/// What the defender on turn is expected to play in one layout.
fn expected(position: &Position) -> Card {
    defend(position.public(), position.hand(position.public().turn()))
}

impl TaskWorld for InfoSet {
    type Guard = Guard;
    type Op = Op;

    fn split(&self, guard: &Guard) -> (Option<InfoSet>, Option<InfoSet>) {
        let Guard::Plays(cards) = guard;
        let (mut part, mut rest) = (Vec::new(), Vec::new());
        for &layout in &self.layouts {
            if cards.has(expected(&layout.0)) { part.push(layout) } else { rest.push(layout) }
        }
        (self.of(part), self.of(rest))
    }

    fn apply(&self, op: &Op) -> Outcomes<InfoSet> {
        // Cards that a scheme takes for equal may still win the trick in one layout and lose it in another: such a set is
        // not one of declarer's information sets any more, and planning ends there.
        let turn = self.public().turn();
        if self.layouts.iter().any(|(position, _)| position.public().turn() != turn) {
            return Outcomes::None;
        }
        let mut next = self.clone();
        match op {
            Op::Ours(card) => {
                if !self.layouts[0].0.legal().has(*card) {
                    return Outcomes::None;
                }
                for (position, _) in &mut next.layouts {
                    position.put(*card);
                }
            }
            Op::Theirs(cards) => {
                for (position, _) in &mut next.layouts {
                    let card = expected(position);
                    if !cards.has(card) {
                        return Outcomes::None;
                    }
                    position.put(card);
                }
            }
        }
        Outcomes::One(next)
    }
}

/// Every division of one suit between the defenders, weighed exactly; their other cards lie in one of the ways that fit.
pub fn every_division(beliefs: &Beliefs, view: &PlayerView, suit: Suit) -> Option<InfoSet> {
    let first = beliefs.seats()[0];
    let places = beliefs.vacant(first);
    let cards = beliefs.unseen().of(suit);
    let others = beliefs.unseen().minus(cards);
    let mut layouts = Vec::new();
    for subset in 0..1u32 << cards.len() {
        let held: Cards =
            cards.iter().enumerate().filter(|(at, _)| subset >> at & 1 == 1).map(|(_, card)| card).collect();
        let weight = beliefs.chance(first, suit, |cards| cards == held);
        let missing = places.checked_sub(held.len()).filter(|&missing| missing <= others.len());
        if let Some(missing) = missing.filter(|_| weight > 0.0) {
            // Every other card in turn, so that no side suit lies in one hand.
            let step = others.len().max(1);
            let fill: Cards = (0..missing).filter_map(|n| others.nth(n * step / missing.max(1))).collect();
            layouts.push((beliefs.imagine(view, held.and(fill)), weight));
        }
    }
    InfoSet::new(layouts)
}
