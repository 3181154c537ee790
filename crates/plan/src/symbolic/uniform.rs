//! Forward, backward and bidirectional uniform-cost search.
//!
//! With both directions open, whenever one side reaches states that the other has reached too, the sum of the two
//! costs is an upper bound, and the plan through one such state is remembered. A path not yet seen leaves the
//! expanded part of the forward side and enters that of the backward side later, so it costs at least the sum of
//! the two next layers' costs plus, if no state is open on both sides, one more operator: when the upper bound
//! reaches that, it is proved optimal.
//!
//! Soft goals need nothing more: the backward side starts with goal states at the cost of what they violate, one
//! set for each such cost (Kissmann 2012, section 7.3, turned round). A better meeting is a plan of better net
//! benefit, so the search can be asked for the best so far at any time.

use std::collections::BTreeMap;

use counterplay_base::{Budget, Limit, Progress, Report, Verdict};
use counterplay_symbolic::StateSet;
use counterplay_task::OpId;

use super::extract::{State, walk_back, walk_forth};
use super::side::{Reached, Side, Way};
use super::{Costs, Engine};
use crate::{Direction, Statistics};

/// A search that can be continued after its budget ran out.
pub(crate) struct Uniform<'e, 't> {
    pub(crate) engine: &'e Engine<'t>,
    forward: Side<'e>,
    backward: Side<'e>,
    direction: Direction,
    best: Option<Meeting>,
    /// Reached by a step, but not yet compared with the other side: a limit may come in between.
    pending: Vec<(Way, Reached)>,
    /// No plan costs less than this, as this search proved when everything reached had been compared with the other side.
    proved: u64,
    /// What others have proved about the least cost.
    raised: u64,
    /// The cost of the best plan that others have found.
    known: Option<u64>,
    layers: u64,
    /// Whether the best plan is better than the last one that was reported.
    is_better: bool,
}

/// Where the cheapest path found so far crosses from one side to the other.
struct Meeting {
    state: State,
    forward: u64,
    backward: u64,
}

impl Meeting {
    fn cost(&self) -> u64 {
        self.forward.saturating_add(self.backward)
    }
}

/// A step that may be cut off gets at least this much work.
const SHORTEST_STEP: u64 = 200_000;

impl<'e, 't> Uniform<'e, 't> {
    pub(crate) fn new(engine: &'e Engine<'t>, direction: Direction) -> Self {
        let start = BTreeMap::from([(0, engine.initial.clone())]);
        let forward = Side::new(Way::Forward, engine.space(), &engine.forward, start);
        let backward = Side::new(Way::Backward, engine.space(), &engine.backward, engine.goals.clone());
        let mut search = Uniform {
            engine,
            forward,
            backward,
            direction,
            best: None,
            pending: Vec::new(),
            proved: 0,
            raised: 0,
            known: None,
            layers: 0,
            is_better: false,
        };
        search.pending.push((Way::Forward, Reached { cost: 0, states: engine.initial.clone() }));
        search
    }

    /// No plan costs less than this, as this search has proved by itself.
    pub(crate) fn own_lower_bound(&self) -> u64 {
        self.proved
    }

    /// The next layers bound the cost of plans that have not been met. It holds only while nothing is pending: the layer that was
    /// just reached may meet the other side at a lower cost.
    fn raise_by_layers(&mut self) {
        debug_assert!(self.pending.is_empty(), "what was reached has not been compared");
        let next = |side: &Side<'_>| side.next_cost().unwrap_or(u64::MAX);
        let sum = next(&self.forward).saturating_add(next(&self.backward));
        self.proved = self.proved.max(sum.saturating_add(self.engine.least_cost()));
    }

    /// No plan costs less than this.
    fn lower_bound(&self) -> u64 {
        let bound = self.own_lower_bound().max(self.raised);
        self.upper_bound().map_or(bound, |best| best.min(bound))
    }

