//! `counterplay kriegspiel seat`: a player of ours as a program that speaks the line protocol.

use std::io::{self, BufRead};

use clap::Args;
use counterplay::kriegspiel::contest::{Contestant, Terms};
use counterplay::kriegspiel::protocol::Message;
use counterplay::kriegspiel::{PLAYERS, SeatSetup, View, seat};

use crate::arguments::EXIT_CODES;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output;
use crate::settings::Settings;

/// Sit at the table of a match as a program: a player that reads announcements and answers each `go` with a try
///
/// It speaks the protocol of `kriegspiel match`, so it can play against itself under another name, or show how a program of
/// your own is spoken to.
///
/// Example: counterplay kriegspiel match expert base --program 'base=counterplay kriegspiel seat greedy' --games 4
#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct SeatArguments {
    /// expert, careful, rash, greedy or random
    #[arg(value_name = "PLAYER")]
    player: String,
}

/// Answers until the input ends.
pub(crate) fn run(arguments: &SeatArguments, settings: &Settings) -> Result<Exit, Failure> {
    let usage = |message: String| Failure::Usage { message, help: None };
    if arguments.player == "evader" || !PLAYERS.contains(&arguments.player.as_str()) {
        return Err(usage(format!("there is no player `{}` that hears and does not see", arguments.player)));
    }
    let mut table = None;
    for line in io::stdin().lock().lines() {
        let line = line.map_err(|error| Failure::Read { name: "standard input".to_owned(), error })?;
        if line.trim().is_empty() {
            continue;
        }
        let message = Message::read(&line).map_err(|error| usage(error.to_string()))?;
        match (message, &mut table) {
            (Message::Game { color, rules, moves, root }, _) => {
                let terms = Terms { root, rules, moves };
                let setup = SeatSetup { color, terms, seed: settings.seed };
                let Some(Contestant::Player(player)) = seat(&arguments.player, &setup) else {
                    return Err(usage("this player cannot be a program".to_owned()));
                };
                table = Some((player, View::new(&root, color, rules)));
            }
            (Message::Over { .. }, table) => *table = None,
            (_, None) => return Err(usage(format!("`{}` before a game began", line.trim()))),
            (Message::Go, Some((player, view))) => {
                let tries = view.tries();
                let answer = match tries.is_empty() {
                    true => "resign".to_owned(),
                    false => player.choose(&tries, &settings.budget).to_string(),
                };
                output::answer(&format!("{answer}\n"))?;
            }
            (Message::Nonsense(what), Some(_)) => {
                return Err(usage(format!("the referee calls `{what}` nonsense")));
            }
            (Message::Event(event, extras), Some((player, view))) => {
                view.hear(&event, &extras);
                player.hear_all(event, extras);
            }
        }
    }
    Ok(Exit::Found)
}
