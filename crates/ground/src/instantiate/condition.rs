//! Conditions made ready to be evaluated for many values of their variables.
//!
//! Static atoms and equalities are decided, atoms that cannot be reached are false, and what remains is a
//! [`Ground`] formula. Quantifiers do not run through all objects: a query asks the database for the values
//! that could make an existential formula true, or a universal one false.

use counterplay_base::{Budget, Id, IdVec, Limit};
use counterplay_pddl::model::{self, PredicateId, VariableId};

use super::ground::Ground;
use crate::datalog::{Database, Query, Relation, RelationId, Symbol, Term};
use crate::explore::Explored;
use crate::lifted::{Body, Formula, Kind, NormalisedProblem, SortId, term};
use crate::propositional::{AtomId, Literal};

/// A formula over the database.
#[derive(Debug)]
pub(super) enum Condition {
    And(Vec<Condition>),
    Or(Vec<Condition>),
    Static(RelationId, Vec<Term>, bool),
    Fluent(Pattern, bool),
    Equal(Term, Term, bool),
    Exists(Candidates, Box<Condition>),
    Forall(Candidates, Box<Condition>),
}

/// An atom with variables.
#[derive(Debug)]
pub(super) struct Pattern {
    relation: RelationId,
    /// The atom of the relation's first tuple.
    first: AtomId,
    terms: Vec<Term>,
}

/// Values of quantified variables that have to be looked at.
#[derive(Debug)]
pub(super) struct Candidates {
    variables: Vec<VariableId>,
    /// `None` if there are none.
    query: Option<Query>,
}

#[derive(Debug)]
pub(super) struct Compiler<'a> {
    pub(super) lifted: &'a NormalisedProblem<'a>,
    pub(super) explored: &'a mut Explored,
    /// The atom of each predicate's first tuple.
    pub(super) first: &'a IdVec<PredicateId, AtomId>,
    pub(super) budget: &'a Budget,
}

impl Compiler<'_> {
    pub(super) fn condition(
        &mut self,
        formula: &Formula,
        variables: &IdVec<VariableId, SortId>,
    ) -> Result<Condition, Limit> {
        Ok(match formula {
            Formula::And(parts) => Condition::And(self.conditions(parts, variables)?),
            Formula::Or(parts) => Condition::Or(self.conditions(parts, variables)?),
            Formula::Literal(atom, positive) => {
                if self.lifted.kinds[atom.predicate] == Kind::Static {
                    let terms = atom.arguments.iter().map(|&argument| term(argument)).collect();
                    Condition::Static(self.explored.predicates[atom.predicate], terms, *positive)
                } else {
                    Condition::Fluent(self.pattern(atom), *positive)
                }
            }
            Formula::Equal(left, right, positive) => Condition::Equal(term(*left), term(*right), *positive),
            Formula::Exists(bound, inner) => {
                let candidates = self.candidates(bound, inner, variables)?;
                Condition::Exists(candidates, Box::new(self.condition(inner, variables)?))
            }
            Formula::Forall(bound, inner) => {
                let candidates = self.candidates(bound, &inner.negated(), variables)?;
                Condition::Forall(candidates, Box::new(self.condition(inner, variables)?))
            }
        })
    }

    fn conditions(
        &mut self,
        formulas: &[Formula],
        variables: &IdVec<VariableId, SortId>,
    ) -> Result<Vec<Condition>, Limit> {
        formulas.iter().map(|formula| self.condition(formula, variables)).collect()
    }

    pub(super) fn pattern(&self, atom: &model::Atom) -> Pattern {
        Pattern {
            relation: self.explored.predicates[atom.predicate],
            first: self.first[atom.predicate],
            terms: atom.arguments.iter().map(|&argument| term(argument)).collect(),
        }
    }

    /// The values of `bound` for which a formula can hold.
    pub(super) fn candidates(
        &mut self,
        bound: &[VariableId],
        formula: &Formula,
        variables: &IdVec<VariableId, SortId>,
    ) -> Result<Candidates, Limit> {
        let vocabulary = self.explored.vocabulary(self.lifted);
        let mut bodies = vocabulary.bodies(formula, variables);
        if bodies.is_empty() {
            return Ok(Candidates { variables: bound.to_vec(), query: None });
        }
        let mut body = if bodies.len() == 1 { bodies.remove(0) } else { Body::default() };
        body.atoms.extend(bound.iter().map(|&variable| vocabulary.sort(variable, variables)));
        let mut given: Vec<u32> = formula.free_variables().iter().map(|v| v.index() as u32).collect();
        given.retain(|&variable| !bound.contains(&VariableId::new(variable as usize)));
        let wanted: Vec<u32> = bound.iter().map(|variable| variable.index() as u32).collect();
        let database = &mut self.explored.database;
        let query = Query::new(database, &body.atoms, &body.tests, &given, &wanted, self.budget)?;
        Ok(Candidates { variables: bound.to_vec(), query: Some(query) })
    }
}

