//! A first plan, then better ones, for as long as there is work to spend.
//!
//! The runs of LAMA (Richter and Westphal 2010): greedy, first as if every operator cost one, then with costs; then weighted A* with
//! the weights 5, 3, 2 and 1, each below the cost of the best plan so far. Beside them the best plan itself is improved
//! (`shorten`). When a weighted run has looked everywhere below the cost of the best plan, that is optimal.

use counterplay_base::{Budget, Limit, Progress, Report, Verdict};
use counterplay_task::Task;

use super::HeuristicCosts;
use super::lazy::{Lazy, Weight};
use super::novelty::WidthSearch;
use super::shorten::{Windows, eliminate};
use crate::Plan;

/// The runs in order.
const RUNS: [(HeuristicCosts, Weight); 6] = [
    (HeuristicCosts::One, Weight::Greedy),
    (HeuristicCosts::PlusOne, Weight::Greedy),
    (HeuristicCosts::PlusOne, Weight::Times(5)),
    (HeuristicCosts::PlusOne, Weight::Times(3)),
    (HeuristicCosts::PlusOne, Weight::Times(2)),
    (HeuristicCosts::PlusOne, Weight::Times(1)),
];

/// Leaving out needless steps may take so much work.
const ELIMINATION_WORK: u64 = 50_000_000;

/// Searches take turns of this much work.
const TURN: u64 = 5_000_000;

/// What an anytime search has come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Finding {
    /// There may be a better plan.
    Open,
    /// There is no plan.
    NoPlan,
    /// No plan is better than the best one known.
    Optimal,
}

/// A search for better and better plans that can be interrupted at any time.
#[derive(Debug)]
pub(crate) struct Anytime<'t> {
    task: &'t Task,
    /// The run at hand and its number; `None` before the first and after the last.
    lazy: Option<Lazy<'t>>,
    run: usize,
    /// The other way to a first plan.
    width: Option<WidthSearch<'t>>,
    /// Whether it is no longer wanted: there is a plan, or the memory does not suffice.
    is_width_over: bool,
    windows: Option<Windows>,
    best: Option<Plan>,
    finding: Finding,
    /// Work of runs that are over, and of eliminations.
    past_work: u64,
    expanded: u64,
}

