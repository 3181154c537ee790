//! Strategies that bear grudges.

use super::library::StrategyEntry;
use super::sources::{AXELROD_FIRST, LI, LIBRARY, PRISON};
use crate::chance::Chance;
use crate::moves::{History, Move};
use crate::strategy::{Strategy, reactive};

/// After a defection, plays a fixed punishment to its end whatever happens.
struct SoftGrudger {
    /// What follows the first defection of the punishment.
    rest: &'static [Move],
    /// How many defections in a row it takes.
    patience: u32,
    at: Option<usize>,
}

impl SoftGrudger {
    fn boxed() -> Box<dyn Strategy> {
        const REST: &[Move] = &[Move::D, Move::D, Move::D, Move::C, Move::C];
        Box::new(SoftGrudger { rest: REST, patience: 1, at: None })
    }
}

impl Strategy for SoftGrudger {
    fn choose(&mut self, history: &History<'_>, _: &mut Chance) -> Move {
        if let Some(at) = self.at {
            self.at = (at + 1 < self.rest.len()).then_some(at + 1);
            return self.rest[at];
        }
        let provoked = history.other.defections_in_last(self.patience) == self.patience;
        self.at = provoked.then_some(0);
        Move::d_if(provoked)
    }
}

/// Bears a grudge for ten turns.
#[derive(Default)]
struct Forgetful {
    grudge: Option<u32>,
}

impl Strategy for Forgetful {
    fn choose(&mut self, history: &History<'_>, _: &mut Chance) -> Move {
        if self.grudge == Some(10) {
            self.grudge = None;
        }
        if history.other.just_defected() && self.grudge.is_none() {
            self.grudge = Some(0);
        }
        self.grudge = self.grudge.map(|turns| turns + 1);
        Move::d_if(self.grudge.is_some())
    }
}

pub(super) const ENTRIES: &[StrategyEntry] = &[
    StrategyEntry::new(
        "Grudger",
        "Cooperates until the first defection, then always defects.",
        AXELROD_FIRST,
        |_| reactive(|history, _| Move::d_if(history.other.defections() > 0)),
    ),
    StrategyEntry::new(
        "OppositeGrudger",
        "Defects until the first cooperation, then always cooperates.",
        LIBRARY,
        |_| reactive(|history, _| Move::c_if(history.other.cooperations() > 0)),
    ),
    StrategyEntry::new(
        "EasyGo",
        "Defects until the first defection, then always cooperates.",
        PRISON,
        |_| reactive(|history, _| Move::c_if(history.other.defections() > 0)),
    ),
    StrategyEntry::new("Aggravater", "Defects three times, then plays Grudger.", LIBRARY, |_| {
        reactive(|history, _| Move::d_if(history.turns() < 3 || history.other.defections() > 0))
    }),
    StrategyEntry::new("FoolMeOnce", "Forgives one defection, not two.", LIBRARY, |_| {
        reactive(|history, _| Move::d_if(history.other.defections() > 1))
    }),
    StrategyEntry::new("Forgiver", "Defects while more than a tenth were defections.", LIBRARY, |_| {
        reactive(|history, _| Move::d_if(10 * history.other.defections() > history.other.len()))
    }),
    StrategyEntry::new("SoftGrudger", "Answers a defection with four, then cooperates twice.", LI, |_| {
        SoftGrudger::boxed()
    }),
    StrategyEntry::new(
        "GeneralSoftGrudger",
        "Soft grudger with settings: here one defection, four in return, two of penance.",
        LIBRARY,
        |_| SoftGrudger::boxed(),
    ),
    StrategyEntry::new("ForgetfulGrudger", "Bears a grudge for ten turns.", LIBRARY, |_| {
        Box::new(Forgetful::default())
    }),
    StrategyEntry::new(
        "Grumpy",
        "Defects when defections are well ahead, until cooperations are.",
        LIBRARY,
        |_| {
            let mut grumpy = false;
            reactive(move |history, _| {
                let mood = history.other.defections() as i64 - history.other.cooperations() as i64;
                grumpy = if grumpy { mood >= -10 } else { mood > 10 };
                Move::d_if(grumpy)
            })
        },
    ),
];
