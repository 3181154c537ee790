//! `counterplay go solve`: which move kills, or saves, and why?

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::{Args, ValueEnum};
use counterplay_base::{Evidence, Limit, Verdict};
use counterplay_go::sgf::{self, Record};
use counterplay_go::solve::{Class, Method, Options, Solution, Success, Tier, solve};
use counterplay_go::tree::Step;
use counterplay_go::{Grid, Problem, diagram, record, verify};
use serde::Serialize;
use serde_json::{Value, json};

use super::{SuicideRule, pictures};
use crate::arguments::EXIT_CODES;
use crate::clock::seconds;
use crate::exit::Exit;
use crate::failure::{Failure, Halt};
use crate::figures::grouped;
use crate::files::Reader;
use crate::output;
use crate::sentinel;
use crate::settings::{Settings, Verbosity};

/// Solve a life-and-death problem in an SGF file
///
/// The player to move is `PL`; a stone of the target is marked with `MA`. A target of the mover's own colour is to be saved, else
/// killed. Without a mark the target is inferred if only one group is shut in.
///
/// Example: counterplay go solve problem.sgf --tree answer.sgf
#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct SolveArguments {
    /// The problem; `-` is standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// How to search: `plan` is the planner alone, `dfpn` proof-number search without knowledge
    #[arg(long, value_name = "HOW", value_enum, default_value_t = How::Auto)]
    search: How,

    /// Which game of the file, from 1
    #[arg(long, value_name = "N", default_value_t = 1)]
    game: usize,

    /// Ask about the group of this stone, such as C4, instead of the marked one
    #[arg(long, value_name = "VERTEX")]
    target: Option<String>,

    /// Whether a move may take the mover's own stones off
    #[arg(long, value_name = "RULE", value_enum, default_value_t = SuicideRule::Forbidden)]
    suicide: SuicideRule,

    /// Plan without critics
    #[arg(long)]
    no_critics: bool,

    /// Do not have the proof replayed by the slow rules
    #[arg(long)]
    no_check: bool,

    /// Write the contingency tree as SGF
    #[arg(long, value_name = "FILE")]
    tree: Option<PathBuf>,

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

/// How to search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum How {
    /// Plans, then search, then sampling.
    Auto,
    /// The planner alone, for both sides.
    Plan,
    /// Proof-number search without knowledge.
    Dfpn,
}

/// The documented shape of an answer.
#[derive(Serialize)]
struct Json {
    verdict: &'static str,
    #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
    action: Option<String>,
    result: &'static str,
    status: &'static str,
    tier: &'static str,
    goal: String,
    target: String,
    inferred: bool,
    moves_tried: u64,
    cycles: u64,
    sampled: u64,
    line: Vec<String>,
    why: Vec<String>,
    region: usize,
    framed: usize,
    closed: bool,
    checked: Option<bool>,
    evidence: Evidence,
    eyes: Option<bool>,
    tree: usize,
    limit: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    svg: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    contingency: Option<Vec<Value>>,
    seconds: f64,
}

/// A move of the contingency tree with all that may follow.
fn contingency(grid: Grid, step: &Step) -> Value {
    let then: Vec<Value> = step.replies.iter().map(|reply| contingency(grid, reply)).collect();
    json!({
        "by": step.color.to_string(),
        "move": grid.move_name(step.action),
        "goal": step.why.join(": "),
        "wins": step.wins,
        "then": then,
    })
}

/// Solves the problem of a file.
pub(crate) fn run(arguments: &SolveArguments, settings: &Settings) -> Result<Exit, Failure> {
    sentinel::guarded(settings, |_| answer(arguments, settings))
}

fn read(arguments: &SolveArguments, settings: &Settings) -> Result<Record, Halt> {
    let name = arguments.file.display();
    let usage = |message: String, help: Option<String>| Halt::Failure(Failure::Usage { message, help });
    let bytes = Reader::default().read_bytes(&arguments.file, &settings.budget)?;
    let text = &sgf::decode(bytes).map_err(|error| usage(format!("{name}: {error}"), None))?;
    let game = arguments.game.checked_sub(1);
    let game = game.ok_or_else(|| usage("--game: games are numbered from 1".to_owned(), None))?;
    let Some(target) = &arguments.target else {
        return sgf::read_problem(text, game).map_err(|error| {
            let help = matches!(error, sgf::SgfError::NoTarget(_))
                .then(|| "name a stone of the group with --target".to_owned());
            usage(format!("{name}: {error}"), help)
        });
    };
    let games = sgf::read(text).map_err(|error| usage(format!("{name}: {error}"), None))?;
    let Some(root) = games.get(game) else {
        return Err(usage(format!("{name}: {}", sgf::SgfError::NoGame(games.len())), None));
    };
    let (board, turn) = sgf::position(root).map_err(|error| usage(format!("{name}: {error}"), None))?;
    let point = board.grid().parse(target);
    let problem = point.and_then(|point| Problem::about(board, turn, point));
    let problem = problem.ok_or_else(|| usage(format!("--target {target}: there is no stone"), None))?;
    Ok(Record { problem, inferred: false, solutions: Vec::new(), title: String::new() })
}

