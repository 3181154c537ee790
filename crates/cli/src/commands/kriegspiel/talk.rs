//! A game with a program on the other end: what it is told, a JSON object on each line.
//!
//! When a try is wanted: `you` (`w` or `b`), `men` (the own ones by square), `tries`, `news` (what the referee
//! announced since the last time), `belief` (how likely each man of the other side stands where, by all that was
//! heard), and `waiting`. At the end: `end`, `winner`, `news` and the whole position.

use std::collections::BTreeMap;

use counterplay_kriegspiel::chess::{Board, Color, Move, Square};
use counterplay_kriegspiel::{Announcement, End, Game, Knowledge};
use serde::Serialize;
use serde_json::{Value, json};

/// What the referee announced.
#[derive(Debug, Serialize)]
pub(super) struct News {
    by: String,
    /// The try, unless it is hidden.
    #[serde(rename = "try", skip_serializing_if = "Option::is_none")]
    attempt: Option<String>,
    said: String,
}

impl News {
    pub(super) fn new(by: Color, attempt: Move, said: Announcement, is_secret: bool) -> News {
        let attempt = (!is_secret).then(|| attempt.to_string());
        News { by: by.letter().to_string(), attempt, said: said.to_string() }
    }
}

/// A try is wanted. The news are told once.
pub(super) fn wanted(game: &Game, knowledge: &Knowledge, news: &mut Vec<News>) -> Value {
    let color = game.turn();
    let tries: Vec<String> = game.tries().iter().map(Move::to_string).collect();
    json!({
        "waiting": true,
        "you": color.letter().to_string(),
        "size": game.board().size(),
        "men": men(game.board(), Some(color)),
        "tries": tries,
        "news": std::mem::take(news),
        "belief": {
            "positions": knowledge.positions().len(),
            "exact": knowledge.is_exact(),
            "men": shares(knowledge, color.other()),
        },
    })
}

/// The game is over, or was left.
pub(super) fn end(game: &Game, news: &[News]) -> Value {
    let winner = matches!(game.end(), Some(End::Checkmate)).then(|| game.turn().other().letter().to_string());
    json!({
        "end": game.end().map_or("unfinished", End::name),
        "winner": winner,
        "size": game.board().size(),
        "men": men(game.board(), None),
        "news": news,
    })
}

fn squares(size: u8) -> impl Iterator<Item = Square> {
    (0..size).flat_map(move |rank| (0..size).map(move |file| Square::new(file, rank)))
}

/// The men of one side or of both by square, as letters of the FEN.
fn men(board: &Board, of: Option<Color>) -> BTreeMap<String, String> {
    let seen = squares(board.size()).filter_map(|square| {
        let (color, piece) = board.at(square).filter(|(color, _)| of.is_none_or(|of| of == *color))?;
        Some((square.to_string(), letter(color, piece.letter())))
    });
    seen.collect()
}

fn letter(color: Color, letter: char) -> String {
    if color == Color::White { letter.to_ascii_uppercase().to_string() } else { letter.to_string() }
}

/// For each square and man of a side, in which share of the positions it stands there.
fn shares(knowledge: &Knowledge, of: Color) -> BTreeMap<String, BTreeMap<String, f64>> {
    let positions = knowledge.positions();
    let mut shares: BTreeMap<String, BTreeMap<String, f64>> = BTreeMap::new();
    for board in positions {
        for (square, man) in men(board, Some(of)) {
            *shares.entry(square).or_default().entry(man).or_default() += 1.0 / positions.len() as f64;
        }
    }
    shares
}
