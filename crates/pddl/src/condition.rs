//! Conditions: goals, preconditions, bodies of rules, conditions of effects.

use counterplay_syntax::{Expr, Items};

use crate::error::{Error, Kind};
use crate::expression::Place;
use crate::model::*;
use crate::number::{Read, read_number};
use crate::resolver::{Resolver, Scope};
use crate::typed_list::is_variable;

/// Whether a preference may stand here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Soft {
    /// Yes: only `and` and `forall` stand above.
    Allowed,
    Refused,
}

/// Modal operators of PDDL 3, unless a predicate has the name.
const TRAJECTORY: &[&str] = &[
    "always",
    "sometime",
    "within",
    "at-most-once",
    "sometime-after",
    "sometime-before",
    "always-within",
    "hold-during",
    "hold-after",
];

impl Resolver {
    /// A condition. `()` is true.
    pub(crate) fn condition(&mut self, scope: &mut Scope, expr: Expr<'_>, soft: Soft) -> Option<Condition> {
        let Some(mut list) = expr.list() else {
            self.errors.malformed("a condition", expr.span());
            return None;
        };
        let Some((head, items)) = list.next().map(|head| (head, list)) else {
            return Some(Condition::And(Vec::new()));
        };
        let Some(name) = head.atom() else {
            self.errors.malformed("a predicate or a connective", head.span());
            return None;
        };
        match name.to_ascii_lowercase().as_str() {
            "and" => self.conditions(scope, items, soft).map(Condition::And),
            "or" => self.conditions(scope, items, Soft::Refused).map(Condition::Or),
            "not" => self.negation(scope, expr, items),
            "imply" => self.implication(scope, expr, items),
            "exists" => self.quantified(scope, expr, items, Soft::Refused),
            "forall" => self.quantified(scope, expr, items, soft),
            "preference" => self.preference(scope, expr, items, soft),
            "=" => self.equality(scope, expr, items),
            "<" => self.comparison(scope, Comparison::Less, expr, items),
            "<=" => self.comparison(scope, Comparison::LessEqual, expr, items),
            ">=" => self.comparison(scope, Comparison::GreaterEqual, expr, items),
            ">" => self.comparison(scope, Comparison::Greater, expr, items),
            lower if TRAJECTORY.contains(&lower) && !self.predicates.contains_key(lower) => {
                self.errors.push(Error::Unsupported { feature: "trajectory constraints", at: expr.span() });
                None
            }
            _ => self.atom(scope, expr).map(|atom| Condition::Atom(atom, expr.span())),
        }
    }

    fn conditions(&mut self, scope: &mut Scope, items: Items<'_>, soft: Soft) -> Option<Vec<Condition>> {
        let mut parts = Some(Vec::new());
        for item in items {
            match (self.condition(scope, item, soft), &mut parts) {
                (Some(part), Some(parts)) => parts.push(part),
                (None, _) => parts = None,
                (Some(_), None) => {}
            }
        }
        parts
    }

    fn negation(&mut self, scope: &mut Scope, expr: Expr<'_>, items: Items<'_>) -> Option<Condition> {
        let [part] = self.exactly(expr, items, "`(not condition)`")?;
        let part = self.condition(scope, part, Soft::Refused)?;
        Some(Condition::Not(Box::new(part)))
    }

    fn implication(&mut self, scope: &mut Scope, expr: Expr<'_>, items: Items<'_>) -> Option<Condition> {
        let [premise, conclusion] = self.exactly(expr, items, "`(imply condition condition)`")?;
        let premise = self.condition(scope, premise, Soft::Refused);
        let conclusion = self.condition(scope, conclusion, Soft::Refused);
        Some(Condition::Or(vec![Condition::Not(Box::new(premise?)), conclusion?]))
    }

    fn quantified(
        &mut self,
        scope: &mut Scope,
        expr: Expr<'_>,
        items: Items<'_>,
        soft: Soft,
    ) -> Option<Condition> {
        let (quantifier, _, _) = expr.form()?;
        let universal = quantifier.atom().is_some_and(|name| name.eq_ignore_ascii_case("forall"));
        let [variables, part] = self.exactly(expr, items, "variables in parentheses and a condition")?;
        let Some(list) = variables.list() else {
            self.errors.malformed("variables in parentheses", variables.span());
            return None;
        };
        let mut variables = self.variables(scope, list);
        let part = self.condition(scope, part, soft);
        scope.leave(&mut variables);
        let part = Box::new(part.filter(|_| variables.sound)?);
        let of = if universal { Condition::Forall } else { Condition::Exists };
        Some(of(variables.ids, part))
    }

    /// `(preference name condition)` or `(preference condition)`
    fn preference(
        &mut self,
        scope: &mut Scope,
        expr: Expr<'_>,
        items: Items<'_>,
        soft: Soft,
    ) -> Option<Condition> {
        let parts: Vec<Expr<'_>> = items.take(3).collect();
        let (name, part) = match parts[..] {
            [part] => (String::new(), part),
            [name, part] if name.atom().is_some() => (name.atom().unwrap_or_default().to_lowercase(), part),
            _ => {
                self.errors.malformed("`(preference name condition)`", expr.span());
                return None;
            }
        };
        self.preferences.insert(name.clone());
        if soft == Soft::Refused {
            self.errors.push(Error::PreferencePlace { at: expr.span() });
        }
        let part = self.condition(scope, part, Soft::Refused)?;
        Some(Condition::Preference(name, Box::new(part), expr.span()))
    }

    /// `=` between terms or between numbers.
    fn equality(&mut self, scope: &mut Scope, expr: Expr<'_>, items: Items<'_>) -> Option<Condition> {
        let sides: Vec<Expr<'_>> = items.clone().take(3).collect();
        if sides.iter().any(|&side| self.is_broken_function(side)) {
            return None;
        }
        if sides.iter().any(|&side| self.is_numeric(side)) {
            return self.comparison(scope, Comparison::Equal, expr, items);
        }
        let [left, right] = self.exactly(expr, items, "two terms or two numbers")?;
        let (left, right) = (self.term(scope, left), self.term(scope, right));
        Some(Condition::Equal(left?, right?))
    }

    /// Whether one side of `=` can only be a number.
    fn is_numeric(&self, side: Expr<'_>) -> bool {
        let Some(text) = side.atom() else { return true };
        let lower = text.to_lowercase();
        if is_variable(text) || self.objects.contains_key(&lower) {
            return false;
        }
        read_number(text) != Read::No
            || self.functions.contains_key(&lower)
            || self.broken.contains(&(Kind::Function, lower))
    }

    fn comparison(
        &mut self,
        scope: &mut Scope,
        comparison: Comparison,
        expr: Expr<'_>,
        items: Items<'_>,
    ) -> Option<Condition> {
        let [left, right] = self.exactly(expr, items, "two numbers to compare")?;
        let left = self.expression(scope, left, Place::Action);
        let right = self.expression(scope, right, Place::Action);
        Some(Condition::Compare(comparison, left?, right?, expr.span()))
    }

    /// Exactly so many items.
    pub(crate) fn exactly<'t, const N: usize>(
        &mut self,
        expr: Expr<'_>,
        items: Items<'t>,
        expected: &'static str,
    ) -> Option<[Expr<'t>; N]> {
        let items: Vec<Expr<'t>> = items.take(N + 1).collect();
        let found = items.try_into().ok();
        if found.is_none() {
            self.errors.malformed(expected, expr.span());
        }
        found
    }
}
