//! Plans, step by step.

use std::collections::BTreeMap;

use counterplay_base::Budget;
use counterplay_pddl::model::*;
use counterplay_pddl::print::Binding;
use num_traits::CheckedSub;

use crate::derive::Axioms;
use crate::effect::{Changes, collect};
use crate::evaluate::{CheckContext, Query, Trouble, View, exact, unbound};
use crate::flaw::{Flaw, Place};
use crate::plan_file::Step;
use crate::state::State;

/// Length, cost and metric of a valid plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    pub length: usize,
    /// Number of steps without a metric; with one, by how much the steps made it worse, preferences left
    /// aside: for `(:metric minimize (total-cost))` the costs they add up. `None` where the metric has no value.
    pub cost: Option<Number>,
    /// The value of the metric as the problem writes it; `None` without a metric or where it has no value.
    pub metric: Option<Number>,
    /// How often each preference was violated, by name. Those that were met every time are here with zero.
    pub violations: BTreeMap<String, u32>,
}

/// Whether a plan leads from the start to the goal, and its cost and metric; or the first thing that is wrong.
pub fn check_plan(problem: &Problem, steps: &[Step], budget: &Budget) -> Result<Checked, Flaw> {
    let world = CheckContext::new(problem, budget);
    let at_no_step = |trouble| flaw(trouble, None);
    let axioms = Axioms::new(&world).map_err(|limit| Flaw::Stopped { limit })?;
    let mut state = State::initial(problem);
    axioms.apply(&world, &mut state).map_err(at_no_step)?;
    let initial = state.clone();
    for (index, step) in steps.iter().enumerate() {
        let place = Place { index, step: step.text(problem), at: step.at };
        let mut binding = bind(problem, step, &place)?;
        take(&world, &axioms, &mut state, step, &mut binding, &place)?;
    }
    let goal = &problem.goal;
    let view = world.view(&state, &goal.schema);
    let mut violations = state.violations.clone();
    let mut binding = unbound(&goal.schema);
    if !view.holds(&goal.condition, true, &mut binding).map_err(at_no_step)? {
        let unmet = view.unmet(&goal.condition, true, &mut binding).map_err(at_no_step)?;
        return Err(Flaw::Goal { unmet });
    }
    count_violations(&view, &goal.condition, &mut binding, &mut violations).map_err(at_no_step)?;
    state.violations = violations;
    measure(&world, initial, state, steps.len()).map_err(at_no_step)
}

/// The variables of an action with the arguments of a step, if they fit.
pub(crate) fn bind(problem: &Problem, step: &Step, place: &Place) -> Result<Binding, Flaw> {
    let schema = &problem.actions[step.action].schema;
    let mut binding = unbound(schema);
    if step.arguments.len() != schema.parameters {
        return Err(Flaw::Arity { place: place.clone(), expected: schema.parameters });
    }
    for ((id, variable), &argument) in schema.variables.enumerate().zip(&step.arguments) {
        if !problem.belongs(argument, &variable.types) {
            return Err(Flaw::Argument {
                place: place.clone(),
                object: problem.objects[argument].name.clone(),
                parameter: variable.name.clone(),
                expected: problem.types_text(&variable.types),
            });
        }
        binding[id] = Some(argument);
    }
    Ok(binding)
}

pub(crate) fn take(
    world: &CheckContext<'_>,
    axioms: &Axioms<'_>,
    state: &mut State,
    step: &Step,
    binding: &mut Binding,
    place: &Place,
) -> Result<(), Flaw> {
    let here = |trouble| flaw(trouble, Some(place));
    let action = &world.problem.actions[step.action];
    let view = world.view(state, &action.schema);
    if !view.holds(&action.precondition, true, binding).map_err(here)? {
        let unmet = view.unmet(&action.precondition, true, binding).map_err(here)?;
        return Err(Flaw::Precondition { place: place.clone(), unmet });
    }
    let mut violations = state.violations.clone();
    count_violations(&view, &action.precondition, binding, &mut violations).map_err(here)?;
    let mut changes = Changes::default();
    collect(&view, &action.effect, binding, &mut changes).map_err(here)?;
    changes.apply(world.problem, state).map_err(here)?;
    state.violations = violations;
    state.steps += 1;
    axioms.apply(world, state).map_err(here)
}

/// Counts the violated instances of the preferences in a condition.
fn count_violations(
    view: &View<'_>,
    condition: &Condition,
    binding: &mut Binding,
    violations: &mut BTreeMap<String, u32>,
) -> Result<(), Trouble> {
    match condition {
        Condition::And(parts) => {
            for part in parts {
                count_violations(view, part, binding, violations)?;
            }
        }
        Condition::Forall(variables, part) => {
            let everything = Query { condition: &Condition::And(Vec::new()), wanted: true, found: true };
            view.instances(variables, everything, binding, &mut |binding| {
                count_violations(view, part, binding, violations)?;
                Ok(false)
            })?;
        }
        Condition::Preference(name, part, _) => {
            let violated = !view.holds(part, true, binding)?;
            *violations.entry(name.clone()).or_default() += u32::from(violated);
        }
        // Preferences stand only under `and` and `forall`.
        _ => {}
    }
    Ok(())
}

/// Length, cost and metric of the plan that led to `last`.
fn measure(world: &CheckContext<'_>, initial: State, last: State, length: usize) -> Result<Checked, Trouble> {
    let violations = last.violations.clone();
    let Some(Metric { maximize, value, .. }) = &world.problem.metric else {
        let cost = Some(Number::from(length as i128));
        return Ok(Checked { length, cost, metric: None, violations });
    };
    let no_variables = Schema::default();
    let evaluate = |state: &State| world.view(state, &no_variables).number(value, &unbound(&no_variables));
    let metric = evaluate(&last)?;
    let (before, after) = (evaluate(&initial)?, evaluate(&State { violations: BTreeMap::new(), ..last })?);
    let (better, worse) = if *maximize { (after, before) } else { (before, after) };
    let cost = better.zip(worse).map(|(better, worse)| exact(worse.checked_sub(&better))).transpose()?;
    Ok(Checked { length, cost, metric, violations })
}

/// Trouble at a step, or before or after the plan.
pub(crate) fn flaw(trouble: Trouble, place: Option<&Place>) -> Flaw {
    match (trouble, place.cloned()) {
        (Trouble::Stopped(limit), _) => Flaw::Stopped { limit },
        (Trouble::Overflow, place) => Flaw::Overflow { place },
        (Trouble::Undefined(expression), Some(place)) => Flaw::Undefined { place, expression },
        (Trouble::Clash(fluent), Some(place)) => Flaw::Clash { place, fluent },
        (Trouble::Choice, Some(place)) => Flaw::Choice { place },
        (Trouble::Undefined(_) | Trouble::Clash(_) | Trouble::Choice, None) => {
            unreachable!("only the effects of a step can have this trouble")
        }
    }
}
