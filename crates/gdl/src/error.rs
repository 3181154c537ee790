//! What can be wrong with a rule sheet.

use counterplay_syntax::{Diagnostic, Label, ReadError, Severity, Span};

/// A restriction of GDL on which relation may depend on which, or stand where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Restriction {
    /// `true`, `does` and the connectives are no heads.
    Head,
    /// `init` and `next` are no conditions.
    Body,
    /// Roles are facts with a constant.
    Role,
    /// `init` must not depend on the state or on moves.
    InitState,
    /// `legal`, `goal` and `terminal` must not depend on moves.
    Moves,
}

/// Why a rule sheet cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// It is no sequence of s-expressions.
    #[error(transparent)]
    Read(ReadError),
    /// A piece of text that is no rule, condition or term.
    #[error("expected {wanted}")]
    Malformed {
        /// What should stand here.
        wanted: &'static str,
        at: Span,
    },
    /// A relation or function with different numbers of arguments.
    #[error("`{name}` takes {expected} arguments, found {found}")]
    Arity {
        name: String,
        /// As it was used first, or as GDL wants.
        expected: usize,
        /// As it is used here.
        found: usize,
        at: Span,
        /// Where it was used first.
        first: Option<Span>,
    },
    /// A variable that no positive condition binds.
    #[error("variable `{name}` is not bound by a positive condition of this rule")]
    Unsafe { name: String, at: Span },
    /// A relation that depends on its own negation.
    #[error("`{name}` depends on its own negation")]
    Unstratified {
        name: String,
        /// The negative condition on the cycle.
        at: Span,
    },
    /// A keyword in a place where GDL does not allow it.
    #[error("`{name}` is not allowed here")]
    Restricted {
        name: String,
        /// What GDL asks for.
        rule: Restriction,
        at: Span,
    },
    /// A relation that every game needs.
    #[error("the game has no `{name}`")]
    Missing { name: &'static str, at: Span },
    /// `or` inside `or` multiplies rules beyond reason.
    #[error("this rule has too many alternatives")]
    TooMany { at: Span },
}

impl Error {
    /// The error with its place, for people.
    pub fn diagnostic(&self) -> Diagnostic {
        let label = |span: Span, text: &str| Label { span, text: text.to_owned() };
        let (code, labels, help) = match self {
            Error::Read(error) => return error.diagnostic(),
            Error::Malformed { at, .. } => ("gdl::malformed", vec![label(*at, "")], None),
            Error::Arity { at, first, .. } => {
                let mut labels = vec![label(*at, "")];
                labels.extend(first.map(|first| label(first, "first used here")));
                ("gdl::arity", labels, None)
            }
            Error::Unsafe { at, .. } => {
                let help = "each variable of the head, of `not` and of `distinct` must also stand in a \
                            condition that is not negated";
                ("gdl::unsafe", vec![label(*at, "in this rule")], Some(help))
            }
            Error::Unstratified { at, .. } => {
                ("gdl::unstratified", vec![label(*at, "this negation closes the cycle")], None)
            }
            Error::Restricted { at, rule, .. } => {
                let help = match rule {
                    Restriction::Head => "`true`, `does`, `distinct` and the connectives cannot be defined",
                    Restriction::Body => "`init` and `next` can be defined, but are no conditions",
                    Restriction::Role => "roles are facts such as `(role white)`",
                    Restriction::InitState => "`init` and `role` must not depend on `true` or `does`",
                    Restriction::Moves => "`legal`, `goal` and `terminal` must not depend on `does`",
                };
                ("gdl::restricted", vec![label(*at, "")], Some(help))
            }
            Error::Missing { at, .. } => {
                let end = Span { start: at.end, ..*at };
                ("gdl::missing", vec![label(end, "the file ends without it")], None)
            }
            Error::TooMany { at } => ("gdl::too-many", vec![label(*at, "")], None),
        };
        Diagnostic {
            severity: Severity::Error,
            code,
            message: self.to_string(),
            labels,
            help: help.map(str::to_owned),
        }
    }
}
