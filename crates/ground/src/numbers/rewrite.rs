//! The problem with tables in the place of numbers.

use counterplay_base::{Budget, BudgetPoll, Id, IdVec};
use counterplay_pddl::model::*;
use counterplay_syntax::Span;
use rustc_hash::FxHashMap;

use super::code::{Code, compare, visit_fluents};
use super::values::{Maybe, Table, each_combination, grounded};
use super::{Numeric, NumericAction};
use crate::Error;
use crate::metric::{COST, Preference, visit_changes, visit_comparisons};
use crate::substitute::Substitution;

/// Longer tables are refused.
const MOST_ROWS: usize = 1 << 22;

/// Whether there is a comparison of numbers, or a change of one that is no cost.
pub(super) fn has_numbers(problem: &Problem, preferences: &[Preference]) -> bool {
    let mut found = false;
    let mut see = |_: &Expression, _: &Expression, _: Span| found = true;
    for action in &problem.actions {
        visit_comparisons(&action.precondition, &mut see);
        crate::metric::visit_conditions(&action.effect, &mut |condition| {
            visit_comparisons(condition, &mut see)
        });
    }
    problem.axioms.iter().for_each(|axiom| visit_comparisons(&axiom.body, &mut see));
    visit_comparisons(&problem.goal.condition, &mut see);
    preferences.iter().for_each(|preference| visit_comparisons(&preference.condition, &mut see));
    for action in &problem.actions {
        visit_changes(&action.effect, false, &mut |_, fluent, _, _, _| {
            let name = &problem.functions[fluent.function].name;
            found |= name != COST && name != "total-cost";
        });
    }
    found
}

/// The condition with conjunctions and comparisons in the open: negations above them are carried out, so that what is
/// demanded of numbers can be seen.
pub(super) fn demanding(condition: &Condition, wanted: bool) -> Condition {
    let all = |parts: &[Condition]| parts.iter().map(|part| demanding(part, wanted)).collect();
    match condition {
        Condition::And(parts) if wanted => Condition::And(all(parts)),
        Condition::Or(parts) if !wanted => Condition::And(all(parts)),
        Condition::Not(part) => demanding(part, !wanted),
        Condition::Compare(comparison, left, right, at) if !wanted && *comparison != Comparison::Equal => {
            Condition::Compare(contrary(*comparison), left.clone(), right.clone(), *at)
        }
        other if wanted => other.clone(),
        other => Condition::Not(Box::new(other.clone())),
    }
}

/// What holds of two numbers if a comparison, other than of equality, does not.
fn contrary(comparison: Comparison) -> Comparison {
    match comparison {
        Comparison::Less => Comparison::GreaterEqual,
        Comparison::LessEqual => Comparison::Greater,
        Comparison::GreaterEqual => Comparison::Less,
        Comparison::Greater => Comparison::LessEqual,
        Comparison::Equal => unreachable!("the contrary of equality is no comparison"),
    }
}

/// The problem as if every comparison held and no number changed.
pub(super) fn relaxed(numeric: &Numeric<'_>) -> Problem {
    let mut problem = numeric.problem.clone();
    let mut anything = |_: &mut Schema, _: Comparison, _: &Expression, _: &Expression, _: Span| {
        Ok(Condition::And(Vec::new()))
    };
    let mut relax = |schema: &mut Schema, condition: &Condition| {
        normal(condition, true, schema, &mut anything).expect("nothing is refused")
    };
    for action in problem.actions.iter_mut() {
        action.precondition = relax(&mut action.schema, &action.precondition);
        action.effect = map_effect(&action.effect, &mut |condition| relax(&mut action.schema, condition));
    }
    for axiom in &mut problem.axioms {
        axiom.body = relax(&mut axiom.schema, &axiom.body);
    }
    problem.goal.condition = Condition::And(Vec::new());
    problem.metric = None;
    problem
}

