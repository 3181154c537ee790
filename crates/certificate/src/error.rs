//! Why a certificate was not written.

use std::io;

use counterplay_base::Limit;

use crate::watched::Reached;

/// Why a certificate was not written.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A file cannot be written.
    #[error(transparent)]
    Write(io::Error),
    /// A limit was reached.
    #[error("the certificate is not finished: {0}")]
    Stopped(Limit),
    /// The proof would be too long.
    #[error("the proof would have more than {0} lines")]
    TooLong(u64),
    /// What should be an invariant is none.
    #[error("the set is not an invariant")]
    NotInvariant,
    /// The proof of layers does not cover something.
    #[error("the proof does not cover {0}")]
    NotCovered(&'static str),
}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Error {
        match error.get_ref().and_then(|inner| inner.downcast_ref::<Reached>()) {
            Some(Reached(limit)) => Error::Stopped(*limit),
            None => Error::Write(error),
        }
    }
}

impl From<Limit> for Error {
    fn from(limit: Limit) -> Error {
        Error::Stopped(limit)
    }
}
