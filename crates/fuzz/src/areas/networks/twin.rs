//! The slow twin: every situation of a task network, from the definition of HDDL.
//!
//! A situation is a set of true atoms and a set of tasks with a transitively closed order. One step refines a task that has
//! nothing before it, or does an action that has nothing before it. Plans and policies are fixpoints over all situations.

use std::collections::{BTreeSet, HashMap, VecDeque};

use counterplay_base::Id;
use counterplay_pddl::model::*;

type Facts = BTreeSet<GroundAtom>;
type Values = Vec<Option<ObjectId>>;

/// Tasks and pairs of positions in order.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct Net {
    tasks: Vec<(TaskRef, Vec<ObjectId>)>,
    before: BTreeSet<(usize, usize)>,
}

/// Networks with more tasks are not looked into.
const LARGEST: usize = 10;

/// What is the case and what is to be done.
pub(super) type Situation = (Facts, Net);

/// Situations with what they may lead to.
pub(super) struct Twin {
    pub(super) list: Vec<Situation>,
    /// For each situation the steps: whether it is an action, and the outcomes.
    pub(super) steps: Vec<Vec<(bool, Vec<usize>)>>,
    pub(super) goals: Vec<bool>,
    pub(super) starts: usize,
    /// Whether all of them were looked at.
    pub(super) is_closed: bool,
}

/// Lists situations, breadth first, up to a number. With `goal_ends` nothing is done in a goal state.
pub(super) fn explore(problem: &Problem, goal_ends: bool, most: usize) -> Twin {
    let hierarchy = problem.hierarchy.as_ref().expect("a network");
    let initial = hierarchy.initial.as_ref().expect("an initial network");
    let mut twin =
        Twin { list: Vec::new(), steps: Vec::new(), goals: Vec::new(), starts: 0, is_closed: true };
    let mut numbers: HashMap<Situation, usize> = HashMap::new();
    let mut add = |list: &mut Vec<Situation>, situation: Situation| {
        let next = list.len();
        *numbers.entry(situation).or_insert_with_key(|situation| {
            list.push(situation.clone());
            next
        })
    };
    let facts: Facts = problem.init.iter().cloned().collect();
    let empty = Net { tasks: Vec::new(), before: BTreeSet::new() };
    for values in all_values(problem, &initial.schema, vec![None; initial.schema.variables.len()]) {
        if holds(problem, &initial.schema, &initial.network.constraints, &mut values.clone(), &facts) {
            let net = replace(&empty, None, &initial.network, &values);
            add(&mut twin.list, (facts.clone(), net));
        }
    }
    twin.starts = twin.list.len();
    while twin.steps.len() < twin.list.len() {
        if twin.list.len() > most {
            twin.is_closed = false;
            break;
        }
        let (facts, net) = twin.list[twin.steps.len()].clone();
        let goal = &problem.goal;
        let no_values = &mut vec![None; goal.schema.variables.len()];
        let is_goal = holds(problem, &goal.schema, &goal.condition, no_values, &facts);
        twin.goals.push(is_goal);
        if net.tasks.len() > LARGEST {
            twin.is_closed = false;
            twin.steps.push(Vec::new());
            continue;
        }
        let mut steps = Vec::new();
        let ready = (0..net.tasks.len()).filter(|&at| net.before.iter().all(|&(_, after)| after != at));
        for at in ready.filter(|_| !(is_goal && goal_ends)) {
            for (is_act, outcomes) in step(problem, hierarchy, &facts, &net, at) {
                steps.push((is_act, outcomes.into_iter().map(|next| add(&mut twin.list, next)).collect()));
            }
        }
        twin.steps.push(steps);
    }
    twin
}

impl Twin {
    fn is_end(&self, at: usize) -> bool {
        self.goals[at] && self.list[at].1.tasks.is_empty()
    }

