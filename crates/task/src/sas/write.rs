//! From a task to text.

use std::fmt::{Display, Write};

use counterplay_base::Id;

use crate::{Fact, Task};

/// Writes a task in the translator's format.
pub fn write(task: &Task) -> String {
    let mut out = Text(String::new());
    for line in ["begin_version", "3", "end_version", "begin_metric"] {
        out.line(line);
    }
    out.line(u8::from(task.has_metric));
    out.line("end_metric");

    out.line(task.variables.len());
    for variable in &task.variables {
        out.line("begin_variable");
        out.name(&variable.name);
        match variable.derived {
            Some(derived) => out.line(derived.layer),
            None => out.line(-1),
        }
        out.line(variable.values.len());
        for value in &variable.values {
            out.name(value);
        }
        out.line("end_variable");
    }

    out.line(task.mutex_groups.len());
    for group in &task.mutex_groups {
        out.line("begin_mutex_group");
        out.facts(group);
        out.line("end_mutex_group");
    }

    out.line("begin_state");
    for value in &task.initial {
        out.line(value);
    }
    out.line("end_state");
    out.line("begin_goal");
    out.facts(&task.goal);
    out.line("end_goal");

    out.line(task.operators.len());
    for op in &task.operators {
        // A precondition on a variable that the operator changes without condition belongs to the effect, the
        // others are "prevail" conditions. Attached to a conditional effect it would mean the same, but
        // other readers of the format disagree about that.
        let is_changed =
            |fact: &&Fact| op.effects.iter().any(|e| e.condition.is_empty() && e.fact.var == fact.var);
        let (changed, prevail): (Vec<Fact>, Vec<Fact>) = op.precondition.iter().partition(is_changed);
        out.line("begin_operator");
        out.name(&op.name);
        out.facts(&prevail);
        out.line(op.effects.len());
        for effect in &op.effects {
            out.word(effect.condition.len());
            for fact in &effect.condition {
                out.word(fact.var.index());
                out.word(fact.value);
            }
            out.word(effect.fact.var.index());
            let before =
                changed.iter().find(|fact| effect.condition.is_empty() && fact.var == effect.fact.var);
            match before {
                Some(fact) => out.word(fact.value),
                None => out.word(-1),
            }
            out.line(effect.fact.value);
        }
        out.line(op.cost);
        out.line("end_operator");
    }

    out.line(task.axioms.len());
    for axiom in &task.axioms {
        out.line("begin_rule");
        out.facts(&axiom.condition);
        out.word(axiom.head.var.index());
        out.word(task.initial[axiom.head.var]);
        out.line(axiom.head.value);
        out.line("end_rule");
    }
    out.0
}

/// The text so far.
struct Text(String);

impl Text {
    fn word(&mut self, word: impl Display) {
        write!(self.0, "{word} ").expect("writing to a string never fails");
    }

    fn line(&mut self, line: impl Display) {
        writeln!(self.0, "{line}").expect("writing to a string never fails");
    }

    /// A name is for people; a line break inside would only break the format.
    fn name(&mut self, name: &str) {
        self.0.extend(name.chars().map(|c| if matches!(c, '\n' | '\r') { ' ' } else { c }));
        self.0.push('\n');
    }

    fn facts(&mut self, facts: &[Fact]) {
        self.line(facts.len());
        for fact in facts {
            self.word(fact.var.index());
            self.line(fact.value);
        }
    }
}
