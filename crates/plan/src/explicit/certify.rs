//! From a task and the least cost to an invariant that proves it.
//!
//! States are taken up by cost, the cheapest first, so a state that is expanded has its final cost. A state is not expanded if an
//! estimate covers it: one that was made for another state, or its own. The landmarks of LM-cut make an estimate. For each of
//! them there is a *zone*: facts that cannot be reached without its operators, a goal among them. Entering the zone costs
//! what LM-cut pays for the landmark, and since no operator pays more than it costs, the sum over the zones entered is a consistent
//! potential, for all states and not only for the one it was made for.
//!
//! Nothing else is used: no symmetries, no stubborn sets, no mutexes, no memory of landmarks. So the proof needs none of them.

use std::collections::BTreeMap;

use counterplay_base::{Budget, BudgetPoll, Id, IdVec, Limit, Progress, Report};
use counterplay_certificate::{Claim, Closed, Estimate, Invariant, Target};
use counterplay_task::{Fact, OpId, Task, Value, VarId, apply, is_goal};
use rustc_hash::{FxHashMap, FxHashSet};

use super::figures::gcd;
use super::incremental_lmcut::IncrementalLmCut;
use super::relaxed::{FactId, GroupId, Relaxed, RelaxedId};
use super::successors::SuccessorTree;
use crate::Heuristic;

/// After so many evaluations other ways to compute LM-cut are tried, as the search itself does.
const EVALUATIONS_BEFORE_CHOICE: usize = 50;

/// Ways are compared on so many states.
const SAMPLE: usize = 5;

/// Why there is no invariant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CertifyError {
    Stopped(Limit),
    /// The claim is wrong: a goal state is reached below it.
    Refuted,
}

impl From<Limit> for CertifyError {
    fn from(limit: Limit) -> CertifyError {
        CertifyError::Stopped(limit)
    }
}

/// Builds an invariant for a claim about a task without axioms and soft goals. It gives up with [`Limit::Nodes`] when more than `most` states
/// have been expanded or estimated.
///
/// # Errors
/// The limit that was reached, or that the claim is wrong.
pub fn certify(
    task: &Task,
    claim: Claim,
    heuristic: Heuristic,
    most: usize,
    budget: &Budget,
    progress: &dyn Progress,
) -> Result<Invariant, CertifyError> {
    let mut certifier = Certifier::new(task, claim, heuristic);
    if let Err(error) = certifier.run(most, budget, progress) {
        // Millions of states take seconds to free, and a caller whose limit is reached has no seconds left.
        let gathered = (std::mem::take(&mut certifier.known), std::mem::take(&mut certifier.open));
        std::thread::spawn(move || drop(gathered));
        return Err(error);
    }
    certifier.resolve(budget)
}

type State = IdVec<VarId, Value>;

struct Certifier<'t> {
    task: &'t Task,
    claim: Claim,
    unit: u64,
    tree: SuccessorTree,
    lmcut: Option<IncrementalLmCut>,
    /// The least cost of each state met, and where it ended up.
    known: FxHashMap<Box<[Value]>, Node>,
    open: BTreeMap<u64, Vec<Box<[Value]>>>,
    invariant: Invariant,
    zones: FxHashMap<Vec<Fact>, usize>,
    /// The operators that can lead into each zone.
    crossing: Vec<Vec<OpId>>,
    /// Estimates, the ones used last at the end.
    recent: Vec<usize>,
    sample: Vec<State>,
    evaluated: usize,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    g: u64,
    place: Option<Target>,
}