    /// The length of a shortest plan, if one is found among the situations that were looked at.
    pub(super) fn shortest(&self) -> Option<usize> {
        let mut costs = vec![usize::MAX; self.list.len()];
        let mut open: VecDeque<(usize, usize)> = (0..self.starts).map(|at| (at, 0)).collect();
        while let Some((at, cost)) = open.pop_front() {
            if costs[at] <= cost || at >= self.steps.len() {
                continue;
            }
            costs[at] = cost;
            if self.is_end(at) {
                return Some(cost);
            }
            for (is_act, next) in &self.steps[at] {
                if *is_act {
                    open.push_back((next[0], cost + 1));
                } else {
                    open.push_front((next[0], cost));
                }
            }
        }
        None
    }

    /// Whether some start can carry out the network: strongly, or else strong-cyclically.
    pub(super) fn carries_out(&self, strong: bool) -> bool {
        let moves: Vec<Vec<Vec<usize>>> =
            self.steps.iter().map(|steps| steps.iter().map(|(_, next)| next.clone()).collect()).collect();
        let ends: Vec<bool> = (0..self.steps.len()).map(|at| self.is_end(at)).collect();
        let good = if strong { strongly(&moves, &ends) } else { cyclically(&moves, &ends) };
        (0..self.starts.min(good.len())).any(|at| good[at])
    }

    /// Whether a policy over states with a guarantee can be made of actions that come up: strong, strong-cyclic, weak.
    pub(super) fn advises(&self) -> [bool; 3] {
        let mut numbers: HashMap<&Facts, usize> = HashMap::new();
        for (facts, _) in &self.list {
            let next = numbers.len();
            numbers.entry(facts).or_insert(next);
        }
        let mut moves: Vec<Vec<Vec<usize>>> = vec![Vec::new(); numbers.len()];
        let mut ends = vec![false; numbers.len()];
        for (at, steps) in self.steps.iter().enumerate() {
            let state = numbers[&self.list[at].0];
            ends[state] |= self.goals[at];
            for (_, next) in steps.iter().filter(|(is_act, _)| *is_act) {
                moves[state].push(next.iter().map(|&next| numbers[&self.list[next].0]).collect());
            }
        }
        let weakly: Vec<Vec<Vec<usize>>> =
            moves.iter().map(|moves| moves.iter().flatten().map(|&next| vec![next]).collect()).collect();
        [strongly(&moves, &ends)[0], cyclically(&moves, &ends)[0], strongly(&weakly, &ends)[0]]
    }
}

/// Nodes from which an end is reached whatever happens. Nodes without a list of moves were not looked at.
fn strongly(moves: &[Vec<Vec<usize>>], ends: &[bool]) -> Vec<bool> {
    let mut good = ends.to_vec();
    loop {
        let mut changed = false;
        for at in (0..good.len()).rev() {
            let known = |at: &usize| good.get(*at).copied().unwrap_or(false);
            if !good[at] && moves[at].iter().any(|next| next.iter().all(known)) {
                good[at] = true;
                changed = true;
            }
        }
        if !changed {
            return good;
        }
    }
}

/// Nodes from which an end can always still be reached: those from which one can be reached without ever leaving them.
fn cyclically(moves: &[Vec<Vec<usize>>], ends: &[bool]) -> Vec<bool> {
    let mut inside = vec![true; ends.len()];
    loop {
        let is_inside = |at: &usize| inside.get(*at).copied().unwrap_or(false);
        let staying: Vec<Vec<Vec<usize>>> = moves
            .iter()
            .map(|moves| {
                let kept = moves.iter().filter(|next| next.iter().all(is_inside));
                kept.flatten().map(|&next| vec![next]).collect()
            })
            .collect();
        let ends: Vec<bool> = ends.iter().zip(&inside).map(|(&end, &inside)| end && inside).collect();
        let reach: Vec<bool> =
            strongly(&staying, &ends).iter().zip(&inside).map(|(&good, &inside)| good && inside).collect();
        if reach == inside {
            return inside;
        }
        inside = reach;
    }
}