/// The effect without changes of numbers, and with other conditions.
fn map_effect(effect: &Effect, condition: &mut dyn FnMut(&Condition) -> Condition) -> Effect {
    match effect {
        Effect::And(parts) => Effect::And(parts.iter().map(|part| map_effect(part, condition)).collect()),
        Effect::OneOf(parts, nature) => {
            Effect::OneOf(parts.iter().map(|part| map_effect(part, condition)).collect(), nature.clone())
        }
        Effect::Forall(variables, part) => {
            Effect::Forall(variables.clone(), Box::new(map_effect(part, condition)))
        }
        Effect::When(when, part) => Effect::When(condition(when), Box::new(map_effect(part, condition))),
        Effect::Change(..) => Effect::And(Vec::new()),
        Effect::Add(..) | Effect::Delete(..) => effect.clone(),
    }
}

/// What takes the place of a comparison.
type Replace<'a> =
    &'a mut dyn FnMut(&mut Schema, Comparison, &Expression, &Expression, Span) -> Result<Condition, Error>;

/// The condition with something else in the place of comparisons. Negations move down to them, since a comparison
/// with an undefined number holds neither as it is nor negated.
fn normal(
    condition: &Condition,
    wanted: bool,
    schema: &mut Schema,
    replace: Replace<'_>,
) -> Result<Condition, Error> {
    let mut any = false;
    visit_comparisons(condition, &mut |_, _, _| any = true);
    if !any {
        let same = condition.clone();
        return Ok(if wanted { same } else { Condition::Not(Box::new(same)) });
    }
    Ok(match condition {
        Condition::And(parts) | Condition::Or(parts) => {
            let parts = parts.iter().map(|part| normal(part, wanted, schema, replace));
            let parts = parts.collect::<Result<Vec<_>, Error>>()?;
            match matches!(condition, Condition::And(_)) == wanted {
                true => Condition::And(parts),
                false => Condition::Or(parts),
            }
        }
        Condition::Not(part) => normal(part, !wanted, schema, replace)?,
        Condition::Exists(variables, part) | Condition::Forall(variables, part) => {
            let part = Box::new(normal(part, wanted, schema, replace)?);
            match matches!(condition, Condition::Exists(..)) == wanted {
                true => Condition::Exists(variables.clone(), part),
                false => Condition::Forall(variables.clone(), part),
            }
        }
        Condition::Compare(comparison, left, right, at) => {
            if *comparison == Comparison::Equal && !wanted {
                let less = replace(schema, Comparison::Less, left, right, *at)?;
                let greater = replace(schema, Comparison::Greater, left, right, *at)?;
                return Ok(Condition::Or(vec![less, greater]));
            }
            let comparison = if wanted { *comparison } else { contrary(*comparison) };
            replace(schema, comparison, left, right, *at)?
        }
        Condition::Preference(..) | Condition::Atom(..) | Condition::Equal(..) => condition.clone(),
    })
}

/// Makes the problem without numbers.
pub(super) fn rewrite(
    numeric: &Numeric<'_>,
    table: &Table,
    budget: &Budget,
) -> Result<(Problem, Vec<Preference>), Error> {
    let mut out = numeric.problem.clone();
    let number = out.types.push(Type { name: ";number".to_owned(), parents: Vec::new(), at: None });
    let mut writer = Writer {
        numeric,
        table,
        number,
        objects: FxHashMap::default(),
        predicates: FxHashMap::default(),
        comparisons: 0,
        poll: BudgetPoll::every(256),
        budget,
        out,
    };
    writer.declare();
    for (id, action) in numeric.problem.actions.enumerate() {
        let action = writer.action(id, action)?;
        writer.out.actions[id] = action;
    }
    for (at, axiom) in numeric.problem.axioms.iter().enumerate() {
        let mut schema = axiom.schema.clone();
        let body = writer.condition(&axiom.body, &mut schema)?;
        writer.out.axioms[at] = Axiom { schema, body, ..axiom.clone() };
    }
    let mut schema = numeric.problem.goal.schema.clone();
    writer.out.goal.condition = writer.condition(&numeric.problem.goal.condition, &mut schema)?;
    let preferences = numeric.preferences.iter().map(|preference| {
        Ok(Preference {
            condition: writer.condition(&preference.condition, &mut schema)?,
            weight: preference.weight,
        })
    });
    let preferences = preferences.collect::<Result<Vec<_>, Error>>()?;
    writer.out.goal.schema = schema;
    writer.out.values.retain(|(fluent, _)| !numeric.changing.contains(&fluent.function));
    Ok((writer.out, preferences))
}

