//! Layouts that are followed through a whole deal.
//!
//! A layout that was thought of once is kept as long as the play agrees with it, so what was learnt about it adds up.
//! What is learnt: double dummy tells before a defender plays how many tricks declarer can take, and afterwards how
//! many it has become. More means that the defenders slipped in this layout, and defenders who know what they are
//! doing slip rarely, so the layout becomes less likely. This costs nothing, since both figures are needed anyway.
//! Besides, sensible defenders play no higher than they must ([`thrift`]), and the opening lead is by agreement.

use rand::{Rng, RngExt};

use crate::belief::Beliefs;
use crate::belief::evidence::thrift;
use crate::card::{Card, Cards};
use crate::play::{PlayerView, Position, PublicState};
use crate::rules::opening_lead;

/// How much of its weight a layout keeps in which the opening lead would have been another card.
const OTHER_LEAD: f64 = 0.02;

/// What a layout keeps of its weight for what the defenders would have done wrong in it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Doubts {
    /// For each trick given away.
    pub(super) slip: f64,
    /// For each card that was higher than needed.
    pub(super) waste: f64,
}

/// A layout of the hidden hands.
#[derive(Clone, Debug)]
pub(super) struct TrackedLayout {
    /// What the two hidden hands held at the start, in the order of [`Beliefs::seats`].
    first: Cards,
    second: Cards,
    /// Its share from the lead, and from the time before it was thought of.
    share: f64,
    /// What cards higher than needed have left of its weight.
    thrift: f64,
    /// The same at the time it was thought of: it was drawn with that probability.
    at_birth: f64,
    /// Tricks that the defenders have given away since.
    slips: u32,
    /// Declarer's tricks by best play after declarer's last choice, where that is known.
    expected: Option<u8>,
    /// Declarer's tricks after each card that may be played now.
    values: Vec<(Card, u8)>,
    /// Whether these are exact; otherwise they say no more than whether the contract is made.
    exact: bool,
    /// The same of the last choice.
    was_exact: bool,
}

impl TrackedLayout {
    /// Whether nothing that was played contradicts this layout.
    fn agrees(&self, beliefs: &Beliefs, public: &PublicState) -> bool {
        let seats = beliefs.seats();
        [self.first, self.second].iter().zip(seats).all(|(&hand, seat)| {
            let played = public.played_by(seat);
            let left = hand.minus(played);
            played.minus(hand).is_empty()
                && crate::card::Suit::DOWN
                    .iter()
                    .all(|&suit| !public.has_shown_out(seat, suit) || left.is_void(suit))
        })
    }

    /// The position that declarer would be in.
    pub(super) fn position(&self, beliefs: &Beliefs, view: &PlayerView) -> Position {
        let played = view.public().played_by(beliefs.seats()[0]);
        beliefs.imagine(view, self.first.minus(played))
    }

    /// Declarer's tricks after `card`, if the layout has been solved.
    pub(super) fn tricks_after(&self, card: Card) -> Option<u8> {
        self.values.iter().find(|(known, _)| *known == card).map(|&(_, tricks)| tricks)
    }

    /// Takes note of what double dummy says now, for a contract of `target` tricks. Values that are not exact say no more
    /// than whether it is made.
    pub(super) fn learn(&mut self, values: Vec<(Card, u8)>, exact: bool, target: u8) {
        let best = values.iter().map(|&(_, tricks)| tricks).max();
        if let (Some(expected), Some(best)) = (self.expected, best) {
            self.slips += if exact && self.was_exact {
                u32::from(best.abs_diff(expected))
            } else {
                u32::from((expected >= target) != (best >= target))
            };
        }
        self.values = values;
        self.exact = exact;
    }

    /// The weight under these doubts.
    pub(super) fn weight(&self, doubts: Doubts) -> f64 {
        self.share * self.thrift / self.at_birth * doubts.slip.powi(self.slips as i32)
    }
}

