//! Why a certificate was not written.

use std::io;

use counterplay_base::Limit;

/// Why a certificate was not written.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A file cannot be written.
    #[error(transparent)]
    Write(#[from] io::Error),
    /// A limit was reached.
    #[error("the certificate is not finished: {0}")]
    Stopped(Limit),
}

impl From<Limit> for Error {
    fn from(limit: Limit) -> Error {
        Error::Stopped(limit)
    }
}