    /// Takes note that no plan costs less than this.
    pub(crate) fn raise_lower_bound(&mut self, bound: u64) {
        self.raised = self.raised.max(bound);
    }

    /// Takes note that a plan of this cost is known: once no plan is proved to be cheaper, the search stops, with [`Limit::Nodes`].
    pub(crate) fn stop_at(&mut self, cost: u64) {
        self.known = Some(cost);
    }

    /// Diagram nodes of what the search would expand next.
    pub(crate) fn frontier_nodes(&self) -> usize {
        self.forward.next_nodes() + self.backward.next_nodes()
    }

    /// How far the search has come.
    pub(crate) fn statistics(&self) -> Statistics {
        let way = match self.direction {
            Direction::Forward => "forward",
            Direction::Backward => "backward",
            Direction::Both => "bidirectional",
        };
        let kind = if self.engine.costs == Costs::One { "breadth-first search" } else { "Dijkstra" };
        Statistics {
            ran: format!("symbolic {way} {kind}"),
            layers: self.layers,
            expanded: 0,
            peak_nodes: self.engine.space().peak_nodes() as u64,
            lower_bound: self.lower_bound(),
            upper_bound: self.upper_bound(),
        }
    }

    /// Like [`Uniform::run`], but stops with [`Limit::Nodes`] when so much work is done.
    pub(crate) fn run_for(
        &mut self,
        work: u64,
        budget: &Budget,
        progress: &dyn Progress,
    ) -> Verdict<Vec<OpId>> {
        let engine = self.engine;
        engine.space().with_allowance(work, || self.run(budget, progress))
    }

    /// The cost of the best plan known.
    pub(crate) fn upper_bound(&self) -> Option<u64> {
        self.best.as_ref().map(Meeting::cost)
    }

    /// Runs until the answer is known or the budget ends; after that it can be called again.
    pub(crate) fn run(&mut self, budget: &Budget, progress: &dyn Progress) -> Verdict<Vec<OpId>> {
        self.finish(budget, progress).into()
    }

    fn finish(&mut self, budget: &Budget, progress: &dyn Progress) -> Result<Option<Vec<OpId>>, Limit> {
        let engine = self.engine;
        engine.space().set_budget(budget);
        loop {
            budget.check()?;
            while let Some((way, new)) = self.pending.pop() {
                if let Err(limit) = self.meet(way, &new) {
                    self.pending.push((way, new));
                    return Err(limit);
                }
            }
            self.raise_by_layers();
            if std::mem::take(&mut self.is_better) && progress.is_watched() {
                let best = self.upper_bound().unwrap_or(u64::MAX);
                let counts = [("best", best as f64), ("bound", self.lower_bound() as f64)];
                progress.report(Report { phase: "better plan", counts: &counts });
            }
            progress.bounds(self.lower_bound(), self.upper_bound());
            let is_proved = self.best.as_ref().is_some_and(|best| best.cost() <= self.lower_bound());
            let is_done = |side: &Side<'_>| side.next_cost().is_none();
            if is_proved || is_done(&self.forward) || is_done(&self.backward) {
                return self.best.as_ref().map(|best| self.plan(best)).transpose();
            }
            if self.known.is_some_and(|known| known <= self.lower_bound()) {
                return Err(Limit::Nodes(engine.space().work()));
            }
            self.prune_lost();
            let (way, allowed) = self.choose();
            let before = engine.space().work();
            match self.step(way, allowed) {
                Ok(reached) => self.pending.extend(reached.into_iter().map(|new| (way, new))),
                // Only its own allowance ran out: the estimates have changed, so choose again.
                Err(Limit::Nodes(_)) if engine.space().work() - before >= allowed => continue,
                Err(limit) => return Err(limit),
            }
            self.layers += 1;
            self.report(way, progress);
        }
    }

    /// Leaves out states that are sure to end with at least the cost of the best plan known.
    fn prune_lost(&mut self) {
        if let (Some(best), Some(cost)) = (self.upper_bound(), self.forward.next_cost()) {
            let lost = self.engine.lost_at(best.saturating_sub(cost));
            self.forward.prune(lost.cloned());
        }
    }

