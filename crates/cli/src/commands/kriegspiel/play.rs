//! `counterplay kriegspiel play`: a game in the terminal, against a program or between two of them.

use std::io::{self, BufRead, IsTerminal};

use clap::{Args, ValueEnum};
use counterplay_belief::Event;
use counterplay_kriegspiel::chess::{Board, Color, Move, Square};
use counterplay_kriegspiel::{Announcement, Anything, Careful, End, Game, KriegEvent, Player, Rash};
use serde_json::json;

use super::talk;

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

    /// Talk with a program: a JSON object on a line when a try is wanted, and one at the end
    #[arg(long)]
    lines: bool,
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
    /// What a person could know is kept for those who want to see it.
    Person(Box<Careful>),
    Program(Box<dyn Player>),
}

impl Seat {
    fn new(who: Who, root: Board, color: Color, seed: u64) -> Seat {
        match who {
            Who::You => Seat::Person(Box::new(Careful::new(root, color, seed))),
            Who::Careful => Seat::Program(Box::new(Careful::new(root, color, seed))),
            Who::Rash => Seat::Program(Box::new(Rash::new(root, color, seed))),
            Who::Random => Seat::Program(Box::new(Anything::new(seed))),
        }
    }
}

impl Seat {
    fn hear(&mut self, event: KriegEvent) {
        match self {
            Seat::Person(observer) => observer.hear(event),
            Seat::Program(player) => player.hear(event),
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
    let mut news = Vec::new();
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
            Seat::Person(observer) => {
                if arguments.lines {
                    output::json(&talk::wanted(&game, observer.knowledge(), &mut news))?;
                }
                match ask(&game, &mut input, arguments.lines)? {
                    Entry::Move(mv) => mv,
                    Entry::Quit => break,
                }
            }
        };
        let said = game.attempt(attempt);
        record.push(
            json!({"by": color.letter().to_string(), "try": attempt.to_string(), "said": said.to_string()}),
        );
        if arguments.lines {
            news.push(talk::News::new(color, attempt, said, is_secret(&seats, color)));
        } else {
            announce(color, attempt, said, &seats, settings)?;
        }
        tell(&mut seats, color, attempt, said, rejections);
    }
    if arguments.lines {
        output::json(&talk::end(&game, &news))?;
    } else {
        finish(&game, record, settings)?;
    }
    Ok(Exit::Found)
}

/// Both sides hear of a try.
fn tell(seats: &mut [Seat; 2], color: Color, attempt: Move, said: Announcement, rejections: usize) {
    let heard = match said {
        Announcement::Legal { percept, end } => Some((percept, end)),
        Announcement::Illegal => None,
        Announcement::Nonsense => return,
    };
    seats[color as usize].hear(Event::Own { attempt, heard });
    if let Some(heard) = heard {
        seats[color.other() as usize].hear(Event::Other { rejections, heard });
    }
}

/// Whether a try is hidden from a person on the other side.
fn is_secret(seats: &[Seat; 2], color: Color) -> bool {
    matches!(seats[color.other() as usize], Seat::Person(_))
        && matches!(seats[color as usize], Seat::Program(_))
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
    let what = if is_secret(seats, color) { "a try".to_owned() } else { attempt.to_string() };
    let next = match said {
        Announcement::Legal { end: None, .. } => format!("; {:?} to move", color.other()),
        _ => String::new(),
    };
    output::answer(&format!("{color:?}: {what}: {said}{next}\n"))
}

/// Asks a person for a try; a program on the other end is not shown the board as text.
fn ask(game: &Game, input: &mut impl BufRead, is_program: bool) -> Result<Entry, Failure> {
    if !is_program {
        output::answer(&own_men(game.board()))?;
    }
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
                Err(error) if is_program => {
                    output::json(&json!({"error": error.to_string(), "waiting": true}))?;
                }
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
