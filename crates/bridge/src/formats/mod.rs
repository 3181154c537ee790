//! Boards in files: PBN and LIN, in and out.
//!
//! A file holds boards; what is wrong with one of them is reported with its line and tag, and the others are still
//! read. Nothing here opens a file.

mod lin;
mod pbn;
mod write;
mod write_lin;

pub use lin::read_lin;
pub use pbn::read_pbn;
pub use write::{board_to_pbn, file_to_pbn};
pub use write_lin::{board_to_lin, file_to_lin};

use crate::auction::Auction;
use crate::card::Card;
use crate::contract::{Contract, Vulnerability};
use crate::deal::{Deal, Layout};
use crate::seat::Seat;

/// One board of a file, as far as it could be read.
#[derive(Clone, Debug, PartialEq)]
pub struct Board {
    /// The board's name, usually a number.
    pub name: String,
    /// The line where it begins.
    pub line: usize,
    /// Who dealt, if told.
    pub dealer: Option<Seat>,
    pub vulnerability: Vulnerability,
    /// The cards as written; a hand may be unknown.
    pub layout: Layout,
    /// The deal, if all four hands are there and sound.
    pub deal: Option<Deal>,
    /// The contract, if told.
    pub contract: Option<Contract>,
    /// The opening lead, if told.
    pub lead: Option<Card>,
    /// The auction, if told.
    pub auction: Option<Auction>,
    /// The cards played, in playing order.
    pub play: Vec<Card>,
    /// Declarer's tricks, if told.
    pub result: Option<u8>,
    /// All tags as written, in order.
    pub tags: Vec<(String, String)>,
}

/// Something wrong in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The line, from 1.
    pub line: usize,
    /// The board, as far as it is known.
    pub board: Option<String>,
    /// The tag or field, if it lies in one.
    pub tag: Option<String>,
    /// What is wrong, in a sentence.
    pub what: String,
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "line {}", self.line)?;
        if let Some(board) = &self.board {
            write!(f, ", board {board}")?;
        }
        if let Some(tag) = &self.tag {
            write!(f, ", {tag}")?;
        }
        write!(f, ": {}", self.what)
    }
}

/// The boards of a file and everything that was wrong.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Boards {
    /// The boards in order. A board with a problem may lack parts.
    pub boards: Vec<Board>,
    /// Everything that was wrong, in the order of the file.
    pub problems: Vec<Problem>,
}

/// The text of a file: UTF-8, or Latin-1 as old PBN files are.
///
/// # Errors
/// When it is neither: UTF-16, or binary data.
fn decode(bytes: &[u8]) -> Result<String, Problem> {
    let wrong = |what: &str| Problem { line: 1, board: None, tag: None, what: what.into() };
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        return Err(wrong("the file is in UTF-16; save it as UTF-8 or Latin-1"));
    }
    let bytes = bytes.strip_prefix(&[0xef, 0xbb, 0xbf]).unwrap_or(bytes);
    if let Some(at) = bytes.iter().position(|&byte| byte == 0) {
        let line = 1 + bytes[..at].iter().filter(|&&byte| byte == b'\n').count();
        return Err(Problem { line, ..wrong("the file holds zero bytes: it is not text") });
    }
    Ok(match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().map(|&byte| char::from(byte)).collect(),
    })
}
