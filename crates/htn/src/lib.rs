#![doc = include_str!("../README.md")]

pub mod adversary;
pub mod agenda;
pub mod agents;
pub mod decompose;
pub mod knowledge;
pub mod trace;
pub mod tree;
pub mod world;

pub use agenda::{Agenda, AgendaId, Agendas};
pub use decompose::{Decomposition, decompose};
pub use knowledge::{Explanation, Knowledge, Refinement, Way};
pub use trace::{Choice, NodeId, Trace};
pub use tree::Tree;
pub use world::{Outcomes, World};
