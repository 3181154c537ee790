//! From a task and the least cost to an invariant made of layers.
//!
//! Forward search knows all states that can be reached at a cost below some *f*: at cost *c* the invariant has those reached at *c* or less.
//! Backward search knows all states from which a goal can be reached at a cost below some *b*: at cost *c* the invariant has those that are not within
//! reach of a goal at a cost below *B* − *c*. As soon as *f* + *b* ≥ *B* the first kind serves for costs below *f* and the second
//! for the others. That is one step earlier than a search ends, because sets that have been reached need not be expanded.
//!
//! Mutexes are not used, so the proof needs none; nor are symmetries or pruning.

use std::collections::BTreeMap;

use counterplay_base::{Budget, Limit, Progress, Report};
use counterplay_certificate::{Claim, Diagram, DiagramNode, Invariant, Layer};
use counterplay_symbolic::{Encoding, OrderSearch, Space, StateSet, causal_graph};
use counterplay_task::Task;

use super::Costs;
use super::engine::Steps;
use super::side::{Side, Way};
use crate::Direction;
use crate::explicit::CertifyError;

/// Relations are merged up to this many nodes, with so much work.
const RELATION_NODES: usize = 20_000;
const MERGE_WORK: u64 = 3_000_000;

/// A step that may be cut off gets at least this much work.
const SHORTEST_STEP: u64 = 200_000;

/// Builds an invariant of layers for a claim about a task without axioms and soft goals, with variables in an order by a seed. It gives up with
/// [`Limit::Nodes`] after so much work. The layers are not compared with each other: whoever checks them does that.
///
/// # Errors
/// The limit that was reached, or that the claim is wrong.
pub fn certify_by_layers(
    task: &Task,
    claim: Claim,
    direction: Direction,
    (seed, work): (u64, u64),
    budget: &Budget,
    progress: &dyn Progress,
) -> Result<Invariant, CertifyError> {
    let costs = match claim {
        Claim::Unsolvable => Costs::One,
        Claim::AtLeast(_) => Costs::Own,
    };
    let order = OrderSearch { seed, ..OrderSearch::default() }.order(&causal_graph(task));
    let encoding = Encoding::with_order(task, &order, budget)?;
    let mut by_cost = encoding.partitions(
        |op| costs.of(task, op),
        |op| encoding.relation(op),
        RELATION_NODES,
        MERGE_WORK,
    )?;
    let steps = Steps { free: by_cost.remove(&0), by_cost };
    let least = match &steps.free {
        Some(_) => 0,
        None => steps.by_cost.keys().next().copied().unwrap_or(1),
    };
    let goal = encoding.states(&task.goal)?;
    let start = |set: StateSet| BTreeMap::from([(0, set)]);
    let mut sides = Sides {
        space: &encoding.space,
        forward: Side::new(Way::Forward, &encoding.space, &steps, start(encoding.initial()?)),
        backward: Side::new(Way::Backward, &encoding.space, &steps, start(goal.clone())),
        direction,
        least,
    };
    let layers = encoding.space.with_allowance(work, || match claim {
        Claim::Unsolvable => sides.exhaust(budget, progress),
        Claim::AtLeast(bound) => sides.meet(bound, budget, progress),
    })?;
    let last = layers.last().map(|(_, set)| set.intersect(&goal)).transpose()?;
    if last.is_none_or(|goals| !goals.is_empty()) {
        return Err(CertifyError::Refuted);
    }
    let sets: Vec<&StateSet> = layers.iter().map(|(_, set)| set).collect();
    let valued = encoding.space.valued(&sets);
    let nodes = valued.nodes.into_iter().map(|node| DiagramNode { var: node.var, children: node.children });
    let diagram = Diagram { order: valued.order, nodes: nodes.collect() };
    let layers = layers.iter().zip(valued.roots).map(|(&(cost, _), set)| Layer { cost, set }).collect();
    Ok(Invariant { diagram, layers, ..Invariant::empty(claim) })
}

