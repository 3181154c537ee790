//! Many plans: the cheapest ones, all within a bound, or their number.
//!
//! Goal distances come from symbolic backward search, layer by layer as they are needed. With them, best-first search over *paths*
//! (no path is dropped because another leads to the same state) extends prefixes of the plans it will return and nothing else, so plans
//! come out in the order of their cost. To count plans without listing them, the numbers of ways from a state with so
//! much left to spend are added up once for each such pair.
//!
//! The plans are all sequences of actions that lead to the goal, those that pass through a goal or come back to a state included
//! (top-k planning; Katz, Sohrabi, Udrea and Winterer 2018; Speck, Mattmüller and Nebel 2020). The task has to have all
//! operators: one that was simplified for optimal plans lacks some.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use counterplay_base::{Budget, IdVec, Limit, Progress, Report};
use counterplay_task::{OpId, Task, Value, VarId, apply, close_under_axioms, is_goal};
use rustc_hash::{FxHashMap, FxHashSet};

use super::side::{Side, Way};
use super::{Costs, Engine};
use crate::Plan;
use crate::explicit::SuccessorTree;

type State = IdVec<VarId, Value>;

/// Which plans are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// So many of the cheapest.
    Cheapest(usize),
    /// All that cost at most so many millionths of the least cost; a million for the optimal ones.
    Within(u64),
}

/// Which plans, and which of them count as different.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ManyOptions {
    pub wanted: Wanted,
    /// Whether plans that visit a state twice are left out.
    pub loopless: bool,
    /// Whether of plans with the same actions in another order one is enough.
    pub unordered: bool,
    /// Seed of the variable order.
    pub seed: u64,
}

/// Several plans.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ManyAnswer {
    /// The plans found, the cheapest first; all that were wanted unless there is a limit.
    pub plans: Vec<Plan>,
    /// The limit that ended the search.
    pub limit: Option<Limit>,
    /// Whether there are no plans but these: all there are, or all within the bound.
    pub is_complete: bool,
}

/// The number of plans.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Count {
    pub plans: u128,
    /// The least cost; `None` if there is no plan.
    pub least: Option<u64>,
    /// Whether there are more than fit into the number.
    pub is_more: bool,
}

/// Finds several plans.
pub fn find_plans(
    task: &Task,
    options: &ManyOptions,
    budget: &Budget,
    progress: &dyn Progress,
) -> ManyAnswer {
    let mut plans = Vec::new();
    let mut search = || -> Result<bool, Limit> {
        let engine = Engine::new(task, Costs::Own, options.seed, budget)?;
        engine.space().set_budget(budget);
        Paths::new(&engine, options, budget)?.run(&mut plans, progress)
    };
    match search() {
        Ok(is_complete) => ManyAnswer { plans, limit: None, is_complete },
        Err(limit) => ManyAnswer { plans, limit: Some(limit), is_complete: false },
    }
}

/// Counts the plans that cost at most so many millionths of the least cost. All operators have to cost something.
///
/// # Errors
/// A limit.
pub fn count_plans(task: &Task, within: u64, seed: u64, budget: &Budget) -> Result<Count, Limit> {
    debug_assert!(task.operators.iter().all(|operator| operator.cost > 0), "the number is finite");
    let engine = Engine::new(task, Costs::Own, seed, budget)?;
    engine.space().set_budget(budget);
    let mut world = World::new(&engine);
    let initial = world.initial();
    let Some((least, _)) = world.distance(initial, budget)? else {
        return Ok(Count { plans: 0, least: None, is_more: false });
    };
    let (plans, is_more) = world.count(initial, scaled(least, within), budget)?;
    Ok(Count { plans, least: Some(least), is_more })
}

fn scaled(cost: u64, millionths: u64) -> u64 {
    u64::try_from(u128::from(cost) * u128::from(millionths) / 1_000_000).unwrap_or(u64::MAX)
}

/// Where something was met: its number among the states.
type Number = u32;

/// States met on paths, with distances as far as they are known.
struct World<'e, 't> {
    task: &'t Task,
    engine: &'e Engine<'t>,
    backward: Side<'e>,
    tree: SuccessorTree,
    states: Vec<State>,
    numbers: FxHashMap<State, Number>,
    /// The distance and the place in the order of backward expansion.
    distances: FxHashMap<Number, (u64, usize)>,
    /// Operators with the same name are one action.
    action: IdVec<OpId, u32>,
    stack: Vec<u32>,
}

