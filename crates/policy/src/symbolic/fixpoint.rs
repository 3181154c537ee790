//! The three fixpoints.
//!
//! *Weak*: from the goal backwards, states in which some action may lead into what is already solved. *Strong*: states
//! in which it leads there whatever its outcome. *Strong-cyclic*: from all states downwards, strike out actions that
//! may leave the set and then states that no longer have a way to the goal, until nothing goes; the last pass
//! backwards orders the states by their distance, so that each step has an outcome that comes nearer.
//!
//! A pass goes back from the states that were added last only. Which values the variables have in these is looked up
//! first: most outcomes lead elsewhere, and are never tried.

use counterplay_base::{IdVec, Limit};
use counterplay_symbolic::StateSet;
use counterplay_task::{ChoiceId, Fact, VarId};

use super::Engine;

/// Where to do what on the way to a set of states.
pub(super) struct Region {
    /// States that get their answer in the same step backwards, by action; the last step of the way first.
    pub(super) layers: Vec<Vec<(ChoiceId, StateSet)>>,
    /// All states with an answer, and those that were to be reached.
    pub(super) solved: StateSet,
}

/// Which outcomes may count as progress towards the goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ProgressBy {
    AnyOutcome,
    /// One that does the same everywhere, if the action has such: sets stay simpler.
    PlainOutcome,
}

/// Which values variables have in some set of states.
pub(super) struct Present(IdVec<VarId, Vec<bool>>);

impl Present {
    /// Whether all facts occur, if not in the same state. Derived facts are not known and may.
    pub(super) fn has(&self, facts: &[Fact]) -> bool {
        facts.iter().all(|fact| self.0[fact.var].get(fact.value as usize).copied().unwrap_or(true))
    }
}

impl Engine<'_> {
    /// Which values occur in a set.
    pub(super) fn present(&self, set: &StateSet) -> Result<Present, Limit> {
        let occurs =
            |var, value| Ok(!set.intersect(&self.space().facts(&[Fact { var, value }])?)?.is_empty());
        let task = &self.nondet.task;
        let values = |var| match self.space().is_encoded(var) {
            true => (0..task.domain_size(var)).map(|value| occurs(var, value)).collect(),
            false => Ok(Vec::new()),
        };
        Ok(Present(task.variables.ids().map(values).collect::<Result<_, _>>()?))
    }

    /// Goes back from a set by `step`, layer by layer, until `is_enough` or nothing new comes. A step gets the action, what is solved and
    /// the states that may lead into what was solved last.
    fn backward(
        &mut self,
        target: &StateSet,
        progress_by: ProgressBy,
        step: impl Fn(&Self, ChoiceId, &StateSet, StateSet) -> Result<StateSet, Limit>,
        is_enough: impl Fn(&Self, &StateSet) -> Result<bool, Limit>,
    ) -> Result<Region, Limit> {
        let mut region = Region { layers: Vec::new(), solved: target.clone() };
        let mut last = target.clone();
        while !last.is_empty() && !is_enough(self, &region.solved)? {
            self.report()?;
            let present = self.present(&last)?;
            let mut parts = Vec::new();
            let mut more = region.solved.clone();
            for choice in self.nondet.choices.ids() {
                let outcomes = &self.outcomes[choice];
                let has_plain = progress_by == ProgressBy::PlainOutcome
                    && outcomes.iter().any(|outcome| outcome.is_plain);
                let counted = outcomes.iter().filter(|outcome| outcome.is_plain || !has_plain);
                let mut counted = counted.filter(|outcome| present.has(&outcome.after)).peekable();
                if counted.peek().is_none() {
                    continue;
                }
                let candidates = self.weak_pre_image(counted, &last)?.minus(&more)?;
                if candidates.is_empty() {
                    continue;
                }
                let new = step(self, choice, &region.solved, candidates)?;
                if !new.is_empty() {
                    more = more.union(&new)?;
                    parts.push((choice, new));
                }
            }
            last = more.minus(&region.solved)?;
            region.solved = more;
            if !parts.is_empty() {
                region.layers.push(parts);
            }
        }
        Ok(region)
    }

    /// States from which the set may be reached, until the initial state is among them.
    pub(super) fn weak(&mut self, target: &StateSet) -> Result<Region, Limit> {
        // The choice among initial states is not ours.
        let step = |engine: &Self, choice, solved: &StateSet, candidates: StateSet| match engine.nondet.start
        {
            Some(start) if start == choice => engine.strong_pre_image(choice, solved)?.intersect(&candidates),
            _ => Ok(candidates),
        };
        let is_enough = |engine: &Self, solved: &StateSet| engine.initial.is_subset(solved);
        self.backward(target, ProgressBy::AnyOutcome, step, is_enough)
    }

    /// States of a universe from which the set is reached whatever happens, until the initial state is among them.
    pub(super) fn strong(&mut self, universe: &StateSet, target: &StateSet) -> Result<Region, Limit> {
        let step = |engine: &Self, choice, solved: &StateSet, candidates: StateSet| {
            let candidates = candidates.intersect(universe)?;
            engine.strong_pre_image(choice, solved)?.intersect(&candidates)
        };
        let is_enough = |engine: &Self, solved: &StateSet| engine.initial.is_subset(solved);
        self.backward(target, ProgressBy::AnyOutcome, step, is_enough)
    }

    /// States of a universe from which the set can always still be reached without leaving the universe. If `wanted` states turn
    /// out not to be among them, the rest is not computed and the answer is `None`: what is left by then is not closed.
    pub(super) fn strong_cyclic(
        &mut self,
        universe: &StateSet,
        target: &StateSet,
        progress_by: ProgressBy,
        wanted: Option<&StateSet>,
    ) -> Result<Option<Region>, Limit> {
        let mut states = universe.union(target)?;
        loop {
            let choices = self.nondet.choices.ids();
            let safe = choices.map(|choice| self.strong_pre_image(choice, &states)?.intersect(&states));
            let safe = safe.collect::<Result<IdVec<ChoiceId, StateSet>, _>>()?;
            let step = |_: &Self, choice: ChoiceId, _: &StateSet, candidates: StateSet| {
                candidates.intersect(&safe[choice])
            };
            let region = self.backward(target, progress_by, step, |_, _| Ok(false))?;
            if let Some(wanted) = wanted
                && !wanted.is_subset(&region.solved)?
            {
                return Ok(None);
            }
            if states.is_subset(&region.solved)? {
                return Ok(Some(region));
            }
            states = region.solved;
        }
    }
}
