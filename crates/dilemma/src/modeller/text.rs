//! Conditions as users write them down.
//!
//! ```text
//! ; How long the other has cooperated. The first condition holds at the start; the number is how likely the other is
//! ; believed to cooperate under it before anything is known (one half if left out).
//! (conditions
//!   (wary    0.5 (CC trusted) (DC trusted) (else wary))
//!   (trusted 0.9 (CC trusted) (DC trusted) (else wary)))
//! ```
//!
//! Outcomes are our own move and then the other's; each condition says which one holds after each outcome.

use std::collections::HashMap;

use counterplay_base::Id;
use counterplay_opponent::{Conditions, Joint};
use counterplay_syntax::{
    Diagnostic, Expr, FileId, Label, ReadError, Severity, Sources, Span, read, similar,
};

/// Conditions, and for each how likely the other is believed to cooperate under it at first.
#[derive(Clone, Debug, PartialEq)]
pub struct ConditionSet {
    pub conditions: Conditions,
    /// The priors, by condition.
    pub priors: Vec<f64>,
}

/// What is wrong with a text of conditions.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum TextError {
    /// It is not a sequence of s-expressions.
    #[error(transparent)]
    Syntax(#[from] ReadError),
    /// It is not one list `(conditions …)` with something in it.
    #[error("expected one list `(conditions …)` with at least one condition")]
    NoConditions {
        /// The span of the whole text.
        at: Span,
    },
    /// Something that is no condition.
    #[error("expected a condition such as `(calm 0.5 (CC calm) (else wary))`")]
    NotACondition { at: Span },
    /// A name that was used before.
    #[error("there are two conditions `{name}`")]
    Twice {
        name: String,
        /// The second condition of that name.
        at: Span,
        /// The first condition of that name.
        first: Span,
    },
    /// Something other than a pair of an outcome and a condition.
    #[error("expected an outcome and the condition that it leads to, such as `(CD wary)`")]
    NotAStep { at: Span },
    /// An outcome that does not exist.
    #[error("`{outcome}` is no outcome; write CC, CD, DC, DD or else")]
    Outcome { outcome: String, at: Span },
    /// An outcome that was given before.
    #[error("what follows after `{outcome}` is said twice")]
    OutcomeTwice {
        outcome: String,
        /// Where it is said the second time.
        at: Span,
    },
    /// A condition that does not exist.
    #[error("there is no condition `{name}`")]
    Unknown {
        name: String,
        at: Span,
        /// What was probably meant.
        similar: Option<String>,
    },
    /// An outcome after which nothing is said to hold.
    #[error("`{name}` does not say what follows after {missing}")]
    Missing {
        /// The condition that says too little.
        name: String,
        /// The first outcome after which nothing is said.
        missing: &'static str,
        at: Span,
    },
    /// A prior that is no probability.
    #[error("`{text}` is not a probability: it must lie between 0 and 1")]
    Prior { text: String, at: Span },
    /// More conditions than can be learned.
    #[error("{count} conditions are more than can be learned; at most {MOST} are allowed")]
    TooMany {
        /// How many there are.
        count: usize,
        /// The first one too many.
        at: Span,
    },
}

/// So many conditions are allowed: a plan over them is made in every turn.
const MOST: usize = 64;

/// So many errors are told; a text with more is no set of conditions at all.
const ERROR_LIMIT: usize = 100;

const OUTCOMES: [&str; 4] = ["CC", "CD", "DC", "DD"];

impl TextError {
    /// The error with its place, for people.
    pub fn diagnostic(&self) -> Diagnostic {
        let (at, help) = match self {
            TextError::Syntax(error) => return error.diagnostic(),
            TextError::Unknown { at, similar, .. } => {
                (*at, similar.as_ref().map(|name| format!("did you mean `{name}`?")))
            }
            TextError::Missing { at, .. } => (*at, Some("add the outcome, or `(else …)`".to_owned())),
            TextError::NoConditions { at }
            | TextError::NotACondition { at }
            | TextError::Twice { at, .. }
            | TextError::NotAStep { at }
            | TextError::Outcome { at, .. }
            | TextError::OutcomeTwice { at, .. }
            | TextError::Prior { at, .. }
            | TextError::TooMany { at, .. } => (*at, None),
        };
        let mut labels = vec![Label { span: at, text: String::new() }];
        if let TextError::Twice { first, .. } = self {
            labels.push(Label { span: *first, text: "the first one".to_owned() });
        }
        let code = "conditions::bad-text";
        Diagnostic { severity: Severity::Error, code, message: self.to_string(), labels, help }
    }
}

