//! Which values the numbers can have.

use counterplay_base::{Budget, BudgetPoll, Id, Limit};
use counterplay_pddl::model::*;
use num_traits::{CheckedAdd, CheckedDiv, CheckedMul, CheckedSub, Zero};
use rustc_hash::{FxHashMap, FxHashSet};

use super::bounds::{Bounds, compared_elsewhere};
use super::code::{Code, Range, compare};
use super::{Numeric, NumericAction, rewrite, several_changes};
use crate::Error;
use crate::explore::explore;
use crate::lifted::NormalisedProblem;
use crate::metric::fluent_text;

/// More values of one number than these are taken for a number without bounds.
const MOST_VALUES: usize = 4_000;
/// More combinations of values in one action or comparison are not looked at.
const MOST_COMBINATIONS: usize = 1 << 22;

/// A value; `None` is undefined.
pub(crate) type Maybe = Option<Number>;

/// Is told the values of an instance's numbers before and after.
type SeeStep<'a> = &'a mut dyn FnMut(&[Maybe], &[Maybe]) -> Result<(), Limit>;
/// Is told the places of some values in their lists, and the values.
type SeeCombination<'a> = &'a mut dyn FnMut(&[usize], &[Maybe]) -> Result<(), Error>;

/// The numbers of a problem and the values each of them can have.
pub(crate) struct Table {
    pub(crate) fluents: Vec<Values>,
    index: FxHashMap<GroundFluent, usize>,
    /// Values of numbers that never change.
    fixed: FxHashMap<GroundFluent, Number>,
    /// What the ground actions do, those with the same numbers once.
    pub(crate) instances: Vec<Instance>,
}

/// A number and its values.
pub(crate) struct Values {
    pub(crate) fluent: GroundFluent,
    /// In the order they were found; the first is that of the start.
    pub(crate) values: Vec<Maybe>,
    known: FxHashSet<Maybe>,
    range: Range,
    /// Above this, values need not be told apart.
    enough: Maybe,
}

/// A ground action, as far as numbers know it.
pub(crate) struct Instance {
    pub(crate) action: ActionId,
    /// The objects of the action's numeric variables.
    pub(crate) objects: Vec<ObjectId>,
    /// The numbers it reads or changes, each once.
    slots: Vec<usize>,
    /// For each of the action's reads its slot.
    pub(crate) reads: Vec<usize>,
    tests: Vec<(Comparison, Code, Code)>,
    changes: Vec<(Change, usize, Code)>,
    /// How many values each slot had when the instance was last looked at.
    seen: Vec<usize>,
}

impl Table {
    /// Finds all values, relaxed about everything but numbers.
    pub(crate) fn reach(numeric: &Numeric<'_>, bounds: &Bounds<'_>, budget: &Budget) -> Result<Table, Error> {
        let problem = numeric.problem;
        let mut table = Table {
            fluents: Vec::new(),
            index: FxHashMap::default(),
            fixed: FxHashMap::default(),
            instances: Vec::new(),
        };
        let mut starts = FxHashMap::default();
        for (fluent, value) in &problem.values {
            match numeric.changing.contains(&fluent.function) {
                true => starts.insert(fluent.clone(), *value),
                false => table.fixed.insert(fluent.clone(), *value),
            };
        }
        for (fluent, value) in problem.values.iter().filter(|(fluent, _)| starts.contains_key(fluent)) {
            table.add(fluent.clone(), Some(*value), bounds);
        }
        let relaxed = rewrite::relaxed(numeric);
        let explored = explore(&NormalisedProblem::new(&relaxed, &[])?, budget)?;
        let mut poll = BudgetPoll::every(256);
        for (id, action) in numeric.actions.iter().enumerate().filter(|(_, action)| !action.is_idle()) {
            let mut seen = FxHashSet::default();
            for tuple in explored.database.relation(explored.actions[id]).tuples() {
                poll.step(budget)?;
                let object = |variable: &VariableId| ObjectId::new(tuple[variable.index()] as usize);
                let objects: Vec<ObjectId> = action.variables.iter().map(object).collect();
                if seen.insert(objects.clone()) {
                    table.instantiate(numeric, ActionId::new(id), objects, bounds)?;
                }
            }
        }
        table.find_enough(numeric, bounds);
        table.close(numeric, budget)?;
        Ok(table)
    }

