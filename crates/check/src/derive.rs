//! Derived predicates: the axioms applied until nothing new follows.
//!
//! Predicates are taken in strata, so that a negated one is finished before it is read (the reader has made
//! sure that this is possible).

use std::collections::HashSet;

use counterplay_base::{IdVec, Limit};
use counterplay_pddl::model::*;

use crate::evaluate::{CheckContext, Query, Trouble, unbound};
use crate::state::State;

/// The axioms, sorted into strata.
pub(crate) struct Axioms<'p> {
    strata: Vec<Vec<&'p Axiom>>,
}

impl<'p> Axioms<'p> {
    pub(crate) fn new(world: &CheckContext<'p>) -> Result<Axioms<'p>, Limit> {
        let problem = world.problem;
        let mut stratum: IdVec<PredicateId, usize> = IdVec::filled(0, problem.predicates.len());
        let mut changed = true;
        while changed {
            world.budget.check()?;
            changed = false;
            for axiom in &problem.axioms {
                let least = least_stratum(&axiom.body, true, &stratum);
                if stratum[axiom.head] < least {
                    stratum[axiom.head] = least;
                    changed = true;
                }
            }
        }
        let count = problem.axioms.iter().map(|axiom| stratum[axiom.head] + 1).max().unwrap_or(0);
        let mut strata = vec![Vec::new(); count];
        problem.axioms.iter().for_each(|axiom| strata[stratum[axiom.head]].push(axiom));
        Ok(Axioms { strata })
    }

    /// Makes the derived atoms of a state those that follow from its facts.
    pub(crate) fn apply(&self, world: &CheckContext<'_>, state: &mut State) -> Result<(), Trouble> {
        state.derived.clear();
        for axioms in &self.strata {
            loop {
                let mut new = HashSet::new();
                for axiom in axioms {
                    consequences(world, state, axiom, &mut new)?;
                }
                if new.is_empty() {
                    break;
                }
                state.derived.extend(new);
            }
        }
        Ok(())
    }
}

/// The stratum below which a head with this body cannot be.
fn least_stratum(body: &Condition, positive: bool, stratum: &IdVec<PredicateId, usize>) -> usize {
    match body {
        Condition::And(parts) | Condition::Or(parts) => {
            parts.iter().map(|part| least_stratum(part, positive, stratum)).max().unwrap_or(0)
        }
        Condition::Not(part) => least_stratum(part, !positive, stratum),
        Condition::Exists(_, part) | Condition::Forall(_, part) | Condition::Preference(_, part, _) => {
            least_stratum(part, positive, stratum)
        }
        Condition::Atom(atom, _) => stratum[atom.predicate] + usize::from(!positive),
        Condition::Equal(..) | Condition::Compare(..) => 0,
    }
}

/// The atoms that an axiom adds to those already derived.
fn consequences(
    world: &CheckContext<'_>,
    state: &State,
    axiom: &Axiom,
    new: &mut HashSet<GroundAtom>,
) -> Result<(), Trouble> {
    let parameters: Vec<VariableId> = axiom.schema.variables.ids().take(axiom.schema.parameters).collect();
    let query = Query { condition: &axiom.body, wanted: true, found: true };
    let view = world.view(state, &axiom.schema);
    view.instances(&parameters, query, &mut unbound(&axiom.schema), &mut |binding| {
        let arguments = parameters.iter().map(|&parameter| binding[parameter].expect("parameters are bound"));
        let atom = GroundAtom { predicate: axiom.head, arguments: arguments.collect() };
        if !state.derived.contains(&atom) {
            new.insert(atom);
        }
        Ok(false)
    })?;
    Ok(())
}
