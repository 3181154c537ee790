//! The atoms and tasks that can come about at all, if nothing ever becomes false.
//!
//! An action that can be done makes its effects true, and a method makes its task true once its subtasks are. Each atom and
//! task is taken from a queue once. For each literal of a rule that it fits, the other literals are matched with what was
//! taken before (semi-naive evaluation), so that every instance is met when the last of what it needs is.

use std::collections::VecDeque;

use counterplay_base::{Budget, BudgetPoll};
use rustc_hash::FxHashSet;

use super::NotGround;
use super::narrow::{Narrowed, narrow};
use crate::facts::{Possible, Store};
use crate::lifted::{Arg, Formula, HddlProblem, Literal, Rule, Tuple, UNBOUND};
use crate::prepared::{PreparedProblem, Sizes, Task, for_all, variables};
use crate::unify::{Match, Matcher, Steps, tuple};

/// More instances of actions and methods than this are not enumerated.
const MOST_INSTANCES: usize = 1_500_000;

/// What a rule is about.
#[derive(Clone, Copy, PartialEq, Eq)]
enum About {
    Action(usize),
    Method(usize),
    Initial,
}

/// A rule: if its literals are true, so is what it makes. Tasks stand behind the predicates.
struct DatalogRule {
    about: About,
    rule: Rule,
    /// Whether two of its literals can be the same atom, so that an instance may be met twice.
    repeats: bool,
}

/// A way to find instances of a rule: from an atom that fits one of its literals, or from nothing.
struct Trigger {
    rule: usize,
    literal: Option<usize>,
    steps: Steps,
}

/// What can come about.
pub(super) struct Reachable {
    /// The atoms, and after the predicates the tasks by their symbols.
    pub(super) store: Store,
    /// Instances of methods: the method and its binding.
    pub(super) methods: Vec<(u32, Vec<u32>)>,
    /// Bindings of the initial network.
    pub(super) starts: Vec<Vec<u32>>,
}

pub(super) fn reachable(known: &PreparedProblem<'_>, budget: &Budget) -> Result<Reachable, NotGround> {
    let lifted = known.lifted;
    let narrowed = narrow(lifted);
    let rules = rules(lifted, &narrowed);
    let predicates = lifted.is_fluent.len();
    let mut enumeration = Enumeration {
        lifted,
        extents: &narrowed,
        rules: &rules,
        found: Reachable {
            store: Store::with_relations(predicates + lifted.methods_of.len(), lifted.packing.clone()),
            methods: Vec::new(),
            starts: Vec::new(),
        },
        queue: VecDeque::new(),
        met: FxHashSet::default(),
        count: 0,
        poll: BudgetPoll::every(256),
    };
    let triggers = enumeration.triggers();
    enumeration.begin();
    enumeration.run(&triggers, budget)?;
    Ok(enumeration.found)
}

/// The rules of all actions and methods that come up.
fn rules(lifted: &HddlProblem, narrowed: &Narrowed) -> Vec<DatalogRule> {
    let mut rules = Vec::new();
    let mut add = |about, mut rule: Rule| {
        // Only literals make a rule be looked at again. What else may become true later is left to the ground conditions.
        rule.formulas.retain(|formula| !may_become_true(lifted, formula));
        let mut seen = FxHashSet::default();
        let repeats = rule.literals.iter().filter(|it| it.positive).any(|it| !seen.insert(it.predicate));
        rules.push(DatalogRule { about, rule, repeats });
    };
    for (at, rule) in narrowed.actions.iter().enumerate().filter(|(at, _)| narrowed.used[*at]) {
        add(About::Action(at), rule.clone());
    }
    let with_subtasks = |rule: &Rule, subtasks: &[(usize, Vec<Arg>)]| {
        let mut rule = rule.clone();
        for (symbol, arguments) in subtasks {
            let predicate = lifted.is_fluent.len() + symbol;
            rule.require(Formula::Literal(Literal {
                predicate,
                arguments: arguments.clone(),
                positive: true,
            }));
        }
        rule
    };
    for (at, method) in lifted.methods.iter().enumerate().filter(|(_, it)| narrowed.used[it.symbol]) {
        add(About::Method(at), with_subtasks(&narrowed.methods[at], &method.network.subtasks));
    }
    add(About::Initial, with_subtasks(&narrowed.initial, &lifted.initial.network.subtasks));
    rules
}

