//! Smaller ground rules: variables that only the body needs are eliminated first.
//!
//! A rule is instantiated for every value of all its variables together, so "cell ?x ?y keeps its piece if some
//! player moves from somewhere else to somewhere else" would become millions of ground rules. Where a variable
//! outside the head occurs in some conditions only, these become a rule of their own whose head leaves it out
//! (bucket elimination, Dechter 1999), negated conditions included. A condition that binds too little gets a *guide*:
//! a condition of the original rule that bounds its variables and need not be tested again. Equal parts of
//! different rules become one relation.

use counterplay_base::{Budget, Limit};
use rustc_hash::FxHashMap;

use super::flat::{Flat, FlatRelation, FlatRule};
use crate::datalog::{Atom, RelationId, Term};

/// Splits all rules that depend on the state or on moves.
pub(super) fn split(flat: &mut Flat, budget: &Budget) -> Result<(), Limit> {
    let mut known = Parts::default();
    let mut at = 0;
    while at < flat.rules.len() {
        let rule = &flat.rules[at];
        if flat.relations[rule.head().relation].dynamic && !rule.only_asks {
            while let Some(bucket) = best_bucket(&flat.rules[at]) {
                budget.check()?;
                eliminate(flat, at, &bucket, &mut known);
            }
        }
        at += 1;
    }
    unite(flat);
    Ok(())
}

/// Rules that differ only in a relation that splitting made, as those of an `or` do, become one rule over the union.
fn unite(flat: &mut Flat) {
    let mut alike: FxHashMap<(Atom, Key, Vec<Term>), Vec<usize>> = FxHashMap::default();
    for (at, rule) in flat.rules.iter().enumerate() {
        let Some((last, others)) = rule.positive.split_last() else { continue };
        let is_part = flat.relations[last.relation].origin.is_none();
        if rule.only_asks || !is_part || others.is_empty() {
            continue;
        }
        let key = Key {
            positive: others.to_vec(),
            negative: rule.negative.clone(),
            different: rule.different.clone(),
            guides: rule.guides.clone(),
            scope: Vec::new(),
        };
        alike.entry((rule.head().clone(), key, last.terms.clone())).or_default().push(at);
    }
    let mut groups: Vec<Vec<usize>> = alike.into_values().filter(|group| group.len() > 1).collect();
    groups.sort_unstable();
    let mut gone = Vec::new();
    for group in groups {
        let part = |at: usize| flat.rules[at].positive.last().expect("has a last condition").clone();
        let parts: Vec<Atom> = group.iter().map(|&at| part(at)).collect();
        let arity = parts[0].terms.len();
        let relation = flat.relations.push(FlatRelation { origin: None, arity, dynamic: true });
        let terms: Vec<Term> = (0..arity as u32).map(Term::Variable).collect();
        for part in &parts {
            let head = Some(Atom { relation, terms: terms.clone() });
            let positive = vec![Atom { relation: part.relation, terms: terms.clone() }];
            flat.rules.push(FlatRule { head, positive, ..FlatRule::default() });
        }
        flat.rules[group[0]].positive.last_mut().expect("has a last condition").relation = relation;
        gone.extend(&group[1..]);
    }
    let mut at = 0..;
    flat.rules.retain(|_| !gone.contains(&at.next().expect("endless")));
}

/// A rule body in a form in which equal ones are equal, and the variables that its head keeps.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Key {
    positive: Vec<Atom>,
    negative: Vec<Atom>,
    different: Vec<(Term, Term)>,
    guides: Vec<Atom>,
    scope: Vec<u32>,
}

/// The relations that splitting made, by what they mean.
type Parts = FxHashMap<Key, RelationId>;

/// A condition of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Positive(usize),
    Negative(usize),
    Different(usize),
    Guide(usize),
}

fn parts(rule: &FlatRule) -> Vec<Part> {
    let positive = (0..rule.positive.len()).map(Part::Positive);
    let negative = (0..rule.negative.len()).map(Part::Negative);
    let different = (0..rule.different.len()).map(Part::Different);
    let guides = (0..rule.guides.len()).map(Part::Guide);
    positive.chain(negative).chain(different).chain(guides).collect()
}

