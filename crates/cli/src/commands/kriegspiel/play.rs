//! `counterplay kriegspiel play`: a game in the terminal, against a program or between two of them.

use std::io::{self, BufRead, IsTerminal};

use clap::{Args, ValueEnum};
use counterplay_belief::Event;
use counterplay_kriegspiel::chess::{Board, Color, Move, Square};
use counterplay_kriegspiel::{Announcement, Anything, Careful, End, Game, Player, Rash};
use serde_json::json;

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
    #[arg(long, value_name = "WHO", value_enum, default_value_t = Who::You)]
    white: Who,

    /// Who plays Black
    #[arg(long, value_name = "WHO", value_enum, default_value_t = Who::Careful)]
    black: Who,

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
}

/// Who plays a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Who {
    /// You, at the terminal.
    You,
    /// State estimation, guaranteed mates, sampled evaluation.
    Careful,
    /// Knows little, likes captures and checks.
    Rash,
    /// Tries at random.
    Random,
}

/// A side of the game.
enum Seat {
    Person,
    Program(Box<dyn Player>),
}

impl Seat {
    fn new(who: Who, root: Board, color: Color, seed: u64) -> Seat {
        match who {
            Who::You => Seat::Person,
            Who::Careful => Seat::Program(Box::new(Careful::new(root, color, seed))),
            Who::Rash => Seat::Program(Box::new(Rash::new(root, color, seed))),
            Who::Random => Seat::Program(Box::new(Anything::new(seed))),
        }
    }
}

/// What a person answers.
enum Entry {
    Move(Move),
    Quit,
}

/// Plays a game.
pub(crate) fn run(arguments: &PlayArguments, settings: &Settings) -> Result<Exit, Failure> {
    let root = Board::from_fen(&arguments.fen)
        .map_err(|error| Failure::Usage { message: format!("--fen: {error}"), help: None })?;
    let mut game = Game::new(root);
    let seat = |who, color, salt| Seat::new(who, root, color, settings.seed.wrapping_mul(2) + salt);
    let mut seats = [seat(arguments.white, Color::White, 0), seat(arguments.black, Color::Black, 1)];
    let mut record = Vec::new();
    let mut input = io::stdin().lock();
    for _ in 0..2 * arguments.moves {
        if game.end().is_some() {
            break;
        }
        if let Err(limit) = settings.budget.check() {
            output::stopped(limit, settings);
            return Ok(Exit::Limit);
        }
        let color = game.turn();
        let rejections = game.rejections();
        let attempt = match &mut seats[color as usize] {
            Seat::Program(player) => player.choose(&game.tries(), &settings.budget),
            Seat::Person => match ask(&game, &mut input)? {
                Entry::Move(mv) => mv,
                Entry::Quit => break,
            },
        };
        let said = game.attempt(attempt);
        record.push(
            json!({"by": color.letter().to_string(), "try": attempt.to_string(), "said": said.to_string()}),
        );
        announce(color, attempt, said, &seats, settings)?;
        tell(&mut seats, color, attempt, said, rejections);
    }
    finish(&game, record, settings)?;
    Ok(Exit::Found)
}

/// Both sides hear of a try.
fn tell(seats: &mut [Seat; 2], color: Color, attempt: Move, said: Announcement, rejections: usize) {
    let heard = match said {
        Announcement::Legal { percept, end } => Some((percept, end)),
        Announcement::Illegal => None,
        Announcement::Nonsense => return,
    };
    if let Seat::Program(player) = &mut seats[color as usize] {
        player.hear(Event::Own { attempt, heard });
    }
    if let (Some(heard), Seat::Program(player)) = (heard, &mut seats[color.other() as usize]) {
        player.hear(Event::Other { rejections, heard });
    }
}

/// What the referee says aloud: the try itself is shown only to those who may see it.
fn announce(
    color: Color,
    attempt: Move,
    said: Announcement,
    seats: &[Seat; 2],
    settings: &Settings,
) -> Result<(), Failure> {
    if settings.json {
        return Ok(());
    }
    let secret = matches!(seats[color.other() as usize], Seat::Person)
        && matches!(seats[color as usize], Seat::Program(_));
    let what = if secret { "a try".to_owned() } else { attempt.to_string() };
    let next = match said {
        Announcement::Legal { end: None, .. } => format!("; {:?} to move", color.other()),
        _ => String::new(),
    };
    output::answer(&format!("{color:?}: {what}: {said}{next}\n"))
}

/// Asks a person for a try.
fn ask(game: &Game, input: &mut impl BufRead) -> Result<Entry, Failure> {
    output::answer(&own_men(game.board()))?;
    loop {
        if io::stdin().is_terminal() {
            output::answer(&format!("{:?}> ", game.turn()))?;
        }
        let mut line = String::new();
        let read = input
            .read_line(&mut line)
            .map_err(|error| Failure::Read { name: "standard input".to_owned(), error })?;
        match line.trim() {
            _ if read == 0 => return Ok(Entry::Quit),
            "quit" | "resign" => return Ok(Entry::Quit),
            "board" => output::answer(&own_men(game.board()))?,
            "tries" => {
                let list: Vec<String> = game.tries().iter().map(Move::to_string).collect();
                output::answer(&format!("{}\n", list.join(" ")))?;
            }
            text => match text.parse() {
                Ok(mv) => return Ok(Entry::Move(mv)),
                Err(error) => output::answer(&format!("{error}\n"))?,
            },
        }
    }
}

/// The men of the side to move, as it sees them.
fn own_men(board: &Board) -> String {
    let mut text = String::new();
    for rank in (0..board.size()).rev() {
        text.push_str(&format!("{} ", rank + 1));
        for file in 0..board.size() {
            let man = board.at(Square::new(file, rank)).filter(|(color, _)| *color == board.turn());
            text.push(match man {
                Some((Color::White, piece)) => piece.letter().to_ascii_uppercase(),
                Some((Color::Black, piece)) => piece.letter(),
                None => '.',
            });
            text.push(' ');
        }
        text.push('\n');
    }
    let files: String = (0..board.size()).map(|file| format!("{} ", (b'a' + file) as char)).collect();
    text + "  " + &files + "\n"
}

fn finish(game: &Game, record: Vec<serde_json::Value>, settings: &Settings) -> Result<(), Failure> {
    let winner = match game.end() {
        Some(End::Checkmate) => Some(game.turn().other()),
        _ => None,
    };
    let end = game.end().map_or("unfinished", End::name);
    if settings.json {
        return output::json(&json!({
            "end": end,
            "winner": winner.map(|color| color.letter().to_string()),
            "position": game.board().to_string(),
            "tries": record,
        }));
    }
    let won = winner.map_or(String::new(), |color| format!(", {color:?} wins"));
    output::answer(&format!("{end}{won}: {}\n", game.board()))
}
