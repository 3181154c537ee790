//! The states that wait to be expanded.

use std::collections::BTreeMap;

use super::states::StateId;

/// States by estimated total cost, then by estimated rest; the youngest first among equals.
///
/// One bucket for each pair of estimates that occurs, in an ordered map: zero costs and costs of many millions
/// are all the same to it.
#[derive(Debug, Default)]
pub(super) struct OpenList {
    buckets: BTreeMap<(u64, u64), Vec<StateId>>,
}

impl OpenList {
    /// Puts in a state with total estimate `f`, of which `h` is still to come.
    pub(super) fn push(&mut self, f: u64, h: u64, state: StateId) {
        self.buckets.entry((f, h)).or_default().push(state);
    }

    /// Takes out the most promising state, with its estimates when it was put in.
    pub(super) fn pop(&mut self) -> Option<(u64, u64, StateId)> {
        let mut first = self.buckets.first_entry()?;
        let (f, h) = *first.key();
        let state = first.get_mut().pop();
        if first.get().is_empty() {
            first.remove();
        }
        state.map(|state| (f, h, state))
    }
}
