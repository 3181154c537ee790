//! What the defenders' cards tell.
//!
//! Leads and habits of defence are agreements that declarer may know. A layout in which the rules of defence would
//! have produced the cards that were seen is believed; one in which they would not keeps only a share of its weight,
//! once for each card that does not fit ([`Trust`]). With full shares nothing is concluded.

use rand::{Rng, RngExt};

use crate::belief::Beliefs;
use crate::card::{Card, Cards, Rank};
use crate::contract::Contract;
use crate::deal::Deal;
use crate::play::{PlayerView, Position, beats};
use crate::rules::{defend, opening_lead};
use crate::seat::Seat;

/// How much weight a layout keeps for a card that the rules of defence would not have played.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trust {
    /// For the opening lead.
    pub lead: f64,
    /// For every later card.
    pub card: f64,
}

impl Trust {
    /// No conclusions at all: every division that the cards allow is as likely as before.
    pub const NONE: Trust = Trust { lead: 1.0, card: 1.0 };
    /// The lead is nearly always by agreement, later cards often.
    pub const USUAL: Trust = Trust { lead: 0.02, card: 0.35 };

    fn concludes(self) -> bool {
        self != Trust::NONE
    }
}

/// Layouts that a player considers, each with its weight; the weights sum to one.
#[derive(Clone, Debug)]
pub struct Sample {
    /// Positions that agree with everything the player has seen, with their weights.
    pub layouts: Vec<(Position, f64)>,
    /// Whether these are all the layouts there are, rather than some drawn at random.
    pub complete: bool,
}

/// The share of weight that a layout keeps after the cards played so far.
///
/// `hands` are the four hands at the start.
pub fn likelihood(hands: [Cards; 4], contract: Contract, history: &[Card], trust: Trust) -> f64 {
    likelihood_above(hands, contract, history, trust, 0.0)
}

/// As [`likelihood`], giving up with zero once the share falls below `floor`.
fn likelihood_above(
    hands: [Cards; 4],
    contract: Contract,
    history: &[Card],
    trust: Trust,
    floor: f64,
) -> f64 {
    let Some((&lead, rest)) = history.split_first() else { return 1.0 };
    let leader = contract.declarer.next();
    let mut share = 1.0;
    if opening_lead(hands[leader as usize], contract.strain.trump()) != lead {
        share *= trust.lead;
        if share < floor {
            return 0.0;
        }
    }
    if trust.card >= 1.0 {
        return share;
    }
    let mut position = Position::new(&Deal::sound(hands), contract);
    position.put(lead);
    for &card in rest {
        let seat = position.public().turn();
        if !seat.is_with(contract.declarer) && !fits(&position, seat, card) {
            share *= trust.card;
            if share < floor {
                return 0.0;
            }
        }
        position.put(card);
    }
    share
}

/// Whether the rules play this card, or one that is worth the same.
fn fits(position: &Position, seat: Seat, card: Card) -> bool {
    let hand = position.hand(seat);
    let predicted = defend(position.public(), hand);
    if predicted == card {
        return true;
    }
    let others = position.public().parting(hand);
    predicted.suit() == card.suit() && hand.touching(card, others).has(predicted)
}

/// The share of weight that a layout keeps because sensible defenders do not play higher than they must: `keep` for
/// each card of theirs that was higher than needed. `hands` are the four hands at the start.
///
/// A card was higher than needed where a lower one of the suit, not touching it, would have done the same: when it
/// lost the trick or was discarded, when it won as the last card, or when it was a small card led.
pub fn thrift(hands: [Cards; 4], contract: Contract, history: &[Card], keep: f64) -> f64 {
    let mut share = 1.0;
    let mut position = Position::new(&Deal::sound(hands), contract);
    for (at, &card) in history.iter().enumerate() {
        let seat = position.public().turn();
        if at > 0 && !seat.is_with(contract.declarer) && is_wasteful(&position, seat, card) {
            share *= keep;
        }
        position.put(card);
    }
    share
}

