//! Why a problem cannot be grounded.

use std::fmt;

use counterplay_base::Limit;
use counterplay_syntax::{Diagnostic, Label, Severity, Span};

/// Something PDDL allows and the grounder refuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Feature {
    /// A comparison of numbers in a condition.
    NumericCondition,
    /// A change of a number other than `(increase (total-cost) …)`.
    NumericEffect,
    /// A `total-cost` that grows only under a condition.
    ConditionalCost,
    /// A cost that depends on a number which actions change.
    StateDependentCost,
    Preference,
    /// A choice of nature.
    OneOf,
    /// A metric over a number that does more than count.
    StateMetric,
    /// A metric other than `minimize (total-cost)`.
    Metric,
    /// A derived predicate that depends on its own negation.
    CyclicNegation,
    /// A state that is not seen.
    HiddenState,
}

impl Feature {
    /// A stable name for messages and tools.
    fn code(self) -> &'static str {
        match self {
            Feature::NumericCondition => "ground::numeric-condition",
            Feature::NumericEffect => "ground::numeric-effect",
            Feature::ConditionalCost => "ground::conditional-cost",
            Feature::StateDependentCost => "ground::state-dependent-cost",
            Feature::Preference => "ground::preference",
            Feature::OneOf => "ground::oneof",
            Feature::StateMetric => "ground::state-metric",
            Feature::Metric => "ground::metric",
            Feature::CyclicNegation => "ground::cyclic-negation",
            Feature::HiddenState => "ground::hidden-state",
        }
    }
}

impl fmt::Display for Feature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Feature::NumericCondition => "numeric conditions",
            Feature::NumericEffect => "changes of numbers other than increasing `total-cost`",
            Feature::ConditionalCost => "costs under a condition",
            Feature::StateDependentCost => "costs that depend on the state",
            Feature::Preference => "preferences",
            Feature::OneOf => "nondeterministic effects (`oneof`)",
            Feature::StateMetric => {
                "metrics over numbers that conditions read, or that are not only counted up"
            }
            Feature::Metric => "metrics other than `minimize (total-cost)`",
            Feature::CyclicNegation => "derived predicates that depend on their own negation",
            Feature::HiddenState => "partly observed states (`:observe`, `unknown` and `or` in `:init`) here",
        })
    }
}

/// Why there is no task.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The problem uses something that is not supported here.
    #[error("{feature} are not supported")]
    Unsupported { feature: Feature, at: Span },
    /// An action that can be reached costs less than nothing.
    #[error("`({operator})` has the negative cost {cost}")]
    NegativeCost {
        /// Name and arguments of the operator.
        operator: String,
        /// The cost, as text.
        cost: String,
        /// Where the cost is written.
        at: Span,
    },
    /// A cost that is too large for the arithmetic here.
    #[error("the cost of `({operator})` is too large")]
    CostOverflow {
        /// Name and arguments of the operator.
        operator: String,
        /// Where the cost is written.
        at: Span,
    },
    /// An action that can be reached needs a function for which the problem gives no value at all.
    #[error("`({operator})` needs a value of `{function}`, and the problem gives none for any arguments")]
    Valueless {
        /// Name and arguments of the operator.
        operator: String,
        function: String,
        /// Where the function is used.
        at: Span,
    },
    /// The weights of preferences are too large for the arithmetic here.
    #[error("the weights of the preferences are too large")]
    WeightOverflow {
        /// Where the metric stands.
        at: Span,
    },
    /// The metric multiplies or divides by something that plans decide.
    #[error("the metric is not linear: it {what}")]
    NonlinearMetric {
        what: &'static str,
        /// Where the metric stands.
        at: Span,
    },
    /// The metric asks for a number that has no value at the start.
    #[error("the metric uses `{fluent}`, which has no value at the start")]
    UndefinedMetric {
        /// The number, as text.
        fluent: String,
        /// Where it is used.
        at: Span,
    },
    /// The same action changes the same number in ways that cannot be told apart before the search.
    #[error("`{action}` changes `{function}` more than once, or under a condition")]
    SeveralChanges {
        action: String,
        function: String,
        /// Where the change is written.
        at: Span,
    },
    /// A number for which no finite range was found.
    #[error(
        "no finite range was found for `{fluent}`: `{action}` leads to ever new values, {most} of them so far"
    )]
    Unbounded {
        /// The number, as text.
        fluent: String,
        /// The action that changes it.
        action: String,
        /// So many values are allowed.
        most: usize,
        /// Where the change is written.
        at: Span,
    },
    /// Conditions with numbers have too many instances to be tabulated.
    #[error("the numbers of `{place}` have more than {most} combinations")]
    TooManyCombinations {
        /// The action, or what else the condition belongs to.
        place: String,
        /// So many are allowed.
        most: usize,
        at: Span,
    },
    /// Too many preferences in the precondition of one action.
    #[error("the precondition of `{action}` has {count} preferences, more than {most}")]
    TooManyPreferences {
        action: String,
        /// How many there are.
        count: usize,
        /// So many are allowed.
        most: usize,
        /// Where its name stands.
        at: Span,
    },
    /// The choices in one action multiply to too many outcomes.
    #[error("the choices of `{action}` multiply to more than {most} outcomes")]
    TooManyOutcomes {
        action: String,
        /// So many are allowed.
        most: usize,
        /// Where its name stands.
        at: Span,
    },
    /// A choice of nature without probabilities, where these are needed.
    #[error("the odds of this choice are not given")]
    UnknownOdds { at: Span },
    /// Probabilities that multiply to fractions with too many digits.
    #[error("the probabilities of `{action}` multiply to fractions with too many digits")]
    FineOdds {
        action: String,
        /// Where its name stands.
        at: Span,
    },
    /// No state fits what `:init` says.
    #[error("the initial description contradicts itself: no state fits {}", parts_text(.clauses.len()))]
    ContradictoryStart {
        /// The parts that contradict each other and what is certain.
        clauses: Vec<Span>,
        /// Where the goal stands, for a message without parts.
        at: Span,
    },
    /// A limit was reached before the task was complete.
    #[error("{0}")]
    Stopped(Limit),
}

