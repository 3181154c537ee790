//! Finite-domain planning tasks: what every search works on.
//!
//! A task is a set of variables with finitely many values, one initial state, a goal that fixes some of the
//! variables, operators with conditional effects and costs, and axioms that compute derived variables after
//! each step. It is what Fast Downward's translator writes. Nothing here
//! knows PDDL, decision diagrams or search.
//!
//! ```
//! use counterplay_base::Id;
//! use counterplay_task::{Effect, Fact, OpId, Operator, Task, VarId, Variable, apply, is_goal, sas};
//! use num_rational::Ratio;
//!
//! let lamp = Variable { name: "lamp".into(), values: vec!["dark".into(), "lit".into()], derived: None };
//! let (dark, lit) = (Fact { var: VarId::new(0), value: 0 }, Fact { var: VarId::new(0), value: 1 });
//! let switch = Operator {
//!     name: "switch".into(),
//!     precondition: vec![dark],
//!     effects: vec![Effect { condition: vec![], fact: lit }],
//!     cost: 1,
//! };
//! let task = Task {
//!     variables: vec![lamp].into(),
//!     initial: vec![dark.value].into(),
//!     goal: vec![lit],
//!     soft: vec![],
//!     operators: vec![switch].into(),
//!     axioms: vec![],
//!     mutex_groups: vec![],
//!     mutex_pairs: vec![],
//!     has_metric: false,
//!     cost_unit: Ratio::from_integer(1),
//! };
//! let after = apply(&task, &task.initial, OpId::new(0));
//! assert!(is_goal(&task, &after));
//! assert_eq!(sas::read(&sas::write(&task)).unwrap(), task);
//! ```
//!
//! A [`NondetTask`] is a task whose operators are grouped into actions with several outcomes; a [`HiddenTask`] is one whose state
//! is not seen.

mod facts;
mod hidden;
mod nondet;
pub mod sas;
mod state;

use counterplay_base::{IdVec, id};
use num_rational::Ratio;

pub use facts::FactNumbers;
pub use hidden::{Description, HiddenAction, HiddenTask, InitialStates, Literal};
pub use nondet::{Choice, ChoiceId, NondetTask, OddsTask, START};
pub use state::{apply, close_under_axioms, holds, is_applicable, is_goal, total_cost, violation};

id! {
    pub struct VarId;
    pub struct OpId;
}

/// The number of a value within its variable's domain.
pub type Value = u32;

/// One variable has one value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Fact {
    pub var: VarId,
    pub value: Value,
}

/// A finite-domain planning task.
///
/// Laws: conditions are sorted by variable and name each variable at most once; initial values of derived
/// variables are their defaults; only axioms change derived variables; an axiom's layer is that of its head's
/// variable, and its condition uses the *default* value of derived variables of lower layers only.
#[derive(Clone, Debug, PartialEq)]
pub struct Task {
    pub variables: IdVec<VarId, Variable>,
    /// The value of each variable at the start (derived ones: the default, before axioms are applied).
    pub initial: IdVec<VarId, Value>,
    /// What has to hold at the end.
    pub goal: Vec<Fact>,
    /// What one would like to hold at the end, each with a price for going without.
    pub soft: Vec<SoftGoal>,
    pub operators: IdVec<OpId, Operator>,
    /// Axioms, in no particular order.
    pub axioms: Vec<Axiom>,
    /// Sets of facts of which at most one holds in every reachable state, beyond the variables themselves.
    pub mutex_groups: Vec<Vec<Fact>>,
    /// Pairs of facts that hold together in no state of any plan, found by h²; the list may be empty: such a state
    /// cannot be reached, or the goal cannot be reached from it. Searches may leave out states with such a pair
    /// in either direction. Pairs within one variable or one of the groups are not listed.
    pub mutex_pairs: Vec<(Fact, Fact)>,
    /// Whether the problem asked for a metric; without one every operator costs one.
    pub has_metric: bool,
    /// What one unit of operator cost is worth in the problem's own metric.
    pub cost_unit: Ratio<i128>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// A name, for people.
    pub name: String,
    /// What each value means, for people: `Atom on(a, b)`, `<none of those>`.
    pub values: Vec<String>,
    /// For a derived variable, the stratum of the axioms that compute it and the value it has before them.
    pub derived: Option<Derived>,
}

/// How a derived variable is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Derived {
    /// The stratum: lower ones are computed first.
    pub layer: u32,
    /// The value unless an axiom says otherwise.
    pub default: Value,
}

/// A preference over final states. A plan that ends where none of the alternatives holds pays the weight.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SoftGoal {
    /// Conditions of which one should hold; none: the goal cannot be met.
    pub alternatives: Vec<Vec<Fact>>,
    /// What it costs to go without, in units of operator cost.
    pub weight: u64,
    /// Conditions, each of which means that no plan meets the goal from here on. Searches may use them or not.
    pub lost: Vec<Vec<Fact>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operator {
    /// Name and arguments without parentheses: `pick-up a`.
    pub name: String,
    /// When it may be applied.
    pub precondition: Vec<Fact>,
    /// What it does: for each effect whose condition holds before, the fact becomes true. Two effects on one
    /// variable never fire together with different values.
    pub effects: Vec<Effect>,
    pub cost: u64,
}

/// One effect of an operator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Effect {
    /// Additional condition; empty for an effect that always happens.
    pub condition: Vec<Fact>,
    pub fact: Fact,
}

/// If the condition holds, the (derived) head becomes true.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Axiom {
    pub condition: Vec<Fact>,
    /// The fact it makes true.
    pub head: Fact,
}

impl Task {
    /// Number of values of a variable.
    pub fn domain_size(&self, var: VarId) -> Value {
        self.variables[var].values.len() as Value
    }

    /// Whether some operator has an effect with a condition of its own.
    pub fn has_conditional_effects(&self) -> bool {
        self.operators.iter().any(|op| op.effects.iter().any(|effect| !effect.condition.is_empty()))
    }

    /// The cost of a sequence of operators; `None` if it does not fit.
    pub fn plan_cost(&self, plan: &[OpId]) -> Option<u64> {
        plan.iter().try_fold(0u64, |sum, &op| sum.checked_add(self.operators[op].cost))
    }

    /// The name of a fact, for people.
    pub fn fact_name(&self, fact: Fact) -> &str {
        &self.variables[fact.var].values[fact.value as usize]
    }
}
