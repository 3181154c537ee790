//! Where layers are kept, and how they are written.
//!
//! A solution is a handful of records with names, each whole and checked by itself: a run that was ended goes on from
//! the records that are there. The rim decides where they lie (a folder of files); nothing here does input or output.
//!
//! A record is
//!
//! ```text
//! counterplay game layer 4\n     what it is, and the version of the format
//! <key> <kind> <number>\n        the key of game and variables, what is in it, and its layer
//! <length> <sum>\n               bytes that follow, and their checksum (64-bit FNV-1a), both in hexadecimal
//! ...                            the content
//! ```
//!
//! Numbers in the content are written seven bits to a byte, least significant first. The kinds are:
//!
//! - `reach`: a layer. The number of outcomes at its ends; for each a reward for every role; then diagrams: the states
//!   in which the game goes on, and the ends with each of the outcomes.
//! - `end`: all layers are there. The number of layers, for each the number of its states (the low 62 bits, then the rest);
//!   for each the number of its diagram's nodes; ends,
//!   states in which some role has no move, and ends at which some role has no reward or several (in halves); all outcomes, as above; then, as text, the measure of
//!   progress that keeps the layers apart, if there is one.
//! - `solved`: the values of a layer. The outcomes of the game as above; for each the number of states (in halves);
//!   then one diagram over the bits of the states and, below them, those of a threshold: a state with the outcome of
//!   number `n`, counted from 0, holds with the thresholds 0 to `n`, and one that is not decided with none.
//!
//! The format of the diagrams is that of the kernel's `transfer` module.

use std::io;

/// A place that keeps records by name.
pub trait Archive {
    /// Keeps a record, all of it or nothing.
    fn save(&mut self, name: &str, bytes: &[u8]) -> Result<(), ArchiveError>;
    /// A record that was kept before; `None` if there is none of this name.
    fn load(&mut self, name: &str) -> Result<Option<Vec<u8>>, ArchiveError>;
}

/// What can go wrong with a record.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    /// It could not be written.
    #[error("cannot write record `{name}`: {error}")]
    Write {
        name: String,
        /// What the system says.
        error: io::Error,
    },
    /// It could not be read.
    #[error("cannot read record `{name}`: {error}")]
    Read {
        name: String,
        /// What the system says.
        error: io::Error,
    },
    /// It is no record of this kind, or not all of it.
    #[error("record `{name}` is damaged: {why}")]
    Damaged { name: String, why: String },
    /// It belongs to another game, or to other rules of it.
    #[error("record `{name}` belongs to another game")]
    Foreign { name: String },
}

/// What a record holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Reach,
    End,
    Solved,
}

impl Kind {
    fn word(self) -> &'static str {
        match self {
            Kind::Reach => "reach",
            Kind::End => "end",
            Kind::Solved => "solved",
        }
    }

    /// The name of a record.
    pub(crate) fn name(self, number: usize) -> String {
        match self {
            Kind::End => "end".to_owned(),
            _ => format!("{}-{number:05}", self.word()),
        }
    }
}

const MAGIC: &str = "counterplay game layer 4\n";
/// How records of any version begin.
const ANY_VERSION: &str = "counterplay game layer ";

/// Records of one game in an archive.
pub(crate) struct Records<'a> {
    pub(crate) archive: &'a mut dyn Archive,
    /// The key of the game.
    pub(crate) game: &'a str,
}

impl Records<'_> {
    pub(crate) fn save(&mut self, kind: Kind, number: usize, content: &[u8]) -> Result<(), ArchiveError> {
        let head = format!(
            "{MAGIC}{} {} {number}\n{:x} {:016x}\n",
            self.game,
            kind.word(),
            content.len(),
            checksum(content)
        );
        let bytes = [head.as_bytes(), content].concat();
        self.archive.save(&kind.name(number), &bytes)
    }

    /// The content of a record.
    pub(crate) fn load(&mut self, kind: Kind, number: usize) -> Result<Option<Vec<u8>>, ArchiveError> {
        let name = kind.name(number);
        let Some(bytes) = self.archive.load(&name)? else { return Ok(None) };
        let damaged = |why: &str| ArchiveError::Damaged { name: name.clone(), why: why.to_owned() };
        let rest = bytes.strip_prefix(MAGIC.as_bytes()).ok_or_else(|| {
            let is_other = bytes.starts_with(ANY_VERSION.as_bytes());
            damaged(if is_other { "another version wrote it" } else { "it is no layer of a game" })
        })?;
        let (own, rest) = line(rest).ok_or_else(|| damaged("its head is cut off"))?;
        let (sizes, content) = line(rest).ok_or_else(|| damaged("its head is cut off"))?;
        let (game, what) = own.split_once(' ').ok_or_else(|| damaged("its head is not readable"))?;
        if game != self.game {
            return Err(ArchiveError::Foreign { name });
        }
        if what != format!("{} {number}", kind.word()) {
            return Err(damaged("it holds something else than its name says"));
        }
        if sizes != format!("{:x} {:016x}", content.len(), checksum(content)) {
            return Err(damaged("length or checksum are wrong"));
        }
        Ok(Some(content.to_vec()))
    }
}

