//! From rules to plans.

use super::InterpretError;
use super::evaluate::Engine;
use super::plan::{Bound, Lookup, Match, Pattern, Plan, Source, Step};
use super::program::RelationId;
use super::store::Columns;
use crate::model::{Atom, Keyword, Literal, Rule, Term};

/// How many fluents with the same name we expect in a state.
const FLUENTS: f64 = 40.0;
/// How many answers we expect of a relation with rules.
const ANSWERS: f64 = 80.0;

/// What a condition looks at.
struct Target<'t> {
    place: Place,
    terms: &'t [Term],
    size: f64,
}

enum Place {
    Source(Source),
    Relation(RelationId),
}

impl Engine {
    /// The plan of a rule whose head is known in the given columns.
    pub(super) fn plan(&mut self, rule: &Rule, columns: Columns) -> Result<Plan, InterpretError> {
        let mut bound = Bound::new(rule);
        let known = rule.head.args.iter().enumerate().filter(|&(column, _)| is_known(columns, column));
        let open = known
            .map(|(_, term)| self.matcher(term, &mut bound))
            .collect::<Result<Box<[Match]>, InterpretError>>()?;
        let mut left: Vec<&Literal> = rule.body.iter().collect();
        let mut steps = Vec::with_capacity(left.len());
        while !left.is_empty() {
            let at = self.choose(&left, &bound);
            let step = match left.remove(at) {
                Literal::Distinct(one, other, _) => Step::Differ(self.pattern(one)?, self.pattern(other)?),
                Literal::Same(one, other, _) => {
                    let (known, open) = if bound.covers(one) { (one, other) } else { (other, one) };
                    Step::Same(self.pattern(known)?, self.matcher(open, &mut bound)?)
                }
                Literal::Negative(atom) => Step::HoldsNot(self.lookup(atom, &mut bound)?),
                Literal::Positive(atom) => Step::Holds(self.lookup(atom, &mut bound)?),
            };
            steps.push(step);
        }
        let head = rule.head.args.iter().map(|term| self.pattern(term)).collect::<Result<_, _>>()?;
        Ok(Plan { variables: rule.variables.len(), open, steps: steps.into(), head })
    }

    /// The condition to look at next: a test if one is ready, else the one with the fewest answers.
    fn choose(&mut self, left: &[&Literal], bound: &Bound) -> usize {
        let is_ready = |literal: &&Literal| match literal {
            Literal::Distinct(one, other, _) => bound.covers(one) && bound.covers(other),
            Literal::Same(one, other, _) => bound.covers(one) || bound.covers(other),
            Literal::Negative(atom) => atom.args.iter().all(|term| bound.covers(term)),
            Literal::Positive(_) => false,
        };
        if let Some(ready) = left.iter().position(is_ready) {
            return ready;
        }
        let mut best = (f64::INFINITY, 0);
        for (at, literal) in left.iter().enumerate() {
            let Literal::Positive(atom) = literal else { continue };
            let target = self.target(atom);
            let known = target.terms.iter().filter(|term| bound.covers(term)).count();
            let open = (target.terms.len() - known) as f64;
            let is_derived = matches!(target.place, Place::Relation(_));
            let cost = match open {
                0.0 => f64::from(u8::from(is_derived)),
                _ => 2.0 + target.size.powf(open / target.terms.len() as f64),
            };
            if cost < best.0 {
                best = (cost, at);
            }
        }
        best.1
    }

    fn target<'t>(&mut self, atom: &'t Atom) -> Target<'t> {
        match self.program.rules.keyword(atom.name) {
            Some(Keyword::True) => match &atom.args[0] {
                Term::Function(name, args) => {
                    let store = self.fluents_named(*name);
                    Target { place: Place::Source(Source::Store(store)), terms: args, size: FLUENTS }
                }
                _ => {
                    let store = Source::Store(self.fluents);
                    Target { place: Place::Source(store), terms: &atom.args, size: 2.0 * FLUENTS }
                }
            },
            Some(Keyword::Does) => {
                let size = self.program.rules.roles.len() as f64;
                let store = Source::Store(self.does);
                Target { place: Place::Source(store), terms: &atom.args, size }
            }
            _ => {
                let relation = self.program.relation(atom.name);
                match self.facts[relation] {
                    Some(store) => {
                        let size = self.stores[store].rows.len() as f64;
                        let place = Place::Source(Source::Store(store));
                        Target { place, terms: &atom.args, size }
                    }
                    None => Target { place: Place::Relation(relation), terms: &atom.args, size: ANSWERS },
                }
            }
        }
    }

    fn lookup(&mut self, atom: &Atom, bound: &mut Bound) -> Result<Lookup, InterpretError> {
        let target = self.target(atom);
        let mut columns: Columns = 0;
        let mut key = Vec::new();
        let mut open = Vec::new();
        for (column, term) in target.terms.iter().enumerate() {
            if column < Columns::BITS as usize && bound.covers(term) {
                columns |= 1 << column;
                key.push(self.pattern(term)?);
            } else {
                open.push((column, term));
            }
        }
        let rest = open
            .into_iter()
            .map(|(column, term)| Ok((column, self.matcher(term, bound)?)))
            .collect::<Result<Box<[_]>, InterpretError>>()?;
        let source = match target.place {
            Place::Source(source) => source,
            Place::Relation(relation) => Source::Question(self.question(relation, columns)),
        };
        Ok(Lookup { source, arity: target.terms.len(), columns, key: key.into(), rest })
    }

    fn pattern(&mut self, term: &Term) -> Result<Pattern, InterpretError> {
        Ok(match term {
            Term::Symbol(symbol) => Pattern::Ground(self.terms.constant(*symbol)),
            Term::Variable(variable) => Pattern::Bound(*variable as usize),
            Term::Function(name, args) => {
                let args: Vec<Pattern> =
                    args.iter().map(|arg| self.pattern(arg)).collect::<Result<_, _>>()?;
                let name = self.terms.constant(*name);
                let mut row = vec![name];
                for arg in &args {
                    match arg {
                        Pattern::Ground(term) => row.push(*term),
                        _ => return Ok(Pattern::Function(name, args.into())),
                    }
                }
                Pattern::Ground(self.terms.make(&row)?)
            }
        })
    }

    fn matcher(&mut self, term: &Term, bound: &mut Bound) -> Result<Match, InterpretError> {
        Ok(match term {
            Term::Symbol(symbol) => Match::Equal(self.terms.constant(*symbol)),
            Term::Variable(variable) => {
                let at = *variable as usize;
                if bound.bind(*variable) { Match::Check(at) } else { Match::Bind(at) }
            }
            Term::Function(name, args) => {
                let args = args.iter().map(|arg| self.matcher(arg, bound)).collect::<Result<_, _>>()?;
                Match::Function(self.terms.constant(*name), args)
            }
        })
    }
}

fn is_known(columns: Columns, column: usize) -> bool {
    column < Columns::BITS as usize && columns >> column & 1 == 1
}

/// Whether these are all columns.
pub(super) fn are_all(columns: Columns, arity: usize) -> bool {
    columns.count_ones() as usize == arity
}
