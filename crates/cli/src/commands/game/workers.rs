//! Options of a solution on disk: workers, processes, and where they keep what they do.

use std::fs;
use std::num::NonZero;
use std::path::{Path, PathBuf};

use clap::Args;
use counterplay::game::{Hosts, PARTS, Plan};
use tempfile::TempDir;

use crate::failure::{self, Failure};
use crate::settings::Settings;

/// Options of a solution on disk.
#[derive(Debug, Args)]
#[command(next_help_heading = "Layers on disk")]
pub(super) struct WorkerArguments {
    /// Solve in layers on disk with so many threads, within `--memory-limit` [default: one, in memory]
    #[arg(long, value_name = "N")]
    workers: Option<NonZero<usize>>,

    /// Processes that work together, each with as many workers
    #[arg(long, value_name = "N", requires_all = ["process", "hosts"])]
    processes: Option<NonZero<usize>>,

    /// Which of the processes this one is, from 0
    #[arg(long, value_name = "I", requires = "processes")]
    process: Option<usize>,

    /// A line `key …` that all processes share, and for each an address such as 10.0.0.1:7101
    #[arg(long, value_name = "FILE", requires = "processes")]
    hosts: Option<PathBuf>,

    /// Parts of each layer; all runs on one folder need the same number
    #[arg(long, value_name = "N", default_value_t = PARTS, value_parser = parts)]
    parts: usize,
}

fn parts(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(count @ 1..=9999) => Ok(count),
        _ => Err("give a number from 1 to 9999".to_owned()),
    }
}

/// The memory of workers where no limit is known.
const MEMORY: usize = 4 << 30;

impl WorkerArguments {
    /// Whether layers on disk are wanted.
    pub(super) fn is_given(&self) -> bool {
        self.workers.is_some() || self.processes.is_some()
    }

    /// What is to be done, and the folder that goes away afterwards if none was named.
    pub(super) fn plan(
        &self,
        store: Option<&Path>,
        settings: &Settings,
    ) -> Result<(Plan, Option<TempDir>), Failure> {
        let workers = self.workers.map_or(1, NonZero::get);
        let processes = self.processes()?;
        let wanted = processes.as_ref().map_or(1, |(hosts, _)| hosts.addresses.len()) * workers;
        if wanted > self.parts {
            let message = format!("{wanted} workers for {} parts of a layer", self.parts);
            let help = format!("`--parts {}` or more lets every worker have one", wanted.next_power_of_two());
            return Err(Failure::Usage { message, help: Some(help) });
        }
        if processes.is_some() {
            failure::tell_of_lost_processes(settings.color);
        }
        let scratch = match store {
            Some(_) => None,
            None => Some(TempDir::with_prefix("counterplay-layers-").map_err(|error| Failure::Write {
                name: std::env::temp_dir().display().to_string(),
                error,
            })?),
        };
        let folder = store.or(scratch.as_ref().map(TempDir::path)).expect("one of both").to_owned();
        let memory = settings.budget.bytes().unwrap_or(MEMORY);
        Ok((Plan { folder, parts: self.parts, workers, processes, memory }, scratch))
    }

    fn processes(&self) -> Result<Option<(Hosts, usize)>, Failure> {
        let (Some(count), Some(own), Some(path)) = (self.processes, self.process, &self.hosts) else {
            return Ok(None);
        };
        let text = fs::read_to_string(path)
            .map_err(|error| Failure::Read { name: path.display().to_string(), error })?;
        let usage = |message: String| Failure::Usage { message, help: None };
        if own >= count.get() {
            return Err(usage(format!("process {own} of {count}: they are counted from 0")));
        }
        let hosts =
            Hosts::read(&text, count.get()).map_err(|error| usage(format!("{}: {error}", path.display())))?;
        Ok(Some((hosts, own)))
    }
}
