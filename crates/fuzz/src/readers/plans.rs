//! Plans and policies for one small problem each. What can be read is also checked: the checker must not panic either.

use std::sync::OnceLock;
use std::time::Duration;

use counterplay_base::Budget;
use counterplay_check::{
    Guarantee, PolicyOptions, check_decomposition, check_network_policy, check_plan, check_policy,
    is_decomposition, is_network_policy, is_policy, read_decomposition, read_network_policy, read_plan,
    read_policy,
};
use counterplay_pddl::model::Problem;
use counterplay_syntax::{FileId, Sources};

use super::{Reader, check_diagnostic, text_of};

/// Two rooms, a ball that may slip, and numbers.
const DOMAIN: &str = "(define (domain d) (:requirements :adl :typing :non-deterministic :numeric-fluents)
  (:types room ball) (:predicates (in ?r - room) (at ?b - ball ?r - room) (held ?b - ball)) (:functions (total-cost))
  (:action go :parameters (?f ?t - room) :precondition (in ?f) :effect (and (in ?t) (not (in ?f)) (increase (total-cost) 2)))
  (:action grip :parameters (?b - ball ?r - room) :precondition (and (in ?r) (at ?b ?r))
    :effect (oneof (and (held ?b) (not (at ?b ?r))) (and)))
  (:action drop :parameters (?b - ball ?r - room) :precondition (and (in ?r) (held ?b))
    :effect (and (at ?b ?r) (not (held ?b)))))";
const PROBLEM: &str = "(define (problem p) (:domain d) (:objects a b - room x - ball)
  (:init (in a) (at x a)) (:goal (at x b)))";

/// Fetching by a method with two orders.
const NETWORK_DOMAIN: &str = "(define (domain d) (:requirements :typing :hierarchy :negative-preconditions)
  (:types room ball) (:predicates (in ?r - room) (at ?b - ball ?r - room))
  (:task fetch :parameters (?b - ball))
  (:method walk :parameters (?b - ball ?f ?t - room) :task (fetch ?b) :precondition (and (in ?f) (at ?b ?t))
    :subtasks (and (s0 (go ?f ?t)) (s1 (take ?b ?t))) :ordering (and (< s0 s1)))
  (:method here :parameters (?b - ball ?r - room) :task (fetch ?b) :precondition (in ?r)
    :ordered-subtasks (and (take ?b ?r)))
  (:action go :parameters (?f ?t - room) :precondition (in ?f) :effect (and (in ?t) (not (in ?f))))
  (:action take :parameters (?b - ball ?r - room) :precondition (and (in ?r) (at ?b ?r)) :effect (not (at ?b ?r))))";
const NETWORK_PROBLEM: &str = "(define (problem p) (:domain d) (:objects a b - room x y - ball)
  (:htn :subtasks (and (t0 (fetch x)) (t1 (fetch y)))) (:init (in a) (at x a) (at y b)))";

static PLAIN: OnceLock<(Sources, Problem)> = OnceLock::new();
static NETWORK: OnceLock<(Sources, Problem)> = OnceLock::new();

fn known(
    place: &'static OnceLock<(Sources, Problem)>,
    domain: &str,
    problem: &str,
) -> &'static (Sources, Problem) {
    place.get_or_init(|| {
        let mut sources = Sources::default();
        let files = (sources.add("domain", domain), sources.add("problem", problem));
        let read = counterplay_pddl::read(&sources, files.0, files.1).expect("a problem of our own");
        (sources, read)
    })
}

fn plain() -> &'static (Sources, Problem) {
    known(&PLAIN, DOMAIN, PROBLEM)
}

fn network() -> &'static (Sources, Problem) {
    known(&NETWORK, NETWORK_DOMAIN, NETWORK_PROBLEM)
}

/// The files of the problem, and one more with this text.
fn with(sources: &Sources, text: &str) -> (Sources, FileId) {
    let mut sources = sources.clone();
    let file = sources.add("input", text);
    (sources, file)
}

fn budget() -> Budget {
    Budget::unlimited().with_time(Duration::from_secs(1)).with_nodes(20_000)
}

pub(super) const PLAN: Reader = Reader {
    name: "plan",
    about: "a plan of one step a line; its steps as text read back as the same",
    read: plan,
    words: &[
        "(go a b)",
        "(grip x a)",
        "(drop x b)",
        "; cost = 3 (general cost)\n",
        "0.000: ",
        "[1.000]",
        "3:",
        "GO",
        "\n",
        "(",
        ")",
    ],
    sample: 3000,
};

fn plan(bytes: &[u8]) {
    let (sources, problem) = plain();
    let (sources, file) = with(sources, &text_of(bytes));
    match read_plan(&sources, file, problem) {
        Err(errors) => errors.iter().for_each(|error| check_diagnostic(&sources, &error.diagnostic())),
        Ok(steps) => {
            let plain = |steps: &[counterplay_check::Step]| -> Vec<String> {
                steps.iter().map(|step| step.text(problem)).collect()
            };
            let text = plain(&steps).join("\n");
            let (sources, file) = with(&sources, &text);
            let again = read_plan(&sources, file, problem).expect("steps as text are a plan");
            assert_eq!(plain(&again), plain(&steps));
            // Whether the plan is right does not matter here.
            let _ = check_plan(problem, &steps, &budget());
        }
    }
}

