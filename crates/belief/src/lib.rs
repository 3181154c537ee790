#![doc = include_str!("../README.md")]

mod algorithm;
mod belief;
mod dfpn;
mod dfs;
mod dominance;
mod effort;
mod estimate;
mod incremental;
mod interleave;
mod ipns;
mod perfect_information;
pub mod phantom;
mod plan;
mod pns;
mod tree;
mod world;

pub use algorithm::{Algorithm, Answer, PlanOf, RepliesOf, solve};
pub use effort::Effort;
pub use estimate::{Event, EventOf, Observed, Stream, update};
pub use interleave::solve_while_estimating;
pub use plan::{Plan, Replies};
pub use world::{After, HiddenWorld, winning_by_trying};
