//! Both searches against each other and against what the literature says.

use std::cell::{Cell, RefCell};

use counterplay_base::{Budget, Silent, Verdict};
use counterplay_check::{CheckedPolicy, Guarantee, PolicyFlaw, PolicyOptions, check_policy, read_policy};
use counterplay_generate::Files;
use counterplay_generate::fond::{hunter_prey, robot_navigation};
use counterplay_ground::{Options as Grounding, ground_outcomes};
use counterplay_pddl::model::Problem;
use counterplay_policy::graph::graph;
use counterplay_policy::{
    Agent, Answer, Class, End, Nature, Options, Policy, PolicySearch, act, ground_rules, rules, solve,
    solve_telling, text,
};
use counterplay_syntax::Sources;
use counterplay_task::NondetTask;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn lifted(domain: &str, problem: &str) -> Problem {
    let mut sources = Sources::default();
    let (domain, problem) = (sources.add("domain", domain), sources.add("problem", problem));
    counterplay_pddl::read(&sources, domain, problem).expect("the text is sound")
}

fn grounded(problem: &Problem) -> NondetTask {
    ground_outcomes(problem, &Grounding::default(), &Budget::unlimited(), &Silent).expect("supported").0
}

fn nondet(domain: &str, problem: &str) -> NondetTask {
    grounded(&lifted(domain, problem))
}

/// What the checker says about the text of a policy.
fn checked(problem: &Problem, text: &str, options: PolicyOptions) -> Result<CheckedPolicy, PolicyFlaw> {
    let mut sources = Sources::default();
    let file = sources.add("policy", text);
    let policy = read_policy(&sources, file, problem).expect("the policy can be read");
    check_policy(problem, &policy.rules, options, &Budget::unlimited())
}

/// One by one up to so many states.
fn up_to(most_states: usize, wanted: Guarantee) -> PolicyOptions {
    PolicyOptions { wanted, most_states, only_runs: false, runs: 10, seed: 1 }
}

fn guarantee(class: Class) -> Guarantee {
    match class {
        Class::Strong => Guarantee::Strong,
        Class::StrongCyclic => Guarantee::StrongCyclic,
        Class::Weak => Guarantee::Weak,
    }
}

fn answer(task: &NondetTask, class: Option<Class>, search: PolicySearch) -> Answer {
    solve(task, &Options { class, search, seed: 0 }, &Budget::unlimited(), &Silent)
}

fn exists(task: &NondetTask, class: Class, search: PolicySearch) -> bool {
    match answer(task, Some(class), search).verdict {
        Verdict::Solved(_) => true,
        Verdict::Unsolvable => false,
        Verdict::Stopped(limit) => panic!("{limit}"),
    }
}

/// A corridor whose door may slam: stepping through reaches the goal or leaves one where one is, or, in the second
/// variant, breaks the leg.
fn corridor(breaks: bool) -> NondetTask {
    let other = if breaks { "(not (well))" } else { "(and)" };
    let domain = format!(
        "(define (domain corridor) (:requirements :non-deterministic) (:predicates (out) (well))
           (:action step :precondition (well) :effect (oneof (out) {other})))"
    );
    nondet(&domain, "(define (problem p) (:domain corridor) (:init (well)) (:goal (out)))")
}

#[test]
fn an_outcome_that_changes_nothing_is_an_outcome() {
    let found = answer(&corridor(false), None, PolicySearch::Auto);
    assert!(matches!(&found.verdict, Verdict::Solved(policy) if policy.class == Class::StrongCyclic));
    assert_eq!(found.impossible, [Class::Strong]);
}

#[test]
fn a_dead_end_leaves_a_weak_policy_only() {
    let found = answer(&corridor(true), None, PolicySearch::Auto);
    assert!(matches!(&found.verdict, Verdict::Solved(policy) if policy.class == Class::Weak));
    assert_eq!(found.impossible, [Class::Strong, Class::StrongCyclic]);
}

#[test]
fn every_initial_state_counts() {
    let domain = "(define (domain d) (:requirements :non-deterministic) (:predicates (a) (b) (c) (g))
        (:action x :precondition (a) :effect (g)) (:action y :precondition (b) :effect (g)))";
    let problem = |choice: &str| format!("(define (problem p) (:domain d) (:init {choice}) (:goal (g)))");
    assert!(exists(&nondet(domain, &problem("(oneof (a) (b))")), Class::Strong, PolicySearch::Auto));
    let lost = nondet(domain, &problem("(oneof (a) (c))"));
    for class in [Class::Strong, Class::StrongCyclic, Class::Weak] {
        assert!(!exists(&lost, class, PolicySearch::Auto), "{class:?}");
    }
}

