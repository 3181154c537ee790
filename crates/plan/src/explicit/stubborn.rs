//! Operators that may wait: pruning by strong stubborn sets (Valmari 1989; for planning Alkhazraji, Wehrle,
//! Mattmüller and Helmert, ECAI 2012, and Wehrle and Helmert, ICAPS 2014).
//!
//! Where operators do not interfere, their order is a matter of taste, and one order is enough. A stubborn set
//! of a state contains a disjunctive landmark; with each applicable operator all that interfere with it; with
//! each inapplicable one all that could make one of its missing preconditions true. Take a plan that has the
//! fewest steps among the cheapest, and its first step in the set: nothing before it enables it or interferes with
//! it, so it may as well come first, and the rest is again such a plan, only shorter. Hence operators outside the
//! set can be left out without losing the cheapest plans, even where steps cost nothing.
//!
//! The argument needs unconditional effects, and no axioms. The landmark is taken from those LM-cut found for
//! the state: the one with the fewest applicable operators.

use counterplay_base::{IdLists, IdVec};
use counterplay_task::{Effect, Fact, FactNumbers, OpId, Operator, Task, Value, VarId, holds};

use super::relaxed::agree;

/// Interferences may take this many entries; a task with more is searched without pruning.
const MOST_ENTRIES: usize = 1 << 25;
/// Steps of this module that are worth the same as one precondition during the evaluation of a state.
const STEPS_PER_PRECONDITION: u64 = 4;
/// So many evaluations may be spent before anything is saved.
const CREDIT: u64 = 20;

/// Computes stubborn sets for the states of one task.
#[derive(Debug)]
pub(super) struct Stubborn {
    numbers: FactNumbers,
    /// The operators that achieve each fact, by its number.
    achievers: Vec<Vec<OpId>>,
    /// The operators with a precondition, or an effect, on each variable.
    reading: IdLists<VarId, (OpId, Value)>,
    writing: IdLists<VarId, (OpId, Value)>,
    /// The operators that interfere with each operator, once they have been asked for.
    interfering: IdVec<OpId, Option<Box<[OpId]>>>,
    entries: usize,
    /// Membership in the current set.
    member: IdVec<OpId, bool>,
    members: Vec<OpId>,
    /// Steps taken so far, operators left out so far, and the steps that leaving out one of them is worth: it saves
    /// the evaluation of a state, which looks at every precondition of the task.
    steps: u64,
    left_out: u64,
    worth: u64,
}

impl Stubborn {
    /// Prepares pruning; `None` for tasks it cannot deal with.
    pub(super) fn new(task: &Task) -> Option<Stubborn> {
        if task.has_conditional_effects() || !task.axioms.is_empty() {
            return None;
        }
        let numbers = FactNumbers::new(task);
        let mut achievers = vec![Vec::new(); numbers.count()];
        let (mut reading, mut writing) = (Vec::new(), Vec::new());
        for (op, operator) in task.operators.enumerate() {
            reading.extend(operator.precondition.iter().map(|fact| (fact.var, (op, fact.value))));
            for Fact { var, value } in operator.effects.iter().map(|effect| effect.fact) {
                writing.push((var, (op, value)));
                achievers[numbers.of(Fact { var, value })].push(op);
            }
        }
        Some(Stubborn {
            numbers,
            achievers,
            reading: IdLists::from_pairs(task.variables.len(), &reading),
            writing: IdLists::from_pairs(task.variables.len(), &writing),
            interfering: (0..task.operators.len()).map(|_| None).collect(),
            entries: 0,
            member: IdVec::filled(false, task.operators.len()),
            members: Vec::new(),
            steps: 0,
            left_out: 0,
            worth: STEPS_PER_PRECONDITION * (reading.len() as u64 + 100),
        })
    }

    /// Whether pruning has cost more than it saves, or takes too much memory.
    pub(super) fn is_useless(&self) -> bool {
        self.entries > MOST_ENTRIES || self.steps > self.worth * (self.left_out + CREDIT)
    }

    /// Leaves out applicable operators that need not be tried in a state that is no goal. `landmark` is one of its
    /// disjunctive landmarks; if it is empty, the achievers of a missing goal serve.
    pub(super) fn prune(
        &mut self,
        task: &Task,
        state: &IdVec<VarId, Value>,
        landmark: &[OpId],
        applicable: &mut Vec<OpId>,
    ) {
        landmark.iter().for_each(|&op| self.add(op));
        if landmark.is_empty() {
            self.add_achievers(&task.goal, state);
        }
        if !self.contains_all(task, applicable) {
            self.close(task, state);
            let before = applicable.len();
            applicable.retain(|&op| self.member[op]);
            self.left_out += (before - applicable.len()) as u64;
        }
        for &op in &self.members {
            self.member[op] = false;
        }
        self.members.clear();
    }

    /// Whether the set comes to contain all applicable operators already by their interference with each other;
    /// then nothing can be left out, and it need not be completed.
    fn contains_all(&mut self, task: &Task, applicable: &[OpId]) -> bool {
        let (mut inside, mut outside): (Vec<OpId>, Vec<OpId>) =
            applicable.iter().partition(|&&op| self.member[op]);
        while let Some(op) = inside.pop() {
            self.steps += outside.len() as u64;
            let operator = &task.operators[op];
            for i in (0..outside.len()).rev() {
                if interfere(operator, &task.operators[outside[i]]) {
                    let other = outside.swap_remove(i);
                    self.add(other);
                    inside.push(other);
                }
            }
        }
        outside.is_empty()
    }

