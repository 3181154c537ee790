//! Writing: the answer to stdout, everything else to stderr.

use std::io::{self, ErrorKind, Write};

use crate::failure::Failure;

/// Writes the answer. A reader that has gone away is no error: `counterplay … | head -1` is fine.
pub(crate) fn answer(text: &str) -> Result<(), Failure> {
    let mut stdout = io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::Write { name: "standard output".to_owned(), error })
        }
        _ => Ok(()),
    }
}

/// Writes a line to stderr. If even that fails there is nobody to tell.
pub(crate) fn remark(line: &str) {
    let _ = writeln!(io::stderr().lock(), "{line}");
}
