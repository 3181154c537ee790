//! Tit for tat in its variations.

use super::library::StrategyEntry;
use super::sources::{
    AXELROD_BOOK, AXELROD_SECOND, LESSWRONG, LIBRARY, PRISON, SLANY, STEWART, TZAFESTAS, WU,
};
use crate::chance::Chance;
use crate::moves::{History, Move};
use crate::strategy::{Strategy, reactive};

/// Tit for tat that knows its own accidents: after one it cooperates until it has succeeded in cooperating.
#[derive(Default)]
struct Contrite {
    contrite: bool,
    intended: Option<Move>,
}

impl Contrite {
    fn intend(&mut self, history: &History<'_>) -> Move {
        let Some((own, other)) = history.outcome_ago(1) else { return Move::C };
        if self.contrite && own == Move::C {
            self.contrite = false;
            return Move::C;
        }
        let accident = self.intended.is_some_and(|intended| intended != own);
        if accident && own == Move::D && other == Move::C {
            self.contrite = true;
        }
        other
    }
}

impl Strategy for Contrite {
    fn choose(&mut self, history: &History<'_>, _: &mut Chance) -> Move {
        let intended = self.intend(history);
        self.intended = Some(intended);
        intended
    }
}

/// Tit for tat that breaks deadlocks of alternating defections and gives up on players that look random.
#[derive(Default)]
pub(crate) struct Omega {
    deadlock: u32,
    randomness: i32,
}

/// After so many changes of the other's move in a row it takes this for a deadlock.
const DEADLOCK: u32 = 3;
/// From this much randomness on it defects.
const RANDOMNESS: i32 = 8;

impl Strategy for Omega {
    fn choose(&mut self, history: &History<'_>, _: &mut Chance) -> Move {
        let Some((own, last)) = history.outcome_ago(1) else { return Move::C };
        let Some(before) = history.other.ago(2) else { return last };
        if self.deadlock >= DEADLOCK {
            self.deadlock = if self.deadlock == DEADLOCK { DEADLOCK + 1 } else { 0 };
            return Move::C;
        }
        let changed = before != last;
        self.randomness -= i32::from(before == Move::C && last == Move::C);
        self.randomness += i32::from(changed) + i32::from(own != last);
        if self.randomness >= RANDOMNESS {
            return Move::D;
        }
        self.deadlock = if changed { self.deadlock + 1 } else { 0 };
        last
    }
}

pub(super) const ENTRIES: &[StrategyEntry] = &[
    StrategyEntry::new("TitFor2Tats", "Defects after two defections in a row.", AXELROD_SECOND, |_| {
        reactive(|history, _| Move::d_if(history.other.bits(2) == 0b11))
    })
    .remembering(2),
    StrategyEntry::new("TwoTitsForTat", "Answers each defection with two.", AXELROD_BOOK, |_| {
        reactive(|history, _| Move::d_if(history.other.bits(2) != 0))
    })
    .remembering(2),
    StrategyEntry::new(
        "HardTitForTat",
        "Defects if there was a defection in the last three turns.",
        PRISON,
        |_| reactive(|history, _| Move::d_if(history.other.bits(3) != 0)),
    )
    .remembering(3),
    StrategyEntry::new(
        "HardTitFor2Tats",
        "Defects if there were two in a row in the last three turns.",
        STEWART,
        |_| {
            reactive(|history, _| {
                let bits = history.other.bits(3);
                Move::d_if(bits & bits >> 1 != 0)
            })
        },
    )
    .remembering(3),
    StrategyEntry::new(
        "SlowTitForTwoTats2",
        "Follows the other once it has made a move twice, else stays.",
        PRISON,
        |_| {
            reactive(|history, _| match (history.other.ago(1), history.other.ago(2), history.own.ago(1)) {
                (Some(last), Some(before), _) if last == before => last,
                (_, Some(_), Some(own)) => own,
                _ => Move::C,
            })
        },
    )
    .remembering(2),
    StrategyEntry::new("NTitsForMTats", "Answers two defections in a row with three.", LIBRARY, |_| {
        let mut left = 0;
        reactive(move |history, _| {
            if history.other.len() >= 2 && history.other.bits(2) == 0b11 {
                left = 3;
            }
            let retaliates = left > 0;
            left -= i32::from(retaliates);
            Move::d_if(retaliates)
        })
    }),
    StrategyEntry::new("ContriteTitForTat", "Tit for tat that makes up for its own accidents.", WU, |_| {
        Box::new(Contrite::default())
    }),
    StrategyEntry::new(
        "AdaptiveTitForTat",
        "Follows a running image of how cooperative the world is.",
        TZAFESTAS,
        |_| {
            let mut world = 0.5;
            reactive(move |history, _| match history.other.last() {
                None => Move::C,
                Some(last) => {
                    let target = if last == Move::C { 1.0 } else { 0.0 };
                    world += 0.5 * (target - world);
                    Move::c_if(world >= 0.5)
                }
            })
        },
    ),
    StrategyEntry::new("OmegaTFT", "Breaks deadlocks and gives up on the random.", SLANY, |_| {
        Box::new(Omega::default())
    }),
    StrategyEntry::new(
        "ForgivingTitForTat",
        "Tit for tat, once more than a tenth were defections.",
        LIBRARY,
        |_| {
            reactive(|history, _| {
                let often = 10 * history.other.defections() > history.other.len();
                Move::d_if(often && history.other.just_defected())
            })
        },
    ),
    StrategyEntry::new(
        "SpitefulTitForTat",
        "Tit for tat until two defections in a row, then always defects.",
        PRISON,
        |_| {
            let mut spiteful = false;
            reactive(move |history, _| {
                spiteful |= history.other.bits(2) == 0b11;
                Move::d_if(spiteful || history.other.just_defected())
            })
        },
    ),
    StrategyEntry::new(
        "SneakyTitForTat",
        "Defects against the harmless, and repents if punished.",
        LIBRARY,
        |_| {
            reactive(|history, _| match (history.own.ago(2), history.other.last()) {
                (Some(_), _) if history.other.defections() == 0 => Move::D,
                (Some(Move::D), Some(Move::D)) => Move::C,
                (Some(_), Some(last)) => last,
                _ => Move::C,
            })
        },
    ),
    StrategyEntry::new(
        "EugineNier",
        "Tit for tat until the fifth defection, then always defects.",
        LESSWRONG,
        |_| {
            reactive(|history, _| {
                Move::d_if(history.other.defections() >= 5 || history.other.just_defected())
            })
        },
    ),
    StrategyEntry::new(
        "DynamicTwoTitsForTat",
        "Two tits for tat, forgiving as often as the other cooperates.",
        LIBRARY,
        |_| {
            reactive(|history, chance| {
                let forgiven = history.other.cooperations() as f64 / history.other.len().max(1) as f64;
                Move::c_if(history.other.bits(2) == 0 || chance.happens(forgiven))
            })
        },
    )
    .by_chance(),
];
