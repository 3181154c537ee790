//! What a certificate says: a set of pairs of a state and the cost paid so far.
//!
//! The set is a union. A *closed state* stands for itself, at its cost or more. An *estimate* stands for many states: it charges a
//! weight for each of its *zones* that a state has entered, where a zone is a set of facts that every goal state is in. A *layer* stands
//! for a set of states, given by a decision diagram over the variables, at its cost or more.

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
    /// The diagrams of all layers.
    pub diagram: Diagram,
    pub layers: Vec<Layer>,
}

/// Sets of states as decision diagrams that share their nodes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diagram {
    /// The variables in the order in which nodes ask for them. Those with one value only need not be there.
    pub order: Vec<VarId>,
    /// `nodes[i]` has the number `i + 2`; number 0 is the empty set, 1 the set of all states. Children have lower numbers.
    pub nodes: Vec<DiagramNode>,
}

/// Asks for a variable, and has the number of a set for each value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiagramNode {
    pub var: VarId,
    pub children: Vec<u32>,
}

/// The states of a set, at this cost and at any higher cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layer {
    pub cost: u64,
    /// The number of the set, which is not empty.
    pub set: u32,
}

/// The empty set.
pub(crate) const NONE: u32 = 0;
/// The set of all states.
pub(crate) const ALL: u32 = 1;

impl Diagram {
    /// The node with a number; the two sets without a node have none.
    pub(crate) fn node(&self, number: u32) -> Option<&DiagramNode> {
        number.checked_sub(2).map(|at| &self.nodes[at as usize])
    }

    /// Whether a state is in a set.
    pub(crate) fn contains(&self, mut set: u32, state: &IdVec<VarId, Value>) -> bool {
        while let Some(node) = self.node(set) {
            set = node.children[state[node.var] as usize];
        }
        set == ALL
    }
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
    /// An invariant without parts.
    pub fn empty(claim: Claim) -> Invariant {
        Invariant {
            claim,
            states: Vec::new(),
            zones: Vec::new(),
            estimates: Vec::new(),
            diagram: Diagram::default(),
            layers: Vec::new(),
        }
    }

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
