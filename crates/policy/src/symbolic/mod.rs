//! Strong and strong-cyclic policies as fixpoints over sets of states.
//!
//! Cimatti, Pistore, Roveri and Traverso (2003). *Strong*: from the goal backwards, states in which some action leads
//! into what is already solved whatever its outcome. *Strong-cyclic*: from all states downwards, strike out actions that may
//! leave the set and then states that no longer have a way to the goal, until nothing goes; a last pass
//! backwards orders the states by their distance, so that each step has an outcome that comes nearer. Everything
//! is held to the reachable states if these are cheap to compute.

pub(crate) mod cover;

use counterplay_base::{Budget, IdVec, Limit, Progress, Report, Verdict};
use counterplay_ground::{ChoiceId, NondetTask};
use counterplay_symbolic::{Arrangement, Encoding, Relation, Space, StateSet, causal_graph, merge, union};
use counterplay_task::VarId;

use crate::{Class, Pair, Policy, Statistics};

/// Work allowed for the reachable states; without them everything is done on all states.
const REACH_WORK: u64 = 20_000_000;
/// Relations for the reachable states are merged up to this many nodes, with so much work.
const MERGE_NODES: usize = 20_000;
const MERGE_WORK: u64 = 3_000_000;

/// States that get their answer in the same step backwards, by action.
struct Layer {
    parts: Vec<(ChoiceId, StateSet)>,
    /// All states that were answered before.
    before: StateSet,
}

struct Engine<'t> {
    nondet: &'t NondetTask,
    encoding: Encoding<'t>,
    order: Vec<VarId>,
    /// For each action its outcomes.
    outcomes: IdVec<ChoiceId, Vec<Relation>>,
    initial: StateSet,
    goal: StateSet,
    reachable: StateSet,
    layers: u64,
}

/// Looks for a strong or strong-cyclic policy.
pub(crate) fn solve(
    nondet: &NondetTask,
    class: Class,
    seed: u64,
    budget: &Budget,
    progress: &dyn Progress,
) -> (Verdict<Policy>, Statistics) {
    let mut statistics = Statistics { ran: "symbolic".to_owned(), ..Statistics::default() };
    let mut run = || -> Result<Verdict<Policy>, Limit> {
        let mut engine = Engine::new(nondet, seed, budget)?;
        let layers = match class {
            Class::Strong => engine.strong(budget, progress),
            Class::Weak | Class::StrongCyclic => engine.strong_cyclic(budget, progress),
        };
        statistics.rounds = engine.layers;
        statistics.peak_nodes = engine.space().peak_nodes() as u64;
        let Some(layers) = layers? else { return Ok(Verdict::Unsolvable) };
        Ok(Verdict::Solved(Policy { class, pairs: engine.extract(&layers, budget)? }))
    };
    let verdict = run().unwrap_or_else(Verdict::Stopped);
    (verdict, statistics)
}

