//! A metric as a sum of weighted terms.

use std::collections::BTreeMap;

use counterplay_pddl::model::*;
use counterplay_syntax::Span;
use num_traits::{CheckedAdd, CheckedDiv, CheckedMul, One, Zero};
use rustc_hash::FxHashSet;

use super::{fluent_text, objects};
use crate::{Error, Feature};

/// A constant plus weights for everything that plans decide.
#[derive(Clone, Debug, Default)]
pub(super) struct Linear {
    pub(super) constant: Number,
    /// For each preference name.
    pub(super) violations: BTreeMap<String, Number>,
    /// For each number that actions change, and where the metric names it. None of them has arguments.
    pub(super) numbers: BTreeMap<FunctionId, (Number, Span)>,
    /// For each step.
    pub(super) time: Number,
}

impl Linear {
    /// Takes a metric apart. Numbers that never change are constants, and others count from their first value.
    pub(super) fn of_metric(
        problem: &Problem,
        metric: &Metric,
        changed: &FxHashSet<FunctionId>,
    ) -> Result<Linear, Error> {
        let reader = LinearReader { problem, changed, at: metric.at };
        let mut linear = reader.read(&metric.value)?;
        for (&function, &(weight, at)) in &linear.numbers {
            let start = reader.start(function, &[], at)?;
            let worth = start.checked_mul(&weight);
            let sum = worth.and_then(|worth| linear.constant.checked_add(&worth));
            linear.constant = sum.ok_or(Error::WeightOverflow { at: metric.at })?;
        }
        Ok(linear)
    }

    fn number(constant: Number) -> Linear {
        Linear { constant, ..Linear::default() }
    }

    fn is_constant(&self) -> bool {
        self.violations.is_empty() && self.numbers.is_empty() && self.time.is_zero()
    }

    fn add(mut self, other: Linear) -> Option<Linear> {
        self.constant = self.constant.checked_add(&other.constant)?;
        self.time = self.time.checked_add(&other.time)?;
        for (name, weight) in other.violations {
            let sum = self.violations.entry(name).or_insert_with(Number::zero);
            *sum = sum.checked_add(&weight)?;
        }
        for (function, (weight, at)) in other.numbers {
            let sum = &mut self.numbers.entry(function).or_insert((Number::zero(), at)).0;
            *sum = sum.checked_add(&weight)?;
        }
        Some(self)
    }

    fn scale(mut self, by: Number) -> Option<Linear> {
        self.constant = self.constant.checked_mul(&by)?;
        self.time = self.time.checked_mul(&by)?;
        for weight in self.violations.values_mut() {
            *weight = weight.checked_mul(&by)?;
        }
        for (weight, _) in self.numbers.values_mut() {
            *weight = weight.checked_mul(&by)?;
        }
        Some(self)
    }
}

struct LinearReader<'a> {
    problem: &'a Problem,
    changed: &'a FxHashSet<FunctionId>,
    at: Span,
}

impl LinearReader<'_> {
    fn read(&self, expression: &Expression) -> Result<Linear, Error> {
        let fits = |linear: Option<Linear>| linear.ok_or(Error::WeightOverflow { at: self.at });
        match expression {
            Expression::Number(number) => Ok(Linear::number(*number)),
            Expression::IsViolated(name, _) => {
                let violations = BTreeMap::from([(name.clone(), Number::one())]);
                Ok(Linear { violations, ..Linear::default() })
            }
            Expression::TotalTime(_) => Ok(Linear { time: Number::one(), ..Linear::default() }),
            Expression::Fluent(fluent, at) => self.fluent(fluent, *at),
            Expression::Add(parts) => parts.iter().try_fold(Linear::default(), |sum, part| {
                let part = self.read(part)?;
                fits(sum.add(part))
            }),
            Expression::Negate(part) => fits(self.read(part)?.scale(-Number::one())),
            Expression::Subtract(left, right) => {
                let (left, right) = (self.read(left)?, self.read(right)?);
                fits(right.scale(-Number::one()).and_then(|right| left.add(right)))
            }
            Expression::Multiply(parts) => {
                let mut product = Linear::number(Number::one());
                for part in parts {
                    let part = self.read(part)?;
                    product = match (product.is_constant(), part.is_constant()) {
                        (_, true) => fits(product.scale(part.constant))?,
                        (true, false) => fits(part.scale(product.constant))?,
                        (false, false) => return Err(self.nonlinear("multiplies what plans decide")),
                    };
                }
                Ok(product)
            }
            Expression::Divide(left, right) => {
                let (left, right) = (self.read(left)?, self.read(right)?);
                if !right.is_constant() {
                    return Err(self.nonlinear("divides by what plans decide"));
                }
                if right.constant.is_zero() {
                    return Err(self.nonlinear("divides by zero"));
                }
                let by = Number::one().checked_div(&right.constant);
                fits(by.and_then(|by| left.scale(by)))
            }
        }
    }

    fn nonlinear(&self, what: &'static str) -> Error {
        Error::NonlinearMetric { what, at: self.at }
    }

    fn fluent(&self, fluent: &Fluent, at: Span) -> Result<Linear, Error> {
        if !self.changed.contains(&fluent.function) {
            let arguments = objects(&fluent.arguments);
            return Ok(Linear::number(self.start(fluent.function, &arguments, at)?));
        }
        if !fluent.arguments.is_empty() {
            return Err(Error::unsupported(Feature::StateMetric, at));
        }
        let numbers = BTreeMap::from([(fluent.function, (Number::one(), at))]);
        Ok(Linear { numbers, ..Linear::default() })
    }

    /// The value at the start.
    fn start(&self, function: FunctionId, arguments: &[ObjectId], at: Span) -> Result<Number, Error> {
        let is_it = |fluent: &GroundFluent| fluent.function == function && fluent.arguments == arguments;
        let found = self.problem.values.iter().find(|(fluent, _)| is_it(fluent));
        match found {
            Some((_, value)) => Ok(*value),
            // A cost that is not mentioned starts with nothing.
            None if self.problem.functions[function].name == "total-cost" => Ok(Number::zero()),
            None => {
                let fluent = fluent_text(self.problem, function, arguments);
                Err(Error::UndefinedMetric { fluent, at })
            }
        }
    }
}

/// Calls `see` with the name of each preference that an expression counts.
pub(super) fn visit_violations(expression: &Expression, see: &mut dyn FnMut(&str)) {
    match expression {
        Expression::IsViolated(name, _) => see(name),
        Expression::Add(parts) | Expression::Multiply(parts) => {
            parts.iter().for_each(|part| visit_violations(part, see));
        }
        Expression::Subtract(left, right) | Expression::Divide(left, right) => {
            visit_violations(left, see);
            visit_violations(right, see);
        }
        Expression::Negate(part) => visit_violations(part, see),
        Expression::Number(_) | Expression::Fluent(..) | Expression::TotalTime(_) => {}
    }
}
