//! Fuzzing of everything that reads text or bytes from outside.
//!
//! A [`Reader`] is a function that takes any bytes and panics if something is wrong: the reader itself panics, an error
//! points outside the text, or what is printed does not read back as the same. The same functions serve three drivers: the
//! libFuzzer targets under `fuzz/` at the top of the repository (coverage guided, by hand, for hours), the tests of this
//! crate (the seeds and a fixed number of mutations, in CI), and `counterplay-fuzz readers` (fresh seeds).
//!
//! A new reader gets an entry in [`READERS`], a folder of small inputs under `fuzz/seeds/NAME/`, and a target of a few lines
//! under `fuzz/fuzz_targets/`. A test compares the three lists.

mod boards;
mod chess;
mod games;
mod mutate;
mod planning;
mod plans;
mod run;
mod words;

use std::path::{Path, PathBuf};
use std::{fs, io};

use counterplay_syntax::{Diagnostic, Sources};

pub use mutate::{mutate, mutated};
pub use run::{Fault, Input, Work, fuzz, take};

/// Something that reads text or bytes from outside.
#[derive(Clone, Copy, Debug)]
pub struct Reader {
    /// The name of the fuzz target and of the folder of seeds.
    pub name: &'static str,
    /// What is read and what must hold, in one line.
    pub about: &'static str,
    /// Reads any bytes; panics if something is wrong.
    pub read: fn(&[u8]),
    /// Words that the mutator inserts.
    pub words: &'static [&'static str],
    /// How many mutated inputs CI reads.
    pub sample: u32,
}

/// All readers.
pub const READERS: &[Reader] = &[
    planning::PDDL,
    planning::HDDL,
    planning::SAS,
    plans::PLAN,
    plans::POLICY,
    plans::HTN_PLAN,
    plans::NETWORK_POLICY,
    games::KIF,
    games::MESSAGE,
    games::ARCHIVE,
    games::DIAGRAM,
    boards::SGF,
    boards::GTP,
    boards::GO_DIAGRAM,
    boards::PBN,
    boards::LIN,
    boards::CARDS,
    boards::SUIT_STRATEGY,
    chess::FEN,
    chess::PGN,
    chess::JSON_LINES,
    words::CONDITIONS,
    words::LIMITS,
];

/// The reader of a name.
///
/// # Panics
/// If there is none.
pub fn named(name: &str) -> &'static Reader {
    READERS.iter().find(|reader| reader.name == name).expect("every target names a reader")
}

impl Reader {
    /// The folder of the inputs that are kept in the tree.
    pub fn folder(&self) -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds").join(self.name)
    }

    /// The inputs that are kept in the tree, each with its file name, in the order of the names.
    pub fn seeds(&self) -> io::Result<Vec<Input>> {
        let mut seeds = Vec::new();
        for entry in fs::read_dir(self.folder())? {
            let path = entry?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            seeds.push(Input { name, bytes: fs::read(&path)? });
        }
        seeds.sort_by(|one, other| one.name.cmp(&other.name));
        Ok(seeds)
    }
}

/// The text of some bytes as the command line takes it from a file.
fn text_of(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A diagnostic points at text that is there.
fn check_diagnostic(sources: &Sources, diagnostic: &Diagnostic) {
    assert!(!diagnostic.message.is_empty(), "an error says what is wrong");
    for label in &diagnostic.labels {
        let text = &sources.files[label.span.file].text;
        let span = label.span.start as usize..label.span.end as usize;
        assert!(text.get(span).is_some(), "{}: {:?} is no place in the text", diagnostic.code, label.span);
        sources.position(label.span);
    }
}
