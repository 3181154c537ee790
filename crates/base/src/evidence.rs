//! What an answer rests on.
//!
//! A proof, a plan made from knowledge, a sample and a pair of bounds are different kinds of evidence, and a reader must be
//! able to tell them apart by one word. `solved`, exit code 0 and exit code 1 are for [`Evidence::Proved`] only; with any other
//! kind the command reports the best answer so far and exits with 3.

use serde::{Serialize, Serializer};

/// What an answer rests on. Its JSON form is the field `evidence` of every answer: the variant is `kind`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Evidence {
    /// The answer was proved.
    Proved {
        /// The search that found it.
        engine: String,
        /// The independent code that confirmed it; `None` if the check was switched off or met a limit.
        checked_by: Option<String>,
        /// The region or the assumption within which the proof holds; `None` if it holds without any.
        within: Option<String>,
    },
    /// The answer was derived from domain knowledge that does not cover every reply of the opponent.
    Planned {
        /// The search that found it.
        engine: String,
        /// What was not looked at.
        assumes: String,
    },
    /// The answer is an estimate from samples.
    Sampled {
        /// The search that found it.
        engine: String,
        /// The number of samples.
        samples: u64,
        /// Half the width of the 95 % confidence interval, in the units of the answer; `None` if the answer is not a number.
        error: Option<Number>,
        /// What was sampled, such as the opponent's play that the estimate holds against.
        about: String,
    },
    /// Only bounds are known.
    Bounded {
        /// The search that found them.
        engine: String,
        /// No answer is better than this.
        lower: Option<Number>,
        /// An answer this good is known.
        upper: Option<Number>,
    },
}

impl Evidence {
    /// A proof without assumptions.
    pub fn proved(engine: impl Into<String>, checked_by: Option<&str>) -> Evidence {
        Evidence::Proved { engine: engine.into(), checked_by: checked_by.map(str::to_owned), within: None }
    }

    /// The word for it: `proved`, `planned`, `sampled` or `bounded`.
    pub fn word(&self) -> &'static str {
        match self {
            Evidence::Proved { .. } => "proved",
            Evidence::Planned { .. } => "planned",
            Evidence::Sampled { .. } => "sampled",
            Evidence::Bounded { .. } => "bounded",
        }
    }

    /// Whether the answer was proved.
    pub fn is_proof(&self) -> bool {
        matches!(self, Evidence::Proved { .. })
    }

    /// One line for people.
    pub fn sentence(&self) -> String {
        match self {
            Evidence::Proved { engine, checked_by, within } => {
                let within = within.as_ref().map(|within| format!(" within {within}")).unwrap_or_default();
                match checked_by {
                    Some(checker) => format!("proved{within} by {engine}, checked by {checker}"),
                    None => format!("proved{within} by {engine}, not checked"),
                }
            }
            Evidence::Planned { engine, assumes } => format!("planned by {engine}, assuming that {assumes}"),
            Evidence::Sampled { engine, samples, error, about } => {
                let error = error.map(|error| format!(", ± {}", error.0)).unwrap_or_default();
                format!("estimated by {engine} from {samples} samples{error}: {about}")
            }
            Evidence::Bounded { engine, lower, upper } => {
                let bound = |bound: &Option<Number>| bound.map_or("unknown".to_owned(), |n| n.0.to_string());
                format!("bounded by {engine}: lower bound {}, upper bound {}", bound(lower), bound(upper))
            }
        }
    }
}

/// A number of an answer. In JSON a whole number has no decimal point.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Number(pub f64);

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // Above 2^53 neighbouring whole numbers share one floating-point value.
        if self.0.fract() == 0.0 && self.0.abs() < 9_007_199_254_740_992.0 {
            serializer.serialize_i64(self.0 as i64)
        } else {
            serializer.serialize_f64(self.0)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_json_form_names_its_kind() {
        let proved = Evidence::proved("A*", Some("the plan validator"));
        assert_eq!(
            serde_json::to_string(&proved).unwrap(),
            r#"{"kind":"proved","engine":"A*","checked_by":"the plan validator","within":null}"#
        );
        let bounded =
            Evidence::Bounded { engine: "A*".to_owned(), lower: Some(Number(3.0)), upper: Some(Number(3.5)) };
        assert_eq!(
            serde_json::to_string(&bounded).unwrap(),
            r#"{"kind":"bounded","engine":"A*","lower":3,"upper":3.5}"#
        );
    }

    #[test]
    fn only_a_proof_is_a_proof() {
        assert!(Evidence::proved("A*", None).is_proof());
        let planned =
            Evidence::Planned { engine: "goals".to_owned(), assumes: "nothing else helps".to_owned() };
        assert!(!planned.is_proof());
        assert_eq!(planned.sentence(), "planned by goals, assuming that nothing else helps");
    }
}
