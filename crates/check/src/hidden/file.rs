//! Contingent plans as text.
//!
//! ```text
//! (contingent-plan strong
//!   (node 0 (do (look door) (if (open door) 1) (if (not (open door)) 2)))
//!   (node 1 (do (enter door) (next 3)))
//!   (node 2 (do (unlock door) (next 1)))
//!   (node 3 (goal)))
//! ```
//! The plan begins at the first node. A node with several `do` picks one of them at random, each time anew.

use std::collections::HashMap;

use counterplay_pddl::model::{GroundAtom, Problem};
use counterplay_syntax::{Diagnostic, Expr, FileId, Label, Severity, Sources, Span, read_pddl};

use crate::plan_file::{PlanError, Step};
use crate::policy::Guarantee;
use crate::policy_file::PolicyParser;

/// A contingent plan as it was read; its first node is number 0 here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContingentText {
    pub claimed: Guarantee,
    pub nodes: Vec<NodeText>,
}

/// What to do at one place: nothing more at a goal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeText {
    pub steps: Vec<DoText>,
    pub at: Span,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DoText {
    pub step: Step,
    pub branches: Vec<BranchText>,
    pub at: Span,
}

/// If all literals are seen, go on at this node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BranchText {
    pub seen: Vec<(GroundAtom, bool)>,
    pub next: usize,
    pub at: Span,
}

/// Why a text is no contingent plan.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ContingentError {
    #[error(transparent)]
    Name(#[from] PlanError),
    #[error("expected {expected}")]
    Malformed { expected: &'static str, at: Span },
    #[error("the plan has no node `{name}`")]
    UnknownNode { name: String, at: Span },
    #[error("the node `{name}` is there twice")]
    Duplicate { name: String, at: Span, first: Span },
}

impl ContingentError {
    /// The error with its places, for people.
    pub fn diagnostic(&self) -> Diagnostic {
        let label = |span: Span| Label { span, text: String::new() };
        let (code, labels) = match self {
            ContingentError::Name(error) => return error.diagnostic(),
            ContingentError::Malformed { at, .. } => ("contingent::malformed", vec![label(*at)]),
            ContingentError::UnknownNode { at, .. } => ("contingent::unknown-node", vec![label(*at)]),
            ContingentError::Duplicate { at, first, .. } => {
                ("contingent::duplicate-node", vec![label(*at), label(*first)])
            }
        };
        Diagnostic { severity: Severity::Error, code, message: self.to_string(), labels, help: None }
    }
}

/// Whether a text looks like a contingent plan.
pub fn is_contingent(sources: &Sources, file: FileId) -> bool {
    let Ok(tree) = read_pddl(sources, file) else { return false };
    let first = tree.items().next().and_then(|item| item.form());
    first.is_some_and(|(_, name, _)| name.eq_ignore_ascii_case("contingent-plan"))
}

/// Reads a contingent plan for a problem.
pub fn read_contingent(
    sources: &Sources,
    file: FileId,
    problem: &Problem,
) -> Result<ContingentText, Vec<ContingentError>> {
    let tree = read_pddl(sources, file).map_err(|error| vec![PlanError::from(error).into()])?;
    let whole = Span { file, start: 0, end: 0 };
    let malformed = |expected, at| vec![ContingentError::Malformed { expected, at }];
    let mut items = tree.items();
    let Some((_, _, mut parts)) = items.next().and_then(|item| item.form()) else {
        return Err(malformed("`(contingent-plan class node ...)`", whole));
    };
    if let Some(more) = items.next() {
        return Err(malformed("nothing after the plan", more.span()));
    }
    let class = parts.next().ok_or_else(|| malformed("`strong` or `strong-cyclic`", whole))?;
    let claimed = match class.atom().map(str::to_ascii_lowercase).as_deref() {
        Some("strong") => Guarantee::Strong,
        Some("strong-cyclic") => Guarantee::StrongCyclic,
        _ => return Err(malformed("`strong` or `strong-cyclic`", class.span())),
    };
    let mut reader =
        Reader { parser: PolicyParser::new(problem), numbers: HashMap::new(), errors: Vec::new() };
    let nodes: Vec<Expr<'_>> = parts.collect();
    if nodes.is_empty() {
        return Err(malformed("a node", class.span()));
    }
    reader.number(&nodes);
    let nodes: Vec<NodeText> = nodes.into_iter().map(|node| reader.node(node)).collect();
    if reader.errors.is_empty() { Ok(ContingentText { claimed, nodes }) } else { Err(reader.errors) }
}

struct Reader<'p> {
    parser: PolicyParser<'p>,
    numbers: HashMap<String, (usize, Span)>,
    errors: Vec<ContingentError>,
}

