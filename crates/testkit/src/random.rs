//! Random small tasks.
//!
//! A seed decides the shape and everything else. Two thirds of the goals are taken from reachable states far
//! from the initial one, so that plans of some length are common; the others are arbitrary, and many of them
//! unreachable.

use crate::reachable;
use counterplay_base::{Id, IdVec};
use counterplay_task::{
    Axiom, Derived, Effect, Fact, OpId, Operator, SoftGoal, Task, Value, VarId, Variable,
};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// What a random task may contain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Whether effects may have conditions.
    pub conditional_effects: bool,
    /// Whether there are derived variables.
    pub axioms: bool,
    /// Whether operators may cost nothing.
    pub zero_costs: bool,
    /// Whether operators may cost millions and more.
    pub huge_costs: bool,
}

/// A small random task of a random shape.
pub fn random_task(seed: u64) -> Task {
    let mut rng = ChaCha8Rng::seed_from_u64(seed ^ 0x5eed_0000_0000_0000);
    let shape = Shape {
        conditional_effects: rng.random_ratio(2, 5),
        axioms: rng.random_ratio(1, 3),
        zero_costs: rng.random_ratio(1, 2),
        huge_costs: rng.random_ratio(1, 6),
    };
    random_task_of(shape, seed)
}

/// A small random task of a given shape: three to six plain variables of two to five values, five to twenty
/// operators.
pub fn random_task_of(shape: Shape, seed: u64) -> Task {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let plain = rng.random_range(3..=6u32);
    let derived = if shape.axioms { rng.random_range(1..=3u32) } else { 0 };
    let layers = rng.random_range(1..=3u32);

    // Derived variables stand anywhere among the others.
    let mut kinds = vec![false; plain as usize];
    for _ in 0..derived {
        let at = rng.random_range(0..=kinds.len() as u32) as usize;
        kinds.insert(at, true);
    }
    let mut variables: IdVec<VarId, Variable> = IdVec::new();
    for (i, &is_derived) in kinds.iter().enumerate() {
        let size = if is_derived { 2 } else { rng.random_range(2..=5u32) };
        let derived = Derived { layer: rng.random_range(0..layers), default: rng.random_range(0..2u32) };
        variables.push(Variable {
            name: format!("v{i}"),
            values: (0..size).map(|value| format!("v{i}={value}")).collect(),
            derived: is_derived.then_some(derived),
        });
    }
    let initial: IdVec<VarId, Value> = variables
        .iter()
        .map(|variable| match variable.derived {
            Some(derived) => derived.default,
            None => rng.random_range(0..variable.values.len() as u32),
        })
        .collect();

    let mut maker = Maker { shape, variables, met: vec![initial.clone()], rng };
    let count = maker.rng.random_range(5..=20u32).max(maker.rng.random_range(5..=20u32));
    let operators = (0..count).map(|i| maker.operator(i)).collect();
    let axioms = maker.axioms();
    let has_metric = maker.shape.zero_costs || maker.shape.huge_costs || maker.rng.random_ratio(1, 2);
    let mut task = Task {
        variables: maker.variables,
        initial,
        goal: Vec::new(),
        operators,
        axioms,
        mutex_groups: Vec::new(),
        mutex_pairs: Vec::new(),
        soft: Vec::new(),
        has_metric,
        cost_unit: num_rational::Ratio::from_integer(1),
    };
    if !has_metric {
        task.operators.iter_mut().for_each(|op| op.cost = 1);
    }
    task.goal = random_goal(&task, &mut maker.rng);
    task
}

/// Adds one to six random soft goals, and weakens or drops the hard goal of most tasks.
pub fn add_random_soft_goals(task: &mut Task, seed: u64) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed ^ 0x50f7);
    let facts = |rng: &mut ChaCha8Rng, task: &Task| -> Vec<Fact> {
        let mut facts: Vec<Fact> = Vec::new();
        for (var, variable) in task.variables.enumerate() {
            if rng.random_ratio(1, 3) {
                facts.push(Fact { var, value: rng.random_range(0..variable.values.len() as u32) });
            }
        }
        facts
    };
    for _ in 0..rng.random_range(1..=6u32) {
        let alternatives = (0..rng.random_range(0..=3u32)).map(|_| facts(&mut rng, task)).collect();
        let weight = if rng.random_ratio(1, 8) { 0 } else { rng.random_range(1..=12u64) };
        task.soft.push(SoftGoal { alternatives, weight, lost: Vec::new() });
    }
    if rng.random_ratio(2, 3) {
        let keep = rng.random_range(0..=1usize as u32) as usize;
        task.goal.truncate(keep);
    }
    task.has_metric = true;
}

