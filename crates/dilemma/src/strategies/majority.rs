//! Strategies that do what the other does most.

use super::library::StrategyEntry;
use super::sources::{AXELROD_BOOK, LIBRARY, MITTAL};
use crate::moves::Move;
use crate::strategy::{Strategy, reactive};

/// Defects if more than half of the last `turns` moves were defections.
fn soft_majority(turns: u32) -> Box<dyn Strategy> {
    reactive(move |history, _| {
        let seen = history.other.len().min(turns as usize);
        Move::d_if(2 * history.other.defections_in_last(turns) as usize > seen)
    })
}

pub(super) const ENTRIES: &[StrategyEntry] = &[
    StrategyEntry::new("GoByMajority", "Defects if the other has mostly defected.", AXELROD_BOOK, |_| {
        reactive(|history, _| Move::d_if(history.other.defections() > history.other.cooperations()))
    }),
    StrategyEntry::new("HardGoByMajority", "Defects unless the other has mostly cooperated.", MITTAL, |_| {
        reactive(|history, _| Move::d_if(history.other.defections() >= history.other.cooperations()))
    }),
    StrategyEntry::new(
        "GoByMajority5",
        "Defects if the other mostly defected in the last 5 turns.",
        LIBRARY,
        |_| soft_majority(5),
    )
    .remembering(5),
    StrategyEntry::new(
        "GoByMajority10",
        "Defects if the other mostly defected in the last 10 turns.",
        LIBRARY,
        |_| soft_majority(10),
    )
    .remembering(10),
    StrategyEntry::new(
        "GoByMajority40",
        "Defects if the other mostly defected in the last 40 turns.",
        LIBRARY,
        |_| soft_majority(40),
    )
    .remembering(40),
];
