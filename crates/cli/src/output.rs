//! Writing: the answer to stdout, everything else to stderr.

use std::io::{self, ErrorKind, Write};

use counterplay_base::Limit;
use serde::Serialize;

use crate::exit::Exit;
use crate::failure::{Failure, Halt};
use crate::settings::Settings;

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

/// Writes a line to stderr. If even that fails, there is no way to tell.
pub(crate) fn remark(line: &str) {
    let _ = writeln!(io::stderr().lock(), "{line}");
}

/// What commands say that a limit ended: one object with `--json`, else a remark. Nothing can be done about an
/// answer that cannot be written here, since the process is about to end.
pub(crate) fn stopped(limit: Limit, settings: &Settings) {
    if settings.json {
        let _ = json(&Stopped { verdict: "stopped", limit: limit.name(), why: limit.to_string() });
    }
    remark(&format!("stopped: {limit}"));
}

/// How a command ends: with its own exit, or with what a limit has to say.
pub(crate) fn concluded(outcome: Result<Exit, Halt>, settings: &Settings) -> Result<Exit, Failure> {
    match outcome {
        Ok(exit) => Ok(exit),
        Err(Halt::Failure(failure)) => Err(failure),
        Err(Halt::Limit(limit)) => {
            stopped(limit, settings);
            Ok(Exit::Limit)
        }
    }
}

#[derive(Serialize)]
struct Stopped {
    verdict: &'static str,
    limit: &'static str,
    why: String,
}

/// Writes the answer as one JSON object on a line.
pub(crate) fn json(value: &impl Serialize) -> Result<(), Failure> {
    let mut text = serde_json::to_string(value).expect("answers have a JSON form");
    text.push('\n');
    answer(&text)
}
