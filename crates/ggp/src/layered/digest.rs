//! Whether two solutions are the same, however they are kept.

/// A number for a state and its outcome. The sum over a layer does not depend on the order in which it is kept.
#[inline]
pub fn digest(state: u64, outcome: usize) -> u64 {
    mix(mix(state) ^ (outcome as u64 + 1))
}

/// The digest of all layers, in hexadecimal.
pub fn digest_of_layers(layers: &[u64]) -> String {
    format!("{:016x}", layers.iter().fold(layers.len() as u64, |all, &own| mix(all).wrapping_add(own)))
}

/// The finaliser of SplitMix (Steele, Lea and Flood 2014).
#[inline]
pub fn mix(mut word: u64) -> u64 {
    word = word.wrapping_add(0x9e37_79b9_7f4a_7c15);
    word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ word >> 31
}
