//! Certificates about policies, task networks and plans for hidden states, on the problem as it is written.
//!
//! A certificate lists *nodes*: states, situations (a state and a task network) or belief states. The check looks at each node by itself and asks the
//! semantics of the problem for the moves there and for what nature may make of each; it never looks for a node that is not listed. What has to hold:
//!
//! | claim | start | each listed node |
//! |---|---|---|
//! | `strong` | every initial state is listed | a goal, or its action leads to listed nodes of smaller rank only |
//! | `strong-cyclic` | the same | a goal, or its action leads to listed nodes only, one of them of smaller rank |
//! | `no-weak` | some initial state is listed | no goal; every move leads to listed nodes only |
//! | `no-strong` | the same | no goal; every move may lead to a listed node |
//! | `no-strong-cyclic` | the same | no goal; every move may lead to a node of a smaller rank, or leads to nodes of the same rank only |
//!
//! In the last three nature wins: it stays among the listed nodes for ever. For `no-strong-cyclic` this is shown rank by rank: from the least rank the
//! goal cannot be reached at all, so no policy may risk to get there; and so on. In a task network the initial values are ours to choose, so all first
//! situations have to be listed.
//!
//! Writing a certificate is a search, in [`build`]; checking one, in [`verify`], is none.

mod arena;
mod beliefs;
mod build;
mod situations;
mod states;
mod text;
mod verify;

use counterplay_base::Limit;
use counterplay_pddl::model::Problem;

use crate::Guarantee;
use crate::evaluate::Trouble;

pub(crate) use arena::Moves;
pub use build::{certify_no_contingent, certify_no_decomposition, certify_no_policy, certify_policy};
pub use text::is_closure;
pub use verify::check_closure;

/// What a certificate says about a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClosureClaim {
    /// The policy that the certificate spells out has this guarantee.
    Is(Guarantee),
    /// No policy has this guarantee.
    No(Guarantee),
}

/// What the nodes of a certificate are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClosureNodes {
    /// States of the problem.
    States,
    /// States with what is left of the task network.
    Situations,
    /// Sets of states that cannot be told apart.
    Beliefs,
}

/// A certificate that holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CheckedClosure {
    pub claim: ClosureClaim,
    pub about: ClosureNodes,
    /// How many nodes are listed.
    pub nodes: usize,
    /// How many moves were looked at.
    pub moves: usize,
    /// Whether the policy was compared with the one that the certificate spells out.
    pub is_compared: bool,
}

/// Why a certificate is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ClosureFlaw {
    /// The text is no certificate.
    #[error("line {line}: {what}")]
    Malformed { line: usize, what: String },
    /// It can be read, and it is wrong. The line is that of the first node that fails.
    #[error("line {line}: {why}")]
    Wrong { line: usize, why: String },
    /// What the problem uses and this kind of check does not cover.
    #[error("{0} are not covered by certificates of this kind")]
    NotCovered(&'static str),
    #[error("{0}")]
    Stopped(Limit),
}

/// Why a certificate was not written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotCertified {
    /// What the problem uses and certificates do not cover.
    #[error("{0} are not covered by certificates of this kind")]
    NotCovered(&'static str),
    /// More nodes than were allowed.
    #[error("there are more than {0} {1} to list")]
    TooMany(usize, &'static str),
    /// The claim is wrong.
    #[error("the claim is refuted")]
    Refuted,
    #[error("{0}")]
    Stopped(Limit),
}

impl ClosureClaim {
    /// The word in the file.
    pub fn word(self) -> &'static str {
        match self {
            ClosureClaim::Is(Guarantee::Strong) => "strong",
            ClosureClaim::Is(Guarantee::StrongCyclic) => "strong-cyclic",
            ClosureClaim::Is(Guarantee::Weak) => "weak",
            ClosureClaim::No(Guarantee::Strong) => "no-strong",
            ClosureClaim::No(Guarantee::StrongCyclic) => "no-strong-cyclic",
            ClosureClaim::No(Guarantee::Weak) => "no-weak",
        }
    }
}

impl ClosureNodes {
    /// The word in the file.
    pub fn word(self) -> &'static str {
        match self {
            ClosureNodes::States => "states",
            ClosureNodes::Situations => "situations",
            ClosureNodes::Beliefs => "beliefs",
        }
    }
}

impl From<Limit> for ClosureFlaw {
    fn from(limit: Limit) -> ClosureFlaw {
        ClosureFlaw::Stopped(limit)
    }
}

impl From<Trouble> for ClosureFlaw {
    fn from(trouble: Trouble) -> ClosureFlaw {
        match trouble {
            Trouble::Stopped(limit) => ClosureFlaw::Stopped(limit),
            _ => ClosureFlaw::NotCovered(NUMBERS),
        }
    }
}

impl From<Limit> for NotCertified {
    fn from(limit: Limit) -> NotCertified {
        NotCertified::Stopped(limit)
    }
}

impl From<Trouble> for NotCertified {
    fn from(trouble: Trouble) -> NotCertified {
        match trouble {
            Trouble::Stopped(limit) => NotCertified::Stopped(limit),
            _ => NotCertified::NotCovered(NUMBERS),
        }
    }
}

const NUMBERS: &str = "numbers that conditions depend on";

/// What about a problem these certificates do not cover, if anything.
fn not_covered(problem: &Problem, about: ClosureNodes) -> Option<&'static str> {
    let has_hierarchy = problem.hierarchy.as_ref().is_some_and(|hierarchy| hierarchy.initial.is_some());
    match about {
        ClosureNodes::Situations if !has_hierarchy => Some("problems without a task network"),
        ClosureNodes::Situations if !problem.axioms.is_empty() => {
            Some("task networks with derived predicates")
        }
        ClosureNodes::Situations if problem.is_partially_observable() => Some("hidden states"),
        ClosureNodes::States | ClosureNodes::Beliefs if has_hierarchy => Some("task networks"),
        ClosureNodes::States if problem.is_partially_observable() => Some("hidden states"),
        _ => None,
    }
}
