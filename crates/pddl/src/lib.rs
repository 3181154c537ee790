//! PDDL 3.1 text to a resolved, typed problem.
//!
//! [`model`] is what everything downstream sees: names have become ids, types have been checked, and every
//! place that can be wrong later keeps its span. Grounding and search live elsewhere.

pub mod model;
