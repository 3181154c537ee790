//! Policies as text.
//!
//! First what it claims to guarantee, `(class strong-cyclic)`, if it does; then one pair a line, `(if (and (at home) (not (open door))) (open-door door))`: the first pair whose condition holds says
//! what to do. A condition is an atom, a negated atom or a conjunction of such.

use std::collections::HashMap;

use counterplay_pddl::model::{GroundAtom, PredicateId, Problem};
use counterplay_syntax::{Expr, FileId, Sources, Span, read_pddl, similar};

use crate::plan_file::{ERROR_LIMIT, Names, PlanError, Step};
use crate::policy::Guarantee;

/// If all literals hold, and those of no earlier rule do, take the step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// Atoms, and whether they have to be true.
    pub condition: Vec<(GroundAtom, bool)>,
    pub step: Step,
    pub at: Span,
}

/// A policy as it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PolicyText {
    /// What it claims to guarantee.
    pub claimed: Option<Guarantee>,
    /// Its pairs, in order.
    pub rules: Vec<Rule>,
}

/// Whether a text looks like a policy rather than a plan.
pub fn is_policy(sources: &Sources, file: FileId) -> bool {
    let Ok(tree) = read_pddl(sources, file) else { return false };
    let first = tree.items().next().and_then(|item| item.form());
    first.is_some_and(|(_, name, _)| ["if", "class"].contains(&name.to_ascii_lowercase().as_str()))
}

/// Reads a policy for a problem. All errors of the file come back together, up to a hundred.
pub fn read_policy(sources: &Sources, file: FileId, problem: &Problem) -> Result<PolicyText, Vec<PlanError>> {
    let tree = read_pddl(sources, file).map_err(|error| vec![error.into()])?;
    let reader = PolicyParser::new(problem);
    let (mut rules, mut errors) = (Vec::new(), Vec::new());
    let mut claimed = None;
    for item in tree.items() {
        if errors.len() >= ERROR_LIMIT {
            break;
        }
        if let Some(class) = class(item) {
            claimed = Some(class);
        } else if let Some(rule) = reader.rule(item, &mut errors) {
            rules.push(rule);
        }
    }
    if errors.is_empty() { Ok(PolicyText { claimed, rules }) } else { Err(errors) }
}

/// `(class strong)`
fn class(expr: Expr<'_>) -> Option<Guarantee> {
    let (_, name, mut items) = expr.form()?;
    let value = items.next()?.atom()?.to_ascii_lowercase();
    match value.as_str() {
        _ if !name.eq_ignore_ascii_case("class") => None,
        "strong" => Some(Guarantee::Strong),
        "strong-cyclic" => Some(Guarantee::StrongCyclic),
        "weak" => Some(Guarantee::Weak),
        _ => None,
    }
}

/// Reads conditions and steps by the names of a problem.
pub(crate) struct PolicyParser<'p> {
    pub(crate) names: Names<'p>,
    predicates: HashMap<String, PredicateId>,
}

impl<'p> PolicyParser<'p> {
    pub(crate) fn new(problem: &'p Problem) -> PolicyParser<'p> {
        PolicyParser {
            names: Names::new(problem),
            predicates: problem.predicates.enumerate().map(|(id, it)| (it.name.to_lowercase(), id)).collect(),
        }
    }

    fn rule(&self, expr: Expr<'_>, errors: &mut Vec<PlanError>) -> Option<Rule> {
        let at = expr.span();
        let parts: Option<Vec<Expr<'_>>> = expr
            .form()
            .and_then(|(_, name, items)| name.eq_ignore_ascii_case("if").then(|| items.take(3).collect()));
        let Some([condition, step]) = parts.as_deref() else {
            errors.push(PlanError::NoRule { at });
            return None;
        };
        let before = errors.len();
        let mut literals = Vec::new();
        self.condition(*condition, true, &mut literals, errors);
        let step = self.names.step(*step).map_err(|more| errors.extend(more)).ok();
        step.filter(|_| errors.len() == before).map(|step| Rule { condition: literals, step, at })
    }

    pub(crate) fn condition(
        &self,
        expr: Expr<'_>,
        truth: bool,
        out: &mut Vec<(GroundAtom, bool)>,
        errors: &mut Vec<PlanError>,
    ) {
        let at = expr.span();
        if errors.len() >= ERROR_LIMIT {
            return;
        }
        let Some((head, name, items)) = expr.form() else {
            errors.push(PlanError::NoRule { at });
            return;
        };
        let lower = name.to_lowercase();
        match self.predicates.get(lower.as_str()) {
            Some(&predicate) => match self.names.objects(items) {
                Ok(arguments) => {
                    let declared = &self.names.problem.predicates[predicate];
                    let (expected, found) = (declared.parameters.len(), arguments.len());
                    if expected != found {
                        let (name, declared) = (declared.name.clone(), declared.at);
                        errors.push(PlanError::Arity { name, expected, found, at, declared });
                    }
                    out.push((GroundAtom { predicate, arguments }, truth));
                }
                Err(more) => errors.extend(more),
            },
            None if lower == "and" && truth => {
                items.for_each(|item| self.condition(item, true, out, errors));
            }
            None if lower == "not" && truth => {
                items.for_each(|item| self.condition(item, false, out, errors));
            }
            None => {
                let known = self.names.problem.predicates.iter().map(|it| it.name.as_str());
                let similar = similar(name, known).map(str::to_owned);
                errors.push(PlanError::UnknownPredicate { name: name.to_owned(), at: head.span(), similar });
            }
        }
    }
}
