//! The metric, compiled: costs of actions, and soft goals with weights.
//!
//! A linear metric over preferences, growing numbers and constants becomes one function that actions increase and a
//! list of preferences for the end, each with a price for going without (Kissmann 2012, section 7.3: minimise the cost of
//! actions plus that of violated preferences; to maximise is to minimise the contrary). A preference under `forall`
//! is one preference for each instance. One in a precondition is counted at each application: its action becomes two,
//! one that needs the condition and one that pays instead.

mod linear;
mod preferences;

use std::borrow::Cow;
use std::collections::BTreeMap;

use counterplay_base::{Budget, Id, IdVec};
use counterplay_pddl::model::*;
use counterplay_syntax::Span;
use num_rational::Ratio;
use num_traits::{CheckedAdd, CheckedMul, Signed, Zero};
use rustc_hash::FxHashSet;

use crate::numbers::visit_fluents;
use crate::{Error, Feature};
use linear::Linear;
use preferences::{Found, gather};

/// The function that the costs of actions are gathered in; no PDDL text can contain its name.
pub(crate) const COST: &str = ";cost";

/// More preferences in one precondition would multiply the action too often.
const MOST_IN_PRECONDITION: usize = 6;

/// A preference for the end, over the variables of the goal, and what it costs to go without.
#[derive(Clone, Debug)]
pub(crate) struct Preference {
    pub(crate) condition: Condition,
    pub(crate) weight: Number,
}

/// A problem without preferences, whose metric is a sum of action costs, and the preferences beside it.
pub(crate) struct MetricFreeProblem<'p> {
    pub(crate) problem: Cow<'p, Problem>,
    pub(crate) preferences: Vec<Preference>,
}

/// How costs of the finite task translate to the problem's own metric.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompiledMetric {
    /// Whether more is better.
    pub maximize: bool,
    /// What the metric changes by for each violation of a preference, by name.
    pub weights: BTreeMap<String, Number>,
    /// The metric of a plan that costs nothing and violates nothing.
    pub constant: Number,
}

impl CompiledMetric {
    /// The metric of a plan that costs so many units, violated soft goals included; `None` if it does not fit.
    pub fn of_units(&self, units: u64, unit: Ratio<i128>) -> Option<Number> {
        let cost = unit.checked_mul(&Number::from_integer(i128::from(units)))?;
        self.constant.checked_add(&if self.maximize { -cost } else { cost })
    }
}

/// How costs translate to the problem's metric; `None` without a metric.
pub fn metric_of(problem: &Problem, budget: &Budget) -> Result<Option<CompiledMetric>, Error> {
    if problem.metric.is_none() {
        return Ok(None);
    }
    let mut compiler = MetricCompiler::new(problem)?;
    compiler.preferences(budget)?;
    let MetricCompiler { maximize, linear: Linear { constant, violations: weights, .. }, .. } = compiler;
    Ok(Some(CompiledMetric { maximize, weights, constant }))
}

/// Whether the problem asks for a net benefit: it has preferences, or a metric other than the cost of its actions.
pub fn is_net_benefit(problem: &Problem) -> bool {
    !has_plain_metric(problem) || soft_conditions(problem).any(preferences::has_preference)
}

/// The named preferences that the metric does not mention, and where they stand: violating them costs nothing.
pub fn unweighed_preferences(problem: &Problem) -> Vec<(String, Span)> {
    let mut weighted = Vec::new();
    if let Some(metric) = &problem.metric {
        linear::visit_violations(&metric.value, &mut |name| weighted.push(name.to_owned()));
    }
    let mut found = Vec::new();
    for condition in soft_conditions(problem) {
        preferences::visit_names(condition, &mut |name, at| {
            if !weighted.iter().any(|known| known == name) {
                weighted.push(name.to_owned());
                found.push((name.to_owned(), at));
            }
        });
    }
    found
}

/// The conditions in which preferences may stand.
fn soft_conditions(problem: &Problem) -> impl Iterator<Item = &Condition> {
    problem.actions.iter().map(|action| &action.precondition).chain([&problem.goal.condition])
}

