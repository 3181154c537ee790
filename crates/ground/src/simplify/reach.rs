//! Facts that no sequence of operators can reach.
//!
//! Relaxed reachability over the variables: a value counts as reached once some operator whose conditions
//! are reached sets it. Since a variable keeps the values it had, this is at least as sharp as looking at
//! each variable's transitions alone.

use counterplay_base::{Budget, BudgetPoll, Id, IdLists, Limit, id};
use counterplay_task::{Fact, FactNumbers, Task, VarId};

use super::project::Projection;

id! {
    /// A fact as a number.
    pub struct FactKey;
}

/// Which values can be taken, as a projection to them.
pub(super) fn reachable_values(task: &Task, budget: &Budget) -> Result<Projection, Limit> {
    let numbers = FactNumbers::new(task);
    let mut poll = BudgetPoll::every(4096);
    // Nodes: operators, then effects, then axioms. An effect also waits for its operator.
    let mut waits: Vec<u32> = task.operators.iter().map(|op| op.precondition.len() as u32).collect();
    let mut heads: Vec<Fact> = Vec::new();
    let mut effects_of: Vec<usize> = Vec::with_capacity(waits.len() + 1);
    let operators = waits.len();
    let mut pairs: Vec<(FactKey, u32)> = Vec::new();
    for (op, operator) in task.operators.enumerate() {
        effects_of.push(waits.len());
        for effect in &operator.effects {
            let node = waits.len() as u32;
            pairs.extend(effect.condition.iter().map(|&fact| (FactKey::new(numbers.of(fact)), node)));
            waits.push(effect.condition.len() as u32 + 1);
            heads.push(effect.fact);
        }
        let node = op.index() as u32;
        pairs.extend(operator.precondition.iter().map(|&fact| (FactKey::new(numbers.of(fact)), node)));
    }
    effects_of.push(waits.len());
    for axiom in &task.axioms {
        let node = waits.len() as u32;
        pairs.extend(axiom.condition.iter().map(|&fact| (FactKey::new(numbers.of(fact)), node)));
        waits.push(axiom.condition.len() as u32);
        heads.push(axiom.head);
    }
    let waiting = IdLists::from_pairs(numbers.count(), &pairs);
    let mut reached = vec![false; numbers.count()];
    // A derived variable with an axiom that always fires never keeps its default.
    let certain: Vec<VarId> =
        task.axioms.iter().filter(|axiom| axiom.condition.is_empty()).map(|axiom| axiom.head.var).collect();
    let mut open: Vec<usize> = Vec::new();
    for (var, &value) in task.initial.enumerate() {
        if !certain.contains(&var) {
            open.push(numbers.of(Fact { var, value }));
        }
    }
    open.iter().for_each(|&fact| reached[fact] = true);
    let mut fired: Vec<usize> = (0..waits.len()).filter(|&node| waits[node] == 0).collect();
    loop {
        while let Some(node) = fired.pop() {
            poll.step(budget)?;
            if node < operators {
                let effects = effects_of[node]..effects_of[node + 1];
                for (at, waits) in waits[effects.clone()].iter_mut().enumerate() {
                    *waits -= 1;
                    if *waits == 0 {
                        fired.push(effects.start + at);
                    }
                }
                continue;
            }
            let fact = numbers.of(heads[node - operators]);
            if !reached[fact] {
                reached[fact] = true;
                open.push(fact);
            }
        }
        let Some(fact) = open.pop() else { break };
        for &node in &waiting[FactKey::new(fact)] {
            waits[node as usize] -= 1;
            if waits[node as usize] == 0 {
                fired.push(node as usize);
            }
        }
    }
    Ok(Projection::of_values(task, |fact| reached[numbers.of(fact)]))
}
