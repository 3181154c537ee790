//! What the tests share.
#![allow(dead_code, reason = "each test file uses its own part")]

use std::fs;
use std::path::Path;

use counterplay_dilemma::{Game, Length, Move, Moves, Rules};

/// A file of the reference data, if it is there.
pub(crate) fn reference(name: &str) -> Option<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/ipd").join(name);
    let text = fs::read_to_string(&path).ok();
    if text.is_none() {
        println!("skipped: there is no reference data at {}", path.display());
    }
    text
}

/// The usual dilemma for so many turns.
pub(crate) fn rules(turns: u32, noise: f64) -> Rules {
    Rules { game: Game::DILEMMA, noise, length: Length::Unknown(turns) }
}

/// Moves from their letters.
pub(crate) fn moves(text: &str) -> Moves {
    text.chars().map(|letter| Move::d_if(letter == 'D')).collect()
}
