//! Operators as h² sees them.

use std::ops::Range;

use counterplay_base::IdVec;
use counterplay_task::{Fact, FactNumbers, OpId, Task, VarId};

use super::matrix::{Count, Matrix, contains, count, insert, intersect};

/// An operator over numbered facts. Conditions on derived variables are left out: they are taken for granted.
#[derive(Clone, Debug)]
pub(super) struct Step {
    pub(super) op: OpId,
    /// What holds before: the precondition and what follows from it and says more.
    pub(super) precondition: Vec<usize>,
    /// What else follows from the precondition.
    pub(super) implied: Vec<usize>,
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

#[derive(Clone, Debug)]
pub(super) struct Conditional {
    pub(super) condition: Vec<usize>,
    /// Whether nothing about derived variables was left out of the condition.
    exact: bool,
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
                exact: !effect.condition.iter().any(|fact| is_derived[fact.var]),
                fact: numbers.of(effect.fact),
                place,
            });
            Step {
                op,
                precondition: plain(&operator.precondition),
                implied: Vec::new(),
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

    /// Finds what follows from a condition: where one value of a variable is left, that value. `None` if the
    /// condition cannot hold. Facts that narrow down what else is possible are added to the condition itself;
    /// the others, which are returned, would only make it longer.
    pub(super) fn complete(
        &self,
        condition: &mut Vec<usize>,
        possible: &Matrix,
        scratch: &mut Scratch,
    ) -> Option<Vec<usize>> {
        let Scratch { row, known } = scratch;
        common_row(condition, possible, row);
        if !condition.iter().all(|&fact| contains(row, fact)) {
            return None;
        }
        known.clear();
        known.resize(possible.width(), 0);
        condition.iter().for_each(|&fact| insert(known, fact));
        let mut idle = Vec::new();
        let mut narrowed = true;
        while narrowed {
            narrowed = false;
            for (var, range) in self.ranges.enumerate() {
                match count(row, range.clone()) {
                    Count::None if !self.is_derived[var] => return None,
                    Count::One(only) if !contains(known, only) => {
                        insert(known, only);
                        if intersect(row, possible.row(only)) {
                            narrowed = true;
                            condition.push(only);
                        } else {
                            idle.push(only);
                        }
                    }
                    _ => {}
                }
            }
        }
        Some(idle)
    }
}

/// Buffers for [`Steps::complete`].
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    /// The facts that are possible along with the condition.
    pub(super) row: Vec<u64>,
    known: Vec<u64>,
}

/// The facts that are possible along with each fact of a condition; for an empty one, those possible at all.
pub(super) fn common_row(condition: &[usize], possible: &Matrix, row: &mut Vec<u64>) {
    row.clear();
    match condition.split_first() {
        Some((&first, rest)) => {
            row.extend_from_slice(possible.row(first));
            for &fact in rest {
                intersect(row, possible.row(fact));
            }
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
pub(super) fn is_possible(condition: &[usize], possible: &Matrix, row: &mut Vec<u64>) -> bool {
    common_row(condition, possible, row);
    condition.iter().all(|&fact| contains(row, fact))
}

impl Step {
    /// What holds after the step, as far as it is certain: its effects and what it needs and leaves alone.
    pub(super) fn after(&self, steps: &Steps) -> Vec<usize> {
        let mut after = self.effects.clone();
        after.extend(self.precondition.iter().filter(|&&fact| self.leaves(fact, steps)));
        after
    }

    /// Decides conditional effects whose conditions the completed precondition implies or contradicts. The
    /// operator will get what decides them as further preconditions.
    pub(super) fn decide_effects(&mut self, steps: &Steps) {
        let known = |fact: usize| self.precondition.contains(&fact) || self.implied.contains(&fact);
        let contradicted = |fact: usize| {
            let range = &steps.ranges[steps.numbers.fact(fact).var];
            !known(fact) && self.precondition.iter().chain(&self.implied).any(|other| range.contains(other))
        };
        let mut always = Vec::new();
        let mut conditional = std::mem::take(&mut self.conditional);
        conditional.retain(|effect| {
            if effect.exact && effect.condition.iter().all(|&fact| known(fact)) {
                always.push(effect.fact);
                return false;
            }
            !effect.condition.iter().any(|&fact| contradicted(fact))
        });
        self.conditional = conditional;
        for fact in always {
            // To set what holds already changes nothing.
            if !self.precondition.contains(&fact) && !self.implied.contains(&fact) {
                self.effects.push(fact);
                self.changed.push(steps.numbers.fact(fact).var);
            }
        }
        let is_touched = |var: &VarId| {
            let still = self.conditional.iter().any(|effect| steps.ranges[*var].contains(&effect.fact));
            still && !self.changed.contains(var)
        };
        self.touched.retain(is_touched);
    }

    /// What follows from the precondition and still holds after the step.
    pub(super) fn implied_after(&self, steps: &Steps) -> impl Iterator<Item = usize> {
        self.implied.iter().copied().filter(|&fact| self.leaves(fact, steps))
    }

    fn leaves(&self, fact: usize, steps: &Steps) -> bool {
        !self.moved().any(|var| steps.ranges[var].contains(&fact))
    }

    /// The variables it changes or may change.
    pub(super) fn moved(&self) -> impl Iterator<Item = VarId> + '_ {
        self.changed.iter().chain(&self.touched).copied()
    }
}
