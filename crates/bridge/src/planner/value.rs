//! What a leaf of the tree is worth: the paper's distributed evaluation function.
//!
//! In every layout the rest is played out by the rules of both sides; declarer's rules see what declarer sees and may
//! have a suit in mind. Which suit is declarer's choice, so the best intention over all layouts together counts: one
//! decision for the whole information set, not one for each layout.

use crate::card::Suit;
use crate::contract::Contract;
use crate::planner::infoset::InfoSet;
use crate::play::Position;
use crate::rules::{Intent, declare, defend};

/// What declarer maximises on average over the layouts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// The best mean duplicate score.
    Score,
    /// The best chance of making the contract.
    Contract,
    /// The most tricks on average.
    Tricks,
}

/// How leaves are valued.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Valuation {
    pub goal: Goal,
    /// Whether declarer's side is vulnerable.
    pub vulnerable: bool,
}

impl Valuation {
    /// What so many tricks are worth.
    pub fn worth(&self, contract: Contract, tricks: u8) -> f64 {
        match self.goal {
            Goal::Score => f64::from(contract.score(tricks, self.vulnerable)),
            Goal::Contract => f64::from(u8::from(tricks >= contract.target())),
            Goal::Tricks => f64::from(tricks),
        }
    }

    /// The mean worth over the layouts, under the best intention.
    pub fn utility(&self, world: &InfoSet) -> f64 {
        let ours = world.ours();
        let promising = |&suit: &Suit| ours.outlook(suit).gain() > 0.0;
        let suits = Suit::DOWN.into_iter().filter(promising).map(|suit| Intent { suit: Some(suit) });
        let intents = std::iter::once(Intent::default()).chain(suits);
        intents.map(|intent| self.mean(world, intent)).fold(f64::NEG_INFINITY, f64::max)
    }

    fn mean(&self, world: &InfoSet, intent: Intent) -> f64 {
        let contract = world.public().contract();
        let value = |position: &Position| self.worth(contract, play_out(*position, intent));
        let total: f64 = world.layouts().iter().map(|(position, weight)| weight * value(position)).sum();
        total / world.mass()
    }
}

/// Declarer's tricks when both sides go on by rule.
pub fn play_out(mut position: Position, intent: Intent) -> u8 {
    while !position.public().is_over() {
        let public = position.public();
        let hand = position.hand(public.decider());
        let ours = public.is_ours(public.turn());
        let card = if ours { declare(public, hand, intent) } else { defend(public, hand) };
        position.put(card);
    }
    position.public().declarer_tricks()
}
