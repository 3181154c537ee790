//! Forward, backward and bidirectional uniform-cost search.
//!
//! With both directions open, whenever one side reaches states that the other has reached too, the sum of the two
//! costs is an upper bound, and the plan through one such state is remembered. A path not yet seen leaves the
//! expanded part of the forward side and enters that of the backward side later, so it costs at least the sum of
//! the two next layers' costs plus, if no state is open on both sides, one more operator: when the upper bound
//! reaches that, it is proved optimal.

use counterplay_base::{Budget, Limit, Progress, Report, Verdict};
use counterplay_symbolic::StateSet;
use counterplay_task::OpId;

use super::Engine;
use super::extract::{State, walk_back, walk_forth};
use super::side::{Reached, Side, Way};
use crate::Direction;

/// A search that can be continued after its budget ran out.
pub(crate) struct Uniform<'e, 't> {
    engine: &'e Engine<'t>,
    forward: Side,
    backward: Side,
    direction: Direction,
    best: Option<Meeting>,
    pub(crate) layers: u64,
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
    pub(crate) fn new(engine: &'e Engine<'t>, direction: Direction) -> Result<Self, Limit> {
        let (forward, backward) = (Side::new(engine, Way::Forward), Side::new(engine, Way::Backward));
        let mut search = Uniform { engine, forward, backward, direction, best: None, layers: 0 };
        let start = Reached { cost: 0, states: engine.initial.clone() };
        search.meet(Way::Forward, &start)?;
        Ok(search)
    }

    /// No plan costs less than this.
    pub(crate) fn lower_bound(&self) -> u64 {
        let next = |side: &Side| side.next_cost().unwrap_or(u64::MAX);
        let sum = next(&self.forward).saturating_add(next(&self.backward));
        let bound = sum.saturating_add(self.engine.least_cost());
        self.upper_bound().map_or(bound, |best| best.min(bound))
    }

    /// The cost of the best plan known.
    pub(crate) fn upper_bound(&self) -> Option<u64> {
        self.best.as_ref().map(Meeting::cost)
    }

    /// Runs until the answer is known or the budget ends; after that it can be called again.
    pub(crate) fn run(&mut self, budget: &Budget, progress: &dyn Progress) -> Verdict<Vec<OpId>> {
        match self.finish(budget, progress) {
            Ok(Some(plan)) => Verdict::Solved(plan),
            Ok(None) => Verdict::Unsolvable,
            Err(limit) => Verdict::Stopped(limit),
        }
    }

    fn finish(&mut self, budget: &Budget, progress: &dyn Progress) -> Result<Option<Vec<OpId>>, Limit> {
        self.engine.encoding.space.set_budget(budget);
        loop {
            budget.check()?;
            if self.best.as_ref().is_some_and(|best| best.cost() <= self.lower_bound()) {
                break;
            }
            let (forward_done, backward_done) = (self.forward.open.is_empty(), self.backward.open.is_empty());
            if forward_done || backward_done {
                break;
            }
            let (way, allowed) = self.choose();
            let reached = match self.step(way, allowed) {
                // Only its allowance ran out: the estimates have changed, so choose again.
                Err(Limit::Nodes(_)) if allowed < u64::MAX => continue,
                other => other?,
            };
            for new in &reached {
                self.meet(way, new)?;
            }
            self.layers += 1;
            self.report(way, progress);
        }
        self.best.as_ref().map(|best| self.plan(best)).transpose()
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
            Way::Forward => self.forward.step(self.engine, allowed),
            Way::Backward => self.backward.step(self.engine, allowed),
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
        let state = self.engine.encoding.space.pick(&states).expect("a meeting is not empty");
        let (forward, backward) = match way {
            Way::Forward => (new.cost, cost),
            Way::Backward => (cost, new.cost),
        };
        self.best = Some(Meeting { state, forward, backward });
        Ok(())
    }

    fn plan(&self, best: &Meeting) -> Result<Vec<OpId>, Limit> {
        let mut state = best.state.clone();
        counterplay_task::close_under_axioms(self.engine.encoding.task, &mut state);
        let mut plan = walk_back(self.engine, &self.forward, state.clone(), best.forward)?;
        plan.extend(walk_forth(self.engine, &self.backward, state, best.backward));
        Ok(plan)
    }

    fn report(&self, way: Way, progress: &dyn Progress) {
        let (phase, side) = match way {
            Way::Forward => ("forward", &self.forward),
            Way::Backward => ("backward", &self.backward),
        };
        let counts = [
            ("layer", self.layers as f64),
            ("cost", side.next_cost().unwrap_or(0) as f64),
            ("nodes", self.engine.encoding.space.nodes() as f64),
            ("bound", self.lower_bound() as f64),
        ];
        progress.report(Report { phase, counts: &counts });
    }
}

/// The cheapest layer of a side that shares states with `new`, if the sum of costs stays below `bound`.
fn cheapest_meeting(other: &Side, new: &Reached, bound: u64) -> Result<Option<(u64, StateSet)>, Limit> {
    let below = |cost: u64| new.cost.saturating_add(cost) < bound;
    if !new.states.intersect(&other.closed)?.is_empty() {
        for (&cost, layer) in other.layers.iter().take_while(|&(&cost, _)| below(cost)) {
            for sublayer in layer {
                let both = new.states.intersect(sublayer)?;
                if !both.is_empty() {
                    return Ok(Some((cost, both)));
                }
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
