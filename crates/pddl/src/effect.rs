//! Effects.

use counterplay_syntax::{Expr, Items};
use num_traits::CheckedAdd;

use crate::condition::Soft;
use crate::error::Error;
use crate::expression::Place;
use crate::model::*;
use crate::number::read_fraction;
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
                Some(Effect::OneOf(parts, Nature::unknown(expr.span())))
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
                self.probabilistic(scope, expr, items)
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

    /// `(probabilistic 1/2 (p) 0.3 (q))`: what is missing to one does nothing.
    fn probabilistic(&mut self, scope: &mut Scope, expr: Expr<'_>, items: Items<'_>) -> Option<Effect> {
        let items: Vec<Expr<'_>> = items.collect();
        if items.is_empty() || items.len() % 2 == 1 {
            self.errors.malformed("pairs of a probability and an effect", expr.span());
            return None;
        }
        let (mut odds, mut parts, mut sum) = (Vec::new(), Vec::new(), Number::from(0));
        let mut is_sound = true;
        for pair in items.chunks(2) {
            let probability = self.probability(pair[0]);
            let effect = self.effect(scope, pair[1]);
            let (Some(probability), Some(effect)) = (probability, effect) else {
                is_sound = false;
                continue;
            };
            let Some(more) = sum.checked_add(&probability) else {
                self.errors.malformed("probabilities with fewer digits", expr.span());
                return None;
            };
            sum = more;
            // What never happens is no outcome.
            if probability > Number::from(0) {
                odds.push(probability);
                parts.push(effect);
            }
        }
        if sum > Number::from(1) {
            self.errors.push(Error::Odds { sum: sum.to_string(), at: expr.span() });
            return None;
        }
        if sum < Number::from(1) {
            odds.push(Number::from(1) - sum);
            parts.push(Effect::And(Vec::new()));
        }
        is_sound.then_some(Effect::OneOf(parts, Nature { at: expr.span(), odds: Some(odds) }))
    }

    /// A number from zero to one, also as a fraction such as `1/3`.
    fn probability(&mut self, expr: Expr<'_>) -> Option<Number> {
        let read = expr.atom().and_then(read_fraction);
        let probability = read.filter(|it| *it >= Number::from(0) && *it <= Number::from(1));
        if probability.is_none() {
            self.errors.malformed("a probability from 0 to 1, such as `0.25` or `1/4`", expr.span());
        }
        probability
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
