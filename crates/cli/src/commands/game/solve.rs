//! `counterplay game solve`: the value of every reachable position.

use std::path::{Path, PathBuf};
use std::{fmt, fs};

use clap::Args;
use counterplay::game::{self, Archive, ArchiveFolder, Concept, Engine, GameVerdict, Order, SolveRequest};

use super::read;
use super::workers::WorkerArguments;
use crate::arguments::EXIT_CODES;
use crate::clock::seconds;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::files::remove_earlier;
use crate::output::{self, remark};
use crate::sentinel;
use crate::settings::Settings;
use counterplay_system::memory;

/// Solve a game: the value of every reachable position
///
/// Example: counterplay game solve ticTacToe.kif --json
#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct SolveArguments {
    /// The rules of the game in GDL; `-` is standard input
    #[arg(value_name = "GAME")]
    game: PathBuf,

    /// What players want: the greatest reward, or the greatest difference to the others
    #[arg(long, value_enum, default_value_t)]
    order: Order,

    /// What the value is, if roles choose at once: the value of roles with opposite wishes, what each role can make sure of
    /// by lots (maximin), or one Nash equilibrium
    #[arg(long, value_enum, default_value_t = Concept::Value)]
    solution: Concept,

    /// How to solve: state by state, in layers that a clock keeps apart, by sets of states, or the first of these that can; only
    /// one position: as a planning problem (games of one role), or by proof-number search
    #[arg(long = "search", alias = "engine", value_name = "SEARCH", value_enum, default_value_t)]
    engine: Engine,

    /// States up to which `auto` solves a game state by state
    #[arg(long, default_value_t = 1_000_000, value_name = "N")]
    explicit_states: usize,

    /// States up to which `auto` solves a game with a clock in layers
    #[arg(long, default_value_t = 250_000_000, value_name = "N")]
    layered_states: u64,

    /// Keep layers and values in this folder, and go on from what it has (solves by sets, or with `--search layered` in layers on disk)
    #[arg(long, value_name = "FOLDER")]
    store: Option<PathBuf>,

    /// Tell the value and the best moves of the position after these moves, such as "(drop 1) (drop 2)"
    #[arg(long, value_name = "MOVES")]
    from: Option<String>,

    /// Write strategies that prove the value of the position after `--from` to this file, for `counterplay check GAME FILE`
    #[arg(long, value_name = "FILE")]
    strategy: Option<PathBuf>,

    /// If roles choose at once or play can go on for ever, tell what each role can be sure of and what it can be held to
    #[arg(long)]
    bounds: bool,

    /// Positions whose values are compared with the plain reading of the rules
    #[arg(long, value_name = "N", default_value_t = CheckChoice::Positions(100), value_parser = check_choice)]
    check: CheckChoice,

    /// Do not check values
    #[arg(long)]
    no_check: bool,

    #[command(flatten)]
    workers: WorkerArguments,
}

/// How many positions are checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CheckChoice {
    All,
    Positions(usize),
}

impl fmt::Display for CheckChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CheckChoice::All => f.write_str("all"),
            CheckChoice::Positions(count) => write!(f, "{count}"),
        }
    }
}

fn check_choice(text: &str) -> Result<CheckChoice, String> {
    match text {
        "all" => Ok(CheckChoice::All),
        _ => text.parse().map(CheckChoice::Positions).map_err(|_| "give a number or `all`".to_owned()),
    }
}

impl SolveArguments {
    fn request(&self, seed: u64) -> SolveRequest {
        SolveRequest {
            order: self.order,
            solution: self.solution,
            engine: self.engine,
            explicit_states: self.explicit_states,
            layered_states: self.layered_states,
            from: self.from.clone(),
            playbook: self.strategy.is_some(),
            bounds: self.bounds,
            check: !self.no_check,
            check_positions: match self.check {
                CheckChoice::All => None,
                CheckChoice::Positions(count) => Some(count),
            },
            seed,
        }
    }
}

/// Writes the strategies, or says why there are none; a file of an earlier run must not be taken for theirs.
fn write_strategy(path: &Path, playbook: Option<&Result<String, String>>) -> Result<(), Failure> {
    match playbook {
        Some(Ok(text)) => {
            let failed = |error| Failure::Write { name: path.display().to_string(), error };
            return fs::write(path, text).map_err(failed);
        }
        Some(Err(why)) => remark(&format!("no strategy: {why}")),
        None => remark("no strategy: only games in turns without chance and hidden moves have one"),
    }
    remove_earlier(path)
}

/// Solves a game and prints its value.
pub(crate) fn run(arguments: &SolveArguments, settings: &Settings) -> Result<Exit, Failure> {
    sentinel::guarded(settings, |display| {
        let rules = read(&arguments.game, settings)?;
        let request = arguments.request(settings.seed);
        let is_stored = request.engine == Engine::Layered && arguments.store.is_some();
        let mut answer = match arguments.workers.is_given() || is_stored {
            true => {
                let (plan, scratch) = arguments.workers.plan(arguments.store.as_deref(), settings)?;
                let answer = game::solve_on_disk(&rules, &request, &plan, &settings.budget, &**display);
                drop(scratch);
                answer?
            }
            false => {
                let mut folder = match &arguments.store {
                    Some(path) => {
                        request.refuse_archive()?;
                        let failed = |error| Failure::Write { name: path.display().to_string(), error };
                        Some(ArchiveFolder::open(path).map_err(failed)?)
                    }
                    None => None,
                };
                let archive = folder.as_mut().map(|folder| folder as &mut dyn Archive);
                game::solve(&rules, &request, archive, &settings.budget, &**display)?
            }
        };
        answer.seconds = seconds(settings.started.elapsed());
        answer.peak_memory = memory::peak();
        display.clear();
        if let Some(path) = &arguments.strategy {
            write_strategy(path, answer.playbook.as_ref())?;
        }
        match settings.json {
            true => output::json(&answer)?,
            false => output::answer(&answer.text())?,
        }
        Ok(match answer.verdict {
            GameVerdict::Solved => Exit::Found,
            GameVerdict::Unsolvable => Exit::None,
            GameVerdict::Stopped => Exit::Limit,
        })
    })
}
