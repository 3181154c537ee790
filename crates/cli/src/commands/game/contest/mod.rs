//! `counterplay game match`: a game manager.
//!
//! ```text
//! participant   who plays a role: built in, over the network, or a person
//! course        one match from START to STOP
//! record        what happened, as JSON and text
//! talk          a program in the place of a person
//! table         several matches: means with intervals
//! board         a position for people
//! ```

mod board;
mod course;
mod participant;
mod record;
mod table;
mod talk;

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use counterplay_gdl::Imperfect;
use counterplay_ggp::play::Kind;
use serde::Serialize;

pub(crate) use course::Clocks;
use course::{Course, Stage};
use participant::Participant;
pub(crate) use record::Record;
pub(crate) use table::estimate;
use table::{Row, rows};

use super::Sheet;
use super::serve::search_settings;
use super::station::Manner;
use crate::arguments::EXIT_CODES;
use crate::exit::Exit;
use crate::failure::{Failure, Halt};
use crate::limits;
use crate::output;
use crate::sentinel;
use crate::settings::{Settings, Verbosity};

/// Players that need no network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum BuiltIn {
    /// Any legal move
    Random,
    /// UCT on the rules, without grounding
    Rules,
    /// UCT on the rules, then on the network
    Uct,
    /// UCT, and the solver beside it
    Hybrid,
}

impl BuiltIn {
    /// How it thinks; `None` if it does not.
    pub(crate) fn kind(self) -> Option<Kind> {
        match self {
            BuiltIn::Random => None,
            BuiltIn::Rules => Some(Kind::Rules),
            BuiltIn::Uct => Some(Kind::Uct),
            BuiltIn::Hybrid => Some(Kind::Hybrid),
        }
    }
}

/// Run a match as game manager, between built-in players, players at URLs, and you
///
/// Example: counterplay game match ticTacToe.kif --players hybrid,random --start-clock 2s --play-clock 1s
#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct MatchArguments {
    /// The rules of the game in GDL; `-` is standard input
    #[arg(value_name = "GAME")]
    game: PathBuf,

    /// One for each role, in the order of the rules: random, rules, uct, hybrid, a URL such as
    /// http://localhost:9147, or `me` to play in the terminal
    #[arg(long, value_delimiter = ',', required = true, value_name = "LIST")]
    players: Vec<String>,

    /// Time to prepare; over the network in whole seconds
    #[arg(long, default_value = "10s", value_name = "TIME", value_parser = limits::duration)]
    start_clock: Duration,

    /// Time for a move; over the network in whole seconds
    #[arg(long, default_value = "5s", value_name = "TIME", value_parser = limits::duration)]
    play_clock: Duration,

    /// Play so many matches, with seeds that follow each other
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    repeat: u32,

    /// Let the players change roles from match to match
    #[arg(long)]
    rotate: bool,

    /// Show the position after each move
    #[arg(long)]
    follow: bool,

    /// Talk with a program in the place of `me`: a JSON object on a line when a move is wanted, and one at the end
    #[arg(long)]
    lines: bool,

    /// Also write the records of all matches into this file, one JSON object on a line
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
}

/// The longest clock.
pub(crate) const DAY: Duration = Duration::from_secs(86_400);

/// The documented shape of `game match --json` with `--repeat`.
#[derive(Serialize)]
struct Series<'a> {
    matches: &'a [Record],
    /// Mean rewards by role.
    rewards: Vec<f64>,
    table: Vec<Row>,
    /// Moves that were replaced.
    errors: usize,
}

/// Runs the matches and prints what happened.
pub(crate) fn run(arguments: &MatchArguments, settings: &Settings) -> Result<Exit, Failure> {
    sentinel::guarded(settings, |_| play(arguments, settings))
}

fn play(arguments: &MatchArguments, settings: &Settings) -> Result<Exit, Halt> {
    let sheet = Sheet::read(&arguments.game, settings)?;
    let roles: Vec<&str> = sheet.rules.roles.iter().map(|&role| sheet.rules.symbols.name(role)).collect();
    let players = seats(&arguments.players, &roles)?;
    refuse_imperfect(&sheet, &players)?;
    // Longer clocks than a day are as good as a day, and can be added to the time of day.
    let [start, play] = [arguments.start_clock, arguments.play_clock].map(|clock| clock.min(DAY));
    let clocks = Clocks { start, play };
    let threads = settings.threads.map_or(1, std::num::NonZero::get);
    let mut records = Vec::new();
    for number in 0..arguments.repeat {
        settings.budget.check()?;
        let shift = if arguments.rotate { number as usize % players.len() } else { 0 };
        let seated: Vec<Participant> =
            (0..players.len()).map(|role| players[(role + shift) % players.len()].clone()).collect();
        let seed = settings.seed.wrapping_add(u64::from(number));
        let manner = manner(settings, threads, seed);
        let is_shown = arguments.follow || players.contains(&Participant::Person);
        let speaks = !settings.json && !arguments.lines && settings.verbosity != Verbosity::Quiet;
        let mut stage = Stage {
            speaks: speaks && (arguments.repeat == 1 || is_shown),
            is_shown: is_shown && speaks,
            lines: arguments.lines,
        };
        let course = Course { sheet: &sheet, roles: &roles, players: &seated, clocks, manner, seed };
        let record = course.run(&settings.budget, &mut stage)?;
        records.push(record);
        if let Some(path) = &arguments.record {
            write_records(path, &records)?;
        }
        if !records.last().is_some_and(|record| record.completed) {
            break;
        }
    }
    if !arguments.lines {
        report(&records, &roles, settings)?;
    }
    Ok(Exit::Found)
}

