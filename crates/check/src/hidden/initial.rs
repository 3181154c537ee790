//! The initial states of a problem whose `:init` leaves things open.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use counterplay_base::{Budget, Limit};
use counterplay_pddl::model::{GroundAtom, InitChoice, Problem};

type Truths = BTreeMap<GroundAtom, bool>;

/// The atoms that are true beside the certain ones, for each initial state; `None` if these are more than `most`.
pub(crate) fn initial_states(
    problem: &Problem,
    most: usize,
    budget: &Budget,
) -> Result<Option<Vec<Vec<GroundAtom>>>, Limit> {
    let certain: HashSet<&GroundAtom> = problem.init.iter().collect();
    let mut begun: Vec<Truths> = vec![Truths::new()];
    for choice in &problem.init_choices {
        let mut longer = Vec::new();
        for truths in &begun {
            for chosen in 0..choice.literals.len() {
                budget.check()?;
                longer.extend(with_alternative(truths, choice, chosen, &certain));
            }
        }
        longer.sort();
        longer.dedup();
        if longer.len() > most {
            return Ok(None);
        }
        begun = longer;
    }
    for (at, atom) in open_atoms(problem).iter().enumerate() {
        budget.check()?;
        let mut longer = Vec::new();
        for truths in begun {
            if truths.contains_key(atom) || certain.contains(atom) {
                longer.push(truths);
                continue;
            }
            for truth in [false, true] {
                let mut with = truths.clone();
                with.insert(atom.clone(), truth);
                longer.push(with);
            }
        }
        // Clauses are looked at again and again, so that what breaks one does not multiply.
        if at % 4 == 3 {
            longer.retain(|truths| !breaks_a_clause(problem, truths, &certain, false));
        }
        if longer.len() > most {
            return Ok(None);
        }
        begun = longer;
    }
    begun.retain(|truths| !breaks_a_clause(problem, truths, &certain, true));
    let true_ones =
        |truths: Truths| truths.into_iter().filter(|(_, truth)| *truth).map(|(atom, _)| atom).collect();
    let states: BTreeSet<Vec<GroundAtom>> = begun.into_iter().map(true_ones).collect();
    Ok(Some(states.into_iter().collect()))
}

/// What is known if one alternative of a choice describes the state; `None` if it cannot.
fn with_alternative(
    truths: &Truths,
    choice: &InitChoice,
    chosen: usize,
    certain: &HashSet<&GroundAtom>,
) -> Option<Truths> {
    let own = &choice.literals[chosen];
    let mut wanted = own.clone();
    for other in choice.literals.iter().filter(|other| *other != own && other.len() == 1) {
        wanted.push((other[0].0.clone(), !other[0].1));
    }
    let mut truths = truths.clone();
    for (atom, truth) in wanted {
        let known = if certain.contains(&atom) { Some(true) } else { truths.get(&atom).copied() };
        match known {
            Some(known) if known != truth => return None,
            Some(_) => {}
            None => {
                truths.insert(atom, truth);
            }
        }
    }
    Some(truths)
}

/// The atoms that are open without a chosen alternative: those of `unknown` and `or`, and those that alternatives deny.
fn open_atoms(problem: &Problem) -> BTreeSet<GroundAtom> {
    let unknown = problem.init_unknown.iter().map(|(atom, _)| atom);
    let clauses = problem.init_clauses.iter().flat_map(|clause| &clause.literals).map(|(atom, _)| atom);
    let literals = problem.init_choices.iter().flat_map(|choice| &choice.literals).flatten();
    let denied = literals.filter(|(_, truth)| !truth).map(|(atom, _)| atom);
    unknown.chain(clauses).chain(denied).cloned().collect()
}

/// Whether a clause has no literal that holds; one that is not decided yet counts as holding unless everything is decided.
fn breaks_a_clause(
    problem: &Problem,
    truths: &Truths,
    certain: &HashSet<&GroundAtom>,
    is_decided: bool,
) -> bool {
    problem.init_clauses.iter().any(|clause| {
        !clause.literals.iter().any(|(atom, truth)| match truths.get(atom) {
            _ if certain.contains(atom) => *truth,
            Some(known) => known == truth,
            None => !is_decided || !truth,
        })
    })
}
