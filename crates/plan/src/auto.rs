//! A portfolio that is never much slower than its best member.
//!
//! Explicit A* with LM-cut is unbeatable where the heuristic is almost right, bidirectional symbolic search where
//! states come in masses; which of the two a task is, one learns by trying. So both get work in turn, in growing
//! slices, and they help each other: what one proves about the least cost, the other may stop at. Several variable
//! orders race in the first rounds, and the one that got furthest goes on. Slices are measured in work and not in
//! seconds, so the same task takes the same course on every machine.

use std::cmp::Reverse;

use counterplay_base::{Budget, Limit, Progress, Verdict};
use counterplay_symbolic::{OrderSearch, causal_graph};
use counterplay_task::{OpId, Task, total_cost};

use crate::compile::Compiled;
use crate::explicit;
use crate::symbolic::{Costs, Engine, Uniform, has_few_layers};
use crate::{Answer, BEST_PLAN_WORK, Direction, Heuristic, Options, Plan, Statistics};

/// How long the slices are.
struct Pace {
    /// The first slice of the explicit search; a task it solves needs no diagrams at all.
    first: u64,
    /// How long orders race, in units of symbolic work for each.
    race: u64,
}

const PACE: Pace = Pace { first: 10_000_000, race: 400_000 };

/// Each round is this many times as long as the one before.
const GROWTH: u64 = 2;
/// A search that lags behind gets only this part of its slice.
const LAGGARD: u64 = 4;
/// So many units of explicit work take about as long as one of symbolic work.
const EXPLICIT_PER_SYMBOLIC: u64 = 40;

/// Finds a plan of least cost by explicit and symbolic search in turn.
/// The explicit search gets soft goals compiled away; the symbolic one takes them as they are.
pub(crate) fn solve(
    task: &Task,
    compiled: &Compiled<'_>,
    options: &Options,
    budget: &Budget,
    progress: &dyn Progress,
) -> Answer {
    solve_at(&PACE, task, compiled, options, budget, progress)
}

fn solve_at(
    pace: &Pace,
    task: &Task,
    compiled: &Compiled<'_>,
    options: &Options,
    budget: &Budget,
    progress: &dyn Progress,
) -> Answer {
    let mut explicit = explicit::AStar::new(&compiled.task, Heuristic::LmCut);
    let verdict = explicit.run_for(pace.first, budget, progress);
    let statistics = explicit.statistics();
    if !is_slice_over(&verdict) {
        return Answer { verdict: verdict.map(|plan| compiled.strip(plan)), best: None, statistics };
    }
    let task = if has_few_layers(task) { task } else { &compiled.task };
    let mut portfolio = Portfolio { task, compiled, explicit, statistics, budget, progress };
    let answer = portfolio.race(options.seed, pace.race).and_then(|raced| match raced {
        Raced::Answered(answer) => Ok(answer),
        Raced::Best(engine) => portfolio.alternate(&engine, pace.race),
    });
    answer.unwrap_or_else(|limit| Answer {
        verdict: Verdict::Stopped(limit),
        best: None,
        statistics: portfolio.statistics,
    })
}

/// Whether only the slice of work came to its end, not the search or the budget.
fn is_slice_over<S>(verdict: &Verdict<S>) -> bool {
    matches!(verdict, Verdict::Stopped(Limit::Nodes(_)))
}

struct Portfolio<'t> {
    /// What the symbolic search works on.
    task: &'t Task,
    /// What the explicit one does.
    compiled: &'t Compiled<'t>,
    explicit: explicit::AStar<'t>,
    /// How far it has come, should it be stopped.
    statistics: Statistics,
    budget: &'t Budget,
    progress: &'t dyn Progress,
}

/// How a race ends.
enum Raced<'t> {
    /// One of the orders was so good that the search ended.
    Answered(Answer),
    /// This order got furthest.
    Best(Engine<'t>),
}

impl<'t> Portfolio<'t> {
    /// Gives a few promising orders a little work each.
    fn race(&mut self, seed: u64, work: u64) -> Result<Raced<'t>, Limit> {
        let arrangement = OrderSearch { seed, ..OrderSearch::default() };
        let orders = [
            arrangement.order(&causal_graph(self.task)),
            self.task.variables.ids().collect(),
            OrderSearch { seed: seed ^ 1, ..arrangement }.scattered(self.task),
        ];
        let mut best: Option<((u64, Reverse<usize>), Engine<'t>)> = None;
        for order in orders {
            let engine = Engine::with_order(self.task, Costs::Own, &order, self.budget)?;
            let mut search = Uniform::new(&engine, Direction::Both);
            if let Some(answer) = self.run_symbolic(&mut search, work) {
                return Ok(Raced::Answered(answer));
            }
            // The highest proved bound wins; of equal ones, that with the smallest diagrams.
            let score = (search.own_lower_bound(), Reverse(search.frontier_nodes()));
            drop(search);
            let spent = engine.space().work();
            if best.as_ref().is_none_or(|(highest, _)| score > *highest) {
                best = Some((score, engine));
            }
            if let Some(answer) = self.run_explicit(spent) {
                return Ok(Raced::Answered(answer));
            }
        }
        Ok(Raced::Best(best.expect("there is an order").1))
    }

