//! What a domain declares before it says what can be done: requirements, types, constants, predicates,
//! functions.

use counterplay_base::Id;
use counterplay_syntax::{Items, NESTING_LIMIT, Span};
use rustc_hash::FxHashMap;

use crate::error::{Error, Kind};
use crate::model::*;
use crate::resolver::{Resolver, type_names};
use crate::typed_list::{type_name, typed_list, typed_names};

/// Requirements we understand. Which of them a file declares makes no difference, except for [`HIDDEN`]: what it uses does.
const SUPPORTED: &[&str] = &[
    ":strips",
    ":typing",
    ":negative-preconditions",
    ":disjunctive-preconditions",
    ":equality",
    ":existential-preconditions",
    ":universal-preconditions",
    ":quantified-preconditions",
    ":conditional-effects",
    ":adl",
    ":derived-predicates",
    ":action-costs",
    ":fluents",
    ":numeric-fluents",
    ":preferences",
    ":goal-utilities",
    ":non-deterministic",
    ":probabilistic-effects",
    ":rewards",
    ":mdp",
    ":hierarchy",
    ":method-preconditions",
    ":contingent",
    ":conformant",
    ":partial-observability",
    ":unknown",
];

/// Requirements that say that states are not seen. Of all requirements only these make a difference.
const HIDDEN: &[&str] = &[":contingent", ":conformant", ":partial-observability", ":unknown"];

/// Requirements we refuse, with the feature they ask for.
const REFUSED: &[(&str, &str)] = &[
    (":object-fluents", "object fluents"),
    (":durative-actions", "durative actions"),
    (":duration-inequalities", "durative actions"),
    (":continuous-effects", "continuous effects"),
    (":time", "continuous effects"),
    (":timed-initial-literals", "timed initial literals"),
    (":timed-initial-fluents", "timed initial literals"),
    (":constraints", "trajectory constraints"),
    (":multi-agent", "several agents"),
    (":partial-observability", "partially observed states"),
];

impl Resolver {
    /// `(:requirements ...)`
    pub(crate) fn requirements(&mut self, items: Items<'_>) {
        for item in items {
            let Some(name) = item.atom() else {
                self.errors.malformed("a requirement such as `:typing`", item.span());
                continue;
            };
            let lower = name.to_lowercase();
            if let Some((_, feature)) = REFUSED.iter().find(|(refused, _)| *refused == lower) {
                self.errors.push(Error::Unsupported { feature, at: item.span() });
            } else if !SUPPORTED.contains(&lower.as_str()) {
                self.unknown(Kind::Requirement, name, item.span(), SUPPORTED);
            }
            self.rewards |= [":rewards", ":mdp"].contains(&lower.as_str());
            self.problem.declares_partial_observability |= HIDDEN.contains(&lower.as_str());
        }
    }

    /// `(:types ...)`. A type may be declared again to give it a further parent, and a parent need not be
    /// declared: it then lies below `object`.
    pub(crate) fn declare_types(&mut self, items: Items<'_>) {
        let entries = typed_names(items, false, &mut self.errors);
        for &(name, entry) in &entries {
            self.declare_type(name, entry.item.span());
        }
        for (name, entry) in entries {
            let id = self.types[&name.to_lowercase()];
            let Some(parents) = entry.types else { continue };
            for parent in type_names(parents, &mut self.errors).unwrap_or_default() {
                let text = parent.atom().map(type_name).expect("a type name is an atom");
                let parent = self.declare_type(text, parent.span());
                let parents = &mut self.problem.types[id].parents;
                if !parents.contains(&parent) {
                    parents.push(parent);
                }
            }
        }
    }

    /// The type of this name, made if need be.
    fn declare_type(&mut self, name: &str, at: Span) -> TypeId {
        let lower = name.to_lowercase();
        if let Some(&id) = self.types.get(&lower) {
            self.problem.types[id].at.get_or_insert(at);
            return id;
        }
        let id = self.problem.types.push(Type { name: lower.clone(), parents: Vec::new(), at: Some(at) });
        self.types.insert(lower, id);
        id
    }

