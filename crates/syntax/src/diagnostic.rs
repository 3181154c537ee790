//! What is wrong with a text, where, and what to do about it.

use crate::Span;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// The text cannot be used.
    Error,
    /// The text can be used, but probably does not say what was meant.
    Warning,
}

/// A place with a remark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    pub span: Span,
    /// The remark; may be empty.
    pub text: String,
}

/// One finding about a text, ready to be shown in the manner of rustc.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// A stable name such as `pddl::unknown-predicate`.
    pub code: &'static str,
    /// One sentence.
    pub message: String,
    /// Where; the first label is the place itself, the others add to it. Never empty for errors in a text.
    pub labels: Vec<Label>,
    /// What may help, such as the name that was probably meant.
    pub help: Option<String>,
}
