//! Certificates about policies, task networks and hidden states: right ones pass, and no text passes for a false claim.

use counterplay_base::{Budget, Limit};
use counterplay_check::{
    ClosureClaim, ClosureFlaw, Confirmation, Guarantee, NotCertified, PolicyText, certify_no_contingent,
    certify_no_decomposition, certify_no_policy, certify_policy, check_closure, confirm_no_policy,
    is_closure, read_policy,
};
use counterplay_pddl::model::Problem;
use counterplay_syntax::Sources;

const CLASSES: [Guarantee; 3] = [Guarantee::Weak, Guarantee::StrongCyclic, Guarantee::Strong];

fn read(domain: &str, problem: &str) -> Problem {
    let mut sources = Sources::default();
    let (domain, problem) = (sources.add("domain", domain), sources.add("problem", problem));
    counterplay_pddl::read(&sources, domain, problem).expect("the text is sound")
}

fn policy(problem: &Problem, text: &str) -> PolicyText {
    let mut sources = Sources::default();
    let file = sources.add("policy", text);
    read_policy(&sources, file, problem).expect("the policy is sound")
}

fn check(problem: &Problem, text: &str) -> Result<ClosureClaim, ClosureFlaw> {
    check_closure(problem, text, None, &Budget::unlimited()).map(|checked| checked.claim)
}

/// Numbers that depend on a seed only.
struct Draw(u64);

impl Draw {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }
}

/// A graph of states in which nature has a say: for each state its moves, each with its outcomes. The last state is the goal.
fn random_graph(seed: u64, states: usize) -> Vec<Vec<Vec<usize>>> {
    let mut draw = Draw(seed);
    (0..states)
        .map(|_| {
            (0..draw.below(3)).map(|_| (0..=draw.below(3)).map(|_| draw.below(states)).collect()).collect()
        })
        .collect()
}

fn problem_of(graph: &[Vec<Vec<usize>>]) -> Problem {
    let mut actions = String::new();
    for (state, moves) in graph.iter().enumerate() {
        for (number, outcomes) in moves.iter().enumerate() {
            let outcome = |&next: &usize| match next == state {
                true => "(and)".to_owned(),
                false => format!("(and (not (at s{state})) (at s{next}))"),
            };
            let outcomes: Vec<String> = outcomes.iter().map(outcome).collect();
            actions += &format!(
                "(:action m{state}-{number} :precondition (at s{state}) :effect (oneof {}))",
                outcomes.join(" ")
            );
        }
    }
    let names: Vec<String> = (0..graph.len()).map(|state| format!("s{state}")).collect();
    let domain = format!(
        "(define (domain d) (:requirements :non-deterministic) (:constants {}) (:predicates (at ?s)) {actions})",
        names.join(" ")
    );
    let goal = graph.len() - 1;
    read(&domain, &format!("(define (problem p) (:domain d) (:init (at s0)) (:goal (at s{goal})))"))
}

fn exists(problem: &Problem, wanted: Guarantee) -> bool {
    match confirm_no_policy(problem, wanted, 1000, &Budget::unlimited()) {
        Confirmation::Confirmed { .. } => false,
        Confirmation::Refuted(_) => true,
        Confirmation::TooLarge => panic!("a few states are not too many"),
    }
}

/// A text without one of its lines, for each line of a node.
fn without_a_line(text: &str) -> impl Iterator<Item = String> + '_ {
    let lines: Vec<&str> = text.lines().collect();
    (3..lines.len()).map(move |gone| {
        let kept = lines.iter().enumerate().filter(|(at, _)| *at != gone);
        kept.map(|(_, line)| format!("{line}\n")).collect()
    })
}

