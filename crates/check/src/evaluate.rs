//! The value of a condition or expression in a state.
//!
//! Conditions are evaluated with the value we want them to have, so that `not` only inverts the wanted value.
//! A comparison that reads an undefined number has neither value: an action that depends on it cannot be
//! applied. The quantifiers enumerate objects; [`known`] looks ahead while only some of their variables are
//! bound, which saves time and changes nothing.

use std::collections::HashMap;

use counterplay_base::{Budget, IdVec, Limit};
use counterplay_pddl::model::*;
use counterplay_pddl::print::Binding;
use num_traits::{CheckedAdd, CheckedDiv, CheckedMul, CheckedSub, Zero};

use crate::state::State;

/// What stays the same during a check.
pub(crate) struct CheckContext<'p> {
    pub(crate) problem: &'p Problem,
    pub(crate) budget: &'p Budget,
    extents: HashMap<&'p TypeSet, Vec<ObjectId>>,
}

/// A state, seen through the variables of one action, axiom or goal.
#[derive(Clone, Copy)]
pub(crate) struct View<'a> {
    pub(crate) world: &'a CheckContext<'a>,
    pub(crate) state: &'a State,
    pub(crate) schema: &'a Schema,
}

/// Why evaluation came to no result.
#[derive(Debug)]
pub(crate) enum Trouble {
    /// A number became too large to be held exactly.
    Overflow,
    /// An effect reads a function without a value, or divides by zero.
    Undefined(String),
    /// Effects that contradict each other on a number.
    Clash(String),
    /// An effect that is left to nature.
    Choice,
    /// A limit was reached.
    Stopped(Limit),
}

impl From<Limit> for Trouble {
    fn from(limit: Limit) -> Trouble {
        Trouble::Stopped(limit)
    }
}

impl<'p> CheckContext<'p> {
    pub(crate) fn new(problem: &'p Problem, budget: &'p Budget) -> CheckContext<'p> {
        let schemas = problem.actions.iter().map(|action| &action.schema);
        let schemas =
            schemas.chain(problem.axioms.iter().map(|axiom| &axiom.schema)).chain([&problem.goal.schema]);
        let hierarchy = problem.hierarchy.iter();
        let networks = hierarchy.flat_map(|hierarchy| {
            let methods = hierarchy.methods.iter().map(|method| &method.schema);
            methods.chain(hierarchy.initial.iter().map(|initial| &initial.schema))
        });
        let schemas = schemas.chain(networks);
        let mut extents = HashMap::new();
        for variable in schemas.flat_map(|schema| &schema.variables) {
            extents.entry(&variable.types).or_insert_with(|| problem.extent(&variable.types));
        }
        CheckContext { problem, budget, extents }
    }

    pub(crate) fn view<'a>(&'a self, state: &'a State, schema: &'a Schema) -> View<'a> {
        View { world: self, state, schema }
    }
}

/// No variable of a schema has a value.
pub(crate) fn unbound(schema: &Schema) -> Binding {
    IdVec::filled(None, schema.variables.len())
}

/// Asks for the instances of a quantified condition that have a value, or that fail to have it.
#[derive(Clone, Copy)]
pub(crate) struct Query<'c> {
    pub(crate) condition: &'c Condition,
    /// The value that is wanted of the condition.
    pub(crate) wanted: bool,
    /// Whether we look for instances that have this value, or for those that have not.
    pub(crate) found: bool,
}

/// What to do with an instance; `true` ends the enumeration.
pub(crate) type Visit<'v> = &'v mut dyn FnMut(&mut Binding) -> Result<bool, Trouble>;

