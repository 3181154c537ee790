//! Planning for HDDL problems.
//!
//! ```text
//! lifted   the problem in the shape unification wants      hoist   what methods need without saying so
//! facts    indexed sets of atoms, states                    unify   bindings, one at a time
//! known    a problem with all that never changes            descend lifted depth-first decomposition
//! walk     where a decomposition stands, ways to go on      best_first  shortest plans
//! prospects   goal atoms that are out of reach
//! plan     a plan with its decomposition                   shop    any plan, then shorter ones
//! ```

pub mod advice;
mod best_first;
mod contingent;
mod descend;
mod error;
mod explored;
mod facts;
mod hoist;
mod known;
mod lifted;
mod methods;
mod ndshop2;
mod plan;
mod prospects;
mod shop;
mod unify;
mod walk;
mod yoyo;

pub use contingent::{Guarantee, NetworkPolicy, PolicyAnswer, network_policy};
pub use error::Error;
pub use facts::State;
pub use known::{PreparedProblem, Task};
pub use lifted::HddlProblem;
pub use methods::{Methods, Situation, TaskWays};
pub use plan::Plan;
pub use shop::{Answer, Figures, Options, shop};
