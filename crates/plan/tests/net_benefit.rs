//! From PDDL text to the best net benefit, compared with the checker on all short plans.
//!
//! Random small problems with preferences, numbers and metrics of both kinds. Every plan of a few steps is given to
//! the checker, which knows nothing of grounding: no plan among them may beat what the searches call best, and what
//! they call best must be worth what they say.

use std::fmt::Write;

use counterplay_base::{Budget, Silent, Verdict};
use counterplay_check::{Flaw, Step, check_plan, read_plan};
use counterplay_ground::{Error, Options as Grounding, ground, metric_of};
use counterplay_pddl::model::{Number, Problem};
use counterplay_plan::{Options, PlanSearch, solve};
use counterplay_syntax::Sources;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Plans up to this length are all tried.
const DEPTH: usize = 3;

fn read(domain: &str, problem: &str) -> Problem {
    let mut sources = Sources::default();
    let (domain, problem) = (sources.add("domain", domain), sources.add("problem", problem));
    counterplay_pddl::read(&sources, domain, problem).expect("the text is sound")
}

/// A random domain and problem.
fn random_problem(seed: u64) -> (String, String) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let pick = |rng: &mut ChaCha8Rng, of: &[&str]| (*of.choose(rng).expect("not empty")).to_owned();
    let atoms = ["(p)", "(r)", "(q ?x)"];
    let mut domain = String::from(
        "(define (domain d) (:requirements :adl :numeric-fluents :preferences) (:types t)
         (:predicates (p) (r) (q ?x - t)) (:functions (n) (m ?x - t) (size ?x - t) (lost ?x - t) (total-cost) (spent))\n",
    );
    for action in 0..rng.random_range(2..=4u32) {
        let mut precondition = Vec::new();
        let mut effect = Vec::new();
        for _ in 0..rng.random_range(0..=1u32) {
            let atom = pick(&mut rng, &atoms);
            precondition.push(if rng.random_ratio(1, 2) { atom } else { format!("(not {atom})") });
        }
        for _ in 0..rng.random_range(1..=2u32) {
            let atom = pick(&mut rng, &atoms);
            effect.push(if rng.random_ratio(2, 3) { atom } else { format!("(not {atom})") });
        }
        let number = pick(&mut rng, &["(n)", "(m ?x)"]);
        let amount = pick(&mut rng, &["1", "2", "(size ?x)", "1.5"]);
        match rng.random_range(0..6u32) {
            0 | 1 => {
                precondition.push(format!("(<= (+ {number} {amount}) 4)"));
                effect.push(format!("(increase {number} {amount})"));
            }
            2 => {
                precondition.push(format!("(not (< {number} {amount}))"));
                effect.push(format!("(decrease {number} {amount})"));
            }
            3 => effect.push(format!("(assign {number} {amount})")),
            4 => precondition.push(format!("(or (r) (> {number} 1) (= (n) (m ?x)))")),
            _ => {}
        }
        if rng.random_ratio(1, 6) {
            precondition.push("(preference early (and (p) (< (n) 2)))".to_owned());
        }
        if rng.random_ratio(2, 3) {
            let cost = pick(&mut rng, &["1", "2", "(size ?x)", "(* 0.5 (size ?x))", "(lost ?x)"]);
            effect.push(format!("(increase (total-cost) {cost})"));
        }
        if rng.random_ratio(1, 4) {
            effect.push("(increase (spent) 1)".to_owned());
        }
        let (precondition, effect) = (precondition.join(" "), effect.join(" "));
        let _ = writeln!(
            domain,
            "(:action a{action} :parameters (?x - t) :precondition (and {precondition}) :effect (and {effect}))"
        );
    }
    domain.push(')');
    let wishes = [
        "(preference w0 (p))",
        "(preference w1 (not (r)))",
        "(preference w1 (q a))",
        "(forall (?x - t) (preference w2 (q ?x)))",
        "(preference w3 (and (p) (exists (?x - t) (not (q ?x)))))",
        "(preference w4 (>= (n) 2))",
        "(forall (?x - t) (preference w5 (imply (q ?x) (< (m ?x) (n)))))",
        "(preference (r))",
        "(preference w6 (not (= (n) 1)))",
    ];
    let mut goal: Vec<&str> = wishes.iter().copied().filter(|_| rng.random_ratio(1, 2)).collect();
    if rng.random_ratio(1, 2) {
        goal.push(["(p)", "(r)", "(q b)", "(> (n) 0)"].choose(&mut rng).expect("not empty"));
    }
    let mut sum = String::from("(total-cost) (* 2 (spent))");
    for name in ["w0", "w1", "w2", "w3", "w4", "w5", "w6", "early"] {
        let is_there =
            goal.iter().any(|wish| wish.contains(name)) || domain.contains(&format!("preference {name} "));
        if is_there && rng.random_ratio(5, 6) {
            let weight = ["1", "2.5", "4", "(size b)", "7"].choose(&mut rng).expect("not empty");
            let _ = write!(sum, " (* {weight} (is-violated {name}))");
        }
    }
    let metric = match rng.random_ratio(1, 2) {
        true => format!("(:metric minimize (+ {sum} 3))"),
        false => format!("(:metric maximize (- 20 (+ {sum})))"),
    };
    let problem = format!(
        "(define (problem x) (:domain d) (:objects a b - t)
          (:init (q a) (= (n) 0) (= (m a) 1) (= (m b) 2) (= (size a) 1) (= (size b) 3) (= (lost a) 1)
                 (= (total-cost) 0) (= (spent) 0))
          (:goal (and {})) {metric})",
        goal.join(" ")
    );
    (domain, problem)
}

