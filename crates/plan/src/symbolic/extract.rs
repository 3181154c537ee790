//! From the history of a search to a plan, one state at a time.
//!
//! What was expanded are sets, but a plan is a path of single states, so the walk is explicit: the history of a
//! forward search is walked back by pre-images of one state under the few operators that could have led to it, that
//! of a backward search is walked forth by applying operators.

use counterplay_base::{IdVec, Limit};
use counterplay_task::{Fact, OpId, Task, Value, VarId, apply, close_under_axioms, holds, is_applicable};

use super::Engine;
use super::history::History;

/// A state, all variables.
pub(crate) type State = IdVec<VarId, Value>;

/// Operators that lead from the start of a forward search to `state`, reached at `cost`.
pub(crate) fn walk_back(
    engine: &Engine<'_>,
    history: &History,
    mut state: State,
    mut cost: u64,
) -> Result<Vec<OpId>, Limit> {
    let mut plan = Vec::new();
    let mut place = place_of(engine, history, &state, cost);
    while place != Some(0) && !(place.is_none() && is_start(engine, &state, cost)) {
        let (op, before, at) = predecessor(engine, history, &state, cost, place)?;
        plan.push(op);
        cost -= engine.costs.of(engine.encoding.task, op);
        (state, place) = (before, Some(at));
    }
    plan.reverse();
    Ok(plan)
}

/// Whether a state that was never expanded is the initial one.
fn is_start(engine: &Engine<'_>, state: &State, cost: u64) -> bool {
    cost == 0 && engine.space().contains(&engine.initial, state)
}

fn predecessor(
    engine: &Engine<'_>,
    history: &History,
    state: &State,
    cost: u64,
    place: Option<usize>,
) -> Result<(OpId, State, usize), Limit> {
    let task = engine.encoding.task;
    let here = engine.encoding.states(&facts_of(task, state))?;
    for op in task.operators.ids().filter(|&op| may_lead_to(task, op, state)) {
        let Some(before) = cost.checked_sub(engine.costs.of(task, op)) else { continue };
        let earlier = history.at(before).iter().filter(|set| place.is_none_or(|place| set.place < place));
        let mut pre_image = None;
        for set in earlier {
            let states = match &pre_image {
                Some(states) => states,
                None => pre_image.insert(engine.encoding.relation(op)?.pre_image(engine.space(), &here)?),
            };
            if let Some(mut found) = engine.space().pick(&states.intersect(&set.states)?) {
                close_under_axioms(task, &mut found);
                return Ok((op, found, set.place));
            }
        }
    }
    panic!("every state that was reached was reached from an expanded one");
}

/// Operators that lead from `state`, reached by a backward search at `cost`, to the goal.
pub(crate) fn walk_forth(
    engine: &Engine<'_>,
    history: &History,
    mut state: State,
    mut cost: u64,
) -> Vec<OpId> {
    let mut plan = Vec::new();
    let mut place = place_of(engine, history, &state, cost);
    while !is_end(engine, &state, cost) {
        let (op, next, at) = successor(engine, history, &state, cost, place);
        plan.push(op);
        cost -= engine.costs.of(engine.encoding.task, op);
        (state, place) = (next, Some(at));
    }
    plan
}

/// Whether to stop here costs just what is left.
fn is_end(engine: &Engine<'_>, state: &State, cost: u64) -> bool {
    engine.goals.get(&cost).is_some_and(|goal| engine.space().contains(goal, state))
}

fn successor(
    engine: &Engine<'_>,
    history: &History,
    state: &State,
    cost: u64,
    place: Option<usize>,
) -> (OpId, State, usize) {
    let task = engine.encoding.task;
    let mut applicable = task.operators.ids().filter(|&op| is_applicable(task, state, op));
    applicable
        .find_map(|op| {
            let rest = cost.checked_sub(engine.costs.of(task, op))?;
            let next = apply(task, state, op);
            let at = place_of(engine, history, &next, rest)?;
            place.is_none_or(|place| at < place).then_some((op, next, at))
        })
        .expect("every state that was reached backwards leads to an expanded one")
}

/// The place of the expanded set of this cost that holds a state; `None` if it was not expanded at that cost.
fn place_of(engine: &Engine<'_>, history: &History, state: &State, cost: u64) -> Option<usize> {
    let holds_it = |set: &&super::history::Expanded| engine.space().contains(&set.states, state);
    history.at(cost).iter().find(holds_it).map(|set| set.place)
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
