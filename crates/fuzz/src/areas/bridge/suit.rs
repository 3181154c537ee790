//! Single suits: the exact solver against every set of layouts, tried out.
//!
//! Declarer has free entries, the defenders see all cards and know declarer's strategy. So the best chance is the greatest weight of
//! a set of layouts that one strategy wins all of, whatever the defenders do. The twin looks for that set directly, card by
//! card: nothing is grouped, and every missing card is itself.

use std::collections::HashMap;

use bridge::suit::{SuitHolding, best_strategy, write_strategies};
use counterplay_base::{Budget, Verdict};
use counterplay_check::check_suit_strategy;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use crate::{Area, Case, Outcome};

/// Random holdings with few missing cards.
pub(super) struct Suit;

const LETTERS: &str = "23456789TJQKA";

/// The cards of a hand, bit `r` for the rank `r` of [`LETTERS`].
type Hand = u16;

fn ranks(hand: Hand) -> impl Iterator<Item = u32> {
    (0..13).filter(move |rank| hand >> rank & 1 == 1)
}

/// One division of the missing cards: west's and east's.
type Layout = [Hand; 2];

/// What declarer knows between two tricks, with the layouts that are to be won.
type Knot = (Hand, Hand, usize, Vec<Layout>);

/// Whether one strategy takes `need` more tricks in all of some layouts.
#[derive(Default)]
struct Twin {
    known: HashMap<Knot, bool>,
}

/// Cards of a trick so far: the highest of declarer's and of theirs, one more than the rank, 0 for none.
type Trick = (u32, u32);

impl Twin {
    fn wins(&mut self, north: Hand, south: Hand, need: usize, mut layouts: Vec<Layout>) -> bool {
        if need == 0 || layouts.is_empty() {
            return true;
        }
        if (north.count_ones().max(south.count_ones()) as usize) < need {
            return false;
        }
        layouts.sort_unstable();
        layouts.dedup();
        let knot = (north, south, need, layouts);
        if let Some(&known) = self.known.get(&knot) {
            return known;
        }
        // North leads through east, south through west.
        let hands = [north, south];
        let found = (0..2).any(|leader| {
            ranks(hands[leader]).any(|card| {
                let mut left = hands;
                left[leader] &= !(1 << card);
                self.defends(left, need, &knot.3, leader, (card + 1, 0), 2)
            })
        });
        self.known.insert(knot, found);
        found
    }

    /// A defender plays; `turn` is the place in the trick, 2 or 4. Each of his cards must be answered in every layout that has it.
    fn defends(
        &mut self,
        hands: [Hand; 2],
        need: usize,
        layouts: &[Layout],
        leader: usize,
        trick: Trick,
        turn: u8,
    ) -> bool {
        let seat = if (leader == 0) == (turn == 2) { 1 } else { 0 };
        let choices = (0..13).map(Some).chain([None]);
        for choice in choices {
            let mut after = Vec::new();
            for layout in layouts {
                match choice {
                    Some(card) if layout[seat] >> card & 1 == 1 => {
                        let mut next = *layout;
                        next[seat] &= !(1 << card);
                        after.push(next);
                    }
                    None if layout[seat] == 0 => after.push(*layout),
                    _ => {}
                }
            }
            if after.is_empty() {
                continue;
            }
            let theirs = trick.1.max(choice.map_or(0, |card| card + 1));
            let held = if turn == 2 {
                self.third(hands, need, &after, leader, (trick.0, theirs))
            } else {
                self.wins(hands[0], hands[1], need - usize::from(trick.0 > theirs), after)
            };
            if !held {
                return false;
            }
        }
        true
    }

    fn third(
        &mut self,
        hands: [Hand; 2],
        need: usize,
        layouts: &[Layout],
        leader: usize,
        trick: Trick,
    ) -> bool {
        let other = 1 - leader;
        if hands[other] == 0 {
            return self.defends(hands, need, layouts, leader, trick, 4);
        }
        ranks(hands[other]).any(|card| {
            let mut left = hands;
            left[other] &= !(1 << card);
            self.defends(left, need, layouts, leader, (trick.0.max(card + 1), trick.1), 4)
        })
    }
}

fn choose(n: u32, k: u32) -> f64 {
    if k > n { 0.0 } else { (0..k).fold(1.0, |product, i| product * f64::from(n - i) / f64::from(i + 1)) }
}

/// The greatest weight of a set of layouts that one strategy wins.
fn best_chance(north: Hand, south: Hand, need: usize) -> f64 {
    let missing: Vec<u32> = ranks(!(north | south) & 0x1fff).collect();
    let count = missing.len() as u32;
    let mut layouts: Vec<(Layout, f64)> = Vec::new();
    for division in 0..1u32 << count {
        let mut layout: Layout = [0; 2];
        for (at, rank) in missing.iter().enumerate() {
            layout[(division >> at & 1) as usize] |= 1 << rank;
        }
        let weight = choose(26 - count, 13 - layout[0].count_ones()) / choose(26, 13);
        layouts.push((layout, weight));
    }
    let mut twin = Twin::default();
    // A layout that is lost alone is lost in every set.
    layouts.retain(|(layout, _)| twin.wins(north, south, need, vec![*layout]));
    layouts.sort_by(|a, b| b.1.total_cmp(&a.1));
    let mut best = 0.0;
    extend(&mut twin, (north, south, need), &layouts, &mut Vec::new(), 0.0, &mut best);
    best
}

