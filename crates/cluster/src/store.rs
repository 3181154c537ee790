//! The folder of layers: which part of which layer is where.
//!
//! A layer is cut into a fixed number of parts by a hash of the state. Parts do not depend on the number of workers: a run can go on with another
//! number of them, and the files of several processes can be put into one folder.

use std::fs;
use std::path::{Path, PathBuf};

use counterplay_ggp::layered::mix;
use serde::{Deserialize, Serialize};

use crate::blocks::{BlockReader, BlockWriter, Head};
use crate::error::ClusterError;

/// A folder of layers of one game.
#[derive(Clone, Debug)]
pub(crate) struct Store {
    pub(crate) folder: PathBuf,
    /// The hash of the rules and the order.
    pub(crate) key: String,
    pub(crate) parts: usize,
}

/// What a file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The states of a layer.
    States,
    /// The outcomes of its ends.
    Ends,
    /// The values of its states.
    Values,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Kind::States => "states",
            Kind::Ends => "ends",
            Kind::Values => "values",
        }
    }
}

/// What is known when the states of a part are written.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct StatesTail {
    /// Words in the part.
    pub(crate) words: u64,
    /// What the clock shows, as the number of a fluent.
    pub(crate) hand: Option<usize>,
    /// Guesses of what keeps layers apart that hold so far.
    pub(crate) guesses: u64,
}

/// What is known when the ends of a part are written.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct EndsTail {
    pub(crate) terminal: u64,
    pub(crate) stuck: u64,
    pub(crate) odd_rewards: u64,
    /// Outcomes that occur, by number.
    pub(crate) outcomes: Vec<u8>,
}

/// What is known when the values of a part are written.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ValuesTail {
    /// States, all of each orbit.
    pub(crate) states: u64,
    /// The same by outcome.
    pub(crate) outcomes: Vec<u64>,
    /// The sum of `digest` over all words.
    pub(crate) digest: u64,
}

impl Store {
    pub(crate) fn path(&self, kind: Kind, layer: usize, part: usize) -> PathBuf {
        self.folder.join(format!("{}-{layer:04}-{part:04}", kind.name()))
    }

    fn head(&self, kind: Kind, layer: usize, part: usize) -> Head {
        Head::new(&self.key, kind.name(), layer, part, self.parts)
    }

    pub(crate) fn write(&self, kind: Kind, layer: usize, part: usize) -> Result<BlockWriter, ClusterError> {
        BlockWriter::create(&self.path(kind, layer, part), &self.head(kind, layer, part))
    }

    /// A file that must be there.
    pub(crate) fn read(&self, kind: Kind, layer: usize, part: usize) -> Result<BlockReader, ClusterError> {
        let path = self.path(kind, layer, part);
        self.open(kind, layer, part)?.ok_or_else(|| ClusterError::damaged(&path, "it is missing"))
    }

    /// A file, if it is there.
    pub(crate) fn open(
        &self,
        kind: Kind,
        layer: usize,
        part: usize,
    ) -> Result<Option<BlockReader>, ClusterError> {
        BlockReader::open(&self.path(kind, layer, part), &self.head(kind, layer, part))
    }

    /// Where words are put beside a part while it is not whole.
    pub(crate) fn run_path(&self, part: usize, number: usize) -> PathBuf {
        self.folder.join(format!("run-{part:04}-{number:04}"))
    }

    pub(crate) fn run_head(&self, part: usize) -> Head {
        Head::new(&self.key, "run", 0, part, self.parts)
    }

    /// Makes the folder and removes what an ended run left unfinished in the parts of this worker.
    pub(crate) fn prepare(folder: &Path) -> Result<(), ClusterError> {
        fs::create_dir_all(folder)
            .map_err(|error| ClusterError::file("cannot make the folder", folder, error))
    }
}

/// Neighbours stay together, so that differences stay small.
const NEIGHBOURS: u32 = 8;

/// The part that a state belongs to.
#[inline]
pub(crate) fn part_of(state: u64, parts: usize) -> usize {
    let mixed = mix(state >> NEIGHBOURS);
    (((mixed >> 32) * parts as u64) >> 32) as usize
}
