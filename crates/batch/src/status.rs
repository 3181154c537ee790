//! How far a batch is.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::process::Command;

use serde::Serialize;

use crate::description::Batch;
use crate::error::BatchError;
use crate::job::Job;
use crate::results::{Results, Stored};

/// How far a batch is.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Status {
    pub batch: String,
    pub jobs: usize,
    /// Jobs with a result.
    pub done: usize,
    /// Jobs without one; killed and damaged ones included.
    pub missing: usize,
    /// How often each outcome occurs.
    pub outcomes: BTreeMap<&'static str, usize>,
    /// Failures by reason.
    pub failures: BTreeMap<String, usize>,
    /// Files that are no results.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub damaged: Vec<String>,
    /// Versions of the program that wrote results, and how many each.
    pub versions: BTreeMap<String, usize>,
    /// CPU time of all jobs with a result.
    pub cpu_seconds: f64,
    /// What Slurm says of its arrays.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub queue: Option<Queue>,
}

/// Tasks of the arrays of a batch that have not ended.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Queue {
    pub running: usize,
    pub pending: usize,
    /// In another state.
    pub other: usize,
}

impl Status {
    /// Looks at all results.
    pub fn of(batch: &Batch, results: &Results) -> Result<Status, BatchError> {
        let mut status = Status {
            batch: batch.name.clone(),
            jobs: batch.jobs.len(),
            done: 0,
            missing: 0,
            outcomes: BTreeMap::new(),
            failures: BTreeMap::new(),
            damaged: Vec::new(),
            versions: BTreeMap::new(),
            cpu_seconds: 0.0,
            queue: Queue::of(results),
        };
        for job in &batch.jobs {
            let record = match results.load(job)? {
                Stored::Missing => None,
                Stored::Damaged(why) => {
                    status.damaged.push(format!("job {} ({}): {why}", job.number + 1, job.id));
                    None
                }
                Stored::Again(record) => {
                    *status.failures.entry(reason(&record)).or_default() += 1;
                    None
                }
                Stored::Done(record) => Some(record),
            };
            let Some(record) = record else {
                status.missing += 1;
                continue;
            };
            status.done += 1;
            *status.outcomes.entry(record.outcome.name()).or_default() += 1;
            *status.versions.entry(record.version.clone()).or_default() += 1;
            status.cpu_seconds += record.cpu_seconds;
            if !record.outcome.is_answer() {
                *status.failures.entry(reason(&record)).or_default() += 1;
            }
        }
        Ok(status)
    }

    /// As text for a terminal.
    pub fn text(&self) -> String {
        let mut out = format!("{:<20} {:>8} of {}\n", self.batch, self.done, self.jobs);
        for (name, count) in &self.outcomes {
            let _ = writeln!(out, "{name:<20} {count:>8}");
        }
        if self.missing > 0 {
            let _ = writeln!(out, "{:<20} {:>8}", "missing", self.missing);
        }
        for (reason, count) in &self.failures {
            let _ = writeln!(out, "failed {count} times: {reason}");
        }
        for damaged in &self.damaged {
            let _ = writeln!(out, "damaged result, the job is run again: {damaged}");
        }
        if self.versions.len() > 1 {
            let all: Vec<String> =
                self.versions.iter().map(|(version, count)| format!("{version} ({count})")).collect();
            let _ = writeln!(out, "results of several versions: {}", all.join(", "));
        }
        if let Some(Queue { running, pending, other }) = &self.queue {
            let _ =
                writeln!(out, "Slurm: {running} tasks running, {pending} pending, {other} in another state");
        }
        out
    }
}

fn reason(record: &crate::job::Record) -> String {
    let name = record.outcome.name();
    record.reason.as_ref().map_or(name.to_owned(), |reason| format!("{name}: {reason}"))
}

impl Queue {
    /// What Slurm says; `None` if no array was handed over or Slurm does not answer.
    pub fn of(results: &Results) -> Option<Queue> {
        let text = fs::read_to_string(results.folder.join("slurm/arrays")).ok()?;
        let ids: Vec<&str> = text.lines().collect();
        let asked =
            Command::new("squeue").args(["-h", "-r", "-o", "%T", "-j", &ids.join(",")]).output().ok()?;
        // Arrays that Slurm has forgotten are an error to it, and nothing to count.
        if !asked.status.success() && !String::from_utf8_lossy(&asked.stderr).contains("Invalid job id") {
            return None;
        }
        let mut queue = Queue::default();
        for state in String::from_utf8_lossy(&asked.stdout).lines() {
            match state.trim() {
                "RUNNING" | "COMPLETING" => queue.running += 1,
                "PENDING" | "REQUEUED" => queue.pending += 1,
                _ => queue.other += 1,
            }
        }
        Some(queue)
    }

    /// Tasks that have not ended.
    pub fn tasks(&self) -> usize {
        self.running + self.pending + self.other
    }
}

impl Batch {
    /// The jobs without a result.
    pub fn open_jobs(&self, results: &Results) -> Result<Vec<&Job>, BatchError> {
        let mut open = Vec::new();
        for job in &self.jobs {
            if !results.load(job)?.is_done() {
                open.push(job);
            }
        }
        Ok(open)
    }
}
