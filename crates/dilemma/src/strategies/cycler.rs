//! Strategies that repeat themselves, and the hunter of such strategies.

use super::library::StrategyEntry;
use super::sources::{LIBRARY, MITTAL};
use crate::chance::Chance;
use crate::moves::{History, Move};
use crate::strategy::{Strategy, reactive};

use Move::{C, D};

fn cycler(cycle: &'static [Move]) -> Box<dyn Strategy> {
    reactive(move |history, _| cycle[history.turns() % cycle.len()])
}

/// Cooperates until the other's moves, from the eleventh on, are found to repeat themselves; then defects.
struct CycleHunter {
    /// Bit `i` is set while the moves from the eleventh on may have period `i`.
    possible: u64,
    found: bool,
}

/// Moves before this one are not looked at.
const OFFSET: usize = 10;
/// The periods looked for.
const SHORTEST: usize = 3;
const LONGEST: usize = 12;

impl CycleHunter {
    /// Strikes out the periods that the last move contradicts.
    fn look(&mut self, history: &History<'_>) {
        let Some(seen) = history.other.len().checked_sub(OFFSET).filter(|&seen| seen > 0) else { return };
        let bits = history.other.bits(LONGEST as u32 + 1);
        // Bit `i` of `same`: the move `i` turns before the last one was equal to it.
        let same = if bits & 1 == 1 { bits } else { !bits };
        // The first `i` moves of a period `i` contradict nothing.
        let too_early = !0 << seen.min(63);
        self.possible &= same | too_early;
    }
}

impl Strategy for CycleHunter {
    fn choose(&mut self, history: &History<'_>, _: &mut Chance) -> Move {
        self.look(history);
        let turns = history.turns();
        if turns < OFFSET || history.other.defections() == 0 {
            return C;
        }
        if turns.is_multiple_of(10) {
            let longest = ((turns - OFFSET) / 2).min(LONGEST);
            self.found = (SHORTEST..=longest).any(|period| self.possible >> period & 1 == 1);
        }
        Move::d_if(self.found)
    }
}

pub(super) const ENTRIES: &[StrategyEntry] = &[
    StrategyEntry::new("CyclerCCD", "Repeats C, C, D.", MITTAL, |_| cycler(&[C, C, D])),
    StrategyEntry::new("CyclerDC", "Repeats D, C.", LIBRARY, |_| cycler(&[D, C])),
    StrategyEntry::new("CyclerCCCD", "Repeats C, C, C, D.", LIBRARY, |_| cycler(&[C, C, C, D])),
    StrategyEntry::new("CyclerDDC", "Repeats D, D, C.", MITTAL, |_| cycler(&[D, D, C])),
    StrategyEntry::new("CyclerCCCCCD", "Repeats C, C, C, C, C, D.", LIBRARY, |_| cycler(&[C, C, C, C, C, D])),
    StrategyEntry::new(
        "EventualCycleHunter",
        "Defects once the other is found to repeat itself.",
        LIBRARY,
        |_| Box::new(CycleHunter { possible: !0, found: false }),
    ),
];
