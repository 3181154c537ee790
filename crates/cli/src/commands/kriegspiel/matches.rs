//! `counterplay kriegspiel match`: many games between two players or programs.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use clap::Args;
use counterplay::kriegspiel::{Contestants, MatchAnswer, MatchRequest, SeatSetup, play_match_telling};
use counterplay_base::Limit;

use super::program::Program;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::limits;
use crate::output;
use crate::pipes::{ProgramLimits, definition};
use crate::progress::Display;
use crate::sentinel;
use crate::settings::Settings;

/// How programs are spoken to, for `--help`.
const PROTOCOL: &str = "\
Programs: the command is started for each game and gets a line for each announcement: `game white|black RULES MOVES FEN` first,
`go` when a try is wanted, `illegal TRY` and `nonsense TRY` for tries that were refused, `moved TRY …` for an accepted one, `other
N …` when the other side has moved after N rejected tries, `over win|loss|draw WHY` at the end. After `moved` and `other` stands what
was announced: `capture SQUARE`, `pawn` or `piece`, `promotion`, `check DIRECTION,…`, `tries …`, `end …`, or `nothing`. It
answers each `go` with a line: a try such as e2e4 or b7b8q, or `resign`. A program that ends, takes too long, answers anything else
or tries nonsense more than 100 times loses the game and is reported; after three such games the match ends with exit code 2.
`counterplay kriegspiel seat PLAYER` is such a program.";

/// Play a match between two players or programs: Elo difference with its 95 % interval
///
/// The players are expert, careful, rash, greedy, random, and evader, who sees the board and delays the mate of a lone king as long as he can.
///
/// Example: counterplay kriegspiel match expert careful --games 20 --seed 1
#[derive(Debug, Args)]
#[command(after_help = PROTOCOL)]
pub(crate) struct MatchArguments {
    #[command(flatten)]
    request: MatchRequest,

    /// Let a program play under a name (see below)
    #[arg(long = "program", value_name = "NAME=COMMAND", value_parser = definition, help_heading = "Your own players")]
    programs: Vec<(String, String)>,

    /// How long a program may take for a try
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = limits::duration, help_heading = "Your own players")]
    program_timeout: Duration,

    /// How long a program may take for its first try in a game
    #[arg(long, value_name = "TIME", default_value = "20s", value_parser = limits::duration, help_heading = "Your own players")]
    program_start: Duration,
}

/// Plays the match.
pub(crate) fn run(arguments: &MatchArguments, settings: &Settings) -> Result<Exit, Failure> {
    let request =
        MatchRequest { seed: settings.seed, threads: settings.threads, ..arguments.request.clone() };
    let limits = ProgramLimits { start: arguments.program_start, answer: arguments.program_timeout };
    let mut contestants = Contestants::default();
    for (name, command) in &arguments.programs {
        contestants =
            contestants.with(name, move |setup: &SeatSetup| Program::contestant(command, limits, setup));
    }
    // The guard of the limits prints the standing, so that no finished game is lost.
    let standing: Arc<Mutex<Option<MatchAnswer>>> = Arc::default();
    let (known, own) = (Arc::clone(&standing), settings.clone());
    let display = Arc::new(Display::new(settings));
    let floor = sentinel::watch(&settings.budget, Arc::clone(&display), move |limit: Limit| {
        let answer = known.lock().unwrap_or_else(std::sync::PoisonError::into_inner).take();
        match answer {
            // The process is about to end; a report that cannot be written has no reader.
            Some(answer) => drop(report(&answer.stopped(limit), &own)),
            None => output::stopped(limit, &own),
        }
    });
    let played = play_match_telling(&contestants, &request, &settings.budget, &*display, &|answer| {
        *standing.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = Some(answer);
    });
    floor.take_or_wait();
    display.clear();
    let answer = played?;
    report(&answer, settings)?;
    Ok(match (&answer.verdict, answer.faults.is_empty()) {
        (_, false) => Exit::Bad,
        (Some(_), true) => Exit::Limit,
        (None, true) => Exit::Found,
    })
}

fn report(answer: &MatchAnswer, settings: &Settings) -> Result<(), Failure> {
    if settings.json {
        output::json(answer)?;
    } else {
        output::answer(&answer.text())?;
    }
    for fault in &answer.faults {
        output::remark(&format!("error: {} lost game {}: {}", fault.player, fault.game, fault.why));
    }
    if let Some(limit) = answer.limit {
        output::remark(&format!("stopped: limit of {limit} reached"));
    }
    Ok(())
}