struct Sides<'e> {
    space: &'e Space,
    forward: Side<'e>,
    backward: Side<'e>,
    direction: Direction,
    /// The least cost of an operator.
    least: u64,
}

impl Sides<'_> {
    /// Below this cost a side knows all states.
    fn horizon(&self, side: &Side<'_>) -> u64 {
        side.next_cost().map_or(u64::MAX, |cost| cost.saturating_add(self.least))
    }

    /// Searches until the horizons add up to the bound.
    fn meet(
        &mut self,
        bound: u64,
        budget: &Budget,
        progress: &dyn Progress,
    ) -> Result<Vec<(u64, StateSet)>, Limit> {
        loop {
            let [forward, backward] = [&self.forward, &self.backward].map(|side| self.horizon(side));
            if forward.saturating_add(backward) >= bound {
                return self.layers(bound);
            }
            self.step(budget, progress)?;
        }
    }

    /// Searches until one side has seen everything.
    fn exhaust(&mut self, budget: &Budget, progress: &dyn Progress) -> Result<Vec<(u64, StateSet)>, Limit> {
        loop {
            if self.forward.next_cost().is_none() {
                return Ok(vec![(0, self.forward.closed.clone())]);
            }
            if self.backward.next_cost().is_none() {
                return Ok(vec![(0, self.space.all().minus(&self.backward.closed)?)]);
            }
            self.step(budget, progress)?;
        }
    }

    fn step(&mut self, budget: &Budget, progress: &dyn Progress) -> Result<(), Limit> {
        budget.check()?;
        let (forward, backward) = (self.forward.estimate(), self.backward.estimate());
        let (side, allowed) = match self.direction {
            Direction::Forward => (&mut self.forward, u64::MAX),
            Direction::Backward => (&mut self.backward, u64::MAX),
            Direction::Both if forward <= backward => {
                (&mut self.forward, backward.saturating_mul(2).max(SHORTEST_STEP))
            }
            Direction::Both => (&mut self.backward, forward.saturating_mul(2).max(SHORTEST_STEP)),
        };
        let before = self.space.work();
        match side.step(allowed) {
            Ok(_) => {}
            // Only its own allowance ran out: the estimates have changed.
            Err(Limit::Nodes(_)) if self.space.work() - before >= allowed => {}
            Err(limit) => return Err(limit),
        }
        let nodes = (self.forward.next_nodes() + self.backward.next_nodes()) as f64;
        progress.report(Report { phase: "certifying", counts: &[("nodes", nodes)] });
        Ok(())
    }

    /// The layers for costs below the bound.
    fn layers(&self, bound: u64) -> Result<Vec<(u64, StateSet)>, Limit> {
        let horizon = self.horizon(&self.forward).min(bound);
        let mut layers = self.reached(&self.forward, horizon)?;
        if horizon == bound {
            return Ok(layers);
        }
        // Costs from the horizon to the bound, by what is left then.
        let near = self.reached(&self.backward, bound - horizon)?;
        let all = self.space.all();
        for (i, (_, set)) in near.iter().enumerate().rev() {
            let cost = near.get(i + 1).map_or(horizon, |&(farther, _)| bound - farther);
            layers.push((cost, all.minus(set)?));
        }
        Ok(layers)
    }

    /// For each cost below the horizon at which a side has reached something: all that it has reached until then.
    fn reached(&self, side: &Side<'_>, horizon: u64) -> Result<Vec<(u64, StateSet)>, Limit> {
        let expanded = side.history.iter().map(|(cost, set)| (cost, &set.states));
        let open = side.open.iter().map(|(&cost, set)| (cost, set));
        let mut all = self.space.none();
        let mut reached: Vec<(u64, StateSet)> = Vec::new();
        for (cost, set) in expanded.chain(open).filter(|&(cost, _)| cost < horizon) {
            all = all.union(set)?;
            match reached.last_mut() {
                Some((last, known)) if *last == cost => *known = all.clone(),
                _ => reached.push((cost, all.clone())),
            }
        }
        Ok(reached)
    }
}
