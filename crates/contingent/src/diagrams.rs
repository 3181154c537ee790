//! Belief states as decision diagrams: equal sets of states are the same diagram.

use std::rc::Rc;

use counterplay_base::{Budget, IdVec, Limit};
use counterplay_symbolic::{Encoding, OrderSearch, Relation, Space, StateSet, causal_graph, union};
use counterplay_task::{
    Description, Fact, HiddenTask, InitialStates, Literal, Value, VarId, close_under_axioms,
};
use rustc_hash::FxHashMap;

use crate::described::enumerate;
use crate::explicit::{MOST_STATES, part_that_holds};
use crate::space::{BeliefSpace, Percept, State};

/// One part of an action: where it is applicable, and its outcomes.
struct Part {
    guard: StateSet,
    outcomes: Vec<Relation>,
}

struct SymbolicAction {
    guard: StateSet,
    parts: Vec<Part>,
    observed: Vec<StateSet>,
}

pub(crate) struct Diagrams<'t> {
    hidden: &'t HiddenTask,
    encoding: Encoding<'t>,
    goal: StateSet,
    actions: Vec<SymbolicAction>,
    basic: Vec<VarId>,
    /// The states in which a variable has a value.
    values: IdVec<VarId, Vec<StateSet>>,
    /// Variables that may have several values in a belief state; those that are not here have one.
    uncertain: FxHashMap<StateSet, Rc<[VarId]>>,
    budget: &'t Budget,
}

/// So many states stand for a belief state in the estimate.
const SAMPLES: usize = 64;

