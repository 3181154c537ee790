//! Numbers with finitely many values, as tables.
//!
//! A number that conditions read becomes a predicate with one more argument, its value, and every value that can be
//! reached becomes an object. What an action asks of numbers and does to them becomes a table of the values before and
//! after, and a comparison elsewhere a table of the values that fulfil it: afterwards there are only atoms, and the
//! grounder finds by itself that a number has one value at a time.
//!
//! The values are found by a fixpoint over all ground actions: exact about what actions ask of numbers, relaxed
//! about everything else. Where that has no end, [`bounds`] proves what it can; what is still without end is refused.
//! A number without a value at the start has the value *undefined*; who reads it cannot act.

mod bounds;
mod code;
mod rewrite;
mod values;

use std::borrow::Cow;

use counterplay_base::Budget;
use counterplay_pddl::model::*;
use counterplay_syntax::Span;
use num_traits::Zero;
use rustc_hash::FxHashSet;

use crate::Error;
use crate::metric::{COST, MetricFreeProblem, Preference, visit_changes};
pub(crate) use code::visit_fluents;

/// A problem without numbers, up to the costs of actions.
pub(crate) struct Counted<'p> {
    pub(crate) problem: Cow<'p, Problem>,
    pub(crate) preferences: Vec<Preference>,
}

/// Puts tables in the place of numbers.
pub(crate) fn tabulate<'p>(compiled: MetricFreeProblem<'p>, budget: &Budget) -> Result<Counted<'p>, Error> {
    let MetricFreeProblem { mut problem, preferences } = compiled;
    if !rewrite::has_numbers(&problem, &preferences) {
        return Ok(Counted { problem, preferences });
    }
    for action in problem.to_mut().actions.iter_mut() {
        action.precondition = rewrite::demanding(&action.precondition, true);
    }
    let numeric = Numeric::new(&problem, &preferences)?;
    let bounds = bounds::Bounds::new(&numeric);
    let table = values::Table::reach(&numeric, &bounds, budget)?;
    let (problem, preferences) = rewrite::rewrite(&numeric, &table, budget)?;
    Ok(Counted { problem: Cow::Owned(problem), preferences })
}

/// What the actions of a problem have to do with numbers.
pub(crate) struct Numeric<'p> {
    pub(crate) problem: &'p Problem,
    pub(crate) preferences: &'p [Preference],
    /// Functions that actions change, costs aside.
    pub(crate) changing: FxHashSet<FunctionId>,
    /// One for each action of the problem.
    pub(crate) actions: Vec<NumericAction>,
}

/// What an action asks of numbers and does to them.
pub(crate) struct NumericAction {
    /// Comparisons that its precondition demands as they are.
    pub(crate) tests: Vec<(Comparison, Expression, Expression)>,
    pub(crate) changes: Vec<NumericChange>,
    /// The changing numbers in all of these, each once.
    pub(crate) reads: Vec<Fluent>,
    /// The parameters in all of these.
    pub(crate) variables: Vec<VariableId>,
}

/// What an action does to a number.
pub(crate) struct NumericChange {
    pub(crate) change: Change,
    pub(crate) fluent: Fluent,
    pub(crate) value: Expression,
    pub(crate) at: Span,
}

impl NumericChange {
    /// By how much the number grows, if that is always the same.
    fn growth(&self) -> Option<Number> {
        match (&self.change, &self.value) {
            (Change::Increase, Expression::Number(number)) => Some(*number),
            (Change::Decrease, Expression::Number(number)) => Some(Number::zero() - number),
            _ => None,
        }
    }
}

impl<'p> Numeric<'p> {
    fn new(problem: &'p Problem, preferences: &'p [Preference]) -> Result<Numeric<'p>, Error> {
        let is_cost = |function: FunctionId| problem.functions[function].name == COST;
        let mut changing = FxHashSet::default();
        for action in &problem.actions {
            visit_changes(&action.effect, false, &mut |_, fluent, _, _, _| {
                if !is_cost(fluent.function) {
                    changing.insert(fluent.function);
                }
            });
        }
        let mut actions = Vec::new();
        for action in &problem.actions {
            actions.push(NumericAction::new(problem, action, &changing)?);
        }
        Ok(Numeric { problem, preferences, changing, actions })
    }
}

impl NumericAction {
    fn new(
        problem: &Problem,
        action: &Action,
        changing: &FxHashSet<FunctionId>,
    ) -> Result<NumericAction, Error> {
        let mut tests = Vec::new();
        demanded(&action.precondition, &mut |part| {
            if let Condition::Compare(comparison, left, right, _) = part {
                tests.push((*comparison, left.clone(), right.clone()));
            }
        });
        let mut changes = Vec::new();
        let mut refused = None;
        visit_changes(&action.effect, false, &mut |change, fluent, value, at, inside| {
            if changing.contains(&fluent.function) {
                if inside {
                    refused = Some((fluent.function, at));
                }
                changes.push(NumericChange { change, fluent: fluent.clone(), value: value.clone(), at });
            }
        });
        if let Some((function, at)) = refused {
            return Err(several_changes(problem, action, function, at));
        }
        let (mut reads, mut variables) = (Vec::new(), Vec::new());
        let mut see = |fluent: &Fluent| {
            for argument in &fluent.arguments {
                if let Term::Variable(variable) = argument {
                    variables.push(*variable);
                }
            }
            if changing.contains(&fluent.function) && !reads.contains(fluent) {
                reads.push(fluent.clone());
            }
        };
        for (_, left, right) in &tests {
            visit_fluents(left, &mut |fluent, _| see(fluent));
            visit_fluents(right, &mut |fluent, _| see(fluent));
        }
        for change in &changes {
            visit_fluents(&change.value, &mut |fluent, _| see(fluent));
            see(&change.fluent);
        }
        variables.sort_unstable();
        variables.dedup();
        Ok(NumericAction { tests, changes, reads, variables })
    }

    /// Whether the action has anything to do with numbers.
    pub(crate) fn is_idle(&self) -> bool {
        self.tests.is_empty() && self.changes.is_empty()
    }
}

pub(crate) fn several_changes(problem: &Problem, action: &Action, function: FunctionId, at: Span) -> Error {
    let function = problem.functions[function].name.clone();
    Error::SeveralChanges { action: action.name.clone(), function, at }
}

/// Calls `see` for the members of a conjunction, however nested, that are none themselves.
pub(crate) fn demanded<'c>(condition: &'c Condition, see: &mut dyn FnMut(&'c Condition)) {
    match condition {
        Condition::And(parts) => parts.iter().for_each(|part| demanded(part, see)),
        other => see(other),
    }
}
