#![doc = include_str!("../README.md")]

pub mod adversary;
pub mod agenda;
pub mod agents;
pub mod knowledge;
pub mod network;
pub mod tree;
pub mod world;

pub use agenda::Agenda;
pub use knowledge::{Explanation, Knowledge, Refinement, Way};
pub use network::{NetworkId, Networks};
pub use tree::{DecompositionTree, NodeId};
pub use world::{Outcomes, TaskWorld};
