//! Formulas to conjunctions of literals.
//!
//! A small formula becomes the members of its disjunctive normal form: an operator, conditional effect or
//! axiom for each. A large one gets an auxiliary derived atom, so that size never multiplies. A conjunction
//! of many disjunctions is named through its negation, one atom that says "something is violated", as Fast
//! Downward does for universal conditions; inside axioms this could close a cycle through a negation, so
//! there conjunctions stay as they are. Equal formulas share one atom.

use rustc_hash::FxHashMap;

use super::ground::Ground;
use crate::propositional::{Axiom, Literal, Propositional, tidy};

/// The largest number of conjunctions that one condition is split into.
const SPLIT: usize = 32;

/// What a condition belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// An operator, an effect or the goal.
    Step,
    /// The body of an axiom.
    Axiom,
}

/// Splits formulas and remembers the atoms it made for them.
#[derive(Debug, Default)]
pub(super) struct Splitter {
    steps: FxHashMap<Ground, Literal>,
    axioms: FxHashMap<Ground, Literal>,
}

impl Splitter {
    /// Conjunctions of which one holds whenever the formula does; each sorted and consistent.
    pub(super) fn split(
        &mut self,
        formula: &Ground,
        place: Place,
        out: &mut Propositional,
    ) -> Vec<Vec<Literal>> {
        match formula {
            _ if formula.disjuncts() <= SPLIT => formula.disjunctive(),
            // Each member of a disjunction is an axiom of its own, however many there are.
            Ground::Or(parts) if place == Place::Axiom => {
                parts.iter().flat_map(|part| self.split(part, place, out)).collect()
            }
            // Once a derived atom is needed, it may as well stand for all that is not a literal.
            Ground::And(parts) => {
                let is_literal = |part: &&Ground| matches!(part, Ground::Literal(_));
                let (mut simple, complex): (Vec<&Ground>, Vec<&Ground>) = parts.iter().partition(is_literal);
                let complex = Ground::and(complex.into_iter().cloned().collect());
                let named = self.literals(complex, place, out);
                simple.extend(&named);
                Ground::and(simple.into_iter().cloned().collect()).disjunctive()
            }
            _ => {
                let literal = self.literal(formula, place, out);
                vec![vec![literal]]
            }
        }
    }

    /// The formula as a conjunction of literals, whatever its size.
    pub(super) fn conjunction(
        &mut self,
        formula: &Ground,
        place: Place,
        out: &mut Propositional,
    ) -> Option<Vec<Literal>> {
        let (mut simple, mut complex) = (Vec::new(), Vec::new());
        let parts = match formula {
            Ground::And(parts) => &parts[..],
            other => std::slice::from_ref(other),
        };
        for part in parts {
            match part {
                Ground::Literal(literal) => simple.push(*literal),
                other => complex.push(other.clone()),
            }
        }
        for literal in self.literals(Ground::and(complex), place, out) {
            match literal {
                Ground::Literal(literal) => simple.push(literal),
                _ => return None,
            }
        }
        tidy(&mut simple).then_some(simple)
    }

    /// Literals that together stand for a formula that is not split.
    fn literals(&mut self, formula: Ground, place: Place, out: &mut Propositional) -> Vec<Ground> {
        match (&formula, place) {
            _ if formula.is_true() => Vec::new(),
            _ if formula.is_false() => vec![Ground::FALSE],
            (Ground::And(parts), Place::Axiom) => {
                parts.iter().map(|part| Ground::Literal(self.literal(part, place, out))).collect()
            }
            _ => vec![Ground::Literal(self.literal(&formula, place, out))],
        }
    }

    /// One literal that stands for a formula.
    fn literal(&mut self, formula: &Ground, place: Place, out: &mut Propositional) -> Literal {
        if let Ground::Literal(literal) = formula {
            return *literal;
        }
        let known = match place {
            Place::Step => &mut self.steps,
            Place::Axiom => &mut self.axioms,
        };
        if let Some(&literal) = known.get(formula) {
            return literal;
        }
        let literal = match formula {
            Ground::And(_) if place == Place::Step => self.literal(&formula.negated(), place, out).negated(),
            _ => {
                let atom = out.auxiliary();
                let parts = match formula {
                    Ground::Or(parts) => &parts[..],
                    other => std::slice::from_ref(other),
                };
                for part in parts {
                    for body in self.split(part, place, out) {
                        let body = out.store(&body);
                        out.axioms.push(Axiom { body, head: atom });
                    }
                }
                Literal::new(atom, true)
            }
        };
        let known = match place {
            Place::Step => &mut self.steps,
            Place::Axiom => &mut self.axioms,
        };
        known.insert(formula.clone(), literal);
        literal
    }
}
