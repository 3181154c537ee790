//! A name for the rules of a game that is the same on every machine and in every version of this program.

use counterplay_ground::game::Game;
use sha2::{Digest, Sha256};

/// Comes first in what is hashed. To be counted up when the printed form of ground rules changes.
const VERSION: &str = "counterplay ground rules 1\n";

/// The SHA-256 hash of the ground rules as they are printed in GDL, in hexadecimal.
pub fn rules_hash(game: &Game) -> String {
    hash(&[VERSION, &game.to_gdl()])
}

/// The hash of texts that follow each other.
pub(crate) fn hash(texts: &[&str]) -> String {
    let mut state = Sha256::new();
    texts.iter().for_each(|text| state.update(text.as_bytes()));
    state.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}