/// All steps about one task.
fn step(
    problem: &Problem,
    hierarchy: &Hierarchy,
    facts: &Facts,
    net: &Net,
    at: usize,
) -> Vec<(bool, Vec<Situation>)> {
    let (task, arguments) = &net.tasks[at];
    match *task {
        TaskRef::Action(id) => {
            let action = &problem.actions[id];
            let mut values: Values = vec![None; action.schema.variables.len()];
            for (place, &object) in arguments.iter().enumerate() {
                values[place] = Some(object);
            }
            let fits = action.schema.variables.iter().zip(arguments);
            if !fits.into_iter().all(|(variable, &object)| problem.belongs(object, &variable.types))
                || !holds(problem, &action.schema, &action.precondition, &mut values, facts)
            {
                return Vec::new();
            }
            let after = replace(net, Some(at), &TaskNetwork::default(), &values);
            let outcomes = results(problem, &action.schema, &action.effect, &mut values, facts);
            let next = outcomes.into_iter().map(|(adds, deletes)| {
                let kept: Facts = facts.difference(&deletes).cloned().collect();
                (kept.union(&adds).cloned().collect(), after.clone())
            });
            vec![(true, next.collect())]
        }
        TaskRef::Compound(id) => {
            let mut steps = Vec::new();
            for method in hierarchy.methods.iter().filter(|method| method.task == id) {
                for values in all_values(problem, &method.schema, vec![None; method.schema.variables.len()]) {
                    let own: Vec<ObjectId> =
                        method.arguments.iter().map(|&term| value(term, &values)).collect();
                    let usable = own == *arguments
                        && [&method.precondition, &method.network.constraints]
                            .iter()
                            .all(|it| holds(problem, &method.schema, it, &mut values.clone(), facts));
                    if usable {
                        let after = replace(net, Some(at), &method.network, &values);
                        steps.push((false, vec![(facts.clone(), after)]));
                    }
                }
            }
            steps
        }
    }
}

/// A network with other tasks in the place of one of its own. They inherit what comes before and after it.
fn replace(net: &Net, gone: Option<usize>, new: &TaskNetwork, values: &Values) -> Net {
    let kept: Vec<usize> = (0..net.tasks.len()).filter(|&at| Some(at) != gone).collect();
    let place: HashMap<usize, usize> = kept.iter().enumerate().map(|(new, &old)| (old, new)).collect();
    let count = kept.len();
    let mut tasks: Vec<_> = kept.iter().map(|&at| net.tasks[at].clone()).collect();
    let mut before = BTreeSet::new();
    for &(first, second) in &net.before {
        match (place.get(&first), place.get(&second)) {
            (Some(&first), Some(&second)) => {
                before.insert((first, second));
            }
            (Some(&first), None) => before.extend((0..new.subtasks.len()).map(|at| (first, count + at))),
            (None, Some(&second)) => before.extend((0..new.subtasks.len()).map(|at| (count + at, second))),
            (None, None) => {}
        }
    }
    before.extend(new.order.iter().map(|&(first, second)| (count + first, count + second)));
    tasks.extend(new.subtasks.iter().map(|subtask| {
        (subtask.task, subtask.arguments.iter().map(|&term| value(term, values)).collect::<Vec<_>>())
    }));
    loop {
        let mut news: Vec<(usize, usize)> = Vec::new();
        for &(first, middle) in &before {
            for &(other, last) in &before {
                if middle == other && !before.contains(&(first, last)) {
                    news.push((first, last));
                }
            }
        }
        if news.is_empty() {
            return sorted(Net { tasks, before });
        }
        before.extend(news);
    }
}

/// The same network with its tasks in a fixed order, so that most equal ones look equal.
fn sorted(net: Net) -> Net {
    let key = |at: usize| {
        let pairs =
            |first: bool| net.before.iter().filter(|pair| at == if first { pair.0 } else { pair.1 }).count();
        let (task, arguments) = &net.tasks[at];
        let (kind, id) = match *task {
            TaskRef::Action(id) => (0, id.index()),
            TaskRef::Compound(id) => (1, id.index()),
        };
        (pairs(false), pairs(true), kind, id, arguments.clone())
    };
    let mut order: Vec<usize> = (0..net.tasks.len()).collect();
    order.sort_by_key(|&at| key(at));
    let place: HashMap<usize, usize> = order.iter().enumerate().map(|(new, &old)| (old, new)).collect();
    Net {
        tasks: order.iter().map(|&at| net.tasks[at].clone()).collect(),
        before: net.before.iter().map(|(first, second)| (place[first], place[second])).collect(),
    }
}

