//! Policies over state and task network, by running them against every choice of nature.
//!
//! ```text
//! (network-policy strong (values))
//! (0 (by fetch-by-car (fetch milk) (values milk shop)) 1)
//! (1 (do (drive home shop)) 2 3)
//! (2 (end))
//! ```
//! Each line is a node: what to do there, and the nodes that the outcomes lead to, in the order of the domain
//! file. The checker follows all of them with a plain state and a plain task network at hand. A task that is
//! refined or done must be there and wait for nothing; a method's precondition must hold under the values given
//! for its parameters; at an end no task is left and the goal holds. What the policy guarantees is then a
//! question about the graph of nodes, states and networks.
//!
//! Several tasks of one name with the same arguments may be open at once, and the file does not say which of them is meant. All
//! networks that are left under one reading or another are followed side by side; that one of them can go on is enough, since what
//! is done does not depend on the reading.

use std::collections::{BTreeSet, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::rc::Rc;

use counterplay_base::{Budget, Limit};
use counterplay_pddl::model::*;
use counterplay_pddl::print::Binding;
use counterplay_syntax::{Diagnostic, Expr, FileId, Label, Severity, Sources, Span, read_pddl};

use crate::effect::outcomes;
use crate::evaluate::{CheckContext, Trouble, unbound};
use crate::plan_file::{Names, PlanError};
use crate::policy::Guarantee;
use crate::state::State;

/// What to do at a node.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Act {
    End,
    Do(ActionId, Vec<ObjectId>),
    By(MethodId, TaskId, Vec<ObjectId>, Vec<ObjectId>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct PolicyNode {
    act: Act,
    next: Vec<usize>,
    at: Span,
}

/// A policy over state and task network, as it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NetworkPolicyText {
    /// What it claims to guarantee.
    pub claimed: Guarantee,
    values: Vec<ObjectId>,
    nodes: Vec<PolicyNode>,
    at: Span,
}

/// What is wrong with a policy over state and task network.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NetworkPolicyFlaw {
    /// Not even a policy.
    #[error(transparent)]
    Text(#[from] PlanError),
    /// Something else than what is wanted here.
    #[error("expected {expected}")]
    Malformed { expected: &'static str, at: Span },
    /// A step that is not possible.
    #[error("{why}")]
    Wrong { why: String, at: Span },
    /// The same node, state and network can come back.
    #[error("the policy may go round for ever")]
    Cycle {
        /// A node of the cycle.
        at: Span,
    },
    /// The network can no longer be carried out.
    #[error("no end can be reached from here")]
    Lost { at: Span },
    /// A limit was reached.
    #[error("{limit}")]
    Stopped { limit: Limit },
}

impl NetworkPolicyFlaw {
    /// The flaw with its place, for people.
    pub fn diagnostic(&self) -> Diagnostic {
        let (code, at) = match self {
            NetworkPolicyFlaw::Text(error) => return error.diagnostic(),
            NetworkPolicyFlaw::Malformed { at, .. } => ("network-policy::malformed", Some(at)),
            NetworkPolicyFlaw::Wrong { at, .. } => ("network-policy::wrong", Some(at)),
            NetworkPolicyFlaw::Cycle { at } => ("network-policy::cycle", Some(at)),
            NetworkPolicyFlaw::Lost { at } => ("network-policy::lost", Some(at)),
            NetworkPolicyFlaw::Stopped { .. } => ("network-policy::stopped", None),
        };
        let labels = at.map(|&span| Label { span, text: String::new() }).into_iter().collect();
        Diagnostic { severity: Severity::Error, code, message: self.to_string(), labels, help: None }
    }
}

/// Whether a text looks like a policy over state and task network.
pub fn is_network_policy(sources: &Sources, file: FileId) -> bool {
    sources.files[file].text.trim_start().starts_with("(network-policy")
}

/// Reads a policy over state and task network.
pub fn read_network_policy(
    sources: &Sources,
    file: FileId,
    problem: &Problem,
) -> Result<NetworkPolicyText, NetworkPolicyFlaw> {
    let tree = read_pddl(sources, file).map_err(PlanError::from)?;
    let names = Names::new(problem);
    let mut items = tree.items();
    let malformed = |expected, at| NetworkPolicyFlaw::Malformed { expected, at };
    let expected = "`(network-policy strong (values ...))` or `(network-policy strong-cyclic (values ...))`";
    let first = items.next().ok_or_else(|| malformed(expected, tree.span()))?;
    let at = first.span();
    let head: Vec<Expr<'_>> = first.list().into_iter().flatten().take(4).collect();
    let [word, class, values] = head[..] else { return Err(malformed(expected, at)) };
    let claimed = match (word.atom(), class.atom()) {
        (Some("network-policy"), Some("strong")) => Guarantee::Strong,
        (Some("network-policy"), Some("strong-cyclic")) => Guarantee::StrongCyclic,
        _ => return Err(malformed(expected, at)),
    };
    let reader = NetworkPolicyParser { problem, names };
    let values = reader.values(values)?;
    let mut nodes = Vec::new();
    for item in items {
        nodes.push(reader.node(item, nodes.len())?);
    }
    if nodes.is_empty() {
        return Err(malformed("a node `(0 ...)`", at));
    }
    if let Some(node) = nodes.iter().find(|node| node.next.iter().any(|&next| next >= nodes.len())) {
        return Err(malformed("numbers of nodes that exist", node.at));
    }
    Ok(NetworkPolicyText { claimed, values, nodes, at })
}

struct NetworkPolicyParser<'p> {
    problem: &'p Problem,
    names: Names<'p>,
}

impl NetworkPolicyParser<'_> {
    fn values(&self, expr: Expr<'_>) -> Result<Vec<ObjectId>, NetworkPolicyFlaw> {
        match expr.form() {
            Some((_, "values", items)) => self.names.objects(items).map_err(first),
            _ => Err(NetworkPolicyFlaw::Malformed { expected: "`(values a b ...)`", at: expr.span() }),
        }
    }

    fn node(&self, expr: Expr<'_>, number: usize) -> Result<PolicyNode, NetworkPolicyFlaw> {
        let at = expr.span();
        let malformed = |expected| NetworkPolicyFlaw::Malformed { expected, at };
        let mut items = expr.list().ok_or_else(|| malformed("a node `(0 ...)`"))?;
        let own = items.next().and_then(|item| item.atom()).and_then(|text| text.parse::<usize>().ok());
        if own != Some(number) {
            return Err(malformed("nodes numbered from 0 on, one after the other"));
        }
        let expected = "`(end)`, `(do (action ...))` or `(by method (task ...) (values ...))`";
        let act = items.next().ok_or_else(|| malformed(expected))?;
        let parts: Vec<Expr<'_>> = act.list().into_iter().flatten().take(5).collect();
        let word = parts.first().and_then(|word| word.atom());
        let act = match (word, &parts[..]) {
            (Some("end"), [_]) => Act::End,
            (Some("do"), [_, step]) => {
                let step = self.names.step(*step).map_err(first)?;
                Act::Do(step.action, step.arguments)
            }
            (Some("by"), [_, method, task, values]) => {
                let hierarchy = self.problem.hierarchy.as_ref().ok_or_else(|| malformed("a task network"))?;
                let method = method.atom().unwrap_or_default().to_lowercase();
                let method = hierarchy.methods.enumerate().find(|(_, it)| it.name.to_lowercase() == method);
                let (method, _) = method.ok_or_else(|| malformed("the name of a method"))?;
                let (_, name, arguments) = task.form().ok_or_else(|| malformed("a task `(name ...)`"))?;
                let name = name.to_lowercase();
                let task = hierarchy.tasks.enumerate().find(|(_, it)| it.name.to_lowercase() == name);
                let (task, _) = task.ok_or_else(|| malformed("the name of a task"))?;
                let arguments = self.names.objects(arguments).map_err(first)?;
                Act::By(method, task, arguments, self.values(*values)?)
            }
            _ => return Err(malformed(expected)),
        };
        let next: Option<Vec<usize>> = items.map(|item| item.atom()?.parse().ok()).collect();
        let next = next.ok_or_else(|| malformed("numbers of nodes"))?;
        Ok(PolicyNode { act, next, at })
    }
}