    fn add(&mut self, fluent: GroundFluent, start: Maybe, bounds: &Bounds<'_>) -> usize {
        if let Some(&at) = self.index.get(&fluent) {
            return at;
        }
        let range = start.map_or_else(Range::default, |start| bounds.of(&fluent, start));
        self.index.insert(fluent.clone(), self.fluents.len());
        let known = FxHashSet::from_iter([start]);
        self.fluents.push(Values { fluent, values: vec![start], known, range, enough: None });
        self.fluents.len() - 1
    }

    /// The number of a changing fluent, if it is ever used.
    pub(crate) fn find(&self, fluent: &GroundFluent) -> Option<usize> {
        self.index.get(fluent).copied()
    }

    /// The value of a number that never changes.
    pub(crate) fn fixed(&self, fluent: &GroundFluent) -> Maybe {
        self.fixed.get(fluent).copied()
    }

    fn instantiate(
        &mut self,
        numeric: &Numeric<'_>,
        id: ActionId,
        objects: Vec<ObjectId>,
        bounds: &Bounds<'_>,
    ) -> Result<(), Error> {
        let action: &NumericAction = &numeric.actions[id.index()];
        let ground = |fluent: &Fluent| grounded(fluent, &action.variables, &objects);
        let mut slots: Vec<usize> = Vec::new();
        let mut reads = Vec::new();
        for read in &action.reads {
            let number = self.add(ground(read), None, bounds);
            let slot = slots.iter().position(|&known| known == number).unwrap_or(slots.len());
            if slot == slots.len() {
                slots.push(number);
            }
            reads.push(slot);
        }
        let code = |expression: &Expression| {
            Code::new(expression, &mut |fluent| {
                let fluent = ground(fluent);
                if numeric.changing.contains(&fluent.function) {
                    let slot = slots.iter().position(|&known| self.fluents[known].fluent == fluent);
                    return Some(Code::Slot(slot.expect("all reads have a slot")));
                }
                self.fixed(&fluent).map(Code::Number)
            })
        };
        let tests = action.tests.iter().map(|(it, left, right)| Some((*it, code(left)?, code(right)?)));
        // An action that reads a number without a value cannot be applied.
        let Some(tests) = tests.collect::<Option<Vec<_>>>() else { return Ok(()) };
        let mut changes: Vec<(Change, usize, Code)> = Vec::new();
        for change in &action.changes {
            let Some(by) = code(&change.value) else { return Ok(()) };
            let target = ground(&change.fluent);
            let slot = slots.iter().position(|&known| self.fluents[known].fluent == target);
            let slot = slot.expect("what is changed is read too");
            let adds = |change: Change| matches!(change, Change::Increase | Change::Decrease);
            let clash =
                changes.iter().any(|&(other, at, _)| at == slot && !(adds(other) && adds(change.change)));
            if clash {
                let whole = &numeric.problem.actions[id];
                return Err(several_changes(numeric.problem, whole, target.function, change.at));
            }
            changes.push((change.change, slot, by));
        }
        let seen = vec![0; slots.len()];
        self.instances.push(Instance { action: id, objects, slots, reads, tests, changes, seen });
        Ok(())
    }

    /// For numbers that saturate, the largest value they are ever compared with.
    fn find_enough(&mut self, numeric: &Numeric<'_>, bounds: &Bounds<'_>) {
        let mut compared: Vec<Vec<Maybe>> = vec![Vec::new(); self.fluents.len()];
        for instance in &self.instances {
            let ranges: Vec<Range> = instance.slots.iter().map(|&slot| self.fluents[slot].range).collect();
            for (_, left, right) in &instance.tests {
                for (one, other) in [(left, right), (right, left)] {
                    if let Code::Slot(slot) = one {
                        compared[instance.slots[*slot]].push(other.range(&ranges).greatest);
                    }
                }
            }
        }
        for &function in &bounds.saturating {
            let others = compared_elsewhere(numeric, function, &|function| self.range_of(function, numeric));
            let own = (0..self.fluents.len()).filter(|&at| self.fluents[at].fluent.function == function);
            for number in own.collect::<Vec<_>>() {
                let all = compared[number].iter().chain(&others).copied();
                let greatest = all.reduce(|a, b| a.zip(b).map(|(a, b)| a.max(b)));
                // What is never compared need not be followed at all.
                self.fluents[number].enough = greatest.unwrap_or(self.fluents[number].values[0]);
            }
        }
    }

