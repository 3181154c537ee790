//! What an action does to a state.
//!
//! All effects are read off the state before the action; then atoms are deleted, then added, so that adding
//! wins. A number may be increased and decreased by several effects, or scaled by several, or assigned one
//! value, but not a mixture of these.

use std::collections::BTreeMap;

use counterplay_pddl::model::*;
use counterplay_pddl::print::{Binding, Printer};
use num_traits::{CheckedAdd, CheckedDiv, CheckedMul, CheckedSub, Zero};

use crate::evaluate::{Query, Trouble, View, exact, ground_atom, ground_fluent};
use crate::state::State;

/// What an action is about to do.
#[derive(Clone, Default)]
pub(crate) struct Changes {
    pub(crate) adds: Vec<GroundAtom>,
    pub(crate) deletes: Vec<GroundAtom>,
    numbers: BTreeMap<GroundFluent, Vec<(Change, Number)>>,
}

/// Notes what an effect does in a state.
pub(crate) fn collect(
    view: &View<'_>,
    effect: &Effect,
    binding: &mut Binding,
    changes: &mut Changes,
) -> Result<(), Trouble> {
    match effect {
        Effect::And(parts) => {
            for part in parts {
                collect(view, part, binding, changes)?;
            }
        }
        Effect::Forall(variables, part) => {
            let everything = Query { condition: &Condition::And(Vec::new()), wanted: true, found: true };
            view.instances(variables, everything, binding, &mut |binding| {
                collect(view, part, binding, changes)?;
                Ok(false)
            })?;
        }
        Effect::When(condition, part) => {
            if view.holds(condition, true, binding)? {
                collect(view, part, binding, changes)?;
            }
        }
        Effect::Add(atom, _) => changes.adds.push(ground_atom(atom, binding)),
        Effect::Delete(atom, _) => changes.deletes.push(ground_atom(atom, binding)),
        Effect::Change(change, fluent, value, _) => {
            let Some(value) = view.number(value, binding)? else {
                let printer = Printer::new(view.world.problem, view.schema).bound(binding);
                return Err(Trouble::Undefined(printer.expression(value)));
            };
            let fluent = ground_fluent(fluent, binding);
            changes.numbers.entry(fluent).or_default().push((*change, value));
        }
        Effect::OneOf(parts, _) => match &parts[..] {
            [only] => collect(view, only, binding, changes)?,
            _ => return Err(Trouble::Choice),
        },
    }
    Ok(())
}

/// What an effect may do in a state, one entry for each way in which nature can choose. Numbers are not changed; that a
/// number is to change by something without a value is trouble as it is in a plan.
pub(crate) fn outcomes(
    view: &View<'_>,
    effect: &Effect,
    binding: &mut Binding,
) -> Result<Vec<Changes>, Trouble> {
    match effect {
        Effect::And(parts) => {
            let mut all = vec![Changes::default()];
            for part in parts {
                all = both(&all, &outcomes(view, part, binding)?);
            }
            Ok(all)
        }
        Effect::Forall(variables, part) => {
            let everything = Query { condition: &Condition::And(Vec::new()), wanted: true, found: true };
            let mut all = vec![Changes::default()];
            view.instances(variables, everything, binding, &mut |binding| {
                all = both(&all, &outcomes(view, part, binding)?);
                Ok(false)
            })?;
            Ok(all)
        }
        Effect::When(condition, part) => {
            if view.holds(condition, true, binding)? {
                outcomes(view, part, binding)
            } else {
                Ok(vec![Changes::default()])
            }
        }
        Effect::OneOf(parts, _) => {
            let mut all = Vec::new();
            for part in parts {
                all.extend(outcomes(view, part, binding)?);
            }
            Ok(all)
        }
        Effect::Add(atom, _) => {
            Ok(vec![Changes { adds: vec![ground_atom(atom, binding)], ..Changes::default() }])
        }
        Effect::Delete(atom, _) => {
            Ok(vec![Changes { deletes: vec![ground_atom(atom, binding)], ..Changes::default() }])
        }
        Effect::Change(_, _, value, _) => match view.number(value, binding)? {
            Some(_) => Ok(vec![Changes::default()]),
            None => {
                let printer = Printer::new(view.world.problem, view.schema).bound(binding);
                Err(Trouble::Undefined(printer.expression(value)))
            }
        },
    }
}

/// Every way of the first with every way of the second.
fn both(first: &[Changes], second: &[Changes]) -> Vec<Changes> {
    let pairs = first.iter().flat_map(|one| second.iter().map(move |other| (one, other)));
    pairs
        .map(|(one, other)| Changes {
            adds: [&one.adds[..], &other.adds].concat(),
            deletes: [&one.deletes[..], &other.deletes].concat(),
            numbers: BTreeMap::new(),
        })
        .collect()
}

impl Changes {
    /// Whether a number changes other than by an increase of this one.
    pub(crate) fn changes_beside(&self, total: &GroundFluent) -> bool {
        let mut numbers = self.numbers.iter();
        numbers
            .any(|(fluent, by)| fluent != total || by.iter().any(|&(change, _)| change != Change::Increase))
    }

    pub(crate) fn apply(self, problem: &Problem, state: &mut State) -> Result<(), Trouble> {
        for atom in &self.deletes {
            state.facts.remove(atom);
        }
        state.facts.extend(self.adds);
        for (fluent, changes) in self.numbers {
            let text = || problem.application(&problem.functions[fluent.function].name, &fluent.arguments);
            let value = changed(state.values.get(&fluent).copied(), &changes, text)?;
            state.values.insert(fluent, value);
        }
        Ok(())
    }
}

/// The value of a fluent after all that one action does to it.
fn changed(
    before: Option<Number>,
    changes: &[(Change, Number)],
    text: impl Fn() -> String,
) -> Result<Number, Trouble> {
    let kind = |change: Change| match change {
        Change::Assign => 0,
        Change::Increase | Change::Decrease => 1,
        Change::ScaleUp | Change::ScaleDown => 2,
    };
    let (first, _) = changes[0];
    if changes.iter().any(|&(change, _)| kind(change) != kind(first)) {
        return Err(Trouble::Clash(text()));
    }
    if first == Change::Assign {
        let (_, value) = changes[0];
        let agreed = changes.iter().all(|&(_, other)| other == value);
        return if agreed { Ok(value) } else { Err(Trouble::Clash(text())) };
    }
    let mut value = before.ok_or_else(|| Trouble::Undefined(text()))?;
    for (change, by) in changes {
        let result = match change {
            Change::Increase => value.checked_add(by),
            Change::Decrease => value.checked_sub(by),
            Change::ScaleUp => value.checked_mul(by),
            Change::ScaleDown if by.is_zero() => return Err(Trouble::Undefined(format!("(/ {} 0)", text()))),
            Change::ScaleDown => value.checked_div(by),
            Change::Assign => unreachable!("assignments have been handled"),
        };
        value = exact(result)?;
    }
    Ok(value)
}
