//! Random rule sheets: small games with everything that GDL has.

use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;

/// Writes a random game.
pub(super) fn game(rng: &mut ChaCha8Rng) -> String {
    let mut writer = Writer::new(rng);
    writer.write();
    let mut rules = writer.rules;
    // The order of rules means nothing, but for the first role.
    for at in (2..rules.len()).rev() {
        let other = rng.random_range(1..=at);
        rules.swap(at, other);
    }
    rules.iter().map(|rule| unusual(rule, rng) + "\n").collect()
}

/// How the roles move.
#[derive(Clone, Copy, PartialEq, Eq)]
enum TurnOrder {
    Turns,
    AtOnce,
    /// In turns, but for some states.
    Mostly,
}

struct Writer<'r> {
    rng: &'r mut ChaCha8Rng,
    rules: Vec<String>,
    roles: Vec<String>,
    items: usize,
    turn_order: TurnOrder,
    clock: Option<usize>,
    /// Derived relations that may be used so far: name and number of arguments.
    derived: Vec<(String, usize)>,
}

impl<'r> Writer<'r> {
    fn new(rng: &'r mut ChaCha8Rng) -> Writer<'r> {
        let count = *[1, 1, 2, 2, 2, 2, 3, 4].choose(rng).expect("some");
        let turn_order = match rng.random_range(0..8) {
            0..=4 => TurnOrder::Turns,
            5 | 6 => TurnOrder::AtOnce,
            _ => TurnOrder::Mostly,
        };
        let items = if count > 2 { 2 } else { rng.random_range(2..=3) };
        let clock = rng.random_bool(0.5).then(|| rng.random_range(2..=4));
        let roles = (0..count).map(|number| format!("r{number}")).collect();
        Writer { rng, rules: Vec::new(), roles, items, turn_order, clock, derived: Vec::new() }
    }

    fn add(&mut self, rule: String) {
        self.rules.push(rule);
    }

    fn chance(&mut self, percent: u32) -> bool {
        self.rng.random_range(0..100) < percent
    }

    fn item(&mut self) -> String {
        format!("i{}", self.rng.random_range(0..self.items))
    }

    fn role(&mut self) -> String {
        self.roles.choose(self.rng).expect("some").clone()
    }

    /// An item: a constant or one of the bound variables.
    fn argument(&mut self, bound: &[&str]) -> String {
        match bound.choose(self.rng) {
            Some(variable) if self.rng.random_bool(0.7) => (*variable).to_owned(),
            _ => self.item(),
        }
    }

    /// A fluent; nested terms and several argument places occur.
    fn fluent(&mut self, bound: &[&str]) -> String {
        match self.rng.random_range(0..7) {
            0 => "p".to_owned(),
            1 => "q".to_owned(),
            2 => format!("(at {} {})", self.role(), self.argument(bound)),
            3 => format!("(box (inner {}))", self.argument(bound)),
            _ => format!("(f {})", self.argument(bound)),
        }
    }

    /// A condition over bound variables.
    fn condition(&mut self, bound: &[&str], depth: u32) -> String {
        match self.rng.random_range(0..12) {
            0..=2 => format!("(true {})", self.fluent(bound)),
            3 | 4 => format!("(not (true {}))", self.fluent(bound)),
            5 => format!("(distinct {} {})", self.argument(bound), self.argument(bound)),
            6 if depth > 0 => {
                let word = if self.chance(70) { "or" } else { "and" };
                let parts: Vec<String> =
                    (0..self.rng.random_range(1..=3)).map(|_| self.condition(bound, depth - 1)).collect();
                format!("({word} {})", parts.join(" "))
            }
            7 if depth > 0 => format!("(not {})", self.condition(bound, depth - 1)),
            8 => format!("(link {} {})", self.argument(bound), self.argument(bound)),
            _ => match self.derived.choose(self.rng).cloned() {
                Some((name, arity)) => {
                    let args: Vec<String> = (0..arity).map(|_| self.argument(bound)).collect();
                    let atom = if arity == 0 { name } else { format!("({name} {})", args.join(" ")) };
                    if self.chance(40) { format!("(not {atom})") } else { atom }
                }
                None => format!("(true {})", self.fluent(bound)),
            },
        }
    }

    fn conditions(&mut self, bound: &[&str], most: usize) -> String {
        let count = self.rng.random_range(0..=most);
        (0..count).map(|_| format!(" {}", self.condition(bound, 2))).collect()
    }

    fn write(&mut self) {
        for role in self.roles.clone() {
            self.add(format!("(role {role})"));
        }
        for item in 0..self.items {
            self.add(format!("(item i{item})"));
        }
        for _ in 0..self.rng.random_range(1..=3) {
            let rule = format!("(link {} {})", self.item(), self.item());
            self.add(rule);
        }
        for _ in 0..self.rng.random_range(0..=3) {
            let rule = format!("(init {})", self.fluent(&[]));
            self.add(rule);
        }
        self.turns();
        self.derived();
        self.moves();
        self.effects();
        self.ends();
    }

    /// The turn goes round, and a clock runs, if there are such.
    fn turns(&mut self) {
        if self.roles.len() > 1 && self.turn_order != TurnOrder::AtOnce {
            self.add("(init (turn r0))".to_owned());
            for (number, role) in self.roles.clone().iter().enumerate() {
                let next = self.roles[(number + 1) % self.roles.len()].clone();
                self.add(format!("(<= (next (turn {next})) (true (turn {role})))"));
            }
        }
        if let Some(last) = self.clock {
            self.add("(init (step 0))".to_owned());
            for tick in 0..last {
                self.add(format!("(succ {tick} {})", tick + 1));
            }
            self.add("(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))".to_owned());
            self.add(format!("(<= terminal (true (step {last})))"));
        }
    }

    /// Derived relations, some of them recursive, each over those before.
    fn derived(&mut self) {
        for number in 0..self.rng.random_range(0..=3) {
            match self.rng.random_range(0..4) {
                0 => {
                    // Reachability over links, with a condition on the way.
                    let name = format!("d{number}");
                    let along = self.conditions(&["?x", "?y"], 1);
                    self.add(format!("(<= ({name} ?x ?y) (link ?x ?y){along})"));
                    self.add(format!("(<= ({name} ?x ?z) ({name} ?x ?y) ({name} ?y ?z))"));
                    self.derived.push((name, 2));
                }
                1 => {
                    // Two relations that need each other.
                    let (one, two) = (format!("d{number}"), format!("e{number}"));
                    let start = self.conditions(&["?x"], 1);
                    self.add(format!("(<= ({one} ?x) (item ?x) (true (f ?x)){start})"));
                    self.add(format!("(<= ({two} ?y) ({one} ?x) (link ?x ?y))"));
                    self.add(format!("(<= ({one} ?x) ({two} ?x) (not (true p)))"));
                    self.derived.extend([(one, 1), (two, 1)]);
                }
                2 => {
                    // A relation that denies another instance of itself: only instances are stratified.
                    let name = format!("d{number}");
                    let body = self.conditions(&[], 2);
                    self.add(format!("(<= ({name} i0){body})"));
                    self.add(format!("(<= ({name} i1) (not ({name} i0)))"));
                    self.derived.push((name, 1));
                }
                _ => {
                    let name = format!("d{number}");
                    for _ in 0..self.rng.random_range(1..=2) {
                        let body = self.conditions(&["?x"], 2);
                        self.add(format!("(<= ({name} ?x) (item ?x){body})"));
                    }
                    self.derived.push((name, 1));
                }
            }
        }
    }

    fn moves(&mut self) {
        let in_turns = self.roles.len() > 1 && self.turn_order != TurnOrder::AtOnce;
        for role in self.roles.clone() {
            let turn = if in_turns { format!(" (true (turn {role}))") } else { String::new() };
            let body = self.conditions(&["?x"], 1);
            self.add(format!("(<= (legal {role} (m ?x)) (item ?x){turn}{body})"));
            if self.chance(40) {
                let body = self.conditions(&[], 1);
                self.add(format!("(<= (legal {role} go){turn}{body})"));
            }
            // Without this, a role may have no move: then the game cannot go on.
            if self.chance(90) {
                let name = if in_turns && self.chance(70) { "noop" } else { "pass" };
                self.add(format!("(<= (legal {role} {name}){turn})"));
            }
            if in_turns {
                self.add(format!("(<= (legal {role} noop) (not (true (turn {role}))))"));
            }
            if self.turn_order == TurnOrder::Mostly && self.chance(50) {
                let when = self.condition(&[], 1);
                self.add(format!("(<= (legal {role} extra) {when})"));
            }
        }
    }

    fn effects(&mut self) {
        for _ in 0..self.rng.random_range(1..=3) {
            let role = if self.chance(50) { "?r".to_owned() } else { self.role() };
            let body = self.conditions(&["?x"], 1);
            let made =
                ["(f ?x)", "(box (inner ?x))", "(at r0 ?x)"].choose(self.rng).expect("some").to_string();
            self.add(format!("(<= (next {made}) (does {role} (m ?x)){body})"));
        }
        if self.chance(80) {
            let body = self.conditions(&["?x"], 1);
            self.add(format!("(<= (next (f ?x)) (true (f ?x)){body})"));
        }
        if self.chance(50) {
            self.add("(<= (next (at ?r ?x)) (true (at ?r ?x)) (not (does ?r go)) (role ?r))".to_owned());
        }
        if self.chance(30) {
            self.add("(<= (changed ?x) (does ?r (m ?x)) (true (f ?x)))".to_owned());
            self.add("(<= (next (box (inner ?x))) (item ?x) (not (changed ?x)) (true (f ?x)))".to_owned());
        }
        if self.chance(30) {
            // What holds goes on to hold, whatever it is.
            let body = self.condition(&[], 0);
            self.add(format!("(<= (next ?f) (true ?f) (copied ?f) {body})"));
            self.add("(copied p) (copied (f i0))".to_owned());
        }
        for fluent in ["p", "q"] {
            if self.chance(70) {
                let role = self.role();
                let body = self.conditions(&[], 2);
                let made =
                    ["go", "pass", "noop", "(m i0)", "(m ?x)"].choose(self.rng).expect("some").to_string();
                self.add(format!("(<= (next {fluent}) (does {role} {made}){body})"));
            }
            if self.chance(40) {
                let body = self.conditions(&[], 1);
                self.add(format!("(<= (next {fluent}) (true {fluent}){body})"));
            }
        }
    }

    fn ends(&mut self) {
        for _ in 0..self.rng.random_range(1..=2) {
            let first = self.fluent(&[]);
            let body = self.conditions(&[], 1);
            self.add(format!("(<= terminal (true {first}){body})"));
        }
        let is_zero_sum = self.roles.len() == 2 && self.chance(40);
        if is_zero_sum {
            let won = self.condition(&[], 2);
            self.add(format!("(<= won {won})"));
            for rule in
                ["(goal r0 100) won", "(goal r1 0) won", "(goal r0 0) (not won)", "(goal r1 100) (not won)"]
            {
                self.add(format!("(<= {rule})"));
            }
            return;
        }
        for role in self.roles.clone() {
            let values: Vec<u32> = [0, 10, 25, 50, 75, 100].sample(self.rng, 3).copied().collect();
            let (one, two) = (self.conditions(&[], 2), self.conditions(&[], 2));
            self.add(format!("(<= (goal {role} {}){one})", values[0]));
            if self.chance(60) {
                self.add(format!("(<= (goal {role} {}){two} (not (goal {role} {})))", values[1], values[0]));
            }
            if self.chance(60) {
                let rest = format!("(not (goal {role} {})) (not (goal {role} {}))", values[0], values[1]);
                self.add(format!("(<= (goal {role} {}) {rest})", values[2]));
            }
        }
    }
}

/// The same rule in unusual but legal writing.
fn unusual(rule: &str, rng: &mut ChaCha8Rng) -> String {
    match rng.random_range(0..20) {
        0 => rule.to_uppercase(),
        1 => rule.replace(' ', "  ").replace(')', " )"),
        2 => format!("{rule} ; (a comment"),
        3 => rule.replace(" (", "("),
        4 if !rule.starts_with("(<=") && !rule.contains(") (") => format!("(<= {rule})"),
        5 => rule.replace("?x", "?A-long+name"),
        6 => rule.replace(' ', "\n\t"),
        _ => rule.to_owned(),
    }
}
