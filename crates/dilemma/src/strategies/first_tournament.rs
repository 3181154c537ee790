//! Entries of Axelrod's first tournament that need more than the last outcome.

use super::library::StrategyEntry;
use super::sources::AXELROD_FIRST;
use crate::chance::Chance;
use crate::moves::{History, Move};
use crate::payoffs::Payoffs;
use crate::strategy::{Strategy, reactive};

/// Retaliates one turn longer each time mutual cooperation is broken.
#[derive(Default)]
struct Shubik {
    length: u32,
    left: u32,
}

impl Strategy for Shubik {
    fn choose(&mut self, history: &History<'_>, _: &mut Chance) -> Move {
        if self.left > 0 {
            self.left -= 1;
            return Move::D;
        }
        if history.outcome_ago(1) == Some((Move::C, Move::D)) {
            self.length += 1;
            self.left = self.length - 1;
            return Move::D;
        }
        Move::C
    }
}

/// The sums after which Nydegger's rule defects, as a set of bits.
const NYDEGGER: u64 = {
    let sums = [1, 6, 7, 17, 22, 23, 26, 29, 30, 31, 33, 38, 39, 45, 49, 54, 55, 58, 61];
    let mut set = 0u64;
    let mut i = 0;
    while i < sums.len() {
        set |= 1 << sums[i];
        i += 1;
    }
    set
};

/// Weighs the last three outcomes; the other's defection counts two, its own one. The latest outcome weighs most,
/// as in the Axelrod library; the description in words says "in chronological order".
fn nydegger(history: &History<'_>) -> Move {
    match history.turns() {
        0 => Move::C,
        2 if history.other.at(0) == Some(Move::D) && history.other.at(1) == Some(Move::C) => Move::D,
        1 | 2 => Move::d_if(history.other.just_defected()),
        _ => {
            let (own, other) = (history.own.bits(3), history.other.bits(3));
            let points = |ago: u64| (own >> ago & 1) + 2 * (other >> ago & 1);
            let sum = 16 * points(0) + 4 * points(1) + points(2);
            Move::d_if(NYDEGGER >> sum & 1 == 1)
        }
    }
}

/// Estimates how the other answers cooperation and defection, and does for ever what pays more.
struct Downing {
    payoffs: Payoffs,
    /// The other's cooperations after our C and after our D.
    answered: [u32; 2],
}

impl Strategy for Downing {
    fn choose(&mut self, history: &History<'_>, _: &mut Chance) -> Move {
        let Some((own, other)) = history.outcome_ago(1) else { return Move::D };
        // Its first move is taken for an answer to a cooperation before the match.
        let asked = history.own.ago(2).unwrap_or(Move::C);
        self.answered[asked.index()] += u32::from(other == Move::C);
        if history.turns() == 1 {
            return Move::D;
        }
        let after_c = f64::from(self.answered[0]) / (history.own.cooperations() + 1) as f64;
        let after_d = f64::from(self.answered[1]) / history.own.defections().max(2) as f64;
        let cooperating = after_c * self.payoffs.cc + (1.0 - after_c) * self.payoffs.cd;
        let defecting = after_d * self.payoffs.dc + (1.0 - after_d) * self.payoffs.dd;
        if cooperating > defecting {
            Move::C
        } else if cooperating < defecting {
            Move::D
        } else {
            !own
        }
    }
}

/// Tit for tat whose cooperation wears off to one half by the two hundredth turn.
fn feld(history: &History<'_>, chance: &mut Chance) -> Move {
    match history.other.last() {
        None => Move::C,
        Some(Move::D) => Move::D,
        Some(Move::C) => Move::c_if(chance.happens((1.0 - history.turns() as f64 / 400.0).max(0.5))),
    }
}

fn tullock(history: &History<'_>, chance: &mut Chance) -> Move {
    if history.turns() < 11 {
        return Move::C;
    }
    let cooperated = f64::from(10 - history.other.defections_in_last(10)) / 10.0;
    Move::c_if(chance.happens(cooperated - 0.1))
}

/// Tit for tat after four cooperations, with a test for randomness every fifteen turns.
struct SteinAndRapoport {
    turns: Option<u32>,
    random: bool,
}

impl Strategy for SteinAndRapoport {
    fn choose(&mut self, history: &History<'_>, _: &mut Chance) -> Move {
        let turn = history.turns() as u32;
        if turn >= 14 && (turn + 1).is_multiple_of(15) {
            self.random = looks_random(history);
        }
        let near_the_end = self.turns.is_some_and(|turns| turn + 2 >= turns);
        Move::d_if(near_the_end || self.random || turn >= 4 && history.other.just_defected())
    }
}

/// Whether the other's moves could be tosses of a fair coin: chi-squared with one degree of freedom, at 5 %.
fn looks_random(history: &History<'_>) -> bool {
    let half = history.other.len() as f64 / 2.0;
    let off = history.other.defections() as f64 - half;
    2.0 * off * off / half <= 3.841
}

pub(super) const ENTRIES: &[StrategyEntry] = &[
    StrategyEntry::new(
        "FirstByDavis",
        "Cooperates for ten turns, then plays Grudger.",
        AXELROD_FIRST,
        |_| reactive(|history, _| Move::d_if(history.turns() >= 10 && history.other.defections() > 0)),
    ),
    StrategyEntry::new("FirstByShubik", "Retaliates one turn longer each time.", AXELROD_FIRST, |_| {
        Box::new(Shubik::default())
    }),
    StrategyEntry::new(
        "FirstByNydegger",
        "Looks the last three outcomes up in a list.",
        AXELROD_FIRST,
        |_| reactive(|history, _| nydegger(history)),
    ),
    StrategyEntry::new(
        "FirstByDowning",
        "Does what pays against the answers it has counted.",
        AXELROD_FIRST,
        |setting| Box::new(Downing { payoffs: setting.payoffs, answered: [0; 2] }),
    ),
    StrategyEntry::new("FirstByFeld", "Tit for tat that cooperates less and less.", AXELROD_FIRST, |_| {
        reactive(feld)
    })
    .by_chance(),
    StrategyEntry::new(
        "FirstByTullock",
        "Cooperates a little less than the other did in ten turns.",
        AXELROD_FIRST,
        |_| reactive(tullock),
    )
    .by_chance(),
    StrategyEntry::new(
        "FirstBySteinAndRapoport",
        "Tit for tat after four cooperations; defects against the random, and at a known end.",
        AXELROD_FIRST,
        |setting| Box::new(SteinAndRapoport { turns: setting.turns, random: false }),
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nydegger_cooperates_after_three_mutual_defections() {
        let list = |text: &str| text.chars().map(|c| Move::d_if(c == 'D')).collect::<crate::Moves>();
        let (own, other) = (list("DDD"), list("DDD"));
        assert_eq!(nydegger(&History { own: &own, other: &other }), Move::C);
    }
}
