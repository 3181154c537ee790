//! Proof trees and refutations as files, and their check by the slow referee.

use std::time::Instant;

use counterplay_base::Budget;
use counterplay_kriegspiel::chess::Board;
use counterplay_kriegspiel::line::{Problem, Source};
use counterplay_kriegspiel::{CheckedProof, ProofFileFlaw, check_proof_file};
use serde::Serialize;

pub use counterplay_kriegspiel::is_proof_file as is_proof_text;

use crate::effort::seconds;
use crate::error::Halt;
use crate::figures::count;

/// Whether a proof holds. Its JSON form is what `counterplay check FILE --json` prints for a proof of Kriegspiel.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct KriegspielValidity {
    pub valid: bool,
    /// If it does not: the first thing that is wrong, with its line.
    pub why: Option<String>,
    /// `mate` or `no-mate`.
    pub claim: Option<&'static str>,
    /// Within so many moves of both sides.
    pub plies: Option<usize>,
    /// Whether known material wins count as wins.
    pub material_wins: Option<bool>,
    /// The positions that it is about, as FEN.
    pub positions: Vec<String>,
    /// Nodes of the tree, or of the refutation.
    pub nodes: Option<usize>,
    /// Seconds of wall time.
    pub seconds: f64,
}

impl KriegspielValidity {
    /// One line for people.
    pub fn text(&self) -> String {
        match (self.claim, self.plies) {
            (Some(claim), Some(plies)) if self.valid => format!(
                "valid: {} within {} from {} ({})\n",
                claim.replace('-', " "),
                match plies {
                    1 => "1 ply".to_owned(),
                    _ => format!("{plies} plies"),
                },
                count(self.positions.len(), "position"),
                count(self.nodes.unwrap_or(0), "node"),
            ),
            _ => format!("invalid: {}\n", self.why.as_deref().unwrap_or_default()),
        }
    }

    fn invalid(why: String) -> KriegspielValidity {
        KriegspielValidity {
            valid: false,
            why: Some(why),
            claim: None,
            plies: None,
            material_wins: None,
            positions: Vec::new(),
            nodes: None,
            seconds: 0.0,
        }
    }
}

/// Checks a proof that `kriegspiel solve --certificate` has written, without any search. With problems, it must also be about one of them.
///
/// # Errors
/// The limit that was reached. A proof that does not hold is no error.
pub fn check_proof_text(
    text: &str,
    problems: Option<&[Problem]>,
    budget: &Budget,
) -> Result<KriegspielValidity, Halt> {
    let started = Instant::now();
    let mut validity = match check_proof_file(text, budget) {
        Err(ProofFileFlaw::Stopped(limit)) => return Err(limit.into()),
        Err(ProofFileFlaw::Wrong { line, why }) => KriegspielValidity::invalid(format!("line {line}: {why}")),
        Ok(checked) if !problems.is_none_or(|all| all.iter().any(|problem| is_about(&checked, problem))) => {
            KriegspielValidity::invalid(
                "it is about none of the problems, or about fewer positions or plies".to_owned(),
            )
        }
        Ok(checked) => KriegspielValidity {
            valid: true,
            why: None,
            claim: Some(if checked.is_mate { "mate" } else { "no-mate" }),
            plies: Some(checked.plies),
            material_wins: Some(checked.material_wins),
            positions: checked.positions.iter().map(ToString::to_string).collect(),
            nodes: Some(checked.nodes),
            seconds: 0.0,
        },
    };
    validity.seconds = seconds(started.elapsed());
    Ok(validity)
}

/// Whether a proof answers a problem: a mate has to be one in all its positions and in time; that there is none is shown by some of the positions.
fn is_about(checked: &CheckedProof, problem: &Problem) -> bool {
    let Source::Belief(belief) = &problem.source else { return false };
    let among = |all: &[Board], some: &[Board]| some.iter().all(|board| all.contains(board));
    match checked.is_mate {
        true => among(&checked.positions, belief) && checked.plies <= problem.depth,
        false => among(belief, &checked.positions) && checked.plies >= problem.depth,
    }
}
