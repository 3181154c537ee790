//! The ground problem: instances of actions and methods that the initial network can need.
//!
//! From all instances that can be carried out if nothing ever becomes false, those are taken that the initial network can
//! come to. What then cannot be carried out any more is taken out again, until nothing changes.

use counterplay_base::{Budget, BudgetPoll};
use rustc_hash::FxHashMap;

use super::NotGround;
use super::reach::{Reachable, reachable};
use super::relaxed::Relaxed;
use crate::facts::Possible;
use crate::lifted::{Formula, Literal, Rule, Tuple, UNBOUND};
use crate::prepared::{PreparedProblem, Task, for_all};
use crate::unify::{holds, literal_holds, tuple, value};

/// Facts that must hold, and facts that must not.
#[derive(Clone, Debug, Default)]
pub(crate) struct GroundCondition {
    pub(crate) holds: Vec<u32>,
    pub(crate) fails: Vec<u32>,
}

/// What an action changes where a condition holds.
#[derive(Clone, Debug, Default)]
pub(crate) struct GroundEffect {
    pub(crate) condition: GroundCondition,
    pub(crate) added: Vec<u32>,
    pub(crate) deleted: Vec<u32>,
}

#[derive(Clone, Debug)]
pub(crate) struct GroundMethod {
    /// The number of the lifted method.
    pub(crate) method: usize,
    pub(crate) binding: Vec<u32>,
    pub(crate) task: u32,
    pub(crate) condition: GroundCondition,
    pub(crate) subtasks: Vec<u32>,
}

/// A task by its instance: what is to be done for it.
#[derive(Clone, Debug)]
pub(crate) enum GroundTask {
    Action {
        condition: GroundCondition,
        effects: Vec<GroundEffect>,
    },
    /// The methods for it.
    Compound(Vec<u32>),
}

/// The ground problem. Facts, tasks and methods are numbered from zero.
#[derive(Clone, Debug)]
pub(crate) struct GroundProblem {
    pub(crate) facts: usize,
    pub(crate) init: Vec<u32>,
    pub(crate) goal: GroundCondition,
    pub(crate) tasks: Vec<GroundTask>,
    pub(crate) methods: Vec<GroundMethod>,
    /// For each binding of the initial network's variables its tasks. Starts that cannot succeed are left out.
    pub(crate) starts: Vec<(Vec<u32>, Vec<u32>)>,
}

impl GroundProblem {
    pub(crate) fn new(known: &PreparedProblem<'_>, budget: &Budget) -> Result<GroundProblem, NotGround> {
        let reachable = reachable(known, budget)?;
        let mut builder = Builder::new(known, &reachable);
        builder.starts();
        let mut poll = BudgetPoll::every(64);
        let mut next = 0;
        while next < builder.names.len() {
            poll.step(budget)?;
            builder.task(next)?;
            next += 1;
        }
        let goal = builder.goal()?;
        let init = known.lifted.init.iter().filter(|(predicate, _)| known.lifted.is_fluent[*predicate]);
        let init: Vec<(usize, Tuple)> = init.copied().collect();
        let init =
            init.into_iter().filter_map(|(predicate, tuple)| builder.facts.get(&(predicate, tuple)).copied());
        let init = init.collect();
        let problem = GroundProblem {
            facts: builder.facts.len(),
            init,
            goal: goal.unwrap_or_default(),
            tasks: builder.tasks,
            methods: builder.methods,
            starts: builder.starts,
        };
        Ok(problem.pruned())
    }

    /// Without what cannot be carried out, and what nothing needs.
    fn pruned(mut self) -> GroundProblem {
        loop {
            let possible = self.possible();
            let needed = self.needed(&possible);
            let keeps = |at: usize| needed[at] && possible[self.facts + at];
            let starts = self.starts.len();
            self.starts.retain(|(_, tasks)| tasks.iter().all(|&task| possible[self.facts + task as usize]));
            if (0..self.tasks.len()).all(keeps) && starts == self.starts.len() {
                let whole = |method: &GroundMethod| self.is_possible(method, &possible);
                if self.methods.iter().all(whole) {
                    return self;
                }
            }
            let mut numbers = vec![u32::MAX; self.tasks.len()];
            for (number, at) in (0..self.tasks.len()).filter(|&at| keeps(at)).enumerate() {
                numbers[at] = number as u32;
            }
            let kept: Vec<bool> = self
                .methods
                .iter()
                .map(|method| keeps(method.task as usize) && self.is_possible(method, &possible))
                .collect();
            self.renumber(&numbers, &kept);
        }
    }

