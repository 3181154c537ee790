//! Problems whose outcomes have probabilities (PPDDL).
//!
//! Numbers that only count, `total-cost` and `reward`, are taken out of the effects before anything is grounded and become the costs of
//! outcomes afterwards, in the problem's own units: what is earned is a negative cost.

use counterplay_base::{Budget, IdVec, Progress};
use counterplay_pddl::model::*;
use counterplay_syntax::Span;
use counterplay_task::{OddsTask, OpId, START};
use num_traits::{CheckedAdd, CheckedDiv, CheckedMul, CheckedSub, Signed, Zero};
use rustc_hash::FxHashMap;

use super::expand::{add_start, outcomes_with_odds};
use super::gather;
use crate::metric::visit_changes;
use crate::{Clock, Error, Feature, Figures, Options, finite, h2, simplify};

/// The common denominator of the odds of an action has at most so many bits.
const MOST_BITS: u32 = 100;

/// What one outcome of an action with variables does beside its atoms.
struct Side {
    odds: Number,
    /// What it costs: amounts with their signs.
    costs: Vec<(bool, Expression, Span)>,
}

/// Grounds a problem with the probabilities and costs of its outcomes. With `uniform` the outcomes of `oneof` are equally likely, else
/// they are refused.
pub fn ground_odds(
    problem: &Problem,
    uniform: bool,
    options: &Options,
    budget: &Budget,
    progress: &dyn Progress,
) -> Result<(OddsTask, Figures), Error> {
    crate::refuse_hidden(problem)?;
    if !uniform {
        refuse_unknown_odds(problem)?;
    }
    let counted = Counted::new(problem)?;
    let mut clock = Clock { figures: Figures::default(), since: std::time::Instant::now(), progress };
    let (plain, sides) = determinise(problem, &counted)?;
    let expected: FxHashMap<String, usize> =
        sides.iter().map(|(name, it)| (name.clone(), it.len())).collect();
    let mut task = finite(&plain, &[], true, &mut clock, budget)?;
    clock.begin("simplify");
    simplify::simplify_outcomes(&mut task, options.keep_irrelevant, budget)?;
    let (mut nondet, outcomes) = gather(task, &expected, options.keep_irrelevant);
    if options.h2 {
        clock.begin("h2");
        clock.figures.h2 = h2::list_unreachable(&mut nondet.task, options, budget)?;
    }
    clock.figures.measure(&nondet.task);
    let pricing = Pricing::new(problem, &counted);
    let (mut odds, mut costs) = (IdVec::new(), IdVec::new());
    for choice in &nondet.choices {
        let (name, arguments) = choice.name.split_once(' ').unwrap_or((&choice.name, ""));
        for op in choice.operators() {
            let side = &sides[name][outcomes[op]];
            let _: OpId = odds.push(side.odds);
            let _: OpId = costs.push(pricing.cost(name, arguments, side)?);
        }
    }
    Ok((OddsTask { nondet, odds, costs }, clock.end()))
}

/// Choices of which the text does not tell the odds.
fn refuse_unknown_odds(problem: &Problem) -> Result<(), Error> {
    let mut unknown = problem.init_choices.first().map(|choice| choice.at);
    for action in &problem.actions {
        action.effect.visit_choices(&mut |nature| {
            if nature.odds.is_none() {
                unknown.get_or_insert(nature.at);
            }
        });
    }
    unknown.map_or(Ok(()), |at| Err(Error::UnknownOdds { at }))
}

/// Which number is counted, and with which sign; none if every action costs one.
struct Counted {
    function: Option<(FunctionId, bool)>,
}

impl Counted {
    fn new(problem: &Problem) -> Result<Counted, Error> {
        let Some(metric) = &problem.metric else { return Ok(Counted { function: None }) };
        let counts = |function: FunctionId| is_counter(problem, function);
        match &metric.value {
            Expression::Fluent(fluent, _) if counts(fluent.function) => {
                Ok(Counted { function: Some((fluent.function, metric.maximize)) })
            }
            // The probability of the goal is an objective, not a number of the problem.
            _ => Err(Error::unsupported(Feature::Metric, metric.at)),
        }
    }
}