impl View<'_> {
    /// Whether a condition has the wanted value. Its free variables are all bound.
    pub(crate) fn holds(
        &self,
        condition: &Condition,
        wanted: bool,
        binding: &mut Binding,
    ) -> Result<bool, Trouble> {
        match condition {
            // All must be true, or one false.
            Condition::And(parts) => self.holds_for(parts, wanted, wanted, binding),
            Condition::Or(parts) => self.holds_for(parts, !wanted, wanted, binding),
            Condition::Not(part) => self.holds(part, !wanted, binding),
            Condition::Forall(variables, part) => self.quantified(variables, part, wanted, wanted, binding),
            Condition::Exists(variables, part) => self.quantified(variables, part, !wanted, wanted, binding),
            Condition::Atom(atom, _) => Ok(self.state.is_true(&ground_atom(atom, binding)) == wanted),
            Condition::Equal(left, right) => {
                Ok((object(*left, binding) == object(*right, binding)) == wanted)
            }
            Condition::Compare(comparison, left, right, _) => {
                let (left, right) = (self.number(left, binding)?, self.number(right, binding)?);
                Ok(left.zip(right).is_some_and(|(left, right)| compare(*comparison, left, right) == wanted))
            }
            // What is only preferred is never missed.
            Condition::Preference(..) => Ok(wanted),
        }
    }

    /// Whether all parts (or one of them) have the wanted value.
    fn holds_for(
        &self,
        parts: &[Condition],
        all: bool,
        wanted: bool,
        binding: &mut Binding,
    ) -> Result<bool, Trouble> {
        for part in parts {
            if self.holds(part, wanted, binding)? != all {
                return Ok(!all);
            }
        }
        Ok(all)
    }

    /// Whether all instances (or one of them) have the wanted value.
    fn quantified(
        &self,
        variables: &[VariableId],
        condition: &Condition,
        all: bool,
        wanted: bool,
        binding: &mut Binding,
    ) -> Result<bool, Trouble> {
        let query = Query { condition, wanted, found: !all };
        Ok(self.instances(variables, query, binding, &mut |_| Ok(true))? != all)
    }

    /// Visits the values of the variables that answer a query, in the order of the objects, until a visit
    /// says stop; whether one did. The variables are unbound before and after.
    pub(crate) fn instances(
        &self,
        variables: &[VariableId],
        query: Query<'_>,
        binding: &mut Binding,
        visit: Visit<'_>,
    ) -> Result<bool, Trouble> {
        let Query { condition, wanted, found } = query;
        let extents: Vec<&[ObjectId]> = variables.iter().map(|&variable| self.extent(variable)).collect();
        // The first `bound` variables have a value; `next` says which one comes after it.
        let mut bound = 0;
        let mut next = vec![0; variables.len()];
        loop {
            if bound < variables.len() {
                next[bound] = 0;
                bound += 1;
            } else if self.holds(condition, wanted, binding)? == found && visit(binding)? {
                variables.iter().for_each(|&variable| binding[variable] = None);
                return Ok(true);
            }
            // The last variable that has another value takes it; those after it lose theirs.
            loop {
                self.world.budget.check()?;
                let Some(last) = bound.checked_sub(1) else { return Ok(false) };
                let value = extents[last].get(next[last]).copied();
                binding[variables[last]] = value;
                next[last] += 1;
                if value.is_none() {
                    bound -= 1;
                } else if known(self.state, condition, binding).is_none_or(|it| (it == wanted) == found) {
                    break;
                }
            }
        }
    }

    /// The objects a variable ranges over.
    fn extent(&self, variable: VariableId) -> &[ObjectId] {
        &self.world.extents[&self.schema.variables[variable].types]
    }

    /// The value of an expression; `None` if it reads something undefined or divides by zero.
    pub(crate) fn number(
        &self,
        expression: &Expression,
        binding: &Binding,
    ) -> Result<Option<Number>, Trouble> {
        let pair = |left: &Expression, right: &Expression| {
            Ok::<_, Trouble>(self.number(left, binding)?.zip(self.number(right, binding)?))
        };
        match expression {
            Expression::Number(number) => Ok(Some(*number)),
            Expression::Fluent(fluent, _) => {
                Ok(self.state.values.get(&ground_fluent(fluent, binding)).copied())
            }
            Expression::Add(parts) => self.fold(parts, Number::from(0), Number::checked_add, binding),
            Expression::Multiply(parts) => self.fold(parts, Number::from(1), Number::checked_mul, binding),
            Expression::Subtract(left, right) => match pair(left, right)? {
                Some((left, right)) => exact(left.checked_sub(&right)).map(Some),
                None => Ok(None),
            },
            Expression::Divide(left, right) => match pair(left, right)? {
                Some((left, right)) if !right.is_zero() => exact(left.checked_div(&right)).map(Some),
                _ => Ok(None),
            },
            Expression::Negate(part) => match self.number(part, binding)? {
                Some(part) => exact(Number::from(0).checked_sub(&part)).map(Some),
                None => Ok(None),
            },
            Expression::IsViolated(name, _) => {
                let count = self.state.violations.get(name).copied().unwrap_or(0);
                Ok(Some(Number::from(i128::from(count))))
            }
            // Every step takes one unit of time.
            Expression::TotalTime(_) => Ok(Some(Number::from(i128::from(self.state.steps)))),
        }
    }

    fn fold(
        &self,
        parts: &[Expression],
        start: Number,
        combine: fn(&Number, &Number) -> Option<Number>,
        binding: &Binding,
    ) -> Result<Option<Number>, Trouble> {
        let mut result = start;
        for part in parts {
            let Some(part) = self.number(part, binding)? else { return Ok(None) };
            result = exact(combine(&result, &part))?;
        }
        Ok(Some(result))
    }
}

