//! What a ground action costs.
//!
//! Only `(increase (total-cost) e)` counts, and `e` must not depend on the state, so it is a number once the
//! action's parameters are known. Arithmetic is exact. Where `e` asks for a value that the problem does not
//! give, or divides by zero, it is undefined, and the action cannot be applied. If the problem gives no value at all for
//! a function that an action needs, that is taken for a mistake and refused.

use counterplay_base::{Id, IdVec};
use counterplay_pddl::model::{Expression, FunctionId, Number, Problem, VariableId};
use counterplay_syntax::Span;
use num_traits::{CheckedAdd, CheckedDiv, CheckedMul, CheckedSub, Signed, Zero};
use rustc_hash::FxHashMap;

use crate::datalog::{Symbol, Term};
use crate::lifted::{LiftedAction, LiftedCost, NormalisedProblem, symbol, term};
use crate::{Error, Feature};

/// Why there is no number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NoCost {
    /// The action cannot be applied.
    Undefined,
    /// The function has no value for any arguments, so that its values were forgotten.
    Valueless(FunctionId, Span),
    /// The number is too large.
    Overflow(Span),
    /// The cost is less than nothing.
    Negative(Number, Span),
}

/// The values of functions at the start, which are all the values they ever have.
#[derive(Debug)]
pub(super) struct Costs<'a> {
    lifted: &'a NormalisedProblem<'a>,
    values: IdVec<FunctionId, FxHashMap<Vec<Symbol>, Number>>,
    tuple: Vec<Symbol>,
}

impl<'a> Costs<'a> {
    /// Refuses costs that depend on the state.
    pub(super) fn new(lifted: &'a NormalisedProblem<'a>) -> Result<Costs<'a>, Error> {
        let problem = lifted.problem;
        if lifted.has_metric {
            let costs = lifted.actions.iter().flat_map(|action| &action.costs);
            costs.into_iter().try_for_each(|cost| refuse_changing(problem, &cost.amount))?;
        }
        let mut values: IdVec<FunctionId, FxHashMap<Vec<Symbol>, Number>> =
            problem.functions.iter().map(|_| FxHashMap::default()).collect();
        for (fluent, value) in &problem.values {
            let arguments = fluent.arguments.iter().map(|&object| symbol(object)).collect();
            values[fluent.function].insert(arguments, *value);
        }
        Ok(Costs { lifted, values, tuple: Vec::new() })
    }

    /// The problem whose costs these are.
    pub(super) fn problem(&self) -> &Problem {
        self.lifted.problem
    }

    /// The cost of an action with these parameters. Variables of the binding after the parameters are
    /// scratch.
    pub(super) fn of(&mut self, action: &LiftedAction, binding: &mut [Symbol]) -> Result<Number, NoCost> {
        if !self.lifted.has_metric {
            return self.uncounted(action, binding);
        }
        let mut sum = Number::zero();
        for cost in &action.costs {
            let amount = self.over_all(action, cost, &cost.variables, binding)?;
            if amount.is_negative() {
                return Err(NoCost::Negative(amount, cost.at));
            }
            sum = sum.checked_add(&amount).ok_or(NoCost::Overflow(cost.at))?;
        }
        Ok(sum)
    }

    /// One for each action: costs do not count without a metric, but one without a value makes the action impossible.
    fn uncounted(&mut self, action: &LiftedAction, binding: &mut [Symbol]) -> Result<Number, NoCost> {
        for cost in &action.costs {
            if refuse_changing(self.lifted.problem, &cost.amount).is_ok()
                && let Err(problem @ (NoCost::Undefined | NoCost::Valueless(..))) =
                    self.over_all(action, cost, &cost.variables, binding)
            {
                return Err(problem);
            }
        }
        Ok(Number::from_integer(1))
    }

    /// The sum over all values of the variables that `forall` puts around a cost.
    fn over_all(
        &mut self,
        action: &LiftedAction,
        cost: &LiftedCost,
        variables: &[VariableId],
        binding: &mut [Symbol],
    ) -> Result<Number, NoCost> {
        let Some((&first, rest)) = variables.split_first() else {
            return self.value(&cost.amount, cost.at, binding);
        };
        let mut sum = Number::zero();
        for &object in &self.lifted.sorts[action.variables[first]] {
            binding[first.index()] = symbol(object);
            let amount = self.over_all(action, cost, rest, binding)?;
            sum = sum.checked_add(&amount).ok_or(NoCost::Overflow(cost.at))?;
        }
        Ok(sum)
    }

    fn value(&mut self, expression: &Expression, at: Span, binding: &[Symbol]) -> Result<Number, NoCost> {
        let overflow = NoCost::Overflow(at);
        match expression {
            Expression::Number(number) => Ok(*number),
            Expression::Fluent(fluent, at) => {
                let values = &self.values[fluent.function];
                if values.is_empty() {
                    return Err(NoCost::Valueless(fluent.function, *at));
                }
                self.tuple.clear();
                self.tuple.extend(fluent.arguments.iter().map(|&argument| match term(argument) {
                    Term::Symbol(symbol) => symbol,
                    Term::Variable(variable) => binding[variable as usize],
                }));
                values.get(&self.tuple[..]).copied().ok_or(NoCost::Undefined)
            }
            Expression::Add(parts) => parts.iter().try_fold(Number::zero(), |sum, part| {
                sum.checked_add(&self.value(part, at, binding)?).ok_or(overflow)
            }),
            Expression::Multiply(parts) => parts.iter().try_fold(Number::from_integer(1), |product, part| {
                product.checked_mul(&self.value(part, at, binding)?).ok_or(overflow)
            }),
            Expression::Subtract(left, right) => {
                let (left, right) = (self.value(left, at, binding)?, self.value(right, at, binding)?);
                left.checked_sub(&right).ok_or(overflow)
            }
            Expression::Divide(left, right) => {
                let (left, right) = (self.value(left, at, binding)?, self.value(right, at, binding)?);
                if right.is_zero() {
                    return Err(NoCost::Undefined);
                }
                left.checked_div(&right).ok_or(overflow)
            }
            Expression::Negate(inner) => {
                Number::zero().checked_sub(&self.value(inner, at, binding)?).ok_or(overflow)
            }
            // The resolver lets these stand in metrics only.
            Expression::IsViolated(..) | Expression::TotalTime(_) => Err(NoCost::Undefined),
        }
    }
}

/// All numbers but `total-cost` keep their values, since effects on them are refused.
fn refuse_changing(problem: &Problem, amount: &Expression) -> Result<(), Error> {
    match amount {
        Expression::Fluent(fluent, at) if problem.functions[fluent.function].name == "total-cost" => {
            Err(Error::unsupported(Feature::StateDependentCost, *at))
        }
        Expression::Add(parts) | Expression::Multiply(parts) => {
            parts.iter().try_for_each(|part| refuse_changing(problem, part))
        }
        Expression::Subtract(left, right) | Expression::Divide(left, right) => {
            refuse_changing(problem, left)?;
            refuse_changing(problem, right)
        }
        Expression::Negate(inner) => refuse_changing(problem, inner),
        _ => Ok(()),
    }
}
