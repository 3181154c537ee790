//! All algorithms under their names, and one way to call them.

use std::rc::Rc;

use counterplay_base::{Budget, Verdict};
use serde::{Deserialize, Serialize};

use crate::dfs::{self, Order};
use crate::effort::Effort;
use crate::incremental::{self, Breadth};
use crate::perfect_information;
use crate::plan::{Plan, Replies};
use crate::pns;
use crate::world::HiddenWorld;
use crate::{dfpn, ipns};

/// The algorithms of Russell and Wolfe (2005) by the names they have there, the further work that the paper names, and
/// the one that measures best.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Algorithm {
    /// The one that measures best: [`Algorithm::PerfectInformationPruning`].
    #[default]
    Auto,
    /// Depth-first search of black-box belief states.
    Dfs,
    /// Legal percepts first.
    LDfs,
    /// Greedy pruning.
    GDfs,
    /// Greedy pruning, legal percepts first.
    GlDfs,
    /// Greedy pruning, rejections first.
    GxDfs,
    /// Early termination; the same as [`Algorithm::Udb`].
    EDfs,
    /// Uncertainty, then depth, then breadth.
    Udb,
    /// Early termination, legal percepts first.
    LeDfs,
    /// Proof-number search.
    Pns,
    /// Proof-number search, legal percepts first among equals.
    LPns,
    /// Proof-number search with early termination.
    EPns,
    /// Depth, then uncertainty, then breadth.
    Dub,
    /// The same, legal percepts first.
    LDub,
    /// Depth, then breadth, then uncertainty.
    Dbu,
    /// The same, legal percepts first.
    LDbu,
    /// The same, legal percepts first, greedy pruning.
    GlDbu,
    /// Incremental proof-number search: its leaves are single states.
    Ipns,
    /// Incremental proof-number search that knows the depth limit.
    DIpns,
    /// Depth-first proof-number search with a table of belief states.
    DfPn,
    /// Iterative deepening with perfect-information pruning: an attempt that fails in a single state with perfect information fails
    /// for the belief state. Greedy and legal-first, with transposition tables of states and of belief states. Its name in
    /// answers and on the command line is `foresight`.
    #[serde(rename = "foresight")]
    PerfectInformationPruning,
}

impl Algorithm {
    pub const ALL: [Algorithm; 21] = [
        Algorithm::Auto,
        Algorithm::Dfs,
        Algorithm::LDfs,
        Algorithm::GDfs,
        Algorithm::GlDfs,
        Algorithm::GxDfs,
        Algorithm::EDfs,
        Algorithm::Udb,
        Algorithm::LeDfs,
        Algorithm::Pns,
        Algorithm::LPns,
        Algorithm::EPns,
        Algorithm::Dub,
        Algorithm::LDub,
        Algorithm::Dbu,
        Algorithm::LDbu,
        Algorithm::GlDbu,
        Algorithm::Ipns,
        Algorithm::DIpns,
        Algorithm::DfPn,
        Algorithm::PerfectInformationPruning,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Algorithm::Auto => "auto",
            Algorithm::Dfs => "dfs",
            Algorithm::LDfs => "l-dfs",
            Algorithm::GDfs => "g-dfs",
            Algorithm::GlDfs => "gl-dfs",
            Algorithm::GxDfs => "gx-dfs",
            Algorithm::EDfs => "e-dfs",
            Algorithm::Udb => "udb",
            Algorithm::LeDfs => "le-dfs",
            Algorithm::Pns => "pns",
            Algorithm::LPns => "l-pns",
            Algorithm::EPns => "e-pns",
            Algorithm::Dub => "dub",
            Algorithm::LDub => "l-dub",
            Algorithm::Dbu => "dbu",
            Algorithm::LDbu => "l-dbu",
            Algorithm::GlDbu => "gl-dbu",
            Algorithm::Ipns => "ipns",
            Algorithm::DIpns => "d-ipns",
            Algorithm::DfPn => "df-pn",
            Algorithm::PerfectInformationPruning => "foresight",
        }
    }

    /// What `auto` stands for; any other algorithm is itself.
    #[must_use]
    pub fn chosen(self) -> Algorithm {
        if self == Algorithm::Auto { Algorithm::PerfectInformationPruning } else { self }
    }
}

