//! Random small problems and slow twins, for the tests of the other crates.
//!
//! [`random_task`] makes a small finite-domain task from a seed, the same on every machine. [`brute_force`]
//! and its companions answer the questions of the search crates by enumerating all reachable states with the
//! plain semantics of the task crate: slow, obvious, and sharing nothing with the searches.
//!
//! ```
//! use counterplay_testkit::{brute_force, goal_distances, random_task};
//!
//! let task = random_task(7);
//! let (_initial, distance) = &goal_distances(&task)[0];
//! assert_eq!(*distance, brute_force(&task));
//! ```

mod impatient;
mod random;
mod twin;

pub use impatient::Impatient;
pub use random::{Shape, add_random_soft_goals, random_symmetric_task, random_task, random_task_of};
pub use twin::{State, add_true_losses, add_true_mutexes, brute_force, goal_distances, reachable};
