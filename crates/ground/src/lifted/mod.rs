//! The problem made uniform, still with variables.
//!
//! Conditions are in negation normal form, an action's effect is a flat list of conditional effects on single
//! atoms, costs are separated from effects, and the unions of types that variables range over have become
//! numbered sorts ([`SortId`]). What grounding does not support is refused here, by name and place.

mod formula;
mod relax;

use counterplay_base::{Id, IdVec, id};
use counterplay_pddl::model::{
    Action, Atom, Change, Effect, Expression, Fluent, Metric, Number, ObjectId, PredicateId, Problem, Schema,
    TypeSet, VariableId,
};
use counterplay_syntax::Span;
use rustc_hash::FxHashMap;

pub(crate) use formula::Formula;
pub(crate) use relax::{Body, Vocabulary, term};

use crate::metric::{COST, Preference};
use crate::{Error, Feature};

id! {
    /// A set of objects that some variable ranges over.
    pub struct SortId;
}

/// What may change a predicate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// No action and no axiom changes it.
    Static,
    /// Actions change it.
    Fluent,
    /// Axioms compute it.
    Derived,
}

/// A problem in uniform shape.
#[derive(Debug)]
pub(crate) struct NormalisedProblem<'a> {
    pub(crate) problem: &'a Problem,
    pub(crate) kinds: IdVec<PredicateId, Kind>,
    /// The objects of each sort, in order.
    pub(crate) sorts: IdVec<SortId, Vec<ObjectId>>,
    pub(crate) actions: Vec<LiftedAction>,
    pub(crate) axioms: Vec<LiftedAxiom>,
    pub(crate) goal: Formula,
    pub(crate) goal_variables: IdVec<VariableId, SortId>,
    /// Wishes for the end, over the goal's variables.
    pub(crate) soft: Vec<LiftedSoft>,
    /// Whether costs count; without a metric every action costs one.
    pub(crate) has_metric: bool,
}

/// A preference for the end and what it costs to go without.
#[derive(Debug)]
pub(crate) struct LiftedSoft {
    pub(crate) condition: Formula,
    pub(crate) weight: Number,
}

/// An action; its number is that of the problem's action.
#[derive(Debug)]
pub(crate) struct LiftedAction {
    pub(crate) parameters: usize,
    pub(crate) variables: IdVec<VariableId, SortId>,
    pub(crate) precondition: Formula,
    pub(crate) effects: Vec<LiftedEffect>,
    pub(crate) costs: Vec<LiftedCost>,
}

/// For all values of the variables: if the condition holds before, the atom becomes true or false.
#[derive(Debug)]
pub(crate) struct LiftedEffect {
    pub(crate) variables: Vec<VariableId>,
    pub(crate) condition: Formula,
    pub(crate) atom: Atom,
    pub(crate) adds: bool,
}

/// For all values of the variables the action costs so much.
#[derive(Debug)]
pub(crate) struct LiftedCost {
    pub(crate) variables: Vec<VariableId>,
    pub(crate) amount: Expression,
    pub(crate) at: Span,
}

/// A rule for a derived predicate; its number is that of the problem's axiom.
#[derive(Debug)]
pub(crate) struct LiftedAxiom {
    pub(crate) head: PredicateId,
    pub(crate) parameters: usize,
    pub(crate) variables: IdVec<VariableId, SortId>,
    pub(crate) body: Formula,
}