/// Two agents meet in a hallway ("Planning for interactions among autonomous agents", 2008, figures 2 to 4). In the second variant the other one always
/// steps aside while we wait.
fn hallway(always_aside: bool) -> Problem {
    let wait = if always_aside { "(and (not (s2)) (s1))" } else { "(oneof (and (not (s2)) (s1)) (and))" };
    let domain = format!(
        "(define (domain hallway) (:requirements :non-deterministic) (:predicates (s0) (s1) (s2) (s3))
           (:action move-right :precondition (s0)
             :effect (oneof (and (not (s0)) (s1)) (and (not (s0)) (s2))))
           (:action pass :precondition (s1) :effect (and (not (s1)) (s3)))
           (:action wait :precondition (s2) :effect {wait}))"
    );
    lifted(&domain, "(define (problem p) (:domain hallway) (:init (s0)) (:goal (s3)))")
}

#[test]
fn the_hallway_has_the_classes_that_the_paper_states() {
    const BOTH: &str = "(if (s0) (move-right)) (if (s1) (pass)) (if (s2) (wait))";
    const WITHOUT_WAIT: &str = "(if (s0) (move-right)) (if (s1) (pass))";
    let class = |problem: &Problem, policy| {
        checked(problem, policy, up_to(100, Guarantee::Weak)).expect("the goal may be reached").guarantee
    };
    let (first, second) = (hallway(false), hallway(true));
    assert_eq!(class(&first, BOTH), Guarantee::StrongCyclic);
    assert_eq!(class(&second, BOTH), Guarantee::Strong);
    assert_eq!(class(&first, WITHOUT_WAIT), Guarantee::Weak);
    for (problem, expected, impossible) in
        [(&first, Class::StrongCyclic, &[Class::Strong][..]), (&second, Class::Strong, &[])]
    {
        let found = answer(&grounded(problem), None, PolicySearch::Auto);
        assert!(matches!(&found.verdict, Verdict::Solved(policy) if policy.class == expected), "{found:?}");
        assert_eq!(found.impossible, impossible);
    }
}

/// A random graph whose edges are actions with one to four outcomes: other nodes, changes under conditions and for all
/// lamps, nothing at all, and the same once more. A third of them begin in one of two nodes.
fn random_graph(seed: u64) -> Problem {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let nodes = random.random_range(3..9);
    let predicates: String = (0..nodes).map(|node| format!("(n{node})")).collect();
    let mut domain = format!(
        "(define (domain d) (:requirements :adl :non-deterministic) (:types lamp) (:constants l1 l2 - lamp)
           (:predicates {predicates} (odd) (lit ?l - lamp))"
    );
    for action in 0..random.random_range(2..12) {
        let from = random.random_range(0..nodes);
        let mut outcomes: Vec<String> = (0..random.random_range(1..4))
            .map(|_| match (random.random_range(0..nodes), random.random_range(0..3)) {
                (to, 0) if to == from => "(when (odd) (not (odd)))".to_owned(),
                (to, 1) if to == from => "(forall (?l - lamp) (when (lit ?l) (not (lit ?l))))".to_owned(),
                (to, _) if to == from => "(and)".to_owned(),
                (to, 0) => format!("(and (not (n{from})) (n{to}) (when (lit l2) (odd)))"),
                (to, _) => format!("(and (not (n{from})) (n{to}))"),
            })
            .collect();
        if random.random_range(0..4) == 0 {
            outcomes.push(outcomes[0].clone());
        }
        let guard = ["(odd)", "(lit l1)", "", "", "", "", "", ""][random.random_range(0..8)];
        let outcomes = outcomes.join(" ");
        domain +=
            &format!(" (:action a{action} :precondition (and (n{from}) {guard}) :effect (oneof {outcomes}))");
    }
    domain += ")";
    let start = if seed.is_multiple_of(3) { "(oneof (n0) (n1))" } else { "(n0)" };
    let problem =
        format!("(define (problem p) (:domain d) (:init {start} (odd) (lit l1)) (:goal (n{})))", nodes - 1);
    lifted(&domain, &problem)
}

