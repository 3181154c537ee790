//! What a strategy is.
//!
//! The dilemma is played simultaneously, so a strategy gets a trait of its own rather than a corner of a trait for
//! games with turns: it sees what both sides executed so far and says what it intends to do.

use serde::Serialize;

use crate::chance::Chance;
use crate::moves::{History, Move};
use crate::payoffs::Payoffs;

/// A player of one match.
///
/// Laws: `choose` is called once per turn, with a history that has grown by one turn since the last call. A strategy
/// takes chance from `chance` alone, so that the same seed gives the same match. What is executed may differ from
/// what was chosen, by noise; the history tells.
pub trait Strategy: Send {
    /// The move it intends to make now.
    fn choose(&mut self, history: &History<'_>, chance: &mut Chance) -> Move;

    /// What it believes about the other player, for people to read; nothing if it has no beliefs.
    fn beliefs(&self, _past: &History<'_>) -> Option<Beliefs> {
        None
    }

    /// What went wrong with it, if something did. Built-in strategies are always well; programs may not be.
    fn fault(&self) -> Option<Fault> {
        None
    }
}

/// What a strategy is told before a match.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Setting {
    /// What outcomes are worth to it.
    pub payoffs: Payoffs,
    /// How likely a move is to come out as its opposite.
    pub noise: f64,
    /// How many turns there will be, if that is known.
    pub turns: Option<u32>,
}

impl Default for Setting {
    fn default() -> Setting {
        Setting { payoffs: Payoffs::DILEMMA, noise: 0.0, turns: None }
    }
}

/// A model of the other player in words and numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Beliefs {
    /// One line for each condition.
    pub lines: Vec<Belief>,
}

/// What is believed under one condition.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Belief {
    /// The condition, such as `CD`: we cooperated and the other defected.
    pub condition: String,
    /// How likely the other is to cooperate then.
    pub cooperates: f64,
    /// On what the belief rests.
    pub because: String,
    /// Whether the condition holds now.
    pub holds: bool,
}

/// Why a strategy no longer plays by itself. From that turn on its moves mean nothing, and the match has no score.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The turn in which it failed, counted from 1.
    pub turn: usize,
    /// What it did wrong.
    pub why: String,
}

/// A strategy that is a function of the history and perhaps of some variables it has captured.
pub(crate) struct Reactive<F>(pub(crate) F);

impl<F: FnMut(&History<'_>, &mut Chance) -> Move + Send> Strategy for Reactive<F> {
    #[inline]
    fn choose(&mut self, history: &History<'_>, chance: &mut Chance) -> Move {
        (self.0)(history, chance)
    }
}

/// A boxed strategy from a function of the history.
pub(crate) fn reactive(
    rule: impl FnMut(&History<'_>, &mut Chance) -> Move + Send + 'static,
) -> Box<dyn Strategy> {
    Box::new(Reactive(rule))
}
