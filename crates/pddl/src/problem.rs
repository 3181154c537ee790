//! Problem files.

use counterplay_syntax::{Expr, Items, Span};
use rustc_hash::FxHashMap;

use crate::condition::Soft;
use crate::definition::{Definition, Section};
use crate::error::{Error, Kind};
use crate::expression::Place;
use crate::model::*;
use crate::number::{DIGIT_LIMIT, Read, read_number};
use crate::resolver::{Resolver, Scope};

/// `:length` is a remark of early competitions that never meant anything to a planner; `:hidden` tells a simulator the true
/// initial state, which a planner must not know.
const SECTIONS: &[&str] = &[
    ":domain",
    ":requirements",
    ":objects",
    ":init",
    ":goal",
    ":metric",
    ":goal-reward",
    ":length",
    ":htn",
    ":hidden",
];

/// Sections we refuse, with the feature they are for.
const REFUSED: &[(&str, &str)] = &[(":constraints", "trajectory constraints")];

/// What `:init` says, before the contradictions are sorted out.
#[derive(Default)]
struct Init<'c> {
    /// What is certain, if this is one of several alternatives.
    certain: Option<&'c Init<'c>>,
    facts: FxHashMap<GroundAtom, (bool, Span)>,
    values: FxHashMap<GroundFluent, (Number, Span)>,
    /// All literals in the order of the text, those that say nothing new among them.
    mentioned: Vec<(GroundAtom, bool)>,
}

impl Init<'_> {
    fn fact(&self, atom: &GroundAtom) -> Option<(bool, Span)> {
        self.facts.get(atom).copied().or_else(|| self.certain?.fact(atom))
    }

    fn value(&self, fluent: &GroundFluent) -> Option<(Number, Span)> {
        self.values.get(fluent).copied().or_else(|| self.certain?.value(fluent))
    }
}

impl Resolver {
    /// Everything a problem file says.
    pub(crate) fn problem(&mut self, definition: &Definition<'_>) {
        self.problem.name = definition.name.clone();
        self.refuse_sections(definition, SECTIONS, REFUSED);
        definition.all(":requirements").for_each(|section| self.requirements(section.items.clone()));
        definition.all(":objects").for_each(|section| self.declare_objects(section.items.clone()));
        let mut init = Init::default();
        for section in definition.all(":init") {
            section.items.clone().for_each(|item| self.init(&mut init, item));
        }
        self.start_costs_at_zero(&init);
        // A task network may start from a state in which nothing is true.
        if definition.all(":init").next().is_none() && definition.all(":htn").next().is_none() {
            self.missing(":init", definition.at);
        }
        if let Some(section) = self.single(definition, ":htn") {
            self.initial_network(section);
        }
        match self.single(definition, ":goal") {
            Some(section) => self.goal(section),
            // What is to be done is then said by the task network.
            None if definition.all(":htn").next().is_some() => {}
            None => self.missing(":goal", definition.at),
        }
        if let Some(section) = self.single(definition, ":metric") {
            self.problem.metric = self.metric(section);
        }
        if let Some(section) = self.single(definition, ":goal-reward") {
            self.goal_reward(section);
        }
    }

    fn missing(&mut self, name: &'static str, at: Span) {
        self.errors.push(Error::MissingSection { name, inside: "problem", at });
    }

    /// The one section of this name; further ones are errors.
    fn single<'d, 't>(
        &mut self,
        definition: &'d Definition<'t>,
        keyword: &'d str,
    ) -> Option<&'d Section<'t>> {
        let mut sections = definition.all(keyword);
        let first = sections.next()?;
        for again in sections {
            self.duplicate(Kind::Section, keyword, again.at, first.at);
        }
        Some(first)
    }

    /// One entry of `(:init ...)`.
    fn init(&mut self, init: &mut Init<'_>, expr: Expr<'_>) {
        let Some((_, name, items)) = expr.form() else {
            self.errors.malformed("a fact such as `(on a b)`", expr.span());
            return;
        };
        match name.to_ascii_lowercase().as_str() {
            "=" => self.initial_value(init, expr, items),
            "and" => items.for_each(|item| self.init(init, item)),
            "not" => {
                if let Some([atom]) = self.exactly(expr, items, "`(not atom)`") {
                    self.initial_fact(init, atom, false);
                }
            }
            "at" if is_timed(items.clone()) => {
                self.errors.push(Error::Unsupported { feature: "timed initial literals", at: expr.span() });
            }
            "oneof" if !self.predicates.contains_key("oneof") => self.initial_choice(init, expr, items),
            "or" if !self.predicates.contains_key("or") => self.initial_clause(init, expr, items),
            "unknown" if !self.predicates.contains_key("unknown") => self.initial_unknown(init, expr, items),
            _ => self.initial_fact(init, expr, true),
        }
    }