    /// Which side goes next and, where the other could go instead, with how much work.
    fn choose(&self) -> (Way, u64) {
        match self.direction {
            Direction::Forward => (Way::Forward, u64::MAX),
            Direction::Backward => (Way::Backward, u64::MAX),
            Direction::Both => {
                let (forward, backward) = (self.forward.estimate(), self.backward.estimate());
                let (way, other) =
                    if forward <= backward { (Way::Forward, backward) } else { (Way::Backward, forward) };
                (way, other.saturating_mul(2).max(SHORTEST_STEP))
            }
        }
    }

    fn step(&mut self, way: Way, allowed: u64) -> Result<Vec<Reached>, Limit> {
        match way {
            Way::Forward => self.forward.step(allowed),
            Way::Backward => self.backward.step(allowed),
        }
    }

    /// Looks for states that both sides have reached, and keeps the cheapest meeting.
    fn meet(&mut self, way: Way, new: &Reached) -> Result<(), Limit> {
        let other = match way {
            Way::Forward => &self.backward,
            Way::Backward => &self.forward,
        };
        let bound = self.upper_bound().unwrap_or(u64::MAX);
        let Some((cost, states)) = cheapest_meeting(other, new, bound)? else { return Ok(()) };
        let state = self.engine.space().pick(&states).expect("a meeting is not empty");
        let (forward, backward) = match way {
            Way::Forward => (new.cost, cost),
            Way::Backward => (cost, new.cost),
        };
        self.best = Some(Meeting { state, forward, backward });
        self.is_better = true;
        Ok(())
    }

    /// The best plan so far, if it can be extracted with so much work; after a limit has been reached, say.
    pub(crate) fn best_so_far(&self, work: u64) -> Option<Vec<OpId>> {
        let space = self.engine.space();
        space.set_budget(&Budget::unlimited());
        let best = self.best.as_ref()?;
        space.with_allowance(work, || self.plan(best)).ok()
    }

    fn plan(&self, best: &Meeting) -> Result<Vec<OpId>, Limit> {
        let mut state = best.state.clone();
        counterplay_task::close_under_axioms(self.engine.encoding.task, &mut state);
        let mut plan = walk_back(self.engine, &self.forward.history, state.clone(), best.forward)?;
        plan.extend(walk_forth(self.engine, &self.backward.history, state, best.backward));
        Ok(plan)
    }

    fn report(&self, way: Way, progress: &dyn Progress) {
        if !progress.is_watched() {
            return;
        }
        let (phase, side) = match way {
            Way::Forward => ("forward", &self.forward),
            Way::Backward => ("backward", &self.backward),
        };
        let counts = [
            ("layer", self.layers as f64),
            ("cost", side.next_cost().unwrap_or(0) as f64),
            ("states", side.next_count()),
            ("nodes", side.next_nodes() as f64),
            ("bound", self.lower_bound() as f64),
        ];
        progress.report(Report { phase, counts: &counts });
    }
}

/// The cheapest set of a side that shares states with `new`, if the sum of costs stays below `bound`.
fn cheapest_meeting(other: &Side<'_>, new: &Reached, bound: u64) -> Result<Option<(u64, StateSet)>, Limit> {
    let below = |cost: u64| new.cost.saturating_add(cost) < bound;
    if !new.states.intersect(&other.closed)?.is_empty() {
        for (cost, set) in other.history.iter().take_while(|&(cost, _)| below(cost)) {
            let both = new.states.intersect(&set.states)?;
            if !both.is_empty() {
                return Ok(Some((cost, both)));
            }
        }
        return Ok(None);
    }
    for (&cost, open) in other.open.iter().take_while(|&(&cost, _)| below(cost)) {
        let both = new.states.intersect(open)?;
        if !both.is_empty() {
            return Ok(Some((cost, both)));
        }
    }
    Ok(None)
}
