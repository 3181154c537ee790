//! Symbolic pattern databases: goal distances in a projection, as sets of states.
//!
//! Built by backward uniform-cost search on the relations as seen by the pattern's variables (Edelkamp 2002; Kissmann
//! 2012, section 6.3). Cut off by its allowance, the database is partial: states it has not reached are at least as
//! far as the next layer, which keeps the heuristic consistent. Patterns grow from the goal variables by the
//! variable that raises the average distance most (Algorithm 6.10).

use std::collections::BTreeMap;

use counterplay_base::{IdLists, Limit};
use counterplay_symbolic::{StateSet, causal_graph};
use counterplay_task::VarId;

use super::engine::{Engine, Steps};
use super::side::{Side, Way};

/// Goal distances in a projection.
pub(crate) struct PatternDatabase {
    /// Disjoint sets of states by distance.
    pub(crate) distances: BTreeMap<u64, StateSet>,
    /// What is known of states in none of the sets.
    pub(crate) rest: Rest,
    /// Average distance over the projected states that were reached.
    average: f64,
}

/// What is known of states that a database does not hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rest {
    /// They cannot reach the goal.
    Dead,
    /// They are at least this far.
    AtLeast(u64),
}

/// Candidates within this factor of the best join the pattern together.
const ALMOST_BEST: f64 = 0.999;

impl PatternDatabase {
    /// The distances seen by a pattern, as far as the allowance of work goes.
    fn build(engine: &Engine<'_>, pattern: &[VarId], work: u64) -> Result<PatternDatabase, Limit> {
        let space = engine.space();
        let end = space.work().saturating_add(work);
        let everything = pattern.len() == engine.encoding.task.variables.len();
        let steps = if everything { None } else { Some(engine.backward.projected_to(space, pattern)?) };
        let goal = if everything { engine.goal() } else { space.projected_to(&engine.goal(), pattern)? };
        let start = BTreeMap::from([(0, goal)]);
        let mut side = Side::new(Way::Backward, space, steps.as_ref().unwrap_or(&engine.backward), start);
        while side.next_cost().is_some() {
            match side.step(end.saturating_sub(space.work())) {
                Ok(_) => {}
                Err(Limit::Nodes(_)) => break,
                Err(limit) => return Err(limit),
            }
        }
        let mut distances: BTreeMap<u64, StateSet> = BTreeMap::new();
        let (mut states, mut total) = (0.0, 0.0);
        for (cost, set) in side.history.iter() {
            let count = space.count_about(&set.states);
            states += count;
            total += count * cost as f64;
            let joined = match distances.get(&cost) {
                Some(known) => known.union(&set.states)?,
                None => set.states.clone(),
            };
            distances.insert(cost, joined);
        }
        let rest = side.next_cost().map_or(Rest::Dead, Rest::AtLeast);
        Ok(PatternDatabase { distances, rest, average: if states > 0.0 { total / states } else { 0.0 } })
    }

    /// The database of all variables: the true distances, as far as the allowance goes.
    pub(crate) fn full(engine: &Engine<'_>, work: u64) -> Result<PatternDatabase, Limit> {
        let all: Vec<VarId> = engine.encoding.task.variables.ids().collect();
        PatternDatabase::build(engine, &all, work)
    }

    /// A pattern that grows from the goal variables while the average distance does. `work` is shared by all
    /// databases that are tried.
    pub(crate) fn grown(engine: &Engine<'_>, work: u64) -> Result<PatternDatabase, Limit> {
        let task = engine.encoding.task;
        let graph: IdLists<VarId, VarId> = causal_graph(task);
        let end = engine.space().work().saturating_add(work);
        let left = || end.saturating_sub(engine.space().work());
        let mut pattern: Vec<VarId> = task.goal.iter().map(|fact| fact.var).collect();
        let mut best = PatternDatabase::build(engine, &pattern, work / 4)?;
        loop {
            let candidates = task.variables.ids().filter(|var| !pattern.contains(var)).filter(|&var| {
                task.variables[var].derived.is_none() && graph[var].iter().any(|near| pattern.contains(near))
            });
            let mut tried: Vec<(VarId, PatternDatabase)> = Vec::new();
            for var in candidates.collect::<Vec<_>>() {
                if left() == 0 {
                    break;
                }
                let wider: Vec<VarId> = pattern.iter().copied().chain([var]).collect();
                tried.push((var, PatternDatabase::build(engine, &wider, left() / 4)?));
            }
            let highest = tried.iter().map(|(_, database)| database.average).fold(best.average, f64::max);
            if highest <= best.average {
                return Ok(best);
            }
            tried.retain(|(_, database)| database.average >= ALMOST_BEST * highest);
            pattern.extend(tried.iter().map(|&(var, _)| var));
            let joint = match tried.len() {
                1 => None,
                _ => Some(PatternDatabase::build(engine, &pattern, left() / 2)?),
            };
            best = tried
                .into_iter()
                .map(|(_, database)| database)
                .chain(joint)
                .chain([best])
                .max_by(|a, b| a.average.total_cmp(&b.average))
                .expect("the best so far is among them");
        }
    }
}

impl Steps {
    /// The steps projected to some variables.
    fn projected_to(&self, space: &counterplay_symbolic::Space, seen: &[VarId]) -> Result<Steps, Limit> {
        let free = self.free.as_ref().map(|free| free.projected_to(space, seen)).transpose()?;
        let by_cost =
            self.by_cost.iter().map(|(&cost, partition)| Ok((cost, partition.projected_to(space, seen)?)));
        Ok(Steps { free, by_cost: by_cost.collect::<Result<_, Limit>>()? })
    }
}
