//! Effects.

use counterplay_syntax::{Expr, Items};

use crate::condition::Soft;
use crate::error::Error;
use crate::expression::Place;
use crate::model::*;
use crate::resolver::{Resolver, Scope};

impl Resolver {
    /// An effect. `()` does nothing.
    pub(crate) fn effect(&mut self, scope: &mut Scope, expr: Expr<'_>) -> Option<Effect> {
        let Some(mut list) = expr.list() else {
            self.errors.malformed("an effect", expr.span());
            return None;
        };
        let Some((head, items)) = list.next().map(|head| (head, list)) else {
            return Some(Effect::And(Vec::new()));
        };
        let Some(name) = head.atom() else {
            self.errors.malformed("a predicate or a kind of effect", head.span());
            return None;
        };
        match name.to_ascii_lowercase().as_str() {
            "and" => self.effects(scope, items).map(Effect::And),
            "oneof" => {
                let parts = self.effects(scope, items)?;
                if parts.is_empty() {
                    self.errors.malformed("at least one outcome", expr.span());
                    return None;
                }
                Some(Effect::OneOf(parts, expr.span()))
            }
            "forall" => self.universal_effect(scope, expr, items),
            "when" => self.conditional_effect(scope, expr, items),
            "not" => self.delete_effect(scope, expr, items),
            "assign" => self.change(scope, Change::Assign, expr, items),
            "increase" => self.change(scope, Change::Increase, expr, items),
            "decrease" => self.change(scope, Change::Decrease, expr, items),
            "scale-up" => self.change(scope, Change::ScaleUp, expr, items),
            "scale-down" => self.change(scope, Change::ScaleDown, expr, items),
            "probabilistic" if !self.predicates.contains_key("probabilistic") => {
                self.errors.push(Error::Unsupported { feature: "probabilistic effects", at: expr.span() });
                None
            }
            _ => self.literal(scope, expr).map(|atom| Effect::Add(atom, expr.span())),
        }
    }

    fn effects(&mut self, scope: &mut Scope, items: Items<'_>) -> Option<Vec<Effect>> {
        let mut parts = Some(Vec::new());
        for item in items {
            match (self.effect(scope, item), &mut parts) {
                (Some(part), Some(parts)) => parts.push(part),
                (None, _) => parts = None,
                (Some(_), None) => {}
            }
        }
        parts
    }

    fn universal_effect(&mut self, scope: &mut Scope, expr: Expr<'_>, items: Items<'_>) -> Option<Effect> {
        let [variables, part] = self.exactly(expr, items, "variables in parentheses and an effect")?;
        let Some(list) = variables.list() else {
            self.errors.malformed("variables in parentheses", variables.span());
            return None;
        };
        let mut variables = self.variables(scope, list);
        let part = self.effect(scope, part);
        scope.leave(&mut variables);
        Some(Effect::Forall(variables.ids, Box::new(part.filter(|_| variables.sound)?)))
    }

    fn conditional_effect(&mut self, scope: &mut Scope, expr: Expr<'_>, items: Items<'_>) -> Option<Effect> {
        let [condition, part] = self.exactly(expr, items, "`(when condition effect)`")?;
        let condition = self.condition(scope, condition, Soft::Refused);
        let part = self.effect(scope, part);
        Some(Effect::When(condition?, Box::new(part?)))
    }

    fn delete_effect(&mut self, scope: &mut Scope, expr: Expr<'_>, items: Items<'_>) -> Option<Effect> {
        let [atom] = self.exactly(expr, items, "`(not atom)`")?;
        self.literal(scope, atom).map(|deleted| Effect::Delete(deleted, expr.span()))
    }

    /// An atom that an effect may set: no derived one.
    fn literal(&mut self, scope: &Scope, expr: Expr<'_>) -> Option<Atom> {
        let atom = self.atom(scope, expr)?;
        if let Some(&rule) = self.rules.get(&atom.predicate) {
            let name = self.problem.predicates[atom.predicate].name.clone();
            self.errors.push(Error::DerivedSet { name, at: expr.span(), rule });
            return None;
        }
        Some(atom)
    }

    fn change(&mut self, scope: &Scope, change: Change, expr: Expr<'_>, items: Items<'_>) -> Option<Effect> {
        let [fluent, value] = self.exactly(expr, items, "a function and a number")?;
        if self.is_broken_function(fluent) {
            return None;
        }
        let fluent = self.fluent(scope, fluent);
        let value = self.expression(scope, value, Place::Action);
        Some(Effect::Change(change, fluent?, value?, expr.span()))
    }
}
