//! Ground tasks and method instances over a finite task.
//!
//! The instances of a task's methods are found once, by unification with everything that may ever be true, and
//! kept. What their preconditions say of atoms is said of the facts of the finite task.

use counterplay_base::{Id, IdVec};
use counterplay_syntax::{Diagnostic, Severity};
use counterplay_task::{ChoiceId, Fact, NondetTask, Value, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::facts::{Possible, Store};
use crate::lifted::{Formula, Literal, Packing, Tuple, UNBOUND};
use crate::unify::{tuple, value};
use crate::{HddlProblem, PreparedProblem, Task};
use counterplay_tasknet::network::{NetworkId, Networks};

/// A condition on the states of a finite task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Guard {
    /// A fact holds, or does not.
    Fact(Fact, bool),
    All(Vec<Guard>),
    Any(Vec<Guard>),
}

impl Guard {
    /// Whether it holds in a state.
    pub fn holds(&self, state: &IdVec<VarId, Value>) -> bool {
        match self {
            Guard::Fact(fact, wanted) => (state[fact.var] == fact.value) == *wanted,
            Guard::All(parts) => parts.iter().all(|part| part.holds(state)),
            Guard::Any(parts) => parts.iter().any(|part| part.holds(state)),
        }
    }
}

/// Why methods cannot guide the search in a finite task.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AdviceError {
    /// Partial orders are for other searches.
    #[error("`--htn nd` and `--htn yoyo` need totally ordered methods")]
    PartialOrder,
    /// Variables of the initial network.
    #[error("`--htn nd` and `--htn yoyo` need an initial network without variables")]
    Variables,
    /// A goal that always holds, or none.
    #[error("`--htn nd` and `--htn yoyo` look for a policy that reaches the goal, and the problem has none")]
    NoGoal,
}

impl AdviceError {
    /// The error, for people.
    pub fn diagnostic(&self) -> Diagnostic {
        let (code, labels) = ("hddl::steering", Vec::new());
        let help = Some("`--htn network` carries out the network itself".to_owned());
        Diagnostic { severity: Severity::Error, code, message: self.to_string(), labels, help }
    }
}

/// A method under a binding: where it may be used, and what it comes down to.
#[derive(Clone, Debug)]
pub(crate) struct Instance {
    /// Its number, from 0 on.
    pub(crate) number: usize,
    pub(crate) guard: Guard,
    pub(crate) subtasks: Vec<Task>,
}

/// The methods of a problem, over a finite task.
pub struct MethodAdvice<'l> {
    known: PreparedProblem<'l>,
    possible: Store,
    facts: FxHashMap<(usize, Tuple), Fact>,
    initially: FxHashSet<(usize, Tuple)>,
    /// The actions of a name.
    choices: FxHashMap<String, Vec<ChoiceId>>,
    /// The lifted action of each ground one.
    actions: IdVec<ChoiceId, usize>,
    instances: FxHashMap<Task, std::rc::Rc<Vec<Instance>>>,
    /// Number of instances so far.
    count: usize,
    pub(crate) networks: Networks<Task>,
    pub(crate) start: NetworkId,
}

