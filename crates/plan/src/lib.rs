//! Optimal classical planning.
//!
//! [`solve`] takes a finite-domain task and returns a plan of least cost, the proof that there is none, or
//! the limit that ended the search. The symbolic searches (breadth-first, Dijkstra, BDDA*) and the explicit
//! A* share only the task; whatever they return can be checked by code that knows neither.

mod answer;
mod auto;
pub mod explicit;
mod symbolic;

pub use answer::{Answer, Direction, Heuristic, Options, Plan, Search, Statistics};

use counterplay_base::{Budget, Limit, Progress, Verdict};
use counterplay_task::{OpId, Task};

use symbolic::{AStar, Costs, Engine, Uniform};

/// Work allowed for the pattern database of BDDA*.
const DATABASE_WORK: u64 = 20_000_000;

/// Finds a plan of least cost.
pub fn solve(task: &Task, options: &Options, budget: &Budget, progress: &dyn Progress) -> Answer {
    if let Err(limit) = budget.check() {
        return Answer { verdict: Verdict::Stopped(limit), statistics: Statistics::default() };
    }
    match options.search {
        Search::Auto => auto::solve(task, options, budget, progress),
        Search::Explicit => explicit::astar(task, options.heuristic, budget, progress),
        Search::Bfs | Search::Dijkstra | Search::AStar => by_layers(task, options, budget, progress),
    }
}

/// The symbolic searches.
fn by_layers(task: &Task, options: &Options, budget: &Budget, progress: &dyn Progress) -> Answer {
    let costs = if options.search == Search::Bfs { Costs::One } else { Costs::Own };
    let mut statistics = Statistics::default();
    let mut search = || -> Result<Verdict<Vec<OpId>>, Limit> {
        let engine = Engine::new(task, costs, options.seed, budget)?;
        if options.search == Search::AStar {
            let mut search = AStar::new(&engine, DATABASE_WORK)?;
            let verdict = search.run(budget, progress);
            statistics = search.statistics();
            return Ok(verdict);
        }
        let mut search = Uniform::new(&engine, options.direction);
        let verdict = search.run(budget, progress);
        statistics = search.statistics();
        Ok(verdict)
    };
    let verdict = search().unwrap_or_else(Verdict::Stopped);
    let cost = |operators: &[OpId]| task.plan_cost(operators).expect("the search has added these costs up");
    Answer { verdict: verdict.map(|operators| Plan { cost: cost(&operators), operators }), statistics }
}
