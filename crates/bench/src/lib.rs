//! Measuring the `counterplay` command.
//!
//! A folder of problems is run one by one, each in a process of its own, so that time and memory are what a user
//! would see; the costs are compared with a reference, the times with those of other planners. Problems that grow
//! come from [`generate`]. Nothing here plans.
//!
//! ```
//! use counterplay_bench::reference::{Optimal, Reference};
//!
//! let reference = Reference::read("domain,instance,optimal,symk_cpu\ntrail,p02.pddl,31.5,0.4\n")?;
//! assert_eq!(reference.planners, ["symk"]);
//! assert_eq!(reference.get("trail", "p02.pddl").unwrap().optimal, Optimal::Cost(31.5));
//! # Ok::<(), counterplay_bench::reference::ReferenceError>(())
//! ```

pub mod certificates;
pub mod csv;
pub mod generate;
pub mod growth;
pub mod policies;
pub mod problems;
pub mod reference;
pub mod suite;
pub mod table;
