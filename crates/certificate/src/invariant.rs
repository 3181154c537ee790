//! What a certificate says: a set of pairs of a state and the cost paid so far.
//!
//! The set is a union. A *closed state* stands for itself, at its cost or more. An *estimate* stands for many states: it charges a
//! weight for each of its *zones* that a state has entered, where a zone is a set of facts that every goal state is in.

use counterplay_base::IdVec;
use counterplay_task::{Fact, OpId, Task, Value, VarId};

/// What is proved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    /// There is no plan.
    Unsolvable,
    /// Every plan costs at least this.
    AtLeast(u64),
}

/// A set of pairs (state, cost) that no plan below the claim leaves.
#[derive(Clone, Debug)]
pub struct Invariant {
    pub claim: Claim,
    pub states: Vec<Closed>,
    /// Sets of facts, each sorted. A state has entered a zone if one of the facts holds in it.
    pub zones: Vec<Vec<Fact>>,
    pub estimates: Vec<Estimate>,
}

/// A state that was expanded: it is in the set at cost `g` and at any higher cost.
#[derive(Clone, Debug)]
pub struct Closed {
    pub values: IdVec<VarId, Value>,
    pub g: u64,
    /// Each applicable operator, and where the step is covered.
    pub steps: Vec<(OpId, Target)>,
}

/// Where a step from a closed state leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// To a closed state, by its place.
    State(usize),
    /// To a pair that an estimate covers, by its place.
    Estimate(usize),
    /// The cost reaches the claim.
    TooDear,
}

/// A state is in the set at cost `base` and more, plus the weights of the zones that it has entered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Estimate {
    pub base: u64,
    /// Places of zones, with weights above zero.
    pub parts: Vec<(usize, u64)>,
}

impl Invariant {
    /// What the estimate asks of the cost in a state.
    pub fn charge(&self, estimate: &Estimate, state: &IdVec<VarId, Value>) -> u128 {
        let weights = estimate
            .parts
            .iter()
            .filter(|(zone, _)| is_entered(&self.zones[*zone], state))
            .map(|&(_, weight)| u128::from(weight));
        u128::from(estimate.base) + weights.sum::<u128>()
    }

    /// What must not be reached: the cost of the claim; one where costs do not matter.
    pub(crate) fn bound(&self) -> u64 {
        match self.claim {
            Claim::Unsolvable => 1,
            Claim::AtLeast(bound) => bound,
        }
    }

    /// What an operator costs, as far as the claim is concerned.
    pub(crate) fn cost(&self, task: &Task, op: OpId) -> u64 {
        match self.claim {
            Claim::Unsolvable => 0,
            Claim::AtLeast(_) => task.operators[op].cost,
        }
    }
}

/// Whether a fact of the zone holds in the state.
pub(crate) fn is_entered(zone: &[Fact], state: &IdVec<VarId, Value>) -> bool {
    zone.iter().any(|fact| state[fact.var] == fact.value)
}