fn first(errors: Vec<PlanError>) -> NetworkPolicyFlaw {
    errors.into_iter().next().expect("a failure has an error").into()
}

/// A task with its arguments, and the numbers of those it waits for.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Open {
    pub(crate) number: u32,
    pub(crate) task: TaskRef,
    pub(crate) arguments: Vec<ObjectId>,
    pub(crate) after: BTreeSet<u32>,
}

/// What is the case, and what is still to be done. Tasks are numbered in the order of the list.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Situation {
    pub(crate) facts: Rc<BTreeSet<GroundAtom>>,
    pub(crate) network: Vec<Open>,
}

/// What is the case, and what is still to be done under each reading of the policy.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Readings {
    facts: Rc<BTreeSet<GroundAtom>>,
    networks: BTreeSet<Vec<Open>>,
}

/// Checks a policy; the number of nodes, states and networks that it can lead to, each counted together.
pub fn check_network_policy(
    problem: &Problem,
    policy: &NetworkPolicyText,
    wanted: Guarantee,
    budget: &Budget,
) -> Result<usize, NetworkPolicyFlaw> {
    let world = CheckContext::new(problem, budget);
    let check = Check { world: &world, policy };
    let mut known: HashMap<(usize, Readings), usize> = HashMap::new();
    let mut list = vec![(0, check.start()?)];
    known.insert(list[0].clone(), 0);
    let mut next: Vec<Vec<usize>> = Vec::new();
    while next.len() < list.len() {
        budget.check().map_err(|limit| NetworkPolicyFlaw::Stopped { limit })?;
        let (node, here) = list[next.len()].clone();
        let mut after = Vec::new();
        for entry in check.step(node, &here)? {
            let number = *known.entry(entry.clone()).or_insert_with(|| {
                list.push(entry);
                list.len() - 1
            });
            after.push(number);
        }
        next.push(after);
    }
    let place = |at: usize| policy.nodes[list[at].0].at;
    match wanted {
        Guarantee::Strong => match cycle(&next) {
            Some(at) => Err(NetworkPolicyFlaw::Cycle { at: place(at) }),
            None => Ok(list.len()),
        },
        _ => match lost(&next) {
            Some(at) => Err(NetworkPolicyFlaw::Lost { at: place(at) }),
            None => Ok(list.len()),
        },
    }
}

