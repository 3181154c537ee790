//! Soft goals: every search agrees with brute force on the best sum of cost and violation.

use counterplay_base::{Budget, Limit, Progress, Report, Silent, Verdict};
use counterplay_plan::{Direction, Heuristic, Options, PlanSearch, solve};
use counterplay_task::{Task, apply, close_under_axioms, is_applicable, is_goal, total_cost};
use counterplay_testkit::{add_random_soft_goals, add_true_losses, brute_force, random_task};
use std::sync::Mutex;
use std::time::Duration;

fn random_soft_task(seed: u64) -> Task {
    let mut task = random_task(seed);
    // Weights are small, so huge costs would leave nothing to weigh.
    task.operators.iter_mut().for_each(|op| op.cost %= 7);
    add_random_soft_goals(&mut task, seed);
    task
}

fn agrees(task: &Task, options: &Options, least: Option<u64>, context: &str) {
    match solve(task, options, &Budget::unlimited(), &Silent).verdict {
        Verdict::Solved(plan) => {
            let mut state = task.initial.clone();
            close_under_axioms(task, &mut state);
            for &op in &plan.operators {
                assert!(is_applicable(task, &state, op), "{context}");
                state = apply(task, &state, op);
            }
            assert!(is_goal(task, &state), "{context}");
            assert_eq!(total_cost(task, &plan.operators), Some(plan.cost), "{context}");
            assert_eq!(Some(plan.cost), least, "{context}");
        }
        Verdict::Unsolvable => assert_eq!(None, least, "{context}"),
        Verdict::Stopped(limit) => panic!("{context}: {limit}"),
    }
}

#[test]
fn symbolic_searches_agree_with_brute_force() {
    let mut worth_a_step = 0;
    for seed in 0..300 {
        let task = random_soft_task(seed);
        let least = brute_force(&task);
        for direction in [Direction::Forward, Direction::Backward, Direction::Both] {
            let options = Options { search: PlanSearch::Dijkstra, direction, ..Options::default() };
            agrees(&task, &options, least, &format!("seed {seed}, {direction:?}"));
        }
        let options = Options { search: PlanSearch::AStar, ..Options::default() };
        agrees(&task, &options, least, &format!("seed {seed}, A*"));
        let stay = total_cost(&task, &[]).filter(|_| is_goal(&task, &task.initial));
        worth_a_step += usize::from(least.is_some() && stay.is_some_and(|stay| least < Some(stay)));
    }
    assert!(worth_a_step > 30, "{worth_a_step} tasks in which doing nothing is not best");
}

#[test]
fn the_compiled_task_has_the_same_best() {
    for seed in 0..300 {
        let task = random_soft_task(seed);
        let least = brute_force(&task);
        for heuristic in [Heuristic::Blind, Heuristic::LmCut] {
            let options = Options { search: PlanSearch::Explicit, heuristic, ..Options::default() };
            agrees(&task, &options, least, &format!("seed {seed}, {heuristic:?}"));
        }
        agrees(&task, &Options::default(), least, &format!("seed {seed}, auto"));
    }
}

#[test]
fn states_that_are_given_up_were_hopeless() {
    for seed in 0..250 {
        let mut task = random_soft_task(seed);
        let least = brute_force(&task);
        add_true_losses(&mut task);
        for direction in [Direction::Forward, Direction::Both] {
            let options = Options { search: PlanSearch::Dijkstra, direction, ..Options::default() };
            agrees(&task, &options, least, &format!("seed {seed}, {direction:?}"));
        }
    }
}

/// Remembers the cost of every better plan.
#[derive(Default)]
struct Costs(Mutex<Vec<u64>>);

impl Progress for Costs {
    fn report(&self, report: Report<'_>) {
        if report.phase == "better plan" {
            let best = report.counts.iter().find(|(name, _)| *name == "best").expect("it is told");
            self.0.lock().expect("one thread").push(best.1 as u64);
        }
    }
}

#[test]
fn better_plans_are_reported_and_the_last_is_best() {
    let mut several = 0;
    for seed in 0..200 {
        let task = random_soft_task(seed);
        let costs = Costs::default();
        let options =
            Options { search: PlanSearch::Dijkstra, direction: Direction::Forward, ..Options::default() };
        let answer = solve(&task, &options, &Budget::unlimited(), &costs);
        let told = costs.0.into_inner().expect("one thread");
        assert!(told.windows(2).all(|pair| pair[1] < pair[0]), "seed {seed}: {told:?}");
        assert_eq!(told.last().copied(), answer.verdict.solved().map(|plan| plan.cost), "seed {seed}");
        several += usize::from(told.len() > 1);
    }
    assert!(several > 20, "{several} tasks with more than one plan on the way");
}

#[test]
fn a_search_without_time_says_so() {
    let task = random_soft_task(1);
    let budget = Budget::unlimited().with_time(Duration::ZERO);
    let answer = solve(&task, &Options::default(), &budget, &Silent);
    assert!(matches!(answer.verdict, Verdict::Stopped(Limit::Time(_))), "{:?}", answer.verdict);
}