pub(super) const POLICY: Reader = Reader {
    name: "policy",
    about: "a policy of pairs of a condition and a step; its pairs as text read back as the same",
    read: policy,
    words: &[
        "(class strong)",
        "(class strong-cyclic)",
        "(class weak)",
        "(if (and (in a) (at x a)) (grip x a))",
        "(if (not (held x)) (go a b))",
        "(and",
        "(not",
        "(in a)",
        "(at x b)",
        "(held x)",
        "()",
        "(if",
    ],
    sample: 3000,
};

fn policy(bytes: &[u8]) {
    let (sources, problem) = plain();
    let (sources, file) = with(sources, &text_of(bytes));
    is_policy(&sources, file);
    match read_policy(&sources, file, problem) {
        Err(errors) => errors.iter().for_each(|error| check_diagnostic(&sources, &error.diagnostic())),
        Ok(policy) => {
            let printed = |policy: &counterplay_check::PolicyText| -> Vec<String> {
                let pair = |rule: &counterplay_check::Rule| {
                    let literals = rule.condition.iter().map(|(atom, truth)| match truth {
                        true => problem.atom_text(atom),
                        false => format!("(not {})", problem.atom_text(atom)),
                    });
                    let condition: Vec<String> = literals.collect();
                    format!("(if (and {}) {})", condition.join(" "), rule.step.text(problem))
                };
                policy.rules.iter().map(pair).collect()
            };
            let text = printed(&policy);
            let (sources, file) = with(&sources, &text.join("\n"));
            let again = read_policy(&sources, file, problem).expect("pairs as text are a policy");
            assert_eq!(printed(&again), text);
            let wanted = policy.claimed.unwrap_or(Guarantee::Weak);
            let options = PolicyOptions { wanted, most_states: 200, only_runs: false, runs: 2, seed: 1 };
            let _ = check_policy(problem, &policy.rules, options, &budget());
        }
    }
}

pub(super) const HTN_PLAN: Reader = Reader {
    name: "htn-plan",
    about: "a plan with its decomposition, as the competition of 2020 writes them",
    read: htn_plan,
    words: &[
        "==>\n",
        "<==\n",
        "root 0 1\n",
        "0 take x a\n",
        "1 go a b\n",
        "2 take y b\n",
        "3 fetch x -> here 0\n",
        "4 fetch y -> walk 1 2\n",
        "->",
        "18446744073709551616",
        "root",
    ],
    sample: 3000,
};

fn htn_plan(bytes: &[u8]) {
    let (sources, problem) = network();
    let (sources, file) = with(sources, &text_of(bytes));
    is_decomposition(&sources, file);
    let found = match read_decomposition(&sources, file, problem) {
        Ok(found) => found,
        Err(errors) => {
            assert!(!errors.is_empty(), "a failure has an error");
            return errors.iter().for_each(|error| check_diagnostic(&sources, &error.diagnostic()));
        }
    };
    let hierarchy = problem.hierarchy.as_ref().expect("a problem with tasks");
    let numbers = |list: &[u64]| list.iter().map(u64::to_string).collect::<Vec<_>>().join(" ");
    let bare = |text: String| text.trim_start_matches('(').trim_end_matches(')').to_owned();
    let mut lines = vec!["==>".to_owned()];
    lines.extend(found.actions.iter().map(|(number, step)| format!("{number} {}", bare(step.text(problem)))));
    lines.push(format!("root {}", numbers(&found.roots)));
    for (number, refined) in &found.tasks {
        let task = bare(problem.application(&hierarchy.tasks[refined.task].name, &refined.arguments));
        let method = &hierarchy.methods[refined.method].name;
        lines.push(format!("{number} {task} -> {method} {}", numbers(&refined.subtasks)));
    }
    lines.push("<==".to_owned());
    let (sources, file) = with(&sources, &lines.join("\n"));
    let again = read_decomposition(&sources, file, problem).expect("a decomposition as text reads back");
    let actions = |text: &counterplay_check::DecompositionText| -> Vec<(u64, String)> {
        text.actions.iter().map(|(number, step)| (*number, step.text(problem))).collect()
    };
    assert_eq!(actions(&again), actions(&found));
    assert_eq!(again.roots, found.roots);
    assert_eq!(again.tasks.len(), found.tasks.len());
    if let Err(flaw) = check_decomposition(problem, &found, &budget()) {
        check_diagnostic(&sources, &flaw.diagnostic());
    }
}

pub(super) const NETWORK_POLICY: Reader = Reader {
    name: "network-policy",
    about: "a policy over state and task network",
    read: network_policy,
    words: &[
        "(network-policy strong (values))\n",
        "(network-policy strong-cyclic (values))\n",
        "(0 (by here (fetch x) (values x a)) 1)\n",
        "(1 (do (take x a)) 2)\n",
        "(2 (end))\n",
        "(by walk (fetch y) (values y a b))",
        "(do",
        "(values",
        "99999999999999999999",
    ],
    sample: 3000,
};

fn network_policy(bytes: &[u8]) {
    let (sources, problem) = network();
    let (sources, file) = with(sources, &text_of(bytes));
    is_network_policy(&sources, file);
    match read_network_policy(&sources, file, problem) {
        Err(flaw) => check_diagnostic(&sources, &flaw.diagnostic()),
        Ok(policy) => {
            if let Err(flaw) = check_network_policy(problem, &policy, policy.claimed, &budget()) {
                check_diagnostic(&sources, &flaw.diagnostic());
            }
        }
    }
}
