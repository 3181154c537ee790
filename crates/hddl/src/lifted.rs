//! The hierarchy in the shape that unification wants.
//!
//! A condition becomes a list of literals and equalities, and formulas for whatever is no conjunction. Effects
//! become outcomes, each a list of single changes. Symbols name actions and compound tasks alike, actions first.
//! Objects are numbers and the arguments of an atom or task are packed into one word, so that comparing, hashing and
//! selecting them costs an instruction or two.

use counterplay_base::Id;
use counterplay_pddl::model::{self, Condition, Effect, Problem, TaskRef, Term, TypeSet};
use counterplay_syntax::Span;
use rustc_hash::FxHashMap;

use crate::error::Error;
use crate::hoist::hoist;

pub(crate) use crate::packing::{Packing, Tuple};

/// No object has this number.
pub(crate) const UNBOUND: u32 = u32::MAX;
/// An action may have so many outcomes.
const OUTCOME_LIMIT: usize = 4096;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Arg {
    /// A variable of the rule at hand.
    Var(u32),
    Obj(u32),
}

/// An atom or its negation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Literal {
    pub(crate) predicate: usize,
    pub(crate) arguments: Vec<Arg>,
    pub(crate) positive: bool,
}

/// A condition with negation at the atoms only.
#[derive(Clone, Debug)]
pub(crate) enum Formula {
    And(Vec<Formula>),
    Or(Vec<Formula>),
    Literal(Literal),
    Equal(Arg, Arg, bool),
    /// For all values of a variable.
    All(u32, Box<Formula>),
    /// For some value of a variable.
    Any(u32, Box<Formula>),
}

/// A condition on the variables of an action or method. A variable's type is part of it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rule {
    /// The extent of each variable, quantified ones included.
    pub(crate) types: Vec<usize>,
    /// How many variables have to be bound; the others are quantified inside formulas.
    pub(crate) variables: usize,
    pub(crate) literals: Vec<Literal>,
    /// Pairs that are equal, or that differ.
    pub(crate) equalities: Vec<(Arg, Arg, bool)>,
    pub(crate) formulas: Vec<Formula>,
}

/// One change of one atom, for all values of some variables, where a condition holds.
#[derive(Clone, Debug)]
pub(crate) struct Change {
    pub(crate) over: Vec<u32>,
    pub(crate) condition: Option<Formula>,
    pub(crate) literal: Literal,
}

#[derive(Clone, Debug)]
pub(crate) struct Action {
    pub(crate) name: String,
    pub(crate) parameters: usize,
    pub(crate) rule: Rule,
    pub(crate) outcomes: Vec<Vec<Change>>,
}

#[derive(Clone, Debug)]
pub(crate) struct Method {
    pub(crate) name: String,
    /// The symbol of its task.
    pub(crate) symbol: usize,
    pub(crate) arguments: Vec<Arg>,
    pub(crate) rule: Rule,
    pub(crate) network: SubtaskNetwork,
    /// How many of its variables the author declared.
    pub(crate) parameters: usize,
}

/// Subtasks, sorted so that no one comes before what it waits for.
#[derive(Clone, Debug)]
pub(crate) struct SubtaskNetwork {
    pub(crate) subtasks: Vec<(usize, Vec<Arg>)>,
    /// For each subtask those before it; `None` if the order is total.
    pub(crate) after: Option<Vec<Vec<usize>>>,
}

/// The objects of a union of types.
#[derive(Clone, Debug)]
pub(crate) struct Extent {
    pub(crate) members: Vec<u32>,
    pub(crate) has: Vec<bool>,
}

/// A hierarchical problem, ready for unification.
#[derive(Clone, Debug)]
pub struct HddlProblem {
    pub(crate) problem: Problem,
    pub(crate) extents: Vec<Extent>,
    pub(crate) actions: Vec<Action>,
    pub(crate) methods: Vec<Method>,
    /// The methods of each symbol, in the order of the text; none for actions.
    pub(crate) methods_of: Vec<Vec<usize>>,
    /// What is to be done: a method for no task.
    pub(crate) initial: Method,
    pub(crate) goal: Rule,
    /// Predicates that some action changes.
    pub(crate) is_fluent: Vec<bool>,
    /// Atoms that are true at the start.
    pub(crate) init: Vec<(usize, Tuple)>,
    /// How arguments are packed.
    pub(crate) packing: Packing,
}

impl HddlProblem {
    /// Brings a problem with a hierarchy into shape, with conditions moved up to the methods that need them. What is not
    /// supported is refused by its place.
    pub fn new(problem: &Problem) -> Result<HddlProblem, Error> {
        let mut lifted = HddlProblem::as_written(problem)?;
        hoist(&mut lifted);
        Ok(lifted)
    }

