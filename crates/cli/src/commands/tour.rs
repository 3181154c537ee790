//! `counterplay tour`: one small problem of every kind, with its answer, its check, and why it is right.
//!
//! Each stop is an ordinary command on texts that are inside the program, run as a process of its own just as a user
//! would run it; the line above the answer can be typed as it stands, in the folder of the project.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use clap::Args;
use serde_json::Value;

use crate::exit::Exit;
use crate::failure::Failure;
use crate::output;
use crate::settings::Settings;

mod drawings;
mod stops;

use stops::{STOPS, Stop};

/// See everything once: one small problem of each kind, answered and checked, in under a minute
///
/// Example: counterplay tour
#[derive(Debug, Args)]
pub(crate) struct TourArguments {}

/// Walks through all stops. It ends well only if every answer is the known one.
pub(crate) fn run(_: &TourArguments, settings: &Settings) -> Result<Exit, Failure> {
    let program = std::env::current_exe()
        .map_err(|error| Failure::Read { name: "the program itself".to_owned(), error })?;
    let folder = tempfile::Builder::new()
        .prefix("counterplay-tour-")
        .tempdir()
        .map_err(|error| Failure::Write { name: "a temporary folder".to_owned(), error })?;
    let begun = Instant::now();
    let mut told = Vec::new();
    for (number, stop) in STOPS.iter().enumerate() {
        if let Err(limit) = settings.budget.check() {
            output::stopped(limit, settings);
            return Ok(Exit::Limit);
        }
        let answer = visit(stop, &program, folder.path())?;
        let said = (stop.told)(&answer).ok_or_else(|| Failure::Bug {
            message: format!("stop {}: not the known answer: {answer}", number + 1),
        })?;
        if settings.json {
            told.push(serde_json::json!({"title": stop.title, "command": stop.line(), "answer": said, "why": stop.why}));
        } else {
            let drawn: String =
                (stop.drawn)(&answer).iter().map(|line| format!("      {}\n", line.trim_end())).collect();
            output::answer(&format!(
                "{}. {}\n   $ counterplay {}\n   {said}\n{drawn}   {}\n\n",
                number + 1,
                stop.title,
                stop.line(),
                stop.why
            ))?;
        }
    }
    let seconds = begun.elapsed().as_secs_f64();
    if settings.json {
        output::json(&serde_json::json!({"stops": told, "seconds": seconds}))?;
    } else {
        output::answer(&format!(
            "{} problems answered and checked in {seconds:.1} s. Where to go next:\n   \
             counterplay serve              a page to look, try and play\n   \
             counterplay solve --help       plans, policies and task networks from your own files\n   \
             counterplay reproduce --list   the tables and figures of the papers\n   \
             docs/                          a page for each kind of problem\n",
            STOPS.len()
        ))?;
    }
    Ok(Exit::Found)
}

/// Writes the texts of a stop and runs its command.
fn visit(stop: &Stop, program: &Path, folder: &Path) -> Result<Value, Failure> {
    for (name, text) in stop.files {
        let path = folder.join(name);
        let unwritten = |error| Failure::Write { name: (*name).to_owned(), error };
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent).map_err(unwritten)?;
        }
        std::fs::write(&path, text).map_err(unwritten)?;
    }
    let outcome = Command::new(program)
        .args(stop.words)
        .args(["--json", "-q", "--time-limit", "30s"])
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .map_err(|error| Failure::Read { name: "the program itself".to_owned(), error })?;
    let text = String::from_utf8_lossy(&outcome.stdout);
    let first = text.lines().find(|line| line.starts_with('{')).unwrap_or("null");
    Ok(serde_json::from_str(first).unwrap_or(Value::Null))
}