#[test]
fn what_has_no_policy_has_a_certificate() {
    let (mut counts, mut damages) = ([0; 3], [0; 2]);
    for seed in 0..300 {
        let problem = problem_of(&random_graph(seed, 6));
        for (class, wanted) in CLASSES.into_iter().enumerate() {
            let text = certify_no_policy(&problem, wanted, 100, &Budget::unlimited());
            if exists(&problem, wanted) {
                assert_eq!(text, Err(NotCertified::Refuted), "seed {seed}, {wanted:?}");
                continue;
            }
            counts[class] += 1;
            let text = text.expect("there is no policy");
            assert!(is_closure(&text));
            assert_eq!(check(&problem, &text), Ok(ClosureClaim::No(wanted)), "seed {seed}:\n{text}");
            // A node that another one makes up for may be left out; the first one is the beginning.
            for (at, damaged) in without_a_line(&text).enumerate() {
                let is_refused = check(&problem, &damaged).is_err();
                assert!(is_refused || at > 0, "seed {seed}, {wanted:?}:\n{damaged}");
                damages[usize::from(is_refused)] += 1;
            }
        }
    }
    assert!(counts.iter().all(|&count| count > 20), "{counts:?}");
    assert!(damages[1] > 10 * damages[0], "{damages:?}");
}

/// Every certificate of a negative claim that can be written down for four states and two ranks.
#[test]
fn no_text_passes_for_a_false_negative_claim() {
    let mut tried = 0;
    for seed in 0..150 {
        let problem = problem_of(&random_graph(seed, 4));
        for wanted in CLASSES {
            if !exists(&problem, wanted) {
                continue;
            }
            for mut code in 0..3usize.pow(4) {
                let word = ClosureClaim::No(wanted).word();
                let mut text = format!("counterplay certificate 1\nclaim {word}\nabout states\n");
                for state in 0..4 {
                    if code % 3 > 0 {
                        text += &format!("state {} (at s{state})\n", code % 3 - 1);
                    }
                    code /= 3;
                }
                text += "end\n";
                tried += 1;
                assert!(check(&problem, &text).is_err(), "seed {seed}, {wanted:?}:\n{text}");
            }
        }
    }
    assert!(tried > 5_000, "{tried}");
}

/// Every choice of action and rank for three states.
#[test]
fn no_text_passes_for_a_false_positive_claim() {
    let (mut accepted, mut refused) = (0, 0);
    for seed in 0..150 {
        let graph = random_graph(seed, 3);
        let problem = problem_of(&graph);
        for wanted in [Guarantee::Strong, Guarantee::StrongCyclic] {
            let exists = exists(&problem, wanted);
            for mut code in 0..(6usize.pow(3)) {
                let word = ClosureClaim::Is(wanted).word();
                let mut text = format!("counterplay certificate 1\nclaim {word}\nabout states\n");
                for (state, moves) in graph.iter().enumerate() {
                    let (rank, action) = (code % 3, code / 3 % 2);
                    let action = moves.get(action).map(|_| format!(" do (m{state}-{action})"));
                    text += &format!("state {rank} (at s{state}){}\n", action.unwrap_or_default());
                    code /= 6;
                }
                match check(&problem, &(text.clone() + "end\n")) {
                    Ok(_) => {
                        accepted += 1;
                        assert!(exists, "seed {seed}, {wanted:?}:\n{text}");
                    }
                    Err(_) => refused += 1,
                }
            }
        }
    }
    assert!(accepted > 50 && refused > 1000, "{accepted} {refused}");
}

const SLIPPERY: &str =
    "(define (domain slippery) (:requirements :non-deterministic) (:predicates (in ?r) (next ?a ?b) (wet ?r))
    (:action walk :parameters (?a ?b) :precondition (and (in ?a) (next ?a ?b))
      :effect (oneof (and (not (in ?a)) (in ?b)) (and)))
    (:action jump :parameters (?a ?b) :precondition (and (in ?a) (next ?a ?b) (not (wet ?a)))
      :effect (and (not (in ?a)) (in ?b))))";

fn hallway(wet: &str) -> Problem {
    let problem = format!(
        "(define (problem p) (:domain slippery) (:objects a b c) (:init (in a) (next a b) (next b c) {wet}) (:goal (in c)))"
    );
    read(SLIPPERY, &problem)
}

