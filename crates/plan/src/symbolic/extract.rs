//! From the layers of a search to a plan, one state at a time.
//!
//! Layers are sets, but a plan is a path of single states, so the walk is explicit: forward layers are walked
//! back by pre-images of one state under the few operators that could have led to it, backward layers are
//! walked forth by applying operators.

use counterplay_base::{IdVec, Limit};
use counterplay_task::{Fact, OpId, Task, Value, VarId, apply, close_under_axioms, holds, is_applicable};

use super::Engine;
use super::side::Side;

/// A state, all variables.
pub(crate) type State = IdVec<VarId, Value>;

/// Operators that lead from the start of a forward search to `state`, reached at `cost`.
pub(crate) fn walk_back(
    engine: &Engine<'_>,
    side: &Side,
    mut state: State,
    mut cost: u64,
) -> Result<Vec<OpId>, Limit> {
    let mut plan = Vec::new();
    loop {
        let sublayer = sublayer_of(engine, side, &state, cost).unwrap_or(0);
        if cost == 0 && sublayer == 0 {
            plan.reverse();
            return Ok(plan);
        }
        let (op, before) = predecessor(engine, side, &state, cost, sublayer)?;
        plan.push(op);
        cost -= engine.costs.of(engine.encoding.task, op);
        state = before;
    }
}

fn predecessor(
    engine: &Engine<'_>,
    side: &Side,
    state: &State,
    cost: u64,
    sublayer: usize,
) -> Result<(OpId, State), Limit> {
    let (encoding, space) = (&engine.encoding, &engine.encoding.space);
    let task = encoding.task;
    let here = encoding.states(&facts_of(task, state))?;
    for op in task.operators.ids().filter(|&op| may_lead_to(task, op, state)) {
        let step = engine.costs.of(task, op);
        let from = match (step, sublayer) {
            (0, 0) => continue,
            (0, _) => &side.layers[&cost][sublayer - 1..sublayer],
            (_, 0) => match cost.checked_sub(step).and_then(|before| side.layers.get(&before)) {
                Some(layer) => &layer[..],
                None => continue,
            },
            _ => continue,
        };
        let before = encoding.relation(op)?.pre_image(space, &here)?;
        for layer in from {
            if let Some(mut found) = space.pick(&before.intersect(layer)?) {
                close_under_axioms(task, &mut found);
                return Ok((op, found));
            }
        }
    }
    panic!("every state of a layer has a predecessor in an earlier one");
}

/// Operators that lead from `state`, reached by a backward search at `cost`, to the goal.
pub(crate) fn walk_forth(engine: &Engine<'_>, side: &Side, mut state: State, mut cost: u64) -> Vec<OpId> {
    let mut plan = Vec::new();
    loop {
        let sublayer = sublayer_of(engine, side, &state, cost).unwrap_or(0);
        if cost == 0 && sublayer == 0 {
            return plan;
        }
        let (op, next) = successor(engine, side, &state, cost, sublayer);
        plan.push(op);
        cost -= engine.costs.of(engine.encoding.task, op);
        state = next;
    }
}

fn successor(engine: &Engine<'_>, side: &Side, state: &State, cost: u64, sublayer: usize) -> (OpId, State) {
    let task = engine.encoding.task;
    let applicable = task.operators.ids().filter(|&op| is_applicable(task, state, op));
    applicable
        .filter(|&op| (engine.costs.of(task, op) == 0) == (sublayer > 0))
        .find_map(|op| {
            let rest = cost.checked_sub(engine.costs.of(task, op))?;
            let next = apply(task, state, op);
            let at = sublayer_of(engine, side, &next, rest)?;
            (sublayer == 0 || at == sublayer - 1).then_some((op, next))
        })
        .expect("every state of a backward layer has a successor in an earlier one")
}

/// The sublayer of the layer of `cost` that holds a state; `None` if it was not expanded at that cost.
fn sublayer_of(engine: &Engine<'_>, side: &Side, state: &State, cost: u64) -> Option<usize> {
    side.layers.get(&cost)?.iter().position(|layer| engine.encoding.space.contains(layer, state))
}

/// Whether nothing in a state speaks against an operator having just been applied.
fn may_lead_to(task: &Task, op: OpId, state: &State) -> bool {
    let op = &task.operators[op];
    let kept = |fact: &&Fact| {
        task.variables[fact.var].derived.is_none()
            && op.effects.iter().all(|effect| effect.fact.var != fact.var)
    };
    op.effects.iter().filter(|effect| effect.condition.is_empty()).all(|effect| holds(state, &[effect.fact]))
        && op.precondition.iter().filter(kept).all(|&fact| holds(state, &[fact]))
}

/// The facts of a state that are not derived.
fn facts_of(task: &Task, state: &State) -> Vec<Fact> {
    let basic = state.enumerate().filter(|&(var, _)| task.variables[var].derived.is_none());
    basic.map(|(var, &value)| Fact { var, value }).collect()
}
