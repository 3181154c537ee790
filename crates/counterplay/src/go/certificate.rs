//! Proofs as SGF, and their replay by slow rules.

use std::time::Instant;

use counterplay_base::{Budget, Limit};
use counterplay_go::certificate::{GoProofError, read_go_proof};
use counterplay_go::verify::Flaw;
use serde::Serialize;

use super::Problem;
use super::answer::ResultClass;
use crate::effort::seconds;
use crate::error::Halt;
use crate::figures::count;

/// Whether a proof holds. Its JSON form is what `counterplay check FILE.sgf --json` prints.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GoValidity {
    pub valid: bool,
    /// If it does not: the first thing that is wrong.
    pub why: Option<String>,
    /// What is proved: what the player to move achieves.
    pub result: Option<ResultClass>,
    /// `kill` or `save`.
    pub goal: Option<String>,
    /// A stone of the target.
    pub target: Option<String>,
    /// The move that achieves it.
    #[serde(rename = "move")]
    pub action: Option<String>,
    /// Moves in the trees.
    pub moves: usize,
    /// Points of the region.
    pub region: usize,
    /// Seconds of wall time.
    pub seconds: f64,
}

impl GoValidity {
    /// One line for people.
    pub fn text(&self) -> String {
        let (Some(goal), Some(target), true) = (&self.goal, &self.target, self.valid) else {
            return format!("invalid: {}\n", self.why.as_deref().unwrap_or_default());
        };
        let result = match self.result {
            Some(ResultClass::Clean) => "succeeds",
            Some(ResultClass::Ko) => "succeeds by ko",
            Some(ResultClass::Seki) => "lives in seki",
            Some(ResultClass::None) | None => "fails",
        };
        let by = self.action.as_ref().map(|action| format!(" with {action}")).unwrap_or_default();
        format!(
            "valid: to {goal} {target} {result}{by} ({} of {})\n",
            count(self.moves, "move"),
            count(self.region, "point")
        )
    }
}

/// Replays a proof that `go solve --certificate` has written, by rules that share nothing with the searches. With a problem, it must also be about it.
///
/// # Errors
/// The limit that was reached; a proof that is too long for the slow rules counts as one. A proof that does not hold is no error.
pub fn check_go_proof_text(
    text: &str,
    problem: Option<&Problem>,
    budget: &Budget,
) -> Result<GoValidity, Halt> {
    let started = Instant::now();
    let mut validity = GoValidity {
        valid: false,
        why: None,
        result: None,
        goal: None,
        target: None,
        action: None,
        moves: 0,
        region: 0,
        seconds: 0.0,
    };
    match read_go_proof(text, budget) {
        Err(GoProofError::Stopped(limit)) => return Err(limit.into()),
        Err(error) => validity.why = Some(error.to_string()),
        Ok(proof) if problem.is_some_and(|problem| !proof.is_about(&problem.record.problem)) => {
            validity.why = Some("it is about another problem".to_owned());
        }
        Ok(proof) => {
            let grid = proof.problem.board.grid();
            validity.goal = Some(proof.problem.goal.to_string());
            validity.target = Some(grid.name(proof.problem.target));
            validity.moves = proof.moves();
            validity.region = proof.region();
            match proof.verify(budget) {
                Ok(true) => {
                    validity.valid = true;
                    validity.result = Some(ResultClass::from(proof.class));
                    validity.action = proof.action.map(|action| grid.move_name(action));
                }
                Ok(false) | Err(Flaw::Long) => return Err(Limit::Nodes(validity.moves as u64).into()),
                Err(Flaw::Limit(limit)) => return Err(limit.into()),
                Err(flaw) => validity.why = Some(flaw.to_string()),
            }
        }
    }
    validity.seconds = seconds(started.elapsed());
    Ok(validity)
}
