//! Ground tasks and method instances over a finite task.
//!
//! The instances of a task's methods are found once, by unification with everything that may ever be true, and
//! kept. What their preconditions say of atoms is said of the facts of the finite task.

use counterplay_base::{Id, IdVec};
use counterplay_ground::{ChoiceId, NondetTask};
use counterplay_syntax::{Diagnostic, Severity};
use counterplay_task::{Fact, Value, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::hddl::facts::{Possible, Store};
use crate::hddl::lifted::{Formula, Literal, Tuple, UNBOUND, pack};
use crate::hddl::unify::{tuple, value};
use crate::hddl::{Known, Lifted, Task};
use crate::network::{NetworkId, Networks};

/// A condition on the states of a finite task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Guard {
    /// A fact holds, or does not.
    Fact(Fact, bool),
    /// All of them.
    All(Vec<Guard>),
    /// One of them.
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

/// Why methods cannot steer the search in a finite task.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SteeringError {
    /// Partial orders are for other searches.
    #[error("`--htn nd` and `--htn yoyo` need totally ordered methods")]
    PartialOrder,
    /// Variables of the initial network.
    #[error("`--htn nd` and `--htn yoyo` need an initial network without variables")]
    Variables,
    /// A method depends on an atom that plays no part for the goal.
    #[error("the method `{method}` depends on `{atom}`, which plays no part in reaching the goal")]
    Irrelevant {
        /// The method.
        method: String,
        /// The atom.
        atom: String,
    },
}

