//! The JSON form of verdicts.

use counterplay_base::Verdict;
use serde::Serializer;

/// The word of a verdict: `solved`, `unsolvable` or `stopped`.
pub(crate) fn word<T, S: Serializer>(verdict: &Verdict<T>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(verdict.word())
}

/// The words of verdicts.
#[cfg(feature = "schema")]
#[derive(schemars::JsonSchema)]
#[schemars(rename = "Outcome", rename_all = "lowercase")]
#[allow(dead_code, reason = "it only describes the JSON form of a verdict")]
pub(crate) enum Word {
    /// What was asked for is found and proved.
    Solved,
    /// It is proved that there is none.
    Unsolvable,
    /// A limit was reached.
    Stopped,
}
