//! Strategies that look at the last outcome only, and zero-determinant strategies among them.

use super::library::StrategyEntry;
use super::sources::{
    AXELROD_BOOK, AXELROD_FIRST, BERG, FREAN, HILBE, LIBRARY, NACHBAR, NOWAK, PRESS, PRISON, STEWART,
};
use crate::chance::Chance;
use crate::moves::{History, Move, outcome};
use crate::payoffs::Payoffs;
use crate::strategy::{Strategy, reactive};

/// Cooperates with a probability that depends on the last outcome only.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MemoryOne {
    /// How likely it is to cooperate first.
    pub first: f64,
    /// How likely it is to cooperate after CC, CD, DC, DD (its own move first).
    pub after: [f64; 4],
}

impl Strategy for MemoryOne {
    #[inline]
    fn choose(&mut self, history: &History<'_>, chance: &mut Chance) -> Move {
        let probability =
            history.outcome_ago(1).map_or(self.first, |(own, other)| self.after[outcome(own, other)]);
        // Certainties need no draw.
        if probability >= 1.0 {
            Move::C
        } else if probability <= 0.0 {
            Move::D
        } else {
            Move::c_if(chance.happens(probability))
        }
    }
}

fn memory_one(first: f64, after: [f64; 4]) -> Box<dyn Strategy> {
    Box::new(MemoryOne { first, after })
}

/// The generosity of Nowak and Sigmund: as forgiving as can be without being exploited.
fn generosity(payoffs: &Payoffs) -> f64 {
    let Payoffs { cc: r, cd: s, dc: t, dd: p } = *payoffs;
    let most = (1.0 - (t - r) / (r - s)).min((r - p) / (t - p));
    if most.is_finite() { most.clamp(0.0, 1.0) } else { 0.0 }
}

/// Enforces a line between the scores (Press and Dyson): both get `base` or `own - base` is the other's difference
/// divided by `slope`. `scale` chooses among the strategies that do.
fn linear_relation(payoffs: &Payoffs, scale: f64, slope: f64, base: f64) -> Box<dyn Strategy> {
    let Payoffs { cc: r, cd: s, dc: t, dd: p } = *payoffs;
    let after = [
        1.0 - scale * (1.0 - slope) * (r - base),
        1.0 - scale * (slope * (base - s) + (t - base)),
        scale * ((base - s) + slope * (t - base)),
        scale * (1.0 - slope) * (base - p),
    ];
    // With unusual payoffs there may be no such strategy; the nearest probabilities are played then.
    memory_one(1.0, after.map(|probability| probability.clamp(0.0, 1.0)))
}

