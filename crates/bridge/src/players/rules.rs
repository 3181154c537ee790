//! The player by rule, on either side.

use crate::card::Card;
use crate::play::PlayerView;
use crate::players::{Choice, Player};
use crate::rules::{Intent, declare, defend};

/// Plays by rule without looking ahead.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rules;

impl Player for Rules {
    fn play(&mut self, view: &PlayerView, _: &[Card]) -> Choice {
        let public = view.public();
        let card = if public.is_ours(view.seat()) {
            declare(public, view.hand(), Intent::default())
        } else {
            defend(public, view.hand())
        };
        Choice::plain(card, "by rule")
    }
}