impl<'t> Certifier<'t> {
    fn new(task: &'t Task, claim: Claim, heuristic: Heuristic) -> Certifier<'t> {
        let priced = matches!(claim, Claim::AtLeast(_));
        let unit = task.operators.iter().fold(0, |unit, op| gcd(unit, op.cost)).max(1);
        // Without a bound every operator is free, and LM-cut only tells dead ends.
        let costs: IdVec<OpId, u64> =
            task.operators.iter().map(|op| if priced { op.cost / unit } else { 0 }).collect();
        let lmcut = match heuristic {
            Heuristic::Blind => None,
            // The estimates of abstractions have no proof here; LM-cut stands in.
            Heuristic::LmCut | Heuristic::Abstractions => Some(IncrementalLmCut::new(task, &costs)),
        };
        Certifier {
            task,
            claim,
            unit,
            tree: SuccessorTree::new(task),
            lmcut,
            known: FxHashMap::default(),
            open: BTreeMap::new(),
            invariant: Invariant::empty(claim),
            zones: FxHashMap::default(),
            crossing: Vec::new(),
            recent: Vec::new(),
            sample: Vec::new(),
            evaluated: 0,
        }
    }

    fn bound(&self) -> Option<u64> {
        match self.claim {
            Claim::Unsolvable => None,
            Claim::AtLeast(bound) => Some(bound),
        }
    }

    fn cost(&self, op: OpId) -> u64 {
        if self.bound().is_some() { self.task.operators[op].cost } else { 0 }
    }

    fn is_too_dear(&self, g: u64) -> bool {
        self.bound().is_some_and(|bound| g >= bound)
    }

    fn run(&mut self, most: usize, budget: &Budget, progress: &dyn Progress) -> Result<(), CertifyError> {
        self.meet(&self.task.initial.clone(), 0);
        let mut poll = BudgetPoll::every(16);
        let (mut applicable, mut stack) = (Vec::new(), Vec::new());
        while let Some((g, values)) = self.pop() {
            poll.step_growing(budget, || values.len() * 8 * 1024)?;
            if self.invariant.states.len().max(self.evaluated) > most {
                return Err(Limit::Nodes(most as u64).into());
            }
            let node = self.known[&values];
            if node.place.is_some() || node.g < g {
                continue;
            }
            let state: State = values.to_vec().into();
            let place = self.place(&state, g, budget)?;
            if let Some(known) = self.known.get_mut(&values) {
                known.place = Some(place);
            }
            let Target::State(at) = place else { continue };
            if at % 1024 == 0 {
                progress.report(Report { phase: "certifying", counts: &[("states", at as f64)] });
            }
            applicable.clear();
            self.tree.applicable(&state, &mut stack, &mut applicable);
            for &op in &applicable {
                let total = g.saturating_add(self.cost(op));
                if !self.is_too_dear(total) {
                    self.meet(&apply(self.task, &state, op), total);
                }
            }
        }
        Ok(())
    }

    fn pop(&mut self) -> Option<(u64, Box<[Value]>)> {
        let mut first = self.open.first_entry()?;
        let g = *first.key();
        let state = first.get_mut().pop();
        if first.get().is_empty() {
            first.remove();
        }
        state.map(|state| (g, state))
    }

    fn meet(&mut self, state: &State, g: u64) {
        let values: Box<[Value]> = state.as_slice().into();
        let node = self.known.entry(values.clone()).or_insert(Node { g: u64::MAX, place: None });
        if g < node.g {
            node.g = g;
            self.open.entry(g).or_default().push(values);
        }
    }

    /// Where a state at its least cost belongs: to an estimate, or to the closed states.
    fn place(&mut self, state: &State, g: u64, budget: &Budget) -> Result<Target, CertifyError> {
        if is_goal(self.task, state) {
            return Err(CertifyError::Refuted);
        }
        if let Some(estimate) = self.covering(state, g) {
            return Ok(Target::Estimate(estimate));
        }
        if let Some(estimate) = self.estimate(state, g, budget)? {
            self.invariant.estimates.push(estimate);
            let place = self.invariant.estimates.len() - 1;
            self.recent.push(place);
            return Ok(Target::Estimate(place));
        }
        self.invariant.states.push(Closed { values: state.clone(), g, steps: Vec::new() });
        Ok(Target::State(self.invariant.states.len() - 1))
    }

    /// A known estimate that covers a state at a cost.
    fn covering(&mut self, state: &State, g: u64) -> Option<usize> {
        let mut entered: Vec<Option<bool>> = vec![None; self.invariant.zones.len()];
        let invariant = &self.invariant;
        let at = self.recent.iter().rposition(|&estimate| {
            let Estimate { base, parts } = &invariant.estimates[estimate];
            let mut left = match g.checked_sub(*base) {
                Some(left) => left,
                None => return false,
            };
            parts.iter().all(|&(zone, weight)| {
                let is_entered = *entered[zone].get_or_insert_with(|| {
                    invariant.zones[zone].iter().any(|fact| state[fact.var] == fact.value)
                });
                match (is_entered, left.checked_sub(weight)) {
                    (false, _) => true,
                    (true, Some(rest)) => {
                        left = rest;
                        true
                    }
                    (true, None) => false,
                }
            })
        })?;
        let estimate = self.recent.remove(at);
        self.recent.push(estimate);
        Some(estimate)
    }

    /// An estimate that covers the state, if LM-cut is high enough.
    fn estimate(&mut self, state: &State, g: u64, budget: &Budget) -> Result<Option<Estimate>, Limit> {
        let Some(lmcut) = &mut self.lmcut else { return Ok(None) };
        self.evaluated += 1;
        if self.sample.len() < SAMPLE {
            self.sample.push(state.clone());
        }
        if self.evaluated == EVALUATIONS_BEFORE_CHOICE {
            lmcut.choose(&self.sample, budget)?;
        }
        let needed = self.bound_left(g);
        let Some(lmcut) = &mut self.lmcut else { return Ok(None) };
        let mut landmarks = Vec::new();
        let sum =
            lmcut.cuts(state, budget, |groups, cost| landmarks.push((groups.to_vec(), u64::from(cost))))?;
        match sum {
            None => landmarks = vec![(Vec::new(), needed)],
            Some(sum) if sum.saturating_mul(self.unit) < needed => return Ok(None),
            Some(_) => landmarks.iter_mut().for_each(|(_, cost)| *cost *= self.unit),
        }
        let mut weights: FxHashMap<usize, u64> = FxHashMap::default();
        let mut left = needed;
        for (groups, cost) in landmarks {
            let Some(zone) = self.zone(state, &groups) else { return Ok(None) };
            let weight = cost.min(left);
            left -= weight;
            if weight > 0 {
                *weights.entry(zone).or_default() += weight;
            }
        }
        let mut parts: Vec<(usize, u64)> = weights.into_iter().collect();
        parts.sort_unstable();
        let estimate = Estimate { base: g, parts };
        Ok((left == 0 && self.is_consistent(&estimate)).then_some(estimate))
    }

    /// What an estimate has to charge to a goal state, beyond the cost so far.
    fn bound_left(&self, g: u64) -> u64 {
        self.bound().map_or(1, |bound| bound - g)
    }

    /// The facts that cannot be reached from a state without the operators of a landmark, as far as they are needed to see that a
    /// goal is among them.
    fn zone(&mut self, state: &State, landmark: &[GroupId]) -> Option<usize> {
        let relaxed = self.lmcut.as_ref()?.relaxed();
        let landmark: FxHashSet<GroupId> = landmark.iter().copied().collect();
        let is_reached = reach(relaxed, state, &landmark);
        let facts = cone(relaxed, &is_reached, &landmark)?;
        let zone: Vec<Fact> =
            all_facts(self.task).filter(|&fact| facts.contains(&relaxed.fact(fact))).collect();
        if let Some(&known) = self.zones.get(&zone) {
            return Some(known);
        }
        let place = self.invariant.zones.len();
        let facts: FxHashSet<Fact> = zone.iter().copied().collect();
        let operators = self.task.operators.enumerate();
        let crossing = operators.filter(|(_, operator)| enters(operator, &facts)).map(|(op, _)| op);
        self.crossing.push(crossing.collect());
        self.zones.insert(zone.clone(), place);
        self.invariant.zones.push(zone);
        Some(place)
    }

    /// Whether no operator can take more than it costs. It cannot if LM-cut is right; a proof must not rest on that.
    fn is_consistent(&self, estimate: &Estimate) -> bool {
        let mut taken: FxHashMap<OpId, u128> = FxHashMap::default();
        for &(zone, weight) in &estimate.parts {
            self.crossing[zone].iter().for_each(|&op| *taken.entry(op).or_default() += u128::from(weight));
        }
        taken.into_iter().all(|(op, taken)| taken <= u128::from(self.cost(op)))
    }

    /// Fills in where each step leads.
    fn resolve(mut self, budget: &Budget) -> Result<Invariant, CertifyError> {
        let mut poll = BudgetPoll::every(64);
        let (mut applicable, mut stack) = (Vec::new(), Vec::new());
        for i in 0..self.invariant.states.len() {
            let Closed { values, g, .. } = &self.invariant.states[i];
            applicable.clear();
            self.tree.applicable(values, &mut stack, &mut applicable);
            let mut steps = Vec::with_capacity(applicable.len());
            for &op in &applicable {
                poll.step(budget)?;
                let total = g.saturating_add(self.cost(op));
                let target = match self.is_too_dear(total) {
                    true => Target::TooDear,
                    false => {
                        let after = apply(self.task, values, op);
                        let node = self.known.get(after.as_slice());
                        node.and_then(|node| node.place).expect("every successor below the bound was placed")
                    }
                };
                steps.push((op, target));
            }
            self.invariant.states[i].steps = steps;
        }
        Ok(self.invariant)
    }
}

fn all_facts(task: &Task) -> impl Iterator<Item = Fact> + '_ {
    task.variables
        .enumerate()
        .flat_map(|(var, variable)| (0..variable.values.len() as Value).map(move |value| Fact { var, value }))
}