    /// `(oneof (p a) (and (p b) (q b)))`: each alternative is a fact or a conjunction of facts.
    fn initial_choice(&mut self, init: &mut Init<'_>, expr: Expr<'_>, items: Items<'_>) {
        let (before, choices) = (self.problem.init.len(), self.problem.init_choices.len());
        let open = self.problem.init_clauses.len() + self.problem.init_unknown.len();
        let (mut alternatives, mut literals) = (Vec::new(), Vec::new());
        for item in items {
            // What an alternative says must not contradict what is certain, but may what another one says.
            let mut own = Init { certain: Some(init), ..Init::default() };
            self.init(&mut own, item);
            alternatives.push(self.problem.init.split_off(before));
            if self.problem.init_choices.len() != choices {
                self.problem.init_choices.truncate(choices);
                self.errors.malformed("facts; choices are not nested here", item.span());
            }
            if self.problem.init_clauses.len() + self.problem.init_unknown.len() != open {
                self.errors
                    .malformed("facts; `or` and `unknown` do not stand in an alternative", item.span());
            }
            literals.push(std::mem::take(&mut own.mentioned));
            if !own.values.is_empty() {
                self.errors.malformed("facts; numbers are the same in all initial states", item.span());
            }
        }
        if alternatives.is_empty() {
            self.errors.malformed("at least one alternative", expr.span());
        }
        self.problem.init_choices.push(InitChoice { alternatives, literals, at: expr.span() });
    }

    /// `(or (p a) (not (q b)))`: one of the literals holds at least.
    fn initial_clause(&mut self, init: &Init<'_>, expr: Expr<'_>, items: Items<'_>) {
        let mut literals = Vec::new();
        for item in items {
            let negated = item.form().filter(|(_, name, _)| name.eq_ignore_ascii_case("not"));
            let (atom, truth) = match negated {
                Some((_, _, inside)) => match self.exactly(item, inside, "`(not atom)`") {
                    Some([atom]) => (atom, false),
                    None => continue,
                },
                None => (item, true),
            };
            if let Some(atom) = self.uncertain_atom(atom) {
                literals.push((atom, truth));
            }
        }
        if literals.is_empty() {
            self.errors.malformed("literals of which one holds", expr.span());
        }
        let is_denied = |&(ref atom, truth): &(GroundAtom, bool)| {
            init.fact(atom).is_some_and(|(known, _)| known != truth)
        };
        if let Some((atom, _)) = literals.first().filter(|_| literals.iter().all(is_denied)) {
            let first = init.fact(atom).map_or(expr.span(), |(_, at)| at);
            let text = self.problem.atom_text(atom);
            self.errors.push(Error::Contradiction { text, at: expr.span(), first });
        }
        self.problem.init_clauses.push(InitClause { literals, at: expr.span() });
    }

    /// `(unknown (p a))`: the atom may be true or false.
    fn initial_unknown(&mut self, init: &Init<'_>, expr: Expr<'_>, items: Items<'_>) {
        for item in items {
            let Some(atom) = self.uncertain_atom(item) else { continue };
            if let Some((_, first)) = init.fact(&atom) {
                let text = self.problem.atom_text(&atom);
                self.errors.push(Error::Contradiction { text, at: expr.span(), first });
            }
            self.problem.init_unknown.push((atom, item.span()));
        }
    }

    /// An atom of which it is not known whether it holds at the start.
    fn uncertain_atom(&mut self, expr: Expr<'_>) -> Option<GroundAtom> {
        let Atom { predicate, arguments } = self.atom(&Scope::default(), expr)?;
        if let Some(&rule) = self.rules.get(&predicate) {
            let name = self.problem.predicates[predicate].name.clone();
            self.errors.push(Error::DerivedSet { name, at: expr.span(), rule });
            return None;
        }
        Some(GroundAtom { predicate, arguments: ground(arguments) })
    }

    fn initial_fact(&mut self, init: &mut Init<'_>, expr: Expr<'_>, truth: bool) {
        let Some(Atom { predicate, arguments }) = self.atom(&Scope::default(), expr) else { return };
        let (arguments, at) = (ground(arguments), expr.span());
        if let Some(&rule) = self.rules.get(&predicate) {
            let name = self.problem.predicates[predicate].name.clone();
            self.errors.push(Error::DerivedSet { name, at, rule });
            return;
        }
        let atom = GroundAtom { predicate, arguments };
        init.mentioned.push((atom.clone(), truth));
        match init.fact(&atom) {
            Some((before, first)) => {
                if before != truth {
                    let text = self.problem.atom_text(&atom);
                    self.errors.push(Error::Contradiction { text, at, first });
                }
            }
            None => {
                if truth {
                    self.problem.init.push(atom.clone());
                }
                init.facts.insert(atom, (truth, at));
            }
        }
    }

