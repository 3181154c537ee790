//! `counterplay batch`: many runs of commands, here or on a cluster.

use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{env, fs, thread};

use clap::{Args, Subcommand};
use counterplay_base::{Budget, Progress, Report};
use counterplay_batch::{
    Batch, BatchError, Finished, Job, Outcome, Queue, Results, Runner, Slurm, Status, Table, run_jobs,
};

use crate::exit::Exit;
use crate::failure::{Failure, Halt};
use crate::files::Reader;
use crate::output::{self, remark};
use crate::progress::Display;
use crate::sentinel;
use crate::settings::{Settings, Verbosity};

/// Run many commands: a grid of files and options, on all cores or on a Slurm cluster
///
/// Results are kept in a folder beside the file; starting again runs only what is missing.
///
/// Example: counterplay batch examples/batch/matches.toml --workers 2
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true, after_help = EXIT_CODES)]
pub(crate) struct BatchArguments {
    #[command(subcommand)]
    command: Option<BatchCommand>,

    #[command(flatten)]
    run: RunArguments,
}

const EXIT_CODES: &str = "\
Exit codes:
  0  every job has a result (or was handed to Slurm)
  2  bad usage or bad input, also of one of the jobs
  3  some jobs have no result yet";

#[derive(Debug, Subcommand)]
enum BatchCommand {
    /// How far a batch is, and what failed
    Status(FileArguments),
    /// All results in one table: CSV, or JSON with `--json`
    Table(TableArguments),
    /// One task of a job array, as Slurm runs it
    #[command(hide = true)]
    Task(TaskArguments),
}

#[derive(Debug, Args)]
struct RunArguments {
    /// The jobs in TOML
    #[arg(value_name = "FILE", required = true)]
    file: Option<PathBuf>,

    /// Keep results in this folder [default: that of the file, or its name with `.results`]
    #[arg(long, value_name = "FOLDER")]
    results: Option<PathBuf>,

    /// Jobs that run at once [default: as many as there are cores for them]
    #[arg(long, value_name = "N", conflicts_with = "slurm")]
    workers: Option<std::num::NonZero<usize>>,

    /// A folder for files that jobs need only while they run [default: that of the system]
    #[arg(long, value_name = "FOLDER")]
    scratch: Option<PathBuf>,

    /// Hand the jobs to Slurm as a job array
    #[arg(long)]
    slurm: bool,

    /// With `--slurm`: wait until the array has ended
    #[arg(long, requires = "slurm")]
    wait: bool,

    /// Only list the commands of jobs without a result
    #[arg(long, conflicts_with_all = ["slurm", "workers"])]
    dry_run: bool,
}

#[derive(Debug, Args)]
struct FileArguments {
    /// The jobs in TOML
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// The folder of the results, if it is another one than the file says
    #[arg(long, value_name = "FOLDER")]
    results: Option<PathBuf>,
}

#[derive(Debug, Args)]
struct TableArguments {
    #[command(flatten)]
    file: FileArguments,

    /// Leave out times, memory and hosts: what is left is the same in every run
    #[arg(long)]
    without_measured: bool,

    /// Write the table to this file
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Debug, Args)]
struct TaskArguments {
    #[command(flatten)]
    file: FileArguments,

    /// The names of the jobs, a line for each task
    #[arg(long)]
    list: PathBuf,

    /// Which task
    #[arg(long)]
    index: usize,

    #[arg(long)]
    scratch: PathBuf,
}

/// Does what was asked for.
pub(crate) fn run(arguments: &BatchArguments, settings: &Settings) -> Result<Exit, Failure> {
    match &arguments.command {
        Some(BatchCommand::Status(arguments)) => {
            let (batch, results) = open(&arguments.file, arguments.results.as_deref(), settings)?;
            let status = Status::of(&batch, &results)?;
            tell(&status, settings)?;
            Ok(if status.missing == 0 { Exit::Found } else { Exit::Limit })
        }
        Some(BatchCommand::Table(arguments)) => table(arguments, settings),
        Some(BatchCommand::Task(arguments)) => task(arguments, settings),
        None => start(&arguments.run, settings),
    }
}

/// Reads a batch and opens its results.
fn open(file: &Path, results: Option<&Path>, settings: &Settings) -> Result<(Batch, Results), Failure> {
    let (_, text) = match Reader::default().read_text(file, &settings.budget) {
        Ok(read) => read,
        Err(Halt::Failure(failure)) => return Err(failure),
        Err(Halt::Limit(limit)) => return Err(Failure::Usage { message: limit.to_string(), help: None }),
    };
    let batch = Batch::read(&text, file)?;
    let results = Results::create(results.unwrap_or(&batch.results))?;
    Ok((batch, results))
}

impl From<BatchError> for Failure {
    fn from(error: BatchError) -> Failure {
        let help = match &error {
            BatchError::Start { program, .. } if program == "sbatch" => {
                Some("`--slurm` needs Slurm on this machine; without it the jobs run here".to_owned())
            }
            BatchError::Busy { .. } => {
                Some("wait for it, or give another folder with `--results`".to_owned())
            }
            _ => None,
        };
        Failure::Usage { message: error.to_string(), help }
    }
}

