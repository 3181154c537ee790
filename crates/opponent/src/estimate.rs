//! Ways to turn what was seen under one condition into probabilities.

/// How the observations of one condition are weighted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Estimator {
    /// An observation `n` rounds of the game ago weighs `discount^n` (Au and Nau, 2006). Age is counted in rounds
    /// of the game, not in occurrences of the condition.
    Discounted {
        /// Between 0 and 1; 1 is the plain frequency.
        discount: f64,
    },
    /// The survey's simpler way: only the last `size` rounds count, all the same, and a frequency within
    /// `threshold` of 0 or 1 is taken for 0 or 1, since noise alone would explain the difference.
    Window {
        /// How many rounds of the game are looked at.
        size: u32,
        /// How much is put down to noise, between 0 and one half.
        threshold: f64,
    },
}

impl Estimator {
    /// The survey's rounding: near enough to 0 or 1 is 0 or 1.
    pub fn round(self, frequency: f64) -> f64 {
        match self {
            Estimator::Discounted { .. } => frequency,
            Estimator::Window { threshold, .. } => {
                if frequency <= threshold {
                    0.0
                } else if frequency >= 1.0 - threshold {
                    1.0
                } else {
                    frequency
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_certainties_are_rounded() {
        let window = Estimator::Window { size: 20, threshold: 0.15 };
        for (frequency, expected) in [(0.0, 0.0), (0.15, 0.0), (0.16, 0.16), (0.5, 0.5), (0.85, 1.0)] {
            assert_eq!(window.round(frequency), expected);
        }
        assert_eq!(Estimator::Discounted { discount: 0.75 }.round(0.99), 0.99);
    }
}
