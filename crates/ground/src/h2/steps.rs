//! Operators as h² sees them.

use std::ops::Range;

use counterplay_base::IdVec;
use counterplay_task::{Fact, OpId, Task, VarId};

use super::matrix::{Matrix, first_two, insert, intersect};
use crate::simplify::FactNumbers;

/// An operator over numbered facts. Conditions on derived variables are left out: they are taken for granted.
#[derive(Clone, Debug)]
pub(super) struct Step {
    pub(super) op: OpId,
    /// What holds before: the precondition and what follows from it.
    pub(super) precondition: Vec<usize>,
    /// What it always makes true.
    pub(super) effects: Vec<usize>,
    /// What it makes true under a condition.
    pub(super) conditional: Vec<Conditional>,
    /// The variables of `effects`.
    pub(super) changed: Vec<VarId>,
    /// The variables of `conditional` that `effects` do not change.
    pub(super) touched: Vec<VarId>,
    /// Whether it can be part of a plan, as far as known.
    pub(super) alive: bool,
}

/// A conditional effect.
#[derive(Clone, Debug)]
pub(super) struct Conditional {
    pub(super) condition: Vec<usize>,
    pub(super) fact: usize,
    /// Its place among the operator's effects.
    pub(super) place: usize,
}

/// The task as h² sees it.
#[derive(Clone, Debug)]
pub(super) struct Steps {
    pub(super) numbers: FactNumbers,
    /// The facts of each variable.
    pub(super) ranges: IdVec<VarId, Range<usize>>,
    pub(super) is_derived: IdVec<VarId, bool>,
    pub(super) steps: Vec<Step>,
    pub(super) initial: Vec<usize>,
    pub(super) goal: Vec<usize>,
}

impl Steps {
    pub(super) fn new(task: &Task) -> Steps {
        let numbers = FactNumbers::new(task);
        let is_derived: IdVec<VarId, bool> =
            task.variables.iter().map(|variable| variable.derived.is_some()).collect();
        let plain = |facts: &[Fact]| -> Vec<usize> {
            facts.iter().filter(|fact| !is_derived[fact.var]).map(|&fact| numbers.of(fact)).collect()
        };
        let steps = task.operators.enumerate().map(|(op, operator)| {
            let (always, sometimes): (Vec<_>, Vec<_>) =
                operator.effects.iter().enumerate().partition(|(_, effect)| effect.condition.is_empty());
            let changed: Vec<VarId> = always.iter().map(|(_, effect)| effect.fact.var).collect();
            let mut touched: Vec<VarId> = sometimes.iter().map(|(_, effect)| effect.fact.var).collect();
            touched.sort_unstable();
            touched.dedup();
            touched.retain(|var| !changed.contains(var));
            let conditional = sometimes.iter().map(|&(place, effect)| Conditional {
                condition: plain(&effect.condition),
                fact: numbers.of(effect.fact),
                place,
            });
            Step {
                op,
                precondition: plain(&operator.precondition),
                effects: always.iter().map(|(_, effect)| numbers.of(effect.fact)).collect(),
                conditional: conditional.collect(),
                changed,
                touched,
                alive: true,
            }
        });
        let steps = steps.collect();
        let initial = task.initial.enumerate().filter(|&(var, _)| !is_derived[var]);
        let initial = initial.map(|(var, &value)| numbers.of(Fact { var, value })).collect();
        let goal = plain(&task.goal);
        let ranges = task.variables.ids().map(|var| {
            let start = numbers.of(Fact { var, value: 0 });
            start..start + task.domain_size(var) as usize
        });
        let ranges = ranges.collect();
        Steps { numbers, ranges, is_derived, steps, initial, goal }
    }

    /// Pairs that the task itself excludes: two values of a variable, and its mutex groups. The facts of
    /// derived variables are in no pair.
    pub(super) fn allowed(&self, task: &Task) -> Matrix {
        let mut allowed = Matrix::full(self.numbers.count());
        for (var, range) in self.ranges.enumerate() {
            for a in range.clone() {
                if self.is_derived[var] {
                    (0..allowed.size()).for_each(|b| allowed.remove(a, b));
                } else {
                    range.clone().filter(|&b| b != a).for_each(|b| allowed.remove(a, b));
                }
            }
        }
        let pairs = task.mutex_pairs.iter().copied();
        pairs.for_each(|(a, b)| allowed.remove(self.numbers.of(a), self.numbers.of(b)));
        for group in &task.mutex_groups {
            for (at, &a) in group.iter().enumerate() {
                for &b in &group[at + 1..] {
                    allowed.remove(self.numbers.of(a), self.numbers.of(b));
                }
            }
        }
        allowed
    }

    /// Adds to a condition what follows from it: where one value of a variable is left, that value.
    /// `false` if a variable has none left. `row` gets the facts that are possible along with the condition.
    pub(super) fn complete(&self, condition: &mut Vec<usize>, possible: &Matrix, row: &mut Vec<u64>) -> bool {
        loop {
            common_row(condition, possible, row);
            let mut found = Vec::new();
            for (var, range) in self.ranges.enumerate() {
                if self.is_derived[var] {
                    continue;
                }
                match first_two(row, range.clone()) {
                    (None, _) => return false,
                    (Some(only), None) if !condition.contains(&only) => found.push(only),
                    _ => {}
                }
            }
            if found.is_empty() {
                return true;
            }
            condition.extend(found);
        }
    }
}

/// The facts that are possible along with each fact of a condition; for an empty one, those possible at all.
pub(super) fn common_row(condition: &[usize], possible: &Matrix, row: &mut Vec<u64>) {
    row.clear();
    match condition.split_first() {
        Some((&first, rest)) => {
            row.extend_from_slice(possible.row(first));
            rest.iter().for_each(|&fact| intersect(row, possible.row(fact)));
        }
        None => {
            row.resize(possible.width(), 0);
            for fact in (0..possible.size()).filter(|&fact| possible.contains(fact, fact)) {
                insert(row, fact);
            }
        }
    }
}

/// Whether each pair of a condition is possible.
pub(super) fn is_possible(condition: &[usize], possible: &Matrix) -> bool {
    condition.iter().enumerate().all(|(at, &a)| condition[at..].iter().all(|&b| possible.contains(a, b)))
}

impl Step {
    /// What holds after the step, as far as it is certain: its effects and what it needs and leaves alone.
    pub(super) fn after(&self, steps: &Steps) -> Vec<usize> {
        let mut after = self.effects.clone();
        let moved = |&fact: &usize| {
            let vars = self.changed.iter().chain(&self.touched);
            vars.into_iter().any(|&var| steps.ranges[var].contains(&fact))
        };
        after.extend(self.precondition.iter().copied().filter(|fact| !moved(fact)));
        after
    }

    /// The variables it changes or may change.
    pub(super) fn moved(&self) -> impl Iterator<Item = VarId> + '_ {
        self.changed.iter().chain(&self.touched).copied()
    }
}
