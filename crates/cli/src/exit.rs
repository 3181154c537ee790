//! How the process ends.

use std::process::ExitCode;

use counterplay_base::Verdict;

/// The exit codes, as `--help` states them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// An answer was found, or what was to be checked is valid.
    Found,
    /// It is proved that there is no answer, or what was to be checked is not valid.
    None,
    /// Bad usage, bad input, or a bug that was noticed.
    Bad,
    /// A limit was reached first.
    Limit,
    /// A number of another scheme, which the user asked for.
    Other(u8),
}

impl Exit {
    /// The exit that says the same as a verdict.
    pub(crate) fn of<T>(verdict: &Verdict<T>) -> Exit {
        match verdict {
            Verdict::Solved(_) => Exit::Found,
            Verdict::Unsolvable => Exit::None,
            Verdict::Stopped(_) => Exit::Limit,
        }
    }

    /// The number that the shell sees.
    pub(crate) fn code(self) -> u8 {
        match self {
            Exit::Found => 0,
            Exit::None => 1,
            Exit::Bad => 2,
            Exit::Limit => 3,
            Exit::Other(code) => code,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit.code())
    }
}