impl<'t> Diagrams<'t> {
    pub(crate) fn new(hidden: &'t HiddenTask, seed: u64, budget: &'t Budget) -> Result<Diagrams<'t>, Limit> {
        let task = &hidden.nondet.task;
        let order = OrderSearch { seed, ..OrderSearch::default() }.order(&causal_graph(task));
        let encoding = Encoding::with_order(task, &order, budget)?;
        let goal = encoding.states(&task.goal)?;
        let mut actions = Vec::new();
        for action in &hidden.actions {
            budget.check()?;
            let mut parts = Vec::new();
            for &part in &action.parts {
                let guard = encoding.states(hidden.nondet.precondition(part))?;
                let operators = hidden.nondet.choices[part].operators();
                let outcomes = operators.map(|op| encoding.relation(op)).collect::<Result<_, _>>()?;
                parts.push(Part { guard, outcomes });
            }
            let guards = parts.iter().map(|part| part.guard.clone()).collect();
            let guard = union(guards)?.unwrap_or_else(|| encoding.space.none());
            let observed = action.observed.iter().map(|(fact, _)| encoding.states(&[*fact]));
            actions.push(SymbolicAction { guard, parts, observed: observed.collect::<Result<_, _>>()? });
        }
        let basic = task.variables.enumerate().filter(|(_, variable)| variable.derived.is_none());
        let basic = basic.map(|(var, _)| var).collect();
        let values = task.variables.enumerate().map(|(var, variable)| {
            let values = 0..variable.values.len() as Value;
            values.map(|value| encoding.states(&[Fact { var, value }])).collect()
        });
        let values = values.collect::<Result<_, _>>()?;
        Ok(Diagrams {
            hidden,
            encoding,
            goal,
            actions,
            basic,
            values,
            uncertain: FxHashMap::default(),
            budget,
        })
    }

    fn space(&self) -> &Space {
        &self.encoding.space
    }

    /// One state of a set, derived variables up to date.
    fn pick(&self, set: &StateSet) -> Option<State> {
        let mut state = self.space().pick(set)?;
        close_under_axioms(&self.hidden.nondet.task, &mut state);
        Some(state)
    }

    fn literal(&self, &(fact, truth): &Literal) -> Result<StateSet, Limit> {
        let holds = self.encoding.states(&[fact])?;
        if truth { Ok(holds) } else { self.space().all().minus(&holds) }
    }

    fn listed(&self, states: &[State]) -> Result<StateSet, Limit> {
        let facts = |state: &State| -> Vec<Fact> {
            self.basic.iter().map(|&var| Fact { var, value: state[var] }).collect()
        };
        let sets = states.iter().map(|state| self.encoding.states(&facts(state)));
        Ok(union(sets.collect::<Result<_, _>>()?)?.unwrap_or_else(|| self.space().none()))
    }

    fn described(&self, description: &Description) -> Result<StateSet, Limit> {
        if shares_atoms(description) {
            return self.listed(&enumerate(description, MOST_STATES, self.budget)?);
        }
        let certain = |var: VarId| Fact { var, value: description.certain[var] };
        let is_open = |var: VarId| description.open.iter().any(|fact| fact.var == var);
        let fixed: Vec<Fact> =
            self.basic.iter().filter(|&&var| !is_open(var)).map(|&var| certain(var)).collect();
        let mut result = self.encoding.states(&fixed)?;
        for &fact in &description.open {
            let either =
                self.encoding.states(&[certain(fact.var)])?.union(&self.encoding.states(&[fact])?)?;
            result = result.intersect(&either)?;
        }
        for clause in &description.clauses {
            let literals = clause.iter().map(|literal| self.literal(literal)).collect::<Result<_, _>>()?;
            result = result.intersect(&union(literals)?.unwrap_or_else(|| self.space().none()))?;
        }
        for alternatives in &description.choices {
            result = result.intersect(&self.choice(alternatives, &description.closed)?)?;
        }
        Ok(result)
    }

    /// The states that one of the alternatives describes. No other choice mentions the facts of one that has a
    /// conjunction: a state then tells which alternative it is.
    fn choice(&self, alternatives: &[Vec<Literal>], closed: &[Fact]) -> Result<StateSet, Limit> {
        if alternatives.iter().all(|literals| literals.len() == 1) {
            return self.exactly_one(alternatives);
        }
        let mut own: Vec<Fact> = alternatives.iter().flatten().map(|&(fact, _)| fact).collect();
        own.retain(|fact| closed.contains(fact));
        own.sort_unstable();
        own.dedup();
        let mut sets = Vec::new();
        for (number, literals) in alternatives.iter().enumerate() {
            let mut set = self.space().all();
            for literal in literals {
                set = set.intersect(&self.literal(literal)?)?;
            }
            for &fact in own.iter().filter(|&&fact| !literals.contains(&(fact, true))) {
                set = set.intersect(&self.literal(&(fact, false))?)?;
            }
            for other in
                alternatives.iter().enumerate().filter(|(other, it)| *other != number && *it != literals)
            {
                if let [only] = &other.1[..] {
                    set = set.minus(&self.literal(only)?)?;
                }
            }
            sets.push(set);
        }
        Ok(union(sets)?.unwrap_or_else(|| self.space().none()))
    }

    fn exactly_one(&self, alternatives: &[Vec<Literal>]) -> Result<StateSet, Limit> {
        let mut literals: Vec<Literal> = alternatives.iter().map(|literals| literals[0]).collect();
        literals.sort_unstable();
        literals.dedup();
        let (mut none, mut one) = (self.space().all(), self.space().none());
        for literal in &literals {
            let holds = self.literal(literal)?;
            one = one.minus(&holds)?.union(&none.intersect(&holds)?)?;
            none = none.minus(&holds)?;
        }
        Ok(one)
    }
}

