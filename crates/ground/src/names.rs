//! Names of ground things, for people.
//!
//! Objects whose names begin with a semicolon, which no PDDL text can contain, are ours: values of numbers that have
//! become parameters. Actions are named without them.

use counterplay_base::Id;
use counterplay_pddl::model::{ActionId, ObjectId, PredicateId, Problem};

use crate::datalog::Symbol;

/// An action with its parameters: `pick-up a`.
pub(crate) fn application(problem: &Problem, action: ActionId, tuple: &[Symbol]) -> String {
    let mut text = problem.actions[action].name.clone();
    for &symbol in tuple {
        let name = &problem.objects[ObjectId::new(symbol as usize)].name;
        if !name.starts_with(';') {
            text.push(' ');
            text.push_str(name);
        }
    }
    text
}

/// An atom in the manner of Fast Downward: `Atom on(a, b)`.
pub(crate) fn atom(problem: &Problem, predicate: PredicateId, tuple: &[Symbol]) -> String {
    let mut text = format!("Atom {}(", problem.predicates[predicate].name);
    for (at, &symbol) in tuple.iter().enumerate() {
        if at > 0 {
            text.push_str(", ");
        }
        text.push_str(problem.objects[ObjectId::new(symbol as usize)].name.trim_start_matches(';'));
    }
    text.push(')');
    text
}

/// The contrary of an atom: `NegatedAtom on(a, b)`.
pub(crate) fn negated(atom: &str) -> String {
    format!("Negated{atom}")
}
