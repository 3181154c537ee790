//! Plans of task networks: the actions, and how they come from the tasks.
//!
//! The actions are run as any plan is. Then each compound task must be refined by a method for it: its subtasks
//! are the tasks that the file names, in some assignment, under one binding of the method's variables; what is
//! ordered happens in that order; and the method's precondition held when it was chosen. That moment lies after
//! everything that is ordered before the task and before the first thing that is done for it. In a total order
//! it is the state before the task's first action. Tasks without actions have such moments too, and theirs have to be in
//! order as well: each choice is put at the earliest moment that is possible after what comes before it, which leaves the
//! most room for what comes after.

use std::collections::HashMap;

use counterplay_base::{Budget, Limit};
use counterplay_pddl::model::*;
use counterplay_pddl::print::Binding;
use counterplay_syntax::{Diagnostic, Label, Severity, Span};

use crate::decomposition_file::{DecompositionText, Refined};
use crate::derive::Axioms;
use crate::evaluate::{CheckContext, Query, Trouble, unbound};
use crate::flaw::{Flaw, Place};
use crate::plan::{bind, flaw, take};
use crate::state::State;

/// The first thing that is wrong with a decomposition.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DecompositionFlaw {
    /// The actions themselves are no plan.
    #[error(transparent)]
    Plan(#[from] Flaw),
    /// A number without a line.
    #[error("there is no task with the number {number}")]
    Nowhere {
        number: u64,
        /// Where it is used.
        at: Span,
    },
    /// A task that two others need, or none.
    #[error("the task with the number {number} is needed {times} times, not once")]
    Shared {
        number: u64,
        /// How often it is needed.
        times: usize,
        at: Span,
    },
    /// A task that is part of itself.
    #[error("the task with the number {number} is part of itself")]
    Cycle { number: u64, at: Span },
    /// A method for another task.
    #[error("`{method}` is no method for `{task}`")]
    Method { method: String, task: String, at: Span },
    /// Subtasks that are not those of the method, or not in its order.
    #[error("the subtasks are not those of {network}, in its order")]
    Subtasks {
        /// The method, or the initial network.
        network: String,
        at: Span,
    },
    /// A precondition of a method that does not hold.
    #[error("the precondition of `{method}` does not hold when it is used")]
    Precondition { method: String, at: Span },
    /// A limit was reached.
    #[error("{limit}")]
    Stopped { limit: Limit },
}

impl DecompositionFlaw {
    /// The flaw with its place, for people.
    pub fn diagnostic(&self) -> Diagnostic {
        let (code, at) = match self {
            DecompositionFlaw::Plan(flaw) => return flaw.diagnostic(),
            DecompositionFlaw::Nowhere { at, .. } => ("htn-plan::nowhere", Some(at)),
            DecompositionFlaw::Shared { at, .. } => ("htn-plan::shared", Some(at)),
            DecompositionFlaw::Cycle { at, .. } => ("htn-plan::circle", Some(at)),
            DecompositionFlaw::Method { at, .. } => ("htn-plan::method", Some(at)),
            DecompositionFlaw::Subtasks { at, .. } => ("htn-plan::subtasks", Some(at)),
            DecompositionFlaw::Precondition { at, .. } => ("htn-plan::precondition", Some(at)),
            DecompositionFlaw::Stopped { .. } => ("htn-plan::stopped", None),
        };
        let labels = at.map(|&span| Label { span, text: String::new() }).into_iter().collect();
        Diagnostic { severity: Severity::Error, code, message: self.to_string(), labels, help: None }
    }
}

/// Whether a plan with its decomposition does what the initial network asks for, and ends in the goal; the number
/// of its actions, or the first thing that is wrong.
pub fn check_decomposition(
    problem: &Problem,
    text: &DecompositionText,
    budget: &Budget,
) -> Result<usize, DecompositionFlaw> {
    let world = CheckContext::new(problem, budget);
    let states = run(&world, text)?;
    let nodes = Nodes::new(text)?;
    let check = Check { world: &world, text, states, nodes };
    check.networks()?;
    Ok(text.actions.len())
}

