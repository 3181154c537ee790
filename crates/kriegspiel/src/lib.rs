#![doc = include_str!("../README.md")]

pub mod chess;
mod history;
pub mod mailbox;
pub mod material;
mod percept;
mod problem;
mod refutation;
mod world;

pub use history::{Heard, KriegEvent};
pub use percept::{Announcement, Checks, Direction, End, Percept};
pub use problem::{BeliefError, PlanFlaw, check_belief, check_plan};
pub use refutation::{Refutation, refutation};
pub use world::Kriegspiel;
