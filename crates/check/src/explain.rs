//! Why a condition does not hold: its smallest part that is to blame.

use std::fmt;

use counterplay_pddl::model::*;
use counterplay_pddl::print::{Binding, Printer, number_text};
use counterplay_syntax::Span;

use crate::evaluate::{Query, Trouble, View, ground_fluent};

/// A condition that does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unmet {
    /// The condition as PDDL, variables replaced by objects.
    pub condition: String,
    /// Where it stands, if that is a single place.
    pub at: Option<Span>,
    /// The numbers it compares: each function with its value, `None` if it has none.
    pub values: Vec<(String, Option<Number>)>,
}

impl fmt::Display for Unmet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` does not hold", self.condition)?;
        for (i, (fluent, value)) in self.values.iter().enumerate() {
            f.write_str(if i == 0 { ": " } else { ", " })?;
            match value {
                Some(value) => write!(f, "{fluent} is {}", number_text(*value))?,
                None => write!(f, "{fluent} has no value")?,
            }
        }
        Ok(())
    }
}

impl View<'_> {
    /// The part to blame for a condition that does not have the wanted value.
    pub(crate) fn unmet(
        &self,
        condition: &Condition,
        wanted: bool,
        binding: &mut Binding,
    ) -> Result<Unmet, Trouble> {
        match condition {
            Condition::Not(part) => self.unmet(part, !wanted, binding),
            // Where all parts are needed, the first missing one is to blame.
            Condition::And(parts) if wanted => self.first_unmet(condition, parts, wanted, binding),
            Condition::Or(parts) if !wanted => self.first_unmet(condition, parts, wanted, binding),
            // Where one is needed and there is just one, too.
            Condition::And(parts) | Condition::Or(parts) if parts.len() == 1 => {
                self.unmet(&parts[0], wanted, binding)
            }
            Condition::Forall(variables, part) if wanted => {
                self.failing_instance(variables, part, wanted, binding)
            }
            Condition::Exists(variables, part) if !wanted => {
                self.failing_instance(variables, part, wanted, binding)
            }
            _ => Ok(self.blame(condition, wanted, binding)),
        }
    }

    fn first_unmet(
        &self,
        whole: &Condition,
        parts: &[Condition],
        wanted: bool,
        binding: &mut Binding,
    ) -> Result<Unmet, Trouble> {
        for part in parts {
            if !self.holds(part, wanted, binding)? {
                return self.unmet(part, wanted, binding);
            }
        }
        Ok(self.blame(whole, wanted, binding))
    }

    fn failing_instance(
        &self,
        variables: &[VariableId],
        part: &Condition,
        wanted: bool,
        binding: &mut Binding,
    ) -> Result<Unmet, Trouble> {
        let mut found = None;
        let query = Query { condition: part, wanted, found: false };
        self.instances(variables, query, binding, &mut |binding| {
            found = Some(self.unmet(part, wanted, binding)?);
            Ok(true)
        })?;
        Ok(found.unwrap_or_else(|| self.blame(part, wanted, binding)))
    }

    /// A condition as it stands.
    fn blame(&self, condition: &Condition, wanted: bool, binding: &Binding) -> Unmet {
        let text = Printer::new(self.world.problem, self.schema).bound(binding).condition(condition);
        let at = match condition {
            Condition::Atom(_, at) | Condition::Compare(_, _, _, at) | Condition::Preference(_, _, at) => {
                Some(*at)
            }
            _ => None,
        };
        let mut values = Vec::new();
        if let Condition::Compare(_, left, right, _) = condition {
            self.fluents(left, binding, &mut values);
            self.fluents(right, binding, &mut values);
        }
        Unmet { condition: if wanted { text } else { format!("(not {text})") }, at, values }
    }

    /// The functions of an expression with their values.
    fn fluents(
        &self,
        expression: &Expression,
        binding: &Binding,
        values: &mut Vec<(String, Option<Number>)>,
    ) {
        match expression {
            Expression::Fluent(fluent, _) => {
                let text = Printer::new(self.world.problem, self.schema).bound(binding).fluent(fluent);
                let value = self.state.values.get(&ground_fluent(fluent, binding)).copied();
                if !values.iter().any(|(known, _)| *known == text) {
                    values.push((text, value));
                }
            }
            Expression::Add(parts) | Expression::Multiply(parts) => {
                parts.iter().for_each(|part| self.fluents(part, binding, values));
            }
            Expression::Subtract(left, right) | Expression::Divide(left, right) => {
                self.fluents(left, binding, values);
                self.fluents(right, binding, values);
            }
            Expression::Negate(part) => self.fluents(part, binding, values),
            Expression::Number(_) | Expression::IsViolated(..) | Expression::TotalTime(_) => {}
        }
    }
}
