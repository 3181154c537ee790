//! Random domains and problems as text, with all features together.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::{problem_of, twin};
use crate::Case;

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A plan of least cost.
    Plan,
    /// A plan of best net benefit.
    Benefit,
    /// A policy.
    Fond,
    /// A policy where nature's choices have odds.
    Odds,
    /// A plan where the state is hidden.
    Hidden,
}

impl Kind {
    /// Whether actions may have several outcomes.
    fn has_nature(self) -> bool {
        matches!(self, Kind::Fond | Kind::Odds | Kind::Hidden)
    }

    /// Whether actions may change numbers other than `total-cost`.
    fn has_numbers(self) -> bool {
        matches!(self, Kind::Plan | Kind::Benefit)
    }
}

/// A random case. Cases in which nothing is to be done are thrown away for some time, since most of what can go wrong needs
/// steps, and so are most of those in which no state fulfils the goal.
pub(super) fn generate(rng: &mut ChaCha8Rng, kind: Kind) -> Case {
    let wants_hope = rng.random_range(0..10) < 7;
    let mut case = write(rng, kind);
    for _ in 0..20 {
        if is_interesting(&case, kind, wants_hope) {
            break;
        }
        case = write(rng, kind);
    }
    case
}

/// Whether the twin can explore the case and the goal does not hold at the start, but somewhere if that is wanted.
fn is_interesting(case: &Case, kind: Kind, wants_hope: bool) -> bool {
    let Ok(problem) = problem_of(case) else { return false };
    let Ok(space) = twin::explore(&problem) else { return false };
    let begins_at_goal = space.starts.iter().all(|&start| space.nodes[start].is_goal);
    let has_hope = space.nodes.iter().any(|node| node.is_goal);
    space.nodes.len() > 2 && (kind == Kind::Benefit || !begins_at_goal) && (has_hope || !wants_hope)
}

/// The types, each below the one it names.
const TYPES: [(&str, &str); 3] = [("Room", "object"), ("hall", "Room"), ("key", "object")];

fn is_below(lower: &str, upper: &str) -> bool {
    lower == upper
        || upper == "object"
        || TYPES.iter().any(|&(own, above)| own == lower && above != "object" && is_below(above, upper))
}

/// A predicate or function: its name and the types of its arguments.
#[derive(Clone, Debug)]
struct Symbol {
    name: String,
    types: Vec<&'static str>,
}