#[test]
fn policies_carry_their_ranks() {
    let budget = Budget::unlimited();
    let (dry, wet) = (hallway(""), hallway("(wet b)"));
    let jumps = policy(&dry, "(class strong) (if (in a) (jump a b)) (if (in b) (jump b c))");
    let walks = policy(&wet, "(class strong-cyclic) (if (in a) (jump a b)) (if (in b) (walk b c))");
    let strong = certify_policy(&dry, &jumps.rules, Guarantee::Strong, 10, &budget).expect("it is strong");
    let expected = "counterplay certificate 1\nclaim strong\nabout states\nstate 2 (in a) do (jump a b)\n\
                    state 1 (in b) do (jump b c)\nstate 0 (in c)\nend\n";
    assert_eq!(strong, expected);
    let checked = check_closure(&dry, &strong, Some(&jumps.rules), &budget).expect("it holds");
    assert!(checked.is_compared && checked.nodes == 3);
    let cyclic = certify_policy(&wet, &walks.rules, Guarantee::StrongCyclic, 10, &budget).expect("it is");
    assert_eq!(check(&wet, &cyclic), Ok(ClosureClaim::Is(Guarantee::StrongCyclic)));
    // Not more than it is, not another problem's, not another policy's.
    let stronger = cyclic.replacen("strong-cyclic", "strong", 1);
    assert!(matches!(check(&wet, &stronger), Err(ClosureFlaw::Wrong { line: 5, .. })));
    assert!(matches!(check(&wet, &strong), Err(ClosureFlaw::Wrong { line: 5, .. })));
    assert!(check_closure(&dry, &strong, Some(&walks.rules), &budget).is_err());
    assert_eq!(
        certify_policy(&wet, &walks.rules, Guarantee::Strong, 10, &budget),
        Err(NotCertified::Refuted)
    );
    for text in [strong, cyclic] {
        for damaged in without_a_line(&text) {
            assert!(check(&dry, &damaged).is_err() && check(&wet, &damaged).is_err(), "{damaged}");
        }
    }
    let none = certify_no_policy(&wet, Guarantee::Strong, 10, &budget).expect("there is none");
    assert!(none.contains("claim no-strong\n") && check(&wet, &none).is_ok(), "{none}");
    assert!(check(&dry, &none).is_err());
}

#[test]
fn flaws_have_a_line_and_a_reason() {
    let problem = hallway("");
    let flaw = |body: &str| {
        let text = format!("counterplay certificate 1\nclaim no-strong\nabout states\n{body}");
        check(&problem, &text).expect_err("it is damaged").to_string()
    };
    assert!(flaw("state 0 (in a)\n").contains("line 4: the file ends without `end`"));
    assert!(flaw("state x (in a)\nend\n").contains("line 4: expected a number"));
    assert!(flaw("state 0 (inn a)\nend\n").contains("no predicate `inn`"));
    assert!(flaw("state 0 (in q)\nend\n").contains("no object `q`"));
    assert!(flaw("state 0 (in a b)\nend\n").contains("takes 1 arguments, found 2"));
    assert!(flaw("state 0 (next a b)\nend\n").contains("cannot be listed"));
    assert!(
        flaw("state 0 (in a)\nstate 0 (in a)\nend\n").contains("line 5: this node is listed a second time")
    );
    assert!(flaw("state 0 ((in a)\nend\n").contains("parentheses"));
    assert!(flaw("state 0 (in a)\nend\nmore\n").contains("line 6: there is text after the end"));
    assert!(flaw("facts (in a)\nend\n").contains("line 4"));
    assert!(flaw("state 0 (in c)\nend\n").contains("beginning is not listed"));
    assert!(flaw("state 99999999999999999999999 (in a)\nend\n").contains("line 4"));
    assert!(check(&problem, "").is_err() && check(&problem, "counterplay certificate 2").is_err());
    let cancelled = Budget::unlimited();
    cancelled.cancel();
    let many = "state 0 (in a)\n".repeat(1000);
    let text = format!("counterplay certificate 1\nclaim no-strong\nabout states\n{many}end\n");
    let stopped = check_closure(&problem, &text, None, &cancelled);
    assert_eq!(stopped.unwrap_err(), ClosureFlaw::Stopped(Limit::Cancelled));
}

