//! Failures on their way to Python exceptions.

use counterplay::{Error, Finding, Halt, Limit};
use pyo3::prelude::*;
use serde::Serialize;

pyo3::create_exception!(
    _native,
    RaisedFailure,
    pyo3::exceptions::PyException,
    "A failure as JSON; the package makes its own exceptions of it."
);

/// Why a call has no answer.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub(crate) enum Failure {
    /// Something is wrong with a text.
    Input { message: String, findings: Vec<Finding> },
    /// Options that do not fit.
    Request { message: String, help: Option<String> },
    /// A limit was reached before there was an answer.
    Limit { message: String, limit: &'static str },
    /// A bug.
    Internal { message: String },
}

impl Failure {
    /// Options that do not fit.
    pub(crate) fn request(message: impl ToString) -> Failure {
        Failure::Request { message: message.to_string(), help: None }
    }

    /// Something is wrong with a text that has no lines and columns, or only lines.
    pub(crate) fn input(message: impl ToString, file: &str, line: Option<usize>) -> Failure {
        let message = message.to_string();
        let finding = Finding {
            severity: "error",
            code: "input",
            message: message.clone(),
            help: None,
            file: Some(file.to_owned()),
            line,
            column: None,
            source: None,
        };
        Failure::Input { message, findings: vec![finding] }
    }

    /// The exception that carries it.
    pub(crate) fn raise(&self) -> PyErr {
        let text = serde_json::to_string(self).unwrap_or_else(|error| error.to_string());
        RaisedFailure::new_err(text)
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        let findings = error.findings();
        match error {
            Error::Input { .. } => Failure::Input { message: error.to_string(), findings },
            Error::Request { message, help } => Failure::Request { message, help },
            Error::Internal { message } => Failure::Internal { message },
        }
    }
}

impl From<Limit> for Failure {
    fn from(limit: Limit) -> Failure {
        Failure::Limit { message: limit.to_string(), limit: limit.name() }
    }
}

impl From<Halt> for Failure {
    fn from(halt: Halt) -> Failure {
        match halt {
            Halt::Error(error) => error.into(),
            Halt::Limit(limit) => limit.into(),
        }
    }
}

/// A request that is no JSON of the right shape: an unknown option, or a wrong type.
impl From<serde_json::Error> for Failure {
    fn from(error: serde_json::Error) -> Failure {
        Failure::request(error)
    }
}