    /// Adds operators until the set is stubborn.
    fn close(&mut self, task: &Task, state: &IdVec<VarId, Value>) {
        let mut next = 0;
        while let Some(&op) = self.members.get(next) {
            next += 1;
            let precondition = &task.operators[op].precondition;
            if holds(state, precondition) {
                self.add_interfering(task, op);
            } else {
                self.add_achievers(precondition, state);
            }
        }
    }

    fn add(&mut self, op: OpId) {
        self.steps += 1;
        if !self.member[op] {
            self.member[op] = true;
            self.members.push(op);
        }
    }

    /// Adds what could make one of the missing facts true. Any will do; the one with the fewest achievers keeps the
    /// set small.
    fn add_achievers(&mut self, facts: &[Fact], state: &IdVec<VarId, Value>) {
        let missing = facts.iter().filter(|fact| state[fact.var] != fact.value);
        let fact = missing.map(|&fact| self.numbers.of(fact));
        let fact = fact.min_by_key(|&fact| self.achievers[fact].len());
        let fact = fact.expect("something is missing");
        for i in 0..self.achievers[fact].len() {
            self.add(self.achievers[fact][i]);
        }
    }

    fn add_interfering(&mut self, task: &Task, op: OpId) {
        let list = match self.interfering[op].take() {
            Some(list) => list,
            None => {
                let list = self.find_interfering(task, op);
                self.entries += list.len();
                self.steps += 8 * list.len() as u64;
                list
            }
        };
        for &other in &list {
            self.add(other);
        }
        self.interfering[op] = Some(list);
    }

    /// The operators that disable `op`, are disabled by it, or contradict its effects; except those that are never
    /// applicable together with it.
    fn find_interfering(&self, task: &Task, op: OpId) -> Box<[OpId]> {
        let mut found: Vec<OpId> = Vec::new();
        let operator = &task.operators[op];
        let differing = |list: &[(OpId, Value)], value: Value, found: &mut Vec<OpId>| {
            found.extend(list.iter().filter(|&&(_, other)| other != value).map(|&(other, _)| other));
        };
        for Fact { var, value } in operator.effects.iter().map(|effect| effect.fact) {
            differing(&self.reading[var], value, &mut found);
            differing(&self.writing[var], value, &mut found);
        }
        for &Fact { var, value } in &operator.precondition {
            differing(&self.writing[var], value, &mut found);
        }
        found.sort_unstable();
        found.dedup();
        found.retain(|&other| {
            other != op && agree(&operator.precondition, &task.operators[other].precondition)
        });
        found.into()
    }
}

/// Whether of two operators that are applicable together one disables the other or contradicts its effects.
fn interfere(a: &Operator, b: &Operator) -> bool {
    let differs = |effects: &[Effect], fact: &Fact| {
        effects.iter().any(|effect| effect.fact.var == fact.var && effect.fact.value != fact.value)
    };
    b.precondition.iter().any(|fact| differs(&a.effects, fact))
        || a.precondition.iter().any(|fact| differs(&b.effects, fact))
        || b.effects.iter().any(|effect| differs(&a.effects, &effect.fact))
}

#[cfg(test)]
mod tests {
    use super::*;
    use counterplay_task::is_applicable;
    use counterplay_testkit::{Shape, State, goal_distances, random_task_of};
    use std::collections::HashMap;

    /// The law that makes pruning safe, in every state that is no dead end: some operator that is kept begins a
    /// plan that is cheapest, and among the cheapest as short as any.
    #[test]
    fn a_best_first_step_is_always_kept() {
        let mut left_out = 0;
        for seed in 0..400 {
            let shape = Shape {
                conditional_effects: false,
                axioms: false,
                zero_costs: seed % 2 == 0,
                huge_costs: false,
            };
            let mut task = random_task_of(shape, seed);
            // Counting a step as a little cost makes the shortest of the cheapest plans the cheapest.
            for op in task.operators.iter_mut() {
                op.cost = op.cost * 10_000 + 1;
            }
            let mut stubborn = Stubborn::new(&task).expect("a simple task");
            let distances = goal_distances(&task);
            let index: HashMap<&[Value], Option<u64>> =
                distances.iter().map(|(state, distance)| (state.as_slice(), *distance)).collect();
            for (state, distance) in &distances {
                let Some(distance) = distance.filter(|&distance| distance > 0) else { continue };
                let mut kept: Vec<OpId> =
                    task.operators.ids().filter(|&op| is_applicable(&task, state, op)).collect();
                stubborn.prune(&task, state, &[], &mut kept);
                let after = |op: OpId| -> State { counterplay_task::apply(&task, state, op) };
                let begins_best = |op: OpId| {
                    index[after(op).as_slice()].is_some_and(|rest| rest + task.operators[op].cost == distance)
                };
                assert!(kept.iter().any(|&op| begins_best(op)), "seed {seed}");
            }
            left_out += stubborn.left_out;
        }
        assert!(left_out > 1000, "pruning does something: {left_out}");
    }

    #[test]
    fn interference_of_pairs_agrees_with_the_lists() {
        let shape = Shape { conditional_effects: false, axioms: false, zero_costs: false, huge_costs: false };
        for seed in 0..100 {
            let task = random_task_of(shape, seed);
            let stubborn = Stubborn::new(&task).expect("a simple task");
            for op in task.operators.ids() {
                let list = stubborn.find_interfering(&task, op);
                for other in task.operators.ids().filter(|&other| other != op) {
                    let (a, b) = (&task.operators[op], &task.operators[other]);
                    let expected = agree(&a.precondition, &b.precondition) && interfere(a, b);
                    assert_eq!(list.contains(&other), expected, "seed {seed}");
                }
            }
        }
    }
}
