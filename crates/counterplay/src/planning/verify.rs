//! The check of a plan before it is shown.
//!
//! A plan for PDDL files goes through the independent checker, on the lifted problem and in the very words that
//! will be printed. A task in the translator format has no lifted problem; its plan is replayed with the plain
//! semantics of tasks. A plan that fails is a bug, never an answer.

use counterplay_base::{Budget, Limit};
use counterplay_check::{Checked, Flaw, check_plan, read_plan};
use counterplay_pddl::model;
use counterplay_plan::Plan;
use counterplay_syntax::Sources;
use counterplay_task::{Task, apply, close_under_axioms, is_applicable, is_goal};

use crate::amount::Amount;
use crate::error::{Error, Halt};
use crate::problem::Problem;

/// The name of the check of a plan.
pub(crate) const NAME: &str = "plan validator (validity and cost)";

/// Checks a plan and its cost.
///
/// # Errors
/// A plan that is not valid or does not cost what it should; the limit that was reached.
pub fn plan(problem: &Problem, task: &Task, plan: &Plan, budget: &Budget) -> Result<(), Halt> {
    let finding = match problem {
        Problem::Lifted(lifted) => validate(&lifted.problem, task, plan, budget)?,
        Problem::Finite(task) => replay(task, plan),
    };
    let bug =
        |why| Error::Internal { message: format!("the plan that was found does not pass the check: {why}") };
    Ok(finding.map_err(bug)?)
}

/// Checks a plan of a PDDL problem, and that it costs what it should.
fn validate(
    problem: &model::Problem,
    task: &Task,
    plan: &Plan,
    budget: &Budget,
) -> Result<Result<(), String>, Limit> {
    let cost = Amount::of_units(plan.cost, task.cost_unit).map(|amount| amount.0);
    Ok(match evaluate(problem, task, plan, budget)? {
        Ok(checked) if checked.cost == cost => Ok(()),
        Ok(_) => Err(format!("its steps do not cost {}", plan.cost)),
        Err(why) => Err(why),
    })
}

/// Gives the plan, as text, to the checker, which recomputes its cost and metric.
///
/// # Errors
/// The limit that was reached; what is wrong with the plan is inside.
pub fn evaluate(
    problem: &model::Problem,
    task: &Task,
    plan: &Plan,
    budget: &Budget,
) -> Result<Result<Checked, String>, Limit> {
    let text: String = plan.operators.iter().map(|&op| format!("({})\n", task.operators[op].name)).collect();
    let mut sources = Sources::default();
    let file = sources.add("the plan", text);
    let steps = match read_plan(&sources, file, problem) {
        Ok(steps) => steps,
        Err(errors) => return Ok(Err(errors.first().map(ToString::to_string).unwrap_or_default())),
    };
    match check_plan(problem, &steps, budget) {
        Ok(checked) => Ok(Ok(checked)),
        Err(Flaw::Stopped { limit }) => Err(limit),
        Err(flaw) => Ok(Err(flaw.to_string())),
    }
}

/// Runs a plan step by step.
fn replay(task: &Task, plan: &Plan) -> Result<(), String> {
    let mut state = task.initial.clone();
    close_under_axioms(task, &mut state);
    for (i, &op) in plan.operators.iter().enumerate() {
        if !is_applicable(task, &state, op) {
            return Err(format!("step {}, `{}`, is not applicable", i + 1, task.operators[op].name));
        }
        state = apply(task, &state, op);
    }
    if !is_goal(task, &state) {
        return Err("the goal does not hold at the end".to_owned());
    }
    if task.plan_cost(&plan.operators) != Some(plan.cost) {
        return Err(format!("its steps do not cost {}", plan.cost));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use counterplay_base::Id;
    use counterplay_task::{OpId, sas};

    use super::*;

    /// One switch that can be turned on for two.
    const SWITCH: &str = "begin_version\n3\nend_version\nbegin_metric\n1\nend_metric\n1\nbegin_variable\nvar0\n-1\n2\n\
        Atom off()\nAtom on()\nend_variable\n0\nbegin_state\n0\nend_state\nbegin_goal\n1\n0 1\nend_goal\n1\n\
        begin_operator\nturn\n0\n1\n0 0 0 1\n2\nend_operator\n0\n";

    #[test]
    fn a_replay_tells_right_from_wrong() {
        let task = sas::read(SWITCH).expect("the task is sound");
        let turn = OpId::new(0);
        let replayed = |operators: Vec<OpId>, cost| replay(&task, &Plan { operators, cost });
        assert_eq!(replayed(vec![turn], 2), Ok(()));
        assert!(replayed(vec![turn], 1).unwrap_err().contains("cost"));
        assert!(replayed(vec![], 0).unwrap_err().contains("goal"));
        assert!(replayed(vec![turn, turn], 4).unwrap_err().contains("step 2"));
    }
}
