//! `counterplay game match`: a game manager.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use counterplay_gamehost::PlayerOptions;
use counterplay_gamehost::manager::{
    Clocks, Console, Match, MatchError, MatchRecord, MatchSeries, Participant, SeatError,
    need_perfect_information, seat_players,
};
use counterplay_ggp::play::possible_fluents;

use super::console::{JsonLines, Terminal};
use super::read;
use crate::arguments::EXIT_CODES;
use crate::exit::Exit;
use crate::failure::{Failure, Halt};
use crate::limits;
use crate::output;
use crate::sentinel;
use crate::settings::{Settings, Verbosity};
use counterplay_system::memory;

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
    /// http://localhost:9147, or `you` to play in the terminal
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

    /// Talk with a program in your place: a JSON object on a line when a move is wanted, and one at the end
    #[arg(long)]
    lines: bool,

    /// Also write the records of all matches into this file, one JSON object on a line
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
}

/// The longest clock.
pub(crate) const DAY: Duration = Duration::from_secs(86_400);

/// Runs the matches and prints what happened.
pub(crate) fn run(arguments: &MatchArguments, settings: &Settings) -> Result<Exit, Failure> {
    // A spinner would be drawn over the question that a person is asked.
    let asks =
        arguments.players.iter().any(|text| matches!(Participant::read(text), Ok(Participant::Person)));
    let settings = Settings { progress: settings.progress && !asks, ..settings.clone() };
    sentinel::guarded(&settings, |_| play(arguments, &settings))
}

/// Finding the size of a board may take so long; else it grows with what is on it.
const BOARD_TIME: Duration = Duration::from_secs(2);

fn play(arguments: &MatchArguments, settings: &Settings) -> Result<Exit, Halt> {
    let rules = read(&arguments.game, settings)?;
    let players = seat_players(&arguments.players, &rules.roles()).map_err(unseated)?;
    if need_perfect_information(&rules.rules, &players) {
        rules.refuse_imperfect("played by these players")?;
    }
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
        let is_shown = arguments.follow || players.contains(&Participant::Person);
        let speaks = !settings.json && settings.verbosity != Verbosity::Quiet;
        let terminal = Terminal {
            shows_moves: speaks && (arguments.repeat == 1 || is_shown),
            shows_positions: is_shown && speaks,
            fluents: match is_shown && speaks {
                true => possible_fluents(&rules.rules, &settings.budget.slice(BOARD_TIME)),
                false => Vec::new(),
            },
        };
        let console: &dyn Console = if arguments.lines { &JsonLines } else { &terminal };
        let options = PlayerOptions::within(&settings.budget, memory::resident, threads, seed);
        let game = Match { rules: &rules.rules, text: rules.text(), players: &seated, clocks, options, seed };
        let record = game.run(&settings.budget, console).map_err(halted)?;
        records.push(record);
        if let Some(path) = &arguments.record {
            write_records(path, &records)?;
        }
        if !records.last().is_some_and(|record| record.completed) {
            break;
        }
    }
    if !arguments.lines {
        report(records, settings)?;
    }
    Ok(Exit::Found)
}

fn unseated(error: SeatError) -> Failure {
    Failure::Usage { message: error.to_string(), help: Some(error.help()) }
}

fn halted(error: MatchError) -> Halt {
    match error {
        MatchError::Stopped(limit) => Halt::Limit(limit),
        MatchError::Rules(trouble) => Failure::Usage { message: trouble.to_string(), help: None }.into(),
        MatchError::Console(error) => Failure::Write { name: "standard output".to_owned(), error }.into(),
    }
}

fn write_records(path: &std::path::Path, records: &[MatchRecord]) -> Result<(), Failure> {
    let lines: Vec<String> = records
        .iter()
        .map(|record| serde_json::to_string(record).expect("records have a JSON form"))
        .collect();
    std::fs::write(path, lines.join("\n") + "\n")
        .map_err(|error| Failure::Write { name: path.display().to_string(), error })
}

fn report(mut records: Vec<MatchRecord>, settings: &Settings) -> Result<(), Failure> {
    if records.len() == 1 {
        let record = records.remove(0);
        return match settings.json {
            true => output::json(&record),
            false => output::answer(&record.ending()),
        };
    }
    let series = MatchSeries::new(records);
    match settings.json {
        true => output::json(&series),
        false => output::answer(&series.text()),
    }
}