/// How built-in players of a match play.
fn manner(settings: &Settings, threads: usize, seed: u64) -> Manner {
    let mut search = search_settings(settings, threads);
    search.seed = seed;
    Manner {
        name: "counterplay".to_owned(),
        kind: None,
        search,
        margin: Duration::from_millis(200),
        patience: Duration::from_secs(20),
        bytes: settings.budget.bytes().map(|bytes| bytes / 2),
    }
}

/// Plays a match of built-in players without a word.
pub(crate) fn between(
    sheet: &Sheet,
    players: &[BuiltIn],
    clocks: Clocks,
    threads: usize,
    seed: u64,
    settings: &Settings,
) -> Result<Record, Halt> {
    let roles: Vec<&str> = sheet.rules.roles.iter().map(|&role| sheet.rules.symbols.name(role)).collect();
    let players: Vec<Participant> = players.iter().map(|&own| Participant::BuiltIn(own)).collect();
    let manner = manner(settings, threads, seed);
    let course = Course { sheet, roles: &roles, players: &players, clocks, manner, seed };
    course.run(&settings.budget, &mut Stage { speaks: false, is_shown: false, lines: false })
}

/// Refuses what this manager or its players would get wrong: it shows all moves to everyone, whatever `sees` says, and a
/// search would take chance for an opponent.
fn refuse_imperfect(sheet: &Sheet, players: &[Participant]) -> Result<(), Failure> {
    let found = sheet.rules.imperfect_information();
    let hides = found.iter().any(|own| matches!(own, Imperfect::Percepts { .. }));
    let searches = |player: &Participant| matches!(player, Participant::BuiltIn(own) if own.kind().is_some());
    match hides || players.iter().any(searches) {
        true => sheet.refuse_imperfect("played by these players"),
        false => Ok(()),
    }
}

/// Who plays which role; a role called `random` is played by the manager if nobody is named for it.
fn seats(players: &[String], roles: &[&str]) -> Result<Vec<Participant>, Failure> {
    let named: Vec<Participant> =
        players.iter().map(|text| Participant::read(text)).collect::<Result<_, _>>()?;
    if named.len() == roles.len() {
        return Ok(named);
    }
    let mut rest = named.into_iter();
    let chance = Participant::BuiltIn(BuiltIn::Random);
    let seated: Option<Vec<Participant>> = roles
        .iter()
        .map(|role| if role.eq_ignore_ascii_case("random") { Some(chance.clone()) } else { rest.next() })
        .collect();
    match (seated, rest.next()) {
        (Some(seated), None) => Ok(seated),
        _ => Err(Failure::Usage {
            message: format!("the game has {} roles, but {} players are named", roles.len(), players.len()),
            help: Some(format!("the roles are {}", roles.join(", "))),
        }),
    }
}

fn write_records(path: &std::path::Path, records: &[Record]) -> Result<(), Failure> {
    let lines: Vec<String> = records
        .iter()
        .map(|record| serde_json::to_string(record).expect("records have a JSON form"))
        .collect();
    std::fs::write(path, lines.join("\n") + "\n")
        .map_err(|error| Failure::Write { name: path.display().to_string(), error })
}

fn report(records: &[Record], roles: &[&str], settings: &Settings) -> Result<(), Failure> {
    if let [record] = records {
        return match settings.json {
            true => output::json(record),
            false => output::answer(&record.ending()),
        };
    }
    let table = rows(records);
    if settings.json {
        let count = records.len() as f64;
        let mean =
            |role: usize| records.iter().map(|record| f64::from(record.rewards[role])).sum::<f64>() / count;
        return output::json(&Series {
            matches: records,
            rewards: (0..roles.len()).map(mean).collect(),
            errors: records.iter().map(Record::error_count).sum(),
            table,
        });
    }
    output::answer(&table::text(&table))
}