/// An entry that leads back to itself, or to one that does.
fn cycle(next: &[Vec<usize>]) -> Option<usize> {
    let mut left: Vec<usize> = next.iter().map(Vec::len).collect();
    let before = reversed(next);
    let mut ready: Vec<usize> = (0..next.len()).filter(|&at| left[at] == 0).collect();
    while let Some(at) = ready.pop() {
        for &previous in &before[at] {
            left[previous] -= 1;
            if left[previous] == 0 {
                ready.push(previous);
            }
        }
    }
    left.iter().position(|&left| left > 0)
}

/// An entry from which no end can be reached.
fn lost(next: &[Vec<usize>]) -> Option<usize> {
    let before = reversed(next);
    let mut reaches = vec![false; next.len()];
    let mut open: Vec<usize> = (0..next.len()).filter(|&at| next[at].is_empty()).collect();
    while let Some(at) = open.pop() {
        if !std::mem::replace(&mut reaches[at], true) {
            open.extend(&before[at]);
        }
    }
    reaches.iter().position(|reaches| !reaches)
}

fn reversed(next: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut before = vec![Vec::new(); next.len()];
    for (at, list) in next.iter().enumerate() {
        list.iter().for_each(|&after| before[after].push(at));
    }
    before
}

struct Check<'a> {
    world: &'a CheckContext<'a>,
    policy: &'a NetworkPolicyText,
}

