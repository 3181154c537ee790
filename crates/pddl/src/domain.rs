//! Domain files.

use counterplay_syntax::{Expr, Items, Span};

use crate::condition::Soft;
use crate::definition::{Definition, Section};
use crate::error::{Error, Kind};
use crate::model::*;
use crate::print::Printer;
use crate::resolver::{Resolver, Scope};
use crate::typed_list::typed_list;

const SECTIONS: &[&str] = &[
    ":requirements",
    ":types",
    ":constants",
    ":predicates",
    ":functions",
    ":action",
    ":derived",
    ":task",
    ":method",
];

/// Sections we refuse, with the feature they are for.
const REFUSED: &[(&str, &str)] = &[
    (":durative-action", "durative actions"),
    (":constraints", "trajectory constraints"),
    (":process", "processes"),
    (":event", "events"),
    (":axiom", "axioms of PDDL 1 (write `(:derived ...)`)"),
];

impl Resolver {
    /// Everything a domain file says. Declarations come first wherever they stand, since files do not agree
    /// on the order of sections.
    pub(crate) fn domain(&mut self, definition: &Definition<'_>) {
        self.problem.domain = definition.name.clone();
        self.refuse_sections(definition, SECTIONS, REFUSED);
        definition.all(":requirements").for_each(|section| self.requirements(section.items.clone()));
        definition.all(":types").for_each(|section| self.declare_types(section.items.clone()));
        self.close_types();
        definition.all(":constants").for_each(|section| self.declare_objects(section.items.clone()));
        definition.all(":predicates").for_each(|section| self.declare_predicates(section.items.clone()));
        definition.all(":functions").for_each(|section| self.declare_functions(section.items.clone()));
        // Which predicates are derived has to be known before an effect can be refused for setting one.
        definition.all(":derived").for_each(|section| self.note_rule(section));
        definition.all(":derived").for_each(|section| self.rule(section));
        self.refuse_negative_cycles();
        definition.all(":action").for_each(|section| self.action(section));
        // Methods may use tasks that are declared after them.
        definition.all(":task").for_each(|section| self.declare_task(section));
        self.refuse_shared_names();
        definition.all(":method").for_each(|section| self.method(section));
    }

