//! Gradual: each further defection is answered with more of them, and then with peace.

use super::library::StrategyEntry;
use super::sources::{GRADUAL, PRISON};
use crate::chance::Chance;
use crate::moves::{History, Move};
use crate::strategy::Strategy;

/// Punishes as often as the other has defected in all.
#[derive(Default)]
struct Gradual {
    punishing: usize,
    calming: u32,
}

impl Strategy for Gradual {
    fn choose(&mut self, history: &History<'_>, _: &mut Chance) -> Move {
        if self.punishing > 0 {
            self.punishing -= 1;
            return Move::D;
        }
        if self.calming > 0 {
            self.calming -= 1;
            return Move::C;
        }
        if history.other.just_defected() {
            self.punishing = history.other.defections() - 1;
            self.calming = 2;
            return Move::D;
        }
        Move::C
    }
}

/// As first published: only defections during peace lengthen the punishment.
#[derive(Default)]
struct Original {
    state: OriginalState,
    length: u32,
}

#[derive(Default)]
enum OriginalState {
    #[default]
    Peace,
    Punishing {
        done: u32,
    },
    /// The second of two cooperations.
    Calming,
}

impl Strategy for Original {
    fn choose(&mut self, history: &History<'_>, _: &mut Chance) -> Move {
        match self.state {
            OriginalState::Calming => {
                self.state = OriginalState::Peace;
                Move::C
            }
            OriginalState::Punishing { done } if done < self.length => {
                self.state = OriginalState::Punishing { done: done + 1 };
                Move::D
            }
            OriginalState::Punishing { .. } => {
                self.state = OriginalState::Calming;
                Move::C
            }
            OriginalState::Peace if history.other.just_defected() => {
                self.length += 1;
                self.state = OriginalState::Punishing { done: 1 };
                Move::D
            }
            OriginalState::Peace => Move::C,
        }
    }
}

pub(super) const ENTRIES: &[StrategyEntry] = &[
    StrategyEntry::new(
        "Gradual",
        "Punishes as often as the other has defected, then calms down.",
        PRISON,
        |_| Box::new(Gradual::default()),
    ),
    StrategyEntry::new("OriginalGradual", "Punishes once more each time, then calms down.", GRADUAL, |_| {
        Box::new(Original::default())
    }),
];