struct Writer<'r> {
    rng: &'r mut ChaCha8Rng,
    kind: Kind,
    objects: Vec<(String, &'static str)>,
    basic: Vec<Symbol>,
    derived: Vec<Symbol>,
    /// Numbers that actions change.
    numbers: Vec<Symbol>,
    /// Whether actions have costs.
    has_costs: bool,
    /// Variables in scope.
    scope: Vec<(String, &'static str)>,
    fresh: usize,
    preferences: usize,
}

fn write(rng: &mut ChaCha8Rng, kind: Kind) -> Case {
    let mut writer = Writer {
        rng,
        kind,
        objects: Vec::new(),
        basic: Vec::new(),
        derived: Vec::new(),
        numbers: Vec::new(),
        has_costs: false,
        scope: Vec::new(),
        fresh: 0,
        preferences: 0,
    };
    writer.case()
}

impl Writer<'_> {
    fn below(&mut self, count: usize) -> usize {
        self.rng.random_range(0..count)
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    fn a_type(&mut self) -> &'static str {
        let at = self.below(TYPES.len() + 1);
        if at == TYPES.len() { "object" } else { TYPES[at].0 }
    }

    fn case(&mut self) -> Case {
        let count = 1 + self.below(3);
        for at in 0..count {
            let (own, _) = TYPES[self.below(TYPES.len())];
            // Names that differ in case from their uses: case does not matter.
            self.objects.push((format!("{}{at}", if at == 1 { "O" } else { "o" }), own));
        }
        self.declare();
        let (constants, objects): (Vec<usize>, Vec<usize>) =
            (0..count).partition(|&at| at == 0 && self.chance(50));
        self.has_costs = self.kind == Kind::Benefit && self.chance(70)
            || matches!(self.kind, Kind::Plan | Kind::Odds) && self.chance(60);
        let more = if self.kind == Kind::Hidden { " :contingent" } else { "" };
        let mut domain = format!("(define (domain d)\n (:requirements :adl :typing{more})\n");
        let types: Vec<String> = TYPES.iter().map(|(own, above)| format!("{own} - {above}")).collect();
        domain += &format!(" (:types {})\n", types.join(" "));
        let list = |all: &[usize], objects: &[(String, &str)]| {
            let words: Vec<String> =
                all.iter().map(|&at| format!("{} - {}", objects[at].0, objects[at].1)).collect();
            words.join(" ")
        };
        if !constants.is_empty() {
            domain += &format!(" (:constants {})\n", list(&constants, &self.objects));
        }
        let declared: Vec<String> = self.basic.iter().chain(&self.derived).map(declaration).collect();
        domain += &format!(" (:predicates {})\n", declared.join(" "));
        let price = Symbol { name: "price".to_owned(), types: vec!["object"] };
        let mut functions: Vec<String> = self.numbers.iter().map(declaration).collect();
        if self.has_costs {
            functions.extend([declaration(&price), "(total-cost)".to_owned()]);
        }
        if !functions.is_empty() {
            domain += &format!(" (:functions {})\n", functions.join(" "));
        }
        // A domain must not name the objects of its problems.
        let hidden: Vec<(String, &'static str)> = self.objects.clone();
        self.objects = constants.iter().map(|&at| hidden[at].clone()).collect();
        for at in 0..self.derived.len() {
            domain += &self.rules(at);
        }
        let actions = 2 + self.below(3);
        let actions: Vec<String> = (0..actions).map(|at| self.action(at)).collect();
        self.objects = hidden;
        domain += &actions.join("");
        domain += ")\n";
        let mut problem = String::from("(define (problem p) (:domain d)\n");
        problem += &format!(" (:objects {})\n", list(&objects, &self.objects));
        problem += &self.init(&price);
        problem += &self.goal();
        problem += &self.metric();
        problem += ")\n";
        Case::new([("domain.pddl", domain), ("problem.pddl", problem)])
    }

    fn declare(&mut self) {
        let symbol = |name: String, types: Vec<&'static str>| Symbol { name, types };
        let flags = 1 + self.below(3);
        self.basic.extend((0..flags).map(|at| symbol(format!("f{at}"), vec![])));
        for at in 0..1 + self.below(2) {
            let own = self.a_type();
            self.basic.push(symbol(format!("Is{at}"), vec![own]));
        }
        if self.chance(40) {
            let types = vec![self.a_type(), self.a_type()];
            self.basic.push(symbol("rel".to_owned(), types));
        }
        for at in 0..self.below(3) {
            let types = if self.chance(50) { vec![self.a_type()] } else { vec![] };
            self.derived.push(symbol(format!("d{at}"), types));
        }
        if self.kind.has_numbers() {
            for at in 0..self.below(3) {
                let types = if self.chance(25) { vec![self.a_type()] } else { vec![] };
                self.numbers.push(symbol(format!("n{at}"), types));
            }
        }
    }

    /// One or two rules of a derived predicate, over basic and earlier derived ones, perhaps itself.
    fn rules(&mut self, at: usize) -> String {
        let own = self.derived[at].clone();
        let all = self.derived.clone();
        let mut text = String::new();
        for _ in 0..1 + self.below(2) {
            let depth = self.scope.len();
            let mut head = format!("({}", own.name);
            for &of in &own.types {
                let name = self.variable(of);
                head += &format!(" {name} - {of}");
            }
            self.derived = all[..at].to_vec();
            let mut body = self.condition(2);
            if self.chance(40) && !own.types.is_empty() {
                let depth = self.scope.len();
                let name = self.variable(own.types[0]);
                let inner = self.atom_of(&self.basic.clone());
                body = format!(
                    "(or {body} (exists ({name} - {}) (and ({} {name}) {inner})))",
                    own.types[0], own.name
                );
                self.scope.truncate(depth);
            }
            self.derived = all.clone();
            self.scope.truncate(depth);
            text += &format!(" (:derived {head}) {body})\n");
        }
        text
    }

    fn variable(&mut self, of: &'static str) -> String {
        self.fresh += 1;
        // Now and then a name that hides another one.
        let name = if self.chance(10) { "?x".to_owned() } else { format!("?v{}", self.fresh) };
        self.scope.retain(|(known, _)| *known != name);
        self.scope.push((name.clone(), of));
        name
    }

    /// A term that can be of a type.
    fn term(&mut self, of: &str) -> Option<String> {
        let fits = |own: &str| is_below(own, of) || is_below(of, own);
        let variables = self.scope.iter().filter(|(_, own)| fits(own)).map(|(name, _)| name.clone());
        let objects = self.objects.iter().filter(|(_, own)| is_below(own, of));
        let mut all: Vec<String> = variables.clone().chain(variables).collect();
        all.extend(objects.map(|(name, _)| name.to_uppercase()));
        if all.is_empty() {
            return None;
        }
        let at = self.below(all.len());
        Some(all.swap_remove(at))
    }

    fn application(&mut self, symbol: &Symbol) -> Option<String> {
        let mut text = format!("({}", symbol.name);
        for of in &symbol.types {
            let term = self.term(of)?;
            // A variable needs no blank before it.
            let blank = if term.starts_with('?') && self.chance(5) { "" } else { " " };
            text += &format!("{blank}{term}");
        }
        Some(text + ")")
    }

    /// An atom of one of the symbols; the first flag if no other can be written.
    fn atom_of(&mut self, symbols: &[Symbol]) -> String {
        let at = self.below(symbols.len());
        self.application(&symbols[at].clone()).unwrap_or_else(|| "(f0)".to_owned())
    }

    fn number(&mut self) -> Option<String> {
        if self.numbers.is_empty() {
            return None;
        }
        let at = self.below(self.numbers.len());
        self.application(&self.numbers[at].clone())
    }

    fn comparison(&mut self) -> Option<String> {
        let left = self.number()?;
        let sign = ["<", "<=", "=", ">=", ">"][self.below(5)];
        let bound = self.below(4);
        let right = match self.below(6) {
            0 => self.number()?,
            1 => format!("(+ {} {bound})", self.number()?),
            _ => bound.to_string(),
        };
        Some(if self.chance(80) {
            format!("({sign} {left} {right})")
        } else {
            format!("({sign} {right} {left})")
        })
    }

    fn condition(&mut self, depth: usize) -> String {
        let choice = if depth == 0 { self.below(4) } else { self.below(13) };
        match choice {
            0 | 1 => {
                let symbols: Vec<Symbol> = self.basic.iter().chain(&self.derived).cloned().collect();
                self.atom_of(&symbols)
            }
            2 => format!("(not {})", self.condition(0)),
            3 => match (self.chance(50), self.comparison()) {
                (true, Some(text)) => text,
                _ => match (self.term("object"), self.term("object")) {
                    (Some(left), Some(right)) => format!("(= {left} {right})"),
                    _ => "(f0)".to_owned(),
                },
            },
            4..=6 => format!("(and {})", self.conditions(depth)),
            7 | 8 => format!("(or {})", self.conditions(depth)),
            9 => format!("(not {})", self.condition(depth - 1)),
            10 => {
                let (left, right) = (self.condition(depth - 1), self.condition(depth - 1));
                format!("(imply {left} {right})")
            }
            _ => {
                let scope = self.scope.clone();
                let of = self.a_type();
                let name = self.variable(of);
                let part = self.condition(depth - 1);
                self.scope = scope;
                let word = if choice == 11 { "exists" } else { "forall" };
                format!("({word} ({name} - {of}) {part})")
            }
        }
    }

    fn conditions(&mut self, depth: usize) -> String {
        let count = 1 + self.below(3);
        let parts: Vec<String> = (0..count).map(|_| self.condition(depth - 1)).collect();
        parts.join(" ")
    }

    fn action(&mut self, at: usize) -> String {
        self.scope.clear();
        let mut parameters = Vec::new();
        for _ in 0..[0, 1, 1, 2][self.below(4)] {
            let of = self.a_type();
            self.fresh += 1;
            let name = format!("?P{}", self.fresh);
            self.scope.push((name.to_lowercase(), of));
            parameters.push(format!("{name} - {of}"));
        }
        let mut precondition = self.condition(3);
        if self.kind == Kind::Benefit && self.chance(25) {
            let wish = self.preference();
            precondition = format!("(and {precondition} {wish})");
        }
        let mut effects: Vec<String> = (0..1 + self.below(2)).map(|_| self.effect(3, false)).collect();
        if self.kind.has_nature() && self.chance(if self.kind == Kind::Hidden { 30 } else { 70 }) {
            effects.push(self.choice(2));
        }
        if self.has_costs && self.chance(80) {
            let amount = match (self.chance(40), self.term("object")) {
                (true, Some(term)) => format!("(price {term})"),
                _ => ["0", "1", "2", "0.5"][self.below(4)].to_owned(),
            };
            effects.push(format!("(increase (total-cost) {amount})"));
        }
        for _ in 0..self.below(2) {
            if let Some(change) = self.change() {
                effects.push(change);
            }
        }
        let name = if at == 0 { "Act".to_owned() } else { format!("act{at}") };
        let mut observe = String::new();
        if self.kind == Kind::Hidden && self.chance(60) {
            let symbols: Vec<Symbol> = self.basic.iter().chain(&self.derived).cloned().collect();
            let atoms: Vec<String> = (0..1 + self.below(2)).map(|_| self.atom_of(&symbols)).collect();
            observe = format!("  :observe (and {})\n", atoms.join(" "));
            if self.chance(40) {
                effects.clear();
            }
        }
        format!(
            " (:action {name} :parameters ({})\n  :precondition {precondition}\n{observe}  :effect (and {}))\n",
            parameters.join(" "),
            effects.join(" ")
        )
    }

    fn change(&mut self) -> Option<String> {
        let number = self.number()?;
        Some(match self.below(4) {
            0 => format!("(assign {number} {})", self.below(4)),
            1 => format!("(decrease {number} 1)"),
            _ => format!("(increase {number} {})", 1 + self.below(2)),
        })
    }

    /// An effect on atoms; where `may_choose`, nature may have a say in it.
    fn effect(&mut self, depth: usize, may_choose: bool) -> String {
        let may_choose = may_choose || self.kind.has_nature() && self.chance(30);
        match if depth == 0 { self.below(3) } else { self.below(9) } {
            0 | 1 => self.atom_of(&self.basic.clone()),
            2 => format!("(not {})", self.atom_of(&self.basic.clone())),
            3 | 4 => {
                let parts: Vec<String> =
                    (0..1 + self.below(3)).map(|_| self.effect(depth - 1, may_choose)).collect();
                format!("(and {})", parts.join(" "))
            }
            5 | 6 => {
                let condition = self.condition(2);
                format!("(when {condition} {})", self.effect(depth - 1, may_choose))
            }
            7 => {
                let scope = self.scope.clone();
                let of = self.a_type();
                let name = self.variable(of);
                let part = self.effect(depth - 1, may_choose);
                self.scope = scope;
                format!("(forall ({name} - {of}) {part})")
            }
            _ if may_choose => self.choice(depth - 1),
            _ => self.atom_of(&self.basic.clone()),
        }
    }

    fn choice(&mut self, depth: usize) -> String {
        let parts: Vec<String> = (0..1 + self.below(3))
            .map(|_| if self.chance(20) { "(and)".to_owned() } else { self.effect(depth, false) })
            .collect();
        if self.kind != Kind::Odds {
            return format!("(oneof {})", parts.join(" "));
        }
        // Eighths that add up to one at most; what is left is the chance that nothing happens.
        let mut left = 8;
        let mut text = String::from("(probabilistic");
        for part in parts {
            let share = 1 + self.below(4);
            if share > left {
                break;
            }
            left -= share;
            text += &format!(" {share}/8 {part}");
        }
        text + ")"
    }

    fn preference(&mut self) -> String {
        self.preferences += 1;
        let name = format!("w{}", self.preferences);
        let part = self.condition(2);
        format!("(preference {name} {part})")
    }

    fn init(&mut self, price: &Symbol) -> String {
        self.scope.clear();
        let mut facts = Vec::new();
        for symbol in self.basic.clone() {
            for atom in self.instances(&symbol) {
                if self.chance(45) {
                    facts.push(atom);
                }
            }
        }
        if self.kind == Kind::Fond && self.chance(35) {
            for _ in 0..1 + self.below(2) {
                let basic = self.basic.clone();
                let parts: Vec<String> = (0..1 + self.below(3))
                    .map(|_| {
                        let atoms: Vec<String> = (0..self.below(3)).map(|_| self.atom_of(&basic)).collect();
                        format!("(and {})", atoms.join(" "))
                    })
                    .collect();
                facts.push(format!("(oneof {})", parts.join(" ")));
            }
        }
        if self.kind == Kind::Hidden {
            for _ in 0..1 + self.below(3) {
                facts.push(self.doubt());
            }
        }
        for symbol in self.numbers.clone() {
            for fluent in self.instances(&symbol) {
                facts.push(format!("(= {fluent} {})", self.below(4)));
            }
        }
        if self.has_costs {
            facts.push("(= (total-cost) 0)".to_owned());
            for fluent in self.instances(price) {
                facts.push(format!("(= {fluent} {})", self.below(3)));
            }
        }
        format!(" (:init {})\n", facts.join(" "))
    }

    /// Something that the description of the start leaves open.
    fn doubt(&mut self) -> String {
        let basic = self.basic.clone();
        let literal = |own: &mut Self| {
            let atom = own.atom_of(&basic);
            if own.chance(70) { atom } else { format!("(not {atom})") }
        };
        match self.below(4) {
            0 => format!("(unknown {})", self.atom_of(&basic)),
            1 => {
                let parts: Vec<String> = (0..1 + self.below(3)).map(|_| literal(self)).collect();
                format!("(or {})", parts.join(" "))
            }
            2 => {
                let parts: Vec<String> = (0..1 + self.below(3)).map(|_| literal(self)).collect();
                format!("(oneof {})", parts.join(" "))
            }
            _ => {
                let parts: Vec<String> = (0..1 + self.below(3))
                    .map(|_| {
                        let atoms: Vec<String> = (0..self.below(3)).map(|_| self.atom_of(&basic)).collect();
                        format!("(and {})", atoms.join(" "))
                    })
                    .collect();
                format!("(oneof {})", parts.join(" "))
            }
        }
    }

    /// Every application of a symbol to objects of the right types.
    fn instances(&self, symbol: &Symbol) -> Vec<String> {
        let mut all = vec![format!("({}", symbol.name)];
        for of in &symbol.types {
            let objects = self.objects.iter().filter(|(_, own)| is_below(own, of));
            all = objects
                .flat_map(|(name, _)| all.iter().map(move |begun| format!("{begun} {name}")))
                .collect();
        }
        all.into_iter().map(|text| text + ")").collect()
    }

    fn goal(&mut self) -> String {
        self.scope.clear();
        let mut parts: Vec<String> = Vec::new();
        let is_all_soft = self.kind == Kind::Benefit && self.chance(50);
        for _ in 0..if is_all_soft { 0 } else { 1 + self.below(3) } {
            parts.push(self.condition(2));
        }
        if self.kind == Kind::Benefit {
            for _ in 0..1 + self.below(3) {
                if self.chance(20) {
                    let of = self.a_type();
                    let name = self.variable(of);
                    let wish = self.preference();
                    self.scope.clear();
                    parts.push(format!("(forall ({name} - {of}) {wish})"));
                } else {
                    let wish = self.preference();
                    parts.push(wish);
                }
            }
        }
        format!(" (:goal (and {}))\n", parts.join(" "))
    }

    fn metric(&mut self) -> String {
        match self.kind {
            Kind::Fond | Kind::Hidden => String::new(),
            Kind::Plan | Kind::Odds if self.has_costs => " (:metric minimize (total-cost))\n".to_owned(),
            Kind::Plan | Kind::Odds => String::new(),
            Kind::Benefit => {
                let maximize = self.chance(30);
                let mut parts: Vec<String> = Vec::new();
                for at in 1..=self.preferences {
                    let weight = ["1", "2", "3", "1.5", "0"][self.below(5)];
                    parts.push(format!("(* {weight} (is-violated w{at}))"));
                }
                if self.has_costs {
                    parts.push("(total-cost)".to_owned());
                }
                if self.chance(20) {
                    parts.push("(* 0.5 (total-time))".to_owned());
                }
                let sum = format!("(+ {} {})", self.below(3), parts.join(" "));
                let (word, sum) =
                    if maximize { ("maximize", format!("(- 10 {sum})")) } else { ("minimize", sum) };
                format!(" (:metric {word} {sum})\n")
            }
        }
    }
}

fn declaration(symbol: &Symbol) -> String {
    let parameters: Vec<String> =
        symbol.types.iter().enumerate().map(|(at, of)| format!(" ?a{at} - {of}")).collect();
    format!("({}{})", symbol.name, parameters.concat())
}
