//! What a task means: the plain semantics of states, operators and axioms.
//!
//! Written for obviousness; searches that need speed keep packed states and successor structures of their
//! own and are tested against these functions.

use counterplay_base::IdVec;

use crate::{Fact, OpId, SoftGoal, Task, Value, VarId};

/// Whether all facts hold in a state.
pub fn holds(state: &IdVec<VarId, Value>, facts: &[Fact]) -> bool {
    facts.iter().all(|fact| state[fact.var] == fact.value)
}

/// Whether an operator may be applied. Derived variables must be up to date.
pub fn is_applicable(task: &Task, state: &IdVec<VarId, Value>, op: OpId) -> bool {
    holds(state, &task.operators[op].precondition)
}

/// Whether the goal holds. Derived variables must be up to date.
pub fn is_goal(task: &Task, state: &IdVec<VarId, Value>) -> bool {
    holds(state, &task.goal)
}

/// What the soft goals that do not hold in a state cost together; `None` if that does not fit. Derived variables
/// must be up to date.
pub fn violation(task: &Task, state: &IdVec<VarId, Value>) -> Option<u64> {
    let is_met = |soft: &&SoftGoal| soft.alternatives.iter().any(|facts| holds(state, facts));
    let violated = task.soft.iter().filter(|soft| !is_met(soft));
    violated.map(|soft| soft.weight).try_fold(0u64, u64::checked_add)
}

/// What a plan costs together with the soft goals that it leaves unfulfilled; `None` if that does not fit.
pub fn total_cost(task: &Task, plan: &[OpId]) -> Option<u64> {
    let mut state = task.initial.clone();
    close_under_axioms(task, &mut state);
    for &op in plan.iter().filter(|_| !task.soft.is_empty()) {
        state = apply(task, &state, op);
    }
    task.plan_cost(plan)?.checked_add(violation(task, &state)?)
}

/// The state after an operator, derived variables up to date again.
pub fn apply(task: &Task, state: &IdVec<VarId, Value>, op: OpId) -> IdVec<VarId, Value> {
    let mut next = state.clone();
    for effect in &task.operators[op].effects {
        if holds(state, &effect.condition) {
            next[effect.fact.var] = effect.fact.value;
        }
    }
    close_under_axioms(task, &mut next);
    next
}

/// Recomputes the derived variables of a state, stratum by stratum.
pub fn close_under_axioms(task: &Task, state: &mut IdVec<VarId, Value>) {
    if task.axioms.is_empty() {
        return;
    }
    let mut layers: Vec<u32> = Vec::new();
    for (var, variable) in task.variables.enumerate() {
        if let Some(derived) = variable.derived {
            state[var] = derived.default;
            layers.push(derived.layer);
        }
    }
    layers.sort_unstable();
    layers.dedup();
    for layer in layers {
        loop {
            let mut changed = false;
            for axiom in &task.axioms {
                let of_layer = task.variables[axiom.head.var].derived.is_some_and(|d| d.layer == layer);
                if of_layer && state[axiom.head.var] != axiom.head.value && holds(state, &axiom.condition) {
                    state[axiom.head.var] = axiom.head.value;
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
    }
}