    /// The same with the preconditions that the text has and no others: for searches that need not carry a method out
    /// to its end.
    pub fn as_written(problem: &Problem) -> Result<HddlProblem, Error> {
        let mut extents = Extents { problem, list: Vec::new(), known: FxHashMap::default() };
        let Some(hierarchy) = &problem.hierarchy else { return Err(Error::NoHierarchy) };
        let Some(initial) = &hierarchy.initial else { return Err(Error::NoNetwork) };
        refuse_features(problem)?;
        let actions = problem.actions.iter().map(|action| extents.action(action));
        let actions = actions.collect::<Result<Vec<Action>, Error>>()?;
        let methods = hierarchy.methods.iter().map(|method| extents.method(method));
        let methods = methods.collect::<Result<Vec<Method>, Error>>()?;
        let mut methods_of = vec![Vec::new(); actions.len() + hierarchy.tasks.len()];
        for (at, method) in methods.iter().enumerate() {
            methods_of[method.symbol].push(at);
        }
        let mut is_fluent = vec![false; problem.predicates.len()];
        for change in actions.iter().flat_map(|action| action.outcomes.iter().flatten()) {
            is_fluent[change.literal.predicate] = true;
        }
        let initial = extents.initial(initial)?;
        let goal = extents.rule(&problem.goal.schema, [&problem.goal.condition])?;
        let packing = Packing::new(problem.objects.len());
        let init = problem.init.iter().map(|atom| {
            (atom.predicate.index(), packing.pack(atom.arguments.iter().map(|object| object.index() as u32)))
        });
        Ok(HddlProblem {
            init: init.collect(),
            extents: extents.list,
            problem: problem.clone(),
            actions,
            methods,
            methods_of,
            initial,
            goal,
            is_fluent,
            packing,
        })
    }

    /// Whether a symbol is an action.
    pub(crate) fn is_primitive(&self, symbol: usize) -> bool {
        symbol < self.actions.len()
    }

    /// The name of a symbol.
    pub(crate) fn symbol_name(&self, symbol: usize) -> &str {
        match self.actions.get(symbol) {
            Some(action) => &action.name,
            None => {
                let hierarchy = self.problem.hierarchy.as_ref().expect("it has a hierarchy");
                &hierarchy.tasks[model::TaskId::new(symbol - self.actions.len())].name
            }
        }
    }

    /// The number of arguments of a symbol.
    pub(crate) fn arity(&self, symbol: usize) -> usize {
        match self.actions.get(symbol) {
            Some(action) => action.parameters,
            None => {
                let hierarchy = self.problem.hierarchy.as_ref().expect("it has a hierarchy");
                hierarchy.tasks[model::TaskId::new(symbol - self.actions.len())].parameters.len()
            }
        }
    }

    /// A name applied to objects, without parentheses: `drive truck home`.
    pub(crate) fn words(&self, name: &str, arguments: Tuple, count: usize) -> String {
        let mut text = name.to_owned();
        for at in 0..count {
            text.push(' ');
            text.push_str(self.object_name(self.packing.unpack(arguments, at)));
        }
        text
    }

    /// The name of an object.
    pub(crate) fn object_name(&self, object: u32) -> &str {
        &self.problem.objects[model::ObjectId::new(object as usize)].name
    }

    /// Whether every method and the initial network are totally ordered.
    pub fn is_totally_ordered(&self) -> bool {
        self.methods.iter().chain([&self.initial]).all(|method| method.network.after.is_none())
    }

    /// Whether an action has several outcomes.
    pub fn is_nondeterministic(&self) -> bool {
        self.actions.iter().any(|action| action.outcomes.len() > 1)
    }

    /// The problem it was made from.
    pub fn problem(&self) -> &Problem {
        &self.problem
    }
}

/// What PDDL has and task networks here have not.
fn refuse_features(problem: &Problem) -> Result<(), Error> {
    if let Some(axiom) = problem.axioms.first() {
        return Err(Error::Unsupported { feature: "derived predicates", at: axiom.at });
    }
    if let Some(choice) = problem.init_choices.first() {
        return Err(Error::Unsupported { feature: "choices in the initial state", at: choice.at });
    }
    if let Some(metric) = &problem.metric {
        return Err(Error::Unsupported { feature: "metrics", at: metric.at });
    }
    Ok(())
}

/// The extents met so far.
struct Extents<'p> {
    problem: &'p Problem,
    list: Vec<Extent>,
    known: FxHashMap<TypeSet, usize>,
}