    /// `(= (f a) 3)`
    fn initial_value(&mut self, init: &mut Init<'_>, expr: Expr<'_>, items: Items<'_>) {
        let Some([fluent, value]) = self.exactly(expr, items, "a function and a number") else { return };
        let fluent = self.fluent(&Scope::default(), fluent);
        let number = match value.atom().map(read_number) {
            Some(Read::Number(number)) => Some(number),
            Some(Read::TooLong) => {
                self.errors.push(Error::LongNumber { limit: DIGIT_LIMIT, at: value.span() });
                None
            }
            Some(Read::No) | None => {
                self.errors.malformed("a number", value.span());
                None
            }
        };
        let (Some(Fluent { function, arguments }), Some(number)) = (fluent, number) else { return };
        let fluent = GroundFluent { function, arguments: ground(arguments) };
        match init.value(&fluent) {
            Some((before, first)) => {
                if before != number {
                    let name = &self.problem.functions[function].name;
                    let text = self.problem.application(name, &fluent.arguments);
                    self.errors.push(Error::Contradiction { text, at: expr.span(), first });
                }
            }
            None => {
                self.problem.values.push((fluent.clone(), number));
                init.values.insert(fluent, (number, expr.span()));
            }
        }
    }

    /// Costs without an initial value start at zero: many files leave that out.
    fn start_costs_at_zero(&mut self, init: &Init<'_>) {
        for name in ["total-cost", "reward"] {
            let Some(&function) = self.functions.get(name) else { continue };
            let fluent = GroundFluent { function, arguments: Vec::new() };
            if self.problem.functions[function].parameters.is_empty() && !init.values.contains_key(&fluent) {
                self.problem.values.push((fluent, Number::from(0)));
            }
        }
    }

    fn goal(&mut self, section: &Section<'_>) {
        let items: Vec<Expr<'_>> = section.items.clone().take(2).collect();
        let [expr] = items[..] else {
            self.errors.malformed("one condition", section.span);
            return;
        };
        let mut scope = Scope::default();
        if let Some(condition) = self.condition(&mut scope, expr, Soft::Allowed) {
            self.problem.goal = Goal { schema: scope.schema, condition, at: expr.span() };
        }
    }

    /// `(:goal-reward 100)`
    fn goal_reward(&mut self, section: &Section<'_>) {
        let items: Vec<Expr<'_>> = section.items.clone().take(2).collect();
        match items.first().and_then(|item| item.atom()).map(read_number) {
            Some(Read::Number(number)) if items.len() == 1 => {
                self.problem.goal_reward = Some((number, section.span));
            }
            Some(Read::TooLong) => {
                self.errors.push(Error::LongNumber { limit: DIGIT_LIMIT, at: section.span });
            }
            _ => self.errors.malformed("one number", section.span),
        }
    }

    /// `(:metric minimize expression)`
    fn metric(&mut self, section: &Section<'_>) -> Option<Metric> {
        let items: Vec<Expr<'_>> = section.items.clone().take(3).collect();
        let [direction, value] = items[..] else {
            self.errors.malformed("`minimize` or `maximize`, and an expression", section.span);
            return None;
        };
        let maximize = match direction.atom().map(str::to_ascii_lowercase).as_deref() {
            Some("minimize") => false,
            Some("maximize") => true,
            _ => {
                self.errors.malformed("`minimize` or `maximize`", direction.span());
                return None;
            }
        };
        let at = value.span();
        let value = self.expression(&Scope::default(), value, Place::Metric)?;
        Some(Metric { maximize, value, at })
    }
}

/// Whether what follows `at` is a time and a fact, rather than two objects.
fn is_timed(mut items: Items<'_>) -> bool {
    let time = items.next().and_then(Expr::atom).is_some_and(|text| read_number(text) != Read::No);
    time && items.next().is_some_and(|fact| fact.list().is_some())
}

/// Arguments among which there is no variable: the scope they were read in has none.
fn ground(arguments: Vec<Term>) -> Vec<ObjectId> {
    let objects = arguments.into_iter().map(|term| match term {
        Term::Object(object) => object,
        Term::Variable(_) => unreachable!("an empty scope resolves no variable"),
    });
    objects.collect()
}
