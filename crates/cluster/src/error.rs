//! What can go wrong with layers on disk and with other processes.

use std::io;
use std::path::Path;

use counterplay_base::Limit;
use counterplay_ggp::layered::{Halt, Refusal};

/// Why there is no solution.
#[derive(Debug, thiserror::Error)]
pub enum ClusterError {
    /// The game is not solved in this way.
    #[error("{0}")]
    Refused(#[from] Refusal),
    /// A limit came first. What was done is kept.
    #[error("{0}")]
    Stopped(Limit),
    /// A file could not be read or written.
    #[error("{what} {name}: {error}")]
    File {
        what: &'static str,
        name: String,
        /// What the system says.
        error: io::Error,
    },
    /// A file is no part of a layer, or not all of it.
    #[error("{name} is damaged: {why}")]
    Damaged { name: String, why: String },
    /// A file belongs to another game or another number of parts.
    #[error("{name} belongs to another game, or to layers in another number of parts")]
    Foreign { name: String },
    /// The text of a host file is wrong.
    #[error("line {line} of the host file: {why}")]
    Hosts {
        /// From 1; 0 if all of it is meant.
        line: usize,
        why: String,
    },
    /// Another process cannot be reached, or is not one of ours.
    #[error("process {process} at {address}: {why}")]
    Peer { process: usize, address: String, why: String },
    /// Another worker ended the run.
    #[error("worker {worker} ended the run: {why}")]
    Elsewhere { worker: usize, why: String },
    /// The connection to another process broke.
    #[error("the connection to another process was lost: {why}")]
    Lost { why: String },
}

impl ClusterError {
    pub(crate) fn file(what: &'static str, path: &Path, error: io::Error) -> ClusterError {
        ClusterError::File { what, name: path.display().to_string(), error }
    }

    pub(crate) fn damaged(path: &Path, why: impl Into<String>) -> ClusterError {
        ClusterError::Damaged { name: path.display().to_string(), why: why.into() }
    }
}

impl From<Limit> for ClusterError {
    fn from(limit: Limit) -> ClusterError {
        ClusterError::Stopped(limit)
    }
}

impl From<Halt> for ClusterError {
    fn from(halt: Halt) -> ClusterError {
        match halt {
            Halt::Stopped(limit) => ClusterError::Stopped(limit),
            Halt::Refused(refusal) => ClusterError::Refused(refusal),
        }
    }
}