impl<'e, 't> World<'e, 't> {
    fn new(engine: &'e Engine<'t>) -> World<'e, 't> {
        let task = engine.encoding.task;
        let mut names: FxHashMap<&str, u32> = FxHashMap::default();
        let action = task.operators.iter().map(|operator| {
            let next = names.len() as u32;
            *names.entry(operator.name.as_str()).or_insert(next)
        });
        World {
            task,
            engine,
            backward: Side::new(Way::Backward, engine.space(), &engine.backward, engine.goals.clone()),
            tree: SuccessorTree::new(task),
            states: Vec::new(),
            numbers: FxHashMap::default(),
            distances: FxHashMap::default(),
            action: action.collect(),
            stack: Vec::new(),
        }
    }

    fn number(&mut self, state: State) -> Number {
        let next = self.states.len() as Number;
        *self.numbers.entry(state).or_insert_with_key(|state| {
            self.states.push(state.clone());
            next
        })
    }

    fn initial(&mut self) -> Number {
        let mut state = self.task.initial.clone();
        close_under_axioms(self.task, &mut state);
        self.number(state)
    }

    fn is_goal(&self, state: Number) -> bool {
        is_goal(self.task, &self.states[state as usize])
    }

    /// The successors of a state, one for each action.
    fn successors(&mut self, state: Number) -> Vec<(OpId, Number)> {
        let mut operators = Vec::new();
        self.tree.applicable(&self.states[state as usize], &mut self.stack, &mut operators);
        operators.sort_unstable();
        let mut seen = FxHashSet::default();
        operators.retain(|&op| seen.insert(self.action[op]));
        let next = |op: OpId| (op, apply(self.task, &self.states[state as usize], op));
        let steps: Vec<(OpId, State)> = operators.into_iter().map(next).collect();
        steps.into_iter().map(|(op, state)| (op, self.number(state))).collect()
    }

    /// The distance of a state as far as backward search has come.
    fn known_distance(&mut self, state: Number) -> Option<(u64, usize)> {
        if let Some(&known) = self.distances.get(&state) {
            return Some(known);
        }
        let space = self.engine.space();
        if !space.contains(&self.backward.closed, &self.states[state as usize]) {
            return None;
        }
        let holds =
            |set: &super::history::Expanded| space.contains(&set.states, &self.states[state as usize]);
        let found = self.backward.history.iter().find(|(_, set)| holds(set))?;
        let distance = (found.0, found.1.place);
        self.distances.insert(state, distance);
        Some(distance)
    }

    /// The distance of a state from the goal and its place among the expanded sets; `None` if the goal cannot be reached.
    fn distance(&mut self, state: Number, budget: &Budget) -> Result<Option<(u64, usize)>, Limit> {
        loop {
            if let Some(known) = self.known_distance(state) {
                return Ok(Some(known));
            }
            budget.check()?;
            if self.backward.next_cost().is_none() {
                return Ok(None);
            }
            self.backward.step(u64::MAX)?;
        }
    }

    /// The number of ways from a state to the goal that cost at most `left`, and whether it is too large to be told.
    fn count(&mut self, state: Number, left: u64, budget: &Budget) -> Result<(u128, bool), Limit> {
        // Pairs with more left to spend come first; what is left falls with each step.
        let mut ways: BTreeMap<Reverse<u64>, FxHashMap<Number, u128>> = BTreeMap::new();
        ways.entry(Reverse(left)).or_default().insert(state, 1);
        let (mut total, mut is_more) = (0u128, false);
        while let Some((Reverse(left), layer)) = ways.pop_first() {
            let mut layer: Vec<(Number, u128)> = layer.into_iter().collect();
            layer.sort_unstable();
            for (state, count) in layer {
                budget.check()?;
                if self.is_goal(state) {
                    is_more |= total.checked_add(count).is_none();
                    total = total.saturating_add(count);
                }
                for (op, next) in self.successors(state) {
                    let Some(rest) = left.checked_sub(self.task.operators[op].cost) else { continue };
                    if self.is_within(next, rest, budget)? {
                        let sum = ways.entry(Reverse(rest)).or_default().entry(next).or_default();
                        is_more |= sum.checked_add(count).is_none();
                        *sum = sum.saturating_add(count);
                    }
                }
            }
        }
        Ok((total, is_more))
    }

