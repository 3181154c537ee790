//! The problem under construction: names to ids, and terms with their types.
//!
//! A function that fails notes its errors and returns `None`; its caller goes on with what stands beside, so
//! that all errors of a file come out together. A name whose declaration was faulty is remembered as broken:
//! using it is no second error.

use std::collections::BTreeSet;

use counterplay_base::{Id, IdVec};
use counterplay_syntax::{Expr, Items, Span, similar};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::error::{Error, Errors, Kind};
use crate::model::*;
use crate::typed_list::{is_variable, type_name, typed_names};

/// The problem under construction.
pub(crate) struct Resolver {
    pub(crate) problem: Problem,
    pub(crate) errors: Errors,
    pub(crate) types: FxHashMap<String, TypeId>,
    pub(crate) objects: FxHashMap<String, ObjectId>,
    pub(crate) predicates: FxHashMap<String, PredicateId>,
    pub(crate) functions: FxHashMap<String, FunctionId>,
    pub(crate) actions: FxHashMap<String, ActionId>,
    pub(crate) tasks: FxHashMap<String, TaskId>,
    /// Names whose declaration was faulty.
    pub(crate) broken: FxHashSet<(Kind, String)>,
    /// The first rule of each derived predicate.
    pub(crate) rules: FxHashMap<PredicateId, Span>,
    pub(crate) preferences: BTreeSet<String>,
    /// Whether a requirement says that actions may earn something: `reward` need not be declared then.
    pub(crate) rewards: bool,
}

/// The variables of one schema, and which of them can be seen.
#[derive(Default)]
pub(crate) struct Scope {
    pub(crate) schema: Schema,
    /// `None` for a variable whose declaration was faulty.
    visible: FxHashMap<String, Option<VariableId>>,
}

/// Variables that were just declared.
#[derive(Default)]
pub(crate) struct Declared {
    /// The variables without fault.
    pub(crate) ids: Vec<VariableId>,
    /// Whether all are without fault.
    pub(crate) sound: bool,
    /// Each name with what it meant before.
    hidden: Vec<(String, Option<Option<VariableId>>)>,
}

/// What an atom or fluent is an application of.
#[derive(Clone, Copy)]
struct Signature<'a> {
    name: &'a str,
    parameters: &'a [TypeSet],
    at: Option<Span>,
}

impl Resolver {
    pub(crate) fn new(start: Span) -> Resolver {
        let object = Type { name: "object".to_owned(), parents: Vec::new(), at: None };
        let problem = Problem {
            domain: String::new(),
            name: String::new(),
            types: vec![object].into(),
            objects: IdVec::new(),
            predicates: IdVec::new(),
            functions: IdVec::new(),
            actions: IdVec::new(),
            repeated_actions: Vec::new(),
            axioms: Vec::new(),
            init: Vec::new(),
            init_choices: Vec::new(),
            init_clauses: Vec::new(),
            init_unknown: Vec::new(),
            declares_partial_observability: false,
            values: Vec::new(),
            goal: Goal { schema: Schema::default(), condition: Condition::And(Vec::new()), at: start },
            metric: None,
            goal_reward: None,
            hierarchy: None,
        };
        Resolver {
            problem,
            errors: Errors::default(),
            types: [("object".to_owned(), TypeId::new(0))].into_iter().collect(),
            objects: FxHashMap::default(),
            predicates: FxHashMap::default(),
            functions: FxHashMap::default(),
            actions: FxHashMap::default(),
            tasks: FxHashMap::default(),
            broken: FxHashSet::default(),
            rules: FxHashMap::default(),
            preferences: BTreeSet::new(),
            rewards: false,
        }
    }

    /// Notes an unknown name, unless its declaration is already known to be faulty.
    pub(crate) fn unknown(&mut self, what: Kind, name: &str, at: Span, extra: &[&str]) {
        let lower = name.to_lowercase();
        if self.broken.contains(&(what, lower.clone())) {
            return;
        }
        let similar = if self.errors.is_full() {
            None
        } else {
            let problem = &self.problem;
            match what {
                Kind::Type => similar(&lower, problem.types.iter().map(|it| it.name.as_str())),
                Kind::Object => similar(&lower, problem.objects.iter().map(|it| it.name.as_str())),
                Kind::Predicate => similar(&lower, problem.predicates.iter().map(|it| it.name.as_str())),
                Kind::Function => similar(&lower, problem.functions.iter().map(|it| it.name.as_str())),
                Kind::Action => similar(&lower, problem.actions.iter().map(|it| it.name.as_str())),
                Kind::Preference => similar(&lower, self.preferences.iter().map(String::as_str)),
                Kind::Task | Kind::Method => {
                    let tasks = problem.hierarchy.iter().flat_map(|it| it.tasks.iter());
                    let names = tasks.map(|it| it.name.as_str());
                    similar(&lower, names.chain(problem.actions.iter().map(|it| it.name.as_str())))
                }
                Kind::Variable | Kind::Requirement | Kind::Section | Kind::Part | Kind::Label => {
                    similar(&lower, extra.iter().copied())
                }
            }
        };
        let similar = similar.map(str::to_owned);
        self.errors.push(Error::Unknown { what, name: name.to_owned(), at, similar, again: 0 });
    }

