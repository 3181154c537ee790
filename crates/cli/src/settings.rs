//! What the common options come to: defaults are filled in here, once.

use std::io::IsTerminal;
use std::num::NonZero;
use std::thread;
use std::time::Instant;

use counterplay_base::Budget;

use crate::arguments::{ColorChoice, Common};
use crate::{clock, memory};

/// Decided settings that all commands share.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    /// When the process began, for times since then.
    pub(crate) started: Instant,
    /// Whether the answer is to be one JSON object.
    pub(crate) json: bool,
    /// How much is said on stderr.
    pub(crate) verbosity: Verbosity,
    /// Where colour is wanted.
    pub(crate) color: Color,
    /// Whether a progress bar is drawn.
    pub(crate) progress: bool,
    /// Time, memory and cancellation.
    pub(crate) budget: Budget,
    /// Seed for everything that is left to chance.
    pub(crate) seed: u64,
    /// How many threads may be used, if the user said so.
    pub(crate) threads: Option<NonZero<usize>>,
}

/// How much is said on stderr.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Verbosity {
    /// Errors only.
    Quiet,
    /// A line about the answer.
    Normal,
    /// What happened on the way, in the words of Fast Downward where it has them.
    Verbose,
}

/// Where colour is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Color {
    /// In errors and remarks.
    pub(crate) stderr: bool,
}

impl Settings {
    /// Decides everything that the user left open.
    pub(crate) fn decide(common: &Common) -> Settings {
        let started = Instant::now();
        let mut budget = Budget::unlimited();
        if let Some(allowed) = common.time_limit {
            budget = budget.with_time(allowed);
        }
        if let Some(allowed) = common.cpu_limit {
            budget = budget.with_cpu(allowed, clock::process_time);
        }
        if let Some(allowed) = common.memory_limit.or_else(memory::default_limit) {
            budget = budget.with_memory(allowed, memory::resident);
        }
        let verbosity = match (common.quiet, common.verbose) {
            (true, _) => Verbosity::Quiet,
            (false, false) => Verbosity::Normal,
            (false, true) => Verbosity::Verbose,
        };
        let terminal = std::io::stderr().is_terminal();
        let unwanted = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let color = match common.color {
            ColorChoice::Always => true,
            ColorChoice::Never => false,
            ColorChoice::Auto => terminal && !unwanted,
        };
        Settings {
            started,
            json: common.json,
            verbosity,
            color: Color { stderr: color },
            progress: terminal && verbosity != Verbosity::Quiet,
            budget,
            seed: common.seed,
            threads: common.threads,
        }
    }

    /// As many threads as the user allows, or else as the machine has cores: for work that splits well.
    pub(crate) fn threads_for_parallel_work(&self) -> usize {
        self.threads.or_else(|| thread::available_parallelism().ok()).map_or(1, NonZero::get)
    }
}
