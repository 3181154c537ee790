//! Plans that survive the other players.
//!
//! A [`Problem`] is read from text, [`solve`] returns an [`Answer`], and the answer says what it rests on
//! ([`Evidence`]). Every answer is checked by code that shares nothing with the search that found it.
//!
//! ```
//! use counterplay::{Budget, Problem, Request, Silent, solve};
//!
//! let domain = "(define (domain lamp) (:predicates (lit)) (:action switch :effect (lit)))";
//! let task = "(define (problem dark) (:domain lamp) (:init) (:goal (lit)))";
//! let problem = Problem::read(domain, task)?;
//! let answer = solve(&problem, &Request::default(), &Budget::unlimited(), &Silent)?;
//! assert_eq!(answer.plan, Some(vec!["(switch)".to_owned()]));
//! assert!(answer.evidence.is_proof());
//! # Ok::<(), counterplay::Error>(())
//! ```
//!
//! The kind of the problem is detected: a plan of least cost, a plan of best net benefit, a policy where actions have
//! several outcomes, or a plan or policy that carries out a task network. The JSON form of [`Answer`] is what
//! `counterplay solve --json` prints.

mod amount;
pub mod bridge;
pub mod dilemma;
mod effort;
mod error;
mod figures;
mod finding;
pub mod game;
pub mod go;
pub mod kriegspiel;
pub mod mdp;
mod picture;
pub mod planning;
mod problem;
mod verdict;

pub use counterplay_generate as generate;
pub use counterplay_syntax as syntax;

pub use counterplay_base::{Budget, Evidence, Limit, Progress, Report, Silent, Verdict};

pub use amount::Amount;
pub use effort::{CpuClock, Phase, Phases, Stopwatch, seconds};
pub use error::{Error, Halt};
pub use figures::{count, grouped};
pub use finding::Finding;
pub use picture::picture;
pub use planning::{Answer, CheckRequest, Grounding, Request, Validity, check, ground, solve};
pub use problem::{LiftedProblem, Problem};
