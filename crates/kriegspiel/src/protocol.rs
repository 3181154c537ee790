//! The line protocol for players that are other programs: one line for each announcement, one line back for each `go`.
//!
//! ```text
//! game black wild16 200 rnbqkbnr/… w KQkq - 0 1   a game begins: side, rule set, moves of each side at most, position
//! go                                              answer with a try such as e7e5 or b2b1q, or with resign
//! illegal e7d6                                    the own try was rejected; another go follows
//! nonsense e7e2                                   that was no try, or was rejected before; another go follows
//! moved e7e5 check rank tries 1                   the own try was accepted, and what was announced of it
//! other 2 capture e5 pawn tries no                the other side moved after two rejected tries
//! over win checkmate                              the game is over: win, loss or draw, and why
//! ```
//!
//! What is announced of a move: `capture SQUARE`, then `pawn` or `piece` where the rules say so, `promotion`, `check` with directions,
//! `tries` with the pawn captures of the side that moves next, `end` with a word; in this order, and `nothing` if there is nothing.

use std::fmt;

use counterplay_belief::Event;

use crate::chess::{Board, Color, Move, Square};
use crate::history::{Heard, KriegEvent};
use crate::percept::{Checks, Direction, End, Percept};
use crate::rules::{Extras, PawnTries, RuleSet, Taken};

/// What a program is told.
#[derive(Clone, Debug, PartialEq)]
pub enum Message {
    Game {
        color: Color,
        rules: RuleSet,
        /// The game ends after so many moves of each side.
        moves: usize,
        root: Board,
    },
    Go,
    Nonsense(String),
    /// Something happened in the game.
    Event(KriegEvent, Extras),
    Over {
        /// `None` is a draw.
        won: Option<bool>,
        why: String,
    },
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Message::Game { color, rules, moves, root } => {
                let side = if *color == Color::White { "white" } else { "black" };
                write!(f, "game {side} {rules} {moves} {root}")
            }
            Message::Go => f.write_str("go"),
            Message::Nonsense(attempt) => write!(f, "nonsense {attempt}"),
            Message::Event(Event::Own { attempt, heard: None }, _) => write!(f, "illegal {attempt}"),
            Message::Event(Event::Own { attempt, heard: Some(heard) }, extras) => {
                write!(f, "moved {attempt} {}", words(heard, extras))
            }
            Message::Event(Event::Other { rejections, heard }, extras) => {
                write!(f, "other {rejections} {}", words(heard, extras))
            }
            Message::Over { won, why } => {
                let result = match won {
                    Some(true) => "win",
                    Some(false) => "loss",
                    None => "draw",
                };
                write!(f, "over {result} {why}")
            }
        }
    }
}

fn words((percept, end): &Heard, extras: &Extras) -> String {
    let mut words = Vec::new();
    words.extend(percept.capture.map(|square| format!("capture {square}")));
    let without_tries = Extras { pawn_tries: None, ..*extras }.to_string();
    words.extend(Some(without_tries).filter(|text| !text.is_empty()));
    if !percept.checks.is_empty() {
        let names: Vec<&str> = percept.checks.iter().map(Direction::name).collect();
        words.push(format!("check {}", names.join(",")));
    }
    let tries = Extras { pawn_tries: extras.pawn_tries, ..Extras::default() }.to_string();
    words.extend(Some(tries).filter(|text| !text.is_empty()));
    words.extend(end.map(|end| format!("end {}", end.name())));
    if words.is_empty() { "nothing".to_owned() } else { words.join(" ") }
}

/// A line that is no message.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{line}` is no line of the protocol: {why}")]
pub struct BadLine {
    line: String,
    why: String,
}

impl Message {
    /// Reads a line.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn read(line: &str) -> Result<Message, BadLine> {
        read(line.trim()).map_err(|why| BadLine { line: line.trim().to_owned(), why })
    }
}

