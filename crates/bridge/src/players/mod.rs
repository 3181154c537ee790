//! Players: they choose cards from what they see.
//!
//! A [`Player`] gets a [`PlayerView`], from which no hidden hand can be reached. Only a [`PerfectInformationPlayer`] gets the position, and only
//! the double-dummy player is one.

mod defender;
mod double_dummy;
mod judge;
mod named;
mod network;
mod pimc;
mod planner;
mod rules;
mod tracker;

pub use defender::GoodDefence;
pub use double_dummy::DoubleDummyPlayer;
pub use judge::JudgeSettings;
pub use named::{Declarer, Defence, Effort};
pub use network::{Considered, NetworkPlayer};
pub use pimc::Pimc;
pub use planner::{Planner, PlannerSettings};
pub use rules::Rules;

use crate::card::Card;
use crate::play::{PlayerView, Position};
use crate::table::DealContext;

/// A card and why.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// The card to play.
    pub card: Card,
    /// The reason in a sentence; empty where there was no choice.
    pub why: String,
    /// Moves looked at to find it.
    pub moves: u64,
    /// Whether a plan had to be made anew for it.
    pub replanned: bool,
}

impl Choice {
    /// A card that needed no search.
    pub fn plain(card: Card, why: impl Into<String>) -> Choice {
        Choice { card, why: why.into(), moves: 0, replanned: false }
    }

    /// The only card that may be played, if there is only one.
    pub fn forced(view: &PlayerView) -> Option<Choice> {
        let legal = view.legal();
        (legal.len() == 1).then(|| Choice::plain(legal.lowest().expect("one card"), ""))
    }
}

/// Chooses cards from what the seat sees: declarer for both hands of the side, or one defender.
pub trait Player {
    /// The next card. `history` is every card played so far, in order; the view is of the one who decides.
    fn play(&mut self, view: &PlayerView, history: &[Card]) -> Choice;

    /// A new deal begins.
    fn begin(&mut self, context: &DealContext) {
        let _ = context;
    }
}

/// Chooses cards with all hands open.
pub trait PerfectInformationPlayer {
    fn play(&mut self, position: &Position) -> Choice;
}

/// A player of either kind.
pub enum Chair {
    /// A player that decides from what its seat sees.
    ImperfectInformation(Box<dyn Player>),
    /// A player that sees all hands.
    PerfectInformation(Box<dyn PerfectInformationPlayer>),
}

impl Chair {
    /// The next card in this position.
    pub fn play(&mut self, position: &Position, history: &[Card]) -> Choice {
        match self {
            Chair::ImperfectInformation(player) => player.play(&position.view(), history),
            Chair::PerfectInformation(player) => player.play(position),
        }
    }

    /// A new deal begins.
    pub fn begin(&mut self, context: &DealContext) {
        if let Chair::ImperfectInformation(player) = self {
            player.begin(context);
        }
    }
}
