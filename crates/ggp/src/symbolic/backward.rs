//! Values from the last layer to the first, and by strong pre-images where layers are not apart.

use counterplay_base::{Limit, Progress, Report};
use counterplay_symbolic::{Ranked, StateSet, union};

use super::forward::Forward;
use super::store::{Solved, Store, damaged};
use super::{Halt, Refusal, Solver};
use crate::archive::Kind;

/// For each role, outcomes from best to worst.
type Preferences = [Vec<usize>];

/// From ranks by the number of the outcome to ranks by how much a role likes it, and back.
fn rankings(preference: &[usize]) -> (Vec<u32>, Vec<u32>) {
    let back: Vec<u32> = preference.iter().rev().map(|&outcome| outcome as u32 + 1).collect();
    let mut to = vec![0; back.len()];
    for (&outcome, rank) in back.iter().zip(1..) {
        to[outcome as usize - 1] = rank;
    }
    (to, back)
}

/// Adds counts to totals; `None` if there are more than can be counted.
fn add(totals: &mut [u128], counts: &[u128]) -> Option<()> {
    for (total, &count) in totals.iter_mut().zip(counts) {
        *total = total.checked_add(count)?;
    }
    Some(())
}

impl Solver<'_> {
    /// Decides all layers; returns how many states have each outcome.
    pub(crate) fn backward(
        &self,
        figures: &Forward,
        preferences: &Preferences,
        store: &mut Store<'_>,
        progress: &dyn Progress,
    ) -> Result<Vec<u128>, Halt> {
        let mut totals = vec![0u128; figures.outcomes.len()];
        let layers = figures.layer_states.len();
        let mut left = layers;
        // What an archive has, from the last layer on.
        while left > 0 {
            let Some(counts) = store.counts(self, left - 1, &figures.outcomes)? else { break };
            add(&mut totals, &counts).ok_or_else(|| damaged(&Kind::Solved.name(left - 1)))?;
            left -= 1;
        }
        if left == 0 {
            return Ok(totals);
        }
        if figures.measure.is_none() {
            return self.fixpoint(figures, preferences, store, progress);
        }
        for number in (0..left).rev() {
            let counts = [("layer", number as f64), ("nodes", self.space.nodes() as f64)];
            progress.report(Report { phase: "backward", counts: &counts });
            let layer = store.layer(self, number)?;
            let mut ends = vec![self.space.none(); figures.outcomes.len()];
            for (rewards, set) in layer.ends {
                let listed = figures.outcomes.binary_search(&rewards);
                ends[listed.map_err(|_| damaged(&Kind::Reach.name(number)))?] = set;
            }
            let mut values = self.space.ranked(&ends)?;
            if number + 1 < layers {
                let next = store.values(self, number + 1, &figures.outcomes)?.values;
                values = values.union(&self.decide(&layer.open, &next, preferences)?)?;
            }
            self.keep(store, number, &figures.outcomes, values, &mut totals)?;
        }
        Ok(totals)
    }

    fn keep(
        &self,
        store: &mut Store<'_>,
        number: usize,
        outcomes: &[Vec<u32>],
        values: Ranked,
        totals: &mut [u128],
    ) -> Result<(), Halt> {
        let counts = self.space.count_ranks(&values)?.ok_or(Refusal::Uncountable)?;
        add(totals, &counts).ok_or(Refusal::Uncountable)?;
        store.solve(self, number, outcomes, Solved { values, counts })
    }

    /// What states come to, all of whose successors have their values in `next`.
    fn decide(&self, states: &StateSet, next: &Ranked, preferences: &Preferences) -> Result<Ranked, Limit> {
        let (movers, several) = self.steps.movers(states)?;
        debug_assert!(several.is_empty(), "such games are refused");
        let mut found = self.space.ranked(&vec![self.space.none(); preferences[0].len()])?;
        for (role, own) in movers {
            let (to, back) = rankings(&preferences[role]);
            let liked = self.space.reranked(next, &to)?;
            let best = self.steps.merged.best_before(&self.space, &liked, &own)?;
            found = found.union(&self.space.reranked(&best, &back)?)?;
        }
        Ok(found)
    }

    /// The states with each outcome.
    fn sets(&self, values: &Ranked) -> Result<Vec<StateSet>, Limit> {
        (1..=values.greatest()).map(|rank| self.space.with_rank(values, |own| own == rank)).collect()
    }

    /// Decides states whose successors are all decided, or whose mover can get the best there is, until there are no
    /// more; a single player takes the best outcome that can be reached at all.
    fn fixpoint(
        &self,
        figures: &Forward,
        preferences: &Preferences,
        store: &mut Store<'_>,
        progress: &dyn Progress,
    ) -> Result<Vec<u128>, Halt> {
        let outcomes = &figures.outcomes;
        let mut layers = Vec::new();
        for number in 0..figures.layer_states.len() {
            layers.push(store.layer(self, number)?);
        }
        let none = || self.space.none();
        let mut open = union(layers.iter().map(|layer| layer.open.clone()).collect())?.unwrap_or_else(none);
        let mut sets = vec![self.space.none(); outcomes.len()];
        for (rewards, set) in layers.iter().flat_map(|layer| &layer.ends) {
            let listed = outcomes.binary_search(rewards);
            let place = &mut sets[listed.map_err(|_| damaged(&Kind::End.name(0)))?];
            *place = place.union(set)?;
        }
        let merged = &self.steps.merged;
        let report = |round: usize| {
            let counts = [("round", round as f64), ("nodes", self.space.nodes() as f64)];
            progress.report(Report { phase: "backward", counts: &counts });
        };
        if let [preference] = preferences {
            for (round, &outcome) in preference.iter().enumerate() {
                report(round);
                let mut new = sets[outcome].clone();
                while !new.is_empty() {
                    new = merged.pre_image(&self.space, &new)?.intersect(&open)?;
                    open = open.minus(&new)?;
                    sets[outcome] = sets[outcome].union(&new)?;
                }
            }
        } else {
            for round in 0.. {
                report(round);
                let before = open.clone();
                let ready = open.minus(&merged.pre_image(&self.space, &open)?)?;
                let known = sets.clone();
                let decided = self.decide(&ready, &self.space.ranked(&known)?, preferences)?;
                for (set, more) in sets.iter_mut().zip(self.sets(&decided)?) {
                    *set = set.union(&more)?;
                }
                open = open.minus(&ready)?;
                for (role, own) in self.steps.movers(&open)?.0 {
                    let Some(&best) = preferences[role].first() else { continue };
                    let found = merged.pre_image(&self.space, &known[best])?.intersect(&own)?;
                    sets[best] = sets[best].union(&found)?;
                    open = open.minus(&found)?;
                }
                if open == before {
                    break;
                }
            }
        }
        let mut totals = vec![0u128; outcomes.len()];
        for (number, layer) in layers.iter().enumerate().rev() {
            let states = layer.states()?;
            let own = sets.iter().map(|set| set.intersect(&states)).collect::<Result<Vec<_>, _>>()?;
            self.keep(store, number, outcomes, self.space.ranked(&own)?, &mut totals)?;
        }
        Ok(totals)
    }
}