/// Whether an operator can lead from outside a zone into it.
fn enters(operator: &counterplay_task::Operator, zone: &FxHashSet<Fact>) -> bool {
    let is_in = |fact: &Fact| zone.contains(fact);
    !operator.precondition.iter().any(is_in)
        && operator.effects.iter().any(|effect| is_in(&effect.fact) && !effect.condition.iter().any(is_in))
}

/// The relaxed facts that are reached from a state without the operators of some groups.
fn reach(relaxed: &Relaxed, state: &State, without: &FxHashSet<GroupId>) -> IdVec<FactId, bool> {
    let mut is_reached: IdVec<FactId, bool> = IdVec::filled(false, relaxed.fact_count);
    let mut missing: IdVec<RelaxedId, usize> =
        (0..relaxed.operator_count()).map(|op| relaxed.preconditions[RelaxedId::new(op)].len()).collect();
    let mut queue: Vec<FactId> = relaxed.facts_of(state).collect();
    queue.iter().for_each(|&fact| is_reached[fact] = true);
    while let Some(fact) = queue.pop() {
        for &op in &relaxed.needed_by[fact] {
            missing[op] -= 1;
            if missing[op] > 0 || without.contains(&relaxed.group[op]) {
                continue;
            }
            for &add in &relaxed.adds[op] {
                if !std::mem::replace(&mut is_reached[add], true) {
                    queue.push(add);
                }
            }
        }
    }
    is_reached
}

/// Facts that are not reached, from the goal backwards: what achieves one of them, but for the landmark, needs another one. `None`
/// if the goal is reached.
fn cone(
    relaxed: &Relaxed,
    is_reached: &IdVec<FactId, bool>,
    landmark: &FxHashSet<GroupId>,
) -> Option<FxHashSet<FactId>> {
    if is_reached[FactId::GOAL] {
        return None;
    }
    let mut cone = FxHashSet::default();
    let mut stack = vec![FactId::GOAL];
    while let Some(fact) = stack.pop() {
        for &op in &relaxed.added_by[fact] {
            let needs = &relaxed.preconditions[op];
            if landmark.contains(&relaxed.group[op]) || needs.iter().any(|need| cone.contains(need)) {
                continue;
            }
            let need = *needs.iter().find(|&&need| !is_reached[need])?;
            cone.insert(need);
            stack.push(need);
        }
    }
    Some(cone)
}
