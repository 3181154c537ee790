//! A smaller task with the same plans.
//!
//! Values that cannot be reached, variables that never change, variables that cannot matter for the goal, and
//! operators that others replace are removed, again and again until nothing more goes. Costs
//! of optimal plans stay the same; the number of reachable states does not, where irrelevant variables go.

mod duplicates;
mod project;
mod reach;
mod relevance;

use counterplay_base::{Budget, Id, IdVec, Limit};
use counterplay_task::{Fact, SoftGoal, Task, VarId, Variable};

pub(crate) use project::Projection;

/// Simplifies a task in place. One whose goal always or never holds becomes a task with one variable.
pub(crate) fn simplify(task: &mut Task, budget: &Budget) -> Result<(), Limit> {
    loop {
        let reached = reach::reachable_values(task, budget)?;
        let mut changed = !reached.is_identity();
        if changed && !reached.apply(task) {
            *task = trivial(task, false);
            return Ok(());
        }
        let is_decided = |soft: &SoftGoal| soft.alternatives.iter().all(Vec::is_empty);
        if task.goal.is_empty() && task.soft.iter().all(is_decided) {
            let soft = std::mem::take(&mut task.soft);
            *task = Task { soft, ..trivial(task, true) };
            return Ok(());
        }
        let relevant = relevance::relevant_variables(task);
        if !relevant.is_identity() {
            relevant.apply(task);
            changed = true;
        }
        changed |= duplicates::remove_dominated(task) > 0;
        if !changed {
            return Ok(());
        }
    }
}

/// Removes values and variables that do not matter, but no operator that can be applied: for tasks whose operators
/// are outcomes of actions. Policies of the task stay the same, up to what they say about removed variables.
/// With `keep_irrelevant` only values that cannot be reached go.
pub(crate) fn simplify_outcomes(
    task: &mut Task,
    keep_irrelevant: bool,
    budget: &Budget,
) -> Result<(), Limit> {
    loop {
        let reached = reach::reachable_values(task, budget)?;
        let mut changed = !reached.is_identity();
        if changed && !reached.apply_to_all(task) {
            *task = trivial(task, false);
            return Ok(());
        }
        if task.goal.is_empty() {
            *task = trivial(task, true);
            return Ok(());
        }
        if !keep_irrelevant {
            let relevant = relevance::relevant_variables(task);
            if !relevant.is_identity() {
                relevant.apply_to_all(task);
                changed = true;
            }
        }
        if !changed {
            return Ok(());
        }
    }
}

/// Removes values that cannot be reached, and nothing else: the plans stay the same.
pub(crate) fn drop_unreachable(task: &mut Task, budget: &Budget) -> Result<(), Limit> {
    let reached = reach::reachable_values(task, budget)?;
    if !reached.is_identity() && !reached.apply_to_all(task) {
        *task = trivial(task, false);
    }
    Ok(())
}

/// A task with one variable that never changes; its goal holds or does not.
pub(crate) fn trivial(like: &Task, solvable: bool) -> Task {
    let var = VarId::new(0);
    let values = vec!["the goal holds".to_owned(), "the goal does not hold".to_owned()];
    Task {
        variables: IdVec::from(vec![Variable { name: "var0".to_owned(), values, derived: None }]),
        initial: IdVec::from(vec![u32::from(!solvable)]),
        goal: vec![Fact { var, value: 0 }],
        operators: IdVec::new(),
        axioms: Vec::new(),
        mutex_groups: Vec::new(),
        mutex_pairs: Vec::new(),
        soft: Vec::new(),
        has_metric: like.has_metric,
        cost_unit: like.cost_unit,
    }
}