impl<'t> Anytime<'t> {
    pub(crate) fn new(task: &'t Task) -> Anytime<'t> {
        Anytime {
            task,
            lazy: None,
            run: 0,
            width: None,
            is_width_over: false,
            windows: None,
            best: None,
            finding: Finding::Open,
            past_work: 0,
            expanded: 0,
        }
    }

    /// The best plan so far.
    pub(crate) fn best(&self) -> Option<&Plan> {
        self.best.as_ref()
    }

    pub(crate) fn finding(&self) -> Finding {
        self.finding
    }

    /// States expanded so far.
    pub(crate) fn expanded(&self) -> u64 {
        let width = self.width.as_ref().map_or(0, |width| width.expanded);
        self.expanded + width + self.lazy.as_ref().map_or(0, |lazy| lazy.expanded)
    }

    /// The work done since the beginning, in operators looked at.
    pub(crate) fn work(&self) -> u64 {
        let windows = self.windows.as_ref().map_or(0, Windows::work);
        let width = self.width.as_ref().map_or(0, WidthSearch::work);
        self.past_work + windows + width + self.lazy.as_ref().map_or(0, Lazy::work)
    }

    /// Whether there is nothing left to try.
    pub(crate) fn is_over(&self) -> bool {
        let is_searching = self.run < RUNS.len() || !self.is_width_over;
        let is_shortening = self.windows.as_ref().is_some_and(|windows| !windows.is_done());
        self.finding != Finding::Open || !is_searching && !is_shortening
    }

    /// Searches for a first plan, with about so much work.
    pub(crate) fn find_first(
        &mut self,
        work: u64,
        budget: &Budget,
        progress: &dyn Progress,
    ) -> Result<(), Limit> {
        let end = self.work().saturating_add(work);
        while self.best.is_none() && !self.is_over() && self.work() < end {
            let left = end - self.work();
            self.search(TURN.min(left), budget, progress)?;
            self.look_for_news(TURN.min(left), budget, progress)?;
        }
        Ok(())
    }

    /// Searches for better plans, with about so much work.
    pub(crate) fn improve(
        &mut self,
        work: u64,
        budget: &Budget,
        progress: &dyn Progress,
    ) -> Result<(), Limit> {
        let end = self.work().saturating_add(work);
        while !self.is_over() && self.work() < end {
            let left = end - self.work();
            self.search(TURN.min(left), budget, progress)?;
            self.look_for_news(TURN.min(left), budget, progress)?;
            self.shorten(TURN.min(left), budget, progress)?;
        }
        Ok(())
    }

    /// Goes on with the run at hand.
    fn search(&mut self, work: u64, budget: &Budget, progress: &dyn Progress) -> Result<(), Limit> {
        if self.run >= RUNS.len() || self.finding != Finding::Open {
            return Ok(());
        }
        let (costs, weight) = RUNS[self.run];
        let lazy = self.lazy.get_or_insert_with(|| Lazy::new(self.task, costs, weight));
        if let Some(best) = &self.best {
            lazy.set_bound(best.cost);
        }
        match lazy.run_for(work, budget) {
            Verdict::Solved(plan) => {
                self.found(plan, budget, progress);
                self.next_run();
            }
            Verdict::Unsolvable => self.run_ended(),
            Verdict::Stopped(Limit::Nodes(_)) => {
                if self.lazy.as_ref().is_some_and(|lazy| lazy.is_large(budget)) {
                    self.next_run();
                }
            }
            Verdict::Stopped(limit) => {
                // What was left half done is not gone on with; the next run begins with empty tables.
                self.drop_run();
                self.next_run();
                if !matches!(limit, Limit::Bytes(_)) {
                    return Err(limit);
                }
            }
        }
        Ok(())
    }

    /// Goes on with the width search, while there is no plan.
    fn look_for_news(&mut self, work: u64, budget: &Budget, progress: &dyn Progress) -> Result<(), Limit> {
        if self.best.is_some() || self.finding != Finding::Open {
            self.drop_width();
        }
        if self.is_width_over {
            return Ok(());
        }
        let width = self.width.get_or_insert_with(|| WidthSearch::new(self.task));
        match width.run_for(work, budget) {
            Verdict::Solved(plan) => {
                self.drop_width();
                self.found(plan, budget, progress);
            }
            Verdict::Unsolvable => {
                self.finding = Finding::NoPlan;
                self.drop_width();
            }
            Verdict::Stopped(Limit::Nodes(_)) if !width.is_large(budget) => {}
            Verdict::Stopped(Limit::Nodes(_) | Limit::Bytes(_)) => self.drop_width(),
            Verdict::Stopped(limit) => {
                self.drop_width();
                return Err(limit);
            }
        }
        Ok(())
    }

    fn drop_width(&mut self) {
        self.is_width_over = true;
        if let Some(width) = self.width.take() {
            self.past_work += width.work();
            self.expanded += width.expanded;
        }
    }

    /// A run has looked everywhere.
    fn run_ended(&mut self) {
        match (&self.best, RUNS[self.run].1) {
            // Without a plan there is no bound either: the run has looked at everything.
            (None, _) => self.finding = Finding::NoPlan,
            // A run that looked at every state below the bound has not found a better plan.
            (Some(_), Weight::Times(_)) => self.finding = Finding::Optimal,
            _ => {}
        }
        self.next_run();
    }

    fn next_run(&mut self) {
        let before = RUNS[self.run].0;
        self.run += 1;
        let is_unit = self.task.operators.iter().all(|operator| operator.cost == 1);
        if self.run == 1 && is_unit && self.best.is_some() {
            // The second run would be the first once more.
            self.run += 1;
        }
        match (RUNS.get(self.run), &mut self.lazy) {
            (Some(&(costs, weight)), Some(lazy)) if costs == before || is_unit => lazy.restart(weight),
            _ => self.drop_run(),
        }
    }

    fn drop_run(&mut self) {
        if let Some(lazy) = self.lazy.take() {
            self.past_work += lazy.work();
            self.expanded += lazy.expanded;
        }
    }

    /// Improves the best plan itself.
    fn shorten(&mut self, work: u64, budget: &Budget, progress: &dyn Progress) -> Result<(), Limit> {
        let (Some(best), Finding::Open) = (&self.best, self.finding) else { return Ok(()) };
        let task = self.task;
        let windows = self.windows.get_or_insert_with(|| Windows::new(task, best.clone()));
        if best.cost < windows.plan().cost {
            windows.take(best.clone());
        }
        let end = windows.work().saturating_add(work);
        while !windows.is_done() && windows.work() < end {
            if windows.step(budget)? {
                let plan = windows.plan().clone();
                tell(&plan, progress);
                self.best = Some(plan);
            }
        }
        Ok(())
    }

    /// Takes a new plan, if it is better than what is known.
    pub(crate) fn found(&mut self, plan: Plan, budget: &Budget, progress: &dyn Progress) {
        // The plan is known from here on, whatever happens while it is made shorter.
        let (plan, work) = eliminate(self.task, plan, ELIMINATION_WORK, budget);
        self.past_work += work;
        if self.best.as_ref().is_none_or(|best| plan.cost < best.cost) {
            tell(&plan, progress);
            self.best = Some(plan);
        }
    }
}

fn tell(plan: &Plan, progress: &dyn Progress) {
    progress.bounds(0, Some(plan.cost));
    if progress.is_watched() {
        progress.report(Report { phase: "better plan", counts: &[("best", plan.cost as f64)] });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use counterplay_base::Silent;
    use counterplay_testkit::{brute_force, random_task};

    /// Whatever the slices, the search ends with the truth or says that it does not know.
    #[test]
    fn the_last_plan_is_optimal() {
        let (mut optimal, mut none) = (0, 0);
        for seed in 0..400 {
            let task = random_task(seed);
            let truth = brute_force(&task);
            let mut search = Anytime::new(&task);
            let budget = Budget::unlimited();
            while !search.is_over() {
                search.improve(1 + seed * 17 % 5_000, &budget, &Silent).unwrap();
                assert!(search.best().is_none_or(|best| Some(best.cost) >= truth), "seed {seed}");
            }
            match search.finding() {
                Finding::NoPlan => {
                    none += 1;
                    assert_eq!(truth, None, "seed {seed}");
                }
                Finding::Optimal => {
                    optimal += 1;
                    assert_eq!(search.best().map(|best| best.cost), truth, "seed {seed}");
                }
                Finding::Open => {}
            }
        }
        assert!(optimal > 50 && none > 20, "{optimal} optimal, {none} without plan");
    }
}
