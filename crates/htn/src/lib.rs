#![doc = include_str!("../README.md")]

pub mod adversary;
pub mod agenda;
pub mod agents;
pub mod decompose;
pub mod hddl;
pub mod knowledge;
pub mod network;
pub mod steer;
pub mod trace;
pub mod tree;
pub mod world;

pub use agenda::{Agenda, AgendaId, Agendas};
pub use decompose::{Decomposition, decompose};
pub use knowledge::{Explanation, Knowledge, Refinement, Way};
pub use network::{NetworkId, Networks};
pub use trace::{Choice, NodeId, Trace};
pub use tree::Tree;
pub use world::{Outcomes, World};
