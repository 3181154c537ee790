//! A model of the defence: does it play by the rules that declarer has in mind?
//!
//! Two kinds of defenders are thought possible: those who follow the rules of defence, and those who play any
//! sensible card for reasons of their own. Every card they play is more likely from one kind than from the other, so
//! Bayes' rule turns the cards into a degree of belief in the first kind.

use crate::card::{Card, Cards};
use crate::play::Position;
use crate::rules::defend;

/// A belief about the kind of defence, and the layouts it is measured against.
#[derive(Clone, Debug)]
pub struct DefenceModel {
    layouts: Vec<(Position, f64)>,
    seen: usize,
    log_odds: f64,
}

impl Default for DefenceModel {
    fn default() -> DefenceModel {
        DefenceModel { layouts: Vec::new(), seen: 1, log_odds: 0.0 }
    }
}

impl DefenceModel {
    /// How strongly the defence is believed to play by rule, from 0 to 1; one half at the start.
    pub fn by_rule(&self) -> f64 {
        1.0 / (1.0 + (-self.log_odds).exp())
    }

    /// The same belief in log-odds: positive for a defence by rule.
    pub fn log_odds(&self) -> f64 {
        self.log_odds
    }

    /// Takes note of the cards since the layouts were drawn.
    pub fn observe(&mut self, history: &[Card]) {
        while self.seen < history.len() && !self.layouts.is_empty() {
            self.step(history[self.seen]);
            self.seen += 1;
        }
    }

    /// Measures the cards from here on against these layouts.
    pub fn renew(&mut self, layouts: &[(Position, f64)], history: &[Card]) {
        self.layouts = layouts.to_vec();
        self.seen = history.len();
    }

    fn step(&mut self, card: Card) {
        let public = *self.layouts[0].0.public();
        if !public.is_ours(public.turn()) {
            let (mut total, mut rule, mut other) = (0.0, 0.0, 0.0);
            for (position, weight) in &self.layouts {
                let hand = position.hand(public.turn());
                let legal = position.legal();
                total += weight;
                if legal.len() > 1 && legal.has(card) {
                    let elsewhere = public.parting(hand);
                    let groups = groups(legal, hand, elsewhere);
                    let expected = defend(position.public(), hand);
                    let same = hand.touching(card, elsewhere).has(expected);
                    rule += weight * if same { 0.95 } else { 0.05 / groups };
                    other += weight / groups;
                } else if legal.has(card) {
                    rule += weight;
                    other += weight;
                }
            }
            if total > 0.0 && other > 0.0 {
                self.log_odds = (self.log_odds + (rule / other).ln()).clamp(-8.0, 8.0);
            }
        }
        self.layouts.retain(|(position, _)| position.legal().has(card));
        for (position, _) in &mut self.layouts {
            position.put(card);
        }
    }
}

/// How many plays differ in effect.
fn groups(legal: Cards, hand: Cards, elsewhere: Cards) -> f64 {
    let (mut left, mut count) = (legal, 0.0);
    while let Some(card) = left.lowest() {
        left = left.minus(hand.touching(card, elsewhere)).without(card);
        count += 1.0;
    }
    count
}
