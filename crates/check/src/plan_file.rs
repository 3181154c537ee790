//! Plans as planners write them.
//!
//! One step a line, `(pick-up a)`, in any case, with comments such as `; cost = 12 (unit cost)`. Numbers of
//! steps, times and durations as in `0.00: (pick-up a) [1.00]` are skipped: the order of the lines counts.

use std::collections::HashMap;

use counterplay_pddl::model::{ActionId, ObjectId, Problem};
use counterplay_syntax::{
    Diagnostic, Expr, FileId, Items, Label, ReadError, Severity, Sources, Span, read_pddl, similar,
};

/// One step of a plan: an action with its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    pub action: ActionId,
    pub arguments: Vec<ObjectId>,
    /// Where it stands, if it was read from a file.
    pub at: Option<Span>,
}

impl Step {
    /// The step as text: `(pick-up a)`.
    pub fn text(&self, problem: &Problem) -> String {
        problem.application(&problem.actions[self.action].name, &self.arguments)
    }
}

/// One thing that is wrong with a plan file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    /// Not even s-expressions.
    #[error(transparent)]
    Syntax(#[from] ReadError),
    /// Something that is no step.
    #[error("expected a step such as `(move a b)`")]
    NoStep { at: Span },
    /// Something that is no pair of a condition and a step.
    #[error("expected a pair such as `(if (and (p a) (not (q a))) (move a b))`")]
    NoRule { at: Span },
    /// A predicate that the domain does not have.
    #[error("unknown predicate `{name}`")]
    UnknownPredicate {
        /// The name as written.
        name: String,
        at: Span,
        /// A predicate that looks like it.
        similar: Option<String>,
    },
    /// An action that the domain does not have.
    #[error("unknown action `{name}`")]
    UnknownAction {
        /// The name as written.
        name: String,
        at: Span,
        /// An action that looks like it.
        similar: Option<String>,
    },
    /// An object that the problem does not have.
    #[error("unknown object `{name}`")]
    UnknownObject {
        /// The name as written.
        name: String,
        at: Span,
        /// An object that looks like it.
        similar: Option<String>,
    },
    /// Too few or too many arguments.
    #[error("`{name}` takes {expected} argument{}, found {found}", if *expected == 1 { "" } else { "s" })]
    Arity {
        name: String,
        /// How many it takes.
        expected: usize,
        /// How many there are.
        found: usize,
        at: Span,
        /// Where the action is declared.
        declared: Span,
    },
}

impl PlanError {
    /// The error with its places, for people.
    pub fn diagnostic(&self) -> Diagnostic {
        let label = |span: Span, text: &str| Label { span, text: text.to_owned() };
        let meant = |similar: &Option<String>| similar.as_ref().map(|name| format!("did you mean `{name}`?"));
        let (code, labels, help) = match self {
            PlanError::Syntax(error) => return error.diagnostic(),
            PlanError::NoStep { at } => ("plan::no-step", vec![label(*at, "")], None),
            PlanError::NoRule { at } => ("policy::no-pair", vec![label(*at, "")], None),
            PlanError::UnknownPredicate { at, similar, .. } => {
                ("policy::unknown-predicate", vec![label(*at, "no predicate of the domain")], meant(similar))
            }
            PlanError::UnknownAction { at, similar, .. } => {
                ("plan::unknown-action", vec![label(*at, "no action of the domain")], meant(similar))
            }
            PlanError::UnknownObject { at, similar, .. } => {
                ("plan::unknown-object", vec![label(*at, "no object of the problem")], meant(similar))
            }
            PlanError::Arity { at, declared, .. } => {
                ("plan::arity", vec![label(*at, ""), label(*declared, "declared here")], None)
            }
        };
        Diagnostic { severity: Severity::Error, code, message: self.to_string(), labels, help }
    }
}

/// So many errors are reported; a file with more is no plan at all.
pub(crate) const ERROR_LIMIT: usize = 100;