    /// Bounds of all numbers of a function.
    fn range_of(&self, function: FunctionId, numeric: &Numeric<'_>) -> Range {
        let ranges: Vec<Range> = if numeric.changing.contains(&function) {
            let own = self.fluents.iter().filter(|values| values.fluent.function == function);
            own.map(|values| values.range).collect()
        } else {
            let own = self.fixed.iter().filter(|(fluent, _)| fluent.function == function);
            own.map(|(_, &value)| Range { least: Some(value), greatest: Some(value) }).collect()
        };
        let hull = |a: Range, b: Range| Range {
            least: a.least.zip(b.least).map(|(a, b)| a.min(b)),
            greatest: a.greatest.zip(b.greatest).map(|(a, b)| a.max(b)),
        };
        // A function without any value fulfils no comparison, so any range will do.
        let nothing = Range { least: Some(Number::zero()), greatest: Some(Number::zero()) };
        ranges.into_iter().reduce(hull).unwrap_or(nothing)
    }

    /// Applies all instances until there are no new values.
    fn close(&mut self, numeric: &Numeric<'_>, budget: &Budget) -> Result<(), Error> {
        let mut poll = BudgetPoll::every(256);
        let mut changed = true;
        while changed {
            changed = false;
            for at in 0..self.instances.len() {
                let instance = &self.instances[at];
                let counts: Vec<usize> =
                    instance.slots.iter().map(|&slot| self.fluents[slot].values.len()).collect();
                if instance.changes.is_empty() || counts == instance.seen {
                    continue;
                }
                let mut found: Vec<(usize, Maybe)> = Vec::new();
                self.steps(numeric, instance, true, &mut |_, after| {
                    poll.step(budget)?;
                    for &(_, slot, _) in &instance.changes {
                        let number = instance.slots[slot];
                        if !self.fluents[number].known.contains(&after[slot]) {
                            found.push((number, after[slot]));
                        }
                    }
                    Ok(())
                })?;
                self.instances[at].seen = counts;
                for (number, value) in found {
                    let values = &mut self.fluents[number];
                    if values.known.insert(value) {
                        values.values.push(value);
                        changed = true;
                    }
                    if values.values.len() > MOST_VALUES {
                        return Err(self.unbounded(numeric, number, at));
                    }
                }
            }
        }
        Ok(())
    }

    fn unbounded(&self, numeric: &Numeric<'_>, number: usize, instance: usize) -> Error {
        let fluent = &self.fluents[number].fluent;
        let id = self.instances[instance].action;
        let mut changes = numeric.actions[id.index()].changes.iter();
        let change = changes.find(|change| change.fluent.function == fluent.function);
        let action = &numeric.problem.actions[id];
        Error::Unbounded {
            fluent: fluent_text(numeric.problem, fluent.function, &fluent.arguments),
            action: action.name.clone(),
            most: MOST_VALUES,
            at: change.map_or(action.at, |change| change.at),
        }
    }

