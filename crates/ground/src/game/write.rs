//! Ground rules as GDL: a rule sheet without variables that other players can read.

use counterplay_base::Id;

use super::model::{Game, Literal, RuleId, Signal};

impl Game {
    /// The instantiated rules, in GDL. What is derived gets names of its own.
    pub fn to_gdl(&self) -> String {
        let mut text = String::new();
        let mut line = |parts: &[&str]| {
            parts.iter().for_each(|part| text.push_str(part));
            text.push('\n');
        };
        for role in self.roles.iter() {
            line(&["(role ", role, ")"]);
        }
        for fluent in self.fluents.iter() {
            line(&["(base ", fluent, ")"]);
        }
        for a_move in self.moves.iter() {
            line(&["(input ", &self.roles[a_move.role], " ", &a_move.name, ")"]);
        }
        for &fluent in &self.initial {
            line(&["(init ", &self.fluents[fluent], ")"]);
        }
        for (a_move, &signal) in self.legal.enumerate() {
            let own = &self.moves[a_move];
            line(&[&self.rule(&format!("(legal {} {})", self.roles[own.role], own.name), signal)]);
        }
        for (fluent, &signal) in self.next.enumerate() {
            line(&[&self.rule(&format!("(next {})", self.fluents[fluent]), signal)]);
        }
        for goal in &self.goals {
            line(&[&self.rule(&format!("(goal {} {})", self.roles[goal.role], goal.value), goal.when)]);
        }
        line(&[&self.rule("terminal", self.terminal)]);
        if let (Some([]), Some(role)) = (self.percepts.as_deref(), self.roles.as_slice().first()) {
            // Nothing is perceived; the relation says that moves are hidden.
            line(&["(sees ", role, " nothing)"]);
        }
        for percept in self.percepts.iter().flatten() {
            let head = format!("(sees {} {})", self.roles[percept.role], percept.name);
            line(&[&self.rule(&head, percept.when)]);
        }
        for (rule, &head) in self.heads.enumerate() {
            line(&[&self.derived(rule, head.index())]);
        }
        // What never holds has left empty lines.
        text.lines().filter(|line| !line.is_empty()).flat_map(|line| [line, "\n"]).collect()
    }

    fn derived(&self, rule: RuleId, head: usize) -> String {
        let body: String =
            self.bodies[rule].iter().map(|&literal| format!(" {}", self.literal(literal))).collect();
        format!("(<= atom{head}{body})")
    }

    /// A rule for something that is the same as a signal; nothing if it never holds.
    fn rule(&self, head: &str, signal: Signal) -> String {
        match signal {
            Signal::Constant(true) => head.to_owned(),
            Signal::Constant(false) => String::new(),
            Signal::Literal(literal) => format!("(<= {head} {})", self.literal(literal)),
        }
    }

    fn literal(&self, literal: Literal) -> String {
        let number = literal.atom().index();
        let atom = if let Some(fluent) = self.fluents.as_slice().get(number) {
            format!("(true {fluent})")
        } else if let Some(own) = self.moves.as_slice().get(number - self.fluents.len()) {
            format!("(does {} {})", self.roles[own.role], own.name)
        } else {
            format!("atom{number}")
        };
        if literal.is_positive() { atom } else { format!("(not {atom})") }
    }
}