/// The first line as text, and what follows.
fn line(bytes: &[u8]) -> Option<(&str, &[u8])> {
    let end = bytes.iter().take(200).position(|&byte| byte == b'\n')?;
    Some((std::str::from_utf8(&bytes[..end]).ok()?, &bytes[end + 1..]))
}

/// Fowler, Noll and Vo's hash, which is simple and the same everywhere.
pub(crate) fn checksum(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |sum, &byte| (sum ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}

/// Appends a number.
pub(crate) fn put(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Takes a number off the front.
pub(crate) fn take(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0u64;
    for shift in (0..63).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}

/// Appends a large number in halves.
pub(crate) fn put_large(bytes: &mut Vec<u8>, number: u128) {
    // A half has 62 bits, so that each is a number of its own.
    put(bytes, number as u64 & HALF);
    put(bytes, (number >> 62) as u64 & HALF);
}

/// Takes a large number off the front.
pub(crate) fn take_large(bytes: &mut &[u8]) -> Option<u128> {
    let low = u128::from(take(bytes)?);
    Some(low | u128::from(take(bytes)?) << 62)
}

const HALF: u64 = (1 << 62) - 1;

/// Appends outcomes: how many, and a reward for each role.
pub(crate) fn put_outcomes<'o>(bytes: &mut Vec<u8>, outcomes: impl ExactSizeIterator<Item = &'o Vec<u32>>) {
    put(bytes, outcomes.len() as u64);
    outcomes.flatten().for_each(|&reward| put(bytes, u64::from(reward)));
}

/// Takes outcomes off the front.
pub(crate) fn take_outcomes(bytes: &mut &[u8], roles: usize) -> Option<Vec<Vec<u32>>> {
    let count = take(bytes)?;
    if count > bytes.len() as u64 {
        return None;
    }
    let reward = |bytes: &mut &[u8]| take(bytes).and_then(|reward| u32::try_from(reward).ok());
    (0..count).map(|_| (0..roles).map(|_| reward(bytes)).collect()).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[derive(Default)]
    struct Shelf(BTreeMap<String, Vec<u8>>);

    impl Archive for Shelf {
        fn save(&mut self, name: &str, bytes: &[u8]) -> Result<(), ArchiveError> {
            self.0.insert(name.to_owned(), bytes.to_vec());
            Ok(())
        }

        fn load(&mut self, name: &str) -> Result<Option<Vec<u8>>, ArchiveError> {
            Ok(self.0.get(name).cloned())
        }
    }

    #[test]
    fn records_come_back_and_damage_is_noticed() {
        let mut shelf = Shelf::default();
        Records { archive: &mut shelf, game: "seven" }.save(Kind::Reach, 3, b"content").expect("a shelf");
        let name = Kind::Reach.name(3);
        let load = |shelf: &mut Shelf, game| Records { archive: shelf, game }.load(Kind::Reach, 3);
        assert_eq!(load(&mut shelf, "seven").expect("whole"), Some(b"content".to_vec()));
        assert!(matches!(load(&mut shelf, "eight"), Err(ArchiveError::Foreign { .. })));
        let whole = shelf.0[&name].clone();
        for at in 0..whole.len() {
            let mut bytes = whole.clone();
            bytes[at] ^= 4;
            shelf.0.insert(name.clone(), bytes);
            assert!(load(&mut shelf, "seven").is_err(), "byte {at}");
            shelf.0.insert(name.clone(), whole[..at].to_vec());
            assert!(load(&mut shelf, "seven").is_err(), "cut at {at}");
        }
    }
}
