//! Strategies that punish by measure.

use super::library::StrategyEntry;
use super::sources::LIBRARY;
use crate::chance::Chance;
use crate::moves::{History, Move};
use crate::strategy::Strategy;

/// Punishes for up to twenty turns, in proportion to a share of the other's moves.
struct Punisher {
    /// The share that makes the punishment long.
    measure: fn(&History<'_>) -> usize,
    length: usize,
    /// Turns of the present punishment; `None` if there is none.
    served: Option<usize>,
}

impl Punisher {
    fn boxed(measure: fn(&History<'_>) -> usize) -> Box<dyn Strategy> {
        Box::new(Punisher { measure, length: 0, served: None })
    }
}

impl Strategy for Punisher {
    fn choose(&mut self, history: &History<'_>, _: &mut Chance) -> Move {
        if let Some(served) = self.served {
            if served < self.length {
                self.served = Some(served + 1);
                return Move::D;
            }
            self.served = None;
        }
        if history.other.just_defected() {
            self.length = (self.measure)(history);
            self.served = Some(0);
            return Move::D;
        }
        Move::C
    }
}

fn share(count: usize, history: &History<'_>) -> usize {
    count * 20 / history.other.len().max(1)
}

/// Retaliates while it has been exploited more than a tenth as often as it has exploited; perhaps up to a limit.
struct Retaliate {
    exploited: u32,
    exploiting: u32,
    limit: Option<u32>,
    done: u32,
}

impl Retaliate {
    fn boxed(limit: Option<u32>) -> Box<dyn Strategy> {
        Box::new(Retaliate { exploited: 0, exploiting: 0, limit, done: 0 })
    }
}

impl Strategy for Retaliate {
    fn choose(&mut self, history: &History<'_>, _: &mut Chance) -> Move {
        match history.outcome_ago(1) {
            Some((Move::C, Move::D)) => self.exploited += 1,
            Some((Move::D, Move::C)) => self.exploiting += 1,
            _ => {}
        }
        let behind = f64::from(self.exploited) > f64::from(self.exploiting) * 0.1;
        if !behind || self.limit.is_some_and(|limit| self.done >= limit) {
            self.done = 0;
            return Move::C;
        }
        self.done += 1;
        Move::D
    }
}

pub(super) const ENTRIES: &[StrategyEntry] = &[
    StrategyEntry::new("Punisher", "Punishes the longer, the more the other has defected.", LIBRARY, |_| {
        Punisher::boxed(|history| share(history.other.defections(), history))
    }),
    StrategyEntry::new(
        "InversePunisher",
        "Punishes the longer, the more the other has cooperated.",
        LIBRARY,
        |_| Punisher::boxed(|history| share(history.other.cooperations(), history).max(1)),
    ),
    StrategyEntry::new(
        "Retaliate",
        "Defects while it was exploited more than a tenth as often as it exploited.",
        LIBRARY,
        |_| Retaliate::boxed(None),
    ),
    StrategyEntry::new(
        "LimitedRetaliate",
        "The same, with a break after twenty defections.",
        LIBRARY,
        |_| Retaliate::boxed(Some(20)),
    ),
];
