//! Policies in the words of the problem.

use std::fmt::Write;

use counterplay_ground::{NondetTask, START};
use counterplay_task::{Fact, Task};

use crate::{Class, Policy};

/// A pair in words: literals such as `(on a b)` and `(not (clear a))`, and an action `(pick-up a)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// What has to hold.
    pub condition: Vec<String>,
    /// What to do.
    pub action: String,
}

/// The pairs of a policy in words, in order. The choice of an initial state is not ours and is left out.
pub fn rules(nondet: &NondetTask, policy: &Policy) -> Vec<Rule> {
    let own = policy.pairs.iter().filter(|pair| nondet.start != Some(pair.choice));
    own.map(|pair| Rule {
        condition: pair.condition.iter().flat_map(|&fact| literals(&nondet.task, fact)).collect(),
        action: format!("({})", nondet.choices[pair.choice].name),
    })
    .collect()
}

/// A policy as text: what it guarantees, then a line for each pair. The first whose condition holds says what to do.
pub fn text(class: Class, rules: &[Rule]) -> String {
    let pairs = if rules.len() == 1 { "pair" } else { "pairs" };
    let mut text = format!("(class {}) ; {} {pairs}\n", class.name(), rules.len());
    for rule in rules {
        let _ = match &rule.condition[..] {
            [] => writeln!(text, "(if (and) {})", rule.action),
            [only] => writeln!(text, "(if {only} {})", rule.action),
            all => writeln!(text, "(if (and {}) {})", all.join(" "), rule.action),
        };
    }
    text
}

/// What a fact says about atoms: that one is true or false, or that none of several is true.
pub fn literals(task: &Task, fact: Fact) -> Vec<String> {
    let name = task.fact_name(fact);
    if let Some(atom) = atom(name) {
        return keep(atom, true);
    }
    if let Some(atom) = name.strip_prefix("Negated").and_then(atom) {
        return keep(atom, false);
    }
    let others = task.variables[fact.var].values.iter().filter_map(|name| atom(name));
    others.flat_map(|atom| keep(atom, false)).collect()
}

fn keep(atom: String, is_true: bool) -> Vec<String> {
    let is_start = atom.trim_matches(['(', ')']) == START;
    match (is_start, is_true) {
        (true, _) => Vec::new(),
        (false, true) => vec![atom],
        (false, false) => vec![format!("(not {atom})")],
    }
}

/// `Atom on(a, b)` as `(on a b)`.
fn atom(name: &str) -> Option<String> {
    let (predicate, arguments) = name.strip_prefix("Atom ")?.strip_suffix(')')?.split_once('(')?;
    let words = std::iter::once(predicate).chain(arguments.split(", ").filter(|word| !word.is_empty()));
    Some(format!("({})", words.collect::<Vec<_>>().join(" ")))
}