    /// Hangs types without a parent below `object`, and refuses cycles and endless chains.
    pub(crate) fn close_types(&mut self) {
        let object = TypeId::new(0);
        let types = &mut self.problem.types;
        for id in types.ids().skip(1) {
            if types[id].parents.is_empty() {
                types[id].parents.push(object);
            }
        }
        // Levels from the top down, by counting the parents still without one.
        let mut children = vec![Vec::new(); types.len()];
        let mut waiting: Vec<usize> = types.iter().map(|it| it.parents.len()).collect();
        for (id, it) in types.enumerate() {
            for parent in &it.parents {
                children[parent.index()].push(id);
            }
        }
        let mut level = vec![0usize; types.len()];
        let mut ready: Vec<TypeId> = types.ids().filter(|id| waiting[id.index()] == 0).collect();
        while let Some(id) = ready.pop() {
            for &child in &children[id.index()] {
                level[child.index()] = level[child.index()].max(level[id.index()] + 1);
                waiting[child.index()] -= 1;
                if waiting[child.index()] == 0 {
                    ready.push(child);
                }
            }
        }
        let mut faulty: Vec<Error> = Vec::new();
        if let Some(start) = types.ids().find(|id| waiting[id.index()] > 0) {
            // Walking up from a type that waits, one never leaves those that wait, and so meets one twice.
            let mut seen = vec![false; types.len()];
            let mut at = start;
            while !std::mem::replace(&mut seen[at.index()], true) {
                let up = types[at].parents.iter().find(|parent| waiting[parent.index()] > 0);
                at = *up.expect("a type waits for a parent that waits");
            }
            let name = types[at].name.clone();
            let place = types.ids().find_map(|id| types[id].at).expect("the cycle was written somewhere");
            faulty.push(Error::CyclicTypes { name, at: types[at].at.unwrap_or(place) });
        } else if let Some(deep) = types.ids().find(|id| level[id.index()] > NESTING_LIMIT) {
            let at = types[deep].at.expect("only `object` is declared by no file");
            faulty.push(Error::DeepTypes { name: types[deep].name.clone(), limit: NESTING_LIMIT, at });
        }
        if !faulty.is_empty() {
            // The rest of the files is still to be looked at. With one type only, nothing else is wrong for
            // this reason.
            self.types.values_mut().for_each(|id| *id = object);
            for id in types.ids() {
                types[id].parents = if id == object { Vec::new() } else { vec![object] };
            }
        }
        faulty.into_iter().for_each(|error| self.errors.push(error));
    }

    /// `(:constants ...)` and `(:objects ...)`. Problem files often repeat the constants of their domain.
    pub(crate) fn declare_objects(&mut self, items: Items<'_>) {
        for (name, entry) in typed_names(items, false, &mut self.errors) {
            let (written, name, at) = (name, name.to_lowercase(), entry.item.span());
            let Some(types) = self.type_set(entry.types) else {
                self.broken.insert((Kind::Object, name));
                continue;
            };
            if let Some(&first) = self.objects.get(&name) {
                let first = &self.problem.objects[first];
                if first.types != types {
                    let first = first.at;
                    self.duplicate(Kind::Object, &name, at, first);
                    self.objects.remove(&name);
                    self.broken.insert((Kind::Object, name));
                }
                continue;
            }
            let id = self.problem.objects.push(Object { name: written.to_owned(), types, at });
            self.objects.insert(name, id);
        }
    }

    /// `(:predicates ...)`
    pub(crate) fn declare_predicates(&mut self, items: Items<'_>) {
        for item in items {
            let Some((head, name, parameters)) = item.form() else {
                self.errors.malformed("a predicate such as `(on ?x ?y)`", item.span());
                continue;
            };
            let (written, name, at) = (name, name.to_lowercase(), head.span());
            if let Some(&first) = self.predicates.get(&name) {
                let first = self.problem.predicates[first].at;
                self.duplicate(Kind::Predicate, &name, at, first);
                continue;
            }
            match self.parameter_types(parameters) {
                None => {
                    self.broken.insert((Kind::Predicate, name));
                }
                Some(parameters) => {
                    let predicate = Predicate { name: written.to_owned(), parameters, derived: false, at };
                    let id = self.problem.predicates.push(predicate);
                    self.predicates.insert(name, id);
                }
            }
        }
    }

    /// `(:functions ...)`
    pub(crate) fn declare_functions(&mut self, items: Items<'_>) {
        let mut refused: FxHashMap<Span, ()> = FxHashMap::default();
        for entry in typed_list(items, &mut self.errors) {
            let Some((head, name, parameters)) = entry.item.form() else {
                self.errors.malformed("a function such as `(distance ?x ?y)`", entry.item.span());
                continue;
            };
            let (name, at) = (name.to_lowercase(), head.span());
            let parameters = self.parameter_types(parameters);
            let numeric = match entry.types {
                None => true,
                Some(types) => {
                    types.atom().map(type_name).is_some_and(|name| name.eq_ignore_ascii_case("number"))
                }
            };
            if !numeric {
                let at = entry.types.map_or(at, |types| types.span());
                if refused.insert(at, ()).is_none() {
                    self.errors.push(Error::Unsupported { feature: "object fluents", at });
                }
            }
            if let Some(&first) = self.functions.get(&name) {
                let first = self.problem.functions[first].at.unwrap_or(at);
                self.duplicate(Kind::Function, &name, at, first);
                continue;
            }
            match parameters.filter(|_| numeric) {
                None => {
                    self.broken.insert((Kind::Function, name));
                }
                Some(parameters) => {
                    let function = Function { name: name.clone(), parameters, at: Some(at) };
                    let id = self.problem.functions.push(function);
                    self.functions.insert(name, id);
                }
            }
        }
    }

    /// The types of the parameters of a predicate or function. Their names mean nothing, and benchmark files
    /// do repeat them.
    fn parameter_types(&mut self, items: Items<'_>) -> Option<Vec<TypeSet>> {
        let errors_before = self.errors.count();
        let entries = typed_names(items, true, &mut self.errors);
        let types = entries.into_iter().filter_map(|(_, entry)| self.type_set(entry.types)).collect();
        (self.errors.count() == errors_before).then_some(types)
    }
}