/// Two doors, one of which is open; without looking nobody knows which.
fn doors(observe: &str) -> Problem {
    let domain = format!(
        "(define (domain doors) (:requirements :contingent) (:predicates (open ?d) (out))
           (:action leave :parameters (?d) :precondition (open ?d) :effect (out)) {observe})"
    );
    read(
        &domain,
        "(define (problem p) (:domain doors) (:objects l r) (:init (oneof (open l) (open r)) (unknown (out)))
         (:goal (out)))",
    )
}

#[test]
fn hidden_states_are_refuted_by_belief_states() {
    let budget = Budget::unlimited();
    let blind = doors("");
    let text = certify_no_contingent(&blind, Guarantee::Strong, 100, &budget).expect("there is no plan");
    assert!(text.contains("about beliefs\n"), "{text}");
    assert_eq!(check(&blind, &text), Ok(ClosureClaim::No(Guarantee::Strong)));
    for damaged in without_a_line(&text) {
        assert!(check(&blind, &damaged).is_err(), "{damaged}");
    }
    let seeing = doors("(:action look :parameters (?d) :observe (open ?d))");
    assert_eq!(certify_no_contingent(&seeing, Guarantee::Strong, 100, &budget), Err(NotCertified::Refuted));
    assert!(check(&seeing, &text).is_err());
    let other = certify_no_contingent(&blind, Guarantee::StrongCyclic, 100, &budget);
    assert!(matches!(other, Err(NotCertified::NotCovered(_))));
}

const ERRANDS: &str = "(define (domain errands) (:requirements :hierarchy :method-preconditions :typing)
    (:types place) (:predicates (at ?p - place) (road ?a ?b - place))
    (:task reach :parameters (?p - place))
    (:method there :parameters (?p - place) :task (reach ?p) :precondition (at ?p) :ordered-subtasks ())
    (:method go :parameters (?a ?b ?p - place) :task (reach ?p) :precondition (and (at ?a) (road ?a ?b))
      :ordered-subtasks (and (drive ?a ?b) (reach ?p)))
    (:action drive :parameters (?a ?b - place) :precondition (and (at ?a) (road ?a ?b))
      :effect (and (not (at ?a)) (at ?b))))";

fn errand(goal: &str) -> Problem {
    let text = format!(
        "(define (problem p) (:domain errands) (:objects home shop far - place)
          (:htn :ordered-subtasks (reach {goal})) (:init (at home) (road home shop) (road shop home)))"
    );
    read(ERRANDS, &text)
}

#[test]
fn networks_without_a_decomposition_have_a_finite_closure() {
    let budget = Budget::unlimited();
    let lost = errand("far");
    let text = certify_no_decomposition(&lost, Guarantee::Weak, 100, &budget).expect("it cannot be done");
    assert!(text.contains("about situations\n") && text.contains("| (reach far)"), "{text}");
    assert_eq!(check(&lost, &text), Ok(ClosureClaim::No(Guarantee::Weak)));
    for damaged in without_a_line(&text) {
        assert!(check(&lost, &damaged).is_err(), "{damaged}");
    }
    let found = errand("shop");
    assert_eq!(certify_no_decomposition(&found, Guarantee::Weak, 100, &budget), Err(NotCertified::Refuted));
    assert!(check(&found, &text).is_err() && check(&found, &text.replace("far", "shop")).is_err());
    assert_eq!(
        certify_no_decomposition(&lost, Guarantee::Weak, 2, &budget),
        Err(NotCertified::TooMany(2, "situations"))
    );
}
