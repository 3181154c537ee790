//! Optimal classical planning.
//!
//! [`solve`] takes a finite-domain task and returns a plan of least cost, the proof that there is none, or
//! the limit that ended the search. The symbolic searches (breadth-first, Dijkstra, BDDA*) and the explicit
//! A* share only the task; whatever they return can be checked by code that knows neither.

mod answer;
mod symbolic;

pub use answer::{Answer, Direction, Heuristic, Options, Plan, Search, Statistics};

use counterplay_base::{Budget, Progress, Verdict};
use counterplay_task::Task;

use symbolic::{Costs, Engine, Uniform};

/// Finds a plan of least cost.
pub fn solve(task: &Task, options: &Options, budget: &Budget, progress: &dyn Progress) -> Answer {
    symbolic_uniform(task, options, budget, progress)
}

fn symbolic_uniform(task: &Task, options: &Options, budget: &Budget, progress: &dyn Progress) -> Answer {
    let costs = if options.search == Search::Bfs { Costs::One } else { Costs::Own };
    let mut statistics = Statistics { ran: "symbolic".into(), ..Statistics::default() };
    let engine = match Engine::new(task, costs, options.seed, budget) {
        Ok(engine) => engine,
        Err(limit) => return Answer { verdict: Verdict::Stopped(limit), statistics },
    };
    let verdict = match Uniform::new(&engine, options.direction) {
        Err(limit) => Verdict::Stopped(limit),
        Ok(mut search) => {
            let verdict = search.run(budget, progress);
            statistics.layers = search.layers;
            statistics.lower_bound = search.lower_bound();
            statistics.upper_bound = search.upper_bound();
            verdict
        }
    };
    statistics.peak_nodes = engine.encoding.space.peak_nodes() as u64;
    let cost = |operators: &[_]| task.plan_cost(operators).expect("the search has added these costs up");
    Answer { verdict: verdict.map(|operators| Plan { cost: cost(&operators), operators }), statistics }
}