    fn renumber(&mut self, numbers: &[u32], kept: &[bool]) {
        let mut at = 0;
        self.methods.retain(|_| {
            at += 1;
            kept[at - 1]
        });
        let mut at = 0;
        self.tasks.retain(|_| {
            at += 1;
            numbers[at - 1] != u32::MAX
        });
        for task in &mut self.tasks {
            if let GroundTask::Compound(methods) = task {
                methods.clear();
            }
        }
        let renamed =
            |tasks: &mut Vec<u32>| tasks.iter_mut().for_each(|task| *task = numbers[*task as usize]);
        for (number, method) in self.methods.iter_mut().enumerate() {
            method.task = numbers[method.task as usize];
            renamed(&mut method.subtasks);
            if let GroundTask::Compound(methods) = &mut self.tasks[method.task as usize] {
                methods.push(number as u32);
            }
        }
        self.starts.iter_mut().for_each(|(_, tasks)| renamed(tasks));
    }

    fn is_possible(&self, method: &GroundMethod, possible: &[bool]) -> bool {
        method.condition.holds.iter().all(|&fact| possible[fact as usize])
            && method.subtasks.iter().all(|&task| possible[self.facts + task as usize])
    }

    /// Which facts, and after them which tasks, can come about if nothing ever becomes false.
    fn possible(&self) -> Vec<bool> {
        let mut possible = Relaxed::new(self).reachable(self.init.iter().copied());
        possible.truncate(self.facts + self.tasks.len());
        possible
    }

    /// Which tasks the starts can come to.
    fn needed(&self, possible: &[bool]) -> Vec<bool> {
        let mut needed = vec![false; self.tasks.len()];
        let whole = self.starts.iter().map(|(_, tasks)| tasks);
        let whole = whole.filter(|tasks| tasks.iter().all(|&task| possible[self.facts + task as usize]));
        let mut open: Vec<u32> = whole.flatten().copied().collect();
        while let Some(task) = open.pop() {
            if std::mem::replace(&mut needed[task as usize], true) {
                continue;
            }
            if let GroundTask::Compound(methods) = &self.tasks[task as usize] {
                for &method in methods {
                    let method = &self.methods[method as usize];
                    if self.is_possible(method, possible) {
                        open.extend(&method.subtasks);
                    }
                }
            }
        }
        needed
    }
}

struct Builder<'a> {
    known: &'a PreparedProblem<'a>,
    reachable: &'a Reachable,
    by_task: FxHashMap<Task, Vec<u32>>,
    facts: FxHashMap<(usize, Tuple), u32>,
    names: Vec<Task>,
    numbers: FxHashMap<Task, u32>,
    tasks: Vec<GroundTask>,
    methods: Vec<GroundMethod>,
    starts: Vec<(Vec<u32>, Vec<u32>)>,
}

impl<'a> Builder<'a> {
    fn new(known: &'a PreparedProblem<'a>, reachable: &'a Reachable) -> Builder<'a> {
        Builder {
            known,
            reachable,
            by_task: reachable.by_task(known.lifted),
            facts: FxHashMap::default(),
            names: Vec::new(),
            numbers: FxHashMap::default(),
            tasks: Vec::new(),
            methods: Vec::new(),
            starts: Vec::new(),
        }
    }

    fn possible(&self) -> Possible<'a> {
        Possible { store: &self.reachable.store, is_fluent: &self.known.lifted.is_fluent }
    }

    fn intern(&mut self, task: Task) -> u32 {
        let next = self.names.len() as u32;
        let number = *self.numbers.entry(task).or_insert(next);
        if number == next {
            self.names.push(task);
        }
        number
    }

    fn starts(&mut self) {
        for binding in &self.reachable.starts {
            let tasks: Vec<Task> = self.known.subtasks(&self.known.lifted.initial, binding).collect();
            let tasks = tasks.into_iter().map(|task| self.intern(task)).collect();
            self.starts.push((binding.clone(), tasks));
        }
    }

