//! Preferences, taken out of the condition they stand in.

use counterplay_base::{Budget, BudgetPoll, Limit};
use counterplay_pddl::model::*;
use counterplay_syntax::Span;

use crate::substitute::{Substitution, object_for};

/// One instance of a preference.
#[derive(Clone, Debug)]
pub(super) struct Found {
    /// Its name; empty if it has none.
    pub(super) name: String,
    pub(super) condition: Condition,
    pub(super) at: Span,
}

/// Whether a preference stands in a condition.
pub(super) fn has_preference(condition: &Condition) -> bool {
    match condition {
        Condition::And(parts) => parts.iter().any(has_preference),
        Condition::Forall(_, part) => has_preference(part),
        Condition::Preference(..) => true,
        // Preferences stand only under `and` and `forall`.
        _ => false,
    }
}

/// Calls `see` with the name and place of each preference in a condition.
pub(super) fn visit_names(condition: &Condition, see: &mut dyn FnMut(&str, Span)) {
    match condition {
        Condition::And(parts) => parts.iter().for_each(|part| visit_names(part, see)),
        Condition::Forall(_, part) => visit_names(part, see),
        Condition::Preference(name, _, at) => see(name, *at),
        _ => {}
    }
}

/// The condition without its preferences, and these, one for each instance.
pub(super) fn gather(
    problem: &Problem,
    schema: &Schema,
    condition: &Condition,
    budget: &Budget,
) -> Result<(Condition, Vec<Found>), Limit> {
    let mut gathering = Gathering { problem, schema, budget, poll: BudgetPoll::every(64), found: Vec::new() };
    gathering.walk(condition)?;
    Ok((without(condition), gathering.found))
}

/// The condition with nothing in the place of preferences.
fn without(condition: &Condition) -> Condition {
    match condition {
        Condition::And(parts) => Condition::And(parts.iter().map(without).collect()),
        Condition::Forall(variables, part) if has_preference(part) => {
            Condition::Forall(variables.clone(), Box::new(without(part)))
        }
        Condition::Preference(..) => Condition::And(Vec::new()),
        other => other.clone(),
    }
}

struct Gathering<'a> {
    problem: &'a Problem,
    schema: &'a Schema,
    budget: &'a Budget,
    poll: BudgetPoll,
    found: Vec<Found>,
}

impl Gathering<'_> {
    fn walk(&mut self, condition: &Condition) -> Result<(), Limit> {
        match condition {
            Condition::And(parts) => parts.iter().try_for_each(|part| self.walk(part)),
            Condition::Forall(variables, part) if has_preference(part) => self.for_all(variables, part),
            Condition::Preference(name, part, at) => {
                self.poll.step(self.budget)?;
                self.found.push(Found { name: name.clone(), condition: (**part).clone(), at: *at });
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn for_all(&mut self, variables: &[VariableId], part: &Condition) -> Result<(), Limit> {
        let Some((&variable, rest)) = variables.split_first() else { return self.walk(part) };
        for object in self.problem.extent(&self.schema.variables[variable].types) {
            self.for_all(rest, &Substitution(&object_for(variable, object)).condition(part))?;
        }
        Ok(())
    }
}