/// Whether the metric, if there is one, is the cost of the actions.
fn has_plain_metric(problem: &Problem) -> bool {
    problem.metric.as_ref().is_none_or(|metric| {
        !metric.maximize
            && matches!(&metric.value, Expression::Fluent(fluent, _)
                if problem.functions[fluent.function].name == "total-cost")
    })
}

/// Separates costs and preferences from the rest of a problem.
pub(crate) fn compile_metric<'p>(
    problem: &'p Problem,
    budget: &Budget,
) -> Result<MetricFreeProblem<'p>, Error> {
    if is_plain(problem) {
        return Ok(MetricFreeProblem { problem: Cow::Borrowed(problem), preferences: Vec::new() });
    }
    let mut compiler = MetricCompiler::new(problem)?;
    let (goal, preferences) = compiler.preferences(budget)?;
    let mut compiled = problem.clone();
    compiled.goal.condition = goal;
    let cost = compiled.functions.push(Function { name: COST.to_owned(), parameters: Vec::new(), at: None });
    let mut actions = IdVec::new();
    for action in &problem.actions {
        for variant in compiler.variants(action, cost, budget)? {
            actions.push(variant);
        }
    }
    compiled.actions = actions;
    if let Some(metric) = &mut compiled.metric {
        let fluent = Fluent { function: cost, arguments: Vec::new() };
        *metric = Metric { maximize: false, value: Expression::Fluent(fluent, metric.at), at: metric.at };
    }
    Ok(MetricFreeProblem { problem: Cow::Owned(compiled), preferences })
}

/// Whether there is nothing to do: no preferences, and no numbers but a `total-cost` that the metric minimises.
fn is_plain(problem: &Problem) -> bool {
    let is_total = |fluent: &Fluent| problem.functions[fluent.function].name == "total-cost";
    let plain_effects = problem.actions.iter().all(|action| {
        let mut plain = true;
        visit_changes(&action.effect, false, &mut |change, fluent, value, _, _| {
            plain &= change == Change::Increase && is_total(fluent);
            visit_fluents(value, &mut |fluent, _| plain &= !is_total(fluent));
        });
        plain
    });
    !is_net_benefit(problem) && plain_effects && read_functions(problem).is_empty()
}

/// What is known about the numbers of a problem.
struct MetricCompiler<'p> {
    problem: &'p Problem,
    maximize: bool,
    linear: Linear,
    /// Functions whose value decides something.
    read: FxHashSet<FunctionId>,
    /// Functions that actions change.
    changed: FxHashSet<FunctionId>,
}

