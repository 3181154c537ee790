//! A lifted problem with everything that does not change during search worked out.

use crate::facts::{Facts, Now, State, Store};
use crate::lifted::{Action, Arg, HddlProblem, Method, Rule, Tuple, UNBOUND};
use crate::unify::{Match, Matcher, Steps, holds, literal_holds, tuple, value};

/// One task with its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Task {
    /// Action or compound task.
    pub(crate) symbol: u32,
    pub(crate) arguments: Tuple,
}

/// A problem ready for decomposition.
#[derive(Debug)]
pub struct PreparedProblem<'l> {
    pub(crate) lifted: &'l HddlProblem,
    /// Atoms of the predicates that never change.
    pub(crate) fixed: Store,
    /// For each method how to bind its variables once its task is known.
    pub(crate) steps: Vec<Steps>,
    pub(crate) initial_steps: Steps,
    pub(crate) goal_steps: Steps,
    /// The methods of each symbol, those that may come cheapest first.
    pub(crate) cheapest: Vec<Vec<usize>>,
}

impl<'l> PreparedProblem<'l> {
    /// Works out the order of unification and the indices it needs.
    pub fn new(lifted: &'l HddlProblem) -> PreparedProblem<'l> {
        let mut fixed = Store::new(lifted);
        for &(predicate, tuple) in &lifted.init {
            if !lifted.is_fluent[predicate] {
                fixed.insert(predicate, tuple);
            }
        }
        let sizes = Sizes::new(lifted);
        let plan = |rule: &Rule, bound: &[u32]| {
            Steps::new(rule, &lifted.extents, bound, &lifted.packing, &|predicate, place| {
                sizes.of(predicate, place)
            })
        };
        let steps: Vec<Steps> =
            lifted.methods.iter().map(|method| plan(&method.rule, &variables(&method.arguments))).collect();
        let initial_steps = plan(&lifted.initial.rule, &[]);
        let goal_steps = plan(&lifted.goal, &[]);
        for (method, steps) in lifted.methods.iter().zip(&steps) {
            for (predicate, mask) in steps.selections(&method.rule) {
                fixed.prepare(predicate, mask);
            }
        }
        PreparedProblem { lifted, fixed, steps, initial_steps, goal_steps, cheapest: cheapest(lifted) }
    }

    pub(crate) fn now<'a>(&'a self, state: &'a State) -> Now<'a> {
        Now { fixed: &self.fixed, is_fluent: &self.lifted.is_fluent, state }
    }

    /// The ways of a method to do a task, to be gone through one by one; `None` if it cannot be for this task.
    pub(crate) fn open(&self, method: usize, task: Task) -> Option<Match> {
        let method = &self.lifted.methods[method];
        let binding = bind_head(self.lifted, &method.rule, &method.arguments, task.arguments)?;
        Some(Match::new(binding))
    }

    pub(crate) fn matcher(&self, method: usize) -> Matcher<'_> {
        let rule = &self.lifted.methods[method].rule;
        Matcher {
            rule,
            extents: &self.lifted.extents,
            steps: &self.steps[method],
            packing: &self.lifted.packing,
        }
    }

    /// Whether an action can be done.
    pub(crate) fn is_applicable(&self, facts: &impl Facts, task: Task) -> bool {
        let action = &self.lifted.actions[task.symbol as usize];
        let Some(mut binding) = self.arguments(action, task) else { return false };
        let rule = &action.rule;
        rule.equalities
            .iter()
            .all(|&(left, right, equal)| (value(left, &binding) == value(right, &binding)) == equal)
            && rule.literals.iter().all(|literal| literal_holds(literal, &binding, facts))
            && rule
                .formulas
                .iter()
                .all(|formula| holds(formula, &rule.types, &self.lifted.extents, &mut binding, facts))
    }