impl Check<'_> {
    fn start(&self) -> Result<Readings, NetworkPolicyFlaw> {
        let problem = self.world.problem;
        let at = self.policy.at;
        let initial = problem.hierarchy.as_ref().and_then(|it| it.initial.as_ref());
        let initial = initial.ok_or_else(|| wrong("the problem has no task network", at))?;
        let facts: BTreeSet<GroundAtom> = problem.init.iter().cloned().collect();
        let mut binding = self.bind(&initial.schema, &self.policy.values, at)?;
        let state = self.state(&facts);
        let view = self.world.view(&state, &initial.schema);
        if !view.holds(&initial.network.constraints, true, &mut binding).map_err(trouble)? {
            return Err(wrong("the values do not meet the constraints of the initial network", at));
        }
        let network = replaced(&[], None, &initial.network, &binding);
        Ok(Readings { facts: Rc::new(facts), networks: BTreeSet::from([network]) })
    }

    /// Values for the parameters of a schema, each of the right type.
    fn bind(&self, schema: &Schema, values: &[ObjectId], at: Span) -> Result<Binding, NetworkPolicyFlaw> {
        let problem = self.world.problem;
        let mut binding = unbound(schema);
        if values.len() != schema.parameters {
            return Err(wrong(format!("{} values are wanted", schema.parameters), at));
        }
        for (id, &value) in schema.variables.ids().zip(values) {
            let variable = &schema.variables[id];
            if !problem.belongs(value, &variable.types) {
                let object = &problem.objects[value].name;
                return Err(wrong(format!("`{object}` is no value for {}", variable.name), at));
            }
            binding[id] = Some(value);
        }
        Ok(binding)
    }

    fn state(&self, facts: &BTreeSet<GroundAtom>) -> State {
        let mut state = State::initial(self.world.problem);
        state.facts = facts.iter().cloned().collect();
        state
    }

    /// What a node leads to.
    fn step(&self, node: usize, here: &Readings) -> Result<Vec<(usize, Readings)>, NetworkPolicyFlaw> {
        let PolicyNode { act, next, at } = &self.policy.nodes[node];
        let at = *at;
        let after = match act {
            Act::End => {
                if !here.networks.iter().any(Vec::is_empty) {
                    return Err(wrong("the policy ends here, but tasks are left", at));
                }
                let goal = &self.world.problem.goal;
                let state = self.state(&here.facts);
                let view = self.world.view(&state, &goal.schema);
                if !view.holds(&goal.condition, true, &mut unbound(&goal.schema)).map_err(trouble)? {
                    return Err(wrong("the policy ends here, but the goal does not hold", at));
                }
                Vec::new()
            }
            Act::Do(action, arguments) => self.perform(here, *action, arguments, at)?,
            Act::By(method, task, arguments, values) => {
                vec![self.refine(here, *method, *task, arguments, values, at)?]
            }
        };
        if after.len() != next.len() {
            return Err(wrong(format!("this has {} outcomes, not {}", after.len(), next.len()), at));
        }
        Ok(next.iter().copied().zip(after).collect())
    }

    fn perform(
        &self,
        here: &Readings,
        action: ActionId,
        arguments: &[ObjectId],
        at: Span,
    ) -> Result<Vec<Readings>, NetworkPolicyFlaw> {
        let problem = self.world.problem;
        let own = &problem.actions[action];
        let mut binding = self.bind(&own.schema, arguments, at)?;
        let state = self.state(&here.facts);
        let view = self.world.view(&state, &own.schema);
        if !view.holds(&own.precondition, true, &mut binding).map_err(trouble)? {
            return Err(wrong("the precondition of the action does not hold", at));
        }
        let networks =
            self.after(here, TaskRef::Action(action), arguments, &TaskNetwork::default(), &binding)?;
        if networks.is_empty() {
            return Err(wrong("this action is not what is to be done now", at));
        }
        let mut after = Vec::new();
        for changes in outcomes(&view, &own.effect, &mut binding).map_err(trouble)? {
            let mut facts = BTreeSet::clone(&here.facts);
            changes.deletes.iter().for_each(|atom| {
                facts.remove(atom);
            });
            facts.extend(changes.adds);
            after.push(Readings { facts: Rc::new(facts), networks: networks.clone() });
        }
        Ok(after)
    }

    fn refine(
        &self,
        here: &Readings,
        method: MethodId,
        task: TaskId,
        arguments: &[ObjectId],
        values: &[ObjectId],
        at: Span,
    ) -> Result<Readings, NetworkPolicyFlaw> {
        let hierarchy = self.world.problem.hierarchy.as_ref().expect("the method belongs to a hierarchy");
        let own = &hierarchy.methods[method];
        let mut binding = self.bind(&own.schema, values, at)?;
        if own.task != task || ground(&own.arguments, &binding) != arguments {
            return Err(wrong("the method is not for this task with these values", at));
        }
        let state = self.state(&here.facts);
        let view = self.world.view(&state, &own.schema);
        for condition in [&own.precondition, &own.network.constraints] {
            if !view.holds(condition, true, &mut binding).map_err(trouble)? {
                return Err(wrong("the precondition of the method does not hold", at));
            }
        }
        let networks = self.after(here, TaskRef::Compound(task), arguments, &own.network, &binding)?;
        if networks.is_empty() {
            return Err(wrong("this task is not what is to be done now", at));
        }
        Ok(Readings { facts: here.facts.clone(), networks })
    }

    /// The networks with a task replaced by its subtasks, for each task that may be meant.
    fn after(
        &self,
        here: &Readings,
        task: TaskRef,
        arguments: &[ObjectId],
        new: &TaskNetwork,
        binding: &Binding,
    ) -> Result<BTreeSet<Vec<Open>>, NetworkPolicyFlaw> {
        let mut networks = BTreeSet::new();
        for network in &here.networks {
            self.world.budget.check().map_err(|limit| NetworkPolicyFlaw::Stopped { limit })?;
            let meant = ready(network, task, arguments);
            networks.extend(meant.map(|position| replaced(network, Some(position), new, binding)));
        }
        // Readings that differ in the order of the list alone are one reading: without this their number explodes.
        if networks.len() > 1 {
            networks = networks.iter().map(|network| arranged(network)).collect();
        }
        Ok(networks)
    }
}

