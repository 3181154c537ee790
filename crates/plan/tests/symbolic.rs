//! All symbolic searches agree with brute force on cost and on unsolvability, and their plans work.

use counterplay_base::{Budget, Silent, Verdict};
use counterplay_plan::{Direction, Options, Plan, PlanSearch, solve};
use counterplay_task::{Task, apply, close_under_axioms, is_applicable, is_goal};
use counterplay_testkit::{add_true_mutexes, brute_force, random_task};

const TASKS: u64 = 300;

/// Replays a plan by the plain semantics of tasks.
fn replay(task: &Task, plan: &Plan) {
    let mut state = task.initial.clone();
    close_under_axioms(task, &mut state);
    for &op in &plan.operators {
        assert!(is_applicable(task, &state, op), "{} is not applicable", task.operators[op].name);
        state = apply(task, &state, op);
    }
    assert!(is_goal(task, &state));
    assert_eq!(task.plan_cost(&plan.operators), Some(plan.cost));
}

fn agrees(task: &Task, options: &Options, least: Option<u64>, context: &str) {
    match solve(task, options, &Budget::unlimited(), &Silent).verdict {
        Verdict::Solved(plan) => {
            replay(task, &plan);
            assert_eq!(Some(plan.cost), least, "{context}");
        }
        Verdict::Unsolvable => assert_eq!(None, least, "{context}"),
        Verdict::Stopped(limit) => panic!("{context}: {limit}"),
    }
}

#[test]
fn uniform_cost_searches_agree_with_brute_force() {
    for seed in 0..TASKS {
        let task = random_task(seed);
        let least = brute_force(&task);
        for direction in [Direction::Forward, Direction::Backward, Direction::Both] {
            let options = Options { search: PlanSearch::Dijkstra, direction, ..Options::default() };
            agrees(&task, &options, least, &format!("seed {seed}, {direction:?}"));
        }
    }
}

#[test]
fn bdd_astar_agrees_with_brute_force() {
    for seed in 0..TASKS {
        let task = random_task(seed);
        let options = Options { search: PlanSearch::AStar, ..Options::default() };
        agrees(&task, &options, brute_force(&task), &format!("seed {seed}"));
    }
}

#[test]
fn mutexes_change_no_answer() {
    for seed in 0..TASKS {
        let mut task = random_task(seed);
        let least = brute_force(&task);
        add_true_mutexes(&mut task);
        for search in [PlanSearch::Dijkstra, PlanSearch::AStar] {
            for direction in [Direction::Backward, Direction::Both] {
                let options = Options { search, direction, ..Options::default() };
                agrees(&task, &options, least, &format!("seed {seed}, {search:?} {direction:?}"));
            }
        }
    }
}

#[test]
fn breadth_first_search_is_step_optimal() {
    for seed in 0..TASKS {
        let mut task = random_task(seed);
        task.operators.iter_mut().for_each(|op| op.cost = 1);
        let least = brute_force(&task);
        for direction in [Direction::Forward, Direction::Backward, Direction::Both] {
            let options = Options { search: PlanSearch::Bfs, direction, ..Options::default() };
            agrees(&task, &options, least, &format!("seed {seed}, {direction:?}"));
        }
    }
}

#[test]
fn a_budget_that_is_used_up_is_a_verdict() {
    let task = random_task(1);
    let budget = Budget::unlimited();
    budget.cancel();
    for search in
        [PlanSearch::Auto, PlanSearch::Bfs, PlanSearch::Dijkstra, PlanSearch::AStar, PlanSearch::Explicit]
    {
        let options = Options { search, ..Options::default() };
        let answer = solve(&task, &options, &budget, &Silent);
        assert!(matches!(answer.verdict, Verdict::Stopped(_)), "{search:?}");
    }
}