    /// Fills in the task of a number, and numbers its subtasks.
    fn task(&mut self, number: usize) -> Result<(), NotGround> {
        let task = self.names[number];
        let symbol = task.symbol as usize;
        let ground = match self.known.lifted.is_primitive(symbol) {
            true => self.action(task)?,
            false => GroundTask::Compound(self.methods_for(number, task)?),
        };
        self.tasks.push(ground);
        Ok(())
    }

    fn action(&mut self, task: Task) -> Result<GroundTask, NotGround> {
        let known = self.known;
        let action = &known.lifted.actions[task.symbol as usize];
        // An action that can never be done is one without methods.
        let nothing = GroundTask::Compound(Vec::new());
        let Some(mut binding) = known.arguments(action, task) else { return Ok(nothing) };
        let Some(condition) = self.condition(&action.rule, &mut binding)? else { return Ok(nothing) };
        let mut effects: Vec<GroundEffect> = vec![GroundEffect::default()];
        let types = &action.rule.types;
        let mut found = Vec::new();
        for change in action.outcomes.first().into_iter().flatten() {
            for_all(&change.over, types, known.lifted, &mut binding, &mut |binding| {
                found.push((change, binding.clone()));
            });
        }
        for (change, mut binding) in found {
            let literal = &change.literal;
            let atom = tuple(&known.lifted.packing, &literal.arguments, &binding);
            if !literal.positive && !self.reachable.store.contains(literal.predicate, atom) {
                continue;
            }
            let fact = self.fact(literal.predicate, atom);
            let own = match &change.condition {
                None => None,
                Some(formula) => match self.conjunction(formula, types, &mut binding)? {
                    None => continue,
                    Some(own) => Some(own),
                },
            };
            let effect = match own {
                None => &mut effects[0],
                Some(condition) => {
                    effects.push(GroundEffect { condition, ..GroundEffect::default() });
                    effects.last_mut().expect("one was just added")
                }
            };
            if literal.positive { effect.added.push(fact) } else { effect.deleted.push(fact) }
        }
        Ok(GroundTask::Action { condition, effects })
    }

    fn methods_for(&mut self, number: usize, task: Task) -> Result<Vec<u32>, NotGround> {
        let known = self.known;
        let mut instances = self.by_task.remove(&task).unwrap_or_default();
        let order = &known.cheapest[task.symbol as usize];
        let place = |instance: &u32| {
            let (method, binding) = &self.reachable.methods[*instance as usize];
            (order.iter().position(|&it| it == *method as usize), binding)
        };
        instances.sort_by(|one, other| place(one).cmp(&place(other)));
        let mut numbers = Vec::new();
        for instance in instances {
            let (method, binding) = &self.reachable.methods[instance as usize];
            let own = &known.lifted.methods[*method as usize];
            let mut bound = binding.clone();
            bound.resize(own.rule.types.len(), UNBOUND);
            let Some(condition) = self.condition(&own.rule, &mut bound)? else { continue };
            let subtasks: Vec<Task> = known.subtasks(own, binding).collect();
            let subtasks: Vec<u32> = subtasks.into_iter().map(|task| self.intern(task)).collect();
            numbers.push(self.methods.len() as u32);
            self.methods.push(GroundMethod {
                method: *method as usize,
                binding: binding.clone(),
                task: number as u32,
                condition,
                subtasks,
            });
        }
        Ok(numbers)
    }

    /// The goal; `None` if it can never hold, and then nothing has to be searched.
    fn goal(&mut self) -> Result<Option<GroundCondition>, NotGround> {
        let rule = self.known.lifted.goal.clone();
        if rule.variables > 0 {
            return Err(NotGround::Disjunction);
        }
        let goal = self.condition(&rule, &mut vec![UNBOUND; rule.types.len()])?;
        if goal.is_none() {
            self.starts.clear();
        }
        Ok(goal)
    }

    fn fact(&mut self, predicate: usize, tuple: Tuple) -> u32 {
        let next = self.facts.len() as u32;
        *self.facts.entry((predicate, tuple)).or_insert(next)
    }