/// Reads a plan for a problem. All errors of the file come back together, up to a hundred.
pub fn read_plan(sources: &Sources, file: FileId, problem: &Problem) -> Result<Vec<Step>, Vec<PlanError>> {
    let tree = read_pddl(sources, file).map_err(|error| vec![error.into()])?;
    let names = Names::new(problem);
    let mut steps = Vec::new();
    let mut errors = Vec::new();
    for item in tree.items() {
        if errors.len() >= ERROR_LIMIT {
            break;
        }
        match item.atom() {
            Some(word) if is_time(word) => {}
            Some(_) => errors.push(PlanError::NoStep { at: item.span() }),
            None => match names.step(item) {
                Ok(step) => steps.push(step),
                Err(more) => errors.extend(more),
            },
        }
    }
    if errors.is_empty() { Ok(steps) } else { Err(errors) }
}

/// Whether a word is the number, time or duration of a step: `3:`, `0.000`, `[1.000]`.
fn is_time(word: &str) -> bool {
    let number = word.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(word);
    let number = number.strip_suffix(':').unwrap_or(number);
    number.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
}

/// The names of a problem, in lower case.
pub(crate) struct Names<'p> {
    pub(crate) problem: &'p Problem,
    actions: HashMap<String, ActionId>,
    objects: HashMap<String, ObjectId>,
}

impl<'p> Names<'p> {
    pub(crate) fn new(problem: &'p Problem) -> Names<'p> {
        Names {
            problem,
            actions: problem
                .actions
                .enumerate()
                .map(|(id, action)| (action.name.to_lowercase(), id))
                .collect(),
            objects: problem
                .objects
                .enumerate()
                .map(|(id, object)| (object.name.to_lowercase(), id))
                .collect(),
        }
    }

    /// Objects, by name.
    pub(crate) fn objects(&self, items: Items<'_>) -> Result<Vec<ObjectId>, Vec<PlanError>> {
        let (mut found, mut errors) = (Vec::new(), Vec::new());
        for item in items {
            if errors.len() >= ERROR_LIMIT {
                break;
            }
            match self.object(item) {
                Ok(object) => found.push(object),
                Err(error) => errors.push(error),
            }
        }
        if errors.is_empty() { Ok(found) } else { Err(errors) }
    }

    pub(crate) fn step(&self, expr: Expr<'_>) -> Result<Step, Vec<PlanError>> {
        let at = expr.span();
        let Some((head, name, items)) = expr.form() else { return Err(vec![PlanError::NoStep { at }]) };
        let mut errors = Vec::new();
        let action = self.actions.get(name.to_lowercase().as_str()).copied();
        if action.is_none() {
            let similar = similar(name, self.problem.actions.iter().map(|it| it.name.as_str()));
            let similar = similar.map(str::to_owned);
            errors.push(PlanError::UnknownAction { name: name.to_owned(), at: head.span(), similar });
        }
        let mut arguments = Vec::new();
        let mut found = 0;
        for item in items {
            found += 1;
            if errors.len() < ERROR_LIMIT {
                match self.object(item) {
                    Ok(object) => arguments.push(object),
                    Err(error) => errors.push(error),
                }
            }
        }
        if let Some(action) = action {
            let declared = &self.problem.actions[action];
            let expected = declared.schema.parameters;
            if found != expected {
                let (name, declared) = (declared.name.clone(), declared.at);
                errors.push(PlanError::Arity { name, expected, found, at, declared });
            }
        }
        match action {
            Some(action) if errors.is_empty() => Ok(Step { action, arguments, at: Some(at) }),
            _ => Err(errors),
        }
    }

    fn object(&self, expr: Expr<'_>) -> Result<ObjectId, PlanError> {
        let at = expr.span();
        let name = expr.atom().ok_or(PlanError::NoStep { at })?;
        let lower = name.to_lowercase();
        self.objects.get(lower.as_str()).copied().ok_or_else(|| {
            let similar = similar(name, self.problem.objects.iter().map(|it| it.name.as_str()));
            PlanError::UnknownObject { name: name.to_owned(), at, similar: similar.map(str::to_owned) }
        })
    }
}
