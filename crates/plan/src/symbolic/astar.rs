//! BDDA*: symbolic A* with a pattern database (Edelkamp and Reffel 1998; Kissmann 2012, Algorithm 6.7).
//!
//! Open sets are kept in an ordered map by f and then g, as section 6.4.1 of the thesis replaces the matrix, so costs
//! may be huge. The heuristic is consistent, therefore each state is expanded once, at its least cost; operators
//! that cost nothing lead to sets of the same g, which come up again in the same order.

use std::collections::BTreeMap;

use counterplay_base::{Budget, Limit, Progress, Report, Verdict};
use counterplay_symbolic::{Partition, StateSet};
use counterplay_task::{OpId, close_under_axioms};

use super::Engine;
use super::extract::walk_back;
use super::history::History;
use super::pattern::{PatternDatabase, Rest};
use crate::Statistics;

/// A forward search guided by a pattern database.
pub(crate) struct AStar<'e, 't> {
    engine: &'e Engine<'t>,
    database: PatternDatabase,
    /// By f and g.
    open: BTreeMap<(u64, u64), StateSet>,
    closed: StateSet,
    history: History,
    layers: u64,
    /// No plan costs less than this. A limit may come while a layer is expanded, so that what is open says nothing.
    proved: u64,
}

/// If the first step back is this many times the work of the first step forth, the database is abstracted.
const BACKWARD_IS_HARD: u64 = 25;

impl<'e, 't> AStar<'e, 't> {
    /// Builds a database with at most so much work, then opens the initial state.
    pub(crate) fn new(engine: &'e Engine<'t>, work: u64) -> Result<Self, Limit> {
        let database = match backward_is_hard(engine, work / 4)? {
            true => PatternDatabase::grown(engine, work)?,
            false => PatternDatabase::full(engine, work)?,
        };
        let (open, closed) = (BTreeMap::new(), engine.space().none());
        let mut search =
            AStar { engine, database, open, closed, history: History::default(), layers: 0, proved: 0 };
        search.insert(0, engine.initial.clone())?;
        Ok(search)
    }

    /// How far the search has come.
    pub(crate) fn statistics(&self) -> Statistics {
        Statistics {
            ran: "symbolic A*".to_owned(),
            layers: self.layers,
            peak_nodes: self.engine.space().peak_nodes() as u64,
            lower_bound: self.proved,
            ..Statistics::default()
        }
    }

    /// Runs until the answer is known or the budget ends.
    pub(crate) fn run(&mut self, budget: &Budget, progress: &dyn Progress) -> Verdict<Vec<OpId>> {
        self.finish(budget, progress).into()
    }

    fn finish(&mut self, budget: &Budget, progress: &dyn Progress) -> Result<Option<Vec<OpId>>, Limit> {
        self.engine.space().set_budget(budget);
        while let Some((&(f, g), states)) = self.open.first_key_value() {
            self.proved = self.proved.max(f);
            progress.bounds(self.proved, None);
            budget.check()?;
            let fresh = states.minus(&self.closed)?;
            if let Some(mut state) = self.engine.space().pick(&fresh.intersect(&self.engine.goal())?) {
                close_under_axioms(self.engine.encoding.task, &mut state);
                return walk_back(self.engine, &self.history, state, g).map(Some);
            }
            self.open.remove(&(f, g));
            if fresh.is_empty() {
                continue;
            }
            self.closed = self.closed.union(&fresh)?;
            self.history.push(g, fresh.clone());
            let steps = &self.engine.forward;
            let free = steps.free.iter().map(|free| (0, free));
            for (cost, partition) in
                free.chain(steps.by_cost.iter().map(|(&cost, partition)| (cost, partition)))
            {
                self.expand(g.saturating_add(cost), partition, &fresh)?;
            }
            self.layers += 1;
            let counts = [
                ("layer", self.layers as f64),
                ("f", f as f64),
                ("g", g as f64),
                ("nodes", self.engine.space().nodes() as f64),
            ];
            progress.report(Report { phase: "A*", counts: &counts });
        }
        Ok(None)
    }