#[test]
fn both_searches_agree_on_what_exists_and_pass_the_check() {
    let mut counts = [0; 3];
    for seed in 0..150 {
        let problem = random_graph(seed);
        let task = grounded(&problem);
        let mut found = Vec::new();
        for class in [Class::Strong, Class::StrongCyclic, Class::Weak] {
            let mut verdicts = Vec::new();
            for search in [PolicySearch::Explicit, PolicySearch::Symbolic, PolicySearch::Auto] {
                let verdict = answer(&task, Some(class), search).verdict;
                if let Verdict::Solved(policy) = &verdict {
                    let text = text(policy.class, &rules(&task, policy));
                    for most_states in [0, 10_000] {
                        let checked = checked(&problem, &text, up_to(most_states, guarantee(class)));
                        assert!(
                            checked.as_ref().is_ok_and(|it| it.is_certain()),
                            "seed {seed} {class:?} {search:?} {most_states}: {checked:?}\n{text}"
                        );
                    }
                }
                verdicts.push(matches!(verdict, Verdict::Solved(_)));
            }
            assert!(verdicts.iter().all(|&it| it == verdicts[0]), "seed {seed} {class:?} {verdicts:?}");
            found.push(verdicts[0]);
        }
        assert!(found[1] >= found[0] && found[2] >= found[1], "seed {seed}");
        counts.iter_mut().zip(found).for_each(|(count, exists)| *count += usize::from(exists));
    }
    assert!(counts[0] > 20 && counts[1] > counts[0] && counts[2] > counts[1], "{counts:?}");
}

/// What is told before a stronger policy is looked for is a policy of its class, and what the answer says about the stronger class is what the
/// fixpoint says.
#[test]
fn a_policy_is_told_before_it_is_strengthened() {
    let (mut told, mut excluded) = (0, 0);
    for seed in 0..150 {
        let problem = random_graph(seed);
        let task = grounded(&problem);
        let first = RefCell::new(Vec::new());
        let options = Options { class: None, search: PolicySearch::Auto, seed: 0 };
        let found = solve_telling(&task, &options, &Budget::unlimited(), &Silent, &|found| {
            assert_eq!(found.policy.class == Class::Weak, found.open.contains(&Class::StrongCyclic));
            first.borrow_mut().push(found.policy.clone());
        });
        assert_eq!(found.open, [], "seed {seed}: nothing stays open without a limit");
        let has_strong = exists(&task, Class::Strong, PolicySearch::Symbolic);
        for policy in first.into_inner() {
            let text = text(policy.class, &rules(&task, &policy));
            let checked = checked(&problem, &text, up_to(10_000, guarantee(policy.class)));
            assert!(checked.is_ok_and(|it| it.is_certain()), "seed {seed}\n{text}");
            told += 1;
        }
        let is_excluded = found.impossible.contains(&Class::Strong);
        excluded += usize::from(is_excluded);
        assert_eq!(is_excluded, !has_strong, "seed {seed}");
    }
    assert!(told > 5 && excluded > 5, "{told} told, {excluded} excluded");
}

/// A limit that falls while a stronger policy is looked for leaves the one that is there, and says what is open.
#[test]
fn a_limit_leaves_the_policy_and_what_is_open() {
    let (_, task) = case_study(&hunter_prey(6, 3, false));
    let told = Cell::new(false);
    let budget = Budget::unlimited();
    let cancel = budget.canceller();
    let options = Options { class: None, search: PolicySearch::Auto, seed: 0 };
    let found = solve_telling(&task, &options, &budget, &Silent, &|found| {
        if found.policy.class == Class::StrongCyclic {
            told.set(true);
            cancel();
        }
    });
    assert!(told.get());
    assert!(matches!(&found.verdict, Verdict::Solved(policy) if policy.class == Class::StrongCyclic));
    assert_eq!((&found.impossible[..], &found.open[..]), (&[][..], &[Class::Strong][..]));
}

