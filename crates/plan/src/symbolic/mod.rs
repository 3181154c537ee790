//! Symbolic searches: whole layers of states at a time.
//!
//! [`Engine`] holds the task as diagrams; [`Side`](side::Side) is a uniform-cost search in one direction; [`Uniform`]
//! runs one side or both until they meet (breadth-first search is the case where every operator costs one);
//! [`AStar`] guides the forward side by a pattern database. After Kissmann 2012, chapter 6; the bidirectional search
//! stops as in SymBA* (Torralba, Linares López and Borrajo 2016), by proved bounds.

mod astar;
mod certify;
mod engine;
mod extract;
mod history;
mod many;
mod pattern;
mod side;
mod soft;
mod uniform;

pub(crate) use astar::AStar;
pub use certify::certify_by_layers;
pub(crate) use engine::{Costs, Engine};
pub use many::{Count, ManyAnswer, ManyOptions, Wanted, count_plans, find_plans};
pub(crate) use soft::has_few_layers;
pub(crate) use uniform::Uniform;
