//! The command line as it is written; what it comes to is decided elsewhere.

use std::num::NonZero;
use std::time::Duration;

use clap::{ArgAction, Args, Parser, ValueEnum};

use crate::commands::Command;
use crate::limits;

/// Finds plans that survive the other players, and checks them.
#[derive(Debug, Parser)]
#[command(name = "counterplay", version, after_help = EXIT_CODES, propagate_version = true, disable_help_flag = true)]
pub(crate) struct Arguments {
    /// Options of every command.
    #[command(flatten)]
    pub(crate) common: Common,
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// The exit codes, for `--help`.
pub(crate) const EXIT_CODES: &str = "\
Exit codes:
  0  an answer was found, or what was checked is valid
  1  it is proved that there is no answer, or what was checked is not valid
  2  bad usage or bad input (an internal error ends so too, and says so)
  3  a limit was reached, or the run was interrupted";

/// The heading of options of every command.
pub(crate) const COMMON: &str = "Common options";

/// The heading of options that few people need; only `--help-all` shows them.
pub(crate) const FURTHER: &str = "Further options";

/// Options of every command.
#[derive(Debug, Args)]
#[command(next_help_heading = COMMON)]
pub(crate) struct Common {
    /// Print the most used options
    #[arg(short, long, global = true, action = ArgAction::HelpShort)]
    help: Option<bool>,

    /// Print all options, with explanations and examples
    #[arg(long, global = true, action = ArgAction::HelpLong)]
    help_all: Option<bool>,

    /// Print the answer as one JSON object
    #[arg(long, global = true)]
    pub(crate) json: bool,

    /// Stop after so much wall time, such as 60s, 1m30s or 500ms [default: none]
    #[arg(long, global = true, value_name = "TIME", value_parser = limits::duration)]
    pub(crate) time_limit: Option<Duration>,

    /// Stop after so much CPU time of all threads together, such as 60s [default: none]
    #[arg(long, global = true, value_name = "TIME", value_parser = limits::duration)]
    pub(crate) cpu_limit: Option<Duration>,

    /// Stop before more memory is held, such as 4GiB or 300MB [default: three quarters of what is available]
    #[arg(long, global = true, value_name = "SIZE", value_parser = limits::bytes)]
    pub(crate) memory_limit: Option<usize>,

    /// Use at most so many threads; classical planning uses one [default: all cores for tournaments]
    #[arg(long, global = true, value_name = "N")]
    pub(crate) threads: Option<NonZero<usize>>,

    /// Seed for everything that is left to chance: the same seed gives the same run
    #[arg(long, global = true, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,

    /// Say nothing on stderr but errors
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub(crate) quiet: bool,

    /// Explain on stderr what is done, in log lines that Downward Lab reads
    #[arg(short, long, global = true)]
    pub(crate) verbose: bool,

    /// Colour errors; `auto` looks for a terminal and at NO_COLOR
    #[arg(long, global = true, value_name = "WHEN", value_enum, default_value_t)]
    pub(crate) color: ColorChoice,
}

/// When to use colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ColorChoice {
    /// On a terminal, unless NO_COLOR is set.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}
