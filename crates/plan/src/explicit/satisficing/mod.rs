//! Plans first, proofs elsewhere: search that wants *some* plan, and then better ones.
//!
//! After LAMA (Richter and Westphal 2010): lazy best-first search with the FF heuristic (`ff`) and the landmark-count heuristic
//! (`landmark_graph`, `landmark_count`), each with a queue for all successors and one for preferred operators (`queues`),
//! which take turns. [`Anytime`] runs it greedily first and then as weighted A* with falling weights, each run bounded by the
//! best plan known, and improves plans directly between the runs: needless steps are left out, and short stretches are
//! replaced by optimal ones (`shorten`).
//!
//! Until there is a first plan, best-first width search (`novelty`) takes turns with the greedy run.
//!
//! Our departures: landmarks are those of the delete relaxation, found by propagation (Keyder, Richter and Helmert 2010) and
//! then completed by disjunctions over one variable; and everything is measured in work, so that the same task takes the same course on every machine.

mod anytime;
mod ff;
mod landmark_count;
mod landmark_graph;
mod lazy;
mod novelty;
mod propagate;
mod queues;
mod shorten;

pub(crate) use anytime::{Anytime, Finding};

use counterplay_base::{Id, IdVec};
use counterplay_task::{OpId, Task};

use super::states::StateId;
use crate::Plan;

/// The plan that led from the first state to this one, by the operator and the parent of each state.
fn plan_to(task: &Task, mut state: StateId, step: impl Fn(StateId) -> (OpId, StateId)) -> Plan {
    let mut operators = Vec::new();
    while state.index() > 0 {
        let (op, parent) = step(state);
        operators.push(op);
        state = parent;
    }
    operators.reverse();
    let cost = task.plan_cost(&operators).unwrap_or(u64::MAX);
    Plan { operators, cost }
}

/// What the heuristics take an operator to cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HeuristicCosts {
    /// One each: the shortest way to a plan.
    One,
    /// Its cost and one more, so that free operators count too; its cost alone where all cost the same.
    PlusOne,
}

impl HeuristicCosts {
    pub(super) fn of(self, task: &Task) -> IdVec<OpId, u64> {
        let is_unit = task.operators.iter().all(|operator| operator.cost == 1);
        let cost = |cost: u64| match self {
            HeuristicCosts::One => 1,
            HeuristicCosts::PlusOne if is_unit => 1,
            HeuristicCosts::PlusOne => cost.saturating_add(1),
        };
        task.operators.iter().map(|operator| cost(operator.cost)).collect()
    }
}