    /// Notes the sections that are unknown or refused.
    pub(crate) fn refuse_sections(
        &mut self,
        definition: &Definition<'_>,
        known: &[&str],
        refused: &[(&str, &'static str)],
    ) {
        for section in &definition.sections {
            let keyword = section.keyword.as_str();
            if let Some(&(_, feature)) = refused.iter().find(|(refused, _)| *refused == keyword) {
                self.errors.push(Error::Unsupported { feature, at: section.at });
            } else if !known.contains(&keyword) {
                self.unknown(Kind::Section, keyword, section.at, known);
            }
        }
    }

    fn action(&mut self, section: &Section<'_>) {
        let mut items = section.items.clone();
        let Some((name, at)) = items.next().and_then(|item| Some((item.atom()?, item.span()))) else {
            self.errors.malformed("the name of an action", section.at);
            return;
        };
        let (written, name) = (name, name.to_lowercase());
        let first = self.actions.get(&name).copied();
        let [parameters, precondition, effect, observe] = self.parts(items);
        let mut scope = Scope::default();
        let sound = parameters.is_none_or(|parameters| self.parameters(&mut scope, parameters));
        let precondition = match precondition {
            Some(expr) => self.condition(&mut scope, expr, Soft::Allowed),
            None => Some(Condition::And(Vec::new())),
        };
        let effect = match effect {
            Some(expr) => self.effect(&mut scope, expr),
            None => Some(Effect::And(Vec::new())),
        };
        let observe = observe.map_or(Some(Vec::new()), |expr| self.observations(&scope, expr));
        if let (true, Some(precondition), Some(effect), Some(observe)) =
            (sound, precondition, effect, observe)
        {
            let schema = scope.schema;
            let action = Action { name: written.to_owned(), schema, precondition, effect, observe, at };
            if let Some(first) = first {
                return self.repeated(first, &action, &name);
            }
            let id = self.problem.actions.push(action);
            self.actions.entry(name).or_insert(id);
        } else if let Some(first) = first {
            let first = self.problem.actions[first].at;
            self.duplicate(Kind::Action, &name, at, first);
        }
    }

    /// An action of a name that another one has: a remark if it says the same, else an error.
    fn repeated(&mut self, first: ActionId, again: &Action, name: &str) {
        let text = |action: &Action| {
            let printer = Printer::new(&self.problem, &action.schema);
            let types: Vec<&TypeSet> = action.schema.variables.iter().map(|it| &it.types).collect();
            let observed: Vec<String> = action.observe.iter().map(|(atom, _)| printer.atom(atom)).collect();
            let parts = [printer.condition(&action.precondition), printer.effect(&action.effect)];
            (format!("{types:?}"), parts, observed)
        };
        let known = &self.problem.actions[first];
        let (is_same, known) = (text(known) == text(again), known.at);
        if is_same {
            self.problem.repeated_actions.push((name.to_owned(), again.at));
        } else {
            self.duplicate(Kind::Action, name, again.at, known);
        }
    }

    /// What an action observes: an atom, or `(and atom ...)`, each of which is told apart.
    fn observations(&mut self, scope: &Scope, expr: Expr<'_>) -> Option<Vec<(Atom, Span)>> {
        let Some((_, name, items)) = expr.form() else {
            self.errors.malformed("an atom to observe, or a conjunction of atoms", expr.span());
            return None;
        };
        let name = name.to_ascii_lowercase();
        let is_connective = ["not", "or", "imply", "forall", "exists", "when", "oneof", "="];
        if is_connective.contains(&name.as_str()) && !self.predicates.contains_key(&name) {
            self.errors.malformed("an atom to observe, or a conjunction of atoms", expr.span());
            return None;
        }
        if name == "and" && !self.predicates.contains_key("and") {
            let parts: Vec<_> = items.map(|item| self.observations(scope, item)).collect();
            let parts: Option<Vec<_>> = parts.into_iter().collect();
            return parts.map(|parts| parts.into_iter().flatten().collect());
        }
        self.atom(scope, expr).map(|atom| vec![(atom, expr.span())])
    }

    /// The parts `:parameters`, `:precondition`, `:effect` and `:observe` of an action, each of which may be missing.
    fn parts<'t>(&mut self, mut items: Items<'t>) -> [Option<Expr<'t>>; 4] {
        const PARTS: [&str; 4] = [":parameters", ":precondition", ":effect", ":observe"];
        let mut found: [Option<(Span, Option<Expr<'t>>)>; 4] = [None; 4];
        while let Some(keyword) = items.next() {
            let Some(name) = keyword.atom().filter(|name| name.starts_with(':')) else {
                self.errors
                    .malformed("`:parameters`, `:precondition`, `:effect` or `:observe`", keyword.span());
                continue;
            };
            let Some(part) = PARTS.iter().position(|part| part.eq_ignore_ascii_case(name)) else {
                match name.to_ascii_lowercase().as_str() {
                    ":duration" | ":condition" => {
                        self.errors
                            .push(Error::Unsupported { feature: "durative actions", at: keyword.span() });
                    }
                    _ => self.unknown(Kind::Part, name, keyword.span(), &PARTS),
                }
                items.next();
                continue;
            };
            let value = items.next();
            if value.is_none() {
                self.errors.malformed("something after this", keyword.span());
            }
            match found[part] {
                Some((first, _)) => self.duplicate(Kind::Part, PARTS[part], keyword.span(), first),
                None => found[part] = Some((keyword.span(), value)),
            }
        }
        found.map(|part| part.and_then(|(_, value)| value))
    }

    /// The parameters of an action, task or method; whether they are without fault.
    pub(crate) fn parameters(&mut self, scope: &mut Scope, expr: Expr<'_>) -> bool {
        let Some(items) = expr.list() else {
            self.errors.malformed("parameters in parentheses", expr.span());
            return false;
        };
        let declared = self.variables(scope, items);
        scope.schema.parameters = scope.schema.variables.len();
        declared.sound
    }

    /// Marks the predicate that a rule derives.
    fn note_rule(&mut self, section: &Section<'_>) {
        let Some(head) = section.items.clone().next() else { return };
        let Some((_, name, _)) = head.form() else { return };
        if let Some(&predicate) = self.predicates.get(&name.to_lowercase()) {
            self.problem.predicates[predicate].derived = true;
            self.rules.entry(predicate).or_insert(head.span());
        }
    }

    /// `(:derived (p ?x ...) condition)`
    fn rule(&mut self, section: &Section<'_>) {
        let items: Vec<Expr<'_>> = section.items.clone().take(3).collect();
        let [head, body] = items[..] else {
            self.errors.malformed("`(:derived (predicate ?x ...) condition)`", section.span);
            return;
        };
        let Some((name_at, name, parameters)) = head.form() else {
            self.errors.malformed("a predicate with its variables", head.span());
            return;
        };
        let predicate = self.predicates.get(&name.to_lowercase()).copied();
        if predicate.is_none() {
            self.unknown(Kind::Predicate, name, name_at.span(), &[]);
        }
        let mut scope = Scope::default();
        let mut sound = self.variables(&mut scope, parameters.clone()).sound;
        scope.schema.parameters = scope.schema.variables.len();
        if let (true, Some(predicate)) = (sound, predicate) {
            sound = self.fit_head(&mut scope, predicate, head, parameters);
        }
        let body = self.condition(&mut scope, body, Soft::Refused);
        if let (true, Some(head), Some(body)) = (sound, predicate, body) {
            self.problem.axioms.push(Axiom { head, schema: scope.schema, body, at: section.span });
        }
    }

    /// Compares the head of a rule with the predicate it derives. A variable without a type gets that of the
    /// predicate.
    fn fit_head(
        &mut self,
        scope: &mut Scope,
        predicate: PredicateId,
        head: Expr<'_>,
        items: Items<'_>,
    ) -> bool {
        let Predicate { name, parameters, at, .. } = &self.problem.predicates[predicate];
        let variables = &mut scope.schema.variables;
        if parameters.len() != variables.len() {
            let (expected, found) = (parameters.len(), variables.len());
            let (name, declared) = (name.clone(), Some(*at));
            self.errors.push(Error::Arity { name, expected, found, at: head.span(), declared });
            return false;
        }
        let entries = typed_list(items, &mut self.errors);
        for ((variable, types), entry) in variables.iter_mut().zip(parameters).zip(entries) {
            if entry.types.is_none() {
                variable.types = types.clone();
            }
        }
        true
    }
}