/// The result of an operation, unless it is too large. The least integer counts as too large, since it has no
/// negative.
pub(crate) fn exact(result: Option<Number>) -> Result<Number, Trouble> {
    result.filter(|number| *number.numer() != i128::MIN).ok_or(Trouble::Overflow)
}

fn compare(comparison: Comparison, left: Number, right: Number) -> bool {
    match comparison {
        Comparison::Less => left < right,
        Comparison::LessEqual => left <= right,
        Comparison::Equal => left == right,
        Comparison::GreaterEqual => left >= right,
        Comparison::Greater => left > right,
    }
}

/// The object a term stands for, unless it is a variable without a value.
fn object(term: Term, binding: &Binding) -> Option<ObjectId> {
    match term {
        Term::Object(object) => Some(object),
        Term::Variable(variable) => binding[variable],
    }
}

fn objects(terms: &[Term], binding: &Binding) -> Option<Vec<ObjectId>> {
    terms.iter().map(|&term| object(term, binding)).collect()
}

/// An atom whose variables are bound.
pub(crate) fn ground_atom(atom: &Atom, binding: &Binding) -> GroundAtom {
    let arguments = objects(&atom.arguments, binding).expect("every variable in scope is bound");
    GroundAtom { predicate: atom.predicate, arguments }
}

/// A fluent whose variables are bound.
pub(crate) fn ground_fluent(fluent: &Fluent, binding: &Binding) -> GroundFluent {
    let arguments = objects(&fluent.arguments, binding).expect("every variable in scope is bound");
    GroundFluent { function: fluent.function, arguments }
}

/// What can be said of a condition while some of its variables are unbound, without looking hard.
fn known(state: &State, condition: &Condition, binding: &Binding) -> Option<bool> {
    let all_or_one = |parts: &[Condition], all: bool| {
        let mut result = Some(all);
        for part in parts {
            match known(state, part, binding) {
                Some(value) if value == all => {}
                Some(value) => return Some(value),
                None => result = None,
            }
        }
        result
    };
    match condition {
        Condition::And(parts) => all_or_one(parts, true),
        Condition::Or(parts) => all_or_one(parts, false),
        Condition::Not(part) => known(state, part, binding).map(|value| !value),
        Condition::Atom(atom, _) => {
            let arguments = objects(&atom.arguments, binding)?;
            Some(state.is_true(&GroundAtom { predicate: atom.predicate, arguments }))
        }
        Condition::Equal(left, right) => Some(object(*left, binding)? == object(*right, binding)?),
        Condition::Exists(..)
        | Condition::Forall(..)
        | Condition::Compare(..)
        | Condition::Preference(..) => None,
    }
}