impl Error {
    pub(crate) fn unsupported(feature: Feature, at: Span) -> Error {
        Error::Unsupported { feature, at }
    }

    /// What to show with the source text; `None` for a limit, which is no fault of the text.
    pub fn diagnostic(&self) -> Option<Diagnostic> {
        let (code, at) = match self {
            Error::Unsupported { feature, at } => (feature.code(), *at),
            Error::NegativeCost { at, .. } => ("ground::negative-cost", *at),
            Error::CostOverflow { at, .. } => ("ground::cost-overflow", *at),
            Error::Valueless { at, .. } => ("ground::no-values", *at),
            Error::WeightOverflow { at } => ("ground::weight-overflow", *at),
            Error::NonlinearMetric { at, .. } => ("ground::nonlinear-metric", *at),
            Error::UndefinedMetric { at, .. } => ("ground::undefined-metric", *at),
            Error::SeveralChanges { at, .. } => ("ground::several-changes", *at),
            Error::Unbounded { at, .. } => ("ground::unbounded-number", *at),
            Error::TooManyCombinations { at, .. } => ("ground::too-many-combinations", *at),
            Error::TooManyPreferences { at, .. } => ("ground::too-many-preferences", *at),
            Error::TooManyOutcomes { at, .. } => ("ground::too-many-outcomes", *at),
            Error::UnknownOdds { at } => ("ground::unknown-odds", *at),
            Error::FineOdds { at, .. } => ("ground::fine-odds", *at),
            Error::ContradictoryStart { clauses, at } => {
                ("ground::contradictory-start", clauses.first().copied().unwrap_or(*at))
            }
            Error::Stopped(_) => return None,
        };
        let mut labels = vec![Label { span: at, text: String::new() }];
        if let Error::ContradictoryStart { clauses, .. } = self {
            labels.extend(clauses.iter().skip(1).map(|&span| Label { span, text: String::new() }));
        }
        let help = match self {
            Error::Valueless { function, .. } => Some(format!(
                "give `(= ({function} …) number)` in `:init`, or use the domain that belongs to the problem"
            )),
            Error::UnknownOdds { .. } => {
                Some("write `probabilistic` with probabilities, or ask for equal ones".to_owned())
            }
            _ => None,
        };
        Some(Diagnostic { severity: Severity::Error, code, message: self.to_string(), labels, help })
    }
}

fn parts_text(count: usize) -> &'static str {
    if count > 1 { "these parts together" } else { "this part and what is certain" }
}

impl From<Limit> for Error {
    fn from(limit: Limit) -> Error {
        Error::Stopped(limit)
    }
}
