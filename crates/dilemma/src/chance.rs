//! Chance that can be repeated: a named generator, seeded by what it is for.
//!
//! Each match has generators of its own, derived from the seed of the run and the place of the match in it. So a
//! result depends neither on the order in which matches are played nor on the number of threads.

use rand::Rng;
use rand_pcg::Pcg64Mcg;

/// A source of chance (PCG-64 MCG).
#[derive(Clone, Debug)]
pub struct Chance(Pcg64Mcg);

impl Chance {
    /// The source for one purpose: a seed and the numbers that tell the purpose apart from others.
    pub fn new(seed: u64, purpose: &[u64]) -> Chance {
        let mut high = scramble(seed);
        let mut low = scramble(high ^ 0x6a09_e667_f3bc_c909);
        for &number in purpose {
            high = scramble(high ^ number);
            low = scramble(low.rotate_left(32) ^ high);
        }
        Chance(Pcg64Mcg::new(u128::from(high) << 64 | u128::from(low)))
    }

    #[inline]
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// Whether something happens that has this probability.
    #[inline]
    pub fn happens(&mut self, probability: f64) -> bool {
        // 53 bits, as many as a float has.
        ((self.bits() >> 11) as f64) < probability * (1u64 << 53) as f64
    }

    /// A number below `count`, each as likely as the others.
    pub fn below(&mut self, count: usize) -> usize {
        ((u128::from(self.bits()) * count as u128) >> 64) as usize
    }
}

/// The finalizer of SplitMix64 (Steele, Lea and Flood, 2014): spreads every bit over all others.
fn scramble(number: u64) -> u64 {
    let mut mixed = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ mixed >> 31
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_purpose_gives_the_same_chance() {
        let draw = |seed, purpose: &[u64]| Chance::new(seed, purpose).bits();
        assert_eq!(draw(1, &[2, 3]), draw(1, &[2, 3]));
        assert_ne!(draw(1, &[2, 3]), draw(1, &[3, 2]));
        assert_ne!(draw(1, &[2, 3]), draw(2, &[2, 3]));
    }

    #[test]
    fn frequencies_are_near_probabilities_and_certainties_are_certain() {
        let mut chance = Chance::new(5, &[]);
        for probability in [0.0, 0.1, 0.5, 1.0] {
            let count = (0..100_000).filter(|_| chance.happens(probability)).count() as f64 / 1e5;
            assert!((count - probability).abs() < 0.006, "{count} for {probability}");
            if probability == 0.0 || probability == 1.0 {
                assert_eq!(count, probability);
            }
        }
        assert!((0..1000).all(|_| chance.below(3) < 3));
    }
}
