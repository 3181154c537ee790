//! A* over single states, with an open list (`open`) and one table of all states met, open or closed (`states`).
//!
//! States are packed words, interned once; costs, estimates and parents are side tables. The estimates come
//! from LM-cut, whose landmarks also tell, before a successor is looked at, how much of the estimate a step can
//! use up: successors wait with this bound and are evaluated only when it makes them the most promising.
//!
//! Operators whose order does not matter are tried in one order only (`stubborn`), and of states that are
//! symmetric to each other, an orbit, one representative is kept (`symmetry`). Both leave the cost of the cheapest plan as it is.
//! [`Heuristic::Blind`] uses neither: it is the plain twin of everything here.

mod axioms;
mod certify;
mod hmax;
mod incremental_lmcut;
mod landmarks;
mod lmcut;
mod open;
mod packed;
mod queue;
mod relaxed;
mod search;
mod states;
mod step;
mod stubborn;
mod successors;
mod symmetry;

pub use axioms::AxiomEvaluator;
pub use certify::{CertifyError, certify};
pub use relaxed::{FactId, GroupId, Relaxed, RelaxedId};
pub use search::{AStar, Figures};
pub use successors::SuccessorTree;

use counterplay_base::{Budget, Progress};
use counterplay_task::Task;

use crate::{Answer, Heuristic};

/// Finds a plan of least cost by A* over single states.
pub fn astar(task: &Task, heuristic: Heuristic, budget: &Budget, progress: &dyn Progress) -> Answer {
    let mut search = AStar::new(task, heuristic);
    let verdict = search.run(budget, progress);
    Answer { verdict, best: None, statistics: search.statistics() }
}