    /// Calls `see` with the values before and after for every combination of values that an instance can be applied
    /// to; with `fresh`, only for those that have a value the instance has not seen.
    pub(crate) fn steps(
        &self,
        numeric: &Numeric<'_>,
        instance: &Instance,
        fresh: bool,
        see: SeeStep<'_>,
    ) -> Result<(), Error> {
        let lists: Vec<&[Maybe]> =
            instance.slots.iter().map(|&slot| &self.fluents[slot].values[..]).collect();
        let refuse = || {
            let action = &numeric.problem.actions[instance.action];
            Error::TooManyCombinations { place: action.name.clone(), most: MOST_COMBINATIONS, at: action.at }
        };
        let mut step = |_: &[usize], before: &[Maybe]| {
            let holds = instance.tests.iter().all(|(comparison, left, right)| {
                let both = left.value(before).zip(right.value(before));
                both.is_some_and(|(left, right)| compare(*comparison, left, right))
            });
            if !holds {
                return Ok(());
            }
            match self.after(instance, before) {
                Some(after) => Ok(see(before, &after)?),
                None => Ok(()),
            }
        };
        if !fresh || lists.is_empty() {
            return each_combination(&lists, refuse, &mut step);
        }
        // The combinations with a new value, each once: by the first number whose value is new.
        refuse_many(&lists, refuse)?;
        for first in 0..lists.len() {
            let mut parts = lists.clone();
            for (at, part) in parts.iter_mut().enumerate().take(first + 1) {
                let (old, new) = part.split_at(instance.seen[at]);
                *part = if at < first { old } else { new };
            }
            if parts.iter().all(|part| !part.is_empty()) {
                each_combination(&parts, refuse, &mut step)?;
            }
        }
        Ok(())
    }

    /// The values after an instance; `None` if it cannot be applied.
    fn after(&self, instance: &Instance, before: &[Maybe]) -> Option<Vec<Maybe>> {
        let mut after = before.to_vec();
        for (change, slot, by) in &instance.changes {
            let by = by.value(before)?;
            after[*slot] = Some(match change {
                Change::Assign => by,
                Change::Increase => after[*slot]?.checked_add(&by)?,
                Change::Decrease => after[*slot]?.checked_sub(&by)?,
                Change::ScaleUp => after[*slot]?.checked_mul(&by)?,
                Change::ScaleDown if by.is_zero() => return None,
                Change::ScaleDown => after[*slot]?.checked_div(&by)?,
            });
        }
        for &(_, slot, _) in &instance.changes {
            let values = &self.fluents[instance.slots[slot]];
            if is_above(before[slot], values.enough) {
                after[slot] = before[slot];
            }
            let value = after[slot]?;
            // Bounds are proved: where a value would leave them, the action cannot be applied for other reasons.
            let below = values.range.least.is_some_and(|least| value < least);
            let above = values.range.greatest.is_some_and(|greatest| value > greatest);
            if below || above {
                return None;
            }
        }
        Some(after)
    }
}

fn is_above(value: Maybe, enough: Maybe) -> bool {
    value.zip(enough).is_some_and(|(value, enough)| value > enough)
}

/// Refuses more combinations than are ever looked at.
fn refuse_many(lists: &[&[Maybe]], refuse: impl Fn() -> Error) -> Result<(), Error> {
    let count = lists.iter().try_fold(1usize, |all, list| all.checked_mul(list.len()));
    if count.is_none_or(|count| count > MOST_COMBINATIONS) { Err(refuse()) } else { Ok(()) }
}

/// Calls `see` with the places and values of every combination of one value from each list; no list is empty.
pub(crate) fn each_combination(
    lists: &[&[Maybe]],
    refuse: impl Fn() -> Error,
    see: SeeCombination<'_>,
) -> Result<(), Error> {
    refuse_many(lists, refuse)?;
    let mut places = vec![0; lists.len()];
    let mut values: Vec<Maybe> = lists.iter().map(|list| list[0]).collect();
    loop {
        see(&places, &values)?;
        let Some(at) = (0..lists.len()).rev().find(|&at| places[at] + 1 < lists[at].len()) else {
            return Ok(());
        };
        places[at] += 1;
        places[at + 1..].fill(0);
        for later in at..lists.len() {
            values[later] = lists[later][places[later]];
        }
    }
}

/// A function applied to terms, with objects in the place of the variables.
pub(crate) fn grounded(fluent: &Fluent, variables: &[VariableId], objects: &[ObjectId]) -> GroundFluent {
    let object = |term: &Term| match term {
        Term::Object(object) => *object,
        Term::Variable(variable) => {
            let at = variables.iter().position(|known| known == variable);
            objects[at.expect("all variables of an expression are listed")]
        }
    };
    GroundFluent { function: fluent.function, arguments: fluent.arguments.iter().map(object).collect() }
}
