//! The finite task behind a problem.

use std::time::Instant;

use counterplay_base::{Budget, Progress};
use counterplay_task::Task;
use serde::Serialize;

use crate::amount::Amount;
use crate::effort::{Phase, Phases, seconds};
use crate::error::Halt;
use crate::problem::LiftedProblem;

/// The size of a finite task. Its JSON form is what `counterplay ground --json` prints.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Grounding {
    /// Variables, derived ones included.
    pub variables: usize,
    /// Derived variables.
    pub derived: usize,
    /// Values of all variables together.
    pub facts: usize,
    /// Ground operators.
    pub operators: usize,
    /// Effects with a condition.
    pub conditional_effects: usize,
    /// Ground axioms.
    pub axioms: usize,
    /// Facts of the goal.
    pub goals: usize,
    /// Groups of facts of which one holds at a time.
    pub mutex_groups: usize,
    /// Pairs of facts that never hold together.
    pub mutex_pairs: usize,
    /// The least cost of an operator.
    pub least_cost: Option<Amount>,
    /// The greatest cost of an operator.
    pub greatest_cost: Option<Amount>,
    /// Seconds of wall time.
    pub seconds: f64,
    /// Seconds of each phase.
    pub phases: Phases,
    /// The most bytes that the process held, if the caller knows.
    pub peak_memory: Option<usize>,
    /// The task; soft goals are compiled away, so that plans end with operators that collect or forgo each of them.
    #[serde(skip)]
    pub task: Task,
    /// Whether there were soft goals.
    #[serde(skip)]
    pub had_soft_goals: bool,
}

/// Grounds a problem to a finite task that the translator format can express.
///
/// # Errors
/// What cannot be grounded, or the limit that was reached.
pub fn ground(lifted: &LiftedProblem, budget: &Budget, progress: &dyn Progress) -> Result<Grounding, Halt> {
    let started = Instant::now();
    let mut phases = Phases { parse: Some(lifted.parse), ..Phases::default() };
    progress.begin("grounding");
    let task = phases.measure(Phase::Ground, || lifted.ground(budget, progress))?;
    let had_soft_goals = !task.soft.is_empty();
    let task = if had_soft_goals { counterplay_plan::without_soft_goals(&task) } else { task };
    let cost = |units: Option<u64>| units.and_then(|units| Amount::of_units(units, task.cost_unit));
    let effects = task.operators.iter().flat_map(|operator| &operator.effects);
    Ok(Grounding {
        variables: task.variables.len(),
        derived: task.variables.iter().filter(|variable| variable.derived.is_some()).count(),
        facts: task.variables.iter().map(|variable| variable.values.len()).sum(),
        operators: task.operators.len(),
        conditional_effects: effects.filter(|effect| !effect.condition.is_empty()).count(),
        axioms: task.axioms.len(),
        goals: task.goal.len(),
        mutex_groups: task.mutex_groups.len(),
        mutex_pairs: task.mutex_pairs.len(),
        least_cost: cost(task.operators.iter().map(|operator| operator.cost).min()),
        greatest_cost: cost(task.operators.iter().map(|operator| operator.cost).max()),
        seconds: seconds(started.elapsed()) + lifted.parse,
        phases,
        peak_memory: None,
        had_soft_goals,
        task,
    })
}
