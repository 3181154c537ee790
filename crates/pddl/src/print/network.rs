//! Task networks as HDDL text.

use super::files::{own_parameters, parameters};
use super::formula::{Printer, list};
use crate::model::*;

/// The tasks and methods of a domain, a line each part.
pub(super) fn declarations(problem: &Problem, hierarchy: &Hierarchy) -> Vec<String> {
    let mut lines = Vec::new();
    for task in &hierarchy.tasks {
        let types = parameters(problem, &task.parameters).join(" ");
        lines.push(format!("  (:task {} :parameters ({types}))", task.name));
    }
    for Method { name, schema, task, arguments, precondition, network, .. } in &hierarchy.methods {
        let printer = Printer::new(problem, schema);
        lines.push(format!("  (:method {name}"));
        lines.push(format!("    :parameters ({})", printer.variables(own_parameters(schema))));
        let arguments = arguments.iter().map(|&argument| printer.term(argument).to_owned());
        lines.push(format!("    :task {}", list(&hierarchy.tasks[*task].name, arguments)));
        lines.push(format!("    :precondition {}", printer.condition(precondition)));
        lines.extend(body(problem, &printer, network));
        let last = lines.last_mut().expect("a method has lines");
        last.push(')');
    }
    lines
}

/// The initial network of a problem.
pub(super) fn initial(problem: &Problem, initial: &InitialNetwork) -> Vec<String> {
    let printer = Printer::new(problem, &initial.schema);
    let mut lines = vec!["  (:htn".to_owned()];
    lines.push(format!("    :parameters ({})", printer.variables(own_parameters(&initial.schema))));
    lines.extend(body(problem, &printer, &initial.network));
    lines.push("  )".to_owned());
    lines
}

/// Subtasks, ordering and constraints.
fn body(problem: &Problem, printer: &Printer<'_>, network: &TaskNetwork) -> Vec<String> {
    let subtasks = network.subtasks.iter().enumerate().map(|(at, subtask)| {
        let arguments = subtask.arguments.iter().map(|&argument| printer.term(argument).to_owned());
        format!("(t{at} {})", list(problem.task_name(subtask.task), arguments))
    });
    let mut lines = vec![format!("    :subtasks {}", list("and", subtasks))];
    if !network.order.is_empty() {
        let pairs = network.order.iter().map(|(before, after)| format!("(< t{before} t{after})"));
        lines.push(format!("    :ordering {}", list("and", pairs)));
    }
    if network.constraints != Condition::And(Vec::new()) {
        lines.push(format!("    :constraints {}", printer.condition(&network.constraints)));
    }
    lines
}
