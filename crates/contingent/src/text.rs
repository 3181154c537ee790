//! Plans as text, in the format that the checker reads.

use std::fmt::Write;

use counterplay_task::{HiddenAction, HiddenTask};

use crate::{Branch, BranchingPlan, Guarantee, PlanStep};

impl Guarantee {
    /// The name: `strong` or `strong-cyclic`.
    pub fn name(self) -> &'static str {
        match self {
            Guarantee::Strong => "strong",
            Guarantee::StrongCyclic => "strong-cyclic",
        }
    }
}

/// What is seen where a step goes on with a branch: literals over what the action observes, none if there is no other branch.
pub fn seen(action: &HiddenAction, step: &PlanStep, branch: &Branch) -> Vec<String> {
    let observed = action.observed.iter().zip(&branch.percept).filter(|_| step.branches.len() > 1);
    let literal = |((_, atom), &holds): (&(_, String), &bool)| {
        if holds { atom.clone() } else { format!("(not {atom})") }
    };
    observed.map(literal).collect()
}

/// The plan as a file: one step a line if it never branches and nothing is observed, else its nodes.
pub fn text(task: &HiddenTask, plan: &BranchingPlan) -> String {
    if let Some(actions) = plan.sequence().filter(|_| !task.has_sensing()) {
        return actions.iter().map(|&action| format!("({})\n", task.actions[action].name)).collect();
    }
    let mut text = format!("(contingent-plan {}", plan.guarantee.name());
    for (number, node) in plan.nodes.iter().enumerate() {
        let _ = write!(text, "\n  (node {number}");
        if node.steps.is_empty() {
            text.push_str(" (goal)");
        }
        for step in &node.steps {
            write_step(&mut text, &task.actions[step.action], step);
        }
        text.push(')');
    }
    text.push_str(")\n");
    text
}

fn write_step(text: &mut String, action: &HiddenAction, step: &PlanStep) {
    let _ = write!(text, " (do ({})", action.name);
    for branch in &step.branches {
        let _ = match &seen(action, step, branch)[..] {
            [] => write!(text, " (next {})", branch.next),
            [only] => write!(text, " (if {only} {})", branch.next),
            several => write!(text, " (if (and {}) {})", several.join(" "), branch.next),
        };
    }
    text.push(')');
}