/// The checker that goes by sets of states against the one that looks at each state, on policies that anybody might
/// write: an action for each node, at random, and sometimes none.
#[test]
fn sets_of_states_say_what_single_states_say() {
    let mut counts = [0; 2];
    for seed in 0..900 {
        let problem = random_graph(seed);
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut policy = String::new();
        for action in problem.actions.iter() {
            if random.random_range(0..4) > 0 {
                let odd = ["", "(odd)", "(not (odd))"][random.random_range(0..3)];
                // The node that the action needs is the one that its first outcome leaves, or any.
                let node = random.random_range(0..3);
                policy += &format!("(if (and (n{node}) {odd}) ({}))\n", action.name);
            }
        }
        let (mut at_once, mut one_by_one) = (Vec::new(), Vec::new());
        for wanted in [Guarantee::Strong, Guarantee::StrongCyclic] {
            at_once.push(checked(&problem, &policy, up_to(0, wanted)));
            one_by_one.push(checked(&problem, &policy, up_to(10_000, wanted)));
        }
        for (sets, states) in at_once.iter().zip(&one_by_one) {
            match (sets, states) {
                (Ok(sets), Ok(states)) => {
                    assert_eq!(sets.guarantee, states.guarantee, "seed {seed}\n{policy}");
                    counts[0] += 1;
                }
                (Err(_), Err(_)) => counts[1] += 1,
                _ => panic!("seed {seed}: {sets:?} {states:?}\n{policy}"),
            }
        }
    }
    assert!(counts.iter().all(|&count| count > 10), "{counts:?}");
}

#[test]
fn a_wrong_policy_is_refused_with_a_trace() {
    let problem = hallway(false);
    for most_states in [0, 100] {
        let check = |policy, wanted| checked(&problem, policy, up_to(most_states, wanted));
        let missing = check("(if (s0) (move-right)) (if (s1) (pass))", Guarantee::StrongCyclic);
        assert!(
            matches!(&missing, Err(PolicyFlaw::Unanswered { trace, .. }) if trace == &["(move-right)"]),
            "{missing:?}"
        );
        let wrong = check("(if (s0) (pass))", Guarantee::StrongCyclic);
        assert!(
            matches!(&wrong, Err(PolicyFlaw::Inapplicable { trace, .. }) if trace.is_empty()),
            "{wrong:?}"
        );
        let cycle = check("(if (s0) (move-right)) (if (s1) (pass)) (if (s2) (wait))", Guarantee::Strong);
        assert!(matches!(&cycle, Err(PolicyFlaw::Cycle { .. })), "{cycle:?}");
    }
}

fn case_study(files: &Files) -> (Problem, NondetTask) {
    let problem = lifted(&files.domain, &files.problem);
    let task = grounded(&problem);
    (problem, task)
}

fn solved(task: &NondetTask, search: PolicySearch) -> Policy {
    match answer(task, Some(Class::StrongCyclic), search).verdict {
        Verdict::Solved(policy) => policy,
        other => panic!("{other:?}"),
    }
}

#[test]
fn stages_catch_one_prey_after_the_other() {
    for apart in [false, true] {
        let (problem, task) = case_study(&hunter_prey(3, 2, apart));
        let policy = solved(&task, PolicySearch::Staged);
        let text = text(policy.class, &rules(&task, &policy));
        for most_states in [0, 100_000] {
            let checked = checked(&problem, &text, up_to(most_states, Guarantee::StrongCyclic));
            assert!(checked.is_ok_and(|it| it.is_certain()), "apart {apart}");
        }
        assert!(!exists(&task, Class::Strong, PolicySearch::Auto), "prey can always dodge");
    }
}

#[test]
fn prey_that_keep_apart_never_meet() {
    let (problem, task) = case_study(&hunter_prey(2, 2, true));
    let policy = solved(&task, PolicySearch::Auto);
    let pictured = graph(&task, &policy, usize::MAX, 100_000, &Budget::unlimited()).unwrap();
    assert!(pictured.is_whole && !pictured.nodes.is_empty());
    for node in &pictured.nodes {
        let of = |prey: &str| {
            let own = node.condition.iter().find(|atom| atom.starts_with(&format!("(prey-at {prey} ")));
            own.map(|atom| atom.rsplit(' ').next().unwrap_or_default().to_owned())
        };
        assert!(of("p1").is_none() || of("p1") != of("p2"), "{node:?}");
    }
    assert_eq!(problem.objects.len(), 6);
}

#[test]
fn a_graph_of_many_states_has_a_node_for_each_pair() {
    let (_, task) = case_study(&hunter_prey(3, 1, false));
    let policy = solved(&task, PolicySearch::Auto);
    let grouped = graph(&task, &policy, 10, 100_000, &Budget::unlimited()).unwrap();
    assert!(grouped.is_whole && grouped.nodes.len() <= policy.pairs.len() + 1);
    assert_eq!(grouped.nodes.iter().filter(|node| node.is_goal).count(), 1);
    let part = graph(&task, &policy, 10, 20, &Budget::unlimited()).unwrap();
    assert!(!part.is_whole && part.nodes.iter().map(|node| node.states).sum::<usize>() == 20);
}