/// Takes or leaves the first layout that is left, as long as the weight may still exceed the best.
fn extend(
    twin: &mut Twin,
    problem: (Hand, Hand, usize),
    left: &[(Layout, f64)],
    taken: &mut Vec<Layout>,
    weight: f64,
    best: &mut f64,
) {
    *best = best.max(weight);
    let Some(((layout, own), rest)) = left.split_first() else { return };
    if weight + left.iter().map(|(_, weight)| weight).sum::<f64>() <= *best + 1e-12 {
        return;
    }
    taken.push(*layout);
    if twin.wins(problem.0, problem.1, problem.2, taken.clone()) {
        extend(twin, problem, rest, taken, weight + own, best);
    }
    taken.pop();
    extend(twin, problem, rest, taken, weight, best);
}

fn letters(hand: Hand) -> String {
    let text: String =
        LETTERS.chars().enumerate().filter(|(at, _)| hand >> at & 1 == 1).map(|(_, c)| c).collect();
    if text.is_empty() { "-".to_owned() } else { text.chars().rev().collect() }
}

fn hand(text: &str) -> Option<Hand> {
    let mut hand = 0;
    for letter in text.chars().filter(|&letter| letter != '-') {
        hand |= 1 << LETTERS.find(letter)?;
    }
    Some(hand)
}

fn read(case: &Case) -> Option<(String, String, usize)> {
    let mut words = case.text("suit.txt").split_whitespace().map(str::to_owned);
    let found = (words.next()?, words.next()?, words.next()?.parse().ok()?);
    Some(found)
}

impl Area for Suit {
    fn name(&self) -> &'static str {
        "suit"
    }

    fn about(&self) -> &'static str {
        "single suits with up to four missing cards: the exact solver against sets of layouts, card by card"
    }

    fn sample(&self) -> u64 {
        5_000
    }

    fn generate(&self, rng: &mut ChaCha8Rng) -> Case {
        let missing = [1, 2, 3, 3, 3, 4][rng.random_range(0..6)];
        let mut order: Vec<u32> = (0..13).collect();
        for at in (1..13).rev() {
            order.swap(at, rng.random_range(0..=at));
        }
        // Missing honours make problems; one of them is always missing.
        if let Some(at) = order.iter().position(|&rank| rank >= 9) {
            order.swap(0, at);
        }
        let (mut north, mut south): (Hand, Hand) = (0, 0);
        for &rank in &order[missing..] {
            if rng.random_bool(0.5) { north |= 1 << rank } else { south |= 1 << rank }
        }
        let most = north.count_ones().max(south.count_ones());
        let tricks = most.saturating_sub(rng.random_range(0..3)).max(1);
        Case::new([("suit.txt", format!("{} {} {tricks}\n", letters(north), letters(south)))])
    }

    fn examine(&self, case: &Case) -> Outcome {
        let Some((north, south, tricks)) = read(case) else {
            return Outcome::Rejected("not a suit".to_owned());
        };
        let (Some(own), Some(other)) = (hand(&north), hand(&south)) else {
            return Outcome::Rejected("not a suit".to_owned());
        };
        if (own | other).count_ones() < 9 || own & other != 0 || own.count_ones().max(other.count_ones()) > 8
        {
            return Outcome::Rejected("too large for the twin".to_owned());
        }
        let Ok(holding) = SuitHolding::new(&north, &south) else {
            return Outcome::Rejected("not a holding".to_owned());
        };
        let expected = best_chance(own, other, tricks);
        let budget = Budget::unlimited();
        match best_strategy(&holding, tricks, &budget) {
            Verdict::Solved((answer, strategy)) if (answer.chance - expected).abs() < 1e-9 => {
                // The strategy itself wins as much, whatever the defenders play.
                let checked = check_suit_strategy(&write_strategies(&holding, &[strategy]), &budget);
                let achieved = checked.map(|suit| suit.parts[0].chance);
                let is_achieved =
                    |(over, under): (u64, u64)| (over as f64 / under as f64 - expected).abs() < 1e-9;
                if !achieved.as_ref().is_ok_and(|&chance| is_achieved(chance)) {
                    let detail = format!("twin: {expected:.6}, checker: {achieved:?}");
                    return Outcome::Disagreed { what: "suit: the strategy fails".to_owned(), detail };
                }
                Outcome::Agreed {
                    answers: 2,
                    kind: match expected {
                        chance if chance > 1.0 - 1e-9 => "certain",
                        0.0 => "impossible",
                        _ => "uncertain",
                    },
                }
            }
            Verdict::Solved((answer, _)) => Outcome::Disagreed {
                what: format!("suit: too {}", if answer.chance > expected { "high" } else { "low" }),
                detail: format!("suit: {:.6}, twin: {expected:.6}", answer.chance),
            },
            other => Outcome::Disagreed { what: "suit: no answer".to_owned(), detail: format!("{other:?}") },
        }
    }

    /// Moves declarer's cards from one hand to the other, and asks for fewer tricks.
    fn shrink(&self, case: &Case) -> Vec<Case> {
        let Some((north, south, tricks)) = read(case) else { return Vec::new() };
        let mut smaller = Vec::new();
        if tricks > 1 {
            smaller.push(Case::new([("suit.txt", format!("{north} {south} {}\n", tricks - 1))]));
        }
        smaller
    }
}