    /// Whether the goal can be reached at this cost. Backward search need not go beyond it.
    fn is_within(&mut self, state: Number, most: u64, budget: &Budget) -> Result<bool, Limit> {
        loop {
            if let Some((distance, _)) = self.known_distance(state) {
                return Ok(distance <= most);
            }
            budget.check()?;
            if self.backward.next_cost().is_none_or(|next| next > most) {
                return Ok(false);
            }
            self.backward.step(u64::MAX)?;
        }
    }
}

/// A path from the initial state.
#[derive(Clone, Copy)]
struct Path {
    before: u32,
    op: Option<OpId>,
    state: Number,
    g: u64,
    is_complete: bool,
}

/// The order of paths: by estimated total cost, then by how close they are, then the youngest.
type Key = (u64, usize, Reverse<u32>);

struct Paths<'e, 't> {
    world: World<'e, 't>,
    options: ManyOptions,
    budget: &'e Budget,
    paths: Vec<Path>,
    queue: BinaryHeap<Reverse<Key>>,
    /// The actions of plans that were found, sorted.
    found: FxHashSet<Vec<u32>>,
}

impl<'e, 't> Paths<'e, 't> {
    fn new(engine: &'e Engine<'t>, options: &ManyOptions, budget: &'e Budget) -> Result<Self, Limit> {
        let mut world = World::new(engine);
        let state = world.initial();
        let mut search = Paths {
            world,
            options: *options,
            budget,
            paths: Vec::new(),
            queue: BinaryHeap::new(),
            found: FxHashSet::default(),
        };
        search.push(Path { before: 0, op: None, state, g: 0, is_complete: false })?;
        Ok(search)
    }

    /// Puts a path into the queue, unless it leads nowhere.
    fn push(&mut self, path: Path) -> Result<(), Limit> {
        let (rest, place) = match path.is_complete {
            true => (0, 0),
            false => match self.world.distance(path.state, self.budget)? {
                // One more, so that a complete path comes first.
                Some((rest, place)) => (rest, place + 1),
                None => return Ok(()),
            },
        };
        let number = self.paths.len() as u32;
        self.paths.push(path);
        self.queue.push(Reverse((path.g.saturating_add(rest), place, Reverse(number))));
        Ok(())
    }

    /// Finds the plans; whether there are no others of the kind.
    fn run(&mut self, plans: &mut Vec<Plan>, progress: &dyn Progress) -> Result<bool, Limit> {
        let mut most = None;
        while let Some(Reverse((f, _, Reverse(number)))) = self.queue.pop() {
            self.budget.check()?;
            match self.options.wanted {
                Wanted::Cheapest(count) if plans.len() >= count => return Ok(false),
                Wanted::Within(factor) if f > *most.get_or_insert(scaled(f, factor)) => return Ok(true),
                _ => {}
            }
            let path = self.paths[number as usize];
            if path.is_complete {
                self.finish(path, plans);
                progress.report(Report { phase: "plans", counts: &[("plans", plans.len() as f64)] });
                continue;
            }
            if self.world.is_goal(path.state) {
                self.push(Path { is_complete: true, before: number, op: None, ..path })?;
            }
            for (op, state) in self.world.successors(path.state) {
                if self.options.loopless && self.visits(number, state) {
                    continue;
                }
                let g = path.g.saturating_add(self.world.task.operators[op].cost);
                self.push(Path { before: number, op: Some(op), state, g, is_complete: false })?;
            }
        }
        Ok(true)
    }

    /// Whether a path has been at a state.
    fn visits(&self, mut number: u32, state: Number) -> bool {
        loop {
            let path = self.paths[number as usize];
            if path.state == state {
                return true;
            }
            if path.op.is_none() {
                return false;
            }
            number = path.before;
        }
    }

