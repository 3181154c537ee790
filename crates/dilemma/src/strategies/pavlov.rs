//! Adaptive Pavlov: classes the other player every six turns and answers its class.

use super::library::StrategyEntry;
use super::sources::LI;
use crate::chance::Chance;
use crate::moves::{History, Move};
use crate::strategy::Strategy;

/// What the other player is taken for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Cooperative,
    AlwaysDefects,
    Suspicious,
    PavlovD,
    Random,
}

/// Turns per period of classification.
const PERIOD: u32 = 6;

fn tit_for_tat(history: &History<'_>) -> Move {
    Move::d_if(history.other.just_defected())
}

/// The version of 2006.
#[derive(Default)]
struct Pavlov2006 {
    kind: Option<Kind>,
}

impl Strategy for Pavlov2006 {
    fn choose(&mut self, history: &History<'_>, _: &mut Chance) -> Move {
        let turn = history.turns() as u32;
        if turn < PERIOD {
            return tit_for_tat(history);
        }
        if turn.is_multiple_of(PERIOD) {
            self.kind = match history.other.bits(PERIOD) {
                0b000000 => Some(Kind::Cooperative),
                0b111111 => Some(Kind::AlwaysDefects),
                0b101010 => Some(Kind::Suspicious),
                0b110110 => Some(Kind::PavlovD),
                _ => self.kind.or(Some(Kind::Random)),
            };
        }
        match self.kind {
            Some(Kind::Random | Kind::AlwaysDefects) => Move::D,
            Some(Kind::Suspicious) if turn % PERIOD < 2 => Move::C,
            Some(Kind::Suspicious | Kind::Cooperative) => tit_for_tat(history),
            Some(Kind::PavlovD) => Move::d_if(turn.is_multiple_of(PERIOD)),
            None => Move::C,
        }
    }
}

/// The version of 2011.
#[derive(Default)]
struct Pavlov2011 {
    kind: Option<Kind>,
}

impl Strategy for Pavlov2011 {
    fn choose(&mut self, history: &History<'_>, _: &mut Chance) -> Move {
        let turn = history.turns() as u32;
        if turn < PERIOD {
            return tit_for_tat(history);
        }
        if turn.is_multiple_of(PERIOD) {
            self.kind = match history.other.defections_in_last(PERIOD) {
                0 => Some(Kind::Cooperative),
                3 => Some(Kind::Suspicious),
                4.. => Some(Kind::AlwaysDefects),
                _ => self.kind.or(Some(Kind::Random)),
            };
        }
        match self.kind {
            Some(Kind::Suspicious) => Move::d_if(history.other.bits(2) == 0b11),
            Some(Kind::Cooperative) => tit_for_tat(history),
            _ => Move::D,
        }
    }
}

pub(super) const ENTRIES: &[StrategyEntry] = &[
    StrategyEntry::new("APavlov2006", "Classes the other by its last six moves, exactly.", LI, |_| {
        Box::new(Pavlov2006::default())
    }),
    StrategyEntry::new(
        "APavlov2011",
        "Classes the other by the defections among its last six moves.",
        LI,
        |_| Box::new(Pavlov2011::default()),
    ),
];
