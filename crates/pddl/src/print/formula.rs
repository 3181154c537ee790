//! Conditions, effects and expressions as PDDL.

use counterplay_base::IdVec;

use crate::model::*;
use crate::number::number_text;

/// Values for some of the variables of a schema; variables beyond its end have none.
pub type Binding = IdVec<VariableId, Option<ObjectId>>;

/// Writes formulas over the variables of one schema.
#[derive(Clone, Copy, Debug)]
pub struct Printer<'p> {
    problem: &'p Problem,
    schema: &'p Schema,
    binding: Option<&'p Binding>,
}

impl<'p> Printer<'p> {
    /// Variables print as their names.
    pub fn new(problem: &'p Problem, schema: &'p Schema) -> Printer<'p> {
        Printer { problem, schema, binding: None }
    }

    /// Variables that have a value print as that object.
    pub fn bound(self, binding: &'p Binding) -> Printer<'p> {
        Printer { binding: Some(binding), ..self }
    }

    pub fn condition(&self, condition: &Condition) -> String {
        let all = |word: &str, parts: &[Condition]| list(word, parts.iter().map(|part| self.condition(part)));
        match condition {
            Condition::And(parts) => all("and", parts),
            Condition::Or(parts) => all("or", parts),
            Condition::Not(part) => format!("(not {})", self.condition(part)),
            Condition::Exists(variables, part) => self.quantified("exists", variables, self.condition(part)),
            Condition::Forall(variables, part) => self.quantified("forall", variables, self.condition(part)),
            Condition::Atom(atom, _) => self.atom(atom),
            Condition::Equal(left, right) => format!("(= {} {})", self.term(*left), self.term(*right)),
            Condition::Compare(comparison, left, right, _) => {
                format!("({} {} {})", comparison.symbol(), self.expression(left), self.expression(right))
            }
            Condition::Preference(name, part, _) if name.is_empty() => {
                format!("(preference {})", self.condition(part))
            }
            Condition::Preference(name, part, _) => format!("(preference {name} {})", self.condition(part)),
        }
    }

    pub fn effect(&self, effect: &Effect) -> String {
        let all = |word: &str, parts: &[Effect]| list(word, parts.iter().map(|part| self.effect(part)));
        match effect {
            Effect::And(parts) => all("and", parts),
            Effect::OneOf(parts, Nature { odds: None, .. }) => all("oneof", parts),
            Effect::OneOf(parts, Nature { odds: Some(odds), .. }) => {
                let pairs = odds.iter().zip(parts);
                list("probabilistic", pairs.map(|(odds, part)| format!("{odds} {}", self.effect(part))))
            }
            Effect::Forall(variables, part) => self.quantified("forall", variables, self.effect(part)),
            Effect::When(condition, part) => {
                format!("(when {} {})", self.condition(condition), self.effect(part))
            }
            Effect::Add(atom, _) => self.atom(atom),
            Effect::Delete(atom, _) => format!("(not {})", self.atom(atom)),
            Effect::Change(change, fluent, value, _) => {
                format!("({} {} {})", change.word(), self.fluent(fluent), self.expression(value))
            }
        }
    }

    pub fn expression(&self, expression: &Expression) -> String {
        let all =
            |word: &str, parts: &[Expression]| list(word, parts.iter().map(|part| self.expression(part)));
        match expression {
            Expression::Number(number) => number_text(*number),
            Expression::Fluent(fluent, _) => self.fluent(fluent),
            Expression::Add(parts) => all("+", parts),
            Expression::Multiply(parts) => all("*", parts),
            Expression::Subtract(left, right) => {
                format!("(- {} {})", self.expression(left), self.expression(right))
            }
            Expression::Divide(left, right) => {
                format!("(/ {} {})", self.expression(left), self.expression(right))
            }
            Expression::Negate(part) => format!("(- {})", self.expression(part)),
            Expression::IsViolated(name, _) => format!("(is-violated {name})"),
            Expression::TotalTime(_) => "(total-time)".to_owned(),
        }
    }

    /// A predicate applied to terms.
    pub fn atom(&self, atom: &Atom) -> String {
        self.application(&self.problem.predicates[atom.predicate].name, &atom.arguments)
    }

    /// A function applied to terms.
    pub fn fluent(&self, fluent: &Fluent) -> String {
        self.application(&self.problem.functions[fluent.function].name, &fluent.arguments)
    }

    fn application(&self, name: &str, arguments: &[Term]) -> String {
        list(name, arguments.iter().map(|&argument| self.term(argument).to_owned()))
    }

    pub(super) fn term(&self, term: Term) -> &'p str {
        let bound = |variable| self.binding.and_then(|binding| *binding.get(variable)?);
        match term {
            Term::Object(object) => &self.problem.objects[object].name,
            Term::Variable(variable) => match bound(variable) {
                Some(object) => &self.problem.objects[object].name,
                None => &self.schema.variables[variable].name,
            },
        }
    }

    fn quantified(&self, word: &str, variables: &[VariableId], part: String) -> String {
        format!("({word} ({}) {part})", self.variables(variables.iter().copied()))
    }

    /// A typed list of variables.
    pub(super) fn variables(&self, variables: impl IntoIterator<Item = VariableId>) -> String {
        let one = |id| {
            let Variable { name, types, .. } = &self.schema.variables[id];
            format!("{name} - {}", self.problem.types_text(types))
        };
        variables.into_iter().map(one).collect::<Vec<_>>().join(" ")
    }
}

impl Comparison {
    /// The comparison as PDDL writes it.
    pub fn symbol(self) -> &'static str {
        match self {
            Comparison::Less => "<",
            Comparison::LessEqual => "<=",
            Comparison::Equal => "=",
            Comparison::GreaterEqual => ">=",
            Comparison::Greater => ">",
        }
    }
}

impl Change {
    /// The change as PDDL writes it.
    pub fn word(self) -> &'static str {
        match self {
            Change::Assign => "assign",
            Change::Increase => "increase",
            Change::Decrease => "decrease",
            Change::ScaleUp => "scale-up",
            Change::ScaleDown => "scale-down",
        }
    }
}

/// `(head part part)`
pub(super) fn list(head: &str, parts: impl IntoIterator<Item = String>) -> String {
    let mut text = format!("({head}");
    for part in parts {
        text.push(' ');
        text.push_str(&part);
    }
    text.push(')');
    text
}
