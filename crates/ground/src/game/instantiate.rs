//! From flat rules to ground rules, by datalog.
//!
//! What does not depend on the state is computed exactly, stratum by stratum. For the rest we compute what can ever
//! hold if negated conditions on the state are ignored: fluents by `init` and `next`, moves by `legal`
//! (Kissmann 2012, chapter 9). Then each rule can be joined once more with all that: its instances are its ground rules.

use counterplay_base::{Budget, IdVec, Limit};
use counterplay_gdl::{Keyword, Rules};

use super::flat::{Flat, FlatRule};
use crate::datalog::{self, Atom, Database, Program, Query, RelationId, Rule, Term, Test};

/// All tuples that can ever hold, numbered as atoms.
pub(super) struct Instances {
    pub(super) database: Database,
    /// Number of the first atom of each dynamic relation; atoms of a relation are numbered like its tuples.
    pub(super) first: IdVec<RelationId, u32>,
    pub(super) atoms: usize,
}

/// Ground rules, in flat arrays.
#[derive(Default)]
pub(super) struct Batch {
    /// The head of each rule.
    pub(super) heads: Vec<u32>,
    /// Where the body of each rule ends in `body`; it begins where the one before ends.
    pub(super) ends: Vec<u32>,
    /// Twice an atom's number, plus one if negated.
    pub(super) body: Vec<u32>,
}

pub(super) fn instantiate(rules: &Rules, flat: &Flat, budget: &Budget) -> Result<Instances, Limit> {
    let symbols = rules.symbols.len();
    let mut known = evaluate_static(rules, flat, symbols, budget)?;
    let mut program = program(flat, symbols, known.as_ref());
    for rule in flat.rules.iter().filter(|rule| flat.relations[rule.head().relation].dynamic) {
        program.rule(datalog_rule(flat, rule));
    }
    let flows =
        [(Keyword::Init, Keyword::True), (Keyword::Next, Keyword::True), (Keyword::Legal, Keyword::Does)];
    for (from, to) in flows {
        for relation in flat.relations_of(rules.symbol(from)) {
            let (_, shapes) = flat.relations[relation].origin.as_ref().expect("has a name");
            let to = flat.relation(rules.symbol(to), shapes).expect("shapes flow along");
            let terms: Vec<Term> = (0..flat.relations[relation].arity as u32).map(Term::Variable).collect();
            let head = Atom { relation: to, terms: terms.clone() };
            program.rule(Rule { head, body: vec![Atom { relation, terms }], tests: Vec::new() });
        }
    }
    drop(known.take());
    let database = datalog::evaluate(program, budget)?;
    let mut first = IdVec::filled(0, flat.relations.len());
    let mut atoms = 0usize;
    for (id, relation) in flat.relations.enumerate() {
        if relation.dynamic {
            first[id] = atoms as u32;
            atoms += database.relation(id).len();
        }
    }
    if atoms > u32::MAX as usize / 2 {
        return Err(Limit::Nodes(u32::MAX as u64 / 2));
    }
    Ok(Instances { database, first, atoms })
}

/// A program with all relations, and the facts of those that are known.
fn program(flat: &Flat, symbols: usize, known: Option<&Database>) -> Program {
    let mut program = Program::new(symbols);
    for relation in &flat.relations {
        program.relation(relation.arity);
    }
    if let Some(known) = known {
        for (id, relation) in flat.relations.enumerate() {
            if !relation.dynamic {
                known.relation(id).tuples().for_each(|tuple| program.fact(id, tuple));
            }
        }
    }
    program
}

/// The relations that do not depend on the state.
fn evaluate_static(
    rules: &Rules,
    flat: &Flat,
    symbols: usize,
    budget: &Budget,
) -> Result<Option<Database>, Limit> {
    let stratum = |rule: &FlatRule| {
        let (name, _) =
            flat.relations[rule.head().relation].origin.as_ref().expect("static rules are as written");
        rules.strata[name]
    };
    let own = || flat.rules.iter().filter(|rule| !flat.relations[rule.head().relation].dynamic);
    let mut strata: Vec<u32> = own().map(stratum).collect();
    strata.sort_unstable();
    strata.dedup();
    let mut known: Option<Database> = None;
    for level in strata {
        let mut program = program(flat, symbols, known.as_ref());
        own().filter(|rule| stratum(rule) == level).for_each(|rule| program.rule(datalog_rule(flat, rule)));
        known = Some(datalog::evaluate(program, budget)?);
    }
    Ok(known)
}

