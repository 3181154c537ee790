//! Symbolic searches: whole layers of states at a time.
//!
//! [`Engine`] holds the task as diagrams; [`Side`] is a uniform-cost search in one direction; [`uniform`] runs one
//! side or both until they meet (breadth-first search is the case where every operator costs one); [`astar`]
//! guides the forward side by a pattern database. After Kissmann 2012, chapter 6; the bidirectional search stops
//! as in SymBD (Torralba, Alcázar, Kissmann and Edelkamp 2017), by proved bounds.

mod engine;
mod extract;
mod side;
mod uniform;

pub(crate) use engine::{Costs, Engine};
pub(crate) use uniform::Uniform;
