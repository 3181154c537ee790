//! Sets of states.

use crate::world::HiddenWorld;

/// A canonical set: sorted by key, without duplicates.
pub(crate) fn make_set<W: HiddenWorld>(world: &W, states: &mut Vec<W::State>) {
    if states.len() > 1 {
        states.sort_unstable_by_key(|state| world.key(state));
        states.dedup();
    }
}

/// A fingerprint of a set with the steps that remain: 128 bits of sums, which do not depend on the order.
pub(crate) fn fingerprint<W: HiddenWorld>(world: &W, states: &[W::State], depth: usize) -> (u64, u64) {
    let mut sums = (depth as u64, (states.len() as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    for state in states {
        let key = world.key(state);
        let mixed = (key ^ (key >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        sums.0 = sums.0.wrapping_add(mixed ^ (mixed >> 32));
        sums.1 = sums.1.wrapping_add((key ^ (key >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd));
    }
    sums
}

/// Splits a sorted list into runs with the same first part.
pub(crate) fn runs<P: Copy + Eq, S>(list: &[(P, S)]) -> impl Iterator<Item = (P, &[(P, S)])> {
    list.chunk_by(|a, b| a.0 == b.0).map(|run| (run[0].0, run))
}