/// Whether a formula may hold later although it does not hold now.
fn may_become_true(lifted: &HddlProblem, formula: &Formula) -> bool {
    match formula {
        Formula::And(parts) | Formula::Or(parts) => parts.iter().any(|part| may_become_true(lifted, part)),
        Formula::Literal(literal) => literal.positive && lifted.is_fluent[literal.predicate],
        Formula::Equal(..) => false,
        Formula::All(_, part) | Formula::Any(_, part) => may_become_true(lifted, part),
    }
}

struct Enumeration<'a> {
    lifted: &'a HddlProblem,
    extents: &'a Narrowed,
    rules: &'a [DatalogRule],
    found: Reachable,
    queue: VecDeque<(usize, Tuple)>,
    met: FxHashSet<(usize, Vec<u32>)>,
    count: usize,
    poll: BudgetPoll,
}

impl Enumeration<'_> {
    fn grows(&self, predicate: usize) -> bool {
        self.lifted.is_fluent.get(predicate).copied().unwrap_or(true)
    }

    fn triggers(&mut self) -> Vec<Trigger> {
        let sizes = Sizes::new(self.lifted);
        let mut triggers = Vec::new();
        for (number, DatalogRule { rule, .. }) in self.rules.iter().enumerate() {
            let mut literals: Vec<Option<usize>> = (0..rule.literals.len())
                .filter(|&at| rule.literals[at].positive && self.grows(rule.literals[at].predicate))
                .map(Some)
                .collect();
            if literals.is_empty() {
                literals.push(None);
            }
            for literal in literals {
                let bound = literal.map_or(Vec::new(), |at| variables(&rule.literals[at].arguments));
                // Of tasks nothing is known beforehand.
                let size = |predicate, place| match predicate < self.lifted.is_fluent.len() {
                    true => sizes.of(predicate, place),
                    false => place.map_or(1000.0, |_| 10.0),
                };
                let steps = Steps::new(rule, &self.extents.extents, &bound, &self.lifted.packing, &size);
                for (predicate, mask) in steps.selections(rule) {
                    self.found.store.prepare(predicate, mask);
                }
                triggers.push(Trigger { rule: number, literal, steps });
            }
        }
        triggers
    }

    /// What is true at the start.
    fn begin(&mut self) {
        for &(predicate, tuple) in &self.lifted.init {
            match self.lifted.is_fluent[predicate] {
                true => self.queue.push_back((predicate, tuple)),
                false => {
                    self.found.store.insert(predicate, tuple);
                }
            }
        }
    }

    fn run(&mut self, triggers: &[Trigger], budget: &Budget) -> Result<(), NotGround> {
        let mut by_predicate: Vec<Vec<usize>> =
            vec![Vec::new(); self.lifted.is_fluent.len() + self.lifted.methods_of.len()];
        for (at, trigger) in triggers.iter().enumerate() {
            let rule = &self.rules[trigger.rule].rule;
            match trigger.literal {
                Some(literal) => by_predicate[rule.literals[literal].predicate].push(at),
                None => self.instances(trigger, vec![UNBOUND; rule.types.len()], budget)?,
            }
        }
        while let Some((predicate, atom)) = self.queue.pop_front() {
            if !self.found.store.insert(predicate, atom) {
                continue;
            }
            for &at in &by_predicate[predicate] {
                if let Some(binding) = self.bind(&triggers[at], atom) {
                    self.instances(&triggers[at], binding, budget)?;
                }
            }
        }
        Ok(())
    }

    /// The variables that an atom binds, if it fits the literal of a trigger.
    fn bind(&self, trigger: &Trigger, atom: Tuple) -> Option<Vec<u32>> {
        let rule = &self.rules[trigger.rule].rule;
        let mut binding = vec![UNBOUND; rule.types.len()];
        let literal = &rule.literals[trigger.literal?];
        for (at, &argument) in literal.arguments.iter().enumerate() {
            let object = self.lifted.packing.unpack(atom, at);
            match argument {
                Arg::Obj(own) if own != object => return None,
                Arg::Obj(_) => {}
                Arg::Var(variable) => {
                    let slot = &mut binding[variable as usize];
                    let extent = &self.extents.extents[rule.types[variable as usize]];
                    if !extent.has[object as usize] || (*slot != UNBOUND && *slot != object) {
                        return None;
                    }
                    *slot = object;
                }
            }
        }
        Some(binding)
    }

    /// Meets all instances that a trigger finds, and queues what they make true.
    fn instances(&mut self, trigger: &Trigger, binding: Vec<u32>, budget: &Budget) -> Result<(), NotGround> {
        let DatalogRule { about, rule, repeats } = &self.rules[trigger.rule];
        let packing = &self.lifted.packing;
        let matcher = Matcher { rule, extents: &self.extents.extents, steps: &trigger.steps, packing };
        let mut matching = Match::new(binding);
        loop {
            self.poll.step(budget)?;
            let possible = Possible { store: &self.found.store, is_fluent: &self.lifted.is_fluent };
            if !matching.advance(matcher, &possible) {
                return Ok(());
            }
            if *repeats && !self.met.insert((trigger.rule, matching.binding.clone())) {
                continue;
            }
            self.count += 1;
            if self.count > MOST_INSTANCES {
                return Err(NotGround::Large);
            }
            self.conclude(*about, matching.binding.clone());
        }
    }

    /// What an instance of a rule makes true.
    fn conclude(&mut self, about: About, mut binding: Vec<u32>) {
        let (lifted, packing) = (self.lifted, &self.lifted.packing);
        match about {
            About::Action(at) => {
                let action = &lifted.actions[at];
                let task = packing.pack(binding[..action.parameters].iter().copied());
                self.queue.push_back((lifted.is_fluent.len() + at, task));
                for change in action.outcomes.iter().flatten().filter(|change| change.literal.positive) {
                    for_all(&change.over, &action.rule.types, lifted, &mut binding, &mut |binding| {
                        let literal = &change.literal;
                        let atom = tuple(packing, &literal.arguments, binding);
                        if !self.found.store.contains(literal.predicate, atom) {
                            self.queue.push_back((literal.predicate, atom));
                        }
                    });
                }
            }
            About::Method(at) => {
                let method = &lifted.methods[at];
                let task = tuple(packing, &method.arguments, &binding);
                let predicate = lifted.is_fluent.len() + method.symbol;
                if !self.found.store.contains(predicate, task) {
                    self.queue.push_back((predicate, task));
                }
                binding.truncate(method.parameters);
                self.found.methods.push((at as u32, binding));
            }
            About::Initial => {
                binding.truncate(lifted.initial.rule.types.len());
                self.found.starts.push(binding);
            }
        }
    }
}

impl Reachable {
    /// The instances of methods by their tasks.
    pub(super) fn by_task(&self, lifted: &HddlProblem) -> rustc_hash::FxHashMap<Task, Vec<u32>> {
        let mut by_task: rustc_hash::FxHashMap<Task, Vec<u32>> = Default::default();
        for (number, (method, binding)) in self.methods.iter().enumerate() {
            let method = &lifted.methods[*method as usize];
            let arguments = tuple(self.store.packing(), &method.arguments, binding);
            by_task.entry(Task { symbol: method.symbol as u32, arguments }).or_default().push(number as u32);
        }
        by_task
    }
}
