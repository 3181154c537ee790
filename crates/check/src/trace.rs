//! The states that a plan passes through.

use std::collections::BTreeSet;

use counterplay_base::Budget;
use counterplay_pddl::model::{GroundAtom, Problem};

use crate::derive::Axioms;
use crate::evaluate::CheckContext;
use crate::flaw::{Flaw, Place};
use crate::plan::{bind, flaw, take};
use crate::plan_file::Step;
use crate::state::State;

/// The basic atoms that are true at the start and after each step: one set more than there are steps. Whether the goal holds at
/// the end is not looked at.
///
/// # Errors
/// The first step that cannot be taken, or the limit that was reached.
pub fn trace_plan(
    problem: &Problem,
    steps: &[Step],
    budget: &Budget,
) -> Result<Vec<BTreeSet<GroundAtom>>, Flaw> {
    let world = CheckContext::new(problem, budget);
    let axioms = Axioms::new(&world).map_err(|limit| Flaw::Stopped { limit })?;
    let mut state = State::initial(problem);
    axioms.apply(&world, &mut state).map_err(|trouble| flaw(trouble, None))?;
    let mut states = vec![state.facts.iter().cloned().collect()];
    for (index, step) in steps.iter().enumerate() {
        let place = Place { index, step: step.text(problem), at: step.at };
        let mut binding = bind(problem, step, &place)?;
        take(&world, &axioms, &mut state, step, &mut binding, &place)?;
        states.push(state.facts.iter().cloned().collect());
    }
    Ok(states)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read_plan;
    use counterplay_syntax::Sources;

    #[test]
    fn the_states_of_a_plan_follow_its_effects() {
        let mut sources = Sources::default();
        let domain = sources.add(
            "domain.pddl",
            "(define (domain lamps) (:predicates (lit ?l) (wire ?a ?b))
             (:action pass :parameters (?a ?b) :precondition (and (lit ?a) (wire ?a ?b))
              :effect (and (lit ?b) (not (lit ?a)))))",
        );
        let problem = sources.add(
            "problem.pddl",
            "(define (problem two) (:domain lamps) (:objects a b) (:init (lit a) (wire a b)) (:goal (lit b)))",
        );
        let problem = counterplay_pddl::read(&sources, domain, problem).unwrap();
        let mut trace = |text: &str| {
            let file = sources.add("plan", text);
            trace_plan(&problem, &read_plan(&sources, file, &problem).unwrap(), &Budget::unlimited())
        };
        let states = trace("(pass a b)").unwrap();
        let texts: Vec<Vec<String>> =
            states.iter().map(|state| state.iter().map(|atom| problem.atom_text(atom)).collect()).collect();
        assert_eq!(texts, [["(lit a)", "(wire a b)"], ["(lit b)", "(wire a b)"]]);
        assert!(matches!(trace("(pass b a)"), Err(Flaw::Precondition { .. })));
    }
}
