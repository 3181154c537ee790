//! A batch as a job array of Slurm.
//!
//! One array for the jobs that have no result; a task of it runs one job, or several if the array would be too large. A task that Slurm starts a second
//! time (a node that failed, a job that was put back) runs what has no result only. What is asked of Slurm is what each job may use anyway.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use counterplay_base::limits;

use crate::description::Batch;
use crate::error::BatchError;
use crate::job::Job;
use crate::results::Results;

/// Where jobs are handed over.
#[derive(Clone, Debug)]
pub struct Slurm<'a> {
    pub batch: &'a Batch,
    /// The file of the batch.
    pub file: &'a Path,
    pub results: &'a Results,
    /// This program, as the nodes find it.
    pub program: &'a Path,
}

/// An array that was handed over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Array {
    /// The number that Slurm gave it.
    pub id: String,
    pub tasks: usize,
    pub jobs: usize,
}

/// The largest array where Slurm does not tell.
const LARGEST_ARRAY: usize = 1001;
/// What a task takes besides its jobs.
const START: Duration = Duration::from_secs(60);
const START_MEMORY: usize = 64 << 20;

impl Slurm<'_> {
    /// Hands jobs over.
    pub fn submit(&self, jobs: &[&Job]) -> Result<Array, BatchError> {
        let per_task = match self.batch.slurm.jobs_per_task {
            Some(count) => count.max(1),
            None => jobs.len().div_ceil(largest_array() - 1),
        };
        let list = self.write_list(jobs, per_task)?;
        let script = list.with_extension("sh");
        self.write(&script, &self.script(&list)?)?;
        let tasks = jobs.len().div_ceil(per_task);
        let mut command = Command::new("sbatch");
        command.arg("--parsable").args(self.options(tasks, per_task)?);
        let output = command.arg(&script).output();
        let output = output.map_err(|error| BatchError::Start { program: "sbatch".to_owned(), error })?;
        let told = String::from_utf8_lossy(&output.stdout);
        let id = told.trim().split(';').next().unwrap_or_default().to_owned();
        if !output.status.success() || id.is_empty() || !id.bytes().all(|byte| byte.is_ascii_digit()) {
            let why = String::from_utf8_lossy(&output.stderr).trim().to_owned();
            return Err(BatchError::Slurm { program: "sbatch".to_owned(), why });
        }
        self.remember(&id)?;
        Ok(Array { id, tasks, jobs: jobs.len() })
    }

    /// The jobs of each task, a line each, in a file with a new name.
    fn write_list(&self, jobs: &[&Job], per_task: usize) -> Result<PathBuf, BatchError> {
        let folder = self.results.folder.join("slurm");
        let path =
            (1..).map(|number| folder.join(format!("array-{number}.jobs"))).find(|path| !path.exists());
        let path = path.expect("some number is free");
        let lines = jobs.chunks(per_task).map(|task| {
            let ids: Vec<&str> = task.iter().map(|job| job.id.as_str()).collect();
            ids.join(" ") + "\n"
        });
        self.write(&path, &lines.collect::<String>())?;
        Ok(path)
    }

    fn write(&self, path: &Path, text: &str) -> Result<(), BatchError> {
        fs::write(path, text).map_err(|error| BatchError::file("cannot write", path, error))
    }

    /// What a node runs. `exec` lets the signals of Slurm reach the program.
    fn script(&self, list: &Path) -> Result<String, BatchError> {
        let scratch = match &self.batch.slurm.scratch {
            Some(folder) => quoted(folder),
            None => "\"${SLURM_TMPDIR:-${TMPDIR:-/tmp}}\"".to_owned(),
        };
        let [program, file, results, list] =
            [self.program, self.file, &self.results.folder, list].map(|path| {
                let whole = std::path::absolute(path);
                whole
                    .map_err(|error| BatchError::file("cannot find", path, error))
                    .map(|whole| quoted(&whole.display().to_string()))
            });
        Ok(format!(
            "#!/bin/sh\nexec {} batch task {} --results {} --list {} --index \"$SLURM_ARRAY_TASK_ID\" --scratch {scratch}\n",
            program?, file?, results?, list?
        ))
    }

    fn options(&self, tasks: usize, per_task: usize) -> Result<Vec<String>, BatchError> {
        let Batch { name, limits: own, slurm, .. } = self.batch;
        let at_once = slurm.at_once.map_or(String::new(), |count| format!("%{}", count.max(1)));
        let log = std::path::absolute(self.results.folder.join("slurm/%A_%a.log"));
        let log = log.map_err(|error| BatchError::file("cannot find", &self.results.folder, error))?;
        let mut options = vec![
            format!("--job-name={name}"),
            format!("--array=0-{}{at_once}", tasks - 1),
            format!("--output={}", log.display()),
            "--open-mode=append".to_owned(),
            "--requeue".to_owned(),
            "--ntasks=1".to_owned(),
            format!("--cpus-per-task={}", own.threads.unwrap_or(1)),
        ];
        if let Some(time) = own.time.as_deref().and_then(|text| limits::duration(text).ok()) {
            let all = (time + START) * per_task as u32;
            options.push(format!("--time={}", all.as_secs().div_ceil(60)));
        }
        if let Some(memory) = own.memory.as_deref().and_then(|text| limits::bytes(text).ok()) {
            options.push(format!("--mem={}M", (memory + memory / 10 + START_MEMORY).div_ceil(1 << 20)));
        }
        options.extend(slurm.partition.iter().map(|partition| format!("--partition={partition}")));
        options.extend(slurm.account.iter().map(|account| format!("--account={account}")));
        options.extend(slurm.options.iter().cloned());
        Ok(options)
    }

    /// Notes the number of an array, so that the queue can be asked about it.
    fn remember(&self, id: &str) -> Result<(), BatchError> {
        let path = self.results.folder.join("slurm/arrays");
        let noted =
            File::options().create(true).append(true).open(&path).and_then(|mut file| writeln!(file, "{id}"));
        noted.map_err(|error| BatchError::file("cannot write", &path, error))
    }
}

/// The names of the jobs of a task.
pub(crate) fn read_task(list: &Path, index: usize) -> Result<Vec<String>, BatchError> {
    let text = fs::read_to_string(list).map_err(|error| BatchError::file("cannot read", list, error))?;
    let line = text.lines().nth(index).ok_or_else(|| BatchError::Text {
        name: list.display().to_string(),
        why: format!("it has no task {index}"),
    })?;
    Ok(line.split(' ').map(str::to_owned).collect())
}

impl Batch {
    /// The jobs of a task of an array.
    pub fn jobs_of_task(&self, list: &Path, index: usize) -> Result<Vec<&Job>, BatchError> {
        let ids = read_task(list, index)?;
        let find = |id: &String| {
            self.jobs.iter().find(|job| job.id == *id).ok_or_else(|| BatchError::Job {
                job: id.clone(),
                why: "it is no longer part of the batch".to_owned(),
            })
        };
        ids.iter().map(find).collect()
    }
}

/// A word for the shell.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// How many tasks an array may have, as Slurm tells.
fn largest_array() -> usize {
    let told = Command::new("scontrol").args(["show", "config"]).output().ok();
    let told = told.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
    let line = told.lines().find(|line| line.starts_with("MaxArraySize"));
    let number = line.and_then(|line| line.split('=').nth(1)?.trim().parse().ok());
    number.unwrap_or(LARGEST_ARRAY).max(2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_for_the_shell() {
        assert_eq!(quoted("a b"), "'a b'");
        assert_eq!(quoted("it's"), r"'it'\''s'");
    }
}