impl Reader<'_> {
    fn malformed(&mut self, expected: &'static str, at: Span) {
        self.errors.push(ContingentError::Malformed { expected, at });
    }

    fn number(&mut self, nodes: &[Expr<'_>]) {
        for (number, node) in nodes.iter().enumerate() {
            let named = node.form().filter(|(_, name, _)| name.eq_ignore_ascii_case("node"));
            let name = named.and_then(|(_, _, mut items)| items.next()?.atom().map(str::to_owned));
            let Some(name) = name else {
                self.malformed("`(node name ...)`", node.span());
                continue;
            };
            if let Some(&(_, first)) = self.numbers.get(&name) {
                self.errors.push(ContingentError::Duplicate { name, at: node.span(), first });
            } else {
                self.numbers.insert(name, (number, node.span()));
            }
        }
    }

    fn node(&mut self, expr: Expr<'_>) -> NodeText {
        let at = expr.span();
        let mut steps = Vec::new();
        let mut is_goal = false;
        let items = expr.form().into_iter().flat_map(|(_, _, items)| items.skip(1));
        for item in items {
            match item.form() {
                Some((_, name, _)) if name.eq_ignore_ascii_case("goal") => is_goal = true,
                Some((_, name, _)) if name.eq_ignore_ascii_case("do") => steps.extend(self.step(item)),
                _ => self.malformed("`(do step branch ...)` or `(goal)`", item.span()),
            }
        }
        if is_goal != steps.is_empty() && self.errors.is_empty() {
            self.malformed("either `(goal)` or something to do", at);
        }
        NodeText { steps, at }
    }

    fn step(&mut self, expr: Expr<'_>) -> Option<DoText> {
        let at = expr.span();
        let mut items = expr.form().map(|(_, _, items)| items)?;
        let Some(step) = items.next() else {
            self.malformed("a step such as `(look door)`", at);
            return None;
        };
        let step = match self.parser.names.step(step) {
            Ok(step) => step,
            Err(errors) => {
                self.errors.extend(errors.into_iter().map(ContingentError::Name));
                return None;
            }
        };
        let branches: Vec<BranchText> = items.filter_map(|item| self.branch(item)).collect();
        Some(DoText { step, branches, at })
    }

    /// `(next node)` or `(if condition node)`
    fn branch(&mut self, expr: Expr<'_>) -> Option<BranchText> {
        let at = expr.span();
        let parts: Vec<Expr<'_>> = expr.form().map(|(_, _, items)| items.collect())?;
        let word = expr.form().map(|(_, name, _)| name.to_ascii_lowercase());
        let (condition, next) = match (word.as_deref(), &parts[..]) {
            (Some("next"), [next]) => (None, *next),
            (Some("if"), [condition, next]) => (Some(*condition), *next),
            _ => {
                self.malformed("`(next node)` or `(if condition node)`", at);
                return None;
            }
        };
        let mut seen = Vec::new();
        if let Some(condition) = condition {
            let mut errors = Vec::new();
            self.parser.condition(condition, true, &mut seen, &mut errors);
            self.errors.extend(errors.into_iter().map(ContingentError::Name));
        }
        let name = next.atom().unwrap_or_default().to_owned();
        match self.numbers.get(&name) {
            Some(&(next, _)) => Some(BranchText { seen, next, at }),
            None => {
                self.errors.push(ContingentError::UnknownNode { name, at: next.span() });
                None
            }
        }
    }
}
