//! Putting an object in the place of a variable.

use counterplay_pddl::model::*;

/// A variable and the object that takes its place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Substitution {
    pub(super) variable: VariableId,
    pub(super) object: ObjectId,
}

impl Substitution {
    fn term(self, term: Term) -> Term {
        if term == Term::Variable(self.variable) { Term::Object(self.object) } else { term }
    }

    fn terms(self, terms: &[Term]) -> Vec<Term> {
        terms.iter().map(|&term| self.term(term)).collect()
    }

    fn atom(self, atom: &Atom) -> Atom {
        Atom { predicate: atom.predicate, arguments: self.terms(&atom.arguments) }
    }

    fn fluent(self, fluent: &Fluent) -> Fluent {
        Fluent { function: fluent.function, arguments: self.terms(&fluent.arguments) }
    }

    fn condition(self, condition: &Condition) -> Condition {
        let all = |parts: &[Condition]| parts.iter().map(|part| self.condition(part)).collect();
        let inside = |part: &Condition| Box::new(self.condition(part));
        match condition {
            Condition::And(parts) => Condition::And(all(parts)),
            Condition::Or(parts) => Condition::Or(all(parts)),
            Condition::Not(part) => Condition::Not(inside(part)),
            Condition::Exists(bound, part) => Condition::Exists(bound.clone(), inside(part)),
            Condition::Forall(bound, part) => Condition::Forall(bound.clone(), inside(part)),
            Condition::Atom(atom, at) => Condition::Atom(self.atom(atom), *at),
            Condition::Equal(left, right) => Condition::Equal(self.term(*left), self.term(*right)),
            Condition::Compare(comparison, left, right, at) => {
                Condition::Compare(*comparison, self.expression(left), self.expression(right), *at)
            }
            Condition::Preference(name, part, at) => Condition::Preference(name.clone(), inside(part), *at),
        }
    }

    fn expression(self, expression: &Expression) -> Expression {
        let all = |parts: &[Expression]| parts.iter().map(|part| self.expression(part)).collect();
        let inside = |part: &Expression| Box::new(self.expression(part));
        match expression {
            Expression::Fluent(fluent, at) => Expression::Fluent(self.fluent(fluent), *at),
            Expression::Add(parts) => Expression::Add(all(parts)),
            Expression::Multiply(parts) => Expression::Multiply(all(parts)),
            Expression::Subtract(left, right) => Expression::Subtract(inside(left), inside(right)),
            Expression::Divide(left, right) => Expression::Divide(inside(left), inside(right)),
            Expression::Negate(part) => Expression::Negate(inside(part)),
            Expression::Number(_) | Expression::IsViolated(..) | Expression::TotalTime(_) => {
                expression.clone()
            }
        }
    }

    /// The effect with the object in the variable's place.
    pub(super) fn effect(self, effect: &Effect) -> Effect {
        let all = |parts: &[Effect]| parts.iter().map(|part| self.effect(part)).collect();
        match effect {
            Effect::And(parts) => Effect::And(all(parts)),
            Effect::OneOf(parts, at) => Effect::OneOf(all(parts), *at),
            Effect::Forall(bound, part) => Effect::Forall(bound.clone(), Box::new(self.effect(part))),
            Effect::When(condition, part) => {
                Effect::When(self.condition(condition), Box::new(self.effect(part)))
            }
            Effect::Add(atom, at) => Effect::Add(self.atom(atom), *at),
            Effect::Delete(atom, at) => Effect::Delete(self.atom(atom), *at),
            Effect::Change(change, fluent, value, at) => {
                Effect::Change(*change, self.fluent(fluent), self.expression(value), *at)
            }
        }
    }
}
