//! The answer of [`solve`](super::solve()).

use counterplay_base::{Evidence, Limit, Verdict};
use counterplay_belief::{Effort, PlanOf};
use counterplay_kriegspiel::Kriegspiel;
use serde::Serialize;
use serde_json::Value;

use super::proof::{Proof, ProofTree, RefutationText, proof_text};
use crate::figures::count;
use crate::verdict;

/// Whether a checkmate can be forced. Its JSON form is what `counterplay kriegspiel solve --json` prints for a problem.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Answer {
    /// The name of the problem, or its number.
    pub id: Value,
    /// `solved` if a plan mates in all positions, `unsolvable` if it is proved that none does, else `stopped`.
    #[serde(serialize_with = "verdict::word")]
    #[cfg_attr(feature = "schema", schemars(with = "verdict::Word"))]
    pub verdict: Verdict<()>,
    /// What the plan tries first, in long algebraic form such as `c5e7` or `b7b8q`.
    pub first_try: Option<String>,
    /// The most plies until the plan has mated.
    pub plies: Option<usize>,
    /// Physical states that the search generated.
    pub states: u64,
    /// Belief states that the search expanded.
    pub expanded: u64,
    /// The number of positions of the belief state.
    pub size: usize,
    /// The search that ran.
    pub algorithm: &'static str,
    /// `true` if the plan was followed by the slow referee, or the absence of a plan was confirmed.
    pub checked: Option<bool>,
    /// What the verdict rests on; `None` if it is `stopped`.
    pub evidence: Option<Evidence>,
    /// The number of tries in the plan, or the proof tree if it was asked for.
    pub proof: Option<Proof>,
    /// Positions that together have no plan, if they were asked for.
    pub refutation: Option<RefutationText>,
    /// The limit that was reached: `time`, `cpu`, `memory`, `nodes` or `interrupt`.
    pub limit: Option<&'static str>,
    /// Seconds of search and check; the confirmation that there is no plan does not count.
    pub seconds: f64,
    /// The proof for a file, or why there is none, if it was asked for.
    #[serde(skip)]
    pub certificate: Option<Result<String, String>>,
    /// Within how many plies a mate was asked for.
    #[serde(skip)]
    depth: usize,
    /// The proof tree as text, if it was asked for.
    #[serde(skip)]
    proof_text: Option<String>,
}

/// What a search found about a belief state.
pub(super) struct Found {
    pub(super) verdict: Verdict<PlanOf<Kriegspiel>>,
    pub(super) effort: Effort,
    /// The number of positions.
    pub(super) size: usize,
    pub(super) algorithm: &'static str,
}

impl Answer {
    pub(super) fn new(id: &Value, depth: usize, found: Found, whole_proof: bool) -> Answer {
        let Found { verdict, effort, size, algorithm } = found;
        let limit = verdict.limit().map(Limit::name);
        let word = verdict.as_ref().map(drop);
        let plan = verdict.solved();
        Answer {
            id: id.clone(),
            verdict: word,
            first_try: plan.as_ref().map(|plan| plan.attempt.to_string()),
            plies: plan.as_ref().map(|plan| plan.depth()),
            states: effort.states,
            expanded: effort.nodes,
            size,
            algorithm,
            checked: None,
            evidence: None,
            proof: plan.as_ref().map(|plan| match whole_proof {
                true => Proof::Tree(Box::new(ProofTree::new(plan))),
                false => Proof::Size(plan.size()),
            }),
            refutation: None,
            limit,
            seconds: 0.0,
            certificate: None,
            depth,
            proof_text: plan.as_ref().filter(|_| whole_proof).map(proof_text),
        }
    }

    /// The answer for people: the verdict, the first try or the proof tree, the refutation, and what the verdict rests on.
    pub fn text(&self) -> String {
        let id = name(&self.id);
        let positions = count(self.size, "position");
        let cost = format!("{} generated", count(self.states, "state"));
        let mut text = match &self.verdict {
            Verdict::Solved(()) => {
                let within = plies(self.plies.unwrap_or(self.depth));
                let place =
                    if self.size == 1 { "the only position".to_owned() } else { format!("all {positions}") };
                format!("{id}: mate within {within} in {place} ({cost})\n")
            }
            Verdict::Unsolvable => {
                format!("{id}: no mate within {} ({positions}, {cost})\n", plies(self.depth))
            }
            Verdict::Stopped(limit) => format!("{id}: not decided: {limit} ({cost})\n"),
        };
        match (&self.proof_text, &self.first_try) {
            (Some(tree), _) => text += tree,
            (None, Some(attempt)) => text += &format!("  try {attempt}\n"),
            (None, None) => {}
        }
        if let Some(refutation) = &self.refutation {
            text += &refutation.text();
        }
        if let Some(evidence) = &self.evidence {
            text += &format!("  {}\n", evidence.sentence());
        }
        text
    }
}

/// A name as text: a string without its quotation marks.
pub(super) fn name(id: &Value) -> String {
    match id {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// `1 ply`, `3 plies`.
pub(super) fn plies(count: usize) -> String {
    if count == 1 { "1 ply".to_owned() } else { format!("{count} plies") }
}