fn body(rule: &FlatRule) -> Vec<Atom> {
    rule.positive.iter().chain(&rule.guides).cloned().collect()
}

/// Conditions that can be tested before the game begins.
fn tests(flat: &Flat, rule: &FlatRule) -> Vec<Test> {
    let absent = rule.negative.iter().filter(|atom| !flat.relations[atom.relation].dynamic);
    let different = rule.different.iter().map(|&(left, right)| Test::Different(left, right));
    different.chain(absent.cloned().map(Test::Absent)).collect()
}

fn datalog_rule(flat: &Flat, rule: &FlatRule) -> Rule {
    Rule { head: rule.head().clone(), body: body(rule), tests: tests(flat, rule) }
}

impl Instances {
    /// Writes down all instances of a rule. `resolve` tells what a literal comes to: a literal, or that it is true or false;
    /// what is true is left out, and with something false the instance is.
    pub(super) fn write(
        &mut self,
        flat: &Flat,
        rule: &FlatRule,
        resolve: impl Fn(u32) -> Result<u32, bool>,
        batch: &mut Batch,
        budget: &Budget,
    ) -> Result<(), Limit> {
        let is_dynamic = |atom: &&Atom| flat.relations[atom.relation].dynamic;
        let positive: Vec<&Atom> = rule.positive.iter().filter(is_dynamic).collect();
        let negative: Vec<&Atom> = rule.negative.iter().filter(is_dynamic).collect();
        let shown = std::iter::once(rule.head()).chain(positive.iter().copied());
        let wanted = variables(shown.chain(negative.iter().copied()));
        let mut query =
            Query::new(&mut self.database, &body(rule), &tests(flat, rule), &[], &wanted, budget)?;
        query.ask(&[]);
        let mut tuple = Vec::new();
        'instances: while let Some(binding) = query.next(&self.database, budget)? {
            let mut number = |atom: &Atom| {
                tuple.clear();
                tuple.extend(atom.terms.iter().map(|term| match term {
                    Term::Symbol(symbol) => *symbol,
                    Term::Variable(variable) => binding[*variable as usize],
                }));
                let found = self.database.relation(atom.relation).find(&tuple);
                found.map(|number| self.first[atom.relation] + number as u32)
            };
            let begin = batch.body.len();
            for (atoms, sign) in [(&positive, 0), (&negative, 1)] {
                for atom in atoms {
                    let found = match number(atom) {
                        Some(own) => resolve(own << 1 | sign),
                        // What can never hold need not be denied.
                        None if sign == 1 => Err(true),
                        None => unreachable!("what was joined is there"),
                    };
                    match found {
                        Ok(literal) => batch.body.push(literal),
                        Err(true) => {}
                        Err(false) => {
                            batch.body.truncate(begin);
                            continue 'instances;
                        }
                    }
                }
            }
            batch.heads.push(number(rule.head()).expect("what follows was derived"));
            batch.ends.push(batch.body.len() as u32);
            if batch.body.len() > u32::MAX as usize / 2 {
                return Err(Limit::Nodes(u32::MAX as u64 / 2));
            }
        }
        Ok(())
    }
}

/// The variables of some atoms, each once.
fn variables<'a>(atoms: impl Iterator<Item = &'a Atom>) -> Vec<u32> {
    let terms = atoms.flat_map(|atom| atom.terms.iter());
    let mut list: Vec<u32> = terms
        .filter_map(|term| match term {
            Term::Variable(variable) => Some(*variable),
            Term::Symbol(_) => None,
        })
        .collect();
    list.sort_unstable();
    list.dedup();
    list
}
