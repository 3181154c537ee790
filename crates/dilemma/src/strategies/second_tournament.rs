//! Entries of Axelrod's second tournament.

use super::library::StrategyEntry;
use super::sources::AXELROD_SECOND;
use crate::chance::Chance;
use crate::moves::{History, Move};
use crate::strategy::{Strategy, reactive};

/// Compares what cooperating, defecting and alternating would bring against the answers it has counted.
#[derive(Default)]
struct RevisedDowning {
    /// The other's cooperations and all its answers, after our C and after our D.
    after: [(u32, u32); 2],
}

impl Strategy for RevisedDowning {
    fn choose(&mut self, history: &History<'_>, _: &mut Chance) -> Move {
        let Some((own, other)) = history.outcome_ago(1) else { return Move::C };
        if let Some(asked) = history.own.ago(2) {
            let (yes, all) = &mut self.after[asked.index()];
            *yes += u32::from(other == Move::C);
            *all += 1;
        }
        let share =
            |(yes, all): (u32, u32), prior| if all == 0 { prior } else { f64::from(yes) / f64::from(all) };
        let good = share(self.after[0], 1.0);
        let bad = share(self.after[1], 0.0);
        let cooperating = 6.0 * good - 8.0 * bad - 2.0;
        let alternating = 4.0 * good - 5.0 * bad - 1.0;
        if cooperating >= 0.0 && cooperating >= alternating {
            Move::C
        } else if alternating >= 0.0 {
            !own
        } else {
            Move::D
        }
    }
}

/// Tit for tat at first; later it looks at seven of the last eight moves, leaving out the latest.
fn grofman(history: &History<'_>) -> Move {
    match history.turns() {
        0 | 1 => Move::C,
        2..=6 => Move::d_if(history.other.just_defected()),
        _ => {
            let defections = (history.other.bits(8) >> 1).count_ones();
            let tolerated = if history.own.just_defected() { 1 } else { 2 };
            Move::c_if(defections <= tolerated)
        }
    }
}

/// Cooperates for ten turns, then copies for fifteen; then forgives defections while they are rare.
fn champion(history: &History<'_>, chance: &mut Chance) -> Move {
    match history.turns() {
        0..=9 => Move::C,
        10..=24 => Move::d_if(history.other.just_defected()),
        turns => {
            let cooperated = history.other.cooperations() as f64 / turns as f64;
            let draw = chance.bits() as f64 / u64::MAX as f64;
            Move::d_if(history.other.just_defected() && cooperated < 0.6 && cooperated < draw)
        }
    }
}

pub(super) const ENTRIES: &[StrategyEntry] = &[
    StrategyEntry::new(
        "RevisedDowning",
        "Does what pays against the answers it has counted.",
        AXELROD_SECOND,
        |_| Box::new(RevisedDowning::default()),
    ),
    StrategyEntry::new(
        "SecondByGrofman",
        "Weighs its own last move and the defections of eight turns.",
        AXELROD_SECOND,
        |_| reactive(|history, _| grofman(history)),
    ),
    StrategyEntry::new(
        "SecondByChampion",
        "Patient at first, then forgives those who mostly cooperate.",
        AXELROD_SECOND,
        |_| reactive(champion),
    )
    .by_chance(),
];
