//! A task compared with its problem.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use counterplay_base::{Budget, IdVec, Silent};
use counterplay_ground::{Error, Options, ground};
use counterplay_pddl::model::{GroundAtom, Number, Problem};
use counterplay_syntax::Sources;
use counterplay_task::{Fact, Task, Value, VarId};

use crate::lifted::{self, State};

/// Reads a problem that must be readable.
pub(crate) fn read(domain: &str, problem: &str) -> Problem {
    let mut sources = Sources::default();
    let (domain, problem) = (sources.add("domain", domain), sources.add("problem", problem));
    counterplay_pddl::read(&sources, domain, problem).unwrap_or_else(|errors| {
        let texts: Vec<String> =
            errors.iter().map(|e| format!("{e} ({:?})", e.diagnostic().labels[0].span)).collect();
        panic!("cannot read: {texts:?}")
    })
}

/// Grounds a problem with or without h².
pub(crate) fn grounded(problem: &Problem, h2: bool) -> Result<Task, Error> {
    let options = Options { h2, ..Options::default() };
    ground(problem, &options, &Budget::unlimited(), &Silent)
}

/// Compares the task of a problem with the problem itself, in every way we know. Returns the optimal cost.
pub(crate) fn check(name: &str, problem: &Problem, most: usize) -> Option<Option<Number>> {
    let reached = lifted::explore(problem, most)?;
    let all: BTreeMap<State, Number> =
        reached.iter().map(|(state, &cost)| (lifted::closed(problem, state), cost)).collect();
    let best = all.iter().filter(|(state, _)| lifted::is_goal(problem, state)).map(|(_, &cost)| cost).min();
    for h2 in [false, true] {
        let task = grounded(problem, h2).unwrap_or_else(|error| panic!("{name}: {error}"));
        check_shape(name, &task);
        let cost = counterplay_testkit::brute_force(&task);
        let cost = cost.map(|cost| Number::from_integer(cost.into()) * task.cost_unit);
        assert_eq!(cost, best, "{name}, h2 {h2}: optimal cost");
        check_mutexes(name, &task);
        if !h2 {
            check_states(name, problem, &task, &all);
        }
    }
    Some(best)
}

/// The laws of [`Task`].
pub(crate) fn check_shape(name: &str, task: &Task) {
    let fine = |facts: &[Fact]| {
        let sorted = facts.windows(2).all(|pair| pair[0].var < pair[1].var);
        sorted && facts.iter().all(|fact| fact.value < task.domain_size(fact.var))
    };
    assert!(!task.variables.is_empty() && !task.goal.is_empty(), "{name}: an empty task");
    assert!(task.variables.iter().all(|variable| variable.values.len() >= 2), "{name}: a constant");
    assert!(fine(&task.goal), "{name}: goal");
    for operator in &task.operators {
        assert!(fine(&operator.precondition), "{name}: {}", operator.name);
        assert!(!operator.effects.is_empty(), "{name}: {} does nothing", operator.name);
        for effect in &operator.effects {
            assert!(fine(&effect.condition), "{name}: {}", operator.name);
            assert!(task.variables[effect.fact.var].derived.is_none(), "{name}: {}", operator.name);
        }
    }
    let layer = |var: VarId| task.variables[var].derived.expect("derived").layer;
    for axiom in &task.axioms {
        assert!(fine(&axiom.condition), "{name}: an axiom");
        for fact in &axiom.condition {
            if let Some(derived) = task.variables[fact.var].derived {
                let lower = derived.layer < layer(axiom.head.var);
                let level = derived.layer == layer(axiom.head.var) && fact.value != derived.default;
                assert!(lower || level, "{name}: an axiom looks up");
            }
        }
    }
    for (var, variable) in task.variables.enumerate() {
        if let Some(derived) = variable.derived {
            assert_eq!(task.initial[var], derived.default, "{name}: defaults");
        }
    }
    let text = counterplay_task::sas::write(task);
    assert!(counterplay_task::sas::read(&text).is_ok(), "{name}: the translator format");
}

/// Groups hold in every reachable state, pairs in every one from which the goal can be reached; effects on
/// one variable never disagree.
fn check_mutexes(name: &str, task: &Task) {
    let holds = |state: &IdVec<VarId, Value>, fact: &Fact| state[fact.var] == fact.value;
    for (state, distance) in counterplay_testkit::goal_distances(task) {
        for group in &task.mutex_groups {
            let count = group.iter().filter(|fact| holds(&state, fact)).count();
            assert!(count <= 1, "{name}: {:?}", names(task, group));
        }
        if distance.is_some() {
            for &(a, b) in &task.mutex_pairs {
                assert!(!holds(&state, &a) || !holds(&state, &b), "{name}: {:?}", names(task, &[a, b]));
            }
        }
        for operator in task.operators.iter().filter(|op| op.precondition.iter().all(|f| holds(&state, f))) {
            let mut set: HashMap<VarId, Value> = HashMap::new();
            for effect in operator.effects.iter().filter(|e| e.condition.iter().all(|f| holds(&state, f))) {
                let value = *set.entry(effect.fact.var).or_insert(effect.fact.value);
                assert_eq!(value, effect.fact.value, "{name}: effects of {} disagree", operator.name);
            }
        }
    }
}

fn names<'a>(task: &'a Task, facts: &[Fact]) -> Vec<&'a str> {
    facts.iter().map(|&fact| task.fact_name(fact)).collect()
}

/// The reachable states of the task are those of the problem, seen through its variables.
fn check_states(name: &str, problem: &Problem, task: &Task, all: &BTreeMap<State, Number>) {
    let atoms: HashMap<String, GroundAtom> = all
        .keys()
        .flatten()
        .map(|atom| {
            let text = problem.atom_text(atom);
            let mut words = text[1..text.len() - 1].split(' ');
            let predicate = words.next().expect("a predicate");
            (format!("Atom {predicate}({})", words.collect::<Vec<_>>().join(", ")), atom.clone())
        })
        .collect();
    // Auxiliary variables have no counterpart in the problem.
    let known: Vec<VarId> = task.variables.ids().filter(|&var| !is_auxiliary(task, var)).collect();
    if known.iter().any(|&var| task.variables[var].values[0].starts_with("the goal")) {
        return;
    }
    let project = |state: &State| -> Vec<Value> {
        let value = |&var: &VarId| {
            let values = &task.variables[var].values;
            let is_true = |text: &str| atoms.get(text).is_some_and(|atom| state.contains(atom));
            let fits = |text: &String| match text.strip_prefix("Negated") {
                Some(atom) => !is_true(atom),
                None => is_true(text),
            };
            let found: Vec<usize> = (0..values.len()).filter(|&value| fits(&values[value])).collect();
            let none = values.iter().position(|text| text == "<none of those>");
            match (&found[..], none) {
                ([only], _) => *only as Value,
                ([], Some(none)) => none as Value,
                _ => panic!("{name}: {values:?} in {state:?}"),
            }
        };
        known.iter().map(value).collect()
    };
    let expected: BTreeSet<Vec<Value>> = all.keys().map(project).collect();
    let found: BTreeSet<Vec<Value>> = counterplay_testkit::reachable(task)
        .iter()
        .map(|state| known.iter().map(|&var| state[var]).collect())
        .collect();
    assert_eq!(found, expected, "{name}: reachable states");
}

fn is_auxiliary(task: &Task, var: VarId) -> bool {
    task.variables[var].values.iter().any(|value| value.contains("new-axiom@"))
}