    /// The binding of an action's variables, unless an argument is of a wrong type.
    pub(crate) fn arguments(&self, action: &Action, task: Task) -> Option<Vec<u32>> {
        let mut binding = vec![UNBOUND; action.rule.types.len()];
        for (at, slot) in binding.iter_mut().take(action.parameters).enumerate() {
            let object = self.lifted.packing.unpack(task.arguments, at);
            if !self.lifted.extents[action.rule.types[at]].has[object as usize] {
                return None;
            }
            *slot = object;
        }
        Some(binding)
    }

    /// What one outcome of an applicable action changes: atoms that become false, and those that become true.
    pub(crate) fn changes(&self, facts: &impl Facts, task: Task, outcome: usize) -> [Vec<(usize, Tuple)>; 2] {
        let action = &self.lifted.actions[task.symbol as usize];
        let mut binding = self.arguments(action, task).expect("an applicable action has fitting arguments");
        let mut found = [Vec::new(), Vec::new()];
        let extents = &self.lifted.extents;
        for change in &action.outcomes[outcome] {
            let types = &action.rule.types;
            for_all(&change.over, types, self.lifted, &mut binding, &mut |binding| {
                if change.condition.as_ref().is_none_or(|it| holds(it, types, extents, binding, facts)) {
                    let literal = &change.literal;
                    let entry = (literal.predicate, tuple(&self.lifted.packing, &literal.arguments, binding));
                    found[usize::from(literal.positive)].push(entry);
                }
            });
        }
        found
    }

    /// The state after an outcome of an action; adding wins over deleting.
    pub(crate) fn successor(&self, state: &State, task: Task, outcome: usize) -> State {
        let [deleted, added] = self.changes(&self.now(state), task, outcome);
        let mut next = state.clone();
        deleted.into_iter().for_each(|(predicate, tuple)| next.set(predicate, tuple, false));
        added.into_iter().for_each(|(predicate, tuple)| next.set(predicate, tuple, true));
        next
    }

    /// Whether the goal formula holds.
    pub(crate) fn is_goal(&self, state: &State) -> bool {
        let rule = &self.lifted.goal;
        let matcher = Matcher {
            rule,
            extents: &self.lifted.extents,
            steps: &self.goal_steps,
            packing: &self.lifted.packing,
        };
        Match::new(vec![UNBOUND; rule.types.len()]).advance(matcher, &self.now(state))
    }

    /// The subtasks of a network under a binding.
    pub(crate) fn subtasks(&self, method: &Method, binding: &[u32]) -> impl DoubleEndedIterator<Item = Task> {
        method.network.subtasks.iter().map(move |(symbol, arguments)| Task {
            symbol: *symbol as u32,
            arguments: tuple(&self.lifted.packing, arguments, binding),
        })
    }

    /// The tasks of an initial network without variables.
    pub fn initial_tasks(&self) -> Vec<Task> {
        self.subtasks(&self.lifted.initial, &[]).collect()
    }

    /// A task in the words of its file: `deliver milk home`.
    pub fn task_words(&self, task: Task) -> String {
        let symbol = task.symbol as usize;
        self.lifted.words(self.lifted.symbol_name(symbol), task.arguments, self.lifted.arity(symbol))
    }
}

/// Visits the binding under all values of some variables.
pub(crate) fn for_all(
    over: &[u32],
    types: &[usize],
    lifted: &HddlProblem,
    binding: &mut Vec<u32>,
    visit: &mut dyn FnMut(&mut Vec<u32>),
) {
    let Some((&variable, rest)) = over.split_first() else { return visit(binding) };
    for &object in &lifted.extents[types[variable as usize]].members {
        binding[variable as usize] = object;
        for_all(rest, types, lifted, binding, visit);
    }
    binding[variable as usize] = UNBOUND;
}

