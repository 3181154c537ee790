//! Tit for tat in its variations.

use super::library::Entry;
use super::sources::{
    AXELROD_BOOK, AXELROD_SECOND, LESSWRONG, LIBRARY, PRISON, SLANY, STEWART, TZAFESTAS, WU,
};
use crate::chance::Chance;
use crate::moves::{Move, Past};
use crate::strategy::{Strategy, reactive};

/// Tit for tat that knows its own accidents: after one it cooperates until it has succeeded in cooperating.
#[derive(Default)]
struct Contrite {
    contrite: bool,
    intended: Option<Move>,
}

impl Contrite {
    fn intend(&mut self, past: &Past<'_>) -> Move {
        let Some((own, other)) = past.outcome_ago(1) else { return Move::C };
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
    fn choose(&mut self, past: &Past<'_>, _: &mut Chance) -> Move {
        let intended = self.intend(past);
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
    fn choose(&mut self, past: &Past<'_>, _: &mut Chance) -> Move {
        let Some((own, last)) = past.outcome_ago(1) else { return Move::C };
        let Some(before) = past.other.ago(2) else { return last };
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

pub(super) const ENTRIES: &[Entry] = &[
    Entry::new("TitFor2Tats", "Defects after two defections in a row.", AXELROD_SECOND, |_| {
        reactive(|past, _| Move::d_if(past.other.bits(2) == 0b11))
    })
    .remembering(2),
    Entry::new("TwoTitsForTat", "Answers each defection with two.", AXELROD_BOOK, |_| {
        reactive(|past, _| Move::d_if(past.other.bits(2) != 0))
    })
    .remembering(2),
    Entry::new("HardTitForTat", "Defects if there was a defection in the last three turns.", PRISON, |_| {
        reactive(|past, _| Move::d_if(past.other.bits(3) != 0))
    })
    .remembering(3),
    Entry::new(
        "HardTitFor2Tats",
        "Defects if there were two in a row in the last three turns.",
        STEWART,
        |_| {
            reactive(|past, _| {
                let bits = past.other.bits(3);
                Move::d_if(bits & bits >> 1 != 0)
            })
        },
    )
    .remembering(3),
    Entry::new(
        "SlowTitForTwoTats2",
        "Follows the other once it has made a move twice, else stays.",
        PRISON,
        |_| {
            reactive(|past, _| match (past.other.ago(1), past.other.ago(2), past.own.ago(1)) {
                (Some(last), Some(before), _) if last == before => last,
                (_, Some(_), Some(own)) => own,
                _ => Move::C,
            })
        },
    )
    .remembering(2),
    Entry::new("NTitsForMTats", "Answers two defections in a row with three.", LIBRARY, |_| {
        let mut left = 0;
        reactive(move |past, _| {
            if past.other.len() >= 2 && past.other.bits(2) == 0b11 {
                left = 3;
            }
            let retaliates = left > 0;
            left -= i32::from(retaliates);
            Move::d_if(retaliates)
        })
    }),
    Entry::new("ContriteTitForTat", "Tit for tat that makes up for its own accidents.", WU, |_| {
        Box::new(Contrite::default())
    }),
    Entry::new(
        "AdaptiveTitForTat",
        "Follows a running image of how cooperative the world is.",
        TZAFESTAS,
        |_| {
            let mut world = 0.5;
            reactive(move |past, _| match past.other.last() {
                None => Move::C,
                Some(last) => {
                    let target = if last == Move::C { 1.0 } else { 0.0 };
                    world += 0.5 * (target - world);
                    Move::c_if(world >= 0.5)
                }
            })
        },
    ),
    Entry::new("OmegaTFT", "Breaks deadlocks and gives up on the random.", SLANY, |_| {
        Box::new(Omega::default())
    }),
    Entry::new("ForgivingTitForTat", "Tit for tat, once more than a tenth were defections.", LIBRARY, |_| {
        reactive(|past, _| {
            let often = 10 * past.other.defections() > past.other.len();
            Move::d_if(often && past.other.just_defected())
        })
    }),
    Entry::new(
        "SpitefulTitForTat",
        "Tit for tat until two defections in a row, then always defects.",
        PRISON,
        |_| {
            let mut spiteful = false;
            reactive(move |past, _| {
                spiteful |= past.other.bits(2) == 0b11;
                Move::d_if(spiteful || past.other.just_defected())
            })
        },
    ),
    Entry::new("SneakyTitForTat", "Defects against the harmless, and repents if punished.", LIBRARY, |_| {
        reactive(|past, _| match (past.own.ago(2), past.other.last()) {
            (Some(_), _) if past.other.defections() == 0 => Move::D,
            (Some(Move::D), Some(Move::D)) => Move::C,
            (Some(_), Some(last)) => last,
            _ => Move::C,
        })
    }),
    Entry::new(
        "EugineNier",
        "Tit for tat until the fifth defection, then always defects.",
        LESSWRONG,
        |_| reactive(|past, _| Move::d_if(past.other.defections() >= 5 || past.other.just_defected())),
    ),
    Entry::new(
        "DynamicTwoTitsForTat",
        "Two tits for tat, forgiving as often as the other cooperates.",
        LIBRARY,
        |_| {
            reactive(|past, chance| {
                let forgiven = past.other.cooperations() as f64 / past.other.len().max(1) as f64;
                Move::c_if(past.other.bits(2) == 0 || chance.happens(forgiven))
            })
        },
    )
    .by_chance(),
];
