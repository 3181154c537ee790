//! What can be wrong with PDDL files.

use counterplay_syntax::{Diagnostic, Label, ReadError, Severity, Span};

/// The kinds of things that have names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    Type,
    /// An object or constant.
    Object,
    Predicate,
    Function,
    Variable,
    Action,
    Preference,
    /// A requirement such as `:typing`.
    Requirement,
    /// A section such as `(:init ...)`.
    Section,
    /// A part of an action such as `:effect`.
    Part,
    /// A task of a task network.
    Task,
    Method,
    /// The label of a subtask.
    Label,
}

impl Kind {
    /// The kind in a word.
    pub fn word(self) -> &'static str {
        match self {
            Kind::Type => "type",
            Kind::Object => "object",
            Kind::Predicate => "predicate",
            Kind::Function => "function",
            Kind::Variable => "variable",
            Kind::Action => "action",
            Kind::Preference => "preference",
            Kind::Requirement => "requirement",
            Kind::Section => "section",
            Kind::Part => "part",
            Kind::Task => "task",
            Kind::Method => "method",
            Kind::Label => "label",
        }
    }

    /// Whether a name of this kind means the same everywhere in the two files.
    fn is_global(self) -> bool {
        match self {
            Kind::Type
            | Kind::Object
            | Kind::Predicate
            | Kind::Function
            | Kind::Action
            | Kind::Preference => true,
            Kind::Requirement | Kind::Task | Kind::Method => true,
            Kind::Variable | Kind::Section | Kind::Part | Kind::Label => false,
        }
    }

    /// Code and remark of an unknown name.
    fn unknown(self) -> (&'static str, &'static str) {
        match self {
            Kind::Type => ("pddl::unknown-type", "not declared in (:types ...)"),
            Kind::Object => ("pddl::unknown-object", "neither a constant nor an object"),
            Kind::Predicate => ("pddl::unknown-predicate", "not declared in (:predicates ...)"),
            Kind::Function => ("pddl::unknown-function", "not declared in (:functions ...)"),
            Kind::Variable => ("pddl::unknown-variable", "neither a parameter nor quantified here"),
            Kind::Action => ("pddl::unknown-action", "no action has this name"),
            Kind::Preference => ("pddl::unknown-preference", "no preference has this name"),
            Kind::Requirement => ("pddl::unknown-requirement", "no requirement of PDDL"),
            Kind::Section => ("pddl::unknown-section", "no section of this kind of file"),
            Kind::Part => ("pddl::unknown-part", "no part of this"),
            Kind::Task => ("hddl::unknown-task", "no task or action has this name"),
            Kind::Method => ("hddl::unknown-method", "no method has this name"),
            Kind::Label => ("hddl::unknown-label", "no subtask here has this label"),
        }
    }
}