/// Binds the variables of a method by the arguments of its task, if they agree.
pub(crate) fn bind_head(
    lifted: &HddlProblem,
    rule: &Rule,
    arguments: &[Arg],
    tuple: Tuple,
) -> Option<Vec<u32>> {
    let mut binding = vec![UNBOUND; rule.types.len()];
    for (at, &arg) in arguments.iter().enumerate() {
        let object = lifted.packing.unpack(tuple, at);
        match arg {
            Arg::Obj(own) if own == object => {}
            Arg::Obj(_) => return None,
            Arg::Var(variable) => {
                let slot = &mut binding[variable as usize];
                let fits = lifted.extents[rule.types[variable as usize]].has[object as usize];
                if !fits || (*slot != UNBOUND && *slot != object) {
                    return None;
                }
                *slot = object;
            }
        }
    }
    Some(binding)
}

/// The variables among some terms.
pub(crate) fn variables(arguments: &[Arg]) -> Vec<u32> {
    let variables = arguments.iter().filter_map(|arg| match arg {
        Arg::Var(variable) => Some(*variable),
        Arg::Obj(_) => None,
    });
    variables.collect()
}

/// How many atoms each predicate has at the start, and how many objects stand at each place.
pub(crate) struct Sizes(Vec<(f64, Vec<f64>)>);

impl Sizes {
    pub(crate) fn new(lifted: &HddlProblem) -> Sizes {
        let arity =
            |predicate| lifted.problem.predicates.iter().nth(predicate).map_or(0, |it| it.parameters.len());
        let mut seen: Vec<Vec<rustc_hash::FxHashSet<u32>>> =
            (0..lifted.is_fluent.len()).map(|predicate| vec![Default::default(); arity(predicate)]).collect();
        let mut counts = vec![0usize; lifted.is_fluent.len()];
        for &(predicate, tuple) in &lifted.init {
            counts[predicate] += 1;
            for (at, objects) in seen[predicate].iter_mut().enumerate() {
                objects.insert(lifted.packing.unpack(tuple, at));
            }
        }
        let sizes = counts.into_iter().zip(seen).zip(&lifted.is_fluent).map(|((count, seen), &fluent)| {
            // A predicate that changes may have more atoms later.
            let count = count as f64 + if fluent { 4.0 } else { 0.0 };
            (count, seen.into_iter().map(|objects| objects.len() as f64).collect())
        });
        Sizes(sizes.collect())
    }

    pub(crate) fn of(&self, predicate: usize, place: Option<usize>) -> f64 {
        let (count, places) = &self.0[predicate];
        place.map_or(*count, |at| places[at])
    }
}

/// For each symbol its methods, sorted by the least number of actions they could come to.
fn cheapest(lifted: &HddlProblem) -> Vec<Vec<usize>> {
    let costs = least_costs(lifted, 2, 1);
    let of_method = |method: usize| {
        let subtasks = lifted.methods[method].network.subtasks.iter();
        subtasks.fold(0u64, |sum, (symbol, _)| sum.saturating_add(costs[*symbol]))
    };
    let mut sorted = lifted.methods_of.clone();
    sorted.iter_mut().for_each(|methods| methods.sort_by_key(|&method| of_method(method)));
    sorted
}

/// The least cost that each symbol could come to, whatever the state, where an action costs `cost` and one that
/// changes nothing `idle`. `u64::MAX` for a symbol that never comes to an end.
pub(crate) fn least_costs(lifted: &HddlProblem, cost: u64, idle: u64) -> Vec<u64> {
    let mut costs = vec![u64::MAX; lifted.methods_of.len()];
    for (action, own) in lifted.actions.iter().zip(&mut costs) {
        *own = if action.outcomes.iter().all(Vec::is_empty) { idle } else { cost };
    }
    loop {
        let mut changed = false;
        for method in &lifted.methods {
            let subtasks = method.network.subtasks.iter();
            let cost = subtasks.fold(0u64, |sum, (symbol, _)| sum.saturating_add(costs[*symbol]));
            if cost < costs[method.symbol] {
                costs[method.symbol] = cost;
                changed = true;
            }
        }
        if !changed {
            return costs;
        }
    }
}