impl<'l> MethodAdvice<'l> {
    /// Brings the methods together with the finite task of the same problem, which was grounded with `keep_irrelevant`.
    pub fn new(lifted: &'l HddlProblem, nondet: &NondetTask) -> Result<MethodAdvice<'l>, AdviceError> {
        if !lifted.is_totally_ordered() {
            return Err(AdviceError::PartialOrder);
        }
        if lifted.initial.parameters > 0 {
            return Err(AdviceError::Variables);
        }
        if lifted.goal.literals.is_empty()
            && lifted.goal.equalities.is_empty()
            && lifted.goal.formulas.is_empty()
        {
            return Err(AdviceError::NoGoal);
        }
        let known = PreparedProblem::new(lifted);
        let names = Names::new(lifted);
        let mut facts = FxHashMap::default();
        for (var, variable) in nondet.task.variables.enumerate() {
            for (value, name) in variable.values.iter().enumerate() {
                if let Some(atom) = names.atom(name) {
                    facts.entry(atom).or_insert(Fact { var, value: value as Value });
                }
            }
        }
        let mut possible = Store::new(lifted);
        let initially: FxHashSet<(usize, Tuple)> = lifted.init.iter().copied().collect();
        for &(predicate, tuple) in lifted.init.iter().chain(facts.keys()) {
            possible.insert(predicate, tuple);
        }
        for (method, steps) in lifted.methods.iter().zip(&known.steps) {
            for (predicate, mask) in steps.selections(&method.rule) {
                possible.prepare(predicate, mask);
            }
        }
        let mut choices: FxHashMap<String, Vec<ChoiceId>> = FxHashMap::default();
        for (id, choice) in nondet.choices.enumerate() {
            choices.entry(choice.name.clone()).or_default().push(id);
        }
        let actions = nondet.choices.iter().map(|choice| {
            let name = choice.name.split(' ').next().unwrap_or_default();
            lifted.actions.iter().position(|action| action.name == name).unwrap_or(usize::MAX)
        });
        let actions = actions.collect();
        let mut networks = Networks::new();
        let nothing = networks.empty();
        let tasks: Vec<Task> = known.subtasks(&lifted.initial, &[]).collect();
        let start = networks.before(tasks, None, nothing);
        let instances = FxHashMap::default();
        Ok(MethodAdvice {
            known,
            possible,
            facts,
            initially,
            choices,
            actions,
            instances,
            count: 0,
            networks,
            start,
        })
    }

    /// The actions that a primitive task names, or the method instances of a compound one.
    pub(crate) fn task(&mut self, task: Task) -> Refined {
        if self.known.lifted.is_primitive(task.symbol as usize) {
            let words = self.known.task_words(task);
            return Refined::Do(self.choices.get(&words).cloned().unwrap_or_default());
        }
        if let Some(known) = self.instances.get(&task) {
            return Refined::By(known.clone());
        }
        let mut list = Vec::new();
        for &method in &self.known.lifted.methods_of[task.symbol as usize] {
            let Some(mut matching) = self.known.open(method, task) else { continue };
            let facts = Possible { store: &self.possible, is_fluent: &self.known.lifted.is_fluent };
            let mut bindings = Vec::new();
            while matching.advance(self.known.matcher(method), &facts) {
                bindings.push(matching.binding.clone());
            }
            for mut binding in bindings {
                if let Some(guard) = self.guard(method, &mut binding) {
                    let own = &self.known.lifted.methods[method];
                    let number = self.count;
                    self.count += 1;
                    list.push(Instance {
                        number,
                        guard,
                        subtasks: self.known.subtasks(own, &binding).collect(),
                    });
                }
            }
        }
        let list = std::rc::Rc::new(list);
        self.instances.insert(task, list.clone());
        Refined::By(list)
    }

    /// The guard of a method instance; `None` if it can never hold.
    fn guard(&self, method: usize, binding: &mut [u32]) -> Option<Guard> {
        let rule = &self.known.lifted.methods[method].rule;
        let mut parts = Vec::new();
        for literal in &rule.literals {
            match self.literal(literal, binding) {
                Ok(fact) => parts.push(fact),
                Err(true) => {}
                Err(false) => return None,
            }
        }
        for formula in &rule.formulas {
            match self.formula(formula, &rule.types, binding) {
                Ok(guard) => parts.push(guard),
                Err(true) => {}
                Err(false) => return None,
            }
        }
        Some(Guard::All(parts))
    }

    /// What a literal says of the finite task, or whether it is always true or never.
    fn literal(&self, literal: &Literal, binding: &[u32]) -> Result<Guard, bool> {
        let atom = (literal.predicate, tuple(&self.known.lifted.packing, &literal.arguments, binding));
        match self.facts.get(&atom) {
            Some(&fact) => Ok(Guard::Fact(fact, literal.positive)),
            // The finite task has a fact for every atom that can change.
            None => Err(self.initially.contains(&atom) == literal.positive),
        }
    }

    fn formula(&self, formula: &Formula, types: &[usize], binding: &mut [u32]) -> Result<Guard, bool> {
        let several = |parts: &mut dyn Iterator<Item = Result<Guard, bool>>, all: bool| {
            let mut guards = Vec::new();
            for part in parts {
                match part {
                    Ok(guard) => guards.push(guard),
                    Err(value) if value == all => {}
                    Err(value) => return Err(value),
                }
            }
            if guards.is_empty() {
                return Err(all);
            }
            Ok(if all { Guard::All(guards) } else { Guard::Any(guards) })
        };
        match formula {
            Formula::Literal(literal) => self.literal(literal, binding),
            Formula::Equal(left, right, equal) => {
                Err((value(*left, binding) == value(*right, binding)) == *equal)
            }
            Formula::And(parts) | Formula::Or(parts) => {
                let all = matches!(formula, Formula::And(_));
                let mut parts = parts.iter().map(|part| self.formula(part, types, binding));
                several(&mut parts, all)
            }
            Formula::All(variable, part) | Formula::Any(variable, part) => {
                let all = matches!(formula, Formula::All(..));
                let slot = *variable as usize;
                let members = self.known.lifted.extents[types[slot]].members.clone();
                let mut parts = members.into_iter().map(|object| {
                    binding[slot] = object;
                    let part = self.formula(part, types, binding);
                    binding[slot] = UNBOUND;
                    part
                });
                several(&mut parts, all)
            }
        }
    }

    /// The number of the lifted action that a ground one is an instance of.
    pub(crate) fn action_of(&self, choice: ChoiceId) -> usize {
        self.actions[choice]
    }
}

/// What a ground task comes to.
pub(crate) enum Refined {
    /// These actions, of which one fits in each state or none does.
    Do(Vec<ChoiceId>),
    /// One of these method instances.
    By(std::rc::Rc<Vec<Instance>>),
}

/// Names back to numbers.
struct Names<'l> {
    predicates: FxHashMap<&'l str, usize>,
    objects: FxHashMap<&'l str, u32>,
    packing: Packing,
}

impl<'l> Names<'l> {
    fn new(lifted: &'l HddlProblem) -> Names<'l> {
        let problem = lifted.problem();
        Names {
            packing: lifted.packing.clone(),
            predicates: problem
                .predicates
                .enumerate()
                .map(|(id, it)| (it.name.as_str(), id.index()))
                .collect(),
            objects: problem
                .objects
                .enumerate()
                .map(|(id, it)| (it.name.as_str(), id.index() as u32))
                .collect(),
        }
    }

    /// The atom of a value such as `Atom on(a, b)`.
    fn atom(&self, name: &str) -> Option<(usize, Tuple)> {
        let (predicate, arguments) = name.strip_prefix("Atom ")?.strip_suffix(')')?.split_once('(')?;
        let words = arguments.split(", ").filter(|word| !word.is_empty());
        let objects: Option<Vec<u32>> = words.map(|word| self.objects.get(word).copied()).collect();
        Some((*self.predicates.get(predicate)?, self.packing.pack(objects?.into_iter())))
    }
}
