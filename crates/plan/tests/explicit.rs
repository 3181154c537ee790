//! A* against enumeration, and its manners: interruptions, limits, repeated questions.

use std::time::Duration;

use counterplay_base::{Budget, Limit, Silent, Verdict};
use counterplay_plan::explicit::{AStar, astar};
use counterplay_plan::{Heuristic, Plan};
use counterplay_task::{Task, apply, close_under_axioms, is_applicable, is_goal};
use counterplay_testkit::{brute_force, random_task};

/// Walks through a plan by the plain semantics.
fn assert_valid(task: &Task, plan: &Plan) {
    let mut state = task.initial.clone();
    close_under_axioms(task, &mut state);
    for &op in &plan.operators {
        assert!(is_applicable(task, &state, op));
        state = apply(task, &state, op);
    }
    assert!(is_goal(task, &state));
    assert_eq!(task.plan_cost(&plan.operators), Some(plan.cost));
}

fn cost(task: &Task, verdict: Verdict<Plan>) -> Option<u64> {
    match verdict {
        Verdict::Solved(plan) => {
            assert_valid(task, &plan);
            Some(plan.cost)
        }
        Verdict::Unsolvable => None,
        Verdict::Stopped(limit) => panic!("stopped: {limit}"),
    }
}

#[test]
fn both_heuristics_agree_with_enumeration() {
    for seed in 0..1000 {
        let task = random_task(seed);
        let truth = brute_force(&task);
        for heuristic in [Heuristic::Blind, Heuristic::LmCut] {
            let answer = astar(&task, heuristic, &Budget::unlimited(), &Silent);
            assert_eq!(answer.statistics.upper_bound, truth, "seed {seed}, {heuristic:?}");
            if let Some(truth) = truth {
                assert_eq!(answer.statistics.lower_bound, truth, "seed {seed}, {heuristic:?}");
            }
            assert_eq!(cost(&task, answer.verdict), truth, "seed {seed}, {heuristic:?}");
        }
    }
}

#[test]
fn a_sliced_search_ends_like_a_whole_one() {
    for seed in 0..200 {
        let task = random_task(seed);
        let whole = astar(&task, Heuristic::LmCut, &Budget::unlimited(), &Silent);
        let mut search = AStar::new(&task, Heuristic::LmCut);
        let mut bound = 0;
        let mut slices = 0;
        let verdict = loop {
            // An empty slice stops at once; one node more each time lets the search go on a little.
            slices += 1;
            let verdict = search.run(&Budget::unlimited().with_nodes(slices), &Silent);
            assert!(search.lower_bound() >= bound);
            bound = search.lower_bound();
            if !matches!(verdict, Verdict::Stopped(_)) {
                break verdict;
            }
        };
        assert_eq!(verdict, whole.verdict, "seed {seed}");
        // Asking again costs nothing and changes nothing.
        assert_eq!(search.run(&Budget::unlimited(), &Silent), whole.verdict);
    }
}

/// A task with far more states than any test has time for: a counter over many bits.
fn endless() -> Task {
    let mut task = random_task(0);
    let variable = counterplay_task::Variable {
        name: "bit".into(),
        values: vec!["0".into(), "1".into()],
        derived: None,
    };
    let fact = |i: usize, value| counterplay_task::Fact { var: counterplay_base::Id::new(i), value };
    task.variables = vec![variable; 60].into();
    task.initial = vec![0; 60].into();
    task.axioms.clear();
    task.operators = (0..60)
        .map(|i| counterplay_task::Operator {
            name: format!("increment {i}"),
            precondition: (0..=i).map(|j| fact(j, u32::from(j < i))).collect(),
            effects: (0..=i)
                .map(|j| counterplay_task::Effect { condition: Vec::new(), fact: fact(j, u32::from(j == i)) })
                .collect(),
            cost: 1,
        })
        .collect();
    task.goal = (0..60).map(|i| fact(i, 1)).collect();
    task
}

#[test]
fn time_and_cancellation_are_honoured() {
    let task = endless();
    for heuristic in [Heuristic::Blind, Heuristic::LmCut] {
        let budget = Budget::unlimited().with_time(Duration::from_millis(100));
        let answer = astar(&task, heuristic, &budget, &Silent);
        assert!(matches!(answer.verdict, Verdict::Stopped(Limit::Time(_))));
        assert!(budget.elapsed() < Duration::from_secs(30));
        assert!(answer.statistics.lower_bound > 0);
        let budget = Budget::unlimited();
        budget.cancel();
        let answer = astar(&task, heuristic, &budget, &Silent);
        assert_eq!(answer.verdict, Verdict::Stopped(Limit::Cancelled));
    }
}

#[test]
fn memory_is_asked_for_before_it_is_taken() {
    let task = endless();
    for heuristic in [Heuristic::Blind, Heuristic::LmCut] {
        let budget = Budget::unlimited().with_memory(1 << 20, || Some(0)).with_time(Duration::from_secs(20));
        let mut search = AStar::new(&task, heuristic);
        assert_eq!(search.run(&budget, &Silent), Verdict::Stopped(Limit::Bytes(1 << 20)));
        assert!(search.figures().states < 1 << 18);
        // With more memory the search goes on from where it was.
        let states = search.figures().states;
        let more = Budget::unlimited().with_nodes(2 * states);
        assert_eq!(search.run(&more, &Silent), Verdict::Stopped(Limit::Nodes(2 * states)));
        assert!(search.figures().states > states);
    }
}

#[test]
fn landmarks_may_be_forgotten() {
    // Landmarks get an eighth of the memory: here so little that they are forgotten all the time.
    let budget = Budget::unlimited().with_memory(1 << 16, || Some(0));
    for seed in 0..300 {
        let task = random_task(seed);
        let answer = astar(&task, Heuristic::LmCut, &budget, &Silent);
        assert_eq!(cost(&task, answer.verdict), brute_force(&task), "seed {seed}");
    }
}

#[test]
fn tasks_without_operators_are_decided() {
    let mut task = random_task(1);
    task.operators = Vec::new().into();
    let expected = brute_force(&task);
    for heuristic in [Heuristic::Blind, Heuristic::LmCut] {
        assert_eq!(cost(&task, astar(&task, heuristic, &Budget::unlimited(), &Silent).verdict), expected);
    }
    task.goal.clear();
    let answer = astar(&task, Heuristic::LmCut, &Budget::unlimited(), &Silent);
    assert_eq!(answer.verdict, Verdict::Solved(Plan { operators: Vec::new(), cost: 0 }));
}