    fn finish(&mut self, path: Path, plans: &mut Vec<Plan>) {
        let mut operators = Vec::new();
        let mut at = self.paths[path.before as usize];
        while let Some(op) = at.op {
            operators.push(op);
            at = self.paths[at.before as usize];
        }
        operators.reverse();
        if self.options.unordered {
            let mut actions: Vec<u32> = operators.iter().map(|&op| self.world.action[op]).collect();
            actions.sort_unstable();
            if !self.found.insert(actions) {
                return;
            }
        }
        plans.push(Plan { operators, cost: path.g });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use counterplay_base::Silent;
    use counterplay_task::is_applicable;
    use counterplay_testkit::{Shape, random_task_of};

    /// All plans of at most a cost, by trying every sequence; `None` if there are too many.
    fn all_plans(task: &Task, most: u64) -> Option<Vec<(u64, Vec<OpId>)>> {
        let mut state = task.initial.clone();
        close_under_axioms(task, &mut state);
        let (mut plans, mut open, mut steps) = (Vec::new(), vec![(state, Vec::new(), 0u64)], 0);
        while let Some((state, operators, cost)) = open.pop() {
            steps += 1;
            if steps > 20_000 {
                return None;
            }
            if is_goal(task, &state) {
                plans.push((cost, operators.clone()));
            }
            for op in task.operators.ids().filter(|&op| is_applicable(task, &state, op)) {
                let cost = cost + task.operators[op].cost;
                if cost <= most {
                    let mut longer = operators.clone();
                    longer.push(op);
                    open.push((apply(task, &state, op), longer, cost));
                }
            }
        }
        plans.sort();
        Some(plans)
    }

    #[test]
    fn plans_and_their_number_agree_with_trying_everything() {
        let (mut compared, mut many, budget) = (0, 0, Budget::unlimited());
        for seed in 0..200 {
            let shape = Shape {
                zero_costs: false,
                conditional_effects: true,
                axioms: seed % 2 == 0,
                huge_costs: false,
            };
            let mut task = random_task_of(shape, seed);
            task.soft.clear();
            for (number, operator) in task.operators.iter_mut().enumerate() {
                operator.name = format!("op {number}");
                operator.cost = operator.cost.max(1);
            }
            let options =
                ManyOptions { wanted: Wanted::Within(1_500_000), loopless: false, unordered: false, seed: 0 };
            let Some(least) = counterplay_testkit::brute_force(&task) else {
                assert!(find_plans(&task, &options, &budget, &Silent).plans.is_empty(), "seed {seed}");
                continue;
            };
            let Some(truth) = all_plans(&task, scaled(least, 1_500_000)) else { continue };
            let answer = find_plans(&task, &options, &budget, &Silent);
            let mut found: Vec<_> =
                answer.plans.into_iter().map(|plan| (plan.cost, plan.operators)).collect();
            assert!(answer.is_complete && found.is_sorted_by_key(|plan| plan.0), "seed {seed}");
            found.sort();
            assert_eq!(found, truth, "seed {seed}");
            let count = count_plans(&task, 1_500_000, 0, &budget).unwrap();
            assert_eq!((count.plans, count.least), (truth.len() as u128, Some(least)), "seed {seed}");
            let cheapest = ManyOptions { wanted: Wanted::Cheapest(truth.len().div_ceil(2)), ..options };
            let first = find_plans(&task, &cheapest, &budget, &Silent).plans;
            let costs: Vec<u64> = first.iter().map(|plan| plan.cost).collect();
            let expected: Vec<u64> = truth.iter().map(|plan| plan.0).take(costs.len()).collect();
            assert_eq!((costs.len(), &costs), (truth.len().div_ceil(2), &expected), "seed {seed}");
            compared += 1;
            many += usize::from(truth.len() > 1);
        }
        assert!(compared > 40 && many > 15, "{compared} compared, {many} with several plans");
    }

    #[test]
    fn loops_and_orders_can_be_left_out() {
        let (mut fewer, budget) = (0, Budget::unlimited());
        for seed in 0..100 {
            let shape =
                Shape { zero_costs: true, conditional_effects: false, axioms: false, huge_costs: false };
            let mut task = random_task_of(shape, seed);
            task.soft.clear();
            for (number, operator) in task.operators.iter_mut().enumerate() {
                operator.name = format!("op {number}");
            }
            let options =
                ManyOptions { wanted: Wanted::Cheapest(30), loopless: true, unordered: true, seed: 0 };
            let plans = find_plans(&task, &options, &budget, &Silent).plans;
            let all = find_plans(
                &task,
                &ManyOptions { loopless: false, unordered: false, ..options },
                &budget,
                &Silent,
            );
            fewer += usize::from(plans.len() < all.plans.len());
            let mut multisets = FxHashSet::default();
            for plan in plans {
                let mut state = task.initial.clone();
                close_under_axioms(&task, &mut state);
                let mut seen = FxHashSet::default();
                assert!(seen.insert(state.clone()));
                for &op in &plan.operators {
                    state = apply(&task, &state, op);
                    assert!(seen.insert(state.clone()), "seed {seed}: a state twice");
                }
                let mut sorted = plan.operators.clone();
                sorted.sort_unstable();
                assert!(is_goal(&task, &state) && multisets.insert(sorted), "seed {seed}");
            }
        }
        assert!(fewer > 10, "{fewer}");
    }
}