impl<'p> MetricCompiler<'p> {
    fn new(problem: &'p Problem) -> Result<MetricCompiler<'p>, Error> {
        let mut changed = FxHashSet::default();
        let mut read = read_functions(problem);
        for action in &problem.actions {
            visit_changes(&action.effect, false, &mut |_, fluent, _, _, _| {
                changed.insert(fluent.function);
            });
        }
        // What a number that matters becomes may depend on further numbers.
        loop {
            let before = read.len();
            for action in &problem.actions {
                visit_changes(&action.effect, false, &mut |_, fluent, value, _, _| {
                    if read.contains(&fluent.function) {
                        let mut more = Vec::new();
                        visit_fluents(value, &mut |fluent, _| more.push(fluent.function));
                        read.extend(more);
                    }
                });
            }
            if read.len() == before {
                break;
            }
        }
        let mut linear = Linear::default();
        let mut maximize = false;
        if let Some(metric) = &problem.metric {
            maximize = metric.maximize;
            linear = Linear::of_metric(problem, metric, &changed)?;
        }
        let compiler = MetricCompiler { problem, maximize, linear, read, changed };
        compiler.refuse_state_metrics()?;
        Ok(compiler)
    }

    /// A number in the metric must do nothing but grow; one that decides something or is assigned is refused.
    fn refuse_state_metrics(&self) -> Result<(), Error> {
        for (&function, &(_, at)) in &self.linear.numbers {
            let mut only_counts = !self.read.contains(&function);
            for action in &self.problem.actions {
                visit_changes(&action.effect, false, &mut |change, fluent, _, _, _| {
                    only_counts &=
                        fluent.function != function || matches!(change, Change::Increase | Change::Decrease);
                });
            }
            if !only_counts {
                return Err(Error::unsupported(Feature::StateMetric, at));
            }
        }
        Ok(())
    }

    fn signed(&self, number: Number) -> Number {
        if self.maximize { -number } else { number }
    }

    /// The goal without preferences, and the preferences. What is earned by violating a preference is paid by keeping
    /// it, and the constant changes by as much.
    fn preferences(&mut self, budget: &Budget) -> Result<(Condition, Vec<Preference>), Error> {
        let goal = &self.problem.goal;
        let (rest, found) = gather(self.problem, &goal.schema, &goal.condition, budget)?;
        let mut preferences = Vec::new();
        for Found { name, condition, .. } in found {
            let own = self.linear.violations.get(&name).copied().unwrap_or_else(Number::zero);
            let weight = self.signed(own);
            if weight.is_positive() {
                preferences.push(Preference { condition, weight });
            } else if weight.is_negative() {
                preferences
                    .push(Preference { condition: Condition::Not(Box::new(condition)), weight: -weight });
                let at = self.problem.metric.as_ref().map_or(goal.at, |metric| metric.at);
                let constant = self.linear.constant.checked_add(&own);
                self.linear.constant = constant.ok_or(Error::WeightOverflow { at })?;
            }
        }
        Ok((rest, preferences))
    }

    /// The ways to apply an action: with each of its preferences met or paid for.
    fn variants(&self, action: &Action, cost: FunctionId, budget: &Budget) -> Result<Vec<Action>, Error> {
        let (precondition, found) = gather(self.problem, &action.schema, &action.precondition, budget)?;
        let weight = |found: &Found| {
            self.signed(self.linear.violations.get(&found.name).copied().unwrap_or_else(Number::zero))
        };
        let found: Vec<Found> = found.into_iter().filter(|found| !weight(found).is_zero()).collect();
        if found.len() > MOST_IN_PRECONDITION {
            return Err(Error::TooManyPreferences {
                action: action.name.clone(),
                count: found.len(),
                most: MOST_IN_PRECONDITION,
                at: action.at,
            });
        }
        let cost = Fluent { function: cost, arguments: Vec::new() };
        let pay = |amount: Number, at: Span| {
            Effect::Change(Change::Increase, cost.clone(), Expression::Number(amount), at)
        };
        let mut effect = vec![self.gathered(&action.effect, &cost, false)?];
        if !self.linear.time.is_zero() {
            effect.push(pay(self.signed(self.linear.time), action.at));
        }
        let mut variants = Vec::new();
        for paid in 0..1usize << found.len() {
            let (mut condition, mut effect) = (vec![precondition.clone()], effect.clone());
            for (at, found) in found.iter().enumerate() {
                if paid >> at & 1 == 0 {
                    condition.push(found.condition.clone());
                } else {
                    effect.push(pay(weight(found), found.at));
                }
            }
            variants.push(Action {
                precondition: Condition::And(condition),
                effect: Effect::And(effect),
                ..action.clone()
            });
        }
        Ok(variants)
    }

    /// The effect with all changes that only count for the metric gathered in the cost.
    fn gathered(&self, effect: &Effect, cost: &Fluent, conditional: bool) -> Result<Effect, Error> {
        Ok(match effect {
            Effect::And(parts) => {
                let parts = parts.iter().map(|part| self.gathered(part, cost, conditional));
                Effect::And(parts.collect::<Result<_, _>>()?)
            }
            Effect::Forall(variables, part) => {
                Effect::Forall(variables.clone(), Box::new(self.gathered(part, cost, conditional)?))
            }
            Effect::When(condition, part) => {
                Effect::When(condition.clone(), Box::new(self.gathered(part, cost, true)?))
            }
            Effect::Change(change, fluent, value, at) if !self.read.contains(&fluent.function) => {
                let own = self.linear.numbers.get(&fluent.function).map(|&(own, _)| self.signed(own));
                let mut weight = own.unwrap_or_else(Number::zero);
                if *change == Change::Decrease {
                    weight = -weight;
                }
                if weight.is_zero() && conditional {
                    return Ok(Effect::And(Vec::new()));
                }
                let mut depends = None;
                visit_fluents(value, &mut |fluent, at| {
                    if self.changed.contains(&fluent.function) {
                        depends = Some(at);
                    }
                });
                match depends {
                    Some(_) if weight.is_zero() => return Ok(Effect::And(Vec::new())),
                    Some(at) => return Err(Error::unsupported(Feature::StateDependentCost, at)),
                    None => {}
                }
                // An amount without a value makes the action impossible even where it does not count.
                let amount = Expression::Multiply(vec![Expression::Number(weight), value.clone()]);
                Effect::Change(Change::Increase, cost.clone(), amount, *at)
            }
            Effect::OneOf(_, nature) => return Err(Error::unsupported(Feature::OneOf, nature.at)),
            Effect::Change(..) | Effect::Add(..) | Effect::Delete(..) => effect.clone(),
        })
    }
}

/// Functions that conditions compare.
fn read_functions(problem: &Problem) -> FxHashSet<FunctionId> {
    let mut read = FxHashSet::default();
    let mut see = |left: &Expression, right: &Expression, _: Span| {
        for side in [left, right] {
            visit_fluents(side, &mut |fluent, _| {
                read.insert(fluent.function);
            });
        }
    };
    for action in &problem.actions {
        visit_comparisons(&action.precondition, &mut see);
        visit_conditions(&action.effect, &mut |condition| visit_comparisons(condition, &mut see));
    }
    problem.axioms.iter().for_each(|axiom| visit_comparisons(&axiom.body, &mut see));
    visit_comparisons(&problem.goal.condition, &mut see);
    read
}

/// Calls `see` for every comparison of numbers in a condition.
pub(crate) fn visit_comparisons(condition: &Condition, see: &mut dyn FnMut(&Expression, &Expression, Span)) {
    match condition {
        Condition::And(parts) | Condition::Or(parts) => {
            parts.iter().for_each(|part| visit_comparisons(part, see));
        }
        Condition::Not(part)
        | Condition::Exists(_, part)
        | Condition::Forall(_, part)
        | Condition::Preference(_, part, _) => visit_comparisons(part, see),
        Condition::Compare(_, left, right, at) => see(left, right, *at),
        Condition::Atom(..) | Condition::Equal(..) => {}
    }
}

/// Calls `see` for the condition of every conditional effect.
pub(crate) fn visit_conditions(effect: &Effect, see: &mut dyn FnMut(&Condition)) {
    match effect {
        Effect::And(parts) | Effect::OneOf(parts, _) => {
            parts.iter().for_each(|part| visit_conditions(part, see));
        }
        Effect::Forall(_, part) => visit_conditions(part, see),
        Effect::When(condition, part) => {
            see(condition);
            visit_conditions(part, see);
        }
        Effect::Add(..) | Effect::Delete(..) | Effect::Change(..) => {}
    }
}

/// What is done to a number: the change, the number, by what, where, and whether a condition or quantifier stands
/// around it.
pub(crate) type SeeChange<'a> = &'a mut dyn FnMut(Change, &Fluent, &Expression, Span, bool);

/// Calls `see` for every change of a number.
pub(crate) fn visit_changes(effect: &Effect, inside: bool, see: SeeChange<'_>) {
    match effect {
        Effect::And(parts) => parts.iter().for_each(|part| visit_changes(part, inside, see)),
        Effect::OneOf(parts, _) => parts.iter().for_each(|part| visit_changes(part, true, see)),
        Effect::Forall(_, part) | Effect::When(_, part) => visit_changes(part, true, see),
        Effect::Change(change, fluent, value, at) => see(*change, fluent, value, *at, inside),
        Effect::Add(..) | Effect::Delete(..) => {}
    }
}

/// A function applied to objects, as text.
pub(crate) fn fluent_text(problem: &Problem, function: FunctionId, arguments: &[ObjectId]) -> String {
    problem.application(&problem.functions[function].name, arguments)
}

/// The objects of terms without variables.
fn objects(terms: &[Term]) -> Vec<ObjectId> {
    let object = |term: &Term| match term {
        Term::Object(object) => *object,
        Term::Variable(variable) => unreachable!("a metric has no variable {}", variable.index()),
    };
    terms.iter().map(object).collect()
}
