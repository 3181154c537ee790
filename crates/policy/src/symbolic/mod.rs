//! Weak, strong and strong-cyclic policies as fixpoints over sets of states.
//!
//! Cimatti, Pistore, Roveri and Traverso (2003): see [`fixpoint`]. Everything is held to the reachable states if these
//! are cheap to compute. Where the goal is a conjunction, [`stages`] tries to reach one part of it after the other
//! first: the sets then say something about a few variables only.

pub(crate) mod cover;
mod extract;
mod fixpoint;
mod stages;

use counterplay_base::{Budget, IdVec, Limit, Progress, Report, Verdict};
use counterplay_symbolic::{Encoding, OrderSearch, Relation, Space, StateSet, causal_graph, merge, union};
use counterplay_task::{ChoiceId, Fact, NondetTask, OpId, VarId};

use crate::{Class, Policy, Statistics};
use fixpoint::Region;

/// Work allowed for the reachable states; without them everything is done on all states.
const REACH_WORK: u64 = 20_000_000;
/// Relations for the reachable states are merged up to this many nodes, with so much work.
const MERGE_NODES: usize = 20_000;
const MERGE_WORK: u64 = 3_000_000;

/// Where fixpoints are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Method {
    /// On all states at once: decides whether there is a policy.
    Whole,
    /// One part of the goal after the other, with so much work: finds a policy or knows nothing.
    Staged { work: u64 },
}

/// One thing that an action may do.
struct Outcome {
    relation: Relation,
    /// Facts that hold after it for certain.
    after: Vec<Fact>,
    /// Whether it does the same everywhere.
    is_plain: bool,
}

struct Engine<'t> {
    nondet: &'t NondetTask,
    encoding: Encoding<'t>,
    order: Vec<VarId>,
    outcomes: IdVec<ChoiceId, Vec<Outcome>>,
    initial: StateSet,
    goal: StateSet,
    /// The states that are looked at.
    universe: StateSet,
    layers: u64,
    budget: &'t Budget,
    progress: &'t dyn Progress,
}

/// Looks for a policy of a class.
pub(crate) fn solve(
    nondet: &NondetTask,
    class: Class,
    method: Method,
    seed: u64,
    budget: &Budget,
    progress: &dyn Progress,
) -> (Verdict<Policy>, Statistics) {
    let ran = match method {
        Method::Whole => "symbolic",
        Method::Staged { .. } => "symbolic, in stages",
    };
    let mut statistics = Statistics { ran: ran.to_owned(), ..Statistics::default() };
    let mut run = || -> Result<Verdict<Policy>, Limit> {
        let mut engine = Engine::new(nondet, seed, budget, progress)?;
        let regions = engine.regions(class, method);
        statistics.rounds = engine.layers;
        statistics.peak_nodes = engine.space().peak_nodes() as u64;
        let Some(regions) = regions? else { return Ok(Verdict::Unsolvable) };
        Ok(Verdict::Solved(Policy { class, pairs: engine.extract(&regions)? }))
    };
    let verdict = run().unwrap_or_else(Verdict::Stopped);
    (verdict, statistics)
}