    /// Notes a second declaration.
    pub(crate) fn duplicate(&mut self, what: Kind, name: &str, at: Span, first: Span) {
        self.errors.push(Error::Duplicate { what, name: name.to_owned(), at, first });
    }

    /// The types that a `- type` or `- (either ...)` names; `object` if there is none.
    pub(crate) fn type_set(&mut self, types: Option<Expr<'_>>) -> Option<TypeSet> {
        let Some(expr) = types else { return Some(TypeSet(vec![TypeId::new(0)])) };
        let mut ids = Vec::new();
        let mut complete = true;
        for name in type_names(expr, &mut self.errors)? {
            let text = name.atom().map(type_name).expect("a type name is an atom");
            match self.types.get(&text.to_lowercase()) {
                Some(&id) => ids.push(id),
                None => {
                    complete = false;
                    self.unknown(Kind::Type, text, name.span(), &[]);
                }
            }
        }
        ids.sort();
        ids.dedup();
        complete.then_some(TypeSet(ids))
    }

    /// Declares the variables of a typed list.
    pub(crate) fn variables(&mut self, scope: &mut Scope, items: Items<'_>) -> Declared {
        let errors_before = self.errors.count();
        let mut declared = Declared::default();
        let mut own: FxHashMap<String, Span> = FxHashMap::default();
        for (name, entry) in typed_names(items, true, &mut self.errors) {
            let (name, at) = (name.to_lowercase(), entry.item.span());
            if let Some(&first) = own.get(&name) {
                self.duplicate(Kind::Variable, &name, at, first);
                continue;
            }
            own.insert(name.clone(), at);
            let types = self.type_set(entry.types);
            let id =
                types.map(|types| scope.schema.variables.push(Variable { name: name.clone(), types, at }));
            declared.ids.extend(id);
            let before = scope.visible.insert(name.clone(), id);
            declared.hidden.push((name, before));
        }
        declared.sound = self.errors.count() == errors_before;
        declared
    }

    /// An object or variable.
    pub(crate) fn term(&mut self, scope: &Scope, expr: Expr<'_>) -> Option<Term> {
        let Some(name) = expr.atom() else {
            let feature = "object fluents and nested terms";
            self.errors.push(Error::Unsupported { feature, at: expr.span() });
            return None;
        };
        let lower = name.to_lowercase();
        if is_variable(name) {
            match scope.visible.get(&lower) {
                Some(id) => return id.map(Term::Variable),
                None => {
                    let mut known: Vec<&str> = match self.errors.is_full() {
                        true => Vec::new(),
                        false => scope.visible.keys().map(String::as_str).collect(),
                    };
                    known.sort_unstable();
                    self.unknown(Kind::Variable, name, expr.span(), &known);
                    return None;
                }
            }
        }
        let found = self.objects.get(&lower).copied();
        if found.is_none() {
            self.unknown(Kind::Object, name, expr.span(), &[]);
        }
        found.map(Term::Object)
    }

    /// A predicate applied to terms.
    pub(crate) fn atom(&mut self, scope: &Scope, expr: Expr<'_>) -> Option<Atom> {
        let Some((head, name, items)) = expr.form() else {
            self.errors.malformed("an atom such as `(on ?x ?y)`", expr.span());
            return None;
        };
        let predicate = self.predicates.get(&name.to_lowercase()).copied();
        if predicate.is_none() {
            self.unknown(Kind::Predicate, name, head.span(), &[]);
        }
        let terms = self.terms(scope, items);
        let predicate = predicate?;
        let Predicate { name, parameters, at, .. } = &self.problem.predicates[predicate];
        let signature = Signature { name, parameters, at: Some(*at) };
        let arguments = fit(&self.problem, &scope.schema, signature, terms?, expr.span(), &mut self.errors)?;
        Some(Atom { predicate, arguments })
    }

    /// A function applied to terms. A function without arguments may stand without parentheses.
    pub(crate) fn fluent(&mut self, scope: &Scope, expr: Expr<'_>) -> Option<Fluent> {
        let (head, name, items) = match (expr.atom(), expr.form()) {
            (Some(name), _) => (expr, name, None),
            (None, Some((head, name, items))) => (head, name, Some(items)),
            (None, None) => {
                self.errors.malformed("a function such as `(distance ?x ?y)`", expr.span());
                return None;
            }
        };
        let lower = name.to_lowercase();
        let function = match self.functions.get(&lower) {
            Some(&function) => Some(function),
            // Files that only minimise it often forget to declare it.
            None if (lower == "total-cost" || lower == "reward" && self.rewards)
                && !self.broken.contains(&(Kind::Function, lower.clone())) =>
            {
                let undeclared = Function { name: lower.clone(), parameters: Vec::new(), at: None };
                let function = self.problem.functions.push(undeclared);
                self.functions.insert(lower, function);
                Some(function)
            }
            None => {
                self.unknown(Kind::Function, name, head.span(), &[]);
                None
            }
        };
        let terms = match items {
            Some(items) => self.terms(scope, items),
            None => Some(Vec::new()),
        };
        let function = function?;
        let Function { name, parameters, at } = &self.problem.functions[function];
        let signature = Signature { name, parameters, at: *at };
        let arguments = fit(&self.problem, &scope.schema, signature, terms?, expr.span(), &mut self.errors)?;
        Some(Fluent { function, arguments })
    }

