//! What may be asked of [`solve`](super::solve).

use counterplay_go::Suicide;
use counterplay_go::solve::{Method, Options};
use serde::{Deserialize, Serialize};

/// How a life-and-death problem is to be solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct Request {
    /// Which search to run.
    pub search: Method,
    /// Whether a move may take the mover's own stones off.
    pub suicide: Suicide,
    /// Whether critics may insert goals into a plan.
    pub critics: bool,
    /// Whether a proof is replayed by slow rules before it is returned.
    pub check: bool,
    /// Whether the answer has the board as SVG and the contingency tree with the goal of each move.
    pub whole: bool,
    /// The seed of sampling.
    pub seed: u64,
}

impl Default for Request {
    fn default() -> Request {
        Request {
            search: Method::Auto,
            suicide: Suicide::Forbidden,
            critics: true,
            check: true,
            whole: false,
            seed: 0,
        }
    }
}

impl Request {
    pub(super) fn options(&self) -> Options {
        let default = Options::default();
        // The default seeds of both are those of the same run.
        let seed = self.seed.wrapping_add(default.seed);
        Options { method: self.search, critics: self.critics, seed, ..default }
    }
}
