//! What may be asked about a game.

use counterplay_ggp::explicit::Order;
use counterplay_ggp::mixed::Concept;
use serde::{Deserialize, Serialize};

use crate::error::Error;

/// How a game is to be solved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct SolveRequest {
    /// What players want.
    pub order: Order,
    /// What is meant by the value.
    pub solution: Concept,
    /// How the game is solved.
    pub engine: Engine,
    /// States up to which `auto` solves a game state by state.
    pub explicit_states: usize,
    /// States up to which `auto` solves a game with a clock in layers.
    pub layered_states: u64,
    /// Moves such as `(drop 1) (drop 2)`: the value and the best moves of the position after them are wanted too.
    pub from: Option<String>,
    /// Whether strategies are wanted that prove the value of the position after `from`, or of the first one.
    pub playbook: bool,
    /// Whether bounds are wanted if roles choose at once or play can go on for ever.
    pub bounds: bool,
    /// Whether values are compared with the plain reading of the rules.
    pub check: bool,
    /// How many positions are compared; all of them if it is null.
    pub check_positions: Option<usize>,
    /// The seed of everything that is left to chance.
    pub seed: u64,
}

impl Default for SolveRequest {
    fn default() -> SolveRequest {
        SolveRequest {
            order: Order::Own,
            solution: Concept::Value,
            engine: Engine::Auto,
            explicit_states: 1_000_000,
            layered_states: 250_000_000,
            from: None,
            playbook: false,
            bounds: false,
            check: true,
            check_positions: Some(100),
            seed: 0,
        }
    }
}

impl SolveRequest {
    /// Refuses an archive for engines that keep nothing.
    ///
    /// # Errors
    /// An engine other than the symbolic one.
    pub fn refuse_archive(&self) -> Result<(), Error> {
        match self.engine {
            Engine::Auto | Engine::Symbolic => Ok(()),
            Engine::Explicit | Engine::Layered | Engine::Plan | Engine::Proof => {
                let message = "only the symbolic engine keeps layers in a folder".to_owned();
                Err(Error::Request { message, help: None })
            }
        }
    }
}

/// The ways to solve a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum Engine {
    /// The first of the others that can
    #[default]
    Auto,
    /// State by state
    Explicit,
    /// In layers that a clock keeps apart
    Layered,
    /// By sets of states
    Symbolic,
    /// As a planning problem: only one position of a game of one role
    Plan,
    /// By proof-number search: only one position
    Proof,
}

impl Engine {
    /// The name in requests and answers.
    pub fn name(self) -> &'static str {
        match self {
            Engine::Auto => "auto",
            Engine::Explicit => "explicit",
            Engine::Layered => "layered",
            Engine::Symbolic => "symbolic",
            Engine::Plan => "plan",
            Engine::Proof => "proof",
        }
    }
}

/// How a game is to be played at random.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct SimulateRequest {
    /// Seconds of CPU time.
    pub seconds: f64,
    /// Whether it is also played by the plain reading of the rules, without grounding, for as long.
    pub interpreter: bool,
    /// The seed of the moves.
    pub seed: u64,
}

impl Default for SimulateRequest {
    fn default() -> SimulateRequest {
        SimulateRequest { seconds: 3.0, interpreter: false, seed: 0 }
    }
}
