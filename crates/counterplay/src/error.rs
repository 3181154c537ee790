//! What can be wrong with a problem or a request.

use std::fmt;

use counterplay_base::Limit;
use counterplay_syntax::{Diagnostic, Sources};

use crate::finding::Finding;

/// Why there is no answer at all. Reaching a limit is not an error but an answer.
#[derive(Clone, Debug)]
pub enum Error {
    /// Something is wrong with the texts; every diagnostic names its place in them.
    Input {
        /// The texts.
        sources: Sources,
        /// What is wrong with them.
        diagnostics: Vec<Diagnostic>,
    },
    /// Options of a request that do not fit together, or do not fit the problem. Names of options stand in backquotes.
    Request {
        /// What does not fit.
        message: String,
        /// What to do about it.
        help: Option<String>,
    },
    /// An answer did not pass its check: a bug in this library. It is never shown as an answer.
    Internal {
        /// What the check says.
        message: String,
    },
}

impl Error {
    /// Options that do not fit.
    pub(crate) fn request(message: &str, help: &str) -> Error {
        Error::Request { message: message.to_owned(), help: Some(help.to_owned()) }
    }

    /// What is wrong with the texts, with lines and columns; empty if it is not the texts.
    pub fn findings(&self) -> Vec<Finding> {
        match self {
            Error::Input { sources, diagnostics } => {
                diagnostics.iter().map(|diagnostic| Finding::new(sources, diagnostic)).collect()
            }
            Error::Request { .. } | Error::Internal { .. } => Vec::new(),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Input { sources, diagnostics } => {
                for (number, diagnostic) in diagnostics.iter().enumerate() {
                    if number > 0 {
                        writeln!(f)?;
                    }
                    let finding = Finding::new(sources, diagnostic);
                    if let (Some(file), Some(line), Some(column)) =
                        (finding.file, finding.line, finding.column)
                    {
                        write!(f, "{file}:{line}:{column}: ")?;
                    }
                    write!(f, "{}", finding.message)?;
                }
                Ok(())
            }
            Error::Request { message, help: Some(help) } => write!(f, "{message}: {help}"),
            Error::Request { message, help: None } => write!(f, "{message}"),
            Error::Internal { message } => write!(f, "internal error: {message}"),
        }
    }
}

impl std::error::Error for Error {}

/// Why a part of the work ended without a result: an error, or a limit.
#[derive(Clone, Debug)]
pub enum Halt {
    /// Something is wrong.
    Error(Error),
    /// A limit was reached.
    Limit(Limit),
}

impl From<Error> for Halt {
    fn from(error: Error) -> Halt {
        Halt::Error(error)
    }
}

impl From<Limit> for Halt {
    fn from(limit: Limit) -> Halt {
        Halt::Limit(limit)
    }
}