    /// A rule under a binding as lists of facts; `None` if it never holds.
    fn condition(&mut self, rule: &Rule, binding: &mut [u32]) -> Result<Option<GroundCondition>, NotGround> {
        let mut found = GroundCondition::default();
        for &(left, right, equal) in &rule.equalities {
            if (value(left, binding) == value(right, binding)) != equal {
                return Ok(None);
            }
        }
        for literal in &rule.literals {
            if !self.literal(literal, binding, &mut found) {
                return Ok(None);
            }
        }
        for formula in &rule.formulas {
            let Some(part) = self.conjunction(formula, &rule.types, binding)? else { return Ok(None) };
            found.holds.extend(part.holds);
            found.fails.extend(part.fails);
        }
        Ok(Some(found))
    }

    /// Adds a literal to a condition unless it always holds; `false` if it never does.
    fn literal(&mut self, literal: &Literal, binding: &[u32], found: &mut GroundCondition) -> bool {
        let lifted = self.known.lifted;
        if !literal_holds(literal, binding, &self.possible()) {
            return false;
        }
        let atom = tuple(&lifted.packing, &literal.arguments, binding);
        if lifted.is_fluent[literal.predicate] && self.reachable.store.contains(literal.predicate, atom) {
            let fact = self.fact(literal.predicate, atom);
            if literal.positive { found.holds.push(fact) } else { found.fails.push(fact) }
        }
        true
    }

    /// A formula under a binding as lists of facts, if it is a conjunction; `None` if it never holds.
    fn conjunction(
        &mut self,
        formula: &Formula,
        types: &[usize],
        binding: &mut [u32],
    ) -> Result<Option<GroundCondition>, NotGround> {
        let extents = &self.known.lifted.extents;
        let mut found = GroundCondition::default();
        let mut parts: Vec<GroundCondition> = Vec::new();
        match formula {
            Formula::Literal(literal) => {
                return Ok(self.literal(literal, binding, &mut found).then_some(found));
            }
            Formula::Equal(left, right, equal) => {
                let is = (value(*left, binding) == value(*right, binding)) == *equal;
                return Ok(is.then_some(found));
            }
            Formula::And(all) => {
                for part in all {
                    let Some(part) = self.conjunction(part, types, binding)? else { return Ok(None) };
                    parts.push(part);
                }
            }
            Formula::All(variable, part) => {
                let slot = *variable as usize;
                for &object in &extents[types[slot]].members {
                    binding[slot] = object;
                    let part = self.conjunction(part, types, binding)?;
                    binding[slot] = UNBOUND;
                    let Some(part) = part else { return Ok(None) };
                    parts.push(part);
                }
            }
            Formula::Or(_) | Formula::Any(..) => {
                // A disjunction that cannot hold at all, or one of which a single part is left, is none.
                if !holds(formula, types, extents, binding, &self.possible()) {
                    return Ok(None);
                }
                let alternatives = self.alternatives(formula, types, binding)?;
                if alternatives.iter().any(|it| it.holds.is_empty() && it.fails.is_empty()) {
                    return Ok(Some(found));
                }
                match <[GroundCondition; 1]>::try_from(alternatives) {
                    Ok([only]) => return Ok(Some(only)),
                    Err(_) => return Err(NotGround::Disjunction),
                }
            }
        }
        for part in parts {
            found.holds.extend(part.holds);
            found.fails.extend(part.fails);
        }
        Ok(Some(found))
    }

    /// The parts of a disjunction that may hold.
    fn alternatives(
        &mut self,
        formula: &Formula,
        types: &[usize],
        binding: &mut [u32],
    ) -> Result<Vec<GroundCondition>, NotGround> {
        let mut found = Vec::new();
        match formula {
            Formula::Or(parts) => {
                for part in parts {
                    found.extend(self.conjunction(part, types, binding)?);
                }
            }
            Formula::Any(variable, part) => {
                let slot = *variable as usize;
                for &object in &self.known.lifted.extents[types[slot]].members {
                    binding[slot] = object;
                    let part = self.conjunction(part, types, binding);
                    binding[slot] = UNBOUND;
                    found.extend(part?);
                }
            }
            _ => found.extend(self.conjunction(formula, types, binding)?),
        }
        Ok(found)
    }
}
