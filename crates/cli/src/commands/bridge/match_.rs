//! `counterplay bridge match`: two declarers on the same boards against the same defence.

use std::sync::{Arc, Mutex};

use clap::Args;
use counterplay::bridge::{DuplicateAnswer, DuplicateMatch, DuplicateRequest, Hands};
use counterplay_base::Limit;

use super::boards::BoardArguments;
use crate::arguments::EXIT_CODES;
use crate::clock;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output;
use crate::progress::Display;
use crate::sentinel;
use crate::settings::Settings;

/// Duplicate match: the same boards with two declarers against the same defence
///
/// Board-a-match (wins, losses, ties with a sign test), international match points and tricks with 95 % intervals.
///
/// Example: counterplay bridge match --deals 100 --declarers planner,rules
#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct MatchArguments {
    #[command(flatten)]
    boards: BoardArguments,

    #[command(flatten)]
    request: DuplicateRequest,
}

/// Plays the match.
pub(crate) fn run(arguments: &MatchArguments, settings: &Settings) -> Result<Exit, Failure> {
    let request = DuplicateRequest { seed: settings.seed, ..arguments.request.clone() };
    let mut duplicate = DuplicateMatch::new(&request)?.with_clock(clock::thread_seconds);
    // The guard of the limits prints the standing, so that no finished board is lost.
    let standing = Arc::new(Mutex::new(duplicate.answer()));
    let (known, own) = (Arc::clone(&standing), settings.clone());
    let floor = sentinel::watch(&settings.budget, Arc::new(Display::new(settings)), move |limit| {
        let answer = known.lock().expect("no player panics with the standing").clone();
        // The process is about to end; a report that cannot be written has no reader.
        let _ = report(answer, Some(limit), &own);
    });
    let selection = arguments.boards.select(Hands::All, settings)?;
    let mut stopped = None;
    for board in &selection.ready {
        if let Err(limit) = duplicate.play(board, &settings.budget) {
            stopped = Some(limit);
            break;
        }
        *standing.lock().expect("no player panics with the standing") = duplicate.answer();
    }
    floor.take_or_wait();
    report(duplicate.answer(), stopped, settings)?;
    Ok(match stopped {
        Some(_) => Exit::Limit,
        None if selection.refused.is_empty() => Exit::Found,
        None => Exit::Bad,
    })
}

/// Prints the result of the finished boards, and the limit if one ended the match.
fn report(answer: DuplicateAnswer, stopped: Option<Limit>, settings: &Settings) -> Result<(), Failure> {
    let answer = match stopped {
        Some(limit) => answer.stopped(limit),
        None => answer,
    };
    if settings.json {
        output::json(&answer)?;
    } else {
        output::answer(&answer.text())?;
    }
    if let Some(limit) = stopped {
        output::remark(&format!("stopped: {limit}"));
    }
    Ok(())
}
