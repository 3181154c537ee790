#![doc = include_str!("../README.md")]

mod algorithm;
mod belief;
mod dfpn;
mod dfs;
mod effort;
mod estimate;
mod foresight;
mod incremental;
mod interleave;
mod ipns;
mod plan;
mod pns;
mod tree;
mod world;

pub use algorithm::{Algorithm, Answer, PlanOf, solve};
pub use effort::Effort;
pub use estimate::{Event, EventOf, Observed, Stream, update};
pub use interleave::solve_while_estimating;
pub use plan::Plan;
pub use world::{After, World, winning_by_trying};
