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

mod error;
mod formula;
mod invariant;
mod lines;
mod operators;
mod proof;
mod steps;
mod text;
mod tree;
mod variables;

pub use error::Error;
pub use formula::write_formula;
pub use invariant::{Claim, Closed, Estimate, Invariant, Target};
pub use proof::write_proof;
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