#[test]
fn agents_reach_the_goal_and_stop_at_their_limit() {
    let (problem, task) = case_study(&robot_navigation(1, 2, 3));
    let policy = solved(&task, PolicySearch::Auto);
    let pairs = ground_rules(&task, &rules(&task, &policy), |atom| {
        problem.init.iter().any(|own| problem.atom_text(own) == atom)
    });
    for agent in [Agent::Policy(&policy), Agent::Rules(&pairs), Agent::Replan] {
        let run = act(&task, agent, &Nature::Random(7), 5000, &Budget::unlimited()).unwrap();
        assert_eq!(run.end, End::Reached, "{agent:?}");
        let same = act(&task, agent, &Nature::Random(7), 5000, &Budget::unlimited()).unwrap();
        assert_eq!(run.steps, same.steps, "the same seed gives the same run");
    }
    let (ground_rules, own) = (Agent::Rules(&pairs), Agent::Policy(&policy));
    let run = |agent| act(&task, agent, &Nature::Random(1), 5000, &Budget::unlimited()).unwrap().steps;
    assert_eq!(run(ground_rules), run(own), "a policy in words does what it did before");
    let short = act(&task, own, &Nature::Adversary, 3, &Budget::unlimited()).unwrap();
    assert_eq!((short.end, short.steps.len()), (End::OutOfSteps, 3));
    let script = act(&task, own, &Nature::Script(vec![9]), 10, &Budget::unlimited()).unwrap();
    assert!(matches!(script.end, End::NoSuchOutcome(_)), "{:?}", script.end);
}

/// Two parts of a disjunction that simplify to the same precondition are one action, not a broken one.
#[test]
fn disjunctive_preconditions_that_become_equal_keep_their_action() {
    let plain = "(define (domain d) (:requirements :adl :non-deterministic) (:predicates (p) (q) (z) (goal))
       (:action a :precondition (or (p) (q)) :effect (oneof (and) (goal)))
       (:action b :precondition (z) :effect (and (not (p)) (not (q)))))";
    let derived = "(define (domain d) (:requirements :adl :derived-predicates :non-deterministic)
       (:predicates (p) (q) (z) (d) (e) (goal)) (:derived (d) (p)) (:derived (e) (q))
       (:action a :precondition (or (d) (e)) :effect (oneof (and) (goal)))
       (:action b :precondition (z) :effect (and (not (p)) (not (q)))))";
    let problem = "(define (problem x) (:domain d) (:init (p) (q)) (:goal (goal)))";
    for domain in [plain, derived] {
        for search in [PolicySearch::Auto, PolicySearch::Explicit, PolicySearch::Symbolic] {
            let found = answer(&nondet(domain, problem), None, search);
            assert!(matches!(&found.verdict, Verdict::Solved(policy) if policy.class == Class::StrongCyclic));
        }
    }
    let starts = "(define (domain d) (:requirements :adl) (:predicates (p) (q) (z) (r) (s) (goal))
       (:action a :precondition (or (p) (q)) :effect (goal))
       (:action b :precondition (z) :effect (and (not (p)) (not (q)))))";
    let problem = "(define (problem x) (:domain d) (:init (p) (q) (oneof (r) (s))) (:goal (goal)))";
    let found = answer(&nondet(starts, problem), None, PolicySearch::Auto);
    assert!(matches!(&found.verdict, Verdict::Solved(policy) if policy.class == Class::Strong));
}

/// A policy that never comes to a state twice is strong, whichever search found it, and is told to be without fixpoints.
#[test]
fn a_policy_without_loops_is_strong_as_it_is() {
    let domain = "(define (domain hop) (:requirements :non-deterministic) (:predicates (a) (b) (c))
        (:action hop :precondition (a) :effect (and (not (a)) (oneof (b) (c))))
        (:action step :precondition (b) :effect (and (not (b)) (c))))";
    let task = nondet(domain, "(define (problem p) (:domain hop) (:init (a)) (:goal (c)))");
    let found = answer(&task, None, PolicySearch::Explicit);
    assert!(matches!(&found.verdict, Verdict::Solved(policy) if policy.class == Class::Strong));
    assert_eq!(found.statistics.peak_nodes, 0, "no decision diagram was needed");
}