    /// Explicit and symbolic search in turn. What the winner of the race did is done again at first, but its
    /// results are still in the cache.
    fn alternate(&mut self, engine: &Engine<'t>, work: u64) -> Result<Answer, Limit> {
        let mut search = Uniform::new(engine, Direction::Both);
        let mut slice = work * GROWTH;
        loop {
            // To answer, the explicit search has to raise its bound to the least cost; if it has not even come to where
            // the symbolic one is already, it will most likely not do so first.
            let lags = self.explicit.lower_bound() < search.own_lower_bound();
            if let Some(mut answer) = self.run_explicit(if lags { slice / LAGGARD } else { slice }) {
                if matches!(answer.verdict, Verdict::Stopped(_)) {
                    answer.best = self.best_of(&search);
                    answer.statistics = self.statistics.clone();
                }
                return Ok(answer);
            }
            slice = slice.saturating_mul(GROWTH);
            if let Some(answer) = self.run_symbolic(&mut search, slice) {
                return Ok(answer);
            }
        }
    }

    /// Gives the explicit search as much time as so much symbolic work takes; `None` if it needs more.
    fn run_explicit(&mut self, work: u64) -> Option<Answer> {
        let work = work.saturating_mul(EXPLICIT_PER_SYMBOLIC);
        let verdict = self.explicit.run_for(work, self.budget, self.progress);
        if is_slice_over(&verdict) {
            return None;
        }
        let Statistics { layers, peak_nodes, .. } = self.statistics;
        let statistics = Statistics { layers, peak_nodes, ..self.explicit.statistics() };
        let verdict = verdict.map(|plan| self.compiled.strip(plan));
        Some(Answer { verdict, best: None, statistics })
    }

    /// Gives a symbolic search some work; `None` if it needs more.
    fn run_symbolic(&mut self, search: &mut Uniform<'_, '_>, work: u64) -> Option<Answer> {
        search.raise_lower_bound(self.explicit.lower_bound());
        let verdict = search.run_for(work, self.budget, self.progress);
        self.statistics = Statistics {
            ran: format!("{}, beside A* with LM-cut", search.statistics().ran),
            expanded: self.explicit.figures().expanded,
            ..search.statistics()
        };
        if is_slice_over(&verdict) {
            return None;
        }
        let best = match verdict {
            Verdict::Stopped(_) => self.best_of(search),
            _ => None,
        };
        let verdict = verdict.map(|operators| self.plan(operators));
        Some(Answer { verdict, best, statistics: self.statistics.clone() })
    }

    /// The best plan of a symbolic search so far.
    fn best_of(&self, search: &Uniform<'_, '_>) -> Option<Plan> {
        search.best_so_far(BEST_PLAN_WORK).map(|operators| self.plan(operators))
    }

    /// A plan of the symbolic search.
    fn plan(&self, operators: Vec<OpId>) -> Plan {
        let cost = total_cost(self.task, &operators).expect("the search has added these up");
        Plan { cost, operators: self.compiled.strip_operators(operators) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use counterplay_base::Silent;
    use counterplay_testkit::{brute_force, random_task};

    /// With tiny slices every search is interrupted many times and all parts of the portfolio have a turn.
    #[test]
    fn interrupted_searches_agree_with_brute_force() {
        let (mut by_explicit, mut by_symbolic) = (0, 0);
        for seed in 0..400 {
            let task = random_task(seed);
            let pace = Pace { first: 1 + seed % 40, race: 1 + seed % 97 };
            let compiled = Compiled::new(&task);
            let answer =
                solve_at(&pace, &task, &compiled, &Options::default(), &Budget::unlimited(), &Silent);
            let cost = match answer.verdict {
                Verdict::Solved(plan) => Some(plan.cost),
                Verdict::Unsolvable => None,
                Verdict::Stopped(limit) => panic!("seed {seed}: {limit}"),
            };
            assert_eq!(cost, brute_force(&task), "seed {seed}");
            match answer.statistics.ran.starts_with("symbolic") {
                true => by_symbolic += 1,
                false => by_explicit += 1,
            }
        }
        assert!(by_explicit > 20 && by_symbolic > 20, "{by_explicit} explicit, {by_symbolic} symbolic");
    }
}
