//! Whole files.
//!
//! What is printed reads back as the same problem, with the objects that actions mention as constants. An
//! initial value without a finite decimal cannot be written in PDDL; no file that was read has one.

use counterplay_base::{Id, IdVec};

use super::formula::{Printer, list};
use super::network;
use crate::model::*;
use crate::number::number_text;

pub fn domain_text(problem: &Problem) -> String {
    let mut lines = vec![format!("(define (domain {})", problem.domain), requirements(problem)];
    section(
        &mut lines,
        "types",
        problem.types.iter().flat_map(|it| {
            it.parents.iter().map(|&parent| format!("{} - {}", it.name, problem.types[parent].name))
        }),
    );
    let constants = constants(problem);
    section(&mut lines, "constants", declared_objects(problem, |id| constants[id]));
    section(
        &mut lines,
        "predicates",
        problem.predicates.iter().map(|it| list(&it.name, parameters(problem, &it.parameters))),
    );
    section(
        &mut lines,
        "functions",
        problem.functions.iter().map(|it| list(&it.name, parameters(problem, &it.parameters)) + " - number"),
    );
    for Axiom { head, schema, body, .. } in &problem.axioms {
        let printer = Printer::new(problem, schema);
        let (name, variables) = (&problem.predicates[*head].name, printer.variables(own_parameters(schema)));
        let head = if variables.is_empty() { format!("({name})") } else { format!("({name} {variables})") };
        lines.push(format!("  (:derived {head} {})", printer.condition(body)));
    }
    for Action { name, schema, precondition, effect, observe, .. } in &problem.actions {
        let printer = Printer::new(problem, schema);
        lines.push(format!("  (:action {name}"));
        lines.push(format!("    :parameters ({})", printer.variables(own_parameters(schema))));
        lines.push(format!("    :precondition {}", printer.condition(precondition)));
        if !observe.is_empty() {
            let atoms = observe.iter().map(|(atom, _)| printer.atom(atom));
            lines.push(format!("    :observe {}", list("and", atoms)));
        }
        lines.push(format!("    :effect {})", printer.effect(effect)));
    }
    lines.extend(problem.hierarchy.iter().flat_map(|hierarchy| network::declarations(problem, hierarchy)));
    lines.push(")\n".to_owned());
    lines.join("\n")
}

pub fn problem_text(problem: &Problem) -> String {
    let mut lines = vec![format!("(define (problem {}) (:domain {})", problem.name, problem.domain)];
    let constants = constants(problem);
    section(&mut lines, "objects", declared_objects(problem, |id| !constants[id]));
    let facts = problem.init.iter().map(|atom| problem.atom_text(atom));
    let values = problem.values.iter().map(|(fluent, value)| {
        let fluent = problem.application(&problem.functions[fluent.function].name, &fluent.arguments);
        format!("(= {fluent} {})", number_text(*value))
    });
    let choices = problem.init_choices.iter().map(|choice| {
        list("oneof", choice.literals.iter().map(|literals| list("and", literal_texts(problem, literals))))
    });
    let clauses =
        problem.init_clauses.iter().map(|clause| list("or", literal_texts(problem, &clause.literals)));
    let unknown =
        problem.init_unknown.iter().map(|(atom, _)| format!("(unknown {})", problem.atom_text(atom)));
    let choices = choices.chain(clauses).chain(unknown);
    let initial = problem.hierarchy.as_ref().and_then(|hierarchy| hierarchy.initial.as_ref());
    lines.extend(initial.iter().flat_map(|initial| network::initial(problem, initial)));
    lines.push("  (:init".to_owned());
    lines.extend(facts.chain(choices).chain(values).map(|entry| format!("    {entry}")));
    lines.push("  )".to_owned());
    let goal = &problem.goal;
    if initial.is_none() || goal.condition != Condition::And(Vec::new()) {
        lines.push(format!("  (:goal {})", Printer::new(problem, &goal.schema).condition(&goal.condition)));
    }
    if let Some(Metric { maximize, value, .. }) = &problem.metric {
        let direction = if *maximize { "maximize" } else { "minimize" };
        let value = Printer::new(problem, &Schema::default()).expression(value);
        lines.push(format!("  (:metric {direction} {value})"));
    }
    lines.push(")\n".to_owned());
    lines.join("\n")
}

fn literal_texts(problem: &Problem, literals: &[(GroundAtom, bool)]) -> impl Iterator<Item = String> {
    literals.iter().map(|(atom, truth)| match truth {
        true => problem.atom_text(atom),
        false => format!("(not {})", problem.atom_text(atom)),
    })
}

/// Appends a section, one entry a line, unless there is none.
fn section(lines: &mut Vec<String>, keyword: &str, entries: impl Iterator<Item = String>) {
    let mut entries = entries.peekable();
    if entries.peek().is_some() {
        lines.push(format!("  (:{keyword}"));
        lines.extend(entries.map(|entry| format!("    {entry}")));
        lines.push("  )".to_owned());
    }
}