/// Whether a lower card of the same suit would have done as well.
fn is_wasteful(position: &Position, seat: Seat, card: Card) -> bool {
    let public = position.public();
    let hand = position.hand(seat);
    let lower = hand.below(card).minus(hand.touching(card, public.parting(hand)));
    let Some(low) = lower.highest() else { return false };
    match public.trick().best(public.trump()) {
        None => card.rank() < Rank::TEN,
        Some((_, best)) if !beats(card, best, public.trump()) => true,
        Some((_, best)) => public.trick().len() == 3 && beats(low, best, public.trump()),
    }
}

/// Up to `wanted` layouts drawn from the belief, weighed by what the cards played so far tell; all layouts where
/// there are few.
pub fn sample(
    beliefs: &Beliefs,
    view: &PlayerView,
    history: &[Card],
    trust: Trust,
    wanted: usize,
    rng: &mut impl Rng,
) -> Sample {
    let public = view.public();
    let contract = public.contract();
    let start = |position: &Position| Seat::ALL.map(|seat| position.hand(seat).and(public.played_by(seat)));
    let likelihood = |position: &Position, floor| {
        if trust.concludes() {
            likelihood_above(start(position), contract, history, trust, floor)
        } else {
            1.0
        }
    };
    if let Some(all) = beliefs.all(wanted) {
        let layouts = all.into_iter().map(|held| beliefs.imagine(view, held));
        let layouts = layouts.map(|position| (position, likelihood(&position, 0.0))).collect();
        return Sample { layouts: normal(layouts), complete: true };
    }
    let mut kept: Vec<(Position, f64)> = Vec::with_capacity(wanted);
    let mut spare: Vec<(Position, f64)> = Vec::new();
    for _ in 0..60 * wanted {
        let Some(held) = beliefs.draw(rng) else { break };
        let position = beliefs.imagine(view, held);
        // A layout of share `s` is kept with probability `s`: what is kept is then equally likely.
        let ticket: f64 = rng.random();
        let floor = if spare.len() < wanted { 0.0 } else { ticket };
        let share = likelihood(&position, floor);
        if share >= ticket {
            kept.push((position, 1.0));
            if kept.len() == wanted {
                break;
            }
        } else if spare.len() < wanted {
            spare.push((position, share));
        }
    }
    if kept.len() < wanted / 3 {
        // Hardly anything fits: fall back on the best of what does not.
        spare.sort_by(|a, b| b.1.total_cmp(&a.1));
        let top = spare.first().map_or(0.0, |&(_, share)| share);
        let add = wanted / 2 - kept.len();
        kept.extend(spare.into_iter().take(add).map(|(position, share)| (position, share / top.max(1e-12))));
    }
    Sample { layouts: normal(kept), complete: false }
}

/// The same with weights that sum to one.
fn normal(mut layouts: Vec<(Position, f64)>) -> Vec<(Position, f64)> {
    let total: f64 = layouts.iter().map(|&(_, weight)| weight).sum();
    for (_, weight) in &mut layouts {
        *weight /= total.max(f64::MIN_POSITIVE);
    }
    layouts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hands(text: &str) -> [Cards; 4] {
        Deal::new(&text.parse().expect("a layout")).expect("a deal").hands()
    }

    fn cards(text: &str) -> Vec<Card> {
        text.split(' ').map(|card| card.parse().expect("a card")).collect()
    }

    /// East drops the nine under dummy's queen although the two was there; with the two in the other hand it is fine.
    #[test]
    fn a_card_higher_than_needed_tells_against_a_layout() {
        let contract: Contract = "3NT".parse::<crate::contract::Bid>().expect("a bid").by(Seat::South);
        let wasteful = hands("N:Q43.KQ2.A432.432 J92.J43.KQ5.KJT9 A87.A65.876.AQ76 KT65.T987.JT9.85");
        let thrifty = hands("N:Q43.KQ2.A432.432 J95.J43.KQ5.KJT9 A87.A65.876.AQ76 KT62.T987.JT9.85");
        let high = cards("S6 SQ S9");
        assert!((thrift(wasteful, contract, &high, 0.2) - 0.2).abs() < 1e-12);
        let other = cards("S6 SQ S5");
        assert!((thrift(thrifty, contract, &other, 0.2) - 1.0).abs() < 1e-12);
        // The jack of knave and nine is needed to win the trick from third hand.
        assert!((thrift(wasteful, contract, &cards("S6 S3 SJ"), 0.2) - 1.0).abs() < 1e-12);
    }
}