fn is_counter(problem: &Problem, function: FunctionId) -> bool {
    let function = &problem.functions[function];
    function.parameters.is_empty() && ["total-cost", "reward"].contains(&function.name.as_str())
}

type Sides = FxHashMap<String, Vec<Side>>;

/// An action without numbers for each outcome, and what else the outcomes do.
fn determinise(problem: &Problem, counted: &Counted) -> Result<(Problem, Sides), Error> {
    let mut plain = problem.clone();
    plain.metric = None;
    if !plain.init_choices.is_empty() {
        add_start(&mut plain);
    }
    let mut sides = Sides::default();
    let actions = std::mem::take(&mut plain.actions);
    for action in &actions {
        let fine = || Error::FineOdds { action: action.name.clone(), at: action.at };
        let mut own = Vec::new();
        for (number, (effect, odds)) in outcomes_with_odds(&plain, action)?.into_iter().enumerate() {
            let mut costs = Vec::new();
            let effect = strip(problem, counted, &effect, false, &mut costs)?;
            own.push(Side { odds: odds.ok_or_else(fine)?, costs });
            let name = format!("{};{number}", action.name);
            plain.actions.push(Action { name, effect, ..action.clone() });
        }
        if !fit_together(own.iter().map(|side| side.odds)) {
            return Err(fine());
        }
        sides.insert(action.name.clone(), own);
    }
    Ok((plain, sides))
}

/// Whether fractions have a common denominator that leaves room for sums.
fn fit_together(odds: impl Iterator<Item = Number>) -> bool {
    let mut common = 1i128;
    for odds in odds {
        let factor = odds.denom() / gcd(common, *odds.denom());
        match common.checked_mul(factor) {
            Some(more) if 128 - more.leading_zeros() <= MOST_BITS => common = more,
            _ => return false,
        }
    }
    true
}

fn gcd(mut one: i128, mut other: i128) -> i128 {
    while other != 0 {
        (one, other) = (other, one % other);
    }
    one
}

/// An effect without the numbers that only count; the changes of the one that matters are noted.
fn strip(
    problem: &Problem,
    counted: &Counted,
    effect: &Effect,
    inside: bool,
    costs: &mut Vec<(bool, Expression, Span)>,
) -> Result<Effect, Error> {
    Ok(match effect {
        Effect::And(parts) => {
            let parts = parts.iter().map(|part| strip(problem, counted, part, inside, costs));
            Effect::And(parts.collect::<Result<_, Error>>()?)
        }
        Effect::Forall(variables, part) => {
            Effect::Forall(variables.clone(), Box::new(strip(problem, counted, part, true, costs)?))
        }
        Effect::When(condition, part) => {
            Effect::When(condition.clone(), Box::new(strip(problem, counted, part, true, costs)?))
        }
        Effect::Change(change, fluent, value, at) if is_counter(problem, fluent.function) => {
            if let Some((function, maximize)) = counted.function
                && function == fluent.function
            {
                if inside {
                    return Err(Error::unsupported(Feature::ConditionalCost, *at));
                }
                match change {
                    Change::Increase => costs.push((maximize, value.clone(), *at)),
                    Change::Decrease => costs.push((!maximize, value.clone(), *at)),
                    _ => return Err(Error::unsupported(Feature::NumericEffect, *at)),
                }
            }
            Effect::And(Vec::new())
        }
        Effect::Add(..) | Effect::Delete(..) | Effect::Change(..) | Effect::OneOf(..) => effect.clone(),
    })
}

/// Costs of ground outcomes.
struct Pricing<'a> {
    problem: &'a Problem,
    counts: bool,
    objects: FxHashMap<&'a str, ObjectId>,
    values: FxHashMap<(FunctionId, Vec<ObjectId>), Number>,
}

