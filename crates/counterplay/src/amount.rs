//! Exact numbers in the problem's own units.

use num_rational::Ratio;
use serde::{Serialize, Serializer};

/// A cost or a metric: an exact number, shown as an integer if it is one and else as a decimal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Amount(#[cfg_attr(feature = "schema", schemars(with = "f64"))] pub Ratio<i128>);

impl Amount {
    /// So many units, each worth `unit`; `None` if the product does not fit.
    pub fn of_units(count: u64, unit: Ratio<i128>) -> Option<Amount> {
        let numer = unit.numer().checked_mul(i128::from(count))?;
        Some(Amount(Ratio::new(numer, *unit.denom())))
    }

    /// The nearest floating-point number.
    pub fn to_f64(self) -> f64 {
        *self.0.numer() as f64 / *self.0.denom() as f64
    }
}

impl Serialize for Amount {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.is_integer().then(|| i64::try_from(self.0.to_integer())) {
            Some(Ok(whole)) => serializer.serialize_i64(whole),
            _ => serializer.serialize_f64(self.to_f64()),
        }
    }
}

impl std::fmt::Display for Amount {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.0.is_integer() {
            return write!(f, "{}", self.0.to_integer());
        }
        // Costs come from decimals in the text, so a handful of places is exact in practice.
        let sign = if self.0 < Ratio::from_integer(0) { "-" } else { "" };
        let (numer, denom) = (self.0.numer().unsigned_abs(), self.0.denom().unsigned_abs());
        write!(f, "{sign}{}.", numer / denom)?;
        let mut rest = numer % denom;
        for _ in 0..12 {
            let Some(shifted) = rest.checked_mul(10) else { break };
            write!(f, "{}", shifted / denom)?;
            rest = shifted % denom;
            if rest == 0 {
                break;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn amount(numer: i128, denom: i128) -> Amount {
        Amount(Ratio::new(numer, denom))
    }

    #[test]
    fn whole_numbers_have_no_point() {
        assert_eq!(amount(14, 1).to_string(), "14");
        assert_eq!(serde_json::to_string(&amount(28, 2)).unwrap(), "14");
        assert_eq!(serde_json::to_string(&amount(63, 2)).unwrap(), "31.5");
    }

    #[test]
    fn decimals_are_exact() {
        assert_eq!(amount(63, 2).to_string(), "31.5");
        assert_eq!(amount(-1, 8).to_string(), "-0.125");
        assert_eq!(amount(1, 3).to_string(), "0.333333333333");
    }

    #[test]
    fn units_that_do_not_fit_are_noticed() {
        assert_eq!(Amount::of_units(3, Ratio::new(1, 2)), Some(amount(3, 2)));
        assert_eq!(Amount::of_units(u64::MAX, Ratio::from_integer(i128::MAX)), None);
    }
}