/// Two copies of a small random task side by side, which a symmetry exchanges. Without conditional effects and
/// axioms.
pub fn random_symmetric_task(seed: u64) -> Task {
    let shape = Shape {
        conditional_effects: false,
        axioms: false,
        zero_costs: seed.is_multiple_of(2),
        huge_costs: seed.is_multiple_of(7),
    };
    let mut task = random_task_of(shape, seed);
    let one = task.clone();
    let shift = |fact: Fact| Fact { var: VarId::new(fact.var.index() + one.variables.len()), ..fact };
    task.has_metric = true;
    task.variables = one.variables.iter().chain(&one.variables).cloned().collect();
    task.initial = one.initial.iter().chain(&one.initial).copied().collect();
    task.goal.extend(one.goal.iter().copied().map(shift));
    for operator in &one.operators {
        let mut operator = operator.clone();
        operator.name.push_str(" copy");
        operator.precondition.iter_mut().for_each(|fact| *fact = shift(*fact));
        operator.effects.iter_mut().for_each(|effect| effect.fact = shift(effect.fact));
        task.operators.push(operator);
    }
    // Sometimes the copies do not begin alike, or interact.
    if seed.is_multiple_of(3) {
        for var in one.variables.ids().filter(|var| var.index().is_multiple_of(2)) {
            task.initial[var] = 0;
        }
    }
    if seed.is_multiple_of(5) {
        let first = &one.operators[OpId::new(0)];
        let seen = Fact { var: first.effects[0].fact.var, value: 0 };
        for (from, watched) in [(0, shift(seen)), (one.operators.len(), seen)] {
            let mut joint = task.operators[OpId::new(from)].clone();
            joint.name.push_str(" joint");
            joint.precondition.push(watched);
            joint.precondition.sort_unstable();
            joint.cost += 1;
            task.operators.push(joint);
        }
    }
    task
}

/// Random choices about one set of variables.
struct Maker {
    shape: Shape,
    variables: IdVec<VarId, Variable>,
    /// States that the operators made so far lead through.
    met: Vec<IdVec<VarId, Value>>,
    rng: ChaCha8Rng,
}

impl Maker {
    fn var(&mut self) -> VarId {
        VarId::new(self.rng.random_range(0..self.variables.len() as u32) as usize)
    }

    fn plain_var(&mut self) -> VarId {
        loop {
            let var = self.var();
            if self.variables[var].derived.is_none() {
                return var;
            }
        }
    }

    fn value(&mut self, var: VarId) -> Value {
        self.rng.random_range(0..self.variables[var].values.len() as u32)
    }

    /// Up to `most` facts about different variables, sorted.
    fn condition(&mut self, most: u32) -> Vec<Fact> {
        let mut facts: Vec<Fact> = Vec::new();
        for _ in 0..self.rng.random_range(0..=most) {
            let var = self.var();
            let value = self.value(var);
            if facts.iter().all(|fact| fact.var != var) {
                facts.push(Fact { var, value });
            }
        }
        facts.sort_unstable();
        facts
    }