impl<'a> Pricing<'a> {
    fn new(problem: &'a Problem, counted: &Counted) -> Pricing<'a> {
        let values = problem.values.iter();
        Pricing {
            problem,
            counts: counted.function.is_some(),
            objects: problem.objects.enumerate().map(|(id, it)| (it.name.as_str(), id)).collect(),
            values: values
                .map(|(fluent, value)| ((fluent.function, fluent.arguments.clone()), *value))
                .collect(),
        }
    }

    fn cost(&self, name: &str, arguments: &str, side: &Side) -> Result<Number, Error> {
        if name == START {
            return Ok(Number::zero());
        }
        if !self.counts {
            return Ok(Number::from(1));
        }
        let binding: Vec<ObjectId> = arguments.split_whitespace().map(|name| self.objects[name]).collect();
        let mut sum = Number::zero();
        for (earned, amount, at) in &side.costs {
            let operator = || format!("{name} {arguments}").trim_end().to_owned();
            let too_large = || Error::CostOverflow { operator: operator(), at: *at };
            let value = self.value(amount, &binding).map_err(|trouble| match trouble {
                Trouble::Overflow => too_large(),
                Trouble::NoValue(function, at) => {
                    let function = self.problem.functions[function].name.clone();
                    Error::Valueless { operator: operator(), function, at }
                }
                Trouble::Division => Error::unsupported(Feature::StateDependentCost, *at),
            })?;
            let value = if *earned { -value } else { value };
            sum = sum.checked_add(&value).ok_or_else(too_large)?;
        }
        Ok(sum)
    }

    fn value(&self, expression: &Expression, binding: &[ObjectId]) -> Result<Number, Trouble> {
        let value = |part: &Expression| self.value(part, binding);
        match expression {
            Expression::Number(number) => Ok(*number),
            Expression::Fluent(fluent, at) => {
                let object = |term: &Term| match term {
                    Term::Object(object) => *object,
                    Term::Variable(variable) => binding[counterplay_base::Id::index(*variable)],
                };
                let arguments: Vec<ObjectId> = fluent.arguments.iter().map(object).collect();
                let found = self.values.get(&(fluent.function, arguments)).copied();
                found.ok_or(Trouble::NoValue(fluent.function, *at))
            }
            Expression::Add(parts) => parts.iter().try_fold(Number::zero(), |sum, part| {
                sum.checked_add(&value(part)?).ok_or(Trouble::Overflow)
            }),
            Expression::Multiply(parts) => parts.iter().try_fold(Number::from(1), |product, part| {
                product.checked_mul(&value(part)?).ok_or(Trouble::Overflow)
            }),
            Expression::Subtract(left, right) => {
                value(left)?.checked_sub(&value(right)?).ok_or(Trouble::Overflow)
            }
            Expression::Divide(left, right) => {
                let right = value(right)?;
                if right.is_zero() {
                    return Err(Trouble::Division);
                }
                value(left)?.checked_div(&right).ok_or(Trouble::Overflow)
            }
            Expression::Negate(part) => Ok(-value(part)?),
            Expression::IsViolated(..) | Expression::TotalTime(_) => Err(Trouble::Division),
        }
    }
}

/// Why an amount is no number.
enum Trouble {
    Overflow,
    NoValue(FunctionId, Span),
    Division,
}

/// Whether some action may earn something, from the look of it.
pub fn may_earn(problem: &Problem) -> bool {
    let Some(metric) = &problem.metric else { return false };
    let mut found = false;
    for action in &problem.actions {
        visit_changes(&action.effect, false, &mut |change, fluent, value, _, _| {
            let is_less = matches!(value, Expression::Number(number) if number.is_negative());
            let grows = (change == Change::Increase) != is_less;
            let is_known = matches!(value, Expression::Number(_));
            found |= is_counter(problem, fluent.function) && (!is_known || grows == metric.maximize);
        });
    }
    found
}