impl Extents<'_> {
    fn of(&mut self, types: &TypeSet) -> usize {
        if let Some(&known) = self.known.get(types) {
            return known;
        }
        let members: Vec<u32> =
            self.problem.extent(types).into_iter().map(|object| object.index() as u32).collect();
        self.known.insert(types.clone(), self.list.len());
        self.list.push(Extent::new(members, self.problem.objects.len()));
        self.list.len() - 1
    }

    fn rule<'c>(
        &mut self,
        schema: &model::Schema,
        conditions: impl IntoIterator<Item = &'c Condition>,
    ) -> Result<Rule, Error> {
        let types = schema.variables.iter().map(|variable| self.of(&variable.types)).collect();
        let mut rule = Rule { types, variables: schema.parameters, ..Rule::default() };
        for condition in conditions {
            rule.require(formula(condition, true)?);
        }
        Ok(rule)
    }

    fn action(&mut self, action: &model::Action) -> Result<Action, Error> {
        let rule = self.rule(&action.schema, [&action.precondition])?;
        let outcomes = outcomes(&action.effect)?;
        Ok(Action { name: action.name.clone(), parameters: action.schema.parameters, rule, outcomes })
    }

    fn method(&mut self, method: &model::Method) -> Result<Method, Error> {
        let rule = self.rule(&method.schema, [&method.precondition, &method.network.constraints])?;
        Ok(Method {
            name: method.name.clone(),
            symbol: self.problem.actions.len() + method.task.index(),
            arguments: method.arguments.iter().map(|&term| arg(term)).collect(),
            rule,
            network: self.network(&method.network),
            parameters: method.schema.parameters,
        })
    }

    fn initial(&mut self, initial: &model::InitialNetwork) -> Result<Method, Error> {
        Ok(Method {
            name: "__top".to_owned(),
            symbol: usize::MAX,
            arguments: Vec::new(),
            rule: self.rule(&initial.schema, [&initial.network.constraints])?,
            network: self.network(&initial.network),
            parameters: initial.schema.parameters,
        })
    }

    fn network(&self, network: &model::TaskNetwork) -> SubtaskNetwork {
        let symbol = |task: TaskRef| match task {
            TaskRef::Action(id) => id.index(),
            TaskRef::Compound(id) => self.problem.actions.len() + id.index(),
        };
        let count = network.subtasks.len();
        let total = network.total_order();
        let is_total = total.is_some();
        let places = total.unwrap_or_else(|| topological(count, &network.order));
        let after = (!is_total).then(|| {
            let place: FxHashMap<usize, usize> =
                places.iter().enumerate().map(|(at, &old)| (old, at)).collect();
            let mut after = vec![Vec::new(); count];
            for (first, second) in &network.order {
                after[place[second]].push(place[first]);
            }
            after
        });
        let subtasks = places.iter().map(|&at| {
            let subtask = &network.subtasks[at];
            (symbol(subtask.task), subtask.arguments.iter().map(|&term| arg(term)).collect())
        });
        SubtaskNetwork { subtasks: subtasks.collect(), after }
    }
}

impl Extent {
    pub(crate) fn new(members: Vec<u32>, objects: usize) -> Extent {
        let mut has = vec![false; objects];
        members.iter().for_each(|&member| has[member as usize] = true);
        Extent { members, has }
    }
}

impl Rule {
    pub(crate) fn require(&mut self, formula: Formula) {
        match formula {
            Formula::And(parts) => parts.into_iter().for_each(|part| self.require(part)),
            Formula::Literal(literal) => {
                if !self.literals.contains(&literal) {
                    self.literals.push(literal);
                }
            }
            Formula::Equal(left, right, equal) => self.equalities.push((left, right, equal)),
            formula => self.formulas.push(formula),
        }
    }
}

/// Positions so ordered that each comes after those it waits for, otherwise as in the text.
fn topological(count: usize, order: &[(usize, usize)]) -> Vec<usize> {
    let mut placed = vec![false; count];
    let mut places = Vec::with_capacity(count);
    while places.len() < count {
        let next = (0..count)
            .find(|&at| !placed[at] && order.iter().all(|&(first, second)| second != at || placed[first]))
            .expect("the ordering has no cycle");
        placed[next] = true;
        places.push(next);
    }
    places
}

fn arg(term: Term) -> Arg {
    match term {
        Term::Object(object) => Arg::Obj(object.index() as u32),
        Term::Variable(variable) => Arg::Var(variable.index() as u32),
    }
}

