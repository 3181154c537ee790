//! How players think.

use std::time::Duration;

use counterplay_base::Budget;
use counterplay_ggp::play::UctSettings;

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
    pub search: UctSettings,
    /// How long before the end of the clock a move goes out, at most.
    pub margin: Duration,
    /// `None` sets no limit.
    pub memory: Option<MemoryLimit>,
}

impl Default for PlayerOptions {
    fn default() -> PlayerOptions {
        PlayerOptions { search: UctSettings::default(), margin: Duration::from_millis(200), memory: None }
    }
}

impl PlayerOptions {
    /// Built-in players that share what a budget allows: a quarter of the memory, at most a GiB, for the search tree, half of it for the solver.
    pub fn within(budget: &Budget, gauge: fn() -> Option<usize>, threads: usize, seed: u64) -> PlayerOptions {
        let bytes = budget.bytes().map_or(512 << 20, |bytes| (bytes / 4).min(1 << 30));
        PlayerOptions {
            search: UctSettings { seed, threads, bytes, ..UctSettings::default() },
            memory: budget.bytes().map(|bytes| MemoryLimit { bytes: bytes / 2, gauge }),
            ..PlayerOptions::default()
        }
    }

    /// The budget of one player. Each has its own, since a player cancels it when its match is over.
    pub(crate) fn budget(&self) -> Budget {
        match self.memory {
            Some(MemoryLimit { bytes, gauge }) => Budget::unlimited().with_memory(bytes, gauge),
            None => Budget::unlimited(),
        }
    }
}