pub(super) const ENTRIES: &[StrategyEntry] = &[
    StrategyEntry::new("Cooperator", "Always cooperates.", AXELROD_BOOK, |_| reactive(|_, _| Move::C))
        .remembering(0),
    StrategyEntry::new("Defector", "Always defects.", AXELROD_BOOK, |_| reactive(|_, _| Move::D))
        .remembering(0),
    StrategyEntry::new("Random", "Tosses a fair coin.", AXELROD_FIRST, |_| memory_one(0.5, [0.5; 4]))
        .remembering(0)
        .by_chance(),
    StrategyEntry::new("TitForTat", "Cooperates first, then does what the other did.", AXELROD_FIRST, |_| {
        reactive(|history, _| Move::d_if(history.other.just_defected()))
    })
    .remembering(1),
    StrategyEntry::new("SuspiciousTitForTat", "Defects first, then does what the other did.", HILBE, |_| {
        memory_one(0.0, [1.0, 0.0, 1.0, 0.0])
    })
    .remembering(1),
    StrategyEntry::new(
        "AntiTitForTat",
        "Cooperates first, then does the opposite of the other.",
        HILBE,
        |_| memory_one(1.0, [0.0, 1.0, 0.0, 1.0]),
    )
    .remembering(1),
    StrategyEntry::new("Bully", "Defects first, then does the opposite of the other.", NACHBAR, |_| {
        memory_one(0.0, [0.0, 1.0, 0.0, 1.0])
    })
    .remembering(1),
    StrategyEntry::new("Alternator", "Does the opposite of what it did last.", AXELROD_BOOK, |_| {
        memory_one(1.0, [0.0, 0.0, 1.0, 1.0])
    })
    .remembering(1),
    StrategyEntry::new(
        "WinStayLoseShift",
        "Keeps its move if it paid well, else changes it (Pavlov).",
        NOWAK,
        |_| memory_one(1.0, [1.0, 0.0, 0.0, 1.0]),
    )
    .remembering(1),
    StrategyEntry::new(
        "WinShiftLoseStay",
        "Changes its move if it paid well, else keeps it.",
        LIBRARY,
        |_| memory_one(0.0, [0.0, 1.0, 1.0, 0.0]),
    )
    .remembering(1),
    StrategyEntry::new(
        "StochasticWSLS",
        "Win-stay, lose-shift with an error of one in twenty.",
        NOWAK,
        |_| memory_one(1.0, [0.95, 0.05, 0.05, 0.95]),
    )
    .remembering(1)
    .by_chance(),
    StrategyEntry::new("GTFT", "Tit for tat that forgives as often as it can afford.", NOWAK, |setting| {
        let forgiven = generosity(&setting.payoffs);
        memory_one(1.0, [1.0, forgiven, 1.0, forgiven])
    })
    .remembering(1)
    .by_chance(),
    StrategyEntry::new("SoftJoss", "Tit for tat that forgives one defection in ten.", PRISON, |_| {
        memory_one(1.0, [1.0, 0.1, 1.0, 0.1])
    })
    .remembering(1)
    .by_chance(),
    StrategyEntry::new(
        "FirstByJoss",
        "Tit for tat that defects one time in ten instead.",
        AXELROD_FIRST,
        |_| memory_one(1.0, [0.9, 0.0, 0.9, 0.0]),
    )
    .remembering(1)
    .by_chance(),
    StrategyEntry::new(
        "FirstByGrofman",
        "Cooperates unless the players differed; then two times in seven.",
        AXELROD_FIRST,
        |_| memory_one(1.0, [1.0, 2.0 / 7.0, 2.0 / 7.0, 1.0]),
    )
    .remembering(1)
    .by_chance(),
    StrategyEntry::new("FirmButFair", "Cooperates, but not after having been exploited.", FREAN, |_| {
        memory_one(1.0, [1.0, 0.0, 1.0, 2.0 / 3.0])
    })
    .remembering(1)
    .by_chance(),
    StrategyEntry::new(
        "StochasticCooperator",
        "Nearly always cooperates, except after being exploited.",
        LIBRARY,
        |_| memory_one(1.0, [0.935, 0.229, 0.266, 0.42]),
    )
    .remembering(1)
    .by_chance(),
    StrategyEntry::new("Willing", "Defects only after mutual defection; tosses a coin first.", BERG, |_| {
        memory_one(0.5, [1.0, 1.0, 1.0, 0.0])
    })
    .remembering(1)
    .by_chance(),
    StrategyEntry::new(
        "ZDExtort2",
        "Extorts twice the other's surplus over mutual defection.",
        STEWART,
        |setting| linear_relation(&setting.payoffs, 1.0 / 9.0, 0.5, setting.payoffs.dd),
    )
    .remembering(1)
    .by_chance(),
    StrategyEntry::new("ZDExtort3", "Extorts three times the other's surplus.", PRESS, |setting| {
        linear_relation(&setting.payoffs, 3.0 / 26.0, 1.0 / 3.0, setting.payoffs.dd)
    })
    .remembering(1)
    .by_chance(),
    StrategyEntry::new("ZDExtort4", "Extorts four times the other's surplus.", STEWART, |setting| {
        linear_relation(&setting.payoffs, 4.0 / 17.0, 0.25, setting.payoffs.dd)
    })
    .remembering(1)
    .by_chance(),
    StrategyEntry::new(
        "ZDGTFT2",
        "Takes twice the other's loss against mutual cooperation on itself.",
        STEWART,
        |setting| linear_relation(&setting.payoffs, 0.25, 0.5, setting.payoffs.cc),
    )
    .remembering(1)
    .by_chance(),
    StrategyEntry::new("ZDSet2", "Sets the other's score to two per turn.", PRESS, |setting| {
        linear_relation(&setting.payoffs, 0.25, 0.0, 2.0)
    })
    .remembering(1)
    .by_chance(),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strategies::find;

    /// Frequencies of cooperation after each outcome agree with the published four-vectors.
    #[test]
    fn published_vectors() {
        let cases: &[(&str, [f64; 4])] = &[
            ("ZDExtort2", [8.0 / 9.0, 0.5, 1.0 / 3.0, 0.0]),
            ("ZDExtort3", [11.0 / 13.0, 0.5, 7.0 / 26.0, 0.0]),
            ("ZDExtort4", [11.0 / 17.0, 0.0, 8.0 / 17.0, 0.0]),
            ("ZDGTFT2", [1.0, 1.0 / 8.0, 1.0, 1.0 / 4.0]),
            ("GTFT", [1.0, 1.0 / 3.0, 1.0, 1.0 / 3.0]),
        ];
        for (name, after) in cases {
            let mut player = find(name).expect("it is listed").player(&Default::default());
            let mut chance = Chance::new(1, &[]);
            for (number, &expected) in after.iter().enumerate() {
                let list = |defects: bool| [Move::d_if(defects)].into_iter().collect();
                let (own, other) = (list(number >= 2), list(number % 2 == 1));
                let history = History { own: &own, other: &other };
                let cooperated =
                    (0..20_000).filter(|_| player.choose(&history, &mut chance) == Move::C).count();
                let found = cooperated as f64 / 20_000.0;
                assert!((found - expected).abs() < 0.02, "{name} after {number}: {found}, not {expected}");
            }
        }
    }
}
