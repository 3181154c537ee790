//! What has to be true at least: formulas as bodies of datalog rules.
//!
//! Deletes are ignored, negated fluents and universal conditions are taken for granted, everything else is
//! kept: positive atoms, negated static atoms, (in)equality, sorts, and disjunctions as alternative bodies
//! as long as there are few. The outcome holds whenever the formula can hold in a reachable state; the
//! ground formulas are checked exactly later.

use counterplay_base::{Id, IdVec};
use counterplay_pddl::model::{self, PredicateId, VariableId};

use rustc_hash::FxHashSet;

use super::{Formula, Kind, SortId, symbol};
use crate::datalog::{Atom, RelationId, Rule, Term, Test};

/// More alternatives than these are not written out; the disjunction is then taken for granted.
const ALTERNATIVES: usize = 32;

/// The relations that conditions speak about.
#[derive(Debug)]
pub(crate) struct Vocabulary<'a> {
    pub(crate) kinds: &'a IdVec<PredicateId, Kind>,
    pub(crate) predicates: &'a IdVec<PredicateId, RelationId>,
    pub(crate) sorts: &'a IdVec<SortId, RelationId>,
}

/// A conjunction of what must hold.
#[derive(Clone, Debug, Default)]
pub(crate) struct Body {
    pub(crate) atoms: Vec<Atom>,
    pub(crate) tests: Vec<Test>,
    equal: Vec<(Term, Term)>,
}

impl Vocabulary<'_> {
    /// The alternative bodies of a formula whose variables range over these sorts. The witnesses of
    /// existential formulas are further variables of the body.
    pub(crate) fn bodies(&self, formula: &Formula, variables: &IdVec<VariableId, SortId>) -> Vec<Body> {
        match formula {
            Formula::And(parts) => {
                let mut all = vec![Body::default()];
                for part in parts {
                    let more = self.bodies(part, variables);
                    match &more[..] {
                        [] => return Vec::new(),
                        [only] => all.iter_mut().for_each(|body| body.extend(only)),
                        _ if all.len() * more.len() <= ALTERNATIVES => all = product(&all, &more),
                        _ => {}
                    }
                }
                all
            }
            Formula::Or(parts) => {
                let mut all = Vec::new();
                for part in parts {
                    all.extend(self.bodies(part, variables));
                    if all.len() > ALTERNATIVES {
                        return vec![Body::default()];
                    }
                }
                all
            }
            Formula::Literal(atom, positive) => vec![self.literal(atom, *positive)],
            Formula::Equal(left, right, positive) => {
                let (left, right) = (term(*left), term(*right));
                vec![match positive {
                    true => Body { equal: vec![(left, right)], ..Body::default() },
                    false => Body { tests: vec![Test::Different(left, right)], ..Body::default() },
                }]
            }
            Formula::Exists(bound, inner) => {
                let mut all = self.bodies(inner, variables);
                for body in &mut all {
                    body.atoms.extend(bound.iter().map(|&variable| self.sort(variable, variables)));
                }
                all
            }
            Formula::Forall(..) => vec![Body::default()],
        }
    }

    /// The variable belongs to its sort.
    pub(crate) fn sort(&self, variable: VariableId, variables: &IdVec<VariableId, SortId>) -> Atom {
        let terms = vec![Term::Variable(variable.index() as u32)];
        Atom { relation: self.sorts[variables[variable]], terms }
    }

    fn literal(&self, atom: &model::Atom, positive: bool) -> Body {
        let mut body = Body::default();
        if positive {
            body.atoms.push(self.atom(atom));
        } else if self.kinds[atom.predicate] == Kind::Static {
            body.tests.push(Test::Absent(self.atom(atom)));
        }
        body
    }

    /// An atom of the problem as one of the program.
    pub(crate) fn atom(&self, atom: &model::Atom) -> Atom {
        let terms = atom.arguments.iter().map(|&argument| term(argument)).collect();
        Atom { relation: self.predicates[atom.predicate], terms }
    }
}

/// A term of the problem as one of the program.
pub(crate) fn term(term: model::Term) -> Term {
    match term {
        model::Term::Object(object) => Term::Symbol(symbol(object)),
        model::Term::Variable(variable) => Term::Variable(variable.index() as u32),
    }
}

fn product(left: &[Body], right: &[Body]) -> Vec<Body> {
    let pairs = left.iter().flat_map(|a| right.iter().map(move |b| (a, b)));
    pairs
        .map(|(a, b)| {
            let mut both = a.clone();
            both.extend(b);
            both
        })
        .collect()
}

impl Body {
    fn extend(&mut self, other: &Body) {
        self.atoms.extend_from_slice(&other.atoms);
        self.tests.extend_from_slice(&other.tests);
        self.equal.extend_from_slice(&other.equal);
    }

    /// A rule with this body, in which terms that must be equal have become one. `None` if they cannot be.
    pub(crate) fn into_rule(self, mut head: Atom) -> Option<Rule> {
        let Body { mut atoms, mut tests, mut equal } = self;
        while let Some((left, right)) = equal.pop() {
            let (variable, by) = match (left, right) {
                _ if left == right => continue,
                (Term::Variable(variable), by) | (by, Term::Variable(variable)) => (variable, by),
                (Term::Symbol(_), Term::Symbol(_)) => return None,
            };
            let replace = |term: &mut Term| {
                if *term == Term::Variable(variable) {
                    *term = by;
                }
            };
            equal.iter_mut().for_each(|(left, right)| {
                replace(left);
                replace(right);
            });
            atoms.iter_mut().chain([&mut head]).flat_map(|atom| &mut atom.terms).for_each(replace);
            for test in &mut tests {
                match test {
                    Test::Different(left, right) => {
                        replace(left);
                        replace(right);
                    }
                    Test::Absent(atom) => atom.terms.iter_mut().for_each(replace),
                }
            }
        }
        let mut seen = FxHashSet::default();
        atoms.retain(|atom| seen.insert(atom.clone()));
        Some(Rule { head, body: atoms, tests })
    }
}
