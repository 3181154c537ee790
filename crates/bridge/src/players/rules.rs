//! The player by rule, on either side.

use crate::card::Card;
use crate::play::Sight;
use crate::players::{Choice, Player};
use crate::rules::{Intent, declare, defend};

/// Plays by rule without looking ahead.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rules;

impl Player for Rules {
    fn play(&mut self, sight: &Sight, _: &[Card]) -> Choice {
        let public = sight.public();
        let card = if public.is_ours(sight.seat()) {
            declare(public, sight.hand(), Intent::default())
        } else {
            defend(public, sight.hand())
        };
        Choice::plain(card, "by rule")
    }
}
