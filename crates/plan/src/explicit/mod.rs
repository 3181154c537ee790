//! A* over single states, with an open list (`open`) and one table of all states met, open or closed (`states`).
//!
//! States are packed words, interned once; costs, estimates and parents are side tables. The estimates come
//! from LM-cut, whose landmarks also tell, before a successor is looked at, how much of the estimate a step can
//! use up: successors wait with this bound and are evaluated only when it makes them the most promising.
//!
//! Operators whose order does not matter are tried in one order only (`stubborn`), and of states that are
//! symmetric to each other, an orbit, one representative is kept (`symmetry`). Both leave the cost of the cheapest plan as it is.
//! [`Heuristic::Blind`] uses neither: it is the plain twin of everything here.

mod abstraction;
mod axioms;
mod certify;
mod figures;
mod hmax;
mod incremental_lmcut;
mod landmarks;
mod lmcut;
mod open;
mod packed;
mod queue;
mod relaxed;
mod satisficing;
mod search;
mod states;
mod step;
mod stubborn;
mod successors;
mod symmetry;

pub use axioms::AxiomEvaluator;
pub use certify::{CertifyError, certify};
pub use figures::Figures;
pub use relaxed::{FactId, GroupId, Relaxed, RelaxedId};
pub(crate) use satisficing::{Anytime, Finding};
pub use search::AStar;
pub use successors::SuccessorTree;

use counterplay_base::{Budget, Progress, Verdict};
use counterplay_task::Task;

use crate::{Answer, Heuristic, Statistics};

/// Work allowed for building abstraction heuristics.
pub(crate) const ABSTRACTION_WORK: u64 = 40_000_000;

/// Finds a plan of least cost by A* over single states.
pub fn astar(task: &Task, heuristic: Heuristic, budget: &Budget, progress: &dyn Progress) -> Answer {
    let built = match heuristic {
        Heuristic::Abstractions => AStar::with_abstractions(task, ABSTRACTION_WORK, budget),
        Heuristic::Blind | Heuristic::LmCut => Ok(None),
    };
    let mut search = match built {
        Ok(Some(search)) => search,
        Ok(None) => AStar::new(task, heuristic),
        Err(limit) => {
            let statistics = Statistics { ran: "abstractions".to_owned(), ..Statistics::default() };
            return Answer { verdict: Verdict::Stopped(limit), best: None, plans: Vec::new(), statistics };
        }
    };
    let verdict = search.run(budget, progress);
    Answer { verdict, best: None, plans: Vec::new(), statistics: search.statistics() }
}