impl<'t> Engine<'t> {
    fn new(
        nondet: &'t NondetTask,
        seed: u64,
        budget: &'t Budget,
        progress: &'t dyn Progress,
    ) -> Result<Engine<'t>, Limit> {
        let task = &nondet.task;
        let order = OrderSearch { seed, ..OrderSearch::default() }.order(&causal_graph(task));
        let encoding = Encoding::with_order(task, &order, budget)?;
        let outcomes = nondet
            .choices
            .iter()
            .map(|choice| choice.operators().map(|op| outcome(&encoding, op)).collect::<Result<Vec<_>, _>>())
            .collect::<Result<IdVec<ChoiceId, _>, _>>()?;
        let (initial, goal) = (encoding.initial()?, encoding.states(&task.goal)?);
        let universe = encoding.space.all();
        Ok(Engine { nondet, encoding, order, outcomes, initial, goal, universe, layers: 0, budget, progress })
    }

    fn space(&self) -> &Space {
        &self.encoding.space
    }

    /// Where to do what, the part nearest to the goal first; `None` if there is no policy.
    fn regions(&mut self, class: Class, method: Method) -> Result<Option<Vec<Region>>, Limit> {
        if let Method::Staged { work } = method {
            return self.in_stages(class, work);
        }
        self.hold_to_reachable()?;
        let (universe, goal) = (self.universe.clone(), self.goal.clone());
        let region = match class {
            Class::Weak => self.weak(&goal)?,
            Class::Strong => self.strong(&universe, &goal)?,
            Class::StrongCyclic => {
                let (any, initial) = (fixpoint::ProgressBy::AnyOutcome, self.initial.clone());
                let Some(region) = self.strong_cyclic(&universe, &goal, any, Some(&initial))? else {
                    return Ok(None);
                };
                region
            }
        };
        Ok(self.initial.is_subset(&region.solved)?.then(|| vec![region]))
    }

    fn hold_to_reachable(&mut self) -> Result<(), Limit> {
        match self.space().with_allowance(REACH_WORK, || self.reach()) {
            Ok(reachable) => {
                self.goal = self.goal.intersect(&reachable)?;
                self.universe = reachable;
                Ok(())
            }
            Err(Limit::Nodes(_)) => Ok(()),
            Err(limit) => Err(limit),
        }
    }

    /// All states that can be reached. Goal states are not expanded.
    fn reach(&self) -> Result<StateSet, Limit> {
        let relations = self.outcomes.iter().flatten().map(|outcome| outcome.relation.clone()).collect();
        let partition = merge(self.space(), relations, MERGE_NODES, MERGE_WORK)?;
        let mut all = self.initial.clone();
        let mut new = all.minus(&self.goal)?;
        while !new.is_empty() {
            self.budget.check()?;
            new = partition.image(self.space(), &new)?.minus(&all)?;
            all = all.union(&new)?;
            new = new.minus(&self.goal)?;
        }
        Ok(all)
    }

    /// States in which an action can be applied and leads into the set whatever its outcome.
    fn strong_pre_image(&self, choice: ChoiceId, set: &StateSet) -> Result<StateSet, Limit> {
        let mut result = self.universe.clone();
        for outcome in &self.outcomes[choice] {
            if result.is_empty() {
                break;
            }
            result = result.intersect(&outcome.relation.pre_image(self.space(), set)?)?;
        }
        Ok(result)
    }

    /// States in which one of some outcomes may lead into the set.
    fn weak_pre_image<'o>(
        &self,
        outcomes: impl Iterator<Item = &'o Outcome>,
        set: &StateSet,
    ) -> Result<StateSet, Limit> {
        let images = outcomes.map(|outcome| outcome.relation.pre_image(self.space(), set));
        let images = union(images.collect::<Result<_, _>>()?)?;
        images.map_or_else(|| Ok(self.space().none()), |images| images.intersect(&self.universe))
    }

    fn report(&mut self) -> Result<(), Limit> {
        self.budget.check()?;
        self.layers += 1;
        let counts = [("layers", self.layers as f64), ("nodes", self.space().nodes() as f64)];
        self.progress.report(Report { phase: "policy", counts: &counts });
        Ok(())
    }
}

fn outcome(encoding: &Encoding<'_>, op: OpId) -> Result<Outcome, Limit> {
    let operator = &encoding.task.operators[op];
    let is_changed = |var: VarId| operator.effects.iter().any(|effect| effect.fact.var == var);
    let is_certain = |fact: Fact| {
        let mut on_it = operator.effects.iter().filter(|effect| effect.fact.var == fact.var);
        on_it.all(|effect| effect.condition.is_empty() && effect.fact == fact)
    };
    let kept = operator.precondition.iter().copied().filter(|fact| !is_changed(fact.var));
    let made = operator.effects.iter().map(|effect| effect.fact).filter(|&fact| is_certain(fact));
    Ok(Outcome {
        relation: encoding.relation(op)?,
        after: kept.chain(made).collect(),
        is_plain: operator.effects.iter().all(|effect| effect.condition.is_empty()),
    })
}