fn start(arguments: &RunArguments, settings: &Settings) -> Result<Exit, Failure> {
    let file = arguments.file.as_deref().expect("clap asks for it");
    let (batch, results) = open(file, arguments.results.as_deref(), settings)?;
    let jobs = batch.open_jobs(&results)?;
    if arguments.dry_run {
        let lines = jobs.iter().map(|job| format!("{} {}\n", job.number + 1, job.command.join(" ")));
        output::answer(&lines.collect::<String>())?;
        return Ok(Exit::Found);
    }
    if arguments.slurm {
        return hand_over(file, &batch, &results, &jobs, arguments.wait, settings);
    }
    let _hold = results.hold(false)?;
    let runner = runner(arguments.scratch.clone().unwrap_or_else(env::temp_dir))?;
    let per_job = batch.limits.threads.unwrap_or(1) as usize;
    let cores = settings.threads_for_parallel_work();
    let workers = arguments.workers.map_or((cores / per_job).max(1), std::num::NonZero::get);
    let display = Display::new(settings);
    work(&batch, &jobs, &results, &runner, workers, &display, settings)?;
    let status = Status::of(&batch, &results)?;
    tell(&status, settings)?;
    Ok(exit(&status))
}

/// Runs jobs until all have ended or a limit is reached.
fn work(
    batch: &Batch,
    jobs: &[&Job],
    results: &Results,
    runner: &Runner,
    workers: usize,
    display: &Display,
    settings: &Settings,
) -> Result<(), Failure> {
    sentinel::cancel_on_interrupt(&settings.budget);
    let known = batch.jobs.len() - jobs.len();
    let report = |finished: &Finished<'_>| {
        let counts = [("done", (known + finished.count) as f64), ("of", batch.jobs.len() as f64)];
        display.report(Report { phase: "jobs", counts: &counts });
        display.look();
        if settings.verbosity == Verbosity::Verbose {
            let Finished { job, outcome, seconds, .. } = finished;
            remark(&format!("job {} {}: {} ({seconds:.1} s)", job.number + 1, job.id, outcome.name()));
        }
    };
    let is_cancelled = || is_over(&settings.budget);
    run_jobs(batch, jobs, results, runner, workers, &is_cancelled, &report)?;
    display.clear();
    Ok(())
}

/// Whether the time is up or the user wants to stop.
fn is_over(budget: &Budget) -> bool {
    budget.check().is_err()
}

fn runner(scratch: PathBuf) -> Result<Runner, Failure> {
    let program = env::current_exe()
        .map_err(|error| Failure::Read { name: "the path of this program".to_owned(), error })?;
    let host = env::var("SLURMD_NODENAME").ok();
    let host = host.or_else(|| Some(fs::read_to_string("/etc/hostname").ok()?.trim().to_owned()));
    Ok(Runner { program, version: env!("CARGO_PKG_VERSION").to_owned(), scratch, host })
}

fn tell(status: &Status, settings: &Settings) -> Result<(), Failure> {
    match settings.json {
        true => output::json(status),
        false => output::answer(&status.text()),
    }
}

fn exit(status: &Status) -> Exit {
    let failed = [Outcome::Bad, Outcome::Failed, Outcome::Overdue];
    match status.missing {
        0 if failed.iter().all(|outcome| !status.outcomes.contains_key(outcome.name())) => Exit::Found,
        0 => Exit::Bad,
        _ => Exit::Limit,
    }
}

/// Gives the jobs to Slurm.
fn hand_over(
    file: &Path,
    batch: &Batch,
    results: &Results,
    jobs: &[&Job],
    wait: bool,
    settings: &Settings,
) -> Result<Exit, Failure> {
    if let Some(tasks) = Queue::of(results).map(|queue| queue.tasks()).filter(|&tasks| tasks > 0) {
        let message = format!("Slurm still has {tasks} tasks of this batch");
        let help = "wait until they have ended, or end them with `scancel`".to_owned();
        return Err(Failure::Usage { message, help: Some(help) });
    }
    if !jobs.is_empty() {
        let program = runner(PathBuf::new())?.program;
        let array = Slurm { batch, file, results, program: &program }.submit(jobs)?;
        if settings.verbosity >= Verbosity::Normal {
            remark(&format!("Slurm has {} jobs in {} tasks of array {}", array.jobs, array.tasks, array.id));
        }
    }
    if wait {
        sentinel::cancel_on_interrupt(&settings.budget);
        while Queue::of(results).is_none_or(|queue| queue.tasks() > 0) && !jobs.is_empty() {
            if is_over(&settings.budget) {
                break;
            }
            thread::sleep(Duration::from_millis(500));
        }
    }
    let status = Status::of(batch, results)?;
    tell(&status, settings)?;
    Ok(if wait { exit(&status) } else { Exit::Found })
}

/// Runs the jobs of one task that have no result.
fn task(arguments: &TaskArguments, settings: &Settings) -> Result<Exit, Failure> {
    let (batch, results) = open(&arguments.file.file, arguments.file.results.as_deref(), settings)?;
    let _hold = results.hold(true)?;
    let mut jobs = Vec::new();
    for job in batch.jobs_of_task(&arguments.list, arguments.index)? {
        if !results.load(job)?.is_done() {
            jobs.push(job);
        }
    }
    let runner = runner(arguments.scratch.clone())?;
    work(&batch, &jobs, &results, &runner, 1, &Display::new(settings), settings)?;
    let left = jobs.iter().map(|job| results.load(job)).collect::<Result<Vec<_>, _>>()?;
    Ok(if left.iter().all(counterplay_batch::Stored::is_done) { Exit::Found } else { Exit::Limit })
}

fn table(arguments: &TableArguments, settings: &Settings) -> Result<Exit, Failure> {
    let (batch, results) = open(&arguments.file.file, arguments.file.results.as_deref(), settings)?;
    let table = Table::of(&batch, &results, !arguments.without_measured)?;
    let text = match settings.json {
        true => serde_json::to_string(&table).expect("tables have a JSON form") + "\n",
        false => table.csv(),
    };
    match &arguments.output {
        Some(path) => fs::write(path, text)
            .map_err(|error| Failure::Write { name: path.display().to_string(), error })?,
        None => output::answer(&text)?,
    }
    Ok(Exit::Found)
}
