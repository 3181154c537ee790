//! What an item needs to know about the run, and reading its files.

use std::io;
use std::num::NonZero;
use std::path::Path;
use std::thread;

use counterplay::{Budget, CpuClock, Error, LiftedProblem, Problem, Stopwatch};
use counterplay_syntax::Sources;

/// How an item is run.
#[derive(Clone, Debug)]
pub struct Settings {
    pub budget: Budget,
    /// Seed of everything that is left to chance.
    pub seed: u64,
    /// How many threads may be used; as many as there are cores if left open.
    pub threads: Option<NonZero<usize>>,
    /// CPU time of the calling thread.
    pub clock: CpuClock,
    /// Bytes that the process holds, for players that keep a memory limit.
    pub resident: fn() -> Option<usize>,
    /// Takes a line about a part that is done.
    pub remark: fn(&str),
}

impl Settings {
    /// Starts to measure the CPU time of this thread.
    pub(crate) fn stopwatch(&self) -> Stopwatch {
        Stopwatch::start(self.clock)
    }

    /// As many threads as the user allows, or else as the machine has cores: for work that splits well.
    pub(crate) fn threads_for_parallel_work(&self) -> usize {
        self.threads.or_else(|| thread::available_parallelism().ok()).map_or(1, NonZero::get)
    }
}

/// A file of the user that cannot be read.
pub(crate) fn unreadable(name: &str, error: &io::Error) -> Error {
    Error::Request { message: format!("cannot read {name}: {error}"), help: None }
}

/// Reads a domain and a problem.
pub(crate) fn read_lifted(domain: &Path, problem: &Path) -> Result<LiftedProblem, Error> {
    let mut sources = Sources::default();
    let mut add = |path: &Path| {
        let name = path.display().to_string();
        let text = std::fs::read_to_string(path).map_err(|error| unreadable(&name, &error))?;
        Ok::<_, Error>(sources.add(name, text))
    };
    let (domain, problem) = (add(domain)?, add(problem)?);
    match Problem::of_sources(sources, domain, problem)? {
        Problem::Lifted(lifted) => Ok(*lifted),
        Problem::Finite(_) => unreachable!("two files are a lifted problem"),
    }
}
