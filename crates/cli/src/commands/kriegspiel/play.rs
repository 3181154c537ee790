//! `counterplay kriegspiel play`: a game in the terminal, against a program or between two of them.

use std::io::{self, BufRead, IsTerminal};

use clap::Args;
use counterplay::kriegspiel::chess::Move;
use counterplay::kriegspiel::{GameRequest, GameSession, PlayerKind, Turn};
use serde::Serialize;

use crate::arguments::EXIT_CODES;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output;
use crate::settings::Settings;

/// Play Kriegspiel in the terminal; the referee announces what both sides hear
///
/// Type moves such as `e2e4` or `b7b8q`; `tries` lists what may still be tried, `board` shows your men, `quit` ends the game.
///
/// Example: counterplay kriegspiel play --white you --black careful
#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct PlayArguments {
    /// Who plays White
    #[arg(long, value_name = "WHO", value_enum, default_value_t = PlayerKind::You)]
    white: PlayerKind,

    /// Who plays Black
    #[arg(long, value_name = "WHO", value_enum, default_value_t = PlayerKind::Careful)]
    black: PlayerKind,

    /// Where to begin
    #[arg(
        long,
        value_name = "FEN",
        default_value = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
    )]
    fen: String,

    /// Stop after so many moves of each side
    #[arg(long, value_name = "N", default_value_t = 200)]
    moves: usize,

    /// Talk with a program: a JSON object on a line when a try is wanted, and one at the end
    #[arg(long)]
    lines: bool,
}

impl PlayArguments {
    fn request(&self, seed: u64) -> GameRequest {
        GameRequest { white: self.white, black: self.black, fen: self.fen.clone(), moves: self.moves, seed }
    }
}

/// What a person answers.
enum Entry {
    Move(Move),
    Quit,
}

/// An entry that is no move, told to a program on the other end.
#[derive(Serialize)]
struct NotAMove {
    error: String,
    waiting: bool,
}

/// Plays a game.
pub(crate) fn run(arguments: &PlayArguments, settings: &Settings) -> Result<Exit, Failure> {
    let mut session = GameSession::new(&arguments.request(settings.seed))
        .map_err(|error| Failure::Usage { message: format!("--fen: {error}"), help: None })?;
    let mut input = io::stdin().lock();
    loop {
        let turn = session.turn();
        if turn == Turn::Over {
            break;
        }
        if let Err(limit) = settings.budget.check() {
            output::stopped(limit, settings);
            return Ok(Exit::Limit);
        }
        let attempt = match turn {
            Turn::Over => break,
            Turn::Program => session.play(&settings.budget),
            Turn::Person => {
                if arguments.lines {
                    output::json(&session.try_wanted())?;
                }
                match ask(&session, &mut input, arguments.lines)? {
                    Entry::Move(attempt) => Some(session.attempt(attempt)),
                    Entry::Quit => break,
                }
            }
        };
        if let Some(attempt) = attempt
            && !arguments.lines
            && !settings.json
        {
            output::answer(&attempt.text())?;
        }
    }
    match (arguments.lines, settings.json) {
        (true, _) => output::json(&session.ending())?,
        (false, true) => output::json(&session.record())?,
        (false, false) => output::answer(&session.result_text())?,
    }
    Ok(Exit::Found)
}

/// Asks a person for a try; a program on the other end is not shown the board as text.
fn ask(session: &GameSession, input: &mut impl BufRead, is_program: bool) -> Result<Entry, Failure> {
    if !is_program {
        output::answer(&session.own_men())?;
    }
    loop {
        if io::stdin().is_terminal() {
            output::answer(&format!("{:?}> ", session.color()))?;
        }
        let mut line = String::new();
        let read = input
            .read_line(&mut line)
            .map_err(|error| Failure::Read { name: "standard input".to_owned(), error })?;
        match line.trim() {
            _ if read == 0 => return Ok(Entry::Quit),
            "quit" | "resign" => return Ok(Entry::Quit),
            "board" => output::answer(&session.own_men())?,
            "tries" => {
                let list: Vec<String> = session.tries().iter().map(Move::to_string).collect();
                output::answer(&format!("{}\n", list.join(" ")))?;
            }
            text => match text.parse() {
                Ok(mv) => return Ok(Entry::Move(mv)),
                Err(error) if is_program => {
                    output::json(&NotAMove { error: error.to_string(), waiting: true })?;
                }
                Err(error) => output::answer(&format!("{error}\n"))?,
            },
        }
    }
}
