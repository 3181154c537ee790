//! The plan of a certificate, carried out on the finite task.
//!
//! A task whose soft goals were compiled away ends with steps that no plan file has: `end`, and for each soft goal `collect` or
//! `forgo`. They are added here, the cheapest first; each leaves one way to go on.

use std::collections::HashMap;

use counterplay_base::{Budget, BudgetPoll};

use super::task::{FiniteTask, Operator, holds};
use super::{CertificateFile, CertificateFlaw};

/// Carries out a plan and returns what it costs.
pub(super) fn check(task: &FiniteTask, plan: &str, budget: &Budget) -> Result<u64, CertificateFlaw> {
    let mut poll = BudgetPoll::every(64);
    let mut by_name: HashMap<String, Vec<&Operator>> = HashMap::new();
    for operator in &task.operators {
        by_name.entry(operator.name.to_lowercase()).or_default().push(operator);
    }
    let wrong = |line: usize, why: String| CertificateFlaw::Wrong { file: CertificateFile::Plan, line, why };
    let (mut state, mut cost, mut last) = (task.initial.clone(), 0u64, 1);
    for (at, text) in plan.lines().enumerate() {
        poll.step(budget)?;
        let text = text.split(';').next().unwrap_or_default().trim();
        if text.is_empty() {
            continue;
        }
        last = at + 1;
        let name = text.trim_start_matches('(').trim_end_matches(')').split_whitespace().collect::<Vec<_>>();
        let name = name.join(" ").to_lowercase();
        let Some(operators) = by_name.get(&name) else {
            return Err(wrong(last, format!("the task has no operator `{name}`")));
        };
        let Some(operator) = operators.iter().find(|operator| operator.is_applicable(&state)) else {
            return Err(wrong(last, format!("`{name}` is not applicable")));
        };
        state = operator.apply(&state).ok_or_else(|| wrong(last, format!("`{name}` contradicts itself")))?;
        cost =
            cost.checked_add(operator.cost).ok_or_else(|| wrong(last, "the cost is too large".to_owned()))?;
    }
    for _ in 0..task.operators.len() {
        let settling = task.operators.iter().filter(|operator| is_settling(&operator.name));
        let next =
            settling.filter(|operator| operator.is_applicable(&state)).min_by_key(|operator| operator.cost);
        let Some(operator) = next.filter(|_| !holds(&task.goal, &state)) else { break };
        let Some(after) = operator.apply(&state) else { break };
        state = after;
        cost =
            cost.checked_add(operator.cost).ok_or_else(|| wrong(last, "the cost is too large".to_owned()))?;
    }
    match holds(&task.goal, &state) {
        true => Ok(cost),
        false => Err(wrong(last, "the goal does not hold at the end".to_owned())),
    }
}

/// Whether an operator is a step after the plan that settles a soft goal.
fn is_settling(name: &str) -> bool {
    name == "end" || name.starts_with("collect ") || name.starts_with("forgo ")
}
