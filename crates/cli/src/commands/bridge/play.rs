//! `counterplay bridge play`: deals played out card by card, by programs or by you.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use clap::Args;
use counterplay::bridge::{
    Board, BoardSession, CardPlayed, Hands, PlayRequest, ReadyBoard, SessionEnd, SessionState, Table,
    file_to_lin, file_to_pbn,
};

use super::boards::BoardArguments;
use super::person;
use crate::arguments::EXIT_CODES;
use crate::clock;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output;
use crate::progress::Display;
use crate::sentinel;
use crate::settings::Settings;

/// Play boards to the end and show every card with its reason
///
/// With `--declarer you` or `--defence you` you play in the terminal: type cards such as `HQ`.
///
/// Example: counterplay bridge play examples/bridge/notrump.pbn --declarer planner --defence rules
#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct PlayArguments {
    #[command(flatten)]
    boards: BoardArguments,

    #[command(flatten)]
    request: PlayRequest,

    /// Talk with a program in your place: a JSON object on a line when a card is wanted, and one at the end
    #[arg(long)]
    lines: bool,

    /// Write the boards with their play as PBN into this file
    #[arg(long, value_name = "FILE")]
    pbn: Option<PathBuf>,

    /// Write them as LIN into this file
    #[arg(long, value_name = "FILE")]
    lin: Option<PathBuf>,
}

/// Plays all boards asked for.
pub(crate) fn run(arguments: &PlayArguments, settings: &Settings) -> Result<Exit, Failure> {
    let selection = arguments.boards.select(Hands::All, settings)?;
    let request = PlayRequest { seed: settings.seed, ..arguments.request };
    if request.has_person() {
        for board in &selection.ready {
            if !play_with_person(board, &request, arguments.lines, settings)? {
                break;
            }
        }
        return Ok(Exit::Found);
    }
    let mut table = Table::new(&request)?;
    let records = Arc::new(Mutex::new(Vec::new()));
    let (known, own) = (Arc::clone(&records), settings.clone());
    let files = [arguments.pbn.clone(), arguments.lin.clone()];
    let floor = sentinel::watch(&settings.budget, Arc::new(Display::new(settings)), move |limit| {
        // The boards finished so far are on standard output already; the file gets them here.
        if let Err(failure) = write_boards(&files, &known) {
            failure.show(&own);
        }
        output::stopped(limit, &own);
    });
    let mut stopped = None;
    for board in &selection.ready {
        let before = clock::thread_seconds();
        let mut answer = match table.play(board, &settings.budget) {
            Ok(answer) => answer,
            Err(limit) => {
                stopped = Some(limit);
                break;
            }
        };
        if let Some((before, now)) = before.zip(clock::thread_seconds()) {
            answer.seconds = now - before;
        }
        if settings.json {
            output::json(&answer)?;
        } else {
            output::answer(&answer.text())?;
        }
        records.lock().expect("no player panics with the records").push(answer.to_board());
    }
    floor.take_or_wait();
    write_boards(&[arguments.pbn.clone(), arguments.lin.clone()], &records)?;
    if let Some(limit) = stopped {
        output::stopped(limit, settings);
        return Ok(Exit::Limit);
    }
    Ok(if selection.refused.is_empty() { Exit::Found } else { Exit::Bad })
}

/// Writes the boards played so far as PBN and as LIN into the files that are wanted.
fn write_boards([pbn, lin]: &[Option<PathBuf>; 2], records: &Mutex<Vec<Board>>) -> Result<(), Failure> {
    let records = records.lock().expect("no player panics with the records");
    let writers = [(pbn, file_to_pbn as fn(&[Board]) -> String), (lin, file_to_lin)];
    for (file, text) in writers.iter().filter_map(|(file, write)| Some((file.as_ref()?, write(&records)))) {
        let name = file.display().to_string();
        std::fs::write(file, text).map_err(|error| Failure::Write { name, error })?;
    }
    Ok(())
}

/// A person plays one side or both, in the terminal or through a program that reads lines. `false` when the person leaves.
fn play_with_person(
    board: &ReadyBoard,
    request: &PlayRequest,
    lines: bool,
    settings: &Settings,
) -> Result<bool, Failure> {
    let context = board.context(request.seed, &settings.budget);
    let declarer = request.declarer.chair(request.effort(), request.seed);
    let defence = request.defence.chair(request.effort(), request.seed);
    let mut session =
        BoardSession::new(&board.deal, board.contract, board.lead, [declarer, defence], &context);
    let say = |text: String| if lines { Ok(()) } else { output::answer(&text) };
    let mut news = Vec::new();
    say(format!("Board {}: {}\n", board.name, board.contract))?;
    loop {
        let seat = session.public().turn();
        let choice = match session.advance() {
            SessionState::Over => break,
            SessionState::Played(choice) => choice,
            SessionState::Waiting(view) => {
                let asked = if lines { person::talk(&view, &mut news)? } else { person::ask(&view)? };
                let Some(card) = asked else { return Ok(false) };
                session.play(card)
            }
        };
        news.push(CardPlayed::new(seat, choice.card, choice.why));
        say(format!("{seat} plays {}\n", choice.card))?;
        let public = session.public();
        if public.trick().is_empty() {
            let (us, them) = (public.declarer_tricks(), public.defence_tricks());
            say(format!("{} wins; declarer {us}, defence {them}\n", public.trick().leader()))?;
        }
    }
    let end = SessionEnd::new(board, session.public().declarer_tricks(), news);
    if lines {
        output::json(&end)?;
    }
    say(format!("{}\n", end.end))?;
    Ok(true)
}