/// The layouts that are followed.
#[derive(Clone, Debug, Default)]
pub(super) struct LayoutTracker {
    tracker: Vec<TrackedLayout>,
}

impl LayoutTracker {
    /// Forgets all layouts, for a new deal.
    pub(super) fn clear(&mut self) {
        self.tracker.clear();
    }

    /// Drops the layouts that the play has refuted and fills up with new ones. Where there are few layouts at all,
    /// all of them are taken.
    pub(super) fn refresh(
        &mut self,
        beliefs: &Beliefs,
        view: &PlayerView,
        history: &[Card],
        wanted: usize,
        doubts: Doubts,
        rng: &mut impl Rng,
    ) {
        let public = view.public();
        let thrift_of = |first: Cards, second: Cards| {
            let mut hands = [Cards::NONE; 4];
            hands[view.seat() as usize] = view.hand().and(public.played_by(view.seat()));
            hands[public.dummy() as usize] = public.dummy_hand().and(public.played_by(public.dummy()));
            hands[beliefs.seats()[0] as usize] = first;
            hands[beliefs.seats()[1] as usize] = second;
            thrift(hands, public.contract(), history, doubts.waste)
        };
        self.tracker.retain(|world| world.agrees(beliefs, public));
        for world in &mut self.tracker {
            world.thrift = thrift_of(world.first, world.second);
        }
        let top = self.tracker.iter().map(|world| world.weight(doubts)).fold(0.0, f64::max);
        self.tracker.retain(|world| world.weight(doubts) > 0.02 * top);
        // A layout that comes late has a past as good as the average of those that were followed.
        let past: Vec<f64> = self.tracker.iter().map(|world| doubts.slip.powi(world.slips as i32)).collect();
        let past = if past.is_empty() { 1.0 } else { past.iter().sum::<f64>() / past.len() as f64 };
        let leader = public.declarer().next();
        // A defender who led knows the own hand, and nothing follows from the lead.
        let fits = |first: Cards, second: Cards| {
            let hidden = beliefs.seats().iter().position(|&seat| seat == leader);
            let hand = hidden.map(|at| [first, second][at]);
            hand.zip(public.lead()).is_none_or(|(hand, lead)| opening_lead(hand, public.trump()) == lead)
        };
        let start = |held: Cards| {
            let [first, second] = beliefs.seats().map(|seat| public.played_by(seat));
            (held.and(first), beliefs.unseen().minus(held).and(second))
        };
        let new = |(first, second): (Cards, Cards), share: f64, thrift: f64, at_birth: f64| TrackedLayout {
            first,
            second,
            share: share * past,
            thrift,
            at_birth,
            slips: 0,
            expected: None,
            values: Vec::new(),
            exact: false,
            was_exact: false,
        };
        if let Some(all) = beliefs.all(wanted) {
            let old = std::mem::take(&mut self.tracker);
            for held in all {
                let (first, second) = start(held);
                let lead = if fits(first, second) { 1.0 } else { OTHER_LEAD };
                let known = old.iter().find(|world| world.first == first && world.second == second);
                let mut world = new((first, second), lead, thrift_of(first, second), 1.0);
                if let Some(known) = known {
                    world = TrackedLayout {
                        share: lead,
                        slips: known.slips,
                        expected: known.expected,
                        was_exact: known.was_exact,
                        ..world
                    };
                }
                self.tracker.push(world);
            }
            return;
        }
        let mut tries = 400 * wanted;
        while self.tracker.len() < wanted && tries > 0 {
            tries -= 1;
            let Some(held) = beliefs.draw(rng) else { break };
            let (first, second) = start(held);
            let ticket: f64 = rng.random();
            let lead = if fits(first, second) { 1.0 } else { OTHER_LEAD };
            // A layout is kept as often as it deserves; if hardly any fits, the rest must do.
            if ticket > lead && tries > 40 * wanted {
                continue;
            }
            let thrift = thrift_of(first, second);
            if ticket <= lead * thrift || tries < 40 * wanted {
                self.tracker.push(new((first, second), 1.0, thrift, thrift));
            }
        }
    }