impl SteeringError {
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

/// What an atom is in the finite task.
#[derive(Clone, Copy)]
enum Meaning {
    Fact(Fact),
    Constant(bool),
}

/// The methods of a problem, over a finite task.
pub struct Steering<'l> {
    known: Known<'l>,
    possible: Store,
    facts: FxHashMap<(usize, Tuple), Fact>,
    initially: FxHashSet<(usize, Tuple)>,
    /// Atoms that some action changes.
    touched: FxHashSet<(usize, Tuple)>,
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

impl<'l> Steering<'l> {
    /// Brings the methods together with the finite task of the same problem.
    pub fn new(lifted: &'l Lifted, nondet: &NondetTask) -> Result<Steering<'l>, SteeringError> {
        if !lifted.is_totally_ordered() {
            return Err(SteeringError::PartialOrder);
        }
        if lifted.initial.parameters > 0 {
            return Err(SteeringError::Variables);
        }
        let known = Known::new(lifted);
        let names = Names::new(lifted);
        let mut facts = FxHashMap::default();
        for (var, variable) in nondet.task.variables.enumerate() {
            for (value, name) in variable.values.iter().enumerate() {
                if let Some(atom) = names.atom(name) {
                    facts.entry(atom).or_insert(Fact { var, value: value as Value });
                }
            }
        }
        let mut possible = Store::new(lifted.is_fluent.len());
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
        let mut touched = FxHashSet::default();
        for (id, choice) in nondet.choices.enumerate() {
            choices.entry(choice.name.clone()).or_default().push(id);
            if let Some(task) = names.action(&choice.name) {
                touch(&known, task, &mut touched);
            }
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
        Ok(Steering {
            known,
            possible,
            facts,
            initially,
            touched,
            choices,
            actions,
            instances,
            count: 0,
            networks,
            start,
        })
    }

    /// The actions that a primitive task names, or the method instances of a compound one.
    pub(crate) fn task(&mut self, task: Task) -> Result<Refined, SteeringError> {
        if self.known.lifted.is_primitive(task.symbol as usize) {
            let words = self.known.task_words(task);
            return Ok(Refined::Do(self.choices.get(&words).cloned().unwrap_or_default()));
        }
        if let Some(known) = self.instances.get(&task) {
            return Ok(Refined::By(known.clone()));
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
                if let Some(guard) = self.guard(method, &mut binding)? {
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
        Ok(Refined::By(list))
    }

    /// The guard of a method instance; `None` if it can never hold.
    fn guard(&self, method: usize, binding: &mut [u16]) -> Result<Option<Guard>, SteeringError> {
        let rule = &self.known.lifted.methods[method].rule;
        let mut parts = Vec::new();
        for literal in &rule.literals {
            match self.literal(method, literal, binding)? {
                Ok(fact) => parts.push(fact),
                Err(true) => {}
                Err(false) => return Ok(None),
            }
        }
        for formula in &rule.formulas {
            match self.formula(method, formula, &rule.types, binding)? {
                Ok(guard) => parts.push(guard),
                Err(true) => {}
                Err(false) => return Ok(None),
            }
        }
        Ok(Some(Guard::All(parts)))
    }

    /// What a literal says of the finite task, or whether it is always true or never.
    fn literal(
        &self,
        method: usize,
        literal: &Literal,
        binding: &[u16],
    ) -> Result<Result<Guard, bool>, SteeringError> {
        let atom = (literal.predicate, tuple(&literal.arguments, binding));
        Ok(match self.meaning(method, atom, literal.arguments.len())? {
            Meaning::Fact(fact) => Ok(Guard::Fact(fact, literal.positive)),
            Meaning::Constant(value) => Err(value == literal.positive),
        })
    }

    fn meaning(&self, method: usize, atom: (usize, Tuple), arity: usize) -> Result<Meaning, SteeringError> {
        if let Some(&fact) = self.facts.get(&atom) {
            return Ok(Meaning::Fact(fact));
        }
        if self.touched.contains(&atom) {
            let lifted = self.known.lifted;
            let name = lifted.problem().predicates.iter().nth(atom.0).map_or("", |it| it.name.as_str());
            let atom = format!("({})", lifted.words(name, atom.1, arity));
            return Err(SteeringError::Irrelevant { method: lifted.methods[method].name.clone(), atom });
        }
        Ok(Meaning::Constant(self.initially.contains(&atom)))
    }

    fn formula(
        &self,
        method: usize,
        formula: &Formula,
        types: &[usize],
        binding: &mut [u16],
    ) -> Result<Result<Guard, bool>, SteeringError> {
        let several = |parts: &mut dyn Iterator<Item = Result<Result<Guard, bool>, SteeringError>>,
                       all: bool| {
            let mut guards = Vec::new();
            for part in parts {
                match part? {
                    Ok(guard) => guards.push(guard),
                    Err(value) if value == all => {}
                    Err(value) => return Ok(Err(value)),
                }
            }
            Ok(if guards.is_empty() {
                Err(all)
            } else {
                Ok(if all { Guard::All(guards) } else { Guard::Any(guards) })
            })
        };
        match formula {
            Formula::Literal(literal) => self.literal(method, literal, binding),
            Formula::Equal(left, right, equal) => {
                Ok(Err((value(*left, binding) == value(*right, binding)) == *equal))
            }
            Formula::And(parts) | Formula::Or(parts) => {
                let all = matches!(formula, Formula::And(_));
                let mut parts = parts.iter().map(|part| self.formula(method, part, types, binding));
                several(&mut parts, all)
            }
            Formula::All(variable, part) | Formula::Any(variable, part) => {
                let all = matches!(formula, Formula::All(..));
                let slot = usize::from(*variable);
                let members = self.known.lifted.extents[types[slot]].members.clone();
                let mut parts = members.into_iter().map(|object| {
                    binding[slot] = object;
                    let part = self.formula(method, part, types, binding);
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

/// Notes every atom that an action may change, whatever its conditions.
fn touch(known: &Known<'_>, task: Task, touched: &mut FxHashSet<(usize, Tuple)>) {
    let action = &known.lifted.actions[task.symbol as usize];
    let Some(binding) = known.arguments(action, task) else { return };
    for change in action.outcomes.iter().flatten() {
        let mut bindings = vec![binding.clone()];
        for &variable in &change.over {
            let members = &known.lifted.extents[action.rule.types[usize::from(variable)]].members;
            bindings = bindings
                .iter()
                .flat_map(|binding| {
                    members.iter().map(move |&object| {
                        let mut binding = binding.clone();
                        binding[usize::from(variable)] = object;
                        binding
                    })
                })
                .collect();
        }
        for binding in bindings {
            touched.insert((change.literal.predicate, tuple(&change.literal.arguments, &binding)));
        }
    }
}

/// Names back to numbers.
struct Names<'l> {
    predicates: FxHashMap<&'l str, usize>,
    objects: FxHashMap<&'l str, u16>,
    actions: FxHashMap<&'l str, u32>,
}

impl<'l> Names<'l> {
    fn new(lifted: &'l Lifted) -> Names<'l> {
        let problem = lifted.problem();
        Names {
            predicates: problem
                .predicates
                .enumerate()
                .map(|(id, it)| (it.name.as_str(), id.index()))
                .collect(),
            objects: problem
                .objects
                .enumerate()
                .map(|(id, it)| (it.name.as_str(), id.index() as u16))
                .collect(),
            actions: lifted.actions.iter().zip(0..).map(|(action, at)| (action.name.as_str(), at)).collect(),
        }
    }

    /// The atom of a value such as `Atom on(a, b)`.
    fn atom(&self, name: &str) -> Option<(usize, Tuple)> {
        let (predicate, arguments) = name.strip_prefix("Atom ")?.strip_suffix(')')?.split_once('(')?;
        let words = arguments.split(", ").filter(|word| !word.is_empty());
        let objects: Option<Vec<u16>> = words.map(|word| self.objects.get(word).copied()).collect();
        Some((*self.predicates.get(predicate)?, pack(objects?)))
    }

    /// The task of an action such as `move a b`.
    fn action(&self, name: &str) -> Option<Task> {
        let mut words = name.split(' ');
        let symbol = *self.actions.get(words.next()?)?;
        let objects: Option<Vec<u16>> = words.map(|word| self.objects.get(word).copied()).collect();
        Some(Task { symbol, arguments: pack(objects?) })
    }
}