impl<'a> NormalisedProblem<'a> {
    /// Brings a problem into shape.
    pub(crate) fn new(problem: &'a Problem, soft: &[Preference]) -> Result<NormalisedProblem<'a>, Error> {
        let has_metric = match &problem.metric {
            None => false,
            Some(metric) if is_total_cost_metric(problem, metric) => true,
            Some(metric) => return Err(Error::unsupported(Feature::Metric, metric.at)),
        };
        let mut sorts = Sorts { problem, known: FxHashMap::default(), extents: IdVec::new() };
        let actions = problem.actions.iter().map(|action| lift_action(problem, action, &mut sorts));
        let actions = actions.collect::<Result<Vec<_>, _>>()?;
        let axioms = problem.axioms.iter().map(|axiom| {
            Ok(LiftedAxiom {
                head: axiom.head,
                parameters: axiom.schema.parameters,
                variables: sorts.of_schema(&axiom.schema),
                body: Formula::new(&axiom.body)?,
            })
        });
        let axioms = axioms.collect::<Result<Vec<_>, Error>>()?;
        let goal = Formula::new(&problem.goal.condition)?;
        let soft = soft.iter().map(|preference| {
            Ok(LiftedSoft { condition: Formula::new(&preference.condition)?, weight: preference.weight })
        });
        let soft = soft.collect::<Result<Vec<_>, Error>>()?;
        let goal_variables = sorts.of_schema(&problem.goal.schema);
        let mut kinds: IdVec<PredicateId, Kind> = problem
            .predicates
            .iter()
            .map(|predicate| if predicate.derived { Kind::Derived } else { Kind::Static })
            .collect();
        for effect in actions.iter().flat_map(|action| &action.effects) {
            kinds[effect.atom.predicate] = Kind::Fluent;
        }
        let sorts = sorts.extents;
        Ok(NormalisedProblem {
            problem,
            kinds,
            sorts,
            actions,
            axioms,
            goal,
            goal_variables,
            soft,
            has_metric,
        })
    }
}

fn is_total_cost_metric(problem: &Problem, metric: &Metric) -> bool {
    !metric.maximize
        && matches!(&metric.value, Expression::Fluent(fluent, _) if is_total_cost(problem, fluent))
}

fn is_total_cost(problem: &Problem, fluent: &Fluent) -> bool {
    let name = &problem.functions[fluent.function].name;
    (name == COST || name == "total-cost") && fluent.arguments.is_empty()
}

/// Numbers the unions of types as they are met.
struct Sorts<'a> {
    problem: &'a Problem,
    known: FxHashMap<TypeSet, SortId>,
    extents: IdVec<SortId, Vec<ObjectId>>,
}

impl Sorts<'_> {
    fn of_schema(&mut self, schema: &Schema) -> IdVec<VariableId, SortId> {
        schema.variables.iter().map(|variable| self.of(&variable.types)).collect()
    }

    fn of(&mut self, types: &TypeSet) -> SortId {
        if let Some(&sort) = self.known.get(types) {
            return sort;
        }
        let sort = self.extents.push(self.problem.extent(types));
        self.known.insert(types.clone(), sort);
        sort
    }
}

fn lift_action(problem: &Problem, action: &Action, sorts: &mut Sorts<'_>) -> Result<LiftedAction, Error> {
    let mut lifted = LiftedAction {
        parameters: action.schema.parameters,
        variables: sorts.of_schema(&action.schema),
        precondition: Formula::new(&action.precondition)?,
        effects: Vec::new(),
        costs: Vec::new(),
    };
    let mut flattening =
        Flattening { problem, variables: Vec::new(), conditions: Vec::new(), lifted: &mut lifted };
    flattening.walk(&action.effect)?;
    Ok(lifted)
}

/// The way from an action's effect down to one of its atoms.
struct Flattening<'a> {
    problem: &'a Problem,
    variables: Vec<VariableId>,
    conditions: Vec<Formula>,
    lifted: &'a mut LiftedAction,
}

impl Flattening<'_> {
    fn walk(&mut self, effect: &Effect) -> Result<(), Error> {
        match effect {
            Effect::And(parts) => parts.iter().try_for_each(|part| self.walk(part))?,
            Effect::Forall(variables, inner) => {
                let depth = self.variables.len();
                self.variables.extend(variables);
                self.walk(inner)?;
                self.variables.truncate(depth);
            }
            Effect::When(condition, inner) => {
                self.conditions.push(Formula::new(condition)?);
                self.walk(inner)?;
                self.conditions.pop();
            }
            Effect::Add(atom, _) => self.change(atom, true),
            Effect::Delete(atom, _) => self.change(atom, false),
            Effect::Change(change, fluent, amount, at) => {
                if *change != Change::Increase || !is_total_cost(self.problem, fluent) {
                    return Err(Error::unsupported(Feature::NumericEffect, *at));
                }
                if self.conditions.iter().any(|condition| *condition != Formula::TRUE) {
                    return Err(Error::unsupported(Feature::ConditionalCost, *at));
                }
                self.lifted.costs.push(LiftedCost {
                    variables: self.variables.clone(),
                    amount: amount.clone(),
                    at: *at,
                });
            }
            Effect::OneOf(_, nature) => return Err(Error::unsupported(Feature::OneOf, nature.at)),
        }
        Ok(())
    }

    fn change(&mut self, atom: &Atom, adds: bool) {
        self.lifted.effects.push(LiftedEffect {
            variables: self.variables.clone(),
            condition: Formula::and(self.conditions.clone()),
            atom: atom.clone(),
            adds,
        });
    }
}

/// The number of an object in the datalog program.
pub(crate) fn symbol(object: ObjectId) -> u32 {
    object.index() as u32
}