fn answer(arguments: &SolveArguments, settings: &Settings) -> Result<Exit, Halt> {
    let started = Instant::now();
    let mut record = read(arguments, settings)?;
    record.problem.board = record.problem.board.under(arguments.suicide.rule());
    let problem = &record.problem;
    let method = match arguments.search {
        How::Auto => Method::Auto,
        How::Plan => Method::Plan,
        How::Dfpn => Method::Dfpn,
    };
    let options = Options {
        method,
        critics: !arguments.no_critics,
        seed: settings.seed.wrapping_add(1),
        ..Options::default()
    };
    let solution = solve(problem, &options, &settings.budget);
    if let Some(limit @ Limit::Cancelled) = solution.verdict.limit() {
        return Err(limit.into());
    }
    let checked = if arguments.no_check { None } else { check(problem, &solution, settings)? };
    let evidence = solution.evidence(checked == Some(true));
    let words = text(&record, &solution, &evidence);
    write(arguments.tree.as_deref(), || record::to_sgf(problem, &solution, &words))?;
    let title = if record.title.is_empty() { "Go" } else { record.title.as_str() };
    write(arguments.svg.as_deref(), || pictures::board(problem, &solution, title))?;
    write(arguments.tree_svg.as_deref(), || pictures::contingency(problem, &solution, title))?;
    let (verdict, exit) = verdict(&solution);
    if settings.json {
        let grid = problem.board.grid();
        output::json(&Json {
            verdict,
            action: solution.action().map(|action| grid.move_name(action)),
            result: solution.class().map_or("none", Class::word),
            status: status(problem, &solution),
            tier: solution.tier.word(),
            goal: problem.goal.to_string(),
            target: grid.name(problem.target),
            inferred: record.inferred,
            moves_tried: solution.statistics.moves_tried,
            cycles: solution.statistics.cycles,
            sampled: solution.statistics.playouts,
            line: solution.line.iter().map(|&action| grid.move_name(action)).collect(),
            why: solution.why.clone(),
            region: solution.region.points.len(),
            framed: solution.region.framed.len(),
            closed: solution.region.closed,
            checked,
            evidence,
            eyes: solution.eyes(),
            tree: solution.tree.iter().map(|step| step.len()).sum(),
            limit: solution.verdict.limit().filter(|_| solution.tier == Tier::Guess).map(Limit::name),
            svg: arguments.whole.then(|| pictures::board(problem, &solution, title)),
            contingency: arguments
                .whole
                .then(|| solution.tree.iter().map(|step| contingency(grid, step)).collect()),
            seconds: seconds(started.elapsed()),
        })?;
    } else {
        output::answer(&words)?;
        if record.inferred && settings.verbosity > Verbosity::Quiet {
            let name = problem.board.grid().name(problem.target);
            output::remark(&format!("no stone is marked; the group at {name} is the only one shut in"));
        }
    }
    Ok(exit)
}

fn verdict(solution: &Solution) -> (&'static str, Exit) {
    let exit = match &solution.verdict {
        Verdict::Solved(_) => Exit::Found,
        Verdict::Unsolvable => Exit::None,
        Verdict::Stopped(_) => Exit::Limit,
    };
    (solution.verdict.word(), exit)
}

/// What becomes of the target with best play, the player to move first.
fn status(problem: &Problem, solution: &Solution) -> &'static str {
    match (solution.class(), problem.goal.is_defence()) {
        (Some(Class::Ko), _) => "ko",
        (Some(Class::Seki), _) => "seki",
        (Some(Class::Clean), true) | (None, false) => "alive",
        (Some(Class::Clean), false) | (None, true) => "dead",
    }
}

/// A proof that the slow rules do not accept is a bug, never an answer.
fn check(problem: &Problem, solution: &Solution, settings: &Settings) -> Result<Option<bool>, Halt> {
    match verify::verify(problem, solution, &settings.budget) {
        Ok(checked) => Ok(checked.then_some(true)),
        Err(verify::Flaw::Limit(limit)) => Err(limit.into()),
        Err(flaw) => {
            let message = format!("the slow rules do not accept the proof: {flaw}");
            Err(Failure::Bug { message }.into())
        }
    }
}

fn write(file: Option<&Path>, text: impl FnOnce() -> String) -> Result<(), Halt> {
    let Some(file) = file else { return Ok(()) };
    let name = file.display().to_string();
    fs::write(file, text()).map_err(|error| Halt::Failure(Failure::Write { name, error }))
}

/// The answer for people.
fn text(record: &Record, solution: &Solution, evidence: &Evidence) -> String {
    let problem = &record.problem;
    let grid = problem.board.grid();
    let name = grid.name(problem.target);
    let mut text = format!("{} to move: {} the group at {name}\n\n", problem.to_move, problem.goal);
    let mut marks = vec![(problem.target, '@')];
    let numbers = solution.line.iter().enumerate().filter_map(|(i, action)| match action {
        counterplay_go::Move::Play(point) if i < 9 && problem.board.is_empty(*point) => {
            Some((*point, char::from(b'1' + i as u8)))
        }
        _ => None,
    });
    marks.extend(numbers);
    text += &diagram::diagram(&problem.board, &marks);
    text.push('\n');
    match solution.success() {
        Some(Success { action, class }) => {
            let result = match class {
                Class::Clean => "",
                Class::Ko => ", by winning a ko",
                Class::Seki => ", in seki",
            };
            let _ = writeln!(text, "{}{result} ({})", grid.move_name(action), evidence.sentence());
        }
        None if solution.is_proof() => {
            let _ = writeln!(text, "there is no way ({})", evidence.sentence());
        }
        None if solution.tier == Tier::Region => {
            let _ = writeln!(text, "no move was found ({})", evidence.sentence());
        }
        None => text.push_str("no answer was found\n"),
    }
    if solution.line.len() > 1 {
        let line: Vec<String> = solution.line.iter().map(|&action| grid.move_name(action)).collect();
        let _ = writeln!(text, "line: {}", line.join(" "));
    }
    for reason in &solution.why {
        let _ = writeln!(text, "  {reason}");
    }
    let _ = writeln!(
        text,
        "{} moves tried, {} planning cycles, {} continuations sampled",
        grouped(solution.statistics.moves_tried),
        grouped(solution.statistics.cycles),
        grouped(solution.statistics.playouts)
    );
    text
}