impl BeliefSpace for Diagrams<'_> {
    type Belief = StateSet;

    fn initial(&mut self) -> Result<StateSet, Limit> {
        match &self.hidden.initial {
            InitialStates::Described(description) => self.described(description),
            InitialStates::Listed(states) => self.listed(states),
        }
    }

    fn is_goal(&mut self, belief: &StateSet) -> Result<bool, Limit> {
        belief.is_subset(&self.goal)
    }

    fn applicable(&mut self, belief: &StateSet) -> Result<Vec<u32>, Limit> {
        let Some(state) = self.pick(belief) else { return Ok(Vec::new()) };
        let mut found = Vec::new();
        for (number, action) in self.actions.iter().enumerate() {
            let number = number as u32;
            if part_that_holds(self.hidden, &state, number).is_some() && belief.is_subset(&action.guard)? {
                found.push(number);
            }
        }
        Ok(found)
    }

    fn tells(&self, action: u32) -> bool {
        !self.hidden.actions[action as usize].observed.is_empty()
    }

    fn after(&mut self, belief: &StateSet, action: u32) -> Result<Vec<(Percept, StateSet)>, Limit> {
        self.budget.check()?;
        let action = &self.actions[action as usize];
        let mut images = Vec::new();
        for part in &action.parts {
            let from = belief.intersect(&part.guard)?;
            if !from.is_empty() {
                for outcome in &part.outcomes {
                    images.push(outcome.image(self.space(), &from)?);
                }
            }
        }
        let next = union(images)?.unwrap_or_else(|| self.space().none());
        let mut parts: Vec<(Percept, StateSet)> = vec![(Vec::new(), next)];
        let before = self.uncertain.get(belief).cloned();
        for observed in &action.observed {
            let mut finer = Vec::new();
            for (percept, states) in parts {
                for (truth, states) in [(false, states.minus(observed)?), (true, states.intersect(observed)?)]
                {
                    if !states.is_empty() {
                        finer.push(([&percept[..], &[truth]].concat(), states));
                    }
                }
            }
            parts = finer;
        }
        if let Some(before) = before {
            // What was certain and is not changed stays certain.
            let relations = action.parts.iter().flat_map(|part| &part.outcomes);
            let mut suspects: Vec<VarId> = relations.flat_map(|it| it.changed().iter().copied()).collect();
            suspects.extend_from_slice(&before);
            suspects.sort_unstable();
            suspects.dedup();
            let suspects: Rc<[VarId]> = suspects.into();
            for (_, states) in &parts {
                self.uncertain.entry(states.clone()).or_insert_with(|| Rc::clone(&suspects));
            }
        }
        Ok(parts)
    }

    fn samples(&mut self, belief: &StateSet) -> Result<Vec<State>, Limit> {
        let Some(first) = self.pick(belief) else { return Ok(Vec::new()) };
        let mut samples = vec![first];
        let suspects = self.uncertain.get(belief).cloned().unwrap_or_else(|| self.basic.clone().into());
        let mut uncertain = Vec::new();
        for &var in &suspects[..] {
            if samples.len() == SAMPLES {
                uncertain.push(var);
                continue;
            }
            let mut rest = belief.clone();
            let mut seen: Vec<u32> = Vec::new();
            while samples.len() < SAMPLES {
                for sample in &samples {
                    let value = sample[var];
                    if !seen.contains(&value) {
                        seen.push(value);
                        rest = rest.minus(&self.values[var][value as usize])?;
                    }
                }
                match self.pick(&rest) {
                    Some(state) => samples.push(state),
                    None => break,
                }
            }
            if seen.len() != 1 || samples.len() == SAMPLES {
                uncertain.push(var);
            }
        }
        self.uncertain.insert(belief.clone(), uncertain.into());
        Ok(samples)
    }

    fn size(&self, belief: &StateSet) -> u64 {
        // The logarithm in hundredths: sizes may be beyond any integer.
        (100.0 * self.space().count_about(belief).max(1.0).log2()) as u64
    }

    fn may_lead(&mut self, from: &StateSet, action: u32, into: &StateSet) -> Result<StateSet, Limit> {
        let action = &self.actions[action as usize];
        let mut sets = Vec::new();
        for part in &action.parts {
            let from = from.intersect(&part.guard)?;
            for outcome in &part.outcomes {
                sets.push(outcome.pre_image(self.space(), into)?.intersect(&from)?);
            }
        }
        Ok(union(sets)?.unwrap_or_else(|| self.space().none()))
    }

    fn union(&mut self, one: &StateSet, other: &StateSet) -> Result<StateSet, Limit> {
        one.union(other)
    }

    fn none(&self) -> StateSet {
        self.space().none()
    }

    fn peak_nodes(&self) -> Option<u64> {
        Some(self.space().peak_nodes() as u64)
    }
}

/// Whether a choice with a conjunction mentions a fact that another choice mentions, too. Their alternatives then do not decide one by one
/// what is true.
fn shares_atoms(description: &Description) -> bool {
    let mentions =
        |choice: &[Vec<Literal>], fact: Fact| choice.iter().flatten().any(|&(other, _)| other == fact);
    description.choices.iter().enumerate().any(|(at, choice)| {
        let is_plain = choice.iter().all(|literals| literals.len() == 1);
        let others = || description.choices.iter().enumerate().filter(|&(other, _)| other != at);
        let shared = |&(fact, _): &Literal| others().any(|(_, other)| mentions(other, fact));
        !is_plain && choice.iter().flatten().any(shared)
    })
}