fn literal(atom: &model::Atom, positive: bool) -> Literal {
    let arguments = atom.arguments.iter().map(|&term| arg(term)).collect();
    Literal { predicate: atom.predicate.index(), arguments, positive }
}

/// A condition or its contrary, with negation at the atoms only.
fn formula(condition: &Condition, wanted: bool) -> Result<Formula, Error> {
    let parts = |parts: &[Condition]| -> Result<Vec<Formula>, Error> {
        parts.iter().map(|part| formula(part, wanted)).collect()
    };
    Ok(match (condition, wanted) {
        (Condition::And(all), true) | (Condition::Or(all), false) => Formula::And(parts(all)?),
        (Condition::Or(all), true) | (Condition::And(all), false) => match &all[..] {
            [only] => formula(only, wanted)?,
            _ => Formula::Or(parts(all)?),
        },
        (Condition::Not(part), _) => formula(part, !wanted)?,
        (Condition::Forall(variables, part), true) | (Condition::Exists(variables, part), false) => {
            let part = formula(part, wanted)?;
            variables
                .iter()
                .rev()
                .fold(part, |part, variable| Formula::All(variable.index() as u32, Box::new(part)))
        }
        (Condition::Exists(variables, part), true) | (Condition::Forall(variables, part), false) => {
            let part = formula(part, wanted)?;
            variables
                .iter()
                .rev()
                .fold(part, |part, variable| Formula::Any(variable.index() as u32, Box::new(part)))
        }
        (Condition::Atom(atom, _), _) => Formula::Literal(literal(atom, wanted)),
        (Condition::Equal(left, right), _) => Formula::Equal(arg(*left), arg(*right), wanted),
        (&Condition::Compare(_, _, _, at), _) => {
            return Err(Error::Unsupported { feature: "numeric conditions", at });
        }
        (&Condition::Preference(_, _, at), _) => {
            return Err(Error::Unsupported { feature: "preferences", at });
        }
    })
}

/// What an effect may come to: each outcome is a list of changes.
fn outcomes(effect: &Effect) -> Result<Vec<Vec<Change>>, Error> {
    let change = |literal| vec![vec![Change { over: Vec::new(), condition: None, literal }]];
    Ok(match effect {
        Effect::Add(atom, _) => change(literal(atom, true)),
        Effect::Delete(atom, _) => change(literal(atom, false)),
        Effect::And(parts) => {
            let mut all: Vec<Vec<Change>> = vec![Vec::new()];
            for part in parts {
                let some = outcomes(part)?;
                if some.len() * all.len() > OUTCOME_LIMIT {
                    let at = place(part).expect("only what nature decides has several outcomes");
                    return Err(Error::Unsupported { feature: "more than 4096 outcomes", at });
                }
                let mut product = Vec::with_capacity(all.len() * some.len());
                for first in &all {
                    product.extend(some.iter().map(|second| [first.as_slice(), second].concat()));
                }
                all = product;
            }
            all
        }
        Effect::OneOf(parts, _) => {
            let mut all = Vec::new();
            for part in parts {
                all.extend(outcomes(part)?);
            }
            all
        }
        Effect::Forall(variables, part) => {
            let mut inner = single(part)?;
            let variables: Vec<u32> = variables.iter().map(|variable| variable.index() as u32).collect();
            inner.iter_mut().for_each(|change| change.over.extend(&variables));
            vec![inner]
        }
        Effect::When(condition, part) => {
            let condition = formula(condition, true)?;
            let mut inner = single(part)?;
            for change in &mut inner {
                change.condition = Some(match change.condition.take() {
                    None => condition.clone(),
                    Some(further) => Formula::And(vec![condition.clone(), further]),
                });
            }
            vec![inner]
        }
        &Effect::Change(_, _, _, at) => return Err(Error::Unsupported { feature: "numeric effects", at }),
    })
}

/// The changes of an effect that leaves nothing to nature.
fn single(effect: &Effect) -> Result<Vec<Change>, Error> {
    match place(effect) {
        Some(at) => Err(Error::Unsupported { feature: "outcomes under `when` or `forall`", at }),
        None => Ok(outcomes(effect)?.pop().expect("an effect without choice has one outcome")),
    }
}

/// Where nature has a choice.
fn place(effect: &Effect) -> Option<Span> {
    match effect {
        Effect::And(parts) => parts.iter().find_map(place),
        Effect::Forall(_, part) | Effect::When(_, part) => place(part),
        Effect::OneOf(_, nature) => Some(nature.at),
        Effect::Add(..) | Effect::Delete(..) | Effect::Change(..) => None,
    }
}
