//! Proof trees and refutations as JSON and as text.

use counterplay_belief::PlanOf;
use counterplay_kriegspiel::steps::said;
use counterplay_kriegspiel::{Kriegspiel, Percept, Refutation};
use serde_json::{Value, json};

/// A percept as JSON.
fn percept(percept: Percept) -> Value {
    serde_json::to_value(said(Some((percept, None)))).expect("announcements have a JSON form")
}

/// A proof tree: `try`, then `illegal` (what to do if it is rejected) and `after` (for each announcement, and for each
/// announcement to the reply, how to go on).
pub(crate) fn tree(plan: &PlanOf<Kriegspiel>) -> Value {
    let after = plan.after.iter().map(|(heard, replies)| {
        let replies =
            replies.iter().map(|(heard, next)| json!({"heard": percept(*heard), "then": tree(next)}));
        json!({"heard": percept(*heard), "replies": replies.collect::<Vec<_>>()})
    });
    let after: Vec<Value> = after.collect();
    let mut value = json!({"try": plan.attempt.to_string()});
    if let Some(rejected) = &plan.rejected {
        value["illegal"] = tree(rejected);
    }
    if !after.is_empty() {
        value["after"] = Value::from(after);
    }
    value
}

/// Why there is no mate.
pub(crate) fn refutation(refutation: &Refutation) -> Value {
    json!({
        "states": refutation.states.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "line": refutation.line.iter().map(ToString::to_string).collect::<Vec<_>>(),
    })
}

/// The same as indented text.
pub(crate) fn refutation_text(refutation: &Refutation) -> String {
    let mut text = String::from("  no plan for:\n");
    for state in &refutation.states {
        text.push_str(&format!("    {state}\n"));
    }
    let line: Vec<String> = refutation.line.iter().map(ToString::to_string).collect();
    if !line.is_empty() {
        text.push_str(&format!("  in the first, {} and nothing mates in time\n", line.join(" ")));
    }
    text
}

/// A proof tree as indented text.
pub(crate) fn text(plan: &PlanOf<Kriegspiel>) -> String {
    let mut lines = String::new();
    write(plan, 1, &mut lines);
    lines
}

fn write(plan: &PlanOf<Kriegspiel>, depth: usize, out: &mut String) {
    let space = "  ".repeat(depth);
    out.push_str(&format!("{space}try {}\n", plan.attempt));
    for (heard, replies) in &plan.after {
        for (reply, next) in replies {
            out.push_str(&format!("{space}  heard {heard}; then {reply}:\n"));
            write(next, depth + 2, out);
        }
    }
    if let Some(rejected) = &plan.rejected {
        out.push_str(&format!("{space}illegal:\n"));
        write(rejected, depth, out);
    }
}
