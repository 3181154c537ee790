//! Expressions whose parameters have values, ready to be evaluated for many values of their numbers.

use counterplay_pddl::model::*;
use counterplay_syntax::Span;
use num_traits::{CheckedAdd, CheckedDiv, CheckedMul, CheckedSub, One, Zero};

/// An expression over slots.
#[derive(Clone, Debug)]
pub(crate) enum Code {
    Number(Number),
    /// A number that changes.
    Slot(usize),
    Add(Vec<Code>),
    Multiply(Vec<Code>),
    Subtract(Box<Code>, Box<Code>),
    Divide(Box<Code>, Box<Code>),
}

/// The least and the greatest value, where there is one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Range {
    pub(crate) least: Option<Number>,
    pub(crate) greatest: Option<Number>,
}

impl Code {
    /// Translates an expression. `fluent` says what a function applied to terms is; `None` if it has no value.
    pub(crate) fn new(
        expression: &Expression,
        fluent: &mut dyn FnMut(&Fluent) -> Option<Code>,
    ) -> Option<Code> {
        let mut all = |parts: &[Expression]| {
            parts.iter().map(|part| Code::new(part, fluent)).collect::<Option<Vec<Code>>>()
        };
        Some(match expression {
            Expression::Number(number) => Code::Number(*number),
            Expression::Add(parts) => Code::Add(all(parts)?),
            Expression::Multiply(parts) => Code::Multiply(all(parts)?),
            Expression::Fluent(function, _) => fluent(function)?,
            Expression::Subtract(left, right) => {
                Code::Subtract(Box::new(Code::new(left, fluent)?), Box::new(Code::new(right, fluent)?))
            }
            Expression::Divide(left, right) => {
                Code::Divide(Box::new(Code::new(left, fluent)?), Box::new(Code::new(right, fluent)?))
            }
            Expression::Negate(part) => {
                let zero = Code::Number(Number::zero());
                Code::Subtract(Box::new(zero), Box::new(Code::new(part, fluent)?))
            }
            // The resolver lets these stand in metrics only.
            Expression::IsViolated(..) | Expression::TotalTime(_) => return None,
        })
    }

    /// The value for values of the slots; `None` if one of them is undefined, or the result has no exact value.
    pub(crate) fn value(&self, slots: &[Option<Number>]) -> Option<Number> {
        match self {
            Code::Number(number) => Some(*number),
            Code::Slot(slot) => slots[*slot],
            Code::Add(parts) => {
                parts.iter().try_fold(Number::zero(), |sum, part| sum.checked_add(&part.value(slots)?))
            }
            Code::Multiply(parts) => {
                parts.iter().try_fold(Number::one(), |product, part| product.checked_mul(&part.value(slots)?))
            }
            Code::Subtract(left, right) => left.value(slots)?.checked_sub(&right.value(slots)?),
            Code::Divide(left, right) => {
                let right = right.value(slots)?;
                if right.is_zero() { None } else { left.value(slots)?.checked_div(&right) }
            }
        }
    }

    /// Bounds of the value, given bounds of the slots; no more is said than sums and differences tell.
    pub(crate) fn range(&self, slots: &[Range]) -> Range {
        let plus = |a: Option<Number>, b: Option<Number>| a.zip(b).and_then(|(a, b)| a.checked_add(&b));
        let minus = |a: Option<Number>, b: Option<Number>| a.zip(b).and_then(|(a, b)| a.checked_sub(&b));
        match self {
            Code::Number(number) => Range { least: Some(*number), greatest: Some(*number) },
            Code::Slot(slot) => slots[*slot],
            Code::Add(parts) => {
                let zero = Some(Number::zero());
                parts.iter().fold(Range { least: zero, greatest: zero }, |sum, part| {
                    let part = part.range(slots);
                    Range { least: plus(sum.least, part.least), greatest: plus(sum.greatest, part.greatest) }
                })
            }
            Code::Subtract(left, right) => {
                let (left, right) = (left.range(slots), right.range(slots));
                Range {
                    least: minus(left.least, right.greatest),
                    greatest: minus(left.greatest, right.least),
                }
            }
            Code::Multiply(_) | Code::Divide(..) => Range::default(),
        }
    }
}

/// Whether a comparison of two numbers holds.
pub(crate) fn compare(comparison: Comparison, left: Number, right: Number) -> bool {
    match comparison {
        Comparison::Less => left < right,
        Comparison::LessEqual => left <= right,
        Comparison::Equal => left == right,
        Comparison::GreaterEqual => left >= right,
        Comparison::Greater => left > right,
    }
}

/// Calls `see` for every function in an expression.
pub(crate) fn visit_fluents(expression: &Expression, see: &mut dyn FnMut(&Fluent, Span)) {
    match expression {
        Expression::Fluent(fluent, at) => see(fluent, *at),
        Expression::Add(parts) | Expression::Multiply(parts) => {
            parts.iter().for_each(|part| visit_fluents(part, see));
        }
        Expression::Subtract(left, right) | Expression::Divide(left, right) => {
            visit_fluents(left, see);
            visit_fluents(right, see);
        }
        Expression::Negate(part) => visit_fluents(part, see),
        Expression::Number(_) | Expression::IsViolated(..) | Expression::TotalTime(_) => {}
    }
}
