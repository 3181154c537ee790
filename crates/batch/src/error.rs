//! What can be wrong with a batch.

use std::io;
use std::path::Path;

/// Why a batch cannot be read or run.
#[derive(Debug, thiserror::Error)]
pub enum BatchError {
    /// The text is no batch.
    #[error("{name} is no batch: {why}")]
    Text {
        name: String,
        /// With its line.
        why: String,
    },
    /// A job is wrong.
    #[error("job `{job}` of the batch: {why}")]
    Job { job: String, why: String },
    /// Two jobs run the same command.
    #[error("jobs {first} and {second} of the batch are the same: {command}")]
    Twice {
        /// Numbers, from 1.
        first: usize,
        second: usize,
        command: String,
    },
    /// A file or folder could not be read or written.
    #[error("{what} {name}: {error}")]
    File {
        what: &'static str,
        name: String,
        /// What the system says.
        error: io::Error,
    },
    /// Another run works on the same results.
    #[error("another run works on the results in {name}")]
    Busy { name: String },
    /// A program could not be started.
    #[error("cannot start `{program}`: {error}")]
    Start {
        program: String,
        /// What the system says.
        error: io::Error,
    },
    /// Slurm refused.
    #[error("`{program}` failed: {why}")]
    Slurm { program: String, why: String },
}

impl BatchError {
    pub(crate) fn file(what: &'static str, path: &Path, error: io::Error) -> BatchError {
        BatchError::File { what, name: path.display().to_string(), error }
    }
}
