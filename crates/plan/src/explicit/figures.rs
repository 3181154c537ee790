//! What an explicit search counts: its progress, and costs in their own unit.

use counterplay_base::IdVec;
use counterplay_task::{OpId, Task};

/// How far a search has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    /// States expanded, reopened ones each time.
    pub expanded: u64,
    /// States evaluated by the heuristic.
    pub evaluated: u64,
    /// Different states met.
    pub states: u64,
    /// Closed states that were opened again.
    pub reopened: u64,
    /// The estimate of the initial state, in the task's cost units.
    pub initial_estimate: u64,
    /// The cost below which no plan exists, in the task's cost units.
    pub lower_bound: u64,
}

/// The greatest common divisor of all costs, and the costs in units of it.
pub(super) fn unit_costs(task: &Task) -> (u64, IdVec<OpId, u64>) {
    let unit = task.operators.iter().fold(0, |unit, op| gcd(unit, op.cost)).max(1);
    (unit, task.operators.iter().map(|op| op.cost / unit).collect())
}

pub(super) fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b > 0 {
        (a, b) = (b, a % b);
    }
    a
}