fn terms(rule: &FlatRule, part: Part) -> Vec<Term> {
    match part {
        Part::Positive(at) => rule.positive[at].terms.clone(),
        Part::Negative(at) => rule.negative[at].terms.clone(),
        Part::Different(at) => vec![rule.different[at].0, rule.different[at].1],
        Part::Guide(at) => rule.guides[at].terms.clone(),
    }
}

fn variables(terms: &[Term]) -> impl Iterator<Item = u32> + '_ {
    terms.iter().filter_map(|term| match term {
        Term::Variable(variable) => Some(*variable),
        Term::Symbol(_) => None,
    })
}

fn sorted(mut list: Vec<u32>) -> Vec<u32> {
    list.sort_unstable();
    list.dedup();
    list
}

/// Conditions to be split off, and the variables they have.
struct Bucket {
    parts: Vec<Part>,
    variables: Vec<u32>,
    eliminated: Vec<u32>,
}

/// The bucket with the fewest variables, if it has fewer than the rule.
fn best_bucket(rule: &FlatRule) -> Option<Bucket> {
    let all = parts(rule);
    if all.len() < 2 {
        return None;
    }
    let by_part: Vec<Vec<u32>> =
        all.iter().map(|&part| sorted(variables(&terms(rule, part)).collect())).collect();
    let head: Vec<u32> = variables(&rule.head().terms).collect();
    // Variables that only guides have do not multiply anything.
    let counted = all.iter().zip(&by_part).filter(|(part, _)| !matches!(part, Part::Guide(_)));
    let own = sorted(counted.flat_map(|(_, variables)| variables.iter().copied()).collect());
    let mut best: Option<Bucket> = None;
    for &variable in own.iter().filter(|variable| !head.contains(variable)) {
        let inside: Vec<usize> = (0..all.len()).filter(|&at| by_part[at].contains(&variable)).collect();
        let mut scope = sorted(inside.iter().flat_map(|&at| by_part[at].iter().copied()).collect());
        scope.retain(|other| own.contains(other));
        if scope.len() >= own.len() || best.as_ref().is_some_and(|best| best.variables.len() <= scope.len()) {
            continue;
        }
        let only_inside = |other: &u32| {
            !head.contains(other)
                && (0..all.len()).all(|at| inside.contains(&at) || !by_part[at].contains(other))
        };
        let eliminated = scope.iter().copied().filter(only_inside).collect();
        let parts = inside.iter().map(|&at| all[at]).collect();
        best = Some(Bucket { parts, variables: scope, eliminated });
    }
    best
}

/// Replaces the conditions of a bucket by one.
fn eliminate(flat: &mut Flat, at: usize, bucket: &Bucket, known: &mut Parts) {
    let rule = flat.rules[at].clone();
    let mut inner = FlatRule::default();
    for &part in &bucket.parts {
        match part {
            Part::Positive(at) => inner.positive.push(rule.positive[at].clone()),
            Part::Negative(at) => inner.negative.push(rule.negative[at].clone()),
            Part::Different(at) => inner.different.push(rule.different[at]),
            Part::Guide(at) => inner.guides.push(rule.guides[at].clone()),
        }
    }
    add_guides(flat, &rule, &mut inner, bucket, known);
    inner.guides.sort_by_key(|atom| atom.relation);
    inner.positive.sort_by_key(|atom| atom.relation);
    inner.negative.sort_by_key(|atom| atom.relation);
    let scope: Vec<u32> =
        bucket.variables.iter().copied().filter(|variable| !bucket.eliminated.contains(variable)).collect();
    let (key, mut inner, scope) = normalise(inner, &scope);
    let relation = *known.entry(key).or_insert_with(|| {
        let arity = scope.len();
        let relation = flat.relations.push(FlatRelation { origin: None, arity, dynamic: true });
        let head = (0..arity as u32).map(|place| Term::Variable(renumbered(&scope, place))).collect();
        inner.head = Some(Atom { relation, terms: head });
        flat.rules.push(inner);
        relation
    });
    let rule = &mut flat.rules[at];
    let keep = |part: Part| !bucket.parts.contains(&part);
    let mut index = 0..;
    rule.positive.retain(|_| keep(Part::Positive(index.next().expect("endless"))));
    let mut index = 0..;
    rule.negative.retain(|_| keep(Part::Negative(index.next().expect("endless"))));
    let mut index = 0..;
    rule.different.retain(|_| keep(Part::Different(index.next().expect("endless"))));
    let mut index = 0..;
    rule.guides.retain(|_| keep(Part::Guide(index.next().expect("endless"))));
    let terms = scope.iter().map(|&(outer, _)| Term::Variable(outer)).collect();
    rule.positive.push(Atom { relation, terms });
}