impl Candidates {
    /// Begins to run through the candidates for the present values of the other variables.
    pub(super) fn restart(&mut self, binding: &[Symbol]) {
        if let Some(query) = &mut self.query {
            query.ask(binding);
        }
    }

    /// Sets the variables to the next candidate; `false` if there is none.
    pub(super) fn advance(
        &mut self,
        binding: &mut [Symbol],
        database: &Database,
        budget: &Budget,
    ) -> Result<bool, Limit> {
        let Some(query) = &mut self.query else { return Ok(false) };
        let Some(answer) = query.next(database, budget)? else { return Ok(false) };
        for variable in &self.variables {
            binding[variable.index()] = answer[variable.index()];
        }
        Ok(true)
    }
}

impl Pattern {
    /// The atom for these values, if it can be reached.
    #[inline]
    pub(super) fn atom(
        &self,
        binding: &[Symbol],
        database: &Database,
        tuple: &mut Vec<Symbol>,
    ) -> Option<AtomId> {
        let number = find(database.relation(self.relation), &self.terms, binding, tuple)?;
        Some(AtomId::new(self.first.index() + number))
    }
}

#[inline]
fn find(relation: &Relation, terms: &[Term], binding: &[Symbol], tuple: &mut Vec<Symbol>) -> Option<usize> {
    tuple.clear();
    tuple.extend(terms.iter().map(|&term| value(term, binding)));
    relation.find(tuple)
}

#[inline]
fn value(term: Term, binding: &[Symbol]) -> Symbol {
    match term {
        Term::Symbol(symbol) => symbol,
        Term::Variable(variable) => binding[variable as usize],
    }
}

#[derive(Debug)]
pub(super) struct Evaluator<'a> {
    pub(super) database: &'a Database,
    pub(super) budget: &'a Budget,
    pub(super) tuple: Vec<Symbol>,
}

impl Evaluator<'_> {
    /// What is left of a condition. `binding` has a value for each free variable; others are scratch.
    pub(super) fn evaluate(
        &mut self,
        condition: &mut Condition,
        binding: &mut [Symbol],
    ) -> Result<Ground, Limit> {
        Ok(match condition {
            Condition::And(parts) => {
                let mut all = Vec::with_capacity(parts.len());
                for part in parts {
                    let part = self.evaluate(part, binding)?;
                    if part.is_false() {
                        return Ok(Ground::FALSE);
                    }
                    all.push(part);
                }
                Ground::and(all)
            }
            Condition::Or(parts) => {
                let mut all = Vec::with_capacity(parts.len());
                for part in parts {
                    let part = self.evaluate(part, binding)?;
                    if part.is_true() {
                        return Ok(Ground::TRUE);
                    }
                    all.push(part);
                }
                Ground::or(all)
            }
            Condition::Static(relation, terms, positive) => {
                let found = find(self.database.relation(*relation), terms, binding, &mut self.tuple);
                Ground::constant(found.is_some() == *positive)
            }
            Condition::Fluent(pattern, positive) => {
                match pattern.atom(binding, self.database, &mut self.tuple) {
                    Some(atom) => Ground::Literal(Literal::new(atom, *positive)),
                    None => Ground::constant(!*positive),
                }
            }
            Condition::Equal(left, right, positive) => {
                Ground::constant((value(*left, binding) == value(*right, binding)) == *positive)
            }
            Condition::Exists(candidates, inner) => {
                let mut all = Vec::new();
                candidates.restart(binding);
                while candidates.advance(binding, self.database, self.budget)? {
                    let part = self.evaluate(inner, binding)?;
                    if part.is_true() {
                        return Ok(Ground::TRUE);
                    }
                    all.push(part);
                }
                Ground::or(all)
            }
            Condition::Forall(candidates, inner) => {
                let mut all = Vec::new();
                candidates.restart(binding);
                while candidates.advance(binding, self.database, self.budget)? {
                    let part = self.evaluate(inner, binding)?;
                    if part.is_false() {
                        return Ok(Ground::FALSE);
                    }
                    all.push(part);
                }
                Ground::and(all)
            }
        })
    }
}
