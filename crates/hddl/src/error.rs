//! What a task network may ask for and not get.

use counterplay_syntax::{Diagnostic, Label, Severity, Span};

/// Why a problem cannot be planned for by decomposition.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The files declare no tasks.
    #[error("the files declare no task network")]
    NoHierarchy,
    /// The problem does not say what is to be done.
    #[error("the problem has no `(:htn ...)`, so there is nothing to be done")]
    NoNetwork,
    /// A feature that we do not support.
    #[error("{feature} are not supported in task networks")]
    Unsupported {
        /// The feature, in the plural.
        feature: &'static str,
        /// Where it is used.
        at: Span,
    },
}

impl Error {
    /// The error with its place, for people.
    pub fn diagnostic(&self) -> Diagnostic {
        let (code, labels) = match self {
            Error::NoHierarchy => ("hddl::no-hierarchy", Vec::new()),
            Error::NoNetwork => ("hddl::no-network", Vec::new()),
            Error::Unsupported { at, .. } => {
                ("hddl::unsupported", vec![Label { span: *at, text: String::new() }])
            }
        };
        Diagnostic { severity: Severity::Error, code, message: self.to_string(), labels, help: None }
    }
}
