//! Formulas with negations at the atoms only.

use counterplay_pddl::model::{Atom, Condition, Term, VariableId};

use crate::{Error, Feature};

/// A formula in negation normal form.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Formula {
    /// All of them; without members: true.
    And(Vec<Formula>),
    /// One of them; without members: false.
    Or(Vec<Formula>),
    /// An atom holds (`true`) or does not.
    Literal(Atom, bool),
    /// Two terms are the same object (`true`) or are not.
    Equal(Term, Term, bool),
    /// For some values of the variables.
    Exists(Vec<VariableId>, Box<Formula>),
    /// For all values of the variables.
    Forall(Vec<VariableId>, Box<Formula>),
}

impl Formula {
    /// The formula that always holds.
    pub(crate) const TRUE: Formula = Formula::And(Vec::new());

    /// Moves negations to the atoms. Recursion is bounded by the nesting limit of the reader.
    pub(crate) fn new(condition: &Condition) -> Result<Formula, Error> {
        Formula::of(condition, true)
    }

    fn of(condition: &Condition, positive: bool) -> Result<Formula, Error> {
        Ok(match condition {
            Condition::And(parts) => Formula::join(parts, positive, positive)?,
            Condition::Or(parts) => Formula::join(parts, !positive, positive)?,
            Condition::Not(inner) => Formula::of(inner, !positive)?,
            Condition::Exists(variables, inner) | Condition::Forall(variables, inner) => {
                let inner = Formula::of(inner, positive)?;
                if matches!(condition, Condition::Exists(..)) == positive {
                    Formula::exists(variables, inner)
                } else {
                    Formula::exists(variables, inner.negated()).negated()
                }
            }
            Condition::Atom(atom, _) => Formula::Literal(atom.clone(), positive),
            Condition::Equal(left, right) => Formula::equality(*left, *right, positive),
            Condition::Compare(_, _, _, at) => {
                return Err(Error::unsupported(Feature::NumericCondition, *at));
            }
            Condition::Preference(_, _, at) => return Err(Error::unsupported(Feature::Preference, *at)),
        })
    }

    fn join(parts: &[Condition], all: bool, positive: bool) -> Result<Formula, Error> {
        let parts = parts.iter().map(|part| Formula::of(part, positive)).collect::<Result<Vec<_>, _>>()?;
        Ok(if all { Formula::and(parts) } else { Formula::or(parts) })
    }

    /// A conjunction, flat and without constants.
    pub(crate) fn and(parts: Vec<Formula>) -> Formula {
        let mut flat = Vec::with_capacity(parts.len());
        for part in parts {
            match part {
                Formula::And(inner) => flat.extend(inner),
                Formula::Or(inner) if inner.is_empty() => return Formula::Or(Vec::new()),
                other => flat.push(other),
            }
        }
        only(flat, Formula::And)
    }

    /// A disjunction, flat and without constants.
    fn or(parts: Vec<Formula>) -> Formula {
        let mut flat = Vec::with_capacity(parts.len());
        for part in parts {
            match part {
                Formula::Or(inner) => flat.extend(inner),
                Formula::And(inner) if inner.is_empty() => return Formula::TRUE,
                other => flat.push(other),
            }
        }
        only(flat, Formula::Or)
    }

    /// For some values of the variables. Quantifiers are moved inwards as far as they go, so that variables
    /// which never meet in an atom are not multiplied with each other.
    fn exists(variables: &[VariableId], inner: Formula) -> Formula {
        match inner {
            Formula::Or(parts) => {
                Formula::or(parts.into_iter().map(|part| Formula::exists(variables, part)).collect())
            }
            Formula::And(mut parts) => {
                let mut left: Vec<VariableId> = variables.to_vec();
                // A variable that few conjuncts mention takes them along; the rest need not know of it.
                while let Some(at) = fewest_mentions(&left, &parts) {
                    let variable = left.remove(at);
                    let (inside, outside): (Vec<_>, Vec<_>) =
                        parts.into_iter().partition(|part| part.free_variables().contains(&variable));
                    parts = outside;
                    parts.push(Formula::Exists(vec![variable], Box::new(Formula::and(inside))));
                }
                Formula::and(parts)
            }
            other => Formula::Exists(variables.to_vec(), Box::new(other)),
        }
    }

    fn equality(left: Term, right: Term, positive: bool) -> Formula {
        let decided = match (left, right) {
            (Term::Object(a), Term::Object(b)) => Some(a == b),
            _ => (left == right).then_some(true),
        };
        match decided {
            None => Formula::Equal(left, right, positive),
            Some(truth) if truth == positive => Formula::TRUE,
            Some(_) => Formula::Or(Vec::new()),
        }
    }

