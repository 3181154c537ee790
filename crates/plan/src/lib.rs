//! Optimal classical planning.
//!
//! [`solve`] takes a finite-domain task and returns a plan of least cost, the proof that there is none, or
//! the limit that ended the search. The symbolic searches (breadth-first, Dijkstra, BDDA*) and the explicit
//! A* share only the task; whatever they return can be checked by code that knows neither.

mod answer;
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
    let costs = if options.search == Search::Bfs { Costs::One } else { Costs::Own };
    let mut statistics = Statistics::default();
    let verdict =
        budget.check().and_then(|()| Engine::new(task, costs, options.seed, budget)).and_then(|engine| {
            let verdict = match options.search {
                Search::AStar => bdd_astar(&engine, &mut statistics, budget, progress),
                _ => uniform(&engine, options.direction, &mut statistics, budget, progress),
            };
            statistics.peak_nodes = engine.space().peak_nodes() as u64;
            verdict
        });
    let cost = |operators: &[OpId]| task.plan_cost(operators).expect("the search has added these costs up");
    let verdict = verdict.unwrap_or_else(Verdict::Stopped);
    Answer { verdict: verdict.map(|operators| Plan { cost: cost(&operators), operators }), statistics }
}

fn uniform(
    engine: &Engine<'_>,
    direction: Direction,
    statistics: &mut Statistics,
    budget: &Budget,
    progress: &dyn Progress,
) -> Result<Verdict<Vec<OpId>>, Limit> {
    let way = match direction {
        Direction::Forward => "forward",
        Direction::Backward => "backward",
        Direction::Both => "bidirectional",
    };
    let kind = if engine.costs == Costs::One { "breadth-first search" } else { "Dijkstra" };
    statistics.ran = format!("symbolic {way} {kind}");
    let mut search = Uniform::new(engine, direction)?;
    let verdict = search.run(budget, progress);
    statistics.layers = search.layers;
    statistics.lower_bound = search.lower_bound();
    statistics.upper_bound = search.upper_bound();
    Ok(verdict)
}

fn bdd_astar(
    engine: &Engine<'_>,
    statistics: &mut Statistics,
    budget: &Budget,
    progress: &dyn Progress,
) -> Result<Verdict<Vec<OpId>>, Limit> {
    statistics.ran = "symbolic A*".to_string();
    let mut search = AStar::new(engine, DATABASE_WORK)?;
    let verdict = search.run(budget, progress);
    statistics.layers = search.layers;
    statistics.lower_bound = search.lower_bound();
    Ok(verdict)
}