    fn expand(&mut self, cost: u64, by: &Partition, states: &StateSet) -> Result<(), Limit> {
        let next = by.image(self.engine.space(), states)?.minus(&self.closed)?;
        self.insert(cost, next)
    }

    /// Sorts states reached at cost `g` by their distance.
    fn insert(&mut self, g: u64, mut states: StateSet) -> Result<(), Limit> {
        let mut parts = Vec::new();
        for (&h, set) in &self.database.distances {
            if states.is_empty() {
                break;
            }
            let part = states.intersect(set)?;
            if !part.is_empty() {
                states = states.minus(set)?;
                parts.push((h, part));
            }
        }
        if let Rest::AtLeast(h) = self.database.rest
            && !states.is_empty()
        {
            parts.push((h, states));
        }
        for (h, part) in parts {
            let key = (g.saturating_add(h), g);
            let joined = match self.open.get(&key) {
                Some(open) => open.union(&part)?,
                None => part,
            };
            self.open.insert(key, joined);
        }
        Ok(())
    }
}

/// Compares the first step back with the first step forth (Kissmann 2012, section 6.4.4).
fn backward_is_hard(engine: &Engine<'_>, most: u64) -> Result<bool, Limit> {
    let work_of = |partitions: &super::engine::Steps, set: &StateSet, back: bool| -> Result<u64, Limit> {
        let space = engine.space();
        let before = space.work();
        let step = || {
            partitions.free.iter().chain(partitions.by_cost.values()).try_for_each(|partition| {
                let reached =
                    if back { partition.pre_image(space, set) } else { partition.image(space, set) };
                reached.map(drop)
            })
        };
        match space.with_allowance(most, step) {
            Ok(()) | Err(Limit::Nodes(_)) => Ok(space.work() - before),
            Err(limit) => Err(limit),
        }
    };
    let forth = work_of(&engine.forward, &engine.initial, false)?;
    let back = work_of(&engine.backward, &engine.goal(), true)?;
    Ok(back > BACKWARD_IS_HARD * forth.max(1000))
}

#[cfg(test)]
mod tests {
    use counterplay_base::Silent;
    use counterplay_testkit::{brute_force, random_task};

    use super::super::Costs;
    use super::*;
    use crate::Direction;
    use crate::symbolic::uniform::Uniform;

    /// A limit may come in the middle of any operation; the bound that is told then must hold.
    #[test]
    fn bounds_hold_wherever_a_search_is_stopped() {
        let (mut stopped, budget) = (0, Budget::unlimited());
        for seed in 0..150 {
            let task = random_task(seed);
            let Some(truth) = brute_force(&task) else { continue };
            for work in [100, 300, 1_000, 3_000, 10_000] {
                let work = work + seed * 7 % 50;
                let engine = Engine::new(&task, Costs::Own, seed, &budget).expect("no limit");
                let mut search = AStar::new(&engine, 100_000).expect("no limit");
                let verdict = engine.space().with_allowance(work, || search.run(&budget, &Silent));
                let bound = search.statistics().lower_bound;
                assert!(bound <= truth, "A*, seed {seed}, work {work}: {bound} of {truth}");
                stopped += usize::from(matches!(verdict, Verdict::Stopped(_)));
                for direction in [Direction::Forward, Direction::Backward, Direction::Both] {
                    let engine = Engine::new(&task, Costs::Own, seed, &budget).expect("no limit");
                    let mut search = Uniform::new(&engine, direction);
                    let verdict = search.run_for(work, &budget, &Silent);
                    let bound = search.statistics().lower_bound;
                    assert!(bound <= truth, "{direction:?}, seed {seed}, work {work}: {bound} of {truth}");
                    stopped += usize::from(matches!(verdict, Verdict::Stopped(_)));
                }
            }
        }
        assert!(stopped > 300, "{stopped} searches were stopped");
    }
}
