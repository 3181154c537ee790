//! Grounding: from a lifted problem to a finite-domain task.

pub mod datalog;
