//! The games of Kissmann 2012, section 11.4, in rule sheets of our own.

use counterplay::game::GameRules;

/// A game of the experiments.
pub(super) struct Entry {
    /// As the paper calls it.
    pub(super) name: &'static str,
    text: &'static str,
}

impl Entry {
    pub(super) fn sheet(&self) -> GameRules {
        GameRules::read(self.name, self.text).expect("bundled rules are sound")
    }
}

macro_rules! bundled {
    ($name:literal, $file:literal) => {
        Entry { name: $name, text: counterplay_examples::text(concat!("games/", $file)) }
    };
}

pub(super) const FROGS_AND_TOADS: Entry = bundled!("Frogs and Toads", "frogs-and-toads.kif");
pub(super) const MAX_KNIGHTS: Entry = bundled!("Max Knights", "max-knights.kif");
pub(super) const PEG_SOLITAIRE: Entry = bundled!("Peg-Solitaire", "peg-solitaire.kif");
pub(super) const TPEG: Entry = bundled!("tPeg", "tpeg.kif");
pub(super) const CHOMP: Entry = bundled!("Chomp", "chomp.kif");
pub(super) const CLOBBER: Entry = bundled!("Clobber", "clobber-4x5.kif");
pub(super) const CONNECT_FOUR: Entry = bundled!("Connect Four", "connect-four-7x6.kif");
pub(super) const SHEEP_AND_WOLF: Entry = bundled!("Sheep and Wolf", "sheep-and-wolf.kif");
