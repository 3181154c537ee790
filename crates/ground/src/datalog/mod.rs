//! Function-free rules to the facts that follow from them.
//!
//! A [`Program`] holds relations, facts and rules over numbered symbols; [`evaluate`] returns the least
//! [`Database`] that contains the facts and is closed under the rules, and a [`Query`] asks it for further
//! joins. The idea is semi-naive evaluation, one fact at a time: a fact enters the indexes, then every rule
//! in whose body it can stand is joined with what is there already, so that no combination is looked at
//! again in later rounds. Joins are nested index look-ups in an order chosen by the present sizes of the
//! relations and chosen again as these grow; variables that only the body needs are projected away first.
//!
//! Abiteboul, Hull and Vianu, *Foundations of Databases* (1995), chapter 13; for planning Helmert,
//! *Concise finite-domain representations for PDDL planning tasks* (AIJ 2009), section 6. We depart from the
//! latter in keeping rules whole instead of cutting them into binary joins: partial joins are never stored.
//!
//! Nothing here knows planning or games.

mod decompose;
mod engine;
mod join;
mod plan;
mod query;
mod relation;

#[cfg(test)]
mod tests;

use counterplay_base::{IdVec, id};

pub use engine::{Database, evaluate};
pub use query::Query;
pub use relation::Relation;

id! {
    /// A relation of a program.
    pub struct RelationId;
}

/// A constant symbol: its number, below [`Program::symbols`].
pub type Symbol = u32;

/// A place in an atom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Term {
    Symbol(Symbol),
    /// A variable of the rule. Variables are numbered from 0.
    Variable(u32),
}

/// A relation applied to terms.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Atom {
    pub relation: RelationId,
    /// As many terms as the relation has columns.
    pub terms: Vec<Term>,
}

/// A condition that binds no variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Test {
    /// Two terms are not the same symbol.
    Different(Term, Term),
    /// The atom is no fact. Its relation must not be the head of any rule.
    Absent(Atom),
}

/// If the body holds, so does the head.
///
/// Law: each variable of the head and of the tests occurs in the body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    pub head: Atom,
    pub body: Vec<Atom>,
    pub tests: Vec<Test>,
}

/// Relations, facts and rules.
#[derive(Clone, Debug)]
pub struct Program {
    symbols: usize,
    arities: IdVec<RelationId, usize>,
    facts: IdVec<RelationId, Vec<Symbol>>,
    /// How many facts; their symbols do not tell for a relation without columns.
    counts: IdVec<RelationId, usize>,
    rules: Vec<Rule>,
}

impl Program {
    /// A program without relations over so many symbols.
    pub fn new(symbols: usize) -> Program {
        Program {
            symbols,
            arities: IdVec::new(),
            facts: IdVec::new(),
            counts: IdVec::new(),
            rules: Vec::new(),
        }
    }

    pub fn symbols(&self) -> usize {
        self.symbols
    }

    /// Adds a relation with so many columns.
    pub fn relation(&mut self, arity: usize) -> RelationId {
        self.facts.push(Vec::new());
        self.counts.push(0);
        self.arities.push(arity)
    }

    /// Adds a fact. Adding it again changes nothing.
    pub fn fact(&mut self, relation: RelationId, tuple: &[Symbol]) {
        assert_eq!(tuple.len(), self.arities[relation], "a fact fills the columns of its relation");
        assert!(tuple.iter().all(|&symbol| (symbol as usize) < self.symbols), "symbols are declared");
        self.facts[relation].extend_from_slice(tuple);
        self.counts[relation] += 1;
    }

    pub fn rule(&mut self, rule: Rule) {
        let bound = rule.variables_of_body();
        let is_bound = |terms: &[Term]| {
            terms.iter().all(|term| match term {
                Term::Variable(variable) => bound.contains(variable),
                Term::Symbol(symbol) => (*symbol as usize) < self.symbols,
            })
        };
        assert!(is_bound(&rule.head.terms), "each variable of the head occurs in the body");
        for test in &rule.tests {
            let fine = match test {
                Test::Different(left, right) => is_bound(&[*left, *right]),
                Test::Absent(atom) => is_bound(&atom.terms),
            };
            assert!(fine, "each variable of a test occurs in the body");
        }
        self.rules.push(rule);
    }
}

impl Rule {
    /// The variables of the body, each once, in order.
    fn variables_of_body(&self) -> Vec<u32> {
        let mut variables: Vec<u32> = self.body.iter().flat_map(Atom::variables).collect();
        variables.sort_unstable();
        variables.dedup();
        variables
    }
}

impl Atom {
    /// The variables of the atom, as often as they occur.
    fn variables(&self) -> impl Iterator<Item = u32> + '_ {
        variables(&self.terms)
    }
}

impl Test {
    /// The variables of the test, as often as they occur.
    fn variables(&self) -> Vec<u32> {
        match self {
            Test::Different(left, right) => variables(&[*left, *right]).collect(),
            Test::Absent(atom) => atom.variables().collect(),
        }
    }
}

fn variables(terms: &[Term]) -> impl Iterator<Item = u32> + '_ {
    terms.iter().filter_map(|term| match term {
        Term::Variable(variable) => Some(*variable),
        Term::Symbol(_) => None,
    })
}

/// One more than the greatest variable of these atoms and tests.
fn variable_count(atoms: &[Atom], tests: &[Test]) -> usize {
    let of_atoms = atoms.iter().flat_map(Atom::variables);
    let of_tests = tests.iter().flat_map(Test::variables);
    of_atoms.chain(of_tests).max().map_or(0, |greatest| greatest as usize + 1)
}