/// One thing that is wrong with a domain or problem file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// Not even s-expressions.
    #[error(transparent)]
    Syntax(#[from] ReadError),
    /// Nothing in the file.
    #[error("the file is empty; expected {expected}")]
    Empty { expected: &'static str, at: Span },
    /// Something else than what the grammar wants here.
    #[error("expected {expected}")]
    Malformed {
        expected: &'static str,
        /// What stands there instead.
        at: Span,
    },
    /// A problem where the domain was expected, or the reverse.
    #[error("this file defines a {found}, but a {expected} was expected")]
    WrongFile {
        expected: &'static str,
        found: String,
        /// Where it says so.
        at: Span,
    },
    /// A feature that we do not support.
    #[error("{feature} are not supported")]
    Unsupported {
        /// The feature, in the plural.
        feature: &'static str,
        /// Where it is used or asked for.
        at: Span,
    },
    /// A section that must be there is not.
    #[error("the {inside} has no `({name} ...)`")]
    MissingSection {
        name: &'static str,
        /// `domain` or `problem`.
        inside: &'static str,
        /// The head of the definition.
        at: Span,
    },
    /// A name that nothing has.
    #[error("unknown {} `{name}`", what.word())]
    Unknown {
        /// What the name should name.
        what: Kind,
        /// The name as written.
        name: String,
        at: Span,
        /// A name that exists and looks like it.
        similar: Option<String>,
        /// In how many more places it stands.
        again: usize,
    },
    /// A problem that is written for another domain than the given one, and does not fit it.
    #[error("this problem is for the domain `{named}`, but the domain given is `{given}`")]
    OtherDomain {
        /// The domain that the problem names.
        named: String,
        /// The domain that was read.
        given: String,
        /// Where the problem names it.
        at: Span,
        /// The head of the domain.
        domain: Span,
    },
    /// A name declared twice.
    #[error("the {} `{name}` is declared twice", what.word())]
    Duplicate {
        what: Kind,
        name: String,
        /// The second declaration.
        at: Span,
        /// The first one.
        first: Span,
    },
    /// Too few or too many arguments.
    #[error("`{name}` takes {expected} argument{}, found {found}", if *expected == 1 { "" } else { "s" })]
    Arity {
        /// The predicate or function.
        name: String,
        /// How many it takes.
        expected: usize,
        /// How many there are.
        found: usize,
        at: Span,
        /// Where it is declared.
        declared: Option<Span>,
    },
    /// An argument of a type that can never fit.
    #[error("`{term}` is of type {found}, but `{name}` takes {expected} here")]
    WrongType {
        /// The predicate or function.
        name: String,
        term: String,
        found: String,
        /// The type that the declaration wants.
        expected: String,
        at: Span,
        /// Where the predicate or function is declared.
        declared: Option<Span>,
    },
    /// A type that lies below itself.
    #[error("the type `{name}` lies below itself")]
    CyclicTypes {
        name: String,
        /// Where it is declared.
        at: Span,
    },
    /// Types below each other in a chain that is too long.
    #[error("the type `{name}` lies more than {limit} levels below `object`")]
    DeepTypes {
        name: String,
        /// The longest chain allowed.
        limit: usize,
        /// Where it is declared.
        at: Span,
    },
    /// A derived predicate set by hand.
    #[error("`{name}` is derived by a rule, so nothing else can set it")]
    DerivedSet {
        name: String,
        /// The effect or initial fact.
        at: Span,
        rule: Span,
    },
    /// A derived predicate that depends on its own negation.
    #[error("`{name}` is derived from its own negation")]
    Unstratified {
        name: String,
        /// A rule that is part of the cycle.
        at: Span,
    },
    /// A preference where its violations could not be counted.
    #[error("a preference can stand only under `and` and `forall`")]
    PreferencePlace { at: Span },
    /// Probabilities of the outcomes of one effect that add up to more than one.
    #[error("the probabilities add up to {sum}, which is more than 1")]
    Odds { sum: String, at: Span },
    /// A number that we cannot hold exactly.
    #[error("this number has more than {limit} digits")]
    LongNumber {
        /// How many are allowed.
        limit: usize,
        at: Span,
    },
    /// A fact that is both true and false at the start, or a function with two values.
    #[error("`{text}` contradicts an earlier entry of (:init ...)")]
    Contradiction {
        /// The atom or fluent.
        text: String,
        /// The second entry.
        at: Span,
        /// The first one.
        first: Span,
    },
    /// Subtasks that would have to come before themselves.
    #[error("the ordering has a cycle through `{name}`")]
    OrderingCycle {
        /// A subtask of the cycle.
        name: String,
        at: Span,
    },
    /// More errors than are worth showing.
    #[error("{more} more errors are not shown")]
    TooMany {
        /// How many more.
        more: usize,
        /// The first of them.
        at: Span,
    },
}

impl Error {
    /// The error with its places, for people.
    pub fn diagnostic(&self) -> Diagnostic {
        let label = |span: Span, text: &str| Label { span, text: text.to_owned() };
        let mut help = None;
        let (code, labels) = match self {
            Error::Syntax(error) => return error.diagnostic(),
            Error::Empty { at, .. } => ("pddl::empty", vec![label(*at, "")]),
            Error::Malformed { at, .. } => ("pddl::malformed", vec![label(*at, "")]),
            Error::WrongFile { at, .. } => {
                help = Some("the domain file comes first, then the problem file".to_owned());
                ("pddl::wrong-file", vec![label(*at, "")])
            }
            Error::Unsupported { at, .. } => ("pddl::unsupported", vec![label(*at, "")]),
            Error::MissingSection { at, .. } => ("pddl::missing-section", vec![label(*at, "")]),
            Error::Unknown { what, at, similar, again, .. } => {
                help = similar.as_ref().map(|similar| format!("did you mean `{similar}`?"));
                let (code, remark) = what.unknown();
                let remark = match again {
                    0 => remark.to_owned(),
                    1 => format!("{remark}; used in 1 more place"),
                    again => format!("{remark}; used in {again} more places"),
                };
                (code, vec![label(*at, &remark)])
            }
            Error::OtherDomain { at, domain, .. } => {
                help = Some("give the domain file that belongs to the problem".to_owned());
                ("pddl::other-domain", vec![label(*at, ""), label(*domain, "the domain given")])
            }
            Error::Duplicate { at, first, .. } => {
                ("pddl::duplicate", vec![label(*at, ""), label(*first, "first declared here")])
            }
            Error::Arity { at, declared, .. } => ("pddl::arity", declared_labels(*at, *declared)),
            Error::WrongType { at, declared, .. } => ("pddl::wrong-type", declared_labels(*at, *declared)),
            Error::CyclicTypes { at, .. } => ("pddl::cyclic-types", vec![label(*at, "")]),
            Error::DeepTypes { at, .. } => ("pddl::deep-types", vec![label(*at, "")]),
            Error::DerivedSet { at, rule, .. } => {
                ("pddl::derived-set", vec![label(*at, ""), label(*rule, "derived here")])
            }
            Error::Unstratified { at, .. } => ("pddl::unstratified", vec![label(*at, "through this rule")]),
            Error::PreferencePlace { at } => ("pddl::preference-place", vec![label(*at, "")]),
            Error::Odds { at, .. } => ("pddl::probabilities", vec![label(*at, "")]),
            Error::LongNumber { at, .. } => ("pddl::long-number", vec![label(*at, "")]),
            Error::Contradiction { at, first, .. } => {
                ("pddl::contradiction", vec![label(*at, ""), label(*first, "the earlier entry")])
            }
            Error::OrderingCycle { at, .. } => ("hddl::ordering-cycle", vec![label(*at, "")]),
            Error::TooMany { at, .. } => ("pddl::too-many", vec![label(*at, "the first of them")]),
        };
        Diagnostic { severity: Severity::Error, code, message: self.to_string(), labels, help }
    }
}

/// The place itself, and the declaration it disagrees with.
fn declared_labels(at: Span, declared: Option<Span>) -> Vec<Label> {
    let declared = declared.map(|span| Label { span, text: "declared here".to_owned() });
    [Label { span: at, text: String::new() }].into_iter().chain(declared).collect()
}

/// So many errors are shown; a file with more is not PDDL at all.
const ERROR_LIMIT: usize = 100;

/// The errors found so far.
#[derive(Debug, Default)]
pub(crate) struct Errors {
    list: Vec<Error>,
    more: usize,
    first_of_more: Option<Span>,
    /// Uses of unknown names that were noted before.
    repeated: usize,
    /// Where an unknown name was met last.
    last_unknown: Option<Span>,
}

impl Errors {
    /// Notes an error. A name that is declared nowhere is one error, however often it is used.
    pub(crate) fn push(&mut self, error: Error) {
        let is_same_place = matches!(&error, Error::Unknown { at, .. } if self.last_unknown == Some(*at));
        if let Error::Unknown { what, name, at, .. } = &error
            && what.is_global()
            && let Some(again) = self.known(*what, name)
        {
            // The type of `a b - t` is looked up for each of them.
            *again += usize::from(!is_same_place);
            self.repeated += 1;
            self.last_unknown = Some(*at);
        } else if self.list.len() < ERROR_LIMIT {
            if let Error::Unknown { at, .. } = &error {
                self.last_unknown = Some(*at);
            }
            self.list.push(error);
        } else {
            self.more += 1;
            if self.first_of_more.is_none() {
                self.first_of_more = error.diagnostic().labels.first().map(|label| label.span);
            }
        }
    }

    /// The count of an unknown name that was noted before.
    fn known(&mut self, kind: Kind, wanted: &str) -> Option<&mut usize> {
        self.list.iter_mut().find_map(|error| match error {
            Error::Unknown { what, name, again, .. }
                if *what == kind && name.eq_ignore_ascii_case(wanted) =>
            {
                Some(again)
            }
            _ => None,
        })
    }

    /// Puts one error in the place of those noted since `before` that come from names and types which do not fit, if there are any.
    pub(crate) fn replace_misfits(&mut self, before: usize, cause: Error) {
        let misfit = |error: &Error| {
            matches!(error, Error::Unknown { .. } | Error::Arity { .. } | Error::WrongType { .. })
        };
        let late = self.list.split_off(before.min(self.list.len()));
        let is_caused = late.iter().any(misfit);
        let kept = late.into_iter().filter(|error| !is_caused || !misfit(error));
        self.list.extend(is_caused.then_some(cause).into_iter().chain(kept));
        if is_caused {
            (self.more, self.first_of_more) = (0, None);
        }
    }

    /// How many there are, those that are shown as one counted each.
    pub(crate) fn count(&self) -> usize {
        self.list.len() + self.more + self.repeated
    }

    /// How many are shown so far.
    pub(crate) fn shown(&self) -> usize {
        self.list.len()
    }

    /// Whether further errors would only be counted, so that looking for similar names is lost work.
    pub(crate) fn is_full(&self) -> bool {
        self.list.len() >= ERROR_LIMIT
    }

    /// Notes that something else was expected.
    pub(crate) fn malformed(&mut self, expected: &'static str, at: Span) {
        self.push(Error::Malformed { expected, at });
    }

    /// `Ok` if there was none.
    pub(crate) fn finish(mut self) -> Result<(), Vec<Error>> {
        if let Some(at) = self.first_of_more {
            self.list.push(Error::TooMany { more: self.more, at });
        }
        if self.list.is_empty() { Ok(()) } else { Err(self.list) }
    }
}
