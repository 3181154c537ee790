//! Planning problems of published case studies, as text and in any size.
//!
//! [`fond`] writes PDDL whose actions have several outcomes, [`hddl`] writes the same worlds with methods. The crate
//! knows no search and no grounder: what it writes is read like any other file.
//!
//! ```
//! use counterplay_generate::{Files, fond, hddl};
//! use counterplay_syntax::Sources;
//!
//! let Files { domain, problem } = fond::hunter_prey(3, 1, false);
//! let mut sources = Sources::default();
//! let (domain, problem) = (sources.add("domain.pddl", domain), sources.add("problem.pddl", problem));
//! let problem = counterplay_pddl::read(&sources, domain, problem).unwrap();
//! assert_eq!(problem.name, "hunter-prey-3-1");
//!
//! let with_methods = hddl::hunter_prey(3, 1, false);
//! assert!(with_methods.domain.contains("(:method chase-end"));
//! ```

pub mod fond;
pub mod hddl;

/// A domain and a problem, as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Files {
    pub domain: String,
    pub problem: String,
}
