//! Random HDDL domains and problems: few objects, many features.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use crate::Case;

/// What kind of problems to make.
#[derive(Clone, Copy)]
pub(super) struct Kind {
    /// Whether actions may have several outcomes.
    pub(super) outcomes: bool,
    /// How often of ten times a network is totally ordered.
    pub(super) ordered: u32,
}

/// A parameter or object with its type.
type Typed = (String, &'static str);

const TYPES: [&str; 2] = ["item", "place"];
/// Predicates with the types of their arguments.
const PREDICATES: [(&str, &[&str]); 7] = [
    ("p", &[]),
    ("q", &[]),
    ("r", &[]),
    ("has", &["item"]),
    ("at", &["place"]),
    ("in", &["item", "place"]),
    ("fixed", &["place"]),
];
/// Predicates that actions change.
const CHANGING: usize = 6;

struct Maker<'r> {
    rng: &'r mut ChaCha8Rng,
    kind: Kind,
    constants: Vec<Typed>,
    /// Tasks and actions with the types of their parameters; the first `tasks` are tasks.
    symbols: Vec<(String, Vec<&'static str>)>,
    tasks: usize,
}

/// A random domain and problem.
pub(super) fn generate(rng: &mut ChaCha8Rng, kind: Kind) -> Case {
    let mut maker = Maker { rng, kind, constants: Vec::new(), symbols: Vec::new(), tasks: 0 };
    if maker.chance(3) {
        maker.constants.push(("k".to_owned(), "item"));
    }
    let domain = maker.domain();
    let problem = maker.problem();
    Case::new([("domain.hddl", domain), ("problem.hddl", problem)])
}

impl Maker<'_> {
    fn below(&mut self, bound: usize) -> usize {
        self.rng.random_range(0..bound)
    }

    /// True so often of ten times.
    fn chance(&mut self, of_ten: u32) -> bool {
        self.rng.random_range(0..10) < of_ten
    }

    fn types(&mut self, most: usize) -> Vec<&'static str> {
        let count = self.below(most + 1);
        (0..count).map(|_| TYPES[self.below(2)]).collect()
    }

    fn domain(&mut self) -> String {
        let mut text = "(define (domain d)\n (:requirements :adl :typing :hierarchy :non-deterministic)\n \
                        (:types item place)\n"
            .to_owned();
        if !self.constants.is_empty() {
            text += " (:constants k - item)\n";
        }
        text += " (:predicates";
        for (name, types) in PREDICATES {
            let arguments: String =
                types.iter().enumerate().map(|(at, kind)| format!(" ?x{at} - {kind}")).collect();
            text += &format!(" ({name}{arguments})");
        }
        text += ")\n";
        self.tasks = 1 + self.below(3);
        let actions = 2 + self.below(3);
        for at in 0..self.tasks {
            let types = self.types(1);
            self.symbols.push((format!("t{at}"), types));
        }
        for at in 0..actions {
            let types = self.types(if at == 0 { 0 } else { 2 });
            self.symbols.push((format!("a{at}"), types));
        }
        // Trying again until it works: without it, hardly any policy is strong-cyclic and not strong.
        let repeats = self.kind.outcomes && self.chance(5);
        if repeats {
            self.symbols.insert(self.tasks, ("again".to_owned(), Vec::new()));
            self.tasks += 1;
            self.symbols.push(("attempt".to_owned(), Vec::new()));
        }
        for at in 0..self.tasks {
            let (name, types) = self.symbols[at].clone();
            text += &format!(" (:task {name} :parameters ({}))\n", declared(&parameters(&types)));
        }
        let usual = usize::from(repeats);
        for at in 0..self.tasks - usual {
            for number in 0..1 + self.below(3) {
                text += &self.method(at, number);
            }
        }
        for at in self.tasks..self.symbols.len() - usual {
            text += &self.action(at);
        }
        if repeats {
            text += &self.repetition();
        }
        text + ")\n"
    }

    /// The task `again`: attempt something until it holds. Now and then an attempt may do something else too, or need something.
    fn repetition(&mut self) -> String {
        let wanted = PREDICATES[self.below(3)].0;
        let mut attempt = " (:action attempt :parameters ()".to_owned();
        if self.chance(3) {
            attempt += &format!(" :precondition {}", self.condition(&[], 1));
        }
        attempt += &format!(" :effect (oneof (and) ({wanted})");
        if self.chance(5) {
            attempt += &format!(" {}", self.literal(&[]));
        }
        format!(
            " (:method done :parameters () :task (again) :precondition ({wanted}) :ordered-subtasks (and))
 (:method more :parameters () :task (again) :precondition (not ({wanted})) :ordered-subtasks (and (s0 (attempt)) (s1 (again))))
{attempt}))
"
        )
    }

    fn method(&mut self, task: usize, number: usize) -> String {
        let (name, types) = self.symbols[task].clone();
        let mut scope = parameters(&types);
        let arguments = words(&scope);
        if self.chance(3) {
            scope.push((format!("?y{number}"), TYPES[self.below(2)]));
        }
        let mut text = format!(
            " (:method m{task}-{number} :parameters ({}) :task ({name}{arguments})",
            declared(&scope)
        );
        if self.chance(6) {
            text += &format!(" :precondition {}", self.condition(&scope, 2));
        }
        text + &self.network(&scope, 3) + ")\n"
    }

    /// Subtasks with their order and constraints.
    fn network(&mut self, scope: &[Typed], most: usize) -> String {
        let count = self.below(most + 1);
        let ordered = self.kind.ordered;
        let is_ordered = self.chance(ordered);
        let mut labels = Vec::new();
        let mut subtasks = String::new();
        for at in 0..count {
            // Actions more often than tasks, or nothing would ever end.
            let tasks = self.tasks;
            let symbol = if self.chance(4) {
                self.below(tasks)
            } else {
                tasks + self.below(self.symbols.len() - tasks)
            };
            let Some(call) = self.call(symbol, scope) else { continue };
            subtasks += &format!(" (s{at} {call})");
            labels.push(at);
        }
        let keyword = if is_ordered { ":ordered-subtasks" } else { ":subtasks" };
        let mut text = format!(" {keyword} (and{subtasks})");
        if !is_ordered && labels.len() > 1 && self.chance(5) {
            let second = 1 + self.below(labels.len() - 1);
            let first = self.below(second);
            text += &format!(" :ordering (and (< s{} s{}))", labels[first], labels[second]);
        }
        if scope.len() > 1 && self.chance(3) {
            let pair = format!("(= {} {})", scope[0].0, scope[1].0);
            text += &if self.chance(7) {
                format!(" :constraints (not {pair})")
            } else {
                format!(" :constraints {pair}")
            };
        }
        text
    }

    /// A task or action applied to what is at hand, if there is something of each type.
    fn call(&mut self, symbol: usize, scope: &[Typed]) -> Option<String> {
        let (name, types) = self.symbols[symbol].clone();
        let mut text = format!("({name}");
        for kind in types {
            text += &format!(" {}", self.term(kind, scope)?);
        }
        Some(text + ")")
    }

    fn term(&mut self, kind: &str, scope: &[Typed]) -> Option<String> {
        let fitting: Vec<&Typed> = scope.iter().chain(&self.constants).filter(|it| it.1 == kind).collect();
        if fitting.is_empty() {
            return None;
        }
        let at = self.rng.random_range(0..fitting.len());
        Some(fitting[at].0.clone())
    }

    fn atom(&mut self, predicates: usize, scope: &[Typed]) -> String {
        loop {
            let (name, types) = PREDICATES[self.below(predicates)];
            let terms: Option<Vec<String>> = types.iter().map(|kind| self.term(kind, scope)).collect();
            if let Some(terms) = terms {
                let terms: String = terms.iter().map(|term| format!(" {term}")).collect();
                return format!("({name}{terms})");
            }
        }
    }

    fn condition(&mut self, scope: &[Typed], depth: usize) -> String {
        let simple = depth == 0;
        match self.below(if simple { 4 } else { 9 }) {
            0..=2 => self.atom(PREDICATES.len(), scope),
            3 => format!("(not {})", self.atom(PREDICATES.len(), scope)),
            4 => format!("(or {} {})", self.condition(scope, depth - 1), self.condition(scope, depth - 1)),
            5 => {
                let word = if self.chance(5) { "forall" } else { "exists" };
                let kind = TYPES[self.below(2)];
                let mut inner = scope.to_vec();
                inner.push((format!("?z{depth}"), kind));
                format!("({word} (?z{depth} - {kind}) {})", self.condition(&inner, depth - 1))
            }
            6 => format!("(not {})", self.condition(scope, depth - 1)),
            _ => format!("(and {} {})", self.condition(scope, depth - 1), self.condition(scope, depth - 1)),
        }
    }

    fn action(&mut self, symbol: usize) -> String {
        let (name, types) = self.symbols[symbol].clone();
        let scope = parameters(&types);
        let mut text = format!(" (:action {name} :parameters ({})", declared(&scope));
        if self.chance(7) {
            text += &format!(" :precondition {}", self.condition(&scope, 1));
        }
        text + &format!(" :effect {})\n", self.effect(&scope, self.kind.outcomes))
    }

    fn effect(&mut self, scope: &[Typed], outcomes: bool) -> String {
        let count = 1 + self.below(3);
        let mut text = "(and".to_owned();
        for _ in 0..count {
            text += &format!(" {}", self.change(scope));
        }
        if outcomes && self.chance(6) {
            text += " (oneof";
            for _ in 0..2 + self.below(2) {
                text += " (and";
                for _ in 0..self.below(3) {
                    text += &format!(" {}", self.change(scope));
                }
                text += ")";
            }
            text += ")";
        }
        text + ")"
    }

    fn change(&mut self, scope: &[Typed]) -> String {
        match self.below(8) {
            0 => format!("(when {} {})", self.condition(scope, 1), self.literal(scope)),
            1 => {
                let kind = TYPES[self.below(2)];
                let mut inner = scope.to_vec();
                inner.push(("?w".to_owned(), kind));
                format!("(forall (?w - {kind}) {})", self.literal(&inner))
            }
            _ => self.literal(scope),
        }
    }

    fn literal(&mut self, scope: &[Typed]) -> String {
        let atom = self.atom(CHANGING, scope);
        if self.chance(6) { atom } else { format!("(not {atom})") }
    }

    fn problem(&mut self) -> String {
        let mut objects: Vec<Typed> = vec![("b".to_owned(), "item"), ("c".to_owned(), "place")];
        if self.chance(4) {
            objects.push(("e".to_owned(), TYPES[self.below(2)]));
        }
        let mut text = format!("(define (problem x) (:domain d)\n (:objects {})\n", declared(&objects));
        let mut scope = objects.clone();
        let is_steered = self.kind.outcomes;
        let variables: Vec<Typed> = if !is_steered && self.chance(2) {
            vec![("?v".to_owned(), TYPES[self.below(2)])]
        } else {
            Vec::new()
        };
        scope.extend(variables.clone());
        let network = match self.symbols.iter().any(|(name, _)| name == "again") && self.chance(6) {
            true => " :ordered-subtasks (and (s0 (again)))".to_owned(),
            false => self.network(&scope, 3),
        };
        text += &format!(" (:htn :parameters ({}){network})\n", declared(&variables));
        if self.chance(9) {
            text += " (:init";
            for _ in 0..self.below(7) {
                text += &format!(" {}", self.atom(PREDICATES.len(), &objects));
            }
            text += ")\n";
        }
        if self.chance(if is_steered { 9 } else { 6 }) {
            text += &format!(" (:goal {})", self.condition(&objects, 1));
        }
        text + ")\n"
    }
}

fn parameters(types: &[&'static str]) -> Vec<Typed> {
    types.iter().enumerate().map(|(at, kind)| (format!("?x{at}"), *kind)).collect()
}

fn declared(list: &[Typed]) -> String {
    list.iter().map(|(name, kind)| format!("{name} - {kind}")).collect::<Vec<_>>().join(" ")
}

fn words(list: &[Typed]) -> String {
    list.iter().map(|(name, _)| format!(" {name}")).collect()
}
