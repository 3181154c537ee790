//! What may be asked of [`solve`](super::solve()).

use counterplay_belief::Algorithm;
use serde::{Deserialize, Serialize};

/// How a mate is to be looked for.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct Request {
    /// Which search to run.
    pub algorithm: Algorithm,
    /// Whether known material wins count as wins: queen, rook, pawn, two bishops, or bishop and knight, guarded by the king.
    pub material_wins: bool,
    /// Whether the answer has the whole proof tree, and for lost problems the positions that refute them.
    pub proof: bool,
    /// Whether a proof that a stranger can follow is made, for a file.
    pub certificate: bool,
    /// How many questions the slow referee may ask to confirm that there is no mate. Without a number a second algorithm
    /// confirms it if that is quick.
    pub confirm: Option<u64>,
    /// Whether the slow referee follows a plan before it is returned, and the absence of a plan is confirmed.
    pub check: bool,
    /// The search is stopped after so many seconds. The check of its plan does not count.
    pub search_seconds: Option<f64>,
}

impl Default for Request {
    fn default() -> Request {
        Request {
            algorithm: Algorithm::Auto,
            material_wins: false,
            proof: false,
            certificate: false,
            confirm: None,
            check: true,
            search_seconds: None,
        }
    }
}
