//! `counterplay go solve`: which move kills, or saves, and why?

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use counterplay::go::{Answer, Method, Problem, Request, SgfError, Suicide, decode};
use counterplay::{Limit, Progress, Verdict};

use crate::arguments::EXIT_CODES;
use crate::exit::Exit;
use crate::failure::{Failure, Halt};
use crate::files::{Reader, remove_earlier};
use crate::output;
use crate::sentinel;
use crate::settings::{Settings, Verbosity};

/// Solve a life-and-death problem in an SGF file
///
/// The player to move is `PL`; a stone of the target is marked with `MA`. A target of the mover's own colour is to be saved, else
/// killed. Without a mark the target is the group whose fate depends most on who moves first.
///
/// Example: counterplay go solve problem.sgf --tree answer.sgf
#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct SolveArguments {
    /// The problem; `-` is standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// How to search: `plan` is the planner alone, `dfpn` proof-number search without knowledge
    #[arg(long, value_name = "HOW", value_enum, default_value_t)]
    search: Method,

    /// Which game of the file, from 1
    #[arg(long, value_name = "N", default_value_t = 1)]
    game: usize,

    /// Ask about the group of this stone, such as C4, instead of the marked one
    #[arg(long, value_name = "VERTEX")]
    target: Option<String>,

    /// Rate every first move in the region, the best first
    #[arg(long)]
    moves: bool,

    /// Try this first move, such as C4, and tell what refutes it
    #[arg(long = "try", value_name = "VERTEX")]
    attempt: Option<String>,

    /// Whether a move may take the mover's own stones off
    #[arg(long, value_name = "RULE", value_enum, default_value_t)]
    suicide: Suicide,

    /// Plan without critics
    #[arg(long)]
    no_critics: bool,

    /// Do not have the proof replayed by the slow rules
    #[arg(long)]
    no_check: bool,

    /// Write the contingency tree as SGF
    #[arg(long, value_name = "FILE")]
    tree: Option<PathBuf>,

    /// Write the proof as SGF, a game for each claim, for `counterplay check FILE`
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,

    /// Write the board with the answer as SVG
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

    /// Write the contingency tree as SVG
    #[arg(long, value_name = "FILE")]
    tree_svg: Option<PathBuf>,

    /// With --json: add the board as SVG and the contingency tree with the goal of each move
    #[arg(long)]
    whole: bool,
}

impl SolveArguments {
    fn request(&self, settings: &Settings) -> Request {
        Request {
            search: self.search,
            suicide: self.suicide,
            critics: !self.no_critics,
            check: !self.no_check,
            whole: self.whole && settings.json,
            seed: settings.seed,
        }
    }
}

/// Solves the problem of a file.
pub(crate) fn run(arguments: &SolveArguments, settings: &Settings) -> Result<Exit, Failure> {
    sentinel::guarded(settings, |display| solve(arguments, settings, &**display))
}

fn solve(arguments: &SolveArguments, settings: &Settings, progress: &dyn Progress) -> Result<Exit, Halt> {
    let problem = read(arguments, settings)?;
    let request = arguments.request(settings);
    let mut answer = counterplay::go::solve(&problem, &request, &settings.budget, progress)?;
    if arguments.moves {
        answer.rate_moves(&request, &settings.budget);
    }
    if let Some(vertex) = &arguments.attempt {
        answer.try_move(vertex, &request, &settings.budget)?;
    }
    if let Verdict::Stopped(limit @ Limit::Cancelled) = answer.verdict {
        return Err(limit.into());
    }
    write(arguments.tree.as_deref(), || answer.sgf())?;
    if let Some(path) = arguments.certificate.as_deref() {
        match answer.certificate() {
            Ok(text) => write(Some(path), || text)?,
            Err(why) => {
                output::remark(&format!("no certificate: {why}"));
                remove_earlier(path)?;
            }
        }
    }
    write(arguments.svg.as_deref(), || answer.board_svg())?;
    write(arguments.tree_svg.as_deref(), || answer.tree_svg())?;
    show(&answer, settings)?;
    Ok(match answer.verdict {
        Verdict::Solved(()) => Exit::Found,
        Verdict::Unsolvable => Exit::None,
        Verdict::Stopped(_) => Exit::Limit,
    })
}

fn read(arguments: &SolveArguments, settings: &Settings) -> Result<Problem, Halt> {
    let bytes = Reader::default().read_bytes(&arguments.file, &settings.budget)?;
    let refuse = |error: SgfError| {
        let help = match error {
            SgfError::NoTarget(_) => Some("name a stone of the group with --target".to_owned()),
            _ => None,
        };
        let message = match error {
            SgfError::NoStoneAt(vertex) => format!("--target {vertex}: there is no stone"),
            error => format!("{}: {error}", arguments.file.display()),
        };
        Failure::Usage { message, help }
    };
    let text = decode(bytes).map_err(refuse)?;
    let game = arguments.game.checked_sub(1).ok_or_else(|| Failure::Usage {
        message: "--game: games are numbered from 1".to_owned(),
        help: None,
    })?;
    Ok(Problem::of_game(&text, game, arguments.target.as_deref()).map_err(refuse)?)
}

fn write(file: Option<&Path>, text: impl FnOnce() -> String) -> Result<(), Failure> {
    let Some(file) = file else { return Ok(()) };
    let name = file.display().to_string();
    fs::write(file, text()).map_err(|error| Failure::Write { name, error })
}

fn show(answer: &Answer, settings: &Settings) -> Result<(), Failure> {
    if settings.json {
        return output::json(answer);
    }
    output::answer(&answer.text())?;
    if answer.inferred && settings.verbosity > Verbosity::Quiet {
        let name = &answer.target;
        let others: Vec<&str> =
            answer.candidates.iter().map(String::as_str).filter(|other| other != name).take(3).collect();
        let also = match others[..] {
            [] => String::new(),
            _ => format!(" (it may be {} as well: --target)", others.join(" or ")),
        };
        output::remark(&format!(
            "no stone is marked; the problem is taken to be about the group at {name}{also}"
        ));
    }
    Ok(())
}