/// One condition as written.
struct Written<'t> {
    name: &'t str,
    at: Span,
    prior: f64,
    /// Where each outcome leads, by name.
    next: [Option<(&'t str, Span)>; 4],
}

/// Reads a set of conditions. All errors of the text come back together, up to a hundred.
pub fn read_conditions(sources: &Sources, file: FileId) -> Result<ConditionSet, Vec<TextError>> {
    let tree = read(sources, file).map_err(|error| vec![error.into()])?;
    let mut outer = tree.items();
    let inner = match (outer.next().and_then(Expr::form), outer.next()) {
        (Some((_, "conditions", inner)), None) if inner.clone().next().is_some() => inner,
        _ => return Err(vec![TextError::NoConditions { at: tree.span() }]),
    };
    let mut errors = Vec::new();
    let mut written: Vec<Written<'_>> = Vec::new();
    let mut places: HashMap<&str, Span> = HashMap::new();
    for expr in inner {
        if errors.len() >= ERROR_LIMIT {
            break;
        }
        let Some(condition) = condition(expr, &mut errors) else { continue };
        match places.get(condition.name) {
            Some(&first) => {
                let name = condition.name.to_owned();
                errors.push(TextError::Twice { name, at: condition.at, first });
            }
            None => {
                places.insert(condition.name, condition.at);
                written.push(condition);
            }
        }
    }
    if let Some(extra) = written.get(MOST) {
        errors.push(TextError::TooMany { count: written.len(), at: extra.at });
        return Err(errors);
    }
    let steps = resolve(&written, &mut errors);
    if !errors.is_empty() {
        return Err(errors);
    }
    let names = written.iter().map(|condition| condition.name.to_owned()).collect();
    let next = |from: usize, joint: Joint| steps[from][2 * joint.act.index() + joint.reply.index()];
    let conditions = Conditions::new(names, (2, 2), 0, next).expect("names are unique and steps stay inside");
    Ok(ConditionSet { conditions, priors: written.iter().map(|condition| condition.prior).collect() })
}

/// Reads `(NAME PRIOR (OUTCOME NEXT) …)`.
fn condition<'t>(expr: Expr<'t>, errors: &mut Vec<TextError>) -> Option<Written<'t>> {
    let Some((head, name, items)) = expr.form() else {
        errors.push(TextError::NotACondition { at: expr.span() });
        return None;
    };
    let mut condition = Written { name, at: head.span(), prior: 0.5, next: [None; 4] };
    let mut otherwise = None;
    for (position, item) in items.enumerate() {
        if errors.len() >= ERROR_LIMIT {
            break;
        }
        if let (0, Some(text)) = (position, item.atom()) {
            match text.parse().ok().filter(|prior| (0.0..=1.0).contains(prior)) {
                Some(prior) => condition.prior = prior,
                None => errors.push(TextError::Prior { text: text.to_owned(), at: item.span() }),
            }
            continue;
        }
        let Some((outcome, next)) = step(item) else {
            errors.push(TextError::NotAStep { at: item.span() });
            continue;
        };
        let word = outcome.atom().unwrap_or_default();
        let target = match OUTCOMES.iter().position(|known| known.eq_ignore_ascii_case(word)) {
            Some(number) => &mut condition.next[number],
            None if word.eq_ignore_ascii_case("else") => &mut otherwise,
            None => {
                errors.push(TextError::Outcome { outcome: word.to_owned(), at: outcome.span() });
                continue;
            }
        };
        if target.replace(next).is_some() {
            errors.push(TextError::OutcomeTwice { outcome: word.to_owned(), at: outcome.span() });
        }
    }
    for next in &mut condition.next {
        *next = next.or(otherwise);
    }
    Some(condition)
}

/// Reads `(OUTCOME NEXT)`.
fn step<'t>(item: Expr<'t>) -> Option<(Expr<'t>, (&'t str, Span))> {
    let (outcome, _, mut rest) = item.form()?;
    let next = rest.next()?;
    rest.next().is_none().then_some((outcome, (next.atom()?, next.span())))
}

/// From names to numbers.
fn resolve(written: &[Written<'_>], errors: &mut Vec<TextError>) -> Vec<[usize; 4]> {
    let mut steps = Vec::new();
    for condition in written {
        let mut row = [0; 4];
        for (number, target) in condition.next.iter().enumerate() {
            let Some((name, at)) = *target else {
                let (name, missing) = (condition.name.to_owned(), OUTCOMES[number]);
                errors.push(TextError::Missing { name, missing, at: condition.at });
                continue;
            };
            match written.iter().position(|known| known.name == name) {
                Some(to) => row[number] = to,
                None => {
                    let near = similar(name, written.iter().map(|known| known.name)).map(str::to_owned);
                    let error = TextError::Unknown { name: name.to_owned(), at, similar: near };
                    if !errors.contains(&error) {
                        errors.push(error);
                    }
                }
            }
        }
        steps.push(row);
    }
    steps
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<ConditionSet, Vec<TextError>> {
        let mut sources = Sources::default();
        let file = sources.add("conditions", text);
        read_conditions(&sources, file)
    }

    #[test]
    fn conditions_are_read() {
        let set = parse("(conditions (wary (CC calm) (else wary)) (calm 0.9 (else calm) (dd wary)))")
            .expect("sound");
        assert_eq!(set.priors, [0.5, 0.9]);
        let names: Vec<&str> = set.conditions.classes().map(|class| set.conditions.name(class)).collect();
        assert_eq!(names, ["wary", "calm"]);
    }

    #[test]
    fn all_errors_are_told() {
        let cases = [
            ("", 1),
            ("(conditions", 1),
            ("(conditions)", 1),
            ("(conditions) (conditions)", 1),
            ("(conditions calm)", 1),
            ("(conditions (a (else a)) (a (else a)))", 1),
            ("(conditions (a (CC a)))", 3),
            ("(conditions (a 1.5 (XX a) (else b)))", 3),
            ("(conditions (a (CC a) (CC a) (else a) ()))", 2),
            ("(conditions (a (CC a b) (else a)))", 1),
        ];
        for (text, count) in cases {
            let errors = parse(text).expect_err(text);
            assert_eq!(errors.len(), count, "{text}: {errors:?}");
            for error in errors {
                assert!(!error.diagnostic().message.is_empty());
            }
        }
        let many: String = (0..100).map(|i| format!("(c{i} (else c0))")).collect();
        assert!(matches!(
            parse(&format!("(conditions {many})")).expect_err("too many")[..],
            [TextError::TooMany { .. }]
        ));
    }
}
