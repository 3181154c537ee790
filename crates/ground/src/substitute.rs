//! Putting terms in the place of variables.

use counterplay_pddl::model::*;

/// What takes the place of each term.
#[derive(Clone, Copy)]
pub(crate) struct Substitution<'a>(pub(crate) &'a dyn Fn(Term) -> Term);

/// An object in the place of one variable.
pub(crate) fn object_for(variable: VariableId, object: ObjectId) -> impl Fn(Term) -> Term {
    move |term| if term == Term::Variable(variable) { Term::Object(object) } else { term }
}

impl Substitution<'_> {
    fn terms(self, terms: &[Term]) -> Vec<Term> {
        terms.iter().map(|&term| (self.0)(term)).collect()
    }

    fn atom(self, atom: &Atom) -> Atom {
        Atom { predicate: atom.predicate, arguments: self.terms(&atom.arguments) }
    }

    /// The function with other arguments.
    pub(crate) fn fluent(self, fluent: &Fluent) -> Fluent {
        Fluent { function: fluent.function, arguments: self.terms(&fluent.arguments) }
    }

    /// A quantified variable that gets another number keeps being quantified.
    fn bound(self, variables: &[VariableId]) -> Vec<VariableId> {
        let renumber = |&variable: &VariableId| match (self.0)(Term::Variable(variable)) {
            Term::Variable(other) => other,
            Term::Object(_) => variable,
        };
        variables.iter().map(renumber).collect()
    }

    /// The condition with other terms.
    pub(crate) fn condition(self, condition: &Condition) -> Condition {
        let all = |parts: &[Condition]| parts.iter().map(|part| self.condition(part)).collect();
        let inside = |part: &Condition| Box::new(self.condition(part));
        match condition {
            Condition::And(parts) => Condition::And(all(parts)),
            Condition::Or(parts) => Condition::Or(all(parts)),
            Condition::Not(part) => Condition::Not(inside(part)),
            Condition::Exists(bound, part) => Condition::Exists(self.bound(bound), inside(part)),
            Condition::Forall(bound, part) => Condition::Forall(self.bound(bound), inside(part)),
            Condition::Atom(atom, at) => Condition::Atom(self.atom(atom), *at),
            Condition::Equal(left, right) => Condition::Equal((self.0)(*left), (self.0)(*right)),
            Condition::Compare(comparison, left, right, at) => {
                Condition::Compare(*comparison, self.expression(left), self.expression(right), *at)
            }
            Condition::Preference(name, part, at) => Condition::Preference(name.clone(), inside(part), *at),
        }
    }

    /// The expression with other terms.
    pub(crate) fn expression(self, expression: &Expression) -> Expression {
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

    /// The effect with other terms.
    pub(crate) fn effect(self, effect: &Effect) -> Effect {
        let all = |parts: &[Effect]| parts.iter().map(|part| self.effect(part)).collect();
        match effect {
            Effect::And(parts) => Effect::And(all(parts)),
            Effect::OneOf(parts, nature) => Effect::OneOf(all(parts), nature.clone()),
            Effect::Forall(bound, part) => Effect::Forall(self.bound(bound), Box::new(self.effect(part))),
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
