//! Many bits at once: lane `i` of every word belongs to the `i`-th state.

/// `W` words of 64 lanes each.
pub type Lanes<const W: usize> = [u64; W];

/// Transposes a matrix of 64 × 64 bits: bit `j` of word `i` becomes bit `i` of word `j`.
///
/// Halving blocks, as in Warren, *Hacker's Delight* (2002), section 7-3.
pub fn transpose(block: &mut [u64; 64]) {
    let mut width = 32;
    let mut mask: u64 = 0x0000_0000_ffff_ffff;
    while width != 0 {
        let mut row = 0;
        while row < 64 {
            let swapped = ((block[row] >> width) ^ block[row + width]) & mask;
            block[row] ^= swapped << width;
            block[row + width] ^= swapped;
            row = (row + width + 1) & !width;
        }
        width >>= 1;
        mask ^= mask << width;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transposing_swaps_rows_and_columns() {
        let mut block = [0u64; 64];
        let mut word = 1u64;
        for row in &mut block {
            word = word.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            *row = word ^ word >> 29;
        }
        let before = block;
        transpose(&mut block);
        for (i, row) in before.iter().enumerate() {
            for (j, column) in block.iter().enumerate() {
                assert_eq!(row >> j & 1, column >> i & 1, "bit {i}, {j}");
            }
        }
    }
}
