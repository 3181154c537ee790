#![doc = include_str!("../README.md")]

mod belief;
mod effort;
mod foresight;
mod plan;
mod world;

pub use effort::Effort;
pub use plan::Plan;
pub use world::{After, World, winning_by_trying};

/// temporary
pub fn auto<W: World>(w: &W, b: &[W::State], d: usize, budget: &counterplay_base::Budget) -> (Result<Option<std::rc::Rc<Plan<W::Attempt, W::Percept>>>, counterplay_base::Limit>, Effort) {
    foresight::search(w, b, d, budget)
}
