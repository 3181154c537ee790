//! Cartesian abstractions, refined along their own flawed plans (Seipp and Helmert 2018).
//!
//! An abstract state allows a set of values for each variable. A cheapest abstract plan is followed on real states; where that fails, the
//! abstract state at hand is split so that the same plan cannot be found again. There is one abstraction for each goal, and one for all.

use counterplay_base::{Budget, IdVec, Limit};
use counterplay_task::{Fact, OpId, Task, Value, VarId, apply, is_applicable};

use super::trace::{Step, cheapest_path};
use super::{Abstraction, Mapping, Transition};

/// An abstraction has at most so many states.
const MOST_STATES: usize = 2_000;
/// At most so many goals get an abstraction of their own.
const MOST_GOALS: usize = 60;

/// The values that a variable may have, one bit each.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Values(Vec<u64>);

impl Values {
    fn all(count: Value) -> Values {
        let mut values = Values(vec![0; (count as usize).div_ceil(64)]);
        (0..count).for_each(|value| values.insert(value));
        values
    }

    fn only(value: Value, count: Value) -> Values {
        let mut values = Values(vec![0; (count as usize).div_ceil(64)]);
        values.insert(value);
        values
    }

    fn insert(&mut self, value: Value) {
        self.0[value as usize / 64] |= 1 << (value % 64);
    }

    fn contains(&self, value: Value) -> bool {
        self.0[value as usize / 64] >> (value % 64) & 1 == 1
    }

    fn meets(&self, other: &Values) -> bool {
        self.0.iter().zip(&other.0).any(|(a, b)| a & b != 0)
    }

    fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    fn minus(&self, other: &Values) -> Values {
        Values(self.0.iter().zip(&other.0).map(|(a, b)| a & !b).collect())
    }

    fn and(&self, other: &Values) -> Values {
        Values(self.0.iter().zip(&other.0).map(|(a, b)| a & b).collect())
    }
}

/// How abstract states were split.
#[derive(Debug)]
enum TreeNode {
    Leaf(u32),
    Split { var: VarId, values: Values, rest: u32, chosen: u32 },
}

/// The tree of splits: from states to abstract states.
#[derive(Debug)]
pub(super) struct Cartesian {
    nodes: Vec<TreeNode>,
}

impl Cartesian {
    pub(super) fn abstract_state(&self, state: &IdVec<VarId, Value>) -> u32 {
        let mut at = 0;
        loop {
            match &self.nodes[at as usize] {
                TreeNode::Leaf(id) => return *id,
                TreeNode::Split { var, values, rest, chosen } => {
                    at = if values.contains(state[*var]) { *chosen } else { *rest };
                }
            }
        }
    }
}

/// Adds an abstraction for each goal, and one for all of them together.
pub(super) fn refine_for_goals(
    task: &Task,
    costs: &IdVec<OpId, u32>,
    work: u64,
    budget: &Budget,
    abstractions: &mut Vec<Abstraction>,
) -> Result<(), Limit> {
    let mut goals: Vec<Vec<Fact>> = vec![task.goal.clone()];
    if task.goal.len() > 1 && task.goal.len() <= MOST_GOALS {
        goals.extend(task.goal.iter().map(|&fact| vec![fact]));
    }
    let share = work / goals.len() as u64;
    for goal in goals {
        let mut refinement = Refinement::new(task, goal, share);
        refinement.run(costs, budget)?;
        abstractions.push(refinement.finish());
    }
    Ok(())
}

struct Refinement<'t> {
    task: &'t Task,
    goal: Vec<Fact>,
    /// The values of each variable in each abstract state.
    states: Vec<IdVec<VarId, Values>>,
    /// The leaf of each abstract state.
    leaf: Vec<u32>,
    tree: Cartesian,
    outgoing: Vec<Vec<Step>>,
    incoming: Vec<Vec<Step>>,
    loops: Vec<Vec<OpId>>,
    work: u64,
    allowed: u64,
}

/// Why a plan of the abstraction is none of the task: the variable of this abstract state has to be split.
struct Flaw {
    state: u32,
    var: VarId,
    wanted: Values,
}

