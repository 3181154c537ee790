//! Fast Downward's translator format (`output.sas`, version 3).
//!
//! Reading and writing it lets our grounder and our searches be swapped for, and compared with, the field's
//! standard ones. The format is described in the planner's documentation ("Translator output format"). It
//! has no place for [`Task::mutex_pairs`](crate::Task::mutex_pairs) nor for the
//! [cost unit](crate::Task::cost_unit): [`write()`] leaves both out, [`read`] gives none and one.
//!
//! The reader trusts nothing: counts are believed only as far as there are lines, all numbers are checked
//! against the tables they point into, and the laws of [`Task`](crate::Task) are verified, with the line in
//! every [`Error`].

mod read;
mod write;

pub use read::read;
pub use write::write;

/// Why a text is not a task, and on which line (counted from one).
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct Error {
    /// The line, counted from one; one past the last line if the text ended too early.
    pub line: usize,
    /// What is wrong there.
    pub problem: Problem,
}

/// What is wrong with a line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// The text is over.
    #[error("the text ends where {0} should follow")]
    EndOfText(&'static str),
    /// A marker such as `begin_goal` is missing.
    #[error("expected `{expected}`, found `{found}`")]
    Marker {
        expected: &'static str,
        /// The beginning of the line.
        found: String,
    },
    /// Something that is not a number, or does not fit.
    #[error("expected {expected}, found `{found}`")]
    Number {
        /// What the number means.
        expected: &'static str,
        /// The beginning of the word.
        found: String,
    },
    /// Too few or too many numbers on one line.
    #[error("expected {expected} numbers, found {found}")]
    Width {
        /// How many there should be.
        expected: usize,
        /// How many there are.
        found: usize,
    },
    /// A version other than 3.
    #[error("version {0} of the format is not supported, only version 3")]
    Version(u64),
    /// No variable of this number.
    #[error("there is no variable {0}")]
    Variable(u64),
    /// The variable has no value of this number.
    #[error("variable {variable} has no value {value}")]
    Value {
        variable: u64,
        /// The number of the value.
        value: u64,
    },
    /// A variable without values.
    #[error("a variable needs at least one value")]
    EmptyDomain,
    /// One condition asks for two values of one variable.
    #[error("a condition asks for two values of variable {0}")]
    Contradiction(u64),
    /// An operator changes a derived variable.
    #[error("an operator changes the derived variable {0}")]
    DerivedEffect(u64),
    /// A rule computes a variable that is not derived.
    #[error("a rule computes variable {0}, which has no axiom layer")]
    RuleForPlainVariable(u64),
    /// A rule does not start from the default value.
    #[error("a rule must change variable {variable} from its default value {default}")]
    RuleFromOther {
        variable: u64,
        /// Its value in the initial state.
        default: u64,
    },
    /// The condition of a rule looks at a stratum that is not computed before it.
    #[error("a rule of axiom layer {layer} looks at variable {variable} of layer {other}")]
    Stratum {
        /// The layer of the rule.
        layer: u32,
        /// The variable in its condition.
        variable: u64,
        /// The layer of that variable.
        other: u32,
    },
    /// Something follows the last rule.
    #[error("expected the end of the text, found `{0}`")]
    Trailing(String),
}