/// The states that the actions lead through, the last of which must be a goal.
fn run(world: &CheckContext<'_>, text: &DecompositionText) -> Result<Vec<State>, Flaw> {
    let problem = world.problem;
    let axioms = Axioms::new(world).map_err(|limit| Flaw::Stopped { limit })?;
    let mut state = State::initial(problem);
    axioms.apply(world, &mut state).map_err(|trouble| flaw(trouble, None))?;
    let mut states = vec![state.clone()];
    for (index, (_, step)) in text.actions.iter().enumerate() {
        let place = Place { index, step: step.text(problem), at: step.at };
        let mut binding = bind(problem, step, &place)?;
        take(world, &axioms, &mut state, step, &mut binding, &place)?;
        states.push(state.clone());
    }
    let goal = &problem.goal;
    let view = world.view(&state, &goal.schema);
    let mut binding = unbound(&goal.schema);
    let at_end = |trouble| flaw(trouble, None);
    if !view.holds(&goal.condition, true, &mut binding).map_err(at_end)? {
        let unmet = view.unmet(&goal.condition, true, &mut binding).map_err(at_end)?;
        return Err(Flaw::Goal { unmet });
    }
    Ok(states)
}

/// What a number stands for: the position of an action, or that of a compound task.
#[derive(Clone, Copy, PartialEq, Eq)]
enum TaskNode {
    Action(usize),
    Task(usize),
}

/// The numbers of a plan, and when things happen.
struct Nodes {
    by_number: HashMap<u64, TaskNode>,
    /// For each compound task the first and last action below it.
    spans: Vec<Option<(usize, usize)>>,
    /// Compound tasks, each before those below it.
    order: Vec<usize>,
}

impl Nodes {
    fn new(text: &DecompositionText) -> Result<Nodes, DecompositionFlaw> {
        let actions =
            text.actions.iter().enumerate().map(|(at, (number, _))| (*number, TaskNode::Action(at)));
        let tasks = text.tasks.iter().enumerate().map(|(at, (number, _))| (*number, TaskNode::Task(at)));
        let by_number: HashMap<u64, TaskNode> = actions.chain(tasks).collect();
        let mut needed: HashMap<u64, usize> = HashMap::new();
        let lists = text.tasks.iter().map(|(_, task)| (task.subtasks.as_slice(), task.at));
        for (list, at) in lists.chain([(text.roots.as_slice(), text.roots_at)]) {
            for &number in list {
                if !by_number.contains_key(&number) {
                    return Err(DecompositionFlaw::Nowhere { number, at });
                }
                *needed.entry(number).or_default() += 1;
            }
        }
        let action_lines =
            text.actions.iter().map(|(number, step)| (*number, step.at.unwrap_or(text.roots_at)));
        for (number, at) in action_lines.chain(text.tasks.iter().map(|(number, task)| (*number, task.at))) {
            let times = needed.get(&number).copied().unwrap_or(0);
            if times != 1 {
                return Err(DecompositionFlaw::Shared { number, times, at });
            }
        }
        let mut nodes = Nodes { by_number, spans: vec![None; text.tasks.len()], order: Vec::new() };
        let mut open: Vec<u64> = text.roots.iter().rev().copied().collect();
        while let Some(number) = open.pop() {
            if let TaskNode::Task(at) = nodes.by_number[&number] {
                nodes.order.push(at);
                open.extend(text.tasks[at].1.subtasks.iter().rev());
            }
        }
        // Each is needed once, so what the roots do not lead to hangs on itself.
        if nodes.order.len() != text.tasks.len() {
            let mut seen = vec![false; text.tasks.len()];
            nodes.order.iter().for_each(|&at| seen[at] = true);
            let at = seen.iter().position(|seen| !seen).expect("one is missing");
            let (number, task) = &text.tasks[at];
            return Err(DecompositionFlaw::Cycle { number: *number, at: task.at });
        }
        for &at in nodes.order.iter().rev() {
            let below = text.tasks[at].1.subtasks.iter().filter_map(|&number| nodes.span(number));
            nodes.spans[at] = below.reduce(|one, other| (one.0.min(other.0), one.1.max(other.1)));
        }
        Ok(nodes)
    }

