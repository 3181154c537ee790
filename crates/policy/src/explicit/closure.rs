//! Steps that are closed among themselves, decided on conditions instead of states.
//!
//! A step is *closed* if whatever its action does leads to the goal or to where another closed step applies, one
//! nearer to the goal if the outcome is the intended one. The largest such set of steps is found by striking out. A
//! closed step is an answer for good: once all of them are preferred to other steps, nothing leads out of them, and each
//! has a way to the goal along which distances shrink. Where states differ only in what no condition asks for, this
//! saves looking at each of them (PRP marks pairs in the same spirit).

use counterplay_base::{Budget, BudgetPoll, IdVec, Limit};
use counterplay_task::{Fact, NondetTask, Operator, Value, VarId};

use super::Steps;

/// What is known of a state.
type Partial = IdVec<VarId, Option<Value>>;

/// Marks the closed steps.
pub(super) fn mark(nondet: &NondetTask, steps: &mut Steps, budget: &Budget) -> Result<(), Limit> {
    steps.closed.clear();
    steps.closed.resize(steps.steps.len(), nondet.task.axioms.is_empty());
    if !nondet.task.axioms.is_empty() {
        return Ok(());
    }
    for (step, closed) in steps.steps.iter().zip(&mut steps.closed) {
        *closed = step.distance > 0;
    }
    let mut poll = BudgetPoll::every(64);
    let mut changed = true;
    while changed {
        changed = false;
        for item in 0..steps.steps.len() {
            poll.step(budget)?;
            if steps.closed[item] && !is_closed(nondet, steps, item) {
                steps.closed[item] = false;
                changed = true;
            }
        }
    }
    Ok(())
}

fn is_closed(nondet: &NondetTask, steps: &Steps, item: usize) -> bool {
    let step = &steps.steps[item];
    let mut nearest = u32::MAX;
    let answered = nondet.choices[step.choice].operators().all(|op| {
        let after = progress(nondet, &step.condition, &nondet.task.operators[op]);
        match answer(nondet, steps, &after) {
            None => false,
            Some(Answer::Goal) => {
                nearest = 0;
                true
            }
            Some(Answer::Step(next)) => {
                nearest = nearest.min(steps.steps[next as usize].distance);
                true
            }
        }
    });
    answered && nearest < step.distance
}

/// What to do when so much is known.
pub(super) enum Answer {
    /// Nothing: the goal holds.
    Goal,
    /// The closed step nearest to the goal among those whose condition certainly holds.
    Step(u32),
}

/// What to do after an outcome of a step, as far as closed steps tell.
pub(super) fn answer(nondet: &NondetTask, steps: &Steps, known: &Partial) -> Option<Answer> {
    if nondet.task.goal.iter().all(|fact| known[fact.var] == Some(fact.value)) {
        return Some(Answer::Goal);
    }
    let mut best: Option<(u32, u32)> = None;
    steps.index.any_known(&|var| known[var], &mut |item| {
        let distance = steps.steps[item as usize].distance;
        if steps.closed[item as usize] && best.is_none_or(|best| (distance, item) < best) {
            best = Some((distance, item));
        }
        false
    });
    best.map(|(_, item)| Answer::Step(item))
}

/// What is certain after an operator, if the condition held before.
pub(super) fn progress(nondet: &NondetTask, condition: &[Fact], operator: &Operator) -> Partial {
    let mut before: Partial = IdVec::filled(None, nondet.task.variables.len());
    for fact in condition.iter().chain(&operator.precondition) {
        before[fact.var] = Some(fact.value);
    }
    let mut after = before.clone();
    let is_certain = |fact: &Fact| before[fact.var] == Some(fact.value);
    let is_excluded = |fact: &Fact| before[fact.var].is_some_and(|value| value != fact.value);
    for effect in operator.effects.iter().filter(|effect| !effect.condition.is_empty()) {
        let Fact { var, value } = effect.fact;
        if !effect.condition.iter().any(is_excluded) && after[var] != Some(value) {
            after[var] = None;
        }
    }
    for effect in &operator.effects {
        if effect.condition.iter().all(is_certain) {
            after[effect.fact.var] = Some(effect.fact.value);
        }
    }
    after
}

/// The closed steps that are needed from some of them on, in their order.
pub(super) fn needed(nondet: &NondetTask, steps: &Steps, first: Vec<u32>) -> Vec<u32> {
    let mut is_needed = vec![false; steps.steps.len()];
    let mut open = first;
    open.iter().for_each(|&item| is_needed[item as usize] = true);
    while let Some(item) = open.pop() {
        let step = &steps.steps[item as usize];
        for op in nondet.choices[step.choice].operators() {
            let after = progress(nondet, &step.condition, &nondet.task.operators[op]);
            if let Some(Answer::Step(next)) = answer(nondet, steps, &after)
                && !is_needed[next as usize]
            {
                is_needed[next as usize] = true;
                open.push(next);
            }
        }
    }
    (0..is_needed.len() as u32).filter(|&item| is_needed[item as usize]).collect()
}