impl<'t> Refinement<'t> {
    fn new(task: &'t Task, goal: Vec<Fact>, allowed: u64) -> Refinement<'t> {
        let all = task.variables.ids().map(|var| Values::all(task.domain_size(var))).collect();
        Refinement {
            task,
            goal,
            states: vec![all],
            leaf: vec![0],
            tree: Cartesian { nodes: vec![TreeNode::Leaf(0)] },
            outgoing: vec![Vec::new()],
            incoming: vec![Vec::new()],
            loops: vec![task.operators.ids().collect()],
            work: 0,
            allowed,
        }
    }

    fn run(&mut self, costs: &IdVec<OpId, u32>, budget: &Budget) -> Result<(), Limit> {
        while self.states.len() < MOST_STATES && self.work < self.allowed {
            budget.check()?;
            let initial = self.tree.abstract_state(&self.task.initial);
            let is_goal = |state: u32| self.is_goal(state);
            let (path, work) = cheapest_path(initial, is_goal, &self.outgoing, costs);
            self.work += work;
            let Some(path) = path else { return Ok(()) };
            match self.find_flaw(initial, &path) {
                Some(flaw) => self.split(flaw),
                None => return Ok(()),
            }
        }
        Ok(())
    }

    fn is_goal(&self, state: u32) -> bool {
        let values = &self.states[state as usize];
        self.goal.iter().all(|fact| values[fact.var].contains(fact.value))
    }

    /// Follows an abstract plan on real states to where it fails.
    fn find_flaw(&self, initial: u32, path: &[Step]) -> Option<Flaw> {
        let mut state = self.task.initial.clone();
        let mut at = initial;
        let only = |fact: &Fact| Values::only(fact.value, self.task.domain_size(fact.var));
        for step in path {
            if !is_applicable(self.task, &state, step.op) {
                let conditions = self.task.operators[step.op].precondition.iter();
                let missing = conditions.into_iter().find(|fact| state[fact.var] != fact.value)?;
                return Some(Flaw { state: at, var: missing.var, wanted: only(missing) });
            }
            let next = apply(self.task, &state, step.op);
            let target = &self.states[step.state as usize];
            let strayed = target.enumerate().find(|(var, values)| !values.contains(next[*var]));
            if let Some((var, values)) = strayed {
                // The operator does not change the variable: otherwise the step would not lead there.
                return Some(Flaw { state: at, var, wanted: values.clone() });
            }
            (state, at) = (next, step.state);
        }
        let missing = self.goal.iter().find(|fact| state[fact.var] != fact.value)?;
        Some(Flaw { state: at, var: missing.var, wanted: only(missing) })
    }

    /// Splits an abstract state into the part with the wanted values and the rest.
    fn split(&mut self, Flaw { state, var, wanted }: Flaw) {
        let old = self.states[state as usize][var].clone();
        let (chosen, rest) = (old.and(&wanted), old.minus(&wanted));
        debug_assert!(!chosen.is_empty() && !rest.is_empty(), "both parts have a value");
        let new = self.states.len() as u32;
        let mut other = self.states[state as usize].clone();
        other[var] = chosen.clone();
        self.states[state as usize][var] = rest.clone();
        self.states.push(other);
        let (node, first) = (self.leaf[state as usize], self.tree.nodes.len() as u32);
        self.tree.nodes.extend([TreeNode::Leaf(state), TreeNode::Leaf(new)]);
        self.tree.nodes[node as usize] =
            TreeNode::Split { var, values: wanted, rest: first, chosen: first + 1 };
        self.leaf[state as usize] = first;
        self.leaf.push(first + 1);
        self.rewire(state, new, var, [&rest, &chosen]);
    }

    /// Gives each part the transitions that it still has.
    fn rewire(&mut self, state: u32, new: u32, var: VarId, parts: [&Values; 2]) {
        let ids = [state, new];
        self.outgoing.push(Vec::new());
        self.incoming.push(Vec::new());
        self.loops.push(Vec::new());
        let incoming = std::mem::take(&mut self.incoming[state as usize]);
        let outgoing = std::mem::take(&mut self.outgoing[state as usize]);
        let loops = std::mem::take(&mut self.loops[state as usize]);
        self.work += (incoming.len() + outgoing.len() + 4 * loops.len()) as u64;
        for step in &incoming {
            let list = &mut self.outgoing[step.state as usize];
            self.work += list.len() as u64 / 8;
            list.retain(|back| !(back.op == step.op && back.state == state));
        }
        for step in &outgoing {
            let list = &mut self.incoming[step.state as usize];
            self.work += list.len() as u64 / 8;
            list.retain(|back| !(back.op == step.op && back.state == state));
        }
        for step in incoming {
            let from = self.states[step.state as usize][var].clone();
            for (id, part) in ids.into_iter().zip(parts) {
                if self.can_step(&from, step.op, var, part) {
                    self.connect(step.state, step.op, id);
                }
            }
        }
        for step in outgoing {
            let to = self.states[step.state as usize][var].clone();
            for (id, part) in ids.into_iter().zip(parts) {
                if self.can_step(part, step.op, var, &to) {
                    self.connect(id, step.op, step.state);
                }
            }
        }
        for op in loops {
            for (from, part) in ids.into_iter().zip(parts) {
                for (to, other) in ids.into_iter().zip(parts) {
                    if self.can_step(part, op, var, other) {
                        self.connect(from, op, to);
                    }
                }
            }
        }
    }

    fn connect(&mut self, from: u32, op: OpId, to: u32) {
        if from == to {
            self.loops[from as usize].push(op);
        } else {
            self.outgoing[from as usize].push(Step { op, state: to });
            self.incoming[to as usize].push(Step { op, state: from });
        }
    }

    /// Whether an operator can lead from some values of a variable to others.
    fn can_step(&self, from: &Values, op: OpId, var: VarId, to: &Values) -> bool {
        let operator = &self.task.operators[op];
        let needed = operator.precondition.iter().find(|fact| fact.var == var).map(|fact| fact.value);
        let set = operator.effects.iter().find(|effect| effect.fact.var == var).map(|it| it.fact.value);
        match (needed, set) {
            (None, None) => from.meets(to),
            (None, Some(set)) => to.contains(set),
            (Some(needed), None) => from.contains(needed) && to.contains(needed),
            (Some(needed), Some(set)) => from.contains(needed) && to.contains(set),
        }
    }

    fn finish(self) -> Abstraction {
        let states = self.states.len() as u32;
        let goals = (0..states).filter(|&state| self.is_goal(state)).collect();
        let mut class_of: IdVec<OpId, Option<u32>> = IdVec::filled(None, self.task.operators.len());
        let (mut classes, mut transitions) = (Vec::new(), Vec::new());
        for (from, steps) in (0..).zip(&self.outgoing) {
            for step in steps {
                let class = *class_of[step.op].get_or_insert_with(|| {
                    classes.push(vec![step.op]);
                    classes.len() as u32 - 1
                });
                transitions.push(Transition { from, to: step.state, class });
            }
        }
        Abstraction::new(Mapping::Cartesian(self.tree), states, goals, transitions, classes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use counterplay_testkit::{Shape, random_task_of, reachable};

    /// Every step of the task is a step of the abstraction, or stays where it is.
    #[test]
    fn steps_of_the_task_are_steps_of_the_abstraction() {
        let mut split = 0;
        for seed in 0..100 {
            let shape =
                Shape { conditional_effects: false, axioms: false, zero_costs: false, huge_costs: false };
            let task = random_task_of(shape, seed);
            let costs: IdVec<OpId, u32> =
                task.operators.iter().map(|operator| operator.cost as u32).collect();
            let mut refinement = Refinement::new(&task, task.goal.clone(), 50_000);
            refinement.run(&costs, &Budget::unlimited()).unwrap();
            split += refinement.states.len() - 1;
            for state in reachable(&task) {
                let from = refinement.tree.abstract_state(&state);
                let values = &refinement.states[from as usize];
                assert!(state.enumerate().all(|(var, &value)| values[var].contains(value)), "seed {seed}");
                for op in task.operators.ids().filter(|&op| is_applicable(&task, &state, op)) {
                    let to = refinement.tree.abstract_state(&apply(&task, &state, op));
                    let is_there = refinement.outgoing[from as usize].contains(&Step { op, state: to });
                    assert!(from == to || is_there, "seed {seed}");
                }
            }
        }
        assert!(split > 100, "{split} splits");
    }
}