struct Writer<'a> {
    numeric: &'a Numeric<'a>,
    table: &'a Table,
    /// The type of values.
    number: TypeId,
    objects: FxHashMap<Maybe, ObjectId>,
    /// The predicate that tells the value of a function.
    predicates: FxHashMap<FunctionId, PredicateId>,
    comparisons: usize,
    poll: BudgetPoll,
    budget: &'a Budget,
    out: Problem,
}

impl Writer<'_> {
    /// Declares values and predicates, and tells the values at the start.
    fn declare(&mut self) {
        let at = self.out.goal.at;
        let types = TypeSet(vec![self.number]);
        let mut functions: Vec<FunctionId> = self.numeric.changing.iter().copied().collect();
        functions.sort_unstable();
        for function in functions {
            let Function { name, mut parameters, .. } = self.out.functions[function].clone();
            parameters.push(types.clone());
            let predicate = Predicate { name, parameters, derived: false, at };
            self.predicates.insert(function, self.out.predicates.push(predicate));
        }
        for values in &self.table.fluents {
            for &value in &values.values {
                self.objects.entry(value).or_insert_with(|| {
                    let name = value.map_or(";undefined".to_owned(), |value| format!(";{value}"));
                    self.out.objects.push(Object { name, types: types.clone(), at })
                });
            }
            let predicate = self.predicates[&values.fluent.function];
            let mut arguments = values.fluent.arguments.clone();
            arguments.push(self.objects[&values.values[0]]);
            self.out.init.push(GroundAtom { predicate, arguments });
        }
    }

    /// A new relation with so many arguments.
    fn relation(&mut self, name: String, arity: usize) -> PredicateId {
        let at = self.out.goal.at;
        let parameters = vec![TypeSet(vec![self.number]); arity];
        self.out.predicates.push(Predicate { name, parameters, derived: false, at })
    }

    fn value_atom(&self, fluent: &Fluent, value: VariableId) -> Atom {
        let mut arguments = fluent.arguments.clone();
        arguments.push(Term::Variable(value));
        Atom { predicate: self.predicates[&fluent.function], arguments }
    }

    fn value_variable(&self, name: String, at: Span) -> Variable {
        Variable { name, types: TypeSet(vec![self.number]), at }
    }

    /// An action with the values of its numbers, before and after, as further parameters.
    fn action(&mut self, id: ActionId, action: &Action) -> Result<Action, Error> {
        let own = &self.numeric.actions[id.index()];
        let mut targets: Vec<&Fluent> = Vec::new();
        for change in &own.changes {
            if !targets.contains(&&change.fluent) {
                targets.push(&change.fluent);
            }
        }
        let parameters = action.schema.parameters;
        let more = own.reads.len() + targets.len();
        let shift = |term: Term| match term {
            Term::Variable(variable) if variable.index() >= parameters => {
                Term::Variable(VariableId::new(variable.index() + more))
            }
            other => other,
        };
        let shifted = Substitution(&shift);
        let mut schema = Schema { variables: IdVec::new(), parameters: parameters + more };
        let declared: Vec<&Variable> = action.schema.variables.iter().collect();
        declared[..parameters].iter().for_each(|&variable| {
            schema.variables.push(variable.clone());
        });
        let before: Vec<VariableId> = (0..own.reads.len())
            .map(|at| schema.variables.push(self.value_variable(format!("?;before{at}"), action.at)))
            .collect();
        let after: Vec<VariableId> = (0..targets.len())
            .map(|at| schema.variables.push(self.value_variable(format!("?;after{at}"), action.at)))
            .collect();
        declared[parameters..].iter().for_each(|&variable| {
            schema.variables.push(variable.clone());
        });
        let mut conditions = Vec::new();
        super::demanded(&action.precondition, &mut |part| {
            if !matches!(part, Condition::Compare(..)) {
                conditions.push(part);
            }
        });
        let mut precondition = Vec::new();
        for part in conditions {
            precondition.push(self.condition(&shifted.condition(part), &mut schema)?);
        }
        let effect = self.effect(&shifted.effect(&action.effect), &mut schema)?;
        let mut effects = vec![effect];
        if !own.is_idle() {
            for (read, &variable) in own.reads.iter().zip(&before) {
                precondition.push(Condition::Atom(self.value_atom(read, variable), action.at));
            }
            let relation = self.step_table(id, own, &targets)?;
            let variables = own.variables.iter().chain(&before).chain(&after);
            let arguments = variables.map(|&variable| Term::Variable(variable)).collect();
            precondition.push(Condition::Atom(Atom { predicate: relation, arguments }, action.at));
            for (target, &variable) in targets.iter().zip(&after) {
                let read = own.reads.iter().position(|read| read == *target);
                let old = before[read.expect("what is changed is read too")];
                effects.push(Effect::Delete(self.value_atom(target, old), action.at));
                effects.push(Effect::Add(self.value_atom(target, variable), action.at));
            }
        }
        Ok(Action {
            schema,
            precondition: Condition::And(precondition),
            effect: Effect::And(effects),
            ..action.clone()
        })
    }

    /// Which values come before and after an action.
    fn step_table(
        &mut self,
        id: ActionId,
        own: &NumericAction,
        targets: &[&Fluent],
    ) -> Result<PredicateId, Error> {
        let arity = own.variables.len() + own.reads.len() + targets.len();
        let name = format!(";steps-{}", id.index());
        let predicate = self.relation(name, arity);
        let place = |target: &&Fluent| own.reads.iter().position(|read| read == *target);
        let places: Vec<usize> = targets.iter().map(|it| place(it).expect("it is read too")).collect();
        let first = self.out.init.len();
        let Writer { numeric, table, objects, poll, budget, out, .. } = self;
        for instance in table.instances.iter().filter(|instance| instance.action == id) {
            table.steps(numeric, instance, false, &mut |before, after| {
                poll.step(budget)?;
                let mut arguments = instance.objects.clone();
                arguments.extend(instance.reads.iter().map(|&slot| objects[&before[slot]]));
                arguments.extend(places.iter().map(|&at| objects[&after[instance.reads[at]]]));
                out.init.push(GroundAtom { predicate, arguments });
                Ok(())
            })?;
            if out.init.len() - first > MOST_ROWS {
                let action = &numeric.problem.actions[id];
                let (place, at) = (action.name.clone(), action.at);
                return Err(Error::TooManyCombinations { place, most: MOST_ROWS, at });
            }
        }
        Ok(predicate)
    }

    /// The effect without changes of numbers, costs aside.
    fn effect(&mut self, effect: &Effect, schema: &mut Schema) -> Result<Effect, Error> {
        Ok(match effect {
            Effect::And(parts) => {
                let parts = parts.iter().map(|part| self.effect(part, schema));
                Effect::And(parts.collect::<Result<_, Error>>()?)
            }
            Effect::OneOf(parts, nature) => {
                let parts = parts.iter().map(|part| self.effect(part, schema));
                Effect::OneOf(parts.collect::<Result<_, Error>>()?, nature.clone())
            }
            Effect::Forall(variables, part) => {
                Effect::Forall(variables.clone(), Box::new(self.effect(part, schema)?))
            }
            Effect::When(condition, part) => {
                let condition = self.condition(condition, schema)?;
                Effect::When(condition, Box::new(self.effect(part, schema)?))
            }
            Effect::Change(_, fluent, ..) if self.numeric.changing.contains(&fluent.function) => {
                Effect::And(Vec::new())
            }
            Effect::Change(..) | Effect::Add(..) | Effect::Delete(..) => effect.clone(),
        })
    }

    fn condition(&mut self, condition: &Condition, schema: &mut Schema) -> Result<Condition, Error> {
        normal(condition, true, schema, &mut |schema, comparison, left, right, at| {
            self.comparison(schema, comparison, left, right, at)
        })
    }

    /// A comparison as a table of the values that fulfil it.
    fn comparison(
        &mut self,
        schema: &mut Schema,
        comparison: Comparison,
        left: &Expression,
        right: &Expression,
        at: Span,
    ) -> Result<Condition, Error> {
        let (mut variables, mut reads): (Vec<VariableId>, Vec<Fluent>) = (Vec::new(), Vec::new());
        for side in [left, right] {
            visit_fluents(side, &mut |fluent, _| {
                for argument in &fluent.arguments {
                    if let Term::Variable(variable) = argument
                        && !variables.contains(variable)
                    {
                        variables.push(*variable);
                    }
                }
                if self.numeric.changing.contains(&fluent.function) && !reads.contains(fluent) {
                    reads.push(fluent.clone());
                }
            });
        }
        self.comparisons += 1;
        let name = format!(";compare-{}", self.comparisons);
        let predicate = self.relation(name, variables.len() + reads.len());
        let extents: Vec<Vec<ObjectId>> =
            variables.iter().map(|&it| self.numeric.problem.extent(&schema.variables[it].types)).collect();
        let refuse = || Error::TooManyCombinations { place: "a comparison".to_owned(), most: MOST_ROWS, at };
        let mut objects = Vec::new();
        let rows = Rows { comparison, left, right, variables: &variables, reads: &reads, predicate };
        self.rows(&rows, &extents, &mut objects, &refuse)?;
        let values: Vec<VariableId> = (0..reads.len())
            .map(|at_read| schema.variables.push(self.value_variable(format!("?;value{at_read}"), at)))
            .collect();
        let terms = variables.iter().chain(&values).map(|&variable| Term::Variable(variable)).collect();
        let mut parts = vec![Condition::Atom(Atom { predicate, arguments: terms }, at)];
        parts.extend(
            reads.iter().zip(&values).map(|(read, &it)| Condition::Atom(self.value_atom(read, it), at)),
        );
        let all = Condition::And(parts);
        Ok(if values.is_empty() { all } else { Condition::Exists(values, Box::new(all)) })
    }

    /// Writes the rows for all objects of the variables that have none yet.
    fn rows(
        &mut self,
        rows: &Rows<'_>,
        extents: &[Vec<ObjectId>],
        objects: &mut Vec<ObjectId>,
        refuse: &dyn Fn() -> Error,
    ) -> Result<(), Error> {
        if let Some(extent) = extents.get(objects.len()) {
            for &object in extent {
                objects.push(object);
                self.rows(rows, extents, objects, refuse)?;
                objects.pop();
            }
            return Ok(());
        }
        let (numeric, table) = (self.numeric, self.table);
        let ground = |fluent: &Fluent| grounded(fluent, rows.variables, objects);
        let slots: Option<Vec<usize>> = rows.reads.iter().map(|read| table.find(&ground(read))).collect();
        // A number that never gets a value fulfils no comparison.
        let Some(slots) = slots else { return Ok(()) };
        let code = |expression: &Expression| {
            Code::new(expression, &mut |fluent| {
                if numeric.changing.contains(&fluent.function) {
                    return rows.reads.iter().position(|read| read == fluent).map(Code::Slot);
                }
                table.fixed(&ground(fluent)).map(Code::Number)
            })
        };
        let Some((left, right)) = code(rows.left).zip(code(rows.right)) else { return Ok(()) };
        let lists: Vec<&[Maybe]> = slots.iter().map(|&slot| &table.fluents[slot].values[..]).collect();
        let Writer { objects: values, poll, budget, out, .. } = self;
        each_combination(&lists, refuse, &mut |_, combination| {
            poll.step(budget)?;
            // The same number under two names has one value.
            let agrees = |i: usize| (0..i).all(|j| slots[i] != slots[j] || combination[i] == combination[j]);
            let both = left.value(combination).zip(right.value(combination));
            let holds = both.is_some_and(|(left, right)| compare(rows.comparison, left, right));
            if holds && (0..slots.len()).all(agrees) {
                let mut arguments = objects.clone();
                arguments.extend(combination.iter().map(|value| values[value]));
                out.init.push(GroundAtom { predicate: rows.predicate, arguments });
            }
            Ok(())
        })
    }
}

/// What the rows of a comparison's table are made from.
struct Rows<'a> {
    comparison: Comparison,
    left: &'a Expression,
    right: &'a Expression,
    variables: &'a [VariableId],
    reads: &'a [Fluent],
    predicate: PredicateId,
}
