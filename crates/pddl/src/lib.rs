//! PDDL 3.1 and HDDL text to a resolved, typed problem.
//!
//! [`model`] is what everything downstream sees: names have become ids, types have been checked, and every
//! place that can be wrong later keeps its span. Grounding and search live elsewhere.
//!
//! All errors of a file are reported at once, each with its place:
//!
//! ```
//! use counterplay_syntax::Sources;
//!
//! let mut sources = Sources::default();
//! let domain = sources.add("domain.pddl", "(define (domain lamp) (:predicates (lit ?l))
//!     (:action switch :parameters (?l) :effect (lit ?l)))");
//! let problem = sources.add("p.pddl", "(define (problem p) (:domain lamp) (:objects a) (:init) (:goal (lit a)))");
//! let read = counterplay_pddl::read(&sources, domain, problem).unwrap();
//! assert_eq!(read.actions.iter().next().unwrap().name, "switch");
//!
//! let wrong = sources.add("q.pddl", "(define (problem q) (:domain lamp) (:init) (:goal (or (lid a) (lit b))))");
//! let errors = counterplay_pddl::read(&sources, domain, wrong).unwrap_err();
//! let messages: Vec<String> = errors.iter().map(|error| error.to_string()).collect();
//! assert_eq!(messages[0], "unknown predicate `lid`");
//! assert!(messages.len() > 1);
//! ```

mod condition;
mod declarations;
mod definition;
mod domain;
mod effect;
mod error;
mod expression;
mod hierarchy;
pub mod model;
mod number;
pub mod print;
mod problem;
mod resolver;
mod strata;
mod typed_list;

use counterplay_syntax::{FileId, Sources, Span};

pub use error::{Error, Kind};

use definition::Definition;
use model::Problem;
use resolver::Resolver;

/// Reads a domain and a problem. All errors of both files come back together.
pub fn read(sources: &Sources, domain: FileId, problem: FileId) -> Result<Problem, Vec<Error>> {
    let mut resolver = Resolver::new(Span { file: problem, start: 0, end: 0 });
    let mut tree = |file| {
        let tree = counterplay_syntax::read_pddl(sources, file);
        tree.map_err(|error| resolver.errors.push(error.into())).ok()
    };
    let (domain, problem) = (tree(domain), tree(problem));
    let domain = domain.as_ref().and_then(|tree| Definition::new(tree, "domain", &mut resolver.errors));
    let problem = problem.as_ref().and_then(|tree| Definition::new(tree, "problem", &mut resolver.errors));
    if let Some(domain) = &domain {
        resolver.domain(domain);
    }
    // Without its domain every name of a problem would be unknown.
    if let (Some(domain), Some(problem)) = (&domain, &problem) {
        let before = resolver.errors.shown();
        resolver.problem(problem);
        // Many problems misspell the name of their domain, and that alone is no error.
        if let Some((named, at)) = problem.domain_named().filter(|(named, _)| *named != domain.name) {
            let given = domain.name.clone();
            resolver
                .errors
                .replace_misfits(before, Error::OtherDomain { named, given, at, domain: domain.at });
        }
    }
    resolver.errors.finish().map(|()| resolver.problem)
}