/// The inner number of the variable at a place of the scope.
fn renumbered(scope: &[(u32, u32)], place: u32) -> u32 {
    scope[place as usize].1
}

/// Binds the variables that no positive condition of the bucket binds, by conditions of the rule.
fn add_guides(flat: &mut Flat, rule: &FlatRule, inner: &mut FlatRule, bucket: &Bucket, known: &mut Parts) {
    // A guide of the rule that speaks of two of the variables bounds their combinations.
    for (at, guide) in rule.guides.iter().enumerate() {
        let shared = sorted(variables(&guide.terms).filter(|own| bucket.variables.contains(own)).collect());
        if !bucket.parts.contains(&Part::Guide(at)) && shared.len() >= 2 {
            inner.guides.push(projected(flat, guide, &bucket.variables, known));
        }
    }
    for &variable in &bucket.variables {
        let binds = |atom: &Atom| variables(&atom.terms).any(|other| other == variable);
        if inner.positive.iter().chain(&inner.guides).any(binds) {
            continue;
        }
        let candidates = rule.positive.iter().chain(&rule.guides).filter(|atom| binds(atom));
        // Static conditions first, then narrow ones: they have the fewest values to offer.
        let guide = candidates
            .min_by_key(|atom| (flat.relations[atom.relation].dynamic, atom.terms.len()))
            .expect("safe rules bind their variables")
            .clone();
        inner.guides.push(projected(flat, &guide, &bucket.variables, known));
    }
}

/// What an atom says of some of its variables, as an atom over those.
fn projected(flat: &mut Flat, atom: &Atom, kept: &[u32], known: &mut Parts) -> Atom {
    let own = sorted(variables(&atom.terms).collect());
    let kept: Vec<u32> = own.iter().copied().filter(|variable| kept.contains(variable)).collect();
    if kept.len() == own.len() {
        return atom.clone();
    }
    let body = FlatRule { guides: vec![atom.clone()], ..FlatRule::default() };
    let (key, body, scope) = normalise(body, &kept);
    let relation = *known.entry(key).or_insert_with(|| {
        let relation = flat.relations.push(FlatRelation { origin: None, arity: scope.len(), dynamic: true });
        let terms = scope.iter().map(|&(_, inner)| Term::Variable(inner)).collect();
        let head = Some(Atom { relation, terms });
        flat.rules.push(FlatRule { head, positive: body.guides, only_asks: true, ..FlatRule::default() });
        relation
    });
    Atom { relation, terms: scope.iter().map(|&(outer, _)| Term::Variable(outer)).collect() }
}

/// Renumbers variables by first occurrence; the scope comes back as pairs of outer and inner number.
fn normalise(mut rule: FlatRule, scope: &[u32]) -> (Key, FlatRule, Vec<(u32, u32)>) {
    let mut numbers: FxHashMap<u32, u32> = FxHashMap::default();
    let mut number = |term: &mut Term| {
        if let Term::Variable(variable) = term {
            let next = numbers.len() as u32;
            *variable = *numbers.entry(*variable).or_insert(next);
        }
    };
    rule.positive.iter_mut().flat_map(|atom| &mut atom.terms).for_each(&mut number);
    rule.negative.iter_mut().flat_map(|atom| &mut atom.terms).for_each(&mut number);
    for (left, right) in &mut rule.different {
        number(left);
        number(right);
    }
    rule.guides.iter_mut().flat_map(|atom| &mut atom.terms).for_each(&mut number);
    let mut scope: Vec<(u32, u32)> = scope.iter().map(|&outer| (outer, numbers[&outer])).collect();
    scope.sort_unstable_by_key(|&(_, inner)| inner);
    let key = Key {
        positive: rule.positive.clone(),
        negative: rule.negative.clone(),
        different: rule.different.clone(),
        guides: rule.guides.clone(),
        scope: scope.iter().map(|&(_, inner)| inner).collect(),
    };
    (key, rule, scope)
}
