//! Proof trees and refutations as JSON and as text.

use counterplay_belief::PlanOf;
use counterplay_kriegspiel::steps::{AnnouncedPercept, announced};
use counterplay_kriegspiel::{Kriegspiel, Percept, Refutation};
use serde::Serialize;

/// The proof of a mate: its size, or all of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Proof {
    /// The number of tries in the plan.
    Size(usize),
    /// The proof tree.
    Tree(Box<ProofTree>),
}

/// A try, and how to go on after everything that the referee may say.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ProofTree {
    /// What to try, such as `e2e4`.
    #[serde(rename = "try")]
    pub attempt: String,
    /// How to go on if it is rejected; left out if it cannot be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub illegal: Option<Box<ProofTree>>,
    /// How to go on if it is accepted; left out if it mates in every position in which it is legal.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub after: Vec<ProofAfter>,
}

/// An announcement after a try, and what the opponent may reply.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ProofAfter {
    /// What the referee says of the try.
    pub heard: AnnouncedPercept,
    /// For each announcement after the opponent's reply, how to go on.
    pub replies: Vec<ProofReply>,
}

/// An announcement after a reply of the opponent, and how to go on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ProofReply {
    /// What the referee says of the reply.
    pub heard: AnnouncedPercept,
    /// What to try then.
    pub then: ProofTree,
}

impl ProofTree {
    /// The proof tree of a plan.
    pub fn new(plan: &PlanOf<Kriegspiel>) -> ProofTree {
        let heard = |percept: Percept| announced(Some((percept, None)));
        let after = plan.after.iter().map(|(percept, replies)| ProofAfter {
            heard: heard(*percept),
            replies: replies
                .iter()
                .map(|(percept, next)| ProofReply { heard: heard(*percept), then: ProofTree::new(next) })
                .collect(),
        });
        ProofTree {
            attempt: plan.attempt.to_string(),
            illegal: plan.rejected.as_ref().map(|rejected| Box::new(ProofTree::new(rejected))),
            after: after.collect(),
        }
    }
}

/// Why there is no mate: positions that together have no plan, as FEN, and a line of play in the first of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RefutationText {
    /// No position can be left out.
    pub states: Vec<String>,
    /// Tries and replies from the first position, after which nothing mates in time.
    pub line: Vec<String>,
}

impl RefutationText {
    pub(super) fn new(refutation: &Refutation) -> RefutationText {
        RefutationText {
            states: refutation.states.iter().map(ToString::to_string).collect(),
            line: refutation.line.iter().map(ToString::to_string).collect(),
        }
    }

    /// The refutation as indented text.
    pub fn text(&self) -> String {
        let mut text = String::from("  no plan for:\n");
        for state in &self.states {
            text.push_str(&format!("    {state}\n"));
        }
        if !self.line.is_empty() {
            text.push_str(&format!("  in the first, {} and nothing mates in time\n", self.line.join(" ")));
        }
        text
    }
}

/// A plan as indented text.
pub fn proof_text(plan: &PlanOf<Kriegspiel>) -> String {
    let mut lines = String::new();
    write(plan, 1, &mut lines);
    lines
}

fn write(plan: &PlanOf<Kriegspiel>, depth: usize, out: &mut String) {
    let space = "  ".repeat(depth);
    out.push_str(&format!("{space}try {}\n", plan.attempt));
    for (heard, replies) in &plan.after {
        for (reply, next) in replies {
            out.push_str(&format!("{space}  heard {heard}; then {reply}:\n"));
            write(next, depth + 2, out);
        }
    }
    if let Some(rejected) = &plan.rejected {
        out.push_str(&format!("{space}illegal:\n"));
        write(rejected, depth, out);
    }
}