fn read(line: &str) -> Result<Message, String> {
    let (head, rest) = line.split_once(' ').unwrap_or((line, ""));
    let mut rest_words = rest.split_whitespace();
    let mut next = || rest_words.next().ok_or_else(|| format!("something is missing after `{head}`"));
    let attempt = |text: &str| text.parse::<Move>().map_err(|error| error.to_string());
    match head {
        "game" => {
            let color = match next()? {
                "white" => Color::White,
                "black" => Color::Black,
                other => return Err(format!("`{other}` is no side")),
            };
            let rules = next()?.parse().map_err(|error: crate::rules::NoRuleSet| error.to_string())?;
            let moves = next()?.parse().map_err(|_| "the number of moves is no number".to_owned())?;
            let fen = rest_words.collect::<Vec<_>>().join(" ");
            let root = fen.parse().map_err(|error: crate::chess::FenError| error.to_string())?;
            Ok(Message::Game { color, rules, moves, root })
        }
        "go" => Ok(Message::Go),
        "nonsense" => Ok(Message::Nonsense(rest.to_owned())),
        "illegal" => {
            Ok(Message::Event(Event::Own { attempt: attempt(next()?)?, heard: None }, Extras::default()))
        }
        "moved" => {
            let attempt = attempt(next()?)?;
            let (heard, extras) = announced(rest_words)?;
            Ok(Message::Event(Event::Own { attempt, heard: Some(heard) }, extras))
        }
        "other" => {
            let rejections = next()?.parse().map_err(|_| "the number of tries is no number".to_owned())?;
            let (heard, extras) = announced(rest_words)?;
            Ok(Message::Event(Event::Other { rejections, heard }, extras))
        }
        "over" => {
            let won = match next()? {
                "win" => Some(true),
                "loss" => Some(false),
                "draw" => None,
                other => return Err(format!("`{other}` is no result")),
            };
            Ok(Message::Over { won, why: rest_words.collect::<Vec<_>>().join(" ") })
        }
        other => Err(format!("`{other}` is no message")),
    }
}

fn announced<'a>(mut words: impl Iterator<Item = &'a str>) -> Result<(Heard, Extras), String> {
    let (mut percept, mut end, mut extras) = (Percept::default(), None, Extras::default());
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or_else(|| format!("something is missing after `{word}`"));
        match word {
            "nothing" => {}
            "capture" => percept.capture = Some(square(value()?)?),
            "pawn" => extras.taken = Some(Taken::Pawn),
            "piece" => extras.taken = Some(Taken::Piece),
            "promotion" => extras.promotion = true,
            "check" => percept.checks = checks(value()?)?,
            "tries" => extras.pawn_tries = Some(pawn_tries(value()?)?),
            "end" => {
                let name = value()?;
                let ends = [End::Checkmate, End::Stalemate, End::Insufficient];
                let found = ends.into_iter().find(|end| end.name() == name);
                end = Some(found.ok_or_else(|| format!("`{name}` is no end"))?);
            }
            other => return Err(format!("`{other}` is no announcement")),
        }
    }
    Ok(((percept, end), extras))
}

fn square(text: &str) -> Result<Square, String> {
    text.parse().map_err(|_| format!("`{text}` is no square"))
}

fn checks(text: &str) -> Result<Checks, String> {
    text.split(',').try_fold(Checks::NONE, |checks, name| {
        let direction = Direction::ALL.into_iter().find(|direction| direction.name() == name);
        Ok(checks.with(direction.ok_or_else(|| format!("`{name}` is no direction of check"))?))
    })
}

fn pawn_tries(text: &str) -> Result<PawnTries, String> {
    Ok(match text {
        "yes" => PawnTries::Any(true),
        "no" => PawnTries::Any(false),
        "none" => PawnTries::From(0),
        text => match text.parse() {
            Ok(count) => PawnTries::Count(count),
            Err(_) => {
                let add = |all: u64, name: &str| Ok::<u64, String>(all | square(name)?.bit());
                PawnTries::From(text.split(',').try_fold(0, add)?)
            }
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_back() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let lines = [
            format!("game black wild16 200 {start}"),
            "go".to_owned(),
            "illegal e7d6".to_owned(),
            "nonsense e7e2".to_owned(),
            "moved b2b1q promotion check rank,short tries none".to_owned(),
            "moved e7e5 nothing".to_owned(),
            "other 2 capture e5 pawn tries no".to_owned(),
            "other 0 capture e5 piece check knight tries 3".to_owned(),
            "other 0 tries a2,c4 end stalemate".to_owned(),
            "over draw stalemate".to_owned(),
            "over loss checkmate".to_owned(),
        ];
        for line in lines {
            assert_eq!(Message::read(&line).unwrap().to_string(), line);
        }
    }

    #[test]
    fn other_lines_are_refused_with_a_reason() {
        for (line, why) in [
            ("", "no message"),
            ("moved", "something is missing"),
            ("moved e9", "e9"),
            ("other two nothing", "no number"),
            ("other 1 check sideways", "no direction"),
            ("game white chess 1 x", "no rule set"),
            ("over maybe", "no result"),
            ("other 0 tries a9", "no square"),
        ] {
            let error = Message::read(line).unwrap_err().to_string();
            assert!(error.contains(why), "{line}: {error}");
        }
    }
}
