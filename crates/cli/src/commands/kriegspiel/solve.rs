//! `counterplay kriegspiel solve`: is there a plan that mates whatever is hidden?

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use counterplay::kriegspiel::{Algorithm, Line, Problem, Request, is_depth};
use counterplay::{Error, Limit, Progress, Verdict};

use crate::arguments::EXIT_CODES;
use crate::commands::kriegspiel::lines::Lines;
use crate::exit::Exit;
use crate::failure::{Failure, Halt};
use crate::files::remove_earlier;
use crate::limits;
use crate::output;
use crate::sentinel;
use crate::settings::Settings;

/// Decide for each belief state of a file whether a checkmate can be forced, and prove it
///
/// Each line is a JSON object with `id`, `belief` (a list of FENs) and `depth` (an odd number of moves of both sides). With
/// `--interleave`, `root_fen` and `history` are read instead of `belief`, and estimation and search run together.
///
/// Example: counterplay kriegspiel solve problems.jsonl --json
#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct SolveArguments {
    /// The problems, a JSON object on each line; `-` is standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// How to search
    #[arg(long = "search", alias = "algorithm", value_name = "NAME", value_enum, default_value_t)]
    algorithm: Algorithm,

    /// Ask for a mate within so many moves of both sides [default: what each line says]
    #[arg(long, value_name = "N")]
    depth: Option<usize>,

    /// Count known material wins (queen, rook, pawn, two bishops or bishop and knight guarded by the king) as wins
    #[arg(long)]
    material_wins: bool,

    /// Search while the belief state is still estimated from `root_fen` and `history`
    #[arg(long)]
    interleave: bool,

    /// Stop each problem after so much time [default: none]
    #[arg(long = "time-each", alias = "each", value_name = "TIME", value_parser = limits::duration)]
    each: Option<Duration>,

    /// Give the whole proof tree, and for lost problems the states that refute them
    #[arg(long)]
    proof: bool,

    /// Write a proof of each answer to this folder, `1.txt` for the first line, for `counterplay check FILE`
    #[arg(long, value_name = "DIR")]
    certificate: Option<PathBuf>,

    /// How many questions the slow referee may ask to confirm that there is no mate; without this option a second algorithm
    /// confirms it if that is quick
    #[arg(long, value_name = "N", conflicts_with = "no_check")]
    confirm: Option<u64>,

    /// Do not have the referee check the proofs, nor confirm that there is none
    #[arg(long)]
    no_check: bool,
}

impl SolveArguments {
    fn request(&self) -> Request {
        Request {
            algorithm: self.algorithm,
            material_wins: self.material_wins,
            proof: self.proof,
            certificate: self.certificate.is_some(),
            confirm: self.confirm,
            check: !self.no_check,
            search_seconds: self.each.map(|each| each.as_secs_f64()),
        }
    }
}

/// How the answers of a file went, for the exit code.
#[derive(Default)]
struct Tally {
    solved: usize,
    unsolvable: usize,
    stopped: usize,
}

/// Solves the problems of a file.
pub(crate) fn run(arguments: &SolveArguments, settings: &Settings) -> Result<Exit, Failure> {
    sentinel::guarded(settings, |display| solve_all(arguments, settings, &**display))
}

fn solve_all(arguments: &SolveArguments, settings: &Settings, progress: &dyn Progress) -> Result<Exit, Halt> {
    if let Some(depth) = arguments.depth {
        check_depth(depth)?;
    }
    let request = arguments.request();
    let mut lines = Lines::read(&arguments.file, settings)?;
    let mut tally = Tally::default();
    for (index, place) in lines.places().into_iter().enumerate() {
        let Some(line) = lines.parse::<Line>(place, settings) else { continue };
        match line.problem(index, arguments.depth, arguments.interleave) {
            Ok(problem) => match solve(
                &problem,
                &request,
                (arguments.certificate.as_deref(), index + 1),
                settings,
                progress,
            )? {
                Ok(Verdict::Solved(())) => tally.solved += 1,
                Ok(Verdict::Unsolvable) => tally.unsolvable += 1,
                Ok(Verdict::Stopped(_)) => tally.stopped += 1,
                Err(message) => lines.tell(place, "kriegspiel::history", &message, settings),
            },
            Err(error) => lines.tell(place, "kriegspiel::problem", &error.to_string(), settings),
        }
    }
    Ok(match tally {
        _ if lines.bad => Exit::Bad,
        Tally { stopped: 1.., .. } => Exit::Limit,
        Tally { solved: 0, unsolvable: 1.., .. } => Exit::None,
        _ => Exit::Found,
    })
}

/// A number of plies that `--depth` may ask for.
pub(crate) fn check_depth(depth: usize) -> Result<(), Failure> {
    if is_depth(depth) {
        return Ok(());
    }
    let message =
        format!("--depth {depth}: it is an odd number from 1 to 199, since the last move is the solver's");
    Err(Failure::Usage { message, help: None })
}

/// Solves one problem and prints the answer; a message if its history makes no sense.
fn solve(
    problem: &Problem,
    request: &Request,
    (folder, number): (Option<&Path>, usize),
    settings: &Settings,
    progress: &dyn Progress,
) -> Result<Result<Verdict<()>, String>, Halt> {
    let answer = match counterplay::kriegspiel::solve(problem, request, &settings.budget, progress) {
        Ok(answer) => answer,
        Err(Error::Request { message, help }) => {
            return Ok(Err(help.map_or(message.clone(), |help| format!("{message}; {help}"))));
        }
        Err(error) => return Err(error.into()),
    };
    if let Verdict::Stopped(limit @ Limit::Cancelled) = answer.verdict {
        return Err(limit.into());
    }
    if let (Some(folder), Some(certificate)) = (folder, &answer.certificate) {
        write_certificate(&folder.join(format!("{number}.txt")), certificate.as_ref())?;
    }
    if settings.json {
        output::json(&answer)?;
    } else {
        output::answer(&answer.text())?;
    }
    Ok(Ok(answer.verdict))
}

/// Writes a proof, or says why there is none; a file of an earlier run must not be taken for it.
fn write_certificate(path: &Path, certificate: Result<&String, &String>) -> Result<(), Failure> {
    let failed = |error| Failure::Write { name: path.display().to_string(), error };
    match certificate {
        Ok(text) => {
            path.parent().map_or(Ok(()), fs::create_dir_all).map_err(failed)?;
            fs::write(path, text).map_err(failed)
        }
        Err(why) => {
            output::remark(&format!("no certificate: {why}"));
            remove_earlier(path)
        }
    }
}