/// What a domain with these features should ask for.
fn requirements(problem: &Problem) -> String {
    let mut needed = vec![":adl", ":typing"];
    let costs_only = problem.functions.iter().all(|it| it.name == "total-cost");
    if !problem.axioms.is_empty() {
        needed.push(":derived-predicates");
    }
    if !problem.functions.is_empty() {
        needed.push(if costs_only { ":action-costs" } else { ":numeric-fluents" });
    }
    let conditions = problem.actions.iter().map(|it| &it.precondition).chain([&problem.goal.condition]);
    if conditions.into_iter().any(has_preference) {
        needed.push(":preferences");
    }
    if problem.actions.iter().any(|it| has_choice(&it.effect)) {
        needed.push(":non-deterministic");
    }
    if problem.hierarchy.is_some() {
        needed.push(":hierarchy");
    }
    if problem.is_partially_observable() {
        needed.push(":contingent");
    }
    format!("  (:requirements {})", needed.join(" "))
}

fn has_preference(condition: &Condition) -> bool {
    match condition {
        Condition::And(parts) => parts.iter().any(has_preference),
        Condition::Forall(_, part) => has_preference(part),
        condition => matches!(condition, Condition::Preference(..)),
    }
}

fn has_choice(effect: &Effect) -> bool {
    match effect {
        Effect::And(parts) => parts.iter().any(has_choice),
        Effect::Forall(_, part) | Effect::When(_, part) => has_choice(part),
        effect => matches!(effect, Effect::OneOf(..)),
    }
}

pub(super) fn own_parameters(schema: &Schema) -> impl Iterator<Item = VariableId> {
    (0..schema.parameters).map(VariableId::new)
}

/// Parameters of a predicate or function, with names of our own.
pub(super) fn parameters(problem: &Problem, types: &[TypeSet]) -> Vec<String> {
    types.iter().enumerate().map(|(i, types)| format!("?x{i} - {}", problem.types_text(types))).collect()
}

fn declared_objects(problem: &Problem, wanted: impl Fn(ObjectId) -> bool) -> impl Iterator<Item = String> {
    let wanted = problem.objects.enumerate().filter(move |(id, _)| wanted(*id));
    wanted.map(|(_, object)| format!("{} - {}", object.name, problem.types_text(&object.types)))
}

/// Which objects have to be declared in the domain: those that its actions and rules mention.
fn constants(problem: &Problem) -> IdVec<ObjectId, bool> {
    let mut mentioned = IdVec::filled(false, problem.objects.len());
    let mut mention = |term: Term| {
        if let Term::Object(object) = term {
            mentioned[object] = true;
        }
    };
    problem.axioms.iter().for_each(|axiom| condition_terms(&axiom.body, &mut mention));
    for action in &problem.actions {
        condition_terms(&action.precondition, &mut mention);
        effect_terms(&action.effect, &mut mention);
        action.observe.iter().flat_map(|(atom, _)| &atom.arguments).copied().for_each(&mut mention);
    }
    for method in problem.hierarchy.iter().flat_map(|hierarchy| &hierarchy.methods) {
        condition_terms(&method.precondition, &mut mention);
        condition_terms(&method.network.constraints, &mut mention);
        let subtasks = method.network.subtasks.iter().flat_map(|subtask| &subtask.arguments);
        subtasks.chain(&method.arguments).copied().for_each(&mut mention);
    }
    mentioned
}

fn condition_terms(condition: &Condition, visit: &mut impl FnMut(Term)) {
    match condition {
        Condition::And(parts) | Condition::Or(parts) => {
            parts.iter().for_each(|part| condition_terms(part, visit));
        }
        Condition::Not(part)
        | Condition::Exists(_, part)
        | Condition::Forall(_, part)
        | Condition::Preference(_, part, _) => condition_terms(part, visit),
        Condition::Atom(atom, _) => atom.arguments.iter().copied().for_each(visit),
        Condition::Equal(left, right) => [*left, *right].into_iter().for_each(visit),
        Condition::Compare(_, left, right, _) => {
            expression_terms(left, visit);
            expression_terms(right, visit);
        }
    }
}

fn expression_terms(expression: &Expression, visit: &mut impl FnMut(Term)) {
    match expression {
        Expression::Number(_) | Expression::IsViolated(..) | Expression::TotalTime(_) => {}
        Expression::Fluent(fluent, _) => fluent.arguments.iter().copied().for_each(visit),
        Expression::Add(parts) | Expression::Multiply(parts) => {
            parts.iter().for_each(|part| expression_terms(part, visit));
        }
        Expression::Subtract(left, right) | Expression::Divide(left, right) => {
            expression_terms(left, visit);
            expression_terms(right, visit);
        }
        Expression::Negate(part) => expression_terms(part, visit),
    }
}

fn effect_terms(effect: &Effect, visit: &mut impl FnMut(Term)) {
    match effect {
        Effect::And(parts) | Effect::OneOf(parts, _) => {
            parts.iter().for_each(|part| effect_terms(part, visit));
        }
        Effect::Forall(_, part) => effect_terms(part, visit),
        Effect::When(condition, part) => {
            condition_terms(condition, visit);
            effect_terms(part, visit);
        }
        Effect::Add(atom, _) | Effect::Delete(atom, _) => atom.arguments.iter().copied().for_each(visit),
        Effect::Change(_, fluent, value, _) => {
            fluent.arguments.iter().copied().for_each(&mut *visit);
            expression_terms(value, visit);
        }
    }
}
