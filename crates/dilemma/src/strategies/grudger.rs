//! Strategies that bear grudges.

use super::library::Entry;
use super::sources::{AXELROD_FIRST, LI, LIBRARY, PRISON};
use crate::chance::Chance;
use crate::moves::{Move, Past};
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
    fn choose(&mut self, past: &Past<'_>, _: &mut Chance) -> Move {
        if let Some(at) = self.at {
            self.at = (at + 1 < self.rest.len()).then_some(at + 1);
            return self.rest[at];
        }
        let provoked = past.other.defections_in_last(self.patience) == self.patience;
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
    fn choose(&mut self, past: &Past<'_>, _: &mut Chance) -> Move {
        if self.grudge == Some(10) {
            self.grudge = None;
        }
        if past.other.just_defected() && self.grudge.is_none() {
            self.grudge = Some(0);
        }
        self.grudge = self.grudge.map(|turns| turns + 1);
        Move::d_if(self.grudge.is_some())
    }
}

pub(super) const ENTRIES: &[Entry] = &[
    Entry::new(
        "Grudger",
        "Cooperates until the first defection, then always defects.",
        AXELROD_FIRST,
        |_| reactive(|past, _| Move::d_if(past.other.defections() > 0)),
    ),
    Entry::new(
        "OppositeGrudger",
        "Defects until the first cooperation, then always cooperates.",
        LIBRARY,
        |_| reactive(|past, _| Move::c_if(past.other.cooperations() > 0)),
    ),
    Entry::new("EasyGo", "Defects until the first defection, then always cooperates.", PRISON, |_| {
        reactive(|past, _| Move::c_if(past.other.defections() > 0))
    }),
    Entry::new("Aggravater", "Defects three times, then plays Grudger.", LIBRARY, |_| {
        reactive(|past, _| Move::d_if(past.turns() < 3 || past.other.defections() > 0))
    }),
    Entry::new("FoolMeOnce", "Forgives one defection, not two.", LIBRARY, |_| {
        reactive(|past, _| Move::d_if(past.other.defections() > 1))
    }),
    Entry::new("Forgiver", "Defects while more than a tenth were defections.", LIBRARY, |_| {
        reactive(|past, _| Move::d_if(10 * past.other.defections() > past.other.len()))
    }),
    Entry::new("SoftGrudger", "Answers a defection with four, then cooperates twice.", LI, |_| {
        SoftGrudger::boxed()
    }),
    Entry::new(
        "GeneralSoftGrudger",
        "Soft grudger with settings: here one defection, four in return, two of penance.",
        LIBRARY,
        |_| SoftGrudger::boxed(),
    ),
    Entry::new("ForgetfulGrudger", "Bears a grudge for ten turns.", LIBRARY, |_| {
        Box::new(Forgetful::default())
    }),
    Entry::new("Grumpy", "Defects when defections are well ahead, until cooperations are.", LIBRARY, |_| {
        let mut grumpy = false;
        reactive(move |past, _| {
            let mood = past.other.defections() as i64 - past.other.cooperations() as i64;
            grumpy = if grumpy { mood >= -10 } else { mood > 10 };
            Move::d_if(grumpy)
        })
    }),
];
