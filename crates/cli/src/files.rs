//! Reading the files that the user names.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use counterplay_base::Budget;
use counterplay_syntax::{FileId, Sources};

use crate::failure::{Failure, Halt};

/// No text is larger than this; what is, is not text.
pub(crate) const LARGEST: usize = 1 << 30;
/// So much is read at once, and small files are read whatever the limit on memory is.
const PART: u64 = 1 << 20;

/// The files of a command, read one after the other; `-` is standard input, once.
#[derive(Debug, Default)]
pub(crate) struct Reader {
    /// What has been read.
    pub(crate) sources: Sources,
    stdin_taken: bool,
}

impl Reader {
    /// Reads one file.
    pub(crate) fn read(&mut self, path: &Path, budget: &Budget) -> Result<FileId, Halt> {
        let (name, text) = self.read_text(path, budget)?;
        Ok(self.sources.add(name, text))
    }

    /// Reads one file without keeping it: its name for messages, and its text.
    pub(crate) fn read_text(&mut self, path: &Path, budget: &Budget) -> Result<(String, String), Halt> {
        let name = if path == Path::new("-") { "<stdin>".to_owned() } else { path.display().to_string() };
        let text = text_of(&name, self.read_bytes(path, budget)?)?;
        Ok((name, text))
    }

    /// Reads one file whose format says itself how its text is encoded.
    pub(crate) fn read_bytes(&mut self, path: &Path, budget: &Budget) -> Result<Vec<u8>, Halt> {
        if path == Path::new("-") {
            if std::mem::replace(&mut self.stdin_taken, true) {
                let message = "standard input `-` can be given for one file only".to_owned();
                return Err(Halt::Failure(Failure::Usage { message, help: None }));
            }
            bytes_of("<stdin>", io::stdin().lock(), budget)
        } else {
            let name = path.display().to_string();
            let file = File::open(path)
                .map_err(|error| Halt::Failure(Failure::Read { name: name.clone(), error }))?;
            // What is too large is refused before any of it is read.
            let size = file.metadata().map_or(0, |data| if data.is_file() { data.len() } else { 0 });
            if size > LARGEST as u64 {
                return Err(Halt::Failure(Failure::TooLarge { name }));
            }
            if size > PART {
                budget.allow_bytes(size as usize).map_err(Halt::Limit)?;
            }
            bytes_of(&name, file, budget)
        }
    }
}

/// Removes a file that an earlier run has written: it must not be taken for this one's.
pub(crate) fn remove_earlier(path: &Path) -> Result<(), Failure> {
    match fs::symlink_metadata(path).is_ok_and(|data| data.is_file()) {
        true => {
            fs::remove_file(path).map_err(|error| Failure::Write { name: path.display().to_string(), error })
        }
        false => Ok(()),
    }
}

/// Reads everything, looking at the budget on the way.
fn bytes_of(name: &str, mut from: impl Read, budget: &Budget) -> Result<Vec<u8>, Halt> {
    let mut bytes = Vec::new();
    loop {
        budget.check().map_err(Halt::Limit)?;
        match from.by_ref().take(PART).read_to_end(&mut bytes) {
            Ok(0) => return Ok(bytes),
            Ok(_) if bytes.len() > LARGEST => {
                return Err(Halt::Failure(Failure::TooLarge { name: name.to_owned() }));
            }
            Ok(_) => {}
            Err(error) => return Err(Halt::Failure(Failure::Read { name: name.to_owned(), error })),
        }
    }
}

/// The text of some bytes.
fn text_of(name: &str, mut bytes: Vec<u8>) -> Result<String, Halt> {
    // Editors on some systems begin a text with this mark.
    if bytes.starts_with(b"\xEF\xBB\xBF") {
        bytes.drain(..3);
    }
    String::from_utf8(bytes).map_err(|error| {
        Halt::Failure(Failure::NotText { name: name.to_owned(), byte: error.utf8_error().valid_up_to() })
    })
}

#[cfg(test)]
mod tests {
    use counterplay_base::Limit;

    use super::*;

    fn read(bytes: &[u8]) -> Result<String, Halt> {
        text_of("x", bytes_of("x", bytes, &Budget::unlimited())?)
    }

    #[test]
    fn text_comes_back_without_its_mark() {
        assert!(matches!(read("\u{feff}(a)".as_bytes()), Ok(text) if text == "(a)"));
        let long = "x".repeat(3 << 20);
        assert!(matches!(read(long.as_bytes()), Ok(text) if text == long));
    }

    #[test]
    fn bytes_that_are_no_text_are_refused_with_their_place() {
        assert!(matches!(read(b"ab\xffc"), Err(Halt::Failure(Failure::NotText { byte: 2, .. }))));
    }

    #[test]
    fn an_endless_file_ends_at_the_limit() {
        let budget = Budget::unlimited();
        budget.cancel();
        assert!(matches!(bytes_of("x", io::repeat(b'a'), &budget), Err(Halt::Limit(Limit::Cancelled))));
    }
}
