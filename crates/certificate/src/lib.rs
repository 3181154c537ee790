//! Certificates: proofs that there is no plan, or none below a cost, that a program we did not write can check.
//!
//! A proof has two parts. An [`Invariant`] is a set of pairs of a state and the cost paid so far: it has the initial state with cost nothing, each step from it
//! stays inside, and no pair with a goal state costs less than the claim says. [`write_formula`] writes the finite task, the
//! invariant and the *negation* of these three properties as pseudo-Boolean constraints (OPB), and [`write_proof`] derives a
//! contradiction from them, in the format of VeriPB 3. So the verdict "unsatisfiable" of VeriPB is all that has to be trusted, next to the formula itself.
//!
//! After Eriksson, Röger and Helmert (*Unsolvability certificates for classical planning*, ICAPS 2017) and Dold, Helmert, Nordström, Röger and
//! Schindler (*Pseudo-Boolean proof logging for optimal classical planning*, ICAPS 2025). Where we depart from the latter: the
//! invariant is part of the formula and not of the proof, so that the proof ends with a contradiction and needs no second look at
//! what it derived; each definition is written in the one direction in which it is used.
//!
//! A lamp that no operator lights: the initial state is all that can be reached.
//!
//! ```
//! use counterplay_base::{Budget, Id};
//! use counterplay_certificate::{Claim, Closed, Invariant, write_formula, write_proof};
//! use counterplay_task::{Fact, Task, VarId, Variable};
//! use num_rational::Ratio;
//!
//! let lamp = Variable { name: "lamp".into(), values: vec!["dark".into(), "lit".into()], derived: None };
//! let task = Task {
//!     variables: vec![lamp].into(),
//!     initial: vec![0].into(),
//!     goal: vec![Fact { var: VarId::new(0), value: 1 }],
//!     soft: vec![],
//!     operators: vec![].into(),
//!     axioms: vec![],
//!     mutex_groups: vec![],
//!     mutex_pairs: vec![],
//!     has_metric: false,
//!     cost_unit: Ratio::from_integer(1),
//! };
//! let start = Closed { values: task.initial.clone(), g: 0, steps: vec![] };
//! let invariant = Invariant { states: vec![start], ..Invariant::empty(Claim::Unsolvable) };
//! let (mut formula, mut proof) = (Vec::new(), Vec::new());
//! write_formula(&task, &invariant, &mut formula, &Budget::unlimited()).unwrap();
//! write_proof(&task, &invariant, &mut proof, &Budget::unlimited()).unwrap();
//! assert!(formula.starts_with(b"* #variable="));
//! assert!(String::from_utf8(proof).unwrap().contains("conclusion UNSAT"));
//! ```

mod block_steps;
mod blocks;
mod error;
mod formula;
mod invariant;
mod layers;
mod lines;
mod operators;
mod proof;
mod steps;
mod text;
mod tree;
mod variables;
mod watched;

pub use error::Error;
pub use formula::write_formula;
pub use invariant::{Claim, Closed, Diagram, DiagramNode, Estimate, Invariant, Layer, Target};
pub use layers::MOST_LEMMAS;
pub use proof::{write_proof, write_proof_within};
pub use text::write_invariant;

use counterplay_task::Task;

/// What about a task cannot be certified yet, if anything.
pub fn unsupported(task: &Task) -> Option<&'static str> {
    if !task.axioms.is_empty() || task.variables.iter().any(|variable| variable.derived.is_some()) {
        return Some("derived predicates");
    }
    if !task.soft.is_empty() {
        return Some("soft goals that are not compiled away");
    }
    None
}
