//! Projecting variables away before they multiply.
//!
//! A variable that the head does not need only asks "is there one?". Where it occurs in some atoms of the
//! body, these become a rule of their own whose head leaves it out, and the original rule is joined with
//! the (smaller) result: bucket elimination (Dechter 1999) on the variables outside the head. It is done
//! only where the new relation is no wider than the widest of the atoms it replaces, so nothing is stored
//! that a join would not have had to look at.

use counterplay_base::{Budget, Limit};
use rustc_hash::FxHashMap;

use super::{Atom, Program, RelationId, Rule, Term, Test, variables};

/// Rewrites all rules of a program; the relations it had keep their contents.
pub(super) fn decompose(program: &mut Program, budget: &Budget) -> Result<(), Limit> {
    let mut known = FxHashMap::default();
    for at in 0..program.rules.len() {
        while let Some(bucket) = next_bucket(&program.rules[at], program, budget)? {
            split(program, at, &bucket, &mut known);
        }
    }
    Ok(())
}

/// The atoms to be replaced, the tests that go with them, and the variables that remain.
struct Bucket {
    atoms: Vec<usize>,
    tests: Vec<usize>,
    scope: Vec<u32>,
}

/// The bucket with the narrowest result, if one is worth it.
fn next_bucket(rule: &Rule, program: &Program, budget: &Budget) -> Result<Option<Bucket>, Limit> {
    if rule.body.len() < 2 {
        return Ok(None);
    }
    let mut best: Option<Bucket> = None;
    for variable in rule.variables_of_body() {
        if variables(&rule.head.terms).any(|other| other == variable) {
            continue;
        }
        budget.check()?;
        let Some(bucket) = bucket_of(variable, rule) else { continue };
        let widest = bucket.atoms.iter().map(|&at| program.arities[rule.body[at].relation]).max();
        let fits =
            bucket.atoms.len() < rule.body.len() && widest.is_some_and(|w| bucket.scope.len() <= w.max(2));
        if fits && best.as_ref().is_none_or(|other| bucket.scope.len() < other.scope.len()) {
            best = Some(bucket);
        }
    }
    Ok(best)
}

/// What has to move together to eliminate a variable; `None` if a test ties it to atoms elsewhere.
fn bucket_of(variable: u32, rule: &Rule) -> Option<Bucket> {
    let atoms: Vec<usize> =
        (0..rule.body.len()).filter(|&at| rule.body[at].variables().any(|other| other == variable)).collect();
    let mut inside: Vec<u32> = atoms.iter().flat_map(|&at| rule.body[at].variables()).collect();
    inside.sort_unstable();
    inside.dedup();
    let mut tests = Vec::new();
    for (at, test) in rule.tests.iter().enumerate() {
        let used = test.variables();
        if used.contains(&variable) {
            if !used.iter().all(|other| inside.contains(other)) {
                return None;
            }
            tests.push(at);
        }
    }
    // A variable stays if anything outside the bucket mentions it.
    let outside_atoms = (0..rule.body.len()).filter(|at| !atoms.contains(at));
    let outside_tests = (0..rule.tests.len()).filter(|at| !tests.contains(at));
    let mut outside: Vec<u32> = variables(&rule.head.terms).collect();
    outside.extend(outside_atoms.flat_map(|at| rule.body[at].variables()));
    outside.extend(outside_tests.flat_map(|at| rule.tests[at].variables()));
    let scope = inside.into_iter().filter(|other| outside.contains(other)).collect();
    Some(Bucket { atoms, tests, scope })
}

/// Moves a bucket into a rule of its own. Equal buckets of different rules share one relation.
fn split(
    program: &mut Program,
    at: usize,
    bucket: &Bucket,
    known: &mut FxHashMap<(Vec<Atom>, Vec<Term>), RelationId>,
) {
    let rule = &program.rules[at];
    let body: Vec<Atom> = bucket.atoms.iter().map(|&atom| rule.body[atom].clone()).collect();
    let tests: Vec<Test> = bucket.tests.iter().map(|&test| rule.tests[test].clone()).collect();
    let terms: Vec<Term> = bucket.scope.iter().map(|&variable| Term::Variable(variable)).collect();
    // Sharing looks at rules without tests only: projections of one relation, which are most of them.
    let key = tests.is_empty().then(|| renamed(&body, &terms));
    let shared = key.as_ref().and_then(|key| known.get(key).copied());
    let relation = shared.unwrap_or_else(|| program.relation(terms.len()));
    let head = Atom { relation, terms };
    if shared.is_none() {
        program.rule(Rule { head: head.clone(), body, tests });
        if let Some(key) = key {
            known.insert(key, relation);
        }
    }
    let rule = &mut program.rules[at];
    let mut position = 0;
    rule.body.retain(|_| {
        position += 1;
        !bucket.atoms.contains(&(position - 1))
    });
    position = 0;
    rule.tests.retain(|_| {
        position += 1;
        !bucket.tests.contains(&(position - 1))
    });
    rule.body.push(head);
}

/// The same atoms with variables numbered by first occurrence.
fn renamed(body: &[Atom], terms: &[Term]) -> (Vec<Atom>, Vec<Term>) {
    let mut names: FxHashMap<u32, u32> = FxHashMap::default();
    let mut rename = |term: &Term| match *term {
        Term::Symbol(symbol) => Term::Symbol(symbol),
        Term::Variable(variable) => {
            let fresh = names.len() as u32;
            Term::Variable(*names.entry(variable).or_insert(fresh))
        }
    };
    let body = body
        .iter()
        .map(|atom| Atom { relation: atom.relation, terms: atom.terms.iter().map(&mut rename).collect() })
        .collect();
    (body, terms.iter().map(rename).collect())
}
