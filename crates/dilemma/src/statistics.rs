//! Means and how far they can be trusted.

/// A mean with its 95 % confidence interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    pub mean: f64,
    /// Half the width of the interval; unknown from a single sample.
    pub margin: Option<f64>,
}

impl Estimate {
    /// The mean of independent samples, with the interval of Student's distribution.
    ///
    /// # Panics
    /// There are no samples.
    pub fn of(samples: &[f64]) -> Estimate {
        assert!(!samples.is_empty(), "a mean needs a sample");
        let count = samples.len() as f64;
        let mean = samples.iter().sum::<f64>() / count;
        if samples.len() < 2 {
            return Estimate { mean, margin: None };
        }
        let squares: f64 = samples.iter().map(|sample| (sample - mean).powi(2)).sum();
        let error = (squares / (count - 1.0) / count).sqrt();
        Estimate { mean, margin: Some(quantile(samples.len() - 1) * error) }
    }

    /// The lower end of the interval.
    pub fn low(&self) -> Option<f64> {
        self.margin.map(|margin| self.mean - margin)
    }

    /// The upper end of the interval.
    pub fn high(&self) -> Option<f64> {
        self.margin.map(|margin| self.mean + margin)
    }
}

/// The 97.5 % quantile of Student's distribution.
fn quantile(freedom: usize) -> f64 {
    const FEW: [f64; 10] = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228];
    if let Some(&known) = freedom.checked_sub(1).and_then(|i| FEW.get(i)) {
        return known;
    }
    // The expansion of Cornish and Fisher in powers of one over the degrees of freedom; the table above covers where
    // it is poor.
    let z = 1.959_964f64;
    let v = freedom as f64;
    let [z3, z5, z7] = [3, 5, 7].map(|power| z.powi(power));
    z + (z3 + z) / (4.0 * v)
        + (5.0 * z5 + 16.0 * z3 + 3.0 * z) / (96.0 * v.powi(2))
        + (3.0 * z7 + 19.0 * z5 + 17.0 * z3 - 15.0 * z) / (384.0 * v.powi(3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_from_the_tables() {
        for (freedom, expected) in
            [(1, 12.706), (4, 2.776), (11, 2.201), (20, 2.086), (30, 2.042), (120, 1.980)]
        {
            assert!((quantile(freedom) - expected).abs() < 0.001, "{freedom}: {}", quantile(freedom));
        }
    }

    #[test]
    fn an_interval_by_hand() {
        let estimate = Estimate::of(&[1.0, 2.0, 3.0]);
        assert_eq!(estimate.mean, 2.0);
        assert!((estimate.margin.expect("three samples") - 4.303 / 3f64.sqrt()).abs() < 1e-9);
        assert_eq!(Estimate::of(&[7.0]).margin, None);
    }
}
