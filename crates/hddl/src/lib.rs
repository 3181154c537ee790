//! Planning for HDDL problems: tasks are refined by methods until only actions are left.
//!
//! [`shop`] finds plans, [`network_policy`] policies that carry out the network where actions have several outcomes.
//! Both work on the lifted problem, by unification. [`advice`] takes the methods as advice on the way to a goal: ND-SHOP2
//! over explicit states, Yoyo over decision diagrams, both over a grounded task.
//!
//! ```
//! use counterplay_base::{Budget, Silent};
//! use counterplay_hddl::{HddlProblem, Options, PreparedProblem, shop};
//! use counterplay_syntax::Sources;
//!
//! let mut sources = Sources::default();
//! let domain = sources.add("domain.hddl", "(define (domain tea) (:predicates (hot) (full))
//!     (:task make-tea :parameters ())
//!     (:method usual :parameters () :task (make-tea) :ordered-subtasks (and (boil) (pour)))
//!     (:action boil :effect (hot)) (:action pour :precondition (hot) :effect (full)))");
//! let problem = sources.add("problem.hddl", "(define (problem p) (:domain tea)
//!     (:htn :ordered-subtasks (and (make-tea))) (:init) (:goal (full)))");
//! let problem = counterplay_pddl::read(&sources, domain, problem).unwrap();
//! let lifted = HddlProblem::new(&problem).unwrap();
//! let prepared = PreparedProblem::new(&lifted);
//! let answer = shop(&prepared, Options::default(), &Budget::unlimited(), &Silent);
//! assert_eq!(answer.verdict.solved().unwrap().actions(&prepared), ["boil", "pour"]);
//! ```
//!
//! ```text
//! lifted      the problem in the shape unification wants
//! hoist       preconditions of first actions, moved up into methods
//! packing     arguments as one word
//! facts       indexed sets of atoms, states
//! unify       bindings of a method or action, one at a time
//! prepared    a problem with everything that never changes, prepared
//! successors  configurations (state and network) and their successors
//! dead_ends   goal atoms that are out of reach
//! descend     depth-first search       best_first  A*
//! grounded    greedy search over the ground problem, by relaxed composition
//! first_plan  both in turn                 shop        any plan, then shorter ones
//! contingent  policies over state and network, by and-or search
//! explored    an and-or graph and its strong and strong-cyclic solutions
//! plan        a plan with its decomposition
//! methods     methods as knowledge of `counterplay-tasknet`: explanations
//! advice      what ND-SHOP2 and Yoyo share
//! ndshop2     sets of states as lists
//! yoyo        sets of states as decision diagrams
//! ```

pub mod advice;
mod best_first;
mod contingent;
mod dead_ends;
mod descend;
mod error;
mod explored;
mod facts;
mod first_plan;
mod grounded;
mod hoist;
mod lifted;
mod methods;
mod ndshop2;
mod packing;
mod plan;
mod prepared;
mod shop;
mod successors;
mod unify;
mod yoyo;

pub use contingent::{Guarantee, NetworkPolicy, PolicyAnswer, network_policy};
pub use error::Error;
pub use facts::State;
pub use lifted::HddlProblem;
pub use methods::{Methods, Situation, TaskWays};
pub use plan::Plan;
pub use prepared::{PreparedProblem, Task};
pub use shop::{Answer, Figures, NetworkSearch, Options, shop};
