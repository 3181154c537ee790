//! Finite-state machines of Ashlock and others.

use super::library::StrategyEntry;
use super::sources::{ASHLOCK_2006, ASHLOCK_2008, ASHLOCK_2014};
use crate::chance::Chance;
use crate::moves::{History, Move};
use crate::strategy::Strategy;

use Move::{C, D};

/// What a machine does when it sees a move in a state: go to a state and make a move.
type Step = (usize, Move);

/// A machine: its first move, and for each state what it does after the other's C and after its D. It starts in
/// state 0.
struct Machine {
    first: Move,
    steps: &'static [[Step; 2]],
    state: usize,
}

impl Machine {
    fn boxed(first: Move, steps: &'static [[Step; 2]]) -> Box<dyn Strategy> {
        Box::new(Machine { first, steps, state: 0 })
    }
}

impl Strategy for Machine {
    #[inline]
    fn choose(&mut self, history: &History<'_>, _: &mut Chance) -> Move {
        let Some(seen) = history.other.last() else { return self.first };
        let (state, action) = self.steps[self.state][seen.index()];
        self.state = state;
        action
    }
}

pub(super) const ENTRIES: &[StrategyEntry] = &[
    StrategyEntry::new("Thumper", "Answers a defection with two.", ASHLOCK_2008, |_| {
        Machine::boxed(C, &[[(0, C), (1, D)], [(0, D), (0, D)]])
    }),
    StrategyEntry::new(
        "Fortress3",
        "Cooperates only with who knows the password D, D.",
        ASHLOCK_2006,
        |_| Machine::boxed(D, &[[(0, D), (1, D)], [(0, D), (2, C)], [(2, C), (0, D)]]),
    ),
    StrategyEntry::new(
        "Fortress4",
        "Cooperates only with who knows the password D, D, D.",
        ASHLOCK_2006,
        |_| Machine::boxed(D, &[[(0, D), (1, D)], [(0, D), (2, D)], [(0, D), (3, C)], [(3, C), (0, D)]]),
    ),
    StrategyEntry::new(
        "Raider",
        "Defects against the harmless, settles with the others.",
        ASHLOCK_2014,
        |_| Machine::boxed(D, &[[(2, D), (2, D)], [(1, C), (1, D)], [(0, D), (3, C)], [(0, D), (1, C)]]),
    ),
    StrategyEntry::new("Ripoff", "Alternates against the harmless, else tit for tat.", ASHLOCK_2008, |_| {
        Machine::boxed(D, &[[(1, C), (2, C)], [(0, D), (2, C)], [(2, C), (2, D)]])
    }),
];