    /// The contrary, again in negation normal form.
    pub(crate) fn negated(&self) -> Formula {
        match self {
            Formula::And(parts) => Formula::or(parts.iter().map(Formula::negated).collect()),
            Formula::Or(parts) => Formula::and(parts.iter().map(Formula::negated).collect()),
            Formula::Literal(atom, positive) => Formula::Literal(atom.clone(), !positive),
            Formula::Equal(left, right, positive) => Formula::Equal(*left, *right, !positive),
            Formula::Exists(variables, inner) => {
                Formula::Forall(variables.clone(), Box::new(inner.negated()))
            }
            Formula::Forall(variables, inner) => {
                Formula::Exists(variables.clone(), Box::new(inner.negated()))
            }
        }
    }

    /// The members of a conjunction; the formula itself if it is none.
    pub(crate) fn conjuncts(&self) -> &[Formula] {
        match self {
            Formula::And(parts) => parts,
            other => std::slice::from_ref(other),
        }
    }

    /// Variables that occur and are not bound by a quantifier inside, each once.
    pub(crate) fn free_variables(&self) -> Vec<VariableId> {
        let mut found = Vec::new();
        self.find_free(&mut Vec::new(), &mut found);
        found.sort_unstable();
        found.dedup();
        found
    }

    fn find_free(&self, bound: &mut Vec<VariableId>, found: &mut Vec<VariableId>) {
        let mut see = |term: &Term| {
            if let Term::Variable(variable) = term
                && !bound.contains(variable)
            {
                found.push(*variable);
            }
        };
        match self {
            Formula::And(parts) | Formula::Or(parts) => {
                parts.iter().for_each(|part| part.find_free(bound, found));
            }
            Formula::Literal(atom, _) => atom.arguments.iter().for_each(see),
            Formula::Equal(left, right, _) => {
                see(left);
                see(right);
            }
            Formula::Exists(variables, inner) | Formula::Forall(variables, inner) => {
                let depth = bound.len();
                bound.extend(variables);
                inner.find_free(bound, found);
                bound.truncate(depth);
            }
        }
    }
}

/// The position of the variable that the fewest conjuncts mention.
fn fewest_mentions(variables: &[VariableId], parts: &[Formula]) -> Option<usize> {
    let free: Vec<Vec<VariableId>> = parts.iter().map(Formula::free_variables).collect();
    let mentions = |variable: &VariableId| free.iter().filter(|free| free.contains(variable)).count();
    (0..variables.len()).min_by_key(|&at| mentions(&variables[at]))
}

fn only(mut parts: Vec<Formula>, join: fn(Vec<Formula>) -> Formula) -> Formula {
    if parts.len() == 1 { parts.remove(0) } else { join(parts) }
}

#[cfg(test)]
mod tests {
    use counterplay_base::Id;
    use counterplay_pddl::model::PredicateId;
    use counterplay_syntax::{FileId, Span};

    use super::*;

    fn atom(predicate: usize, variable: usize) -> Condition {
        let arguments = vec![Term::Variable(VariableId::new(variable))];
        let at = Span { file: FileId::new(0), start: 0, end: 0 };
        Condition::Atom(Atom { predicate: PredicateId::new(predicate), arguments }, at)
    }

    fn not(inner: Condition) -> Condition {
        Condition::Not(Box::new(inner))
    }

    #[test]
    fn negations_and_quantifiers_move_inwards() {
        let x = VariableId::new(1);
        let inner = Condition::Or(vec![not(atom(0, 0)), Condition::And(vec![atom(1, 1), atom(2, 0)])]);
        let written = not(Condition::Exists(vec![x], Box::new(inner)));
        let formula = Formula::new(&written).expect("nothing unsupported");
        let literal = |predicate, variable| Formula::new(&atom(predicate, variable)).expect("an atom");
        let expected = Formula::And(vec![
            Formula::Forall(vec![x], Box::new(literal(0, 0))),
            Formula::Or(vec![
                literal(2, 0).negated(),
                Formula::Forall(vec![x], Box::new(literal(1, 1).negated())),
            ]),
        ]);
        assert_eq!(formula, expected);
        assert_eq!(formula.negated().negated(), formula);
        assert_eq!(formula.free_variables(), [VariableId::new(0)]);
    }

    #[test]
    fn constants_disappear() {
        let object = |i| Term::Object(counterplay_pddl::model::ObjectId::new(i));
        let never = Condition::Equal(object(0), object(1));
        let formula = Formula::new(&Condition::And(vec![atom(0, 0), not(never.clone())]));
        assert_eq!(formula.expect("fine"), Formula::new(&atom(0, 0)).expect("an atom"));
        let formula = Formula::new(&Condition::And(vec![atom(0, 0), never]));
        assert_eq!(formula.expect("fine"), Formula::Or(vec![]));
    }
}
