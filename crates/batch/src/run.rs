//! Running jobs, each in a process of its own.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;
use std::{fs, io, thread};

use counterplay_base::limits;
use counterplay_system::child;
use serde_json::Value;

use crate::description::Batch;
use crate::error::BatchError;
use crate::job::{Job, Outcome, Record};
use crate::results::{Results, move_folder};

/// With what jobs are run.
#[derive(Clone, Debug)]
pub struct Runner {
    /// The command that jobs are given to, unless they name another program.
    pub program: PathBuf,
    /// Its version.
    pub version: String,
    /// A folder for files that are of use while a job runs only.
    pub scratch: PathBuf,
    /// The name of this machine.
    pub host: Option<String>,
}

/// A job that has ended.
#[derive(Clone, Debug)]
pub struct Finished<'a> {
    pub job: &'a Job,
    pub outcome: Outcome,
    pub seconds: f64,
    /// How many have ended in this run.
    pub count: usize,
}

/// A command that does not notice its time limit is ended so much later.
const GRACE: Duration = Duration::from_secs(30);

/// Runs jobs on so many workers, and keeps their results. Returns how many results are new; what was cancelled has none.
pub fn run_jobs(
    batch: &Batch,
    jobs: &[&Job],
    results: &Results,
    runner: &Runner,
    workers: usize,
    is_cancelled: &(dyn Fn() -> bool + Sync),
    tell: &(dyn Fn(&Finished<'_>) + Sync),
) -> Result<usize, BatchError> {
    let next = AtomicUsize::new(0);
    let ended = AtomicUsize::new(0);
    let is_broken = AtomicBool::new(false);
    let trouble: Mutex<Option<BatchError>> = Mutex::new(None);
    let work = || {
        let stop = || is_cancelled() || is_broken.load(Ordering::Relaxed);
        while let Some(&job) = jobs.get(next.fetch_add(1, Ordering::Relaxed)).filter(|_| !stop()) {
            let done = run_job(batch, job, results, runner, &stop).and_then(|record| match record {
                Some(record) => results.save(job, &record).map(|_| Some((record.outcome, record.seconds))),
                None => Ok(None),
            });
            match done {
                Ok(Some((outcome, seconds))) => {
                    let count = ended.fetch_add(1, Ordering::Relaxed) + 1;
                    tell(&Finished { job, outcome, seconds, count });
                }
                Ok(None) => return,
                Err(error) => {
                    is_broken.store(true, Ordering::Relaxed);
                    trouble.lock().expect("no worker panics").get_or_insert(error);
                }
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..workers.clamp(1, jobs.len().max(1)) {
            scope.spawn(work);
        }
    });
    match trouble.into_inner().expect("no worker panics") {
        Some(error) => Err(error),
        None => Ok(ended.into_inner()),
    }
}

/// Runs a job; `None` if it was cancelled.
pub fn run_job(
    batch: &Batch,
    job: &Job,
    results: &Results,
    runner: &Runner,
    is_cancelled: &dyn Fn() -> bool,
) -> Result<Option<Record>, BatchError> {
    let name = format!("counterplay-{}-", job.id);
    let scratch = tempfile::Builder::new().prefix(&name).tempdir_in(&runner.scratch);
    let scratch =
        scratch.map_err(|error| BatchError::file("cannot make a folder in", &runner.scratch, error))?;
    let output = scratch.path().join("output");
    fs::create_dir(&output).map_err(|error| BatchError::file("cannot make the folder", &output, error))?;
    let program = job.program.as_ref().map_or(runner.program.clone(), PathBuf::from);
    let mut command = Command::new(&program);
    command.args(job.command.iter().map(|word| late(word, scratch.path(), &output)));
    command.current_dir(&batch.folder).env("TMPDIR", scratch.path());
    let ended = child::run_watched(&mut command, patience(job), is_cancelled)
        .map_err(|error| BatchError::Start { program: program.display().to_string(), error })?;
    if ended.killed && is_cancelled() {
        return Ok(None);
    }
    keep(&output, &results.files(&job.id))
        .map_err(|error| BatchError::file("cannot keep the files in", &output, error))?;
    let (outcome, reason) = judge(&ended);
    let parameters = job.parameters.iter().map(|(name, value)| (name.clone(), Value::from(value.as_str())));
    Ok(Some(Record {
        job: job.id.clone(),
        batch: batch.name.clone(),
        group: job.group.clone(),
        parameters: parameters.collect(),
        program: job.program.clone().unwrap_or_else(|| "counterplay".to_owned()),
        command: job.command.clone(),
        version: runner.version.clone(),
        outcome,
        reason,
        exit: ended.code,
        answer: answer(&ended.stdout),
        seconds: ended.wall.as_secs_f64(),
        cpu_seconds: ended.cpu.as_secs_f64(),
        peak_memory: ended.peak_memory,
        host: runner.host.clone(),
    }))
}

/// The folders that are known now.
fn late(word: &str, scratch: &Path, output: &Path) -> String {
    word.replace("{scratch}", &scratch.display().to_string())
        .replace("{output}", &output.display().to_string())
}

/// Keeps files that a job wrote, if there are any.
fn keep(output: &Path, target: &Path) -> io::Result<()> {
    match fs::read_dir(output)?.next() {
        Some(_) => move_folder(output, target),
        None => Ok(()),
    }
}

/// How long a job may run before it is ended from outside.
fn patience(job: &Job) -> Duration {
    let limit = job.command.iter().position(|word| word == "--time-limit");
    let limit = limit.and_then(|at| limits::duration(job.command.get(at + 1)?).ok());
    limit.map_or(Duration::MAX, |limit| limit + GRACE.max(limit / 10))
}

fn judge(ended: &child::Outcome) -> (Outcome, Option<String>) {
    let told = || {
        let lines = || ended.stderr.lines().map(str::trim).filter(|line| !line.is_empty());
        let line = lines().find(|line| line.starts_with("error")).or_else(|| lines().next_back());
        line.map(str::to_owned)
    };
    match (ended.code, ended.signal) {
        _ if ended.killed => (Outcome::Overdue, Some("did not end within its time limit".to_owned())),
        (Some(0), _) => (Outcome::Found, None),
        (Some(1), _) => (Outcome::None, None),
        (Some(2), _) => (Outcome::Bad, told()),
        (Some(3), _) => (Outcome::Limit, told()),
        (Some(code), _) => (Outcome::Failed, told().or(Some(format!("exit code {code}")))),
        (None, Some(signal)) => (Outcome::Killed, Some(format!("signal {signal}"))),
        (None, None) => (Outcome::Killed, None),
    }
}

/// What was printed: an object, a list of those on several lines, or text.
fn answer(stdout: &str) -> Value {
    if stdout.trim().is_empty() {
        return Value::Null;
    }
    if let Ok(value) = serde_json::from_str(stdout) {
        return value;
    }
    let lines = stdout.lines().filter(|line| !line.trim().is_empty()).map(serde_json::from_str);
    match lines.collect::<Result<Vec<Value>, _>>() {
        Ok(values) => Value::Array(values),
        Err(_) => Value::from(stdout),
    }
}