fn wrong(why: impl Into<String>, at: Span) -> NetworkPolicyFlaw {
    NetworkPolicyFlaw::Wrong { why: why.into(), at }
}

fn trouble(trouble: Trouble) -> NetworkPolicyFlaw {
    match trouble {
        Trouble::Stopped(limit) => NetworkPolicyFlaw::Stopped { limit },
        other => unreachable!("without numbers there is no {other:?}"),
    }
}

/// The tasks of this kind that wait for nothing.
fn ready(network: &[Open], task: TaskRef, arguments: &[ObjectId]) -> impl Iterator<Item = usize> {
    let is_meant =
        move |open: &Open| open.task == task && open.arguments == arguments && open.after.is_empty();
    network.iter().enumerate().filter(move |(_, open)| is_meant(open)).map(|(position, _)| position)
}

fn ground(terms: &[Term], binding: &Binding) -> Vec<ObjectId> {
    let value = |term: &Term| match term {
        Term::Object(object) => *object,
        Term::Variable(variable) => binding[*variable].expect("all parameters have values"),
    };
    terms.iter().map(value).collect()
}

/// The same network in an order that depends on its tasks and their order alone, as far as colours tell tasks apart: the colour of a task
/// is made from its name and arguments, then again and again from the colours of those before and after it.
fn arranged(network: &[Open]) -> Vec<Open> {
    let mut colours: Vec<u64> = network.iter().map(|open| colour(&(open.task, &open.arguments))).collect();
    let mut kinds = 0;
    loop {
        let distinct = colours.iter().collect::<BTreeSet<_>>().len();
        if distinct == kinds {
            break;
        }
        kinds = distinct;
        let mut around = vec![(Vec::new(), Vec::new()); network.len()];
        for (at, open) in network.iter().enumerate() {
            for &before in &open.after {
                around[at].0.push(colours[before as usize]);
                around[before as usize].1.push(colours[at]);
            }
        }
        colours = around
            .iter_mut()
            .zip(&colours)
            .map(|((before, after), own)| {
                before.sort_unstable();
                after.sort_unstable();
                colour(&(own, before, after))
            })
            .collect();
    }
    let mut order: Vec<usize> = (0..network.len()).collect();
    order.sort_by_key(|&at| colours[at]);
    let network: Vec<Open> = order.into_iter().map(|at| network[at].clone()).collect();
    numbered(network)
}

fn colour(of: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    of.hash(&mut hasher);
    hasher.finish()
}

/// A network with the subtasks of another in the place of one of its tasks.
pub(crate) fn replaced(
    old: &[Open],
    position: Option<usize>,
    new: &TaskNetwork,
    binding: &Binding,
) -> Vec<Open> {
    let base = old.iter().map(|open| open.number + 1).max().unwrap_or(0);
    let gone = position.map(|at| old[at].number);
    let mut network: Vec<Open> = Vec::with_capacity(old.len() + new.subtasks.len());
    let split = position.unwrap_or(0);
    network.extend(old[..split].iter().cloned());
    network.extend(new.subtasks.iter().enumerate().map(|(at, subtask)| {
        Open {
            number: base + at as u32,
            task: subtask.task,
            arguments: ground(&subtask.arguments, binding),
            after: new
                .order
                .iter()
                .filter(|(_, after)| *after == at)
                .map(|(before, _)| base + *before as u32)
                .collect(),
        }
    }));
    network.extend(old.iter().skip(split + usize::from(position.is_some())).cloned());
    for open in &mut network {
        if gone.is_some_and(|gone| open.after.remove(&gone)) {
            open.after.extend((0..new.subtasks.len()).map(|at| base + at as u32));
        }
    }
    numbered(network)
}

/// A network whose tasks are numbered by position, so that equal networks look equal.
fn numbered(mut network: Vec<Open>) -> Vec<Open> {
    let places: HashMap<u32, u32> = (0..).zip(&network).map(|(place, open)| (open.number, place)).collect();
    for open in &mut network {
        open.number = places[&open.number];
        open.after = open.after.iter().map(|number| places[number]).collect();
    }
    network
}