/// On a command line an algorithm has the name that it has in the paper.
#[cfg(feature = "clap")]
impl clap::ValueEnum for Algorithm {
    fn value_variants<'a>() -> &'a [Algorithm] {
        &Algorithm::ALL
    }

    fn to_possible_value(&self) -> Option<clap::builder::PossibleValue> {
        Some(clap::builder::PossibleValue::new(self.name()))
    }
}

/// A plan of a world.
pub type PlanOf<W> = Rc<Plan<<W as HiddenWorld>::Attempt, <W as HiddenWorld>::Percept>>;

/// Plans after the other side's step.
pub type RepliesOf<W> = Replies<<W as HiddenWorld>::Attempt, <W as HiddenWorld>::Percept>;

/// The answer of a search, and what it cost.
#[derive(Debug)]
pub struct Answer<W: HiddenWorld> {
    /// A plan, the proof that there is none within the depth, or the limit that came first.
    pub verdict: Verdict<PlanOf<W>>,
    pub effort: Effort,
}

/// Looks for a plan that wins within `depth` steps (of both sides together, so an odd number) in each of `states`.
///
/// No states at all are won by doing nothing, but a plan has a first attempt: asking for one is a bug.
pub fn solve<W: HiddenWorld>(
    world: &W,
    states: &[W::State],
    depth: usize,
    algorithm: Algorithm,
    budget: &Budget,
) -> Answer<W> {
    assert!(!states.is_empty(), "a belief state has states");
    assert!(depth % 2 == 1, "the last step is the solver's");
    let options = |order, greedy, early| dfs::Options { order, greedy, early };
    let (found, effort) = match algorithm.chosen() {
        Algorithm::Dfs => dfs::search(world, states, depth, options(Order::AsTheyCome, false, false), budget),
        Algorithm::LDfs => {
            dfs::search(world, states, depth, options(Order::LegalFirst, false, false), budget)
        }
        Algorithm::GDfs => dfs::search(world, states, depth, options(Order::AsTheyCome, true, false), budget),
        Algorithm::GlDfs => {
            dfs::search(world, states, depth, options(Order::LegalFirst, true, false), budget)
        }
        Algorithm::GxDfs => {
            dfs::search(world, states, depth, options(Order::RejectedFirst, true, false), budget)
        }
        Algorithm::EDfs | Algorithm::Udb => {
            dfs::search(world, states, depth, options(Order::AsTheyCome, false, true), budget)
        }
        Algorithm::LeDfs => {
            dfs::search(world, states, depth, options(Order::LegalFirst, false, true), budget)
        }
        Algorithm::Pns => pns::search(world, states, depth, pns::Options::default(), budget),
        Algorithm::LPns => {
            pns::search(world, states, depth, pns::Options { legal_first: true, early: false }, budget)
        }
        Algorithm::EPns => {
            pns::search(world, states, depth, pns::Options { legal_first: false, early: true }, budget)
        }
        Algorithm::Dub => incremental::search(world, states, depth, Breadth::Last, false, false, budget),
        Algorithm::LDub => incremental::search(world, states, depth, Breadth::Last, true, false, budget),
        Algorithm::Dbu => incremental::search(world, states, depth, Breadth::Second, false, false, budget),
        Algorithm::LDbu => incremental::search(world, states, depth, Breadth::Second, true, false, budget),
        Algorithm::GlDbu => incremental::search(world, states, depth, Breadth::Second, true, true, budget),
        Algorithm::Ipns => ipns::search(world, states, depth, false, budget),
        Algorithm::DIpns => ipns::search(world, states, depth, true, budget),
        Algorithm::DfPn => dfpn::search(world, states, depth, budget),
        Algorithm::PerfectInformationPruning | Algorithm::Auto => {
            perfect_information::search(world, states, depth, budget)
        }
    };
    let verdict = match found {
        Ok(Some(plan)) => Verdict::Solved(plan),
        Ok(None) => Verdict::Unsolvable,
        Err(limit) => Verdict::Stopped(limit),
    };
    Answer { verdict, effort }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_json_form_is_the_name() {
        for algorithm in Algorithm::ALL {
            assert_eq!(serde_json::to_value(algorithm).unwrap(), algorithm.name());
        }
    }
}