    /// Whether an expression applies a function that was refused: then what stands beside may be an object.
    pub(crate) fn is_broken_function(&self, expr: Expr<'_>) -> bool {
        let name = expr.form().map(|(_, name, _)| name.to_lowercase());
        name.is_some_and(|name| self.broken.contains(&(Kind::Function, name)))
    }

    /// Compares the arguments of a task or action with its parameters.
    pub(crate) fn fit_task(
        &mut self,
        schema: &Schema,
        name: &str,
        parameters: &[TypeSet],
        declared: Span,
        terms: Vec<(Term, Span)>,
        at: Span,
    ) -> Option<Vec<Term>> {
        let signature = Signature { name, parameters, at: Some(declared) };
        fit(&self.problem, schema, signature, terms, at, &mut self.errors)
    }

    pub(crate) fn terms(&mut self, scope: &Scope, items: Items<'_>) -> Option<Vec<(Term, Span)>> {
        let mut terms = Some(Vec::new());
        for item in items {
            match (self.term(scope, item), &mut terms) {
                (Some(term), Some(terms)) => terms.push((term, item.span())),
                (None, _) => terms = None,
                (Some(_), None) => {}
            }
        }
        terms
    }
}

impl Scope {
    /// Hides the variables of a quantifier, and makes visible again what they hid.
    pub(crate) fn leave(&mut self, declared: &mut Declared) {
        for (name, before) in declared.hidden.drain(..).rev() {
            match before {
                Some(id) => self.visible.insert(name, id),
                None => self.visible.remove(&name),
            };
        }
    }
}

/// The names in `t` or `(either t u)`.
pub(crate) fn type_names<'t>(expr: Expr<'t>, errors: &mut Errors) -> Option<Vec<Expr<'t>>> {
    if expr.atom().is_some() {
        return Some(vec![expr]);
    }
    let names: Option<Vec<Expr<'t>>> = match expr.form() {
        Some((_, either, items)) if either.eq_ignore_ascii_case("either") => {
            Some(items.collect()).filter(|names: &Vec<Expr<'t>>| !names.is_empty())
        }
        _ => None,
    };
    let names = names.filter(|names| names.iter().all(|name| name.atom().is_some()));
    if names.is_none() {
        errors.malformed("a type or `(either ...)` of types", expr.span());
    }
    names
}

/// Compares arguments with the parameters they are for.
fn fit(
    problem: &Problem,
    schema: &Schema,
    signature: Signature<'_>,
    terms: Vec<(Term, Span)>,
    at: Span,
    errors: &mut Errors,
) -> Option<Vec<Term>> {
    let Signature { name, parameters, at: declared } = signature;
    if terms.len() != parameters.len() {
        let (expected, found) = (parameters.len(), terms.len());
        errors.push(Error::Arity { name: name.to_owned(), expected, found, at, declared });
        return None;
    }
    let mut fits = true;
    for (&(term, at), wanted) in terms.iter().zip(parameters) {
        let (right, text, own) = match term {
            Term::Object(id) => {
                let object = &problem.objects[id];
                (problem.belongs(id, wanted), &object.name, &object.types)
            }
            Term::Variable(id) => {
                let variable = &schema.variables[id];
                (overlap(problem, &variable.types, wanted), &variable.name, &variable.types)
            }
        };
        if !right {
            fits = false;
            errors.push(Error::WrongType {
                name: name.to_owned(),
                term: text.clone(),
                found: problem.types_text(own),
                expected: problem.types_text(wanted),
                at,
                declared,
            });
        }
    }
    fits.then(|| terms.into_iter().map(|(term, _)| term).collect())
}

/// Whether an object could belong to both. A variable may be wider than the predicate it is used with, as in
/// many benchmark files: for other objects the atom is just never true. But it must not be a stranger to it.
fn overlap(problem: &Problem, own: &TypeSet, wanted: &TypeSet) -> bool {
    let related = |one: TypeId, other: TypeId| {
        problem.is_subtype(one, other)
            || problem.is_subtype(other, one)
            || problem.types.ids().any(|t| problem.is_subtype(t, one) && problem.is_subtype(t, other))
    };
    own.0.iter().any(|&own| wanted.0.iter().any(|&wanted| related(own, wanted)))
}