    /// The layouts, for the judge.
    pub(super) fn iter_mut(&mut self) -> std::slice::IterMut<'_, TrackedLayout> {
        self.tracker.iter_mut()
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.tracker.len()
    }

    /// Those that have been solved for the card to be played now.
    pub(super) fn solved(&self) -> impl Iterator<Item = &TrackedLayout> {
        self.tracker.iter().filter(|world| !world.values.is_empty())
    }

    /// Takes note of declarer's choice.
    pub(super) fn choose(&mut self, card: Card) {
        for world in &mut self.tracker {
            world.expected = world.tricks_after(card);
            world.was_exact = world.exact;
            world.values.clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand_pcg::Pcg64Mcg;

    use super::*;
    use crate::contract::{Contract, Strain};
    use crate::deal::Deal;
    use crate::rules::{Intent, declare, defend};
    use crate::seat::Seat;

    const DOUBTS: Doubts = Doubts { slip: 0.1, waste: 0.2 };

    fn position() -> Position {
        let text = "N:J643.6.QJT42.AQ8 A7.9432.K73.T952 K98.AJ7.A986.K73 QT52.KQT85.5.J64";
        let deal = Deal::new(&text.parse().expect("a layout")).expect("a deal");
        Position::new(&deal, Contract::new(3, Strain::Notrump, Seat::South).expect("3NT"))
    }

    fn advance(position: &mut Position, history: &mut Vec<Card>) {
        let public = position.public();
        let hand = position.hand(public.decider());
        let ours = public.is_ours(public.turn());
        let card = if ours { declare(public, hand, Intent::default()) } else { defend(public, hand) };
        position.put(card);
        history.push(card);
    }

    /// Through a whole deal every layout agrees with all that was played, and there are as many as wanted or all.
    #[test]
    fn layouts_agree_with_the_play_and_are_filled_up() {
        let mut rng = Pcg64Mcg::seed_from_u64(1);
        let mut tracker = LayoutTracker::default();
        let (mut position, mut history) = (position(), Vec::new());
        while !position.public().is_over() {
            if position.public().is_ours(position.public().turn()) {
                let view = position.view();
                let beliefs = Beliefs::new(&view);
                tracker.refresh(&beliefs, &view, &history, 12, DOUBTS, &mut rng);
                assert!(tracker.len() == 12 || tracker.len() as f64 == beliefs.count(), "{}", tracker.len());
                for world in tracker.iter_mut() {
                    assert!(world.agrees(&beliefs, view.public()));
                    assert_eq!(world.position(&beliefs, &view).view(), view);
                }
            }
            advance(&mut position, &mut history);
        }
    }

    /// A trick that the defenders gave away in a layout costs it weight; one that they took does not.
    #[test]
    fn slips_cost_weight() {
        let mut rng = Pcg64Mcg::seed_from_u64(2);
        let (mut position, mut history) = (position(), Vec::new());
        advance(&mut position, &mut history);
        let view = position.view();
        let mut tracker = LayoutTracker::default();
        tracker.refresh(&Beliefs::new(&view), &view, &history, 2, DOUBTS, &mut rng);
        let card = view.legal().lowest().expect("a card");
        for world in tracker.iter_mut() {
            world.learn(vec![(card, 9)], true, 9);
        }
        tracker.choose(card);
        for (world, tricks) in tracker.iter_mut().zip([10, 9]) {
            world.learn(vec![(card, tricks)], true, 9);
        }
        let weights: Vec<f64> = tracker.solved().map(|world| world.weight(DOUBTS)).collect();
        assert!((weights[0] - 0.1).abs() < 1e-12 && (weights[1] - 1.0).abs() < 1e-12, "{weights:?}");
    }
}
