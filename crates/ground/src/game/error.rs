//! Why a game cannot be grounded.

use counterplay_base::Limit;
use counterplay_syntax::{Diagnostic, Label, Severity, Span};

/// Why there are no ground rules.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GameError {
    /// A rule builds ever larger terms.
    #[error("this rule builds ever larger terms")]
    Endless { at: Span },
    /// A role that never has a move.
    #[error("role `{role}` never has a legal move")]
    NoMoves { role: String },
    /// A role that never gets a reward.
    #[error("role `{role}` has no goal")]
    NoGoals { role: String },
    /// A reward that is no number from 0 on.
    #[error("the reward `{text}` is no number")]
    Reward {
        /// As it was written.
        text: String,
    },
    /// A limit came first.
    #[error("stopped: {0}")]
    Stopped(Limit),
}

impl GameError {
    /// The error with its place, for people; `None` for a limit.
    pub fn diagnostic(&self) -> Option<Diagnostic> {
        let (code, labels) = match self {
            GameError::Endless { at } => ("game::endless", vec![Label { span: *at, text: String::new() }]),
            GameError::NoMoves { .. } => ("game::no-moves", Vec::new()),
            GameError::NoGoals { .. } => ("game::no-goals", Vec::new()),
            GameError::Reward { .. } => ("game::reward", Vec::new()),
            GameError::Stopped(_) => return None,
        };
        let message = self.to_string();
        Some(Diagnostic { severity: Severity::Error, code, message, labels, help: None })
    }
}