impl<'t> Engine<'t> {
    fn new(nondet: &'t NondetTask, seed: u64, budget: &Budget) -> Result<Engine<'t>, Limit> {
        let task = &nondet.task;
        let order = Arrangement { seed, ..Arrangement::default() }.order(&causal_graph(task));
        let encoding = Encoding::with_order(task, &order, budget)?;
        let outcomes = nondet
            .choices
            .iter()
            .map(|choice| choice.operators().map(|op| encoding.relation(op)).collect::<Result<Vec<_>, _>>())
            .collect::<Result<IdVec<ChoiceId, _>, _>>()?;
        let (initial, goal) = (encoding.initial()?, encoding.states(&task.goal)?);
        let reachable = encoding.space.all();
        let mut engine = Engine { nondet, encoding, order, outcomes, initial, goal, reachable, layers: 0 };
        match engine.space().with_allowance(REACH_WORK, || engine.reach(budget)) {
            Ok(reachable) => {
                engine.goal = engine.goal.intersect(&reachable)?;
                engine.reachable = reachable;
            }
            Err(Limit::Nodes(_)) => {}
            Err(limit) => return Err(limit),
        }
        Ok(engine)
    }

    fn space(&self) -> &Space {
        &self.encoding.space
    }

    /// All states that can be reached. From a goal nobody goes on.
    fn reach(&self, budget: &Budget) -> Result<StateSet, Limit> {
        let relations: Vec<Relation> = self.outcomes.iter().flatten().cloned().collect();
        let partition = merge(self.space(), relations, MERGE_NODES, MERGE_WORK)?;
        let mut all = self.initial.clone();
        let mut new = all.minus(&self.goal)?;
        while !new.is_empty() {
            budget.check()?;
            new = partition.image(self.space(), &new)?.minus(&all)?;
            all = all.union(&new)?;
            new = new.minus(&self.goal)?;
        }
        Ok(all)
    }

    /// States in which an action can be applied and leads into the set whatever its outcome.
    fn strong_pre_image(&self, choice: ChoiceId, set: &StateSet) -> Result<StateSet, Limit> {
        let mut result = self.reachable.clone();
        for outcome in &self.outcomes[choice] {
            if result.is_empty() {
                break;
            }
            result = result.intersect(&outcome.pre_image(self.space(), set)?)?;
        }
        Ok(result)
    }

    /// States in which an outcome of an action may lead into the set.
    fn weak_pre_image(&self, choice: ChoiceId, set: &StateSet) -> Result<StateSet, Limit> {
        let images = self.outcomes[choice].iter().map(|outcome| outcome.pre_image(self.space(), set));
        let images = union(images.collect::<Result<_, _>>()?)?;
        images.map_or_else(|| Ok(self.space().none()), |images| images.intersect(&self.reachable))
    }

    fn report(&mut self, progress: &dyn Progress, budget: &Budget) -> Result<(), Limit> {
        budget.check()?;
        self.layers += 1;
        let counts = [("layers", self.layers as f64), ("nodes", self.space().nodes() as f64)];
        progress.report(Report { phase: "policy", counts: &counts });
        Ok(())
    }

    /// Goes back from the goal by `step`, layer by layer, until `enough` or nothing new comes.
    fn backward(
        &mut self,
        step: impl Fn(&Engine<'t>, ChoiceId, &StateSet) -> Result<StateSet, Limit>,
        stops_early: bool,
        budget: &Budget,
        progress: &dyn Progress,
    ) -> Result<(Vec<Layer>, StateSet), Limit> {
        let mut layers = Vec::new();
        let mut solved = self.goal.clone();
        loop {
            self.report(progress, budget)?;
            if stops_early && self.initial.is_subset(&solved)? {
                break;
            }
            let mut parts = Vec::new();
            let mut more = solved.clone();
            for choice in self.nondet.choices.ids() {
                let new = step(self, choice, &solved)?.minus(&more)?;
                if !new.is_empty() {
                    more = more.union(&new)?;
                    parts.push((choice, new));
                }
            }
            if parts.is_empty() {
                break;
            }
            layers.push(Layer { parts, before: std::mem::replace(&mut solved, more) });
        }
        Ok((layers, solved))
    }

    fn strong(&mut self, budget: &Budget, progress: &dyn Progress) -> Result<Option<Vec<Layer>>, Limit> {
        let step = |engine: &Engine<'t>, choice, solved: &StateSet| engine.strong_pre_image(choice, solved);
        let (layers, solved) = self.backward(step, true, budget, progress)?;
        Ok(self.initial.is_subset(&solved)?.then_some(layers))
    }

    fn strong_cyclic(
        &mut self,
        budget: &Budget,
        progress: &dyn Progress,
    ) -> Result<Option<Vec<Layer>>, Limit> {
        let mut states = self.reachable.clone();
        loop {
            let choices = self.nondet.choices.ids();
            let safe = choices.map(|choice| self.strong_pre_image(choice, &states));
            let safe = safe.collect::<Result<IdVec<ChoiceId, StateSet>, _>>()?;
            let step = |engine: &Engine<'t>, choice: ChoiceId, solved: &StateSet| {
                if safe[choice].is_empty() {
                    return Ok(engine.space().none());
                }
                engine.weak_pre_image(choice, solved)?.intersect(&safe[choice])
            };
            let (layers, solved) = self.backward(step, false, budget, progress)?;
            if !self.initial.is_subset(&solved)? {
                return Ok(None);
            }
            if states.is_subset(&solved)? {
                return Ok(Some(layers));
            }
            states = solved;
        }
    }

    /// The states that the policy can reach.
    fn follow(&self, layers: &[Layer], budget: &Budget) -> Result<StateSet, Limit> {
        let mut all = self.initial.clone();
        let mut new = all.minus(&self.goal)?;
        while !new.is_empty() {
            budget.check()?;
            let mut next = Vec::new();
            for (choice, states) in layers.iter().flat_map(|layer| &layer.parts) {
                let own = new.intersect(states)?;
                if !own.is_empty() {
                    for outcome in &self.outcomes[*choice] {
                        next.push(outcome.image(self.space(), &own)?);
                    }
                }
            }
            let next = union(next)?.unwrap_or_else(|| self.space().none());
            let fresh = next.minus(&all)?;
            all = all.union(&fresh)?;
            new = fresh.minus(&self.goal)?;
        }
        Ok(all)
    }

    /// Pairs of conditions and actions. Conditions may also hold where it does not matter: in states that the policy
    /// does not reach and in those for which there is an answer before.
    fn extract(&self, layers: &[Layer], budget: &Budget) -> Result<Vec<Pair>, Limit> {
        let reached = self.follow(layers, budget)?;
        let all = self.space().all();
        let mut pairs = Vec::new();
        for layer in layers {
            let matters = reached.minus(&layer.before)?;
            for (choice, states) in &layer.parts {
                budget.check()?;
                let least = states.intersect(&reached)?;
                if least.is_empty() {
                    continue;
                }
                let most = all.minus(&matters.minus(&least)?)?;
                for condition in cover::cover(self.space(), self.nondet, &self.order, &least, &most, budget)?
                {
                    pairs.push(Pair { condition, choice: *choice });
                }
            }
        }
        Ok(pairs)
    }
}