    /// An operator, most often one that is applicable somewhere (derived variables aside) and changes something
    /// there: independent choices would seldom make tasks of more than a few reachable states.
    fn operator(&mut self, number: u32) -> Operator {
        let from = self.met[self.rng.random_range(0..self.met.len() as u32) as usize].clone();
        let fits = self.rng.random_ratio(4, 5);
        let mut precondition = self.condition(if fits { 2 } else { 3 });
        let mut effects: Vec<Effect> = Vec::new();
        for _ in 0..self.rng.random_range(1..=3u32) {
            let var = self.plain_var();
            if effects.iter().any(|effect| effect.fact.var == var) {
                continue;
            }
            self.effects_on(var, &mut effects);
            if precondition.iter().all(|fact| fact.var != var) && self.rng.random_ratio(2, 3) {
                precondition.push(Fact { var, value: self.value(var) });
            }
        }
        if fits {
            for fact in precondition.iter_mut().filter(|fact| self.variables[fact.var].derived.is_none()) {
                fact.value = from[fact.var];
            }
            let mut to = from;
            effects.iter().for_each(|effect| to[effect.fact.var] = effect.fact.value);
            self.met.push(to);
        }
        precondition.sort_unstable();
        let cost = match (self.shape.zero_costs, self.shape.huge_costs) {
            (true, _) if self.rng.random_ratio(1, 3) => 0,
            (_, true) if self.rng.random_ratio(1, 2) => {
                self.rng.random_range(1_000_000..=u64::from(u32::MAX) * 4)
            }
            _ => self.rng.random_range(1..=5),
        };
        Operator { name: format!("op{number}"), precondition, effects, cost }
    }

    /// One effect on a variable, or two that never fire together.
    fn effects_on(&mut self, var: VarId, effects: &mut Vec<Effect>) {
        let fact = Fact { var, value: self.value(var) };
        if !self.shape.conditional_effects || self.rng.random_ratio(1, 2) {
            effects.push(Effect { condition: Vec::new(), fact });
            return;
        }
        let other = Fact { var, value: self.value(var) };
        let mut condition = self.condition(2);
        effects.push(Effect { condition: condition.clone(), fact });
        if let Some(first) = condition.first_mut() {
            let size = self.variables[first.var].values.len() as u32;
            first.value = (first.value + 1) % size;
            effects.push(Effect { condition, fact: other });
        }
    }

    /// One to three axioms for each derived variable, as the strata allow.
    fn axioms(&mut self) -> Vec<Axiom> {
        let mut axioms = Vec::new();
        for var in self.variables.ids() {
            let Some(own) = self.variables[var].derived else { continue };
            for _ in 0..self.rng.random_range(1..=3u32) {
                let mut condition = self.condition(3);
                condition.retain(|fact| match self.variables[fact.var].derived {
                    None => true,
                    Some(other) if fact.value == other.default => other.layer < own.layer,
                    Some(other) => other.layer <= own.layer && fact.var != var,
                });
                axioms.push(Axiom { condition, head: Fact { var, value: 1 - own.default } });
            }
        }
        axioms
    }
}

/// Some facts of a state far from the initial one, or any facts.
fn random_goal(task: &Task, rng: &mut ChaCha8Rng) -> Vec<Fact> {
    let state = if rng.random_ratio(2, 3) {
        let states = reachable(task);
        let far = rng.random_range(0..=states.len() as u32 / 3) as usize;
        states[states.len() - 1 - far.min(states.len() - 1)].clone()
    } else {
        task.variables.iter().map(|variable| rng.random_range(0..variable.values.len() as u32)).collect()
    };
    let wanted = rng.random_range(1..=6u32);
    let mut goal: Vec<Fact> = Vec::new();
    for _ in 0..wanted {
        let var = VarId::new(rng.random_range(0..task.variables.len() as u32) as usize);
        if goal.iter().all(|fact| fact.var != var) {
            goal.push(Fact { var, value: state[var] });
        }
    }
    goal.sort_unstable();
    goal
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::brute_force;

    #[test]
    fn the_same_seed_gives_the_same_task() {
        for seed in 0..20 {
            assert_eq!(random_task(seed), random_task(seed));
        }
    }

    #[test]
    fn every_kind_of_task_comes_up() {
        let tasks: Vec<Task> = (0..300).map(random_task).collect();
        let share = |has: &dyn Fn(&Task) -> bool| tasks.iter().filter(|task| has(task)).count();
        assert!(share(&|task| brute_force(task).is_none()) > 50);
        assert!(share(&|task| brute_force(task).is_some_and(|cost| cost > 5)) > 40);
        assert!(share(&Task::has_conditional_effects) > 50);
        assert!(share(&|task| !task.axioms.is_empty()) > 50);
        assert!(share(&|task| task.operators.iter().any(|op| op.cost == 0)) > 50);
        assert!(share(&|task| task.operators.iter().any(|op| op.cost > 1_000_000)) > 20);
    }
}