fn value(term: Term, values: &Values) -> ObjectId {
    match term {
        Term::Object(object) => object,
        Term::Variable(variable) => values[variable.index()].expect("a value for each variable"),
    }
}

/// All values of the parameters of a schema.
fn all_values(problem: &Problem, schema: &Schema, values: Values) -> Vec<Values> {
    let mut all = vec![values];
    for (id, variable) in schema.variables.enumerate().take(schema.parameters) {
        let extent = problem.extent(&variable.types);
        all = all
            .iter()
            .flat_map(|values| {
                extent.iter().map(|&object| {
                    let mut values = values.clone();
                    values[id.index()] = Some(object);
                    values
                })
            })
            .collect();
    }
    all
}

fn holds(
    problem: &Problem,
    schema: &Schema,
    condition: &Condition,
    values: &mut Values,
    facts: &Facts,
) -> bool {
    match condition {
        Condition::And(parts) => parts.iter().all(|part| holds(problem, schema, part, values, facts)),
        Condition::Or(parts) => parts.iter().any(|part| holds(problem, schema, part, values, facts)),
        Condition::Not(part) => !holds(problem, schema, part, values, facts),
        Condition::Exists(variables, part) => instances(problem, schema, variables, values)
            .into_iter()
            .any(|mut values| holds(problem, schema, part, &mut values, facts)),
        Condition::Forall(variables, part) => instances(problem, schema, variables, values)
            .into_iter()
            .all(|mut values| holds(problem, schema, part, &mut values, facts)),
        Condition::Atom(atom, _) => facts.contains(&ground(atom, values)),
        Condition::Equal(left, right) => value(*left, values) == value(*right, values),
        Condition::Compare(..) | Condition::Preference(..) => unreachable!("not generated"),
    }
}

fn instances(problem: &Problem, schema: &Schema, variables: &[VariableId], values: &Values) -> Vec<Values> {
    let mut all = vec![values.clone()];
    for &variable in variables {
        let extent = problem.extent(&schema.variables[variable].types);
        all = all
            .iter()
            .flat_map(|values| {
                extent.iter().map(move |&object| {
                    let mut values = values.clone();
                    values[variable.index()] = Some(object);
                    values
                })
            })
            .collect();
    }
    all
}

fn ground(atom: &Atom, values: &Values) -> GroundAtom {
    let arguments = atom.arguments.iter().map(|&term| value(term, values)).collect();
    GroundAtom { predicate: atom.predicate, arguments }
}

/// What an effect may do: atoms added and atoms deleted, for each choice of nature.
fn results(
    problem: &Problem,
    schema: &Schema,
    effect: &Effect,
    values: &mut Values,
    facts: &Facts,
) -> Vec<(Facts, Facts)> {
    let nothing = || vec![(Facts::new(), Facts::new())];
    let product = |one: Vec<(Facts, Facts)>, other: Vec<(Facts, Facts)>| -> Vec<(Facts, Facts)> {
        let both = |(a, d): &(Facts, Facts), (b, e): &(Facts, Facts)| (a | b, d | e);
        one.iter().flat_map(|first| other.iter().map(move |second| both(first, second))).collect()
    };
    match effect {
        Effect::And(parts) => parts.iter().fold(nothing(), |all, part| {
            let more = results(problem, schema, part, values, facts);
            product(all, more)
        }),
        Effect::Forall(variables, part) => {
            instances(problem, schema, variables, values).into_iter().fold(nothing(), |all, mut values| {
                let more = results(problem, schema, part, &mut values, facts);
                product(all, more)
            })
        }
        Effect::When(condition, part) => {
            if holds(problem, schema, condition, values, facts) {
                results(problem, schema, part, values, facts)
            } else {
                nothing()
            }
        }
        Effect::OneOf(parts, _) => {
            parts.iter().flat_map(|part| results(problem, schema, part, values, facts)).collect()
        }
        Effect::Add(atom, _) => vec![([ground(atom, values)].into(), Facts::new())],
        Effect::Delete(atom, _) => vec![(Facts::new(), [ground(atom, values)].into())],
        Effect::Change(..) => unreachable!("not generated"),
    }
}
