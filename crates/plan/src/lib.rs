//! Classical planning, optimal unless less is asked for.
//!
//! [`solve`] takes a finite-domain task and returns a plan of least cost (or any plan, see [`Quality`]), the proof that there is none, or
//! the limit that ended the search. Where a task has soft goals, the cost of a plan includes what it violates: that
//! is net-benefit planning. The symbolic searches (breadth-first, Dijkstra, BDDA*) and the explicit
//! A* share only the task; whatever they return can be checked by code that knows neither.
//!
//! ```
//! use counterplay_base::{Budget, Silent};
//! use counterplay_plan::{Options, solve};
//! use counterplay_syntax::Sources;
//!
//! let mut sources = Sources::default();
//! let domain = sources.add("domain.pddl", "(define (domain lamps) (:predicates (lit ?l) (wire ?a ?b))
//!     (:action pass :parameters (?a ?b) :precondition (and (lit ?a) (wire ?a ?b))
//!      :effect (and (lit ?b) (not (lit ?a)))))");
//! let problem = sources.add("problem.pddl", "(define (problem three) (:domain lamps) (:objects a b c)
//!     (:init (lit a) (wire a b) (wire b c)) (:goal (lit c)))");
//! let problem = counterplay_pddl::read(&sources, domain, problem).unwrap();
//! let budget = Budget::unlimited();
//! let task = counterplay_ground::ground(&problem, &Default::default(), &budget, &Silent).unwrap();
//! let plan = solve(&task, &Options::default(), &budget, &Silent).verdict.solved().unwrap();
//! let names: Vec<&str> = plan.operators.iter().map(|&op| task.operators[op].name.as_str()).collect();
//! assert_eq!((names, plan.cost), (vec!["pass a b", "pass b c"], 2));
//! ```

mod answer;
mod auto;
mod compile;
pub mod explicit;
mod symbolic;

pub use symbolic::{Count, ManyAnswer, ManyOptions, Wanted, certify_by_layers, count_plans, find_plans};

pub use answer::{Answer, Direction, Heuristic, Options, Plan, PlanSearch, Quality, Statistics};

use counterplay_base::{Budget, Limit, Progress, Report, Verdict};
use counterplay_task::{OpId, Task, total_cost};

use compile::Compiled;
use symbolic::{AStar, Costs, Engine, Uniform};

/// Work allowed for the pattern database of BDDA*.
const DATABASE_WORK: u64 = 20_000_000;

/// Finds a plan of least cost, that of violated soft goals included.
pub fn solve(task: &Task, options: &Options, budget: &Budget, progress: &dyn Progress) -> Answer {
    solve_telling(task, options, budget, progress, &|_| ())
}

/// The same, and tells of each plan that is better than those before it as soon as it is found.
pub fn solve_telling(
    task: &Task,
    options: &Options,
    budget: &Budget,
    progress: &dyn Progress,
    found: &dyn Fn(&Plan),
) -> Answer {
    if let Err(limit) = budget.check() {
        return Answer {
            verdict: Verdict::Stopped(limit),
            best: None,
            plans: Vec::new(),
            statistics: Statistics::default(),
        };
    }
    let compiled = Compiled::new(task);
    let answer = match options.search {
        PlanSearch::Auto => return auto::solve(task, &compiled, options, budget, progress, found),
        PlanSearch::Bfs | PlanSearch::Dijkstra if symbolic::has_few_layers(task) => {
            return by_layers(task, options, budget, progress).with_proved_bound();
        }
        PlanSearch::Explicit => explicit::astar(&compiled.task, options.heuristic, budget, progress),
        PlanSearch::Bfs | PlanSearch::Dijkstra | PlanSearch::AStar => {
            by_layers(&compiled.task, options, budget, progress)
        }
    };
    let best = answer.best.map(|plan| compiled.strip(plan));
    Answer { verdict: answer.verdict.map(|plan| compiled.strip(plan)), best, ..answer }.with_proved_bound()
}

impl Answer {
    /// These searches end with plans of least cost only.
    fn with_proved_bound(mut self) -> Answer {
        if let Verdict::Solved(plan) = &self.verdict {
            self.statistics.lower_bound = plan.cost;
        }
        self
    }
}

/// The task with soft goals compiled away, for planners and formats that know none: a plan ends with steps that collect or
/// forgo each of them, and costs what it cost before together with what it violates.
pub fn without_soft_goals(task: &Task) -> Task {
    Compiled::new(task).task.into_owned()
}

/// Work allowed for telling the best plan so far after a limit.
const BEST_PLAN_WORK: u64 = 300_000;

fn by_layers(task: &Task, options: &Options, budget: &Budget, progress: &dyn Progress) -> Answer {
    let unit_costs = options.search == PlanSearch::Bfs && task.soft.is_empty();
    let costs = if unit_costs { Costs::One } else { Costs::Own };
    let price = if unit_costs { StepPrice::of(task) } else { StepPrice { least: 1, most: 1 } };
    let progress = &Priced { inner: progress, price };
    let mut statistics = Statistics::default();
    let mut best = None;
    let mut search = || -> Result<Verdict<Vec<OpId>>, Limit> {
        let engine = Engine::new(task, costs, options.seed, budget)?;
        if options.search == PlanSearch::AStar {
            let mut search = AStar::new(&engine, DATABASE_WORK)?;
            let verdict = search.run(budget, progress);
            statistics = search.statistics();
            return Ok(verdict);
        }
        let mut search = Uniform::new(&engine, options.direction);
        let verdict = search.run(budget, progress);
        statistics = search.statistics();
        if matches!(verdict, Verdict::Stopped(_)) {
            best = search.best_so_far(BEST_PLAN_WORK);
        }
        Ok(verdict)
    };
    let verdict = search().unwrap_or_else(Verdict::Stopped);
    (statistics.lower_bound, statistics.upper_bound) =
        price.bounds(statistics.lower_bound, statistics.upper_bound);
    let plan = |operators: Vec<OpId>| {
        let cost = total_cost(task, &operators).expect("the search has added these costs up");
        Plan { cost, operators }
    };
    Answer { verdict: verdict.map(plan), best: best.map(plan), plans: Vec::new(), statistics }
}

/// What a step costs. A search for the fewest steps has bounds on their number, and its caller wants them on the cost.
#[derive(Clone, Copy, Debug)]
struct StepPrice {
    least: u64,
    most: u64,
}

impl StepPrice {
    fn of(task: &Task) -> StepPrice {
        let costs = || task.operators.iter().map(|operator| operator.cost);
        StepPrice { least: costs().min().unwrap_or(0), most: costs().max().unwrap_or(0) }
    }

    fn bounds(self, lower: u64, upper: Option<u64>) -> (u64, Option<u64>) {
        (lower.saturating_mul(self.least), upper.map(|steps| steps.saturating_mul(self.most)))
    }
}

/// Passes reports on, with bounds on the cost in place of those on the number of steps.
struct Priced<'a> {
    inner: &'a dyn Progress,
    price: StepPrice,
}

impl Progress for Priced<'_> {
    fn report(&self, report: Report<'_>) {
        self.inner.report(report);
    }

    fn begin(&self, phase: &'static str) {
        self.inner.begin(phase);
    }

    fn known_bounds(&self, lower: Option<f64>, upper: Option<f64>) {
        self.inner.known_bounds(lower, upper);
    }

    fn bounds(&self, lower: u64, upper: Option<u64>) {
        let (lower, upper) = self.price.bounds(lower, upper);
        self.inner.bounds(lower, upper);
    }

    fn is_watched(&self) -> bool {
        self.inner.is_watched()
    }
}