/// The best metric of all plans with at most `DEPTH` steps.
fn best_short_plan(problem: &Problem) -> Option<Number> {
    let objects: Vec<_> = problem.objects.ids().collect();
    let mut steps = Vec::new();
    for action in problem.actions.ids() {
        steps.extend(objects.iter().map(|&object| Step { action, arguments: vec![object], at: None }));
    }
    let maximize = problem.metric.as_ref().expect("there is a metric").maximize;
    let mut best: Option<Number> = None;
    let mut open: Vec<Vec<usize>> = vec![Vec::new()];
    while let Some(plan) = open.pop() {
        let chosen: Vec<Step> = plan.iter().map(|&at| steps[at].clone()).collect();
        match check_plan(problem, &chosen, &Budget::unlimited()) {
            Ok(checked) => {
                let metric = checked.metric.expect("it has a value");
                let is_better = |best| if maximize { metric > best } else { metric < best };
                if best.is_none_or(is_better) {
                    best = Some(metric);
                }
            }
            Err(Flaw::Goal { .. }) => {}
            Err(_) => continue,
        }
        if plan.len() < DEPTH {
            open.extend((0..steps.len()).map(|next| [&plan[..], &[next]].concat()));
        }
    }
    best
}

#[test]
fn no_short_plan_is_better_than_the_best() {
    let (mut solved, mut refused, mut moved) = (0, 0, 0);
    for seed in 0..250 {
        let (domain, text) = random_problem(seed);
        let problem = read(&domain, &text);
        let context = format!("seed {seed}\n{domain}\n{text}");
        let budget = Budget::unlimited();
        let task = match ground(&problem, &Grounding::default(), &budget, &Silent) {
            Ok(task) => task,
            Err(Error::Unbounded { .. } | Error::SeveralChanges { .. }) => {
                refused += 1;
                continue;
            }
            Err(error) => panic!("{error}: {context}"),
        };
        let worth = metric_of(&problem, &budget).expect("a linear metric").expect("a metric");
        let short = best_short_plan(&problem);
        for search in [PlanSearch::Explicit, PlanSearch::Dijkstra, PlanSearch::Auto] {
            let options = Options { search, ..Options::default() };
            let plan = match solve(&task, &options, &budget, &Silent).verdict {
                Verdict::Solved(plan) => plan,
                Verdict::Unsolvable => {
                    assert_eq!(short, None, "{search:?}: {context}");
                    continue;
                }
                Verdict::Stopped(limit) => panic!("{limit}"),
            };
            let metric = worth.of_units(plan.cost, task.cost_unit).expect("small numbers");
            let mut sources = Sources::default();
            let steps: String =
                plan.operators.iter().map(|&op| format!("({})\n", task.operators[op].name)).collect();
            let file = sources.add("plan", steps.clone());
            let steps_read = read_plan(&sources, file, &problem).expect("a plan");
            let checked = check_plan(&problem, &steps_read, &budget);
            let checked = checked.unwrap_or_else(|flaw| panic!("{search:?}: {flaw}: {steps}\n{context}"));
            assert_eq!(checked.metric, Some(metric), "{search:?}: {steps}\n{context}");
            if let Some(short) = short {
                let beaten = if worth.maximize { short > metric } else { short < metric };
                assert!(!beaten, "{search:?}: {short} instead of {metric}: {context}");
            }
            if plan.operators.len() <= DEPTH {
                assert_eq!(short, Some(metric), "{search:?}: {context}");
            }
            solved += 1;
            moved += usize::from(!plan.operators.is_empty());
        }
    }
    assert!(
        solved > 500 && moved > 300 && refused < 20,
        "{solved} solved, {moved} with steps, {refused} refused"
    );
}