    /// The first and last action of what a number stands for.
    fn span(&self, number: u64) -> Option<(usize, usize)> {
        match self.by_number[&number] {
            TaskNode::Action(at) => Some((at, at)),
            TaskNode::Task(at) => self.spans[at],
        }
    }
}

/// States are numbered from 0, the state before the first action. A task without actions happens between two
/// of them, as does the choice of a method.
#[derive(Clone, Copy)]
struct Window {
    earliest: usize,
    /// The last state in which the task may begin.
    latest: usize,
    /// The last state before something that has to wait for it.
    end: usize,
}

struct Check<'a> {
    world: &'a CheckContext<'a>,
    text: &'a DecompositionText,
    states: Vec<State>,
    nodes: Nodes,
}

impl Check<'_> {
    fn networks(&self) -> Result<(), DecompositionFlaw> {
        let hierarchy = self.world.problem.hierarchy.as_ref();
        let initial = hierarchy.and_then(|it| it.initial.as_ref());
        let (Some(hierarchy), Some(initial)) = (hierarchy, initial) else {
            let network = "the problem, which has no task network".to_owned();
            return Err(DecompositionFlaw::Subtasks { network, at: self.text.roots_at });
        };
        let count = self.text.actions.len();
        let whole = Window { earliest: 0, latest: count, end: count };
        let mut windows: Vec<Window> = vec![whole; self.text.tasks.len()];
        let nothing = Condition::And(Vec::new());
        let start = Use {
            schema: &initial.schema,
            network: &initial.network,
            precondition: &nothing,
            binding: unbound(&initial.schema),
            window: whole,
        };
        let Some(Some(root)) = self.fits(&start, &self.text.roots, &mut windows)? else {
            let network = "the initial network".to_owned();
            return Err(DecompositionFlaw::Subtasks { network, at: self.text.roots_at });
        };
        let mut chosen: Vec<Option<Chosen>> = self.text.tasks.iter().map(|_| None).collect();
        for &at in &self.nodes.order {
            let window = windows[at];
            chosen[at] = Some(self.task(hierarchy, &self.text.tasks[at].1, window, &mut windows)?);
        }
        let chosen: Vec<Chosen> = chosen.into_iter().map(|it| it.expect("each task was looked at")).collect();
        self.moments(hierarchy, &start, &root, &chosen)
    }

    /// Puts every choice of a method at the earliest moment after what comes before it.
    fn moments(
        &self,
        hierarchy: &Hierarchy,
        start: &Use<'_>,
        root: &Chosen,
        chosen: &[Chosen],
    ) -> Result<(), DecompositionFlaw> {
        let mut stack = vec![Running::new(None, start.network, 0)];
        // The moment at which what was last looked at is over.
        let mut over: Option<usize> = None;
        while let Some(running) = stack.last_mut() {
            if let Some(end) = over.take() {
                let place = running.order[running.next];
                running.ends[place] = end;
                running.next += 1;
            }
            let own = running.task.map_or(root, |task| &chosen[task]);
            let Some(&place) = running.order.get(running.next) else {
                over = Some(running.ends.iter().copied().fold(running.moment, usize::max));
                stack.pop();
                continue;
            };
            let before = running.before[place].iter();
            let earliest = before.map(|&before| running.ends[before]).fold(running.moment, usize::max);
            match self.nodes.by_number[&own.assigned[place]] {
                TaskNode::Action(at) if at < earliest => {
                    return Err(match running.task {
                        Some(task) => self.too_late(hierarchy, task),
                        None => DecompositionFlaw::Subtasks {
                            network: "the initial network".to_owned(),
                            at: self.text.roots_at,
                        },
                    });
                }
                TaskNode::Action(at) => over = Some(at + 1),
                TaskNode::Task(task) => {
                    let refined = &self.text.tasks[task].1;
                    let method = &hierarchy.methods[refined.method];
                    let own = Use {
                        schema: &method.schema,
                        network: &method.network,
                        precondition: &method.precondition,
                        binding: chosen[task].binding.clone(),
                        window: Window { earliest, latest: 0, end: 0 },
                    };
                    let latest = self.nodes.spans[task].map_or(self.text.actions.len(), |(first, _)| first);
                    let mut moment = None;
                    for at in earliest..=latest {
                        if self.holds(&own, at, own.binding.clone())? {
                            moment = Some(at);
                            break;
                        }
                    }
                    let Some(moment) = moment else { return Err(self.too_late(hierarchy, task)) };
                    stack.push(Running::new(Some(task), &method.network, moment));
                }
            }
        }
        Ok(())
    }

    /// The precondition of a task's method does not hold at any moment that is left for it.
    fn too_late(&self, hierarchy: &Hierarchy, task: usize) -> DecompositionFlaw {
        let refined = &self.text.tasks[task].1;
        let method = hierarchy.methods[refined.method].name.clone();
        DecompositionFlaw::Precondition { method, at: refined.at }
    }

    fn task(
        &self,
        hierarchy: &Hierarchy,
        refined: &Refined,
        window: Window,
        windows: &mut [Window],
    ) -> Result<Chosen, DecompositionFlaw> {
        let method = &hierarchy.methods[refined.method];
        let mut binding = unbound(&method.schema);
        let own = method.task == refined.task
            && method.arguments.len() == refined.arguments.len()
            && method
                .arguments
                .iter()
                .zip(&refined.arguments)
                .all(|(&term, &object)| self.unify(&method.schema, &mut binding, term, object));
        if !own {
            return Err(DecompositionFlaw::Method {
                method: method.name.clone(),
                task: self.world.problem.application(&hierarchy.tasks[refined.task].name, &refined.arguments),
                at: refined.at,
            });
        }
        let use_of = Use {
            schema: &method.schema,
            network: &method.network,
            precondition: &method.precondition,
            binding,
            window,
        };
        match self.fits(&use_of, &refined.subtasks, windows)? {
            Some(Some(chosen)) => Ok(chosen),
            Some(None) => {
                Err(DecompositionFlaw::Precondition { method: method.name.clone(), at: refined.at })
            }
            None => {
                let network = format!("`{}`", method.name);
                Err(DecompositionFlaw::Subtasks { network, at: refined.at })
            }
        }
    }

    /// Binds a variable, unless it has another value or the object is none of its type.
    fn unify(&self, schema: &Schema, binding: &mut Binding, term: Term, object: ObjectId) -> bool {
        match term {
            Term::Object(own) => own == object,
            Term::Variable(variable) => {
                let fits = self.world.problem.belongs(object, &schema.variables[variable].types);
                let free = binding[variable].is_none_or(|value| value == object);
                binding[variable] = Some(object);
                fits && free
            }
        }
    }

    /// Which of the named tasks are which subtasks of a network: `None` if they cannot be, `Some(None)` if the precondition
    /// cannot hold then. The windows of the subtasks are set.
    fn fits(
        &self,
        wanted: &Use<'_>,
        numbers: &[u64],
        windows: &mut [Window],
    ) -> Result<Option<Option<Chosen>>, DecompositionFlaw> {
        let count = wanted.network.subtasks.len();
        if numbers.len() != count {
            return Ok(None);
        }
        let mut found = None;
        // For each subtask the numbers not yet tried; assignments in the order of the file come first.
        let mut chosen: Vec<(usize, Binding)> = Vec::new();
        let mut next = 0;
        loop {
            self.world.budget.check().map_err(|limit| DecompositionFlaw::Stopped { limit })?;
            if chosen.len() == count {
                let assigned: Vec<u64> = chosen.iter().map(|&(at, _)| numbers[at]).collect();
                let binding = chosen.last().map_or(&wanted.binding, |(_, binding)| binding).clone();
                if self.is_in_order(wanted.network, &assigned) {
                    found = Some(None);
                    if self.place(wanted, &assigned, binding.clone(), windows)? {
                        return Ok(Some(Some(Chosen { assigned, binding })));
                    }
                }
                let Some((last, _)) = chosen.pop() else { return Ok(found) };
                next = count_from(chosen.len(), last, count);
                continue;
            }
            let subtask = &wanted.network.subtasks[chosen.len()];
            let before = chosen.last().map_or(&wanted.binding, |(_, binding)| binding);
            let candidate = (next..count).map(|step| (chosen.len() + step) % count).find_map(|at| {
                let taken = chosen.iter().any(|&(other, _)| other == at);
                let binding = (!taken).then(|| self.is_subtask(wanted.schema, before, subtask, numbers[at]));
                binding.flatten().map(|binding| (at, binding))
            });
            match candidate {
                Some(choice) => {
                    chosen.push(choice);
                    next = 0;
                }
                None => {
                    let Some((last, _)) = chosen.pop() else { return Ok(found) };
                    next = count_from(chosen.len(), last, count);
                }
            }
        }
    }

    /// The binding under which a task is what a subtask asks for.
    fn is_subtask(
        &self,
        schema: &Schema,
        before: &Binding,
        subtask: &Subtask,
        number: u64,
    ) -> Option<Binding> {
        let arguments = match (self.nodes.by_number[&number], subtask.task) {
            (TaskNode::Action(at), TaskRef::Action(action)) if self.text.actions[at].1.action == action => {
                &self.text.actions[at].1.arguments
            }
            (TaskNode::Task(at), TaskRef::Compound(task)) if self.text.tasks[at].1.task == task => {
                &self.text.tasks[at].1.arguments
            }
            _ => return None,
        };
        let mut binding = before.clone();
        let fits = subtask.arguments.len() == arguments.len()
            && subtask
                .arguments
                .iter()
                .zip(arguments)
                .all(|(&term, &object)| self.unify(schema, &mut binding, term, object));
        fits.then_some(binding)
    }

    /// Whether what is ordered happens in that order.
    fn is_in_order(&self, network: &TaskNetwork, assigned: &[u64]) -> bool {
        let closed = closure(network);
        closed.iter().all(|&(before, after)| {
            match (self.nodes.span(assigned[before]), self.nodes.span(assigned[after])) {
                (Some((_, last)), Some((first, _))) => last < first,
                _ => true,
            }
        })
    }

    /// Finds a moment at which the precondition and the constraints hold, and sets the windows of the subtasks.
    fn place(
        &self,
        wanted: &Use<'_>,
        assigned: &[u64],
        binding: Binding,
        windows: &mut [Window],
    ) -> Result<bool, DecompositionFlaw> {
        let spans: Vec<Option<(usize, usize)>> =
            assigned.iter().map(|&number| self.nodes.span(number)).collect();
        let first = spans.iter().flatten().map(|(first, _)| *first).min();
        let latest = first.map_or(wanted.window.latest, |first| first.min(wanted.window.latest));
        let mut moment = None;
        for at in wanted.window.earliest..=latest {
            if self.holds(wanted, at, binding.clone())? {
                moment = Some(at);
                break;
            }
        }
        let Some(moment) = moment else { return Ok(false) };
        let count = assigned.len();
        let closed = closure(wanted.network);
        let mut own = vec![Window { earliest: moment, latest: 0, end: wanted.window.end }; count];
        // What must come before is over, and what must come after has not begun.
        for &(before, after) in &closed {
            let end = spans[before].map_or(moment, |(_, last)| last + 1);
            own[after].earliest = own[after].earliest.max(end);
            if let Some((first, _)) = spans[after] {
                own[before].end = own[before].end.min(first);
            }
        }
        for (window, span) in own.iter_mut().zip(&spans) {
            window.latest = span.map_or(window.end, |(first, _)| first);
        }
        for at in 0..count {
            if let TaskNode::Task(task) = self.nodes.by_number[&assigned[at]] {
                windows[task] = own[at];
            }
        }
        Ok(own.iter().all(|window| window.earliest <= window.latest))
    }

    /// Whether the precondition and the constraints hold in a state for some values of the free variables.
    fn holds(&self, wanted: &Use<'_>, at: usize, mut binding: Binding) -> Result<bool, DecompositionFlaw> {
        let view = self.world.view(&self.states[at], wanted.schema);
        let free: Vec<VariableId> = wanted
            .schema
            .variables
            .ids()
            .take(wanted.schema.parameters)
            .filter(|&variable| binding[variable].is_none())
            .collect();
        let condition = Condition::And(vec![wanted.precondition.clone(), wanted.network.constraints.clone()]);
        let query = Query { condition: &condition, wanted: true, found: true };
        let found = if free.is_empty() {
            view.holds(&condition, true, &mut binding)
        } else {
            view.instances(&free, query, &mut binding, &mut |_| Ok(true))
        };
        found.map_err(|trouble| match trouble {
            Trouble::Stopped(limit) => DecompositionFlaw::Stopped { limit },
            trouble => DecompositionFlaw::Plan(flaw(trouble, None)),
        })
    }
}

