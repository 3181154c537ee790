//! Strategies that do what the other does most.

use super::library::Entry;
use super::sources::{AXELROD_BOOK, LIBRARY, MITTAL};
use crate::moves::Move;
use crate::strategy::{Strategy, reactive};

/// Defects if more than half of the last `turns` moves were defections.
fn soft_majority(turns: u32) -> Box<dyn Strategy> {
    reactive(move |past, _| {
        let seen = past.other.len().min(turns as usize);
        Move::d_if(2 * past.other.defections_in_last(turns) as usize > seen)
    })
}

pub(super) const ENTRIES: &[Entry] = &[
    Entry::new("GoByMajority", "Defects if the other has mostly defected.", AXELROD_BOOK, |_| {
        reactive(|past, _| Move::d_if(past.other.defections() > past.other.cooperations()))
    }),
    Entry::new("HardGoByMajority", "Defects unless the other has mostly cooperated.", MITTAL, |_| {
        reactive(|past, _| Move::d_if(past.other.defections() >= past.other.cooperations()))
    }),
    Entry::new("GoByMajority5", "Defects if the other mostly defected in the last 5 turns.", LIBRARY, |_| {
        soft_majority(5)
    })
    .remembering(5),
    Entry::new(
        "GoByMajority10",
        "Defects if the other mostly defected in the last 10 turns.",
        LIBRARY,
        |_| soft_majority(10),
    )
    .remembering(10),
    Entry::new(
        "GoByMajority40",
        "Defects if the other mostly defected in the last 40 turns.",
        LIBRARY,
        |_| soft_majority(40),
    )
    .remembering(40),
];
