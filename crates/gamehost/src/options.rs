//! How players think.

use std::time::Duration;

use counterplay_base::Budget;
use counterplay_ggp::play::{Kind, Settings};

/// Players that need no network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum BuiltIn {
    /// Any legal move
    Random,
    /// UCT on the rules, without grounding
    Rules,
    /// UCT on the rules, then on the network
    Uct,
    /// UCT, and the solver beside it
    Hybrid,
}

impl BuiltIn {
    /// All of them, from the weakest to the strongest.
    pub const ALL: [BuiltIn; 4] = [BuiltIn::Random, BuiltIn::Rules, BuiltIn::Uct, BuiltIn::Hybrid];

    /// The name on the command line and in records.
    pub fn name(self) -> &'static str {
        match self {
            BuiltIn::Random => "random",
            BuiltIn::Rules => "rules",
            BuiltIn::Uct => "uct",
            BuiltIn::Hybrid => "hybrid",
        }
    }

    /// How it searches; `None` if it plays any legal move.
    pub fn kind(self) -> Option<Kind> {
        match self {
            BuiltIn::Random => None,
            BuiltIn::Rules => Some(Kind::Rules),
            BuiltIn::Uct => Some(Kind::Uct),
            BuiltIn::Hybrid => Some(Kind::Hybrid),
        }
    }
}

/// Memory that the solver of a player may fill. The caller knows how much the process holds.
#[derive(Clone, Copy, Debug)]
pub struct MemoryLimit {
    /// Bytes that the process may hold.
    pub bytes: usize,
    /// Bytes that it holds now; `None` if the system does not tell.
    pub gauge: fn() -> Option<usize>,
}

/// What the players of all matches have in common.
#[derive(Clone, Debug)]
pub struct PlayerOptions {
    /// How the tree is searched.
    pub search: Settings,
    /// How long before the end of the clock a move goes out, at most.
    pub margin: Duration,
    /// `None` sets no limit.
    pub memory: Option<MemoryLimit>,
}

impl PlayerOptions {
    /// The budget of one player. Each has its own, since a player cancels it when its match is over.
    pub(crate) fn budget(&self) -> Budget {
        match self.memory {
            Some(MemoryLimit { bytes, gauge }) => Budget::unlimited().with_memory(bytes, gauge),
            None => Budget::unlimited(),
        }
    }
}