/// Which tasks are the subtasks of a network, in its order, and the values that this gives to variables.
struct Chosen {
    assigned: Vec<u64>,
    binding: Binding,
}

/// A network under way.
struct Running {
    /// The compound task that it carries out; none for the initial network.
    task: Option<usize>,
    /// When its method was chosen.
    moment: usize,
    /// Its subtasks, each after those before it.
    order: Vec<usize>,
    /// For each subtask those that are named as before it; what is before these is over even earlier.
    before: Vec<Vec<usize>>,
    next: usize,
    /// When the subtasks that were looked at are over.
    ends: Vec<usize>,
}

impl Running {
    fn new(task: Option<usize>, network: &TaskNetwork, moment: usize) -> Running {
        let count = network.subtasks.len();
        let (mut before, mut after) = (vec![Vec::new(); count], vec![Vec::new(); count]);
        for &(first, second) in &network.order {
            before[second].push(first);
            after[first].push(second);
        }
        let mut left: Vec<usize> = before.iter().map(Vec::len).collect();
        let mut order: Vec<usize> = (0..count).filter(|&at| left[at] == 0).collect();
        let mut looked = 0;
        while let Some(&at) = order.get(looked) {
            looked += 1;
            for &next in &after[at] {
                left[next] -= 1;
                if left[next] == 0 {
                    order.push(next);
                }
            }
        }
        let ends = vec![moment; count];
        Running { task, moment, order, before, next: 0, ends }
    }
}

/// A network to be carried out, under a binding, in a window of time.
struct Use<'a> {
    schema: &'a Schema,
    network: &'a TaskNetwork,
    precondition: &'a Condition,
    binding: Binding,
    window: Window,
}

/// Which try comes after `last`, for a subtask that tries its own position first.
fn count_from(own: usize, last: usize, count: usize) -> usize {
    (last + count - own) % count + 1
}

/// All pairs that are ordered, directly or through others.
fn closure(network: &TaskNetwork) -> Vec<(usize, usize)> {
    let count = network.subtasks.len();
    let mut after = vec![Vec::new(); count];
    for &(first, second) in &network.order {
        after[first].push(second);
    }
    let mut pairs = Vec::new();
    for first in 0..count {
        let mut seen = vec![false; count];
        let mut open = vec![first];
        while let Some(at) = open.pop() {
            for &next in &after[at] {
                if !std::mem::replace(&mut seen[next], true) {
                    pairs.push((first, next));
                    open.push(next);
                }
            }
        }
    }
    pairs
}
