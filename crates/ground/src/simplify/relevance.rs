//! Variables that can matter for the goal.
//!
//! Backwards from the goal: what an operator or axiom needs to change a relevant variable is relevant too.
//! Effects on other variables go, and with them the operators that have no other effects.

use counterplay_base::{Id, IdLists, IdVec};
use counterplay_task::{Task, VarId};

use super::project::Projection;

/// The relevant variables, as a projection to them.
pub(super) fn relevant_variables(task: &Task) -> Projection {
    let count = task.variables.len();
    let mut pairs: Vec<(VarId, (u32, u32))> = Vec::new();
    for (op, operator) in task.operators.enumerate() {
        for (at, effect) in operator.effects.iter().enumerate() {
            pairs.push((effect.fact.var, (op.index() as u32, at as u32)));
        }
    }
    let changing = IdLists::from_pairs(count, &pairs);
    let pairs: Vec<(VarId, u32)> =
        task.axioms.iter().enumerate().map(|(at, axiom)| (axiom.head.var, at as u32)).collect();
    let deriving = IdLists::from_pairs(count, &pairs);
    let mut relevant: IdVec<VarId, bool> = IdVec::filled(false, count);
    let mut seen = vec![false; task.operators.len()];
    let mut open: Vec<VarId> = Vec::new();
    let mut see = |var: VarId, open: &mut Vec<VarId>| {
        if !relevant[var] {
            relevant[var] = true;
            open.push(var);
        }
    };
    let preferences = task.soft.iter().flat_map(|soft| &soft.alternatives).flatten();
    task.goal.iter().chain(preferences).for_each(|fact| see(fact.var, &mut open));
    while let Some(var) = open.pop() {
        for &(op, at) in &changing[var] {
            let operator = &task.operators.as_slice()[op as usize];
            if !seen[op as usize] {
                seen[op as usize] = true;
                operator.precondition.iter().for_each(|fact| see(fact.var, &mut open));
            }
            operator.effects[at as usize].condition.iter().for_each(|fact| see(fact.var, &mut open));
        }
        for &axiom in &deriving[var] {
            task.axioms[axiom as usize].condition.iter().for_each(|fact| see(fact.var, &mut open));
        }
    }
    Projection::of_variables(task, &relevant)
}
