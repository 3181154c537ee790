//! Policies as text: rules over the atoms and actions of the problem, and back.

use std::fmt::Write;

use counterplay_task::{ChoiceId, Fact, NondetTask, START, Task};

use rustc_hash::FxHashMap;

use crate::{Class, Policy, State};

/// A pair in words: literals such as `(on a b)` and `(not (clear a))`, and an action `(pick-up a)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// What has to hold.
    pub condition: Vec<String>,
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

/// A pair of a policy that was read from text, over the facts of a task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroundRule {
    /// Facts, and whether they have to hold.
    condition: Vec<(Fact, bool)>,
    /// The action, in all its variants; none if it can never be applied.
    pub(crate) choices: Vec<ChoiceId>,
}

impl GroundRule {
    pub(crate) fn holds(&self, state: &State) -> bool {
        self.condition.iter().all(|&(fact, truth)| (state[fact.var] == fact.value) == truth)
    }
}

/// Rules as text, such as [`rules`] gives, over the facts of a task. `is_fixed` tells of an atom that the task does not mention whether
/// it is true all the time.
pub fn ground_rules(nondet: &NondetTask, rules: &[Rule], is_fixed: impl Fn(&str) -> bool) -> Vec<GroundRule> {
    let task = &nondet.task;
    let mut facts: FxHashMap<String, (Fact, bool)> = FxHashMap::default();
    for (var, variable) in task.variables.enumerate() {
        for (name, value) in variable.values.iter().zip(0..) {
            let fact = Fact { var, value };
            let found = match name.strip_prefix("Negated") {
                Some(name) => atom(name).map(|atom| (atom, false)),
                None => atom(name).map(|atom| (atom, true)),
            };
            if let Some((atom, truth)) = found {
                facts.entry(atom).or_insert((fact, truth));
            }
        }
    }
    let mut choices: FxHashMap<String, Vec<ChoiceId>> = FxHashMap::default();
    for (id, choice) in nondet.choices.enumerate() {
        choices.entry(format!("({})", choice.name)).or_default().push(id);
    }
    let mut all = Vec::new();
    for rule in rules {
        let mut condition = Vec::new();
        let mut is_possible = true;
        for literal in &rule.condition {
            let positive = literal.strip_prefix("(not ").and_then(|rest| rest.strip_suffix(')'));
            let (atom, wanted) = positive.map_or((literal.as_str(), true), |atom| (atom, false));
            match facts.get(atom) {
                Some(&(fact, truth)) => condition.push((fact, truth == wanted)),
                None => is_possible &= is_fixed(atom) == wanted,
            }
        }
        if is_possible {
            all.push(GroundRule {
                condition,
                choices: choices.get(&rule.action).cloned().unwrap_or_default(),
            });
        }
    }
    all
}
