//! The text of a batch: what is written, and what it comes to.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::error::BatchError;
use crate::grid::{Values, combinations};
use crate::job::Job;

/// A batch: jobs, and what they may use.
#[derive(Clone, Debug)]
pub struct Batch {
    /// Its name: that of its file, unless the text says otherwise.
    pub name: String,
    /// The folder of its file; jobs run there.
    pub folder: PathBuf,
    /// Where results are kept, unless the caller says otherwise.
    pub results: PathBuf,
    pub limits: Limits,
    pub slurm: SlurmOptions,
    /// In the order of the text; the last value of a grid changes first.
    pub jobs: Vec<Job>,
}

/// What each job may use.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Limits {
    /// Wall time, such as `60s`.
    pub time: Option<String>,
    /// CPU time, such as `60s`.
    pub cpu: Option<String>,
    /// Memory, such as `1GiB`.
    pub memory: Option<String>,
    /// Threads; one unless said otherwise.
    pub threads: Option<u32>,
}

/// What Slurm should know.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct SlurmOptions {
    pub partition: Option<String>,
    pub account: Option<String>,
    /// More options of `sbatch`, such as `--constraint=avx2`.
    pub options: Vec<String>,
    /// Jobs that one task of the array runs one after the other; as many as needed to stay below the largest array unless said otherwise.
    pub jobs_per_task: Option<usize>,
    /// Tasks that run at once, at most.
    pub at_once: Option<usize>,
    /// A folder on the disk of the node; that of the environment (`SLURM_TMPDIR`, `TMPDIR`, `/tmp`) unless said otherwise.
    pub scratch: Option<String>,
}

/// The text as it is written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Text {
    name: Option<String>,
    results: Option<PathBuf>,
    /// Given to every job that has no `--seed` of its own.
    seed: Option<u64>,
    #[serde(default)]
    limits: Limits,
    #[serde(default)]
    slurm: SlurmOptions,
    job: Vec<JobText>,
}

/// Jobs of one command.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct JobText {
    pub(crate) name: Option<String>,
    /// Another program than this one. It gets its own arguments and no others.
    pub(crate) program: Option<String>,
    pub(crate) command: Vec<String>,
    /// Whether the answer is text and not JSON.
    #[serde(default)]
    pub(crate) text: bool,
    /// Values that are combined in every way.
    #[serde(default)]
    pub(crate) grid: toml::Table,
    /// Values that belong together, one list of them for each job.
    #[serde(default)]
    pub(crate) rows: Vec<BTreeMap<String, toml::Value>>,
}

impl Batch {
    /// Reads a batch; `path` is where its text comes from.
    pub fn read(text: &str, path: &Path) -> Result<Batch, BatchError> {
        let wrong = |why: String| BatchError::Text { name: path.display().to_string(), why };
        let text: Text =
            toml::from_str(text).map_err(|error| wrong(error.to_string().trim_end().to_owned()))?;
        let folder = match path.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent.to_owned(),
            _ => PathBuf::from("."),
        };
        text.limits.check().map_err(wrong)?;
        let stem = path.file_stem().map_or("batch".to_owned(), |stem| stem.to_string_lossy().into_owned());
        let mut jobs = Vec::new();
        for (place, own) in text.job.iter().enumerate() {
            let name = own.name.clone().unwrap_or_else(|| (place + 1).to_string());
            let wrong = |why: String| BatchError::Job { job: name.clone(), why };
            let values = Values::read(own, &folder).map_err(wrong)?;
            for parameters in combinations(&values) {
                let job = Job::new(jobs.len(), &name, own, parameters, &text.limits, text.seed);
                jobs.push(job.map_err(wrong)?);
            }
        }
        if jobs.is_empty() {
            return Err(wrong("it has no jobs".to_owned()));
        }
        let results = text.results.unwrap_or_else(|| PathBuf::from(format!("{stem}.results")));
        let batch = Batch {
            name: text.name.unwrap_or(stem),
            results: folder.join(results),
            folder,
            limits: text.limits,
            slurm: text.slurm,
            jobs,
        };
        batch.refuse_twins()?;
        Ok(batch)
    }

    /// Two jobs that run the same would have one result.
    fn refuse_twins(&self) -> Result<(), BatchError> {
        let mut places: BTreeMap<&str, usize> = BTreeMap::new();
        for job in &self.jobs {
            if let Some(first) = places.insert(&job.id, job.number) {
                let (first, second) = (first + 1, job.number + 1);
                return Err(BatchError::Twice { first, second, command: job.command.join(" ") });
            }
        }
        Ok(())
    }
}

impl Limits {
    /// Whether the amounts can be read.
    fn check(&self) -> Result<(), String> {
        use counterplay_base::limits::{bytes, duration};
        for text in [&self.time, &self.cpu].into_iter().flatten() {
            duration(text)?;
        }
        self.memory.as_deref().map(bytes).transpose()?;
        match self.threads {
            Some(0) => Err("`threads` must be at least 1".to_owned()),
            _ => Ok(()),
        }
    }

    /// The limits as options of the command, as far as it does not have them.
    pub(crate) fn options(&self, command: &[String]) -> Vec<String> {
        let threads = Some(self.threads.unwrap_or(1).to_string());
        let all = [
            ("--time-limit", self.time.clone()),
            ("--cpu-limit", self.cpu.clone()),
            ("--memory-limit", self.memory.clone()),
            ("--threads", threads),
        ];
        let missing = all.into_iter().filter(|(option, _)| !has_option(command, option));
        missing.filter_map(|(option, value)| Some([option.to_owned(), value?])).flatten().collect()
    }
}

/// Whether a command has an option, in either of its two forms.
pub(crate) fn has_option(command: &[String], option: &str) -> bool {
    command
        .iter()
        .any(|word| word == option || word.strip_prefix(option).is_some_and(|rest| rest.starts_with('=')))
}
