//! Rewards and probabilities as exact numbers.

use std::fmt;

use counterplay_equilibrium::Rational;
use serde::{Serialize, Serializer};

/// A reward, an expected reward or a probability. Its JSON form is the nearest number; the exact fraction stands beside it as a
/// text wherever it can be one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Exact(#[cfg_attr(feature = "schema", schemars(with = "f64"))] pub Rational);

impl Exact {
    /// The nearest floating-point number.
    pub fn to_f64(&self) -> f64 {
        use num_traits::ToPrimitive;
        self.0.to_f64().unwrap_or(f64::NAN)
    }

    /// Fractions as texts, such as `200/3`.
    pub(super) fn texts(values: &[Exact]) -> Vec<String> {
        values.iter().map(ToString::to_string).collect()
    }

    pub(super) fn list(values: &[Rational]) -> Vec<Exact> {
        values.iter().cloned().map(Exact).collect()
    }
}

impl From<u32> for Exact {
    fn from(whole: u32) -> Exact {
        Exact(Rational::from_integer(whole.into()))
    }
}

impl PartialEq<i32> for Exact {
    fn eq(&self, other: &i32) -> bool {
        self.0 == Rational::from_integer((*other).into())
    }
}

impl fmt::Display for Exact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0.to_string())
    }
}

impl Serialize for Exact {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.is_integer().then(|| i64::try_from(self.0.to_integer())) {
            Some(Ok(whole)) => serializer.serialize_i64(whole),
            _ => serializer.serialize_f64(self.to_f64()),
        }
    }
}
