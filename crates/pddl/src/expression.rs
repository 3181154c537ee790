//! Numeric expressions.

use counterplay_syntax::{Expr, Items};

use crate::error::{Error, Kind};
use crate::model::*;
use crate::number::{DIGIT_LIMIT, Read, read_number};
use crate::resolver::{Resolver, Scope};
use crate::typed_list::is_variable;

/// Where an expression stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// In a condition or effect.
    Action,
    /// In the metric, where violations can be counted.
    Metric,
}

impl Resolver {
    pub(crate) fn expression(&mut self, scope: &Scope, expr: Expr<'_>, place: Place) -> Option<Expression> {
        if let Some(text) = expr.atom() {
            match read_number(text) {
                Read::Number(number) => return Some(Expression::Number(number)),
                Read::TooLong => {
                    self.errors.push(Error::LongNumber { limit: DIGIT_LIMIT, at: expr.span() });
                    return None;
                }
                Read::No if place == Place::Metric && text.eq_ignore_ascii_case("total-time") => {
                    return Some(Expression::TotalTime(expr.span()));
                }
                Read::No if is_variable(text) || self.objects.contains_key(&text.to_lowercase()) => {
                    self.errors.malformed("a number, not an object", expr.span());
                    return None;
                }
                Read::No => {}
            }
        }
        let Some((_, head, items)) = expr.form() else {
            return self.fluent(scope, expr).map(|fluent| Expression::Fluent(fluent, expr.span()));
        };
        match head {
            "+" | "*" | "-" | "/" => self.arithmetic(scope, expr, head, items, place),
            _ if place == Place::Metric && head.eq_ignore_ascii_case("is-violated") => {
                self.is_violated(expr, items)
            }
            _ if place == Place::Metric && head.eq_ignore_ascii_case("total-time") => {
                Some(Expression::TotalTime(expr.span()))
            }
            _ => self.fluent(scope, expr).map(|fluent| Expression::Fluent(fluent, expr.span())),
        }
    }

    fn arithmetic(
        &mut self,
        scope: &Scope,
        expr: Expr<'_>,
        operator: &str,
        items: Items<'_>,
        place: Place,
    ) -> Option<Expression> {
        let mut operands = Vec::new();
        let mut count = 0;
        for item in items {
            count += 1;
            operands.extend(self.expression(scope, item, place));
        }
        let allowed = match operator {
            "+" | "*" => count >= 1,
            "-" => count == 1 || count == 2,
            _ => count == 2,
        };
        if !allowed {
            let expected = match operator {
                "+" | "*" => "at least one operand",
                "-" => "one or two operands",
                _ => "two operands",
            };
            self.errors.malformed(expected, expr.span());
            return None;
        }
        if operands.len() < count {
            return None;
        }
        Some(match operator {
            "+" => Expression::Add(operands),
            "*" => Expression::Multiply(operands),
            _ => {
                let last = Box::new(operands.pop()?);
                match (operator, operands.pop()) {
                    ("-", Some(first)) => Expression::Subtract(Box::new(first), last),
                    (_, Some(first)) => Expression::Divide(Box::new(first), last),
                    (_, None) => Expression::Negate(last),
                }
            }
        })
    }

    /// `(is-violated name)`
    fn is_violated(&mut self, expr: Expr<'_>, mut items: Items<'_>) -> Option<Expression> {
        let (Some(name), None) = (items.next(), items.next()) else {
            self.errors.malformed("`(is-violated name)`", expr.span());
            return None;
        };
        let Some(text) = name.atom() else {
            self.errors.malformed("the name of a preference", name.span());
            return None;
        };
        let lower = text.to_lowercase();
        if !self.preferences.contains(&lower) {
            self.unknown(Kind::Preference, text, name.span(), &[]);
            return None;
        }
        Some(Expression::IsViolated(lower, expr.span()))
    }
}
