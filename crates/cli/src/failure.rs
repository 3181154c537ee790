//! Everything that can be wrong with what the user gave us, and how it is told.

use std::io;

use counterplay_base::Limit;
use counterplay_syntax::{Diagnostic, Sources};

use crate::diagnostics;
use crate::exit::Exit;
use crate::files::LARGEST;
use crate::output::remark;
use crate::settings::{Color, Settings};

/// Why a command gave up without an answer. All of them end with exit code 2.
#[derive(Debug)]
pub(crate) enum Failure {
    /// A file could not be read.
    Read { name: String, error: io::Error },
    /// A file could not be written.
    Write { name: String, error: io::Error },
    /// A file is not text.
    NotText { name: String, byte: usize },
    /// A file is larger than any text of its kind.
    TooLarge { name: String },
    /// Options that do not fit together or the input.
    Usage { message: String, help: Option<String> },
    /// What is wrong with the texts.
    Input { sources: Sources, diagnostics: Vec<Diagnostic> },
    /// The program is wrong, and noticed it.
    Bug { message: String },
}

impl Failure {
    /// Tells the user, on stderr.
    pub(crate) fn show(&self, settings: &Settings) {
        let (message, help) = match self {
            Failure::Input { sources, diagnostics } => {
                remark(diagnostics::render(sources, diagnostics, settings.color.stderr).trim_end());
                return;
            }
            Failure::Read { name, error } => (format!("cannot read {name}: {error}"), None),
            Failure::Write { name, error } => (format!("cannot write {name}: {error}"), None),
            Failure::NotText { name, byte } => {
                (format!("{name} is not text: byte {byte} is not valid UTF-8"), None)
            }
            Failure::TooLarge { name } => {
                (format!("{name} is too large: at most {} MiB are read", LARGEST >> 20), None)
            }
            Failure::Usage { message, help } => (message.clone(), help.clone()),
            Failure::Bug { message } => (
                format!("internal error: {message}"),
                Some(
                    "this is a bug in counterplay; please report it together with the input files".to_owned(),
                ),
            ),
        };
        remark(diagnostics::plain_error(&message, help.as_deref(), settings.color.stderr).trim_end());
    }
}

const PLEASE_REPORT: &str = "this is a bug in counterplay; please report it together with the input files";

/// A broken invariant panics. The user is told so in the words of every other bug, with the same exit code; the
/// usual message follows if a backtrace was asked for.
pub(crate) fn own_up_to_panics(color: Color) {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        let message = panic.payload_as_str().unwrap_or("a broken invariant");
        let place = panic.location().map(|place| format!(" ({place})")).unwrap_or_default();
        let message = format!("internal error: {message}{place}");
        remark(diagnostics::plain_error(&message, Some(PLEASE_REPORT), color.stderr).trim_end());
        if std::env::var_os("RUST_BACKTRACE").is_some() {
            usual(panic);
        }
        std::process::exit(i32::from(Exit::Bad.code()));
    }));
}

/// For runs of several processes: the threads of the communication panic when another process is lost. That is no bug; layers that are whole are kept.
pub(crate) fn tell_of_lost_processes(color: Color) {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        let is_communication = std::thread::current()
            .name()
            .is_some_and(|name| name.starts_with("timely:send") || name.starts_with("timely:recv"));
        let message = panic.payload_as_str().unwrap_or_default();
        if !is_communication
            && !message.contains("timely communication error")
            && !message.contains("MergeQueue")
        {
            usual(panic);
            return;
        }
        let message = format!("stopped: the connection to another process was lost ({message})");
        let help = "start all processes again to go on from the last whole layer";
        remark(diagnostics::plain_error(&message, Some(help), color.stderr).trim_end());
        std::process::exit(i32::from(Exit::Limit.code()));
    }));
}

/// For servers: a broken invariant ends the thread that noticed it, is told, and the others go on.
pub(crate) fn survive_panics(color: Color) {
    std::panic::set_hook(Box::new(move |panic| {
        let message = panic.payload_as_str().unwrap_or("a broken invariant");
        let place = panic.location().map(|place| format!(" ({place})")).unwrap_or_default();
        let message = format!("internal error: {message}{place}");
        remark(diagnostics::plain_error(&message, Some(PLEASE_REPORT), color.stderr).trim_end());
    }));
}

/// Why work ended without an answer of its own: something is wrong, or a limit came first.
#[derive(Debug)]
pub(crate) enum Halt {
    /// Something is wrong.
    Failure(Failure),
    /// A limit came first.
    Limit(Limit),
}

impl From<Failure> for Halt {
    fn from(failure: Failure) -> Halt {
        Halt::Failure(failure)
    }
}

impl From<counterplay::Error> for Failure {
    fn from(error: counterplay::Error) -> Failure {
        match error {
            counterplay::Error::Input { sources, diagnostics } => Failure::Input { sources, diagnostics },
            counterplay::Error::Request { message, help } => {
                Failure::Usage { message: as_options(&message), help: help.as_deref().map(as_options) }
            }
            counterplay::Error::Internal { message } => Failure::Bug { message },
        }
    }
}

impl From<counterplay::Error> for Halt {
    fn from(error: counterplay::Error) -> Halt {
        Halt::Failure(error.into())
    }
}

impl From<counterplay::Halt> for Halt {
    fn from(halt: counterplay::Halt) -> Halt {
        match halt {
            counterplay::Halt::Error(error) => error.into(),
            counterplay::Halt::Limit(limit) => Halt::Limit(limit),
        }
    }
}

/// The library names options as fields; on a command line they begin with two dashes.
fn as_options(text: &str) -> String {
    const OPTIONS: [&str; 19] = [
        "plans",
        "within",
        "loopless",
        "unordered",
        "count",
        "search",
        "quality",
        "direction",
        "heuristic",
        "class",
        "htn",
        "tree-file",
        "effort",
        "players",
        "turns",
        "lead",
        "declarers",
        "bounds",
        "store",
    ];
    // The command line names the engine of every command by the same word.
    let text = text.replace("`engine ", "`search ");
    OPTIONS.iter().fold(text, |text, option| text.replace(&format!("`{option}"), &format!("`--{option}")))
}

impl From<Limit> for Halt {
    fn from(limit: Limit) -> Halt {
        Halt::Limit(limit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_have_dashes_on_the_command_line() {
        assert_eq!(
            as_options("`heuristic` is wrong: use `search bfs`"),
            "`--heuristic` is wrong: use `--search bfs`"
        );
        assert_eq!(as_options("searching"), "searching");
    }
}
