//! Why a plan is not accepted.

use std::fmt;

use counterplay_base::Limit;
use counterplay_syntax::{Diagnostic, Label, Severity, Span};

use crate::explain::Unmet;

/// A step of the plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Which one, from 0.
    pub index: usize,
    /// The step as text: `(pick-up a)`.
    pub step: String,
    /// Where it stands in the plan file, if it came from one.
    pub at: Option<Span>,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "step {} `{}`", self.index + 1, self.step)
    }
}

/// The first thing that is wrong with a plan.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Flaw {
    /// More or fewer arguments than the action has parameters.
    #[error("{place}: the action takes {expected} arguments")]
    Arity {
        place: Place,
        /// How many arguments the action takes.
        expected: usize,
    },
    /// An argument of a wrong type.
    #[error("{place}: `{object}` is no {expected}, as {parameter} must be")]
    Argument {
        place: Place,
        object: String,
        /// The parameter it is for.
        parameter: String,
        /// The type of the parameter.
        expected: String,
    },
    /// A precondition that does not hold.
    #[error("{place}: {unmet}")]
    Precondition {
        place: Place,
        /// The part to blame.
        unmet: Unmet,
    },
    /// An effect that reads a function without a value, or divides by zero.
    #[error("{place}: `{expression}` has no value")]
    Undefined {
        place: Place,
        /// What has no value.
        expression: String,
    },
    /// Effects that contradict each other on a number.
    #[error("{place}: contradicting changes of `{fluent}`")]
    Clash { place: Place, fluent: String },
    /// An action whose outcome is left to nature.
    #[error("{place}: the action has several outcomes, so a plan cannot rely on it")]
    Choice { place: Place },
    /// The goal does not hold at the end.
    #[error("at the end the goal {unmet}")]
    Goal {
        /// The part to blame.
        unmet: Unmet,
    },
    /// A number became too large to be held exactly, so nothing can be said about the plan.
    #[error("a number became too large to be held exactly")]
    Overflow {
        /// The step, unless it happened before or after the plan.
        place: Option<Place>,
    },
    /// A limit was reached, so nothing can be said about the plan.
    #[error("the check was not finished: {limit}")]
    Stopped { limit: Limit },
}

impl Flaw {
    /// The step that is to blame, if one is.
    pub fn place(&self) -> Option<&Place> {
        match self {
            Flaw::Arity { place, .. }
            | Flaw::Argument { place, .. }
            | Flaw::Precondition { place, .. }
            | Flaw::Undefined { place, .. }
            | Flaw::Clash { place, .. }
            | Flaw::Choice { place } => Some(place),
            Flaw::Overflow { place } => place.as_ref(),
            Flaw::Goal { .. } | Flaw::Stopped { .. } => None,
        }
    }

    /// The flaw with its places, for people.
    pub fn diagnostic(&self) -> Diagnostic {
        let (code, unmet) = match self {
            Flaw::Arity { .. } => ("plan::arity", None),
            Flaw::Argument { .. } => ("plan::argument", None),
            Flaw::Precondition { unmet, .. } => ("plan::precondition", Some(unmet)),
            Flaw::Undefined { .. } => ("plan::undefined", None),
            Flaw::Clash { .. } => ("plan::clash", None),
            Flaw::Choice { .. } => ("plan::choice", None),
            Flaw::Goal { unmet } => ("plan::goal", Some(unmet)),
            Flaw::Overflow { .. } => ("plan::overflow", None),
            Flaw::Stopped { .. } => ("plan::stopped", None),
        };
        let step = self.place().and_then(|place| place.at).map(|span| (span, "this step"));
        let cause = unmet.and_then(|unmet| unmet.at).map(|span| (span, "asked for here"));
        let labels = step.into_iter().chain(cause);
        let labels = labels.map(|(span, text)| Label { span, text: text.to_owned() }).collect();
        Diagnostic { severity: Severity::Error, code, message: self.to_string(), labels, help: None }
    }
}
