//! The order of a join.
//!
//! Greedy: among the atoms that are left, the one with the fewest tuples expected for what is bound comes
//! next; checks are made as soon as their variables are bound. Expected numbers come from the present
//! contents of the relations, so a plan is only as good as its moment: the engine plans again when
//! relations have grown.

use counterplay_base::{Budget, IdVec, Limit};

use super::join::{Check, Level, Plan};
use super::relation::Relation;
use super::{Atom, RelationId, Term, Test};

/// Plans a join of atoms and tests for the values of the variables in `wanted`; `bound` tells which variables
/// have a value already and how many there are. Makes the indexes that the plan uses.
pub(super) fn plan(
    body: &[&Atom],
    tests: &[Test],
    wanted: &[u32],
    bound: &mut [bool],
    relations: &mut IdVec<RelationId, Relation>,
    budget: &Budget,
) -> Result<Plan, Limit> {
    let mut atoms: Vec<&Atom> = body.to_vec();
    let mut tests: Vec<&Test> = tests.iter().collect();
    let entry = take_checks(&mut atoms, &mut tests, bound);
    let mut plan = Plan { entry, levels: Vec::new(), wanted: 0 };
    while let Some(position) = cheapest(&atoms, bound, relations) {
        budget.check()?;
        let atom = atoms.remove(position);
        let mut level = look_up(atom, bound, relations);
        level.checks = take_checks(&mut atoms, &mut tests, bound);
        let asked = level.bind.iter().any(|(_, variable)| wanted.contains(variable));
        plan.levels.push(level);
        if asked {
            plan.wanted = plan.levels.len();
        }
    }
    debug_assert!(tests.is_empty(), "each variable of a test occurs in the body");
    Ok(plan)
}

/// The atom with the fewest tuples to be expected; the first of equals.
fn cheapest(atoms: &[&Atom], bound: &[bool], relations: &IdVec<RelationId, Relation>) -> Option<usize> {
    let mut best: Option<(f64, usize)> = None;
    let mut columns = Vec::new();
    for (position, atom) in atoms.iter().enumerate() {
        columns.clear();
        columns.extend((0..atom.terms.len()).filter(|&column| is_bound(atom.terms[column], bound)));
        let expected = relations[atom.relation].estimate(&columns);
        if best.is_none_or(|(least, _)| expected < least) {
            best = Some((expected, position));
        }
    }
    best.map(|(_, position)| position)
}

/// How to find the tuples of an atom; binds its variables.
fn look_up(atom: &Atom, bound: &mut [bool], relations: &mut IdVec<RelationId, Relation>) -> Level {
    let columns: Vec<usize> =
        (0..atom.terms.len()).filter(|&column| is_bound(atom.terms[column], bound)).collect();
    let key = columns.iter().map(|&column| atom.terms[column]).collect();
    let mut level = Level {
        relation: atom.relation,
        index: (!columns.is_empty()).then(|| relations[atom.relation].index_on(&columns)),
        key,
        bind: Vec::new(),
        equal: Vec::new(),
        checks: Vec::new(),
    };
    for (column, term) in atom.terms.iter().enumerate() {
        if let Term::Variable(variable) = *term
            && !bound[variable as usize]
        {
            match level.bind.iter().find(|&&(_, other)| other == variable) {
                Some(&(first, _)) => level.equal.push((first, column)),
                None => level.bind.push((column, variable)),
            }
        }
    }
    for &(_, variable) in &level.bind {
        bound[variable as usize] = true;
    }
    level
}

/// Removes the tests, and the atoms without free variables, that can be checked now.
fn take_checks(atoms: &mut Vec<&Atom>, tests: &mut Vec<&Test>, bound: &[bool]) -> Vec<Check> {
    let mut checks = Vec::new();
    tests.retain(|test| {
        if test.variables().iter().any(|&variable| !bound[variable as usize]) {
            return true;
        }
        checks.push(match test {
            Test::Different(left, right) => Check::Different(*left, *right),
            Test::Absent(atom) => Check::Absent(atom.relation, atom.terms.clone()),
        });
        false
    });
    atoms.retain(|atom| {
        if atom.variables().any(|variable| !bound[variable as usize]) {
            return true;
        }
        checks.push(Check::Holds(atom.relation, atom.terms.clone()));
        false
    });
    // Cheap checks first: comparing two numbers, then small relations with one column.
    checks.sort_by_key(|check| match check {
        Check::Different(..) => 0,
        Check::Holds(_, terms) | Check::Absent(_, terms) => terms.len(),
    });
    checks
}

fn is_bound(term: Term, bound: &[bool]) -> bool {
    match term {
        Term::Symbol(_) => true,
        Term::Variable(variable) => bound[variable as usize],
    }
}
