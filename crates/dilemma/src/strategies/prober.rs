//! Strategies that try what they can get away with.

use super::library::StrategyEntry;
use super::sources::{AXELROD_SECOND, LI, LIBRARY, PRISON, ROBSON};
use crate::chance::Chance;
use crate::moves::{History, Move};
use crate::strategy::{Strategy, reactive};

use Move::{C, D};

/// Opens with fixed moves; if the other answered in the fatal way it does `then` for ever, else tit for tat.
struct Prober {
    opening: &'static [Move],
    /// The other's moves from its second on that give it away.
    answer: &'static [Move],
    then: Move,
    /// Known once the opening is over.
    settled: Option<bool>,
}

impl Prober {
    fn boxed(opening: &'static [Move], answer: &'static [Move], then: Move) -> Box<dyn Strategy> {
        Box::new(Prober { opening, answer, then, settled: None })
    }
}

impl Strategy for Prober {
    fn choose(&mut self, history: &History<'_>, _: &mut Chance) -> Move {
        if let Some(&opening) = self.opening.get(history.turns()) {
            return opening;
        }
        let gave_away = || self.answer.iter().enumerate().all(|(i, &m)| history.other.at(i + 1) == Some(m));
        match *self.settled.get_or_insert_with(gave_away) {
            true => self.then,
            false => Move::d_if(history.other.just_defected()),
        }
    }
}

const PROBER_4: [Move; 20] = [C, C, D, C, D, D, D, C, C, D, C, D, C, C, D, C, D, D, C, D];

/// Counts retaliating and unprovoked defections during a long opening; defects for ever if they balance.
#[derive(Default)]
struct Prober4 {
    just: i32,
    unjust: i32,
}

impl Strategy for Prober4 {
    fn choose(&mut self, history: &History<'_>, _: &mut Chance) -> Move {
        let turn = history.turns();
        if turn < PROBER_4.len() {
            match history.outcome_ago(1) {
                Some((D, D)) => self.just += 1,
                Some((C, D)) => self.unjust += 1,
                _ => {}
            }
            return PROBER_4[turn];
        }
        if (self.just - self.unjust).abs() <= 2 {
            return D;
        }
        Move::d_if(turn >= PROBER_4.len() + 5 && history.other.just_defected())
    }
}

/// Tit for tat that now and then defects; a remorseful one lets the other hit back once.
struct RandomProber {
    remorseful: bool,
    probing: bool,
}

impl Strategy for RandomProber {
    fn choose(&mut self, history: &History<'_>, chance: &mut Chance) -> Move {
        match history.other.last() {
            None => C,
            Some(D) => Move::c_if(self.remorseful && std::mem::take(&mut self.probing)),
            Some(C) => {
                self.probing = chance.happens(0.1);
                Move::d_if(self.probing)
            }
        }
    }
}

/// Defects first; apologizes and plays tit for tat once the other defects, else alternates.
#[derive(Default)]
struct Tester {
    caught: bool,
}

impl Strategy for Tester {
    fn choose(&mut self, history: &History<'_>, _: &mut Chance) -> Move {
        let Some((own, other)) = history.outcome_ago(1) else { return D };
        if self.caught {
            return other;
        }
        if other == D {
            self.caught = true;
            return C;
        }
        if history.turns() <= 2 { C } else { !own }
    }
}

pub(super) const ENTRIES: &[StrategyEntry] = &[
    StrategyEntry::new(
        "Prober",
        "Plays D, C, C; defects for ever if the other put up with it, else tit for tat.",
        LI,
        |_| Prober::boxed(&[D, C, C], &[C, C], D),
    ),
    StrategyEntry::new(
        "Prober2",
        "Plays D, C, C; cooperates for ever after D, C, else tit for tat.",
        PRISON,
        |_| Prober::boxed(&[D, C, C], &[D, C], C),
    ),
    StrategyEntry::new(
        "Prober3",
        "Plays D, C; defects for ever if the other put up with it, else tit for tat.",
        PRISON,
        |_| Prober::boxed(&[D, C], &[C], D),
    ),
    StrategyEntry::new("Prober4", "Judges by twenty moves whether the other retaliates.", PRISON, |_| {
        Box::new(Prober4::default())
    }),
    StrategyEntry::new("HardProber", "Plays D, D, C, C, then as Prober.", PRISON, |_| {
        Prober::boxed(&[D, D, C, C], &[C, C], D)
    }),
    StrategyEntry::new("NaiveProber", "Tit for tat that defects one time in ten.", LI, |_| {
        Box::new(RandomProber { remorseful: false, probing: false })
    })
    .by_chance(),
    StrategyEntry::new("RemorsefulProber", "The same, but accepts being punished for it.", LI, |_| {
        Box::new(RandomProber { remorseful: true, probing: false })
    })
    .by_chance(),
    StrategyEntry::new(
        "SecondByTester",
        "Alternates while it goes unpunished, else apologizes.",
        AXELROD_SECOND,
        |_| Box::new(Tester::default()),
    ),
    StrategyEntry::new(
        "Handshake",
        "Plays C, D; cooperates for ever with who did the same, else defects.",
        ROBSON,
        |_| {
            reactive(|history, _| match history.turns() {
                0 => C,
                1 => D,
                _ => Move::c_if(history.other.at(0) == Some(C) && history.other.at(1) == Some(D)),
            })
        },
    ),
    StrategyEntry::new("Appeaser", "Changes its move whenever the other defects.", LIBRARY, |_| {
        reactive(|history, _| match history.outcome_ago(1) {
            None => C,
            Some((own, D)) => !own,
            Some((own, C)) => own,
        })
    })
    .remembering(1),
    StrategyEntry::new("TrickyCooperator", "Defects against who cooperated for ten turns.", LIBRARY, |_| {
        reactive(|history, _| Move::d_if(history.turns() >= 3 && history.other.bits(10) == 0))
    }),
    StrategyEntry::new(
        "TrickyDefector",
        "Cooperates only to win back who has defected three times.",
        LIBRARY,
        |_| {
            reactive(|history, _| {
                Move::c_if(history.other.cooperations() > 0 && history.other.bits(3) == 0b111)
            })
        },
    ),
];
