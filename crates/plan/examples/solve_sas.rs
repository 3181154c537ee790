//! Solves a task in the translator format: `cargo run --release -p counterplay-plan --example solve_sas -- output.sas`.

use std::time::{Duration, Instant};

use counterplay_base::{Budget, Silent};
use counterplay_plan::{Direction, Options, PlanSearch, solve};

fn main() {
    let mut args = std::env::args().skip(1);
    let path = args
        .next()
        .expect("usage: solve_sas FILE [SECONDS] [auto|bfs|dijkstra|astar|explicit] [forward|backward|both]");
    let seconds = args.next().map_or(60.0, |text| text.parse().expect("seconds"));
    let search = match args.next().as_deref() {
        None | Some("auto") => PlanSearch::Auto,
        Some("bfs") => PlanSearch::Bfs,
        Some("dijkstra") => PlanSearch::Dijkstra,
        Some("astar") => PlanSearch::AStar,
        Some("explicit") => PlanSearch::Explicit,
        Some(other) => panic!("unknown search {other}"),
    };
    let direction = match args.next().as_deref() {
        None | Some("both") => Direction::Both,
        Some("forward") => Direction::Forward,
        Some("backward") => Direction::Backward,
        Some(other) => panic!("unknown direction {other}"),
    };
    let text = std::fs::read_to_string(&path).expect("a readable file");
    let task = counterplay_task::sas::read(&text).expect("a task");
    let began = Instant::now();
    let budget = Budget::unlimited().with_time(Duration::from_secs_f64(seconds));
    let options = Options { search, direction, ..Options::default() };
    let answer = solve(&task, &options, &budget, &Silent);
    let took = began.elapsed().as_secs_f64();
    let outcome = answer.verdict.map(|plan| (plan.cost, plan.operators.len()));
    println!("{path}: {outcome:?} {took:.3} s {:?}", answer.statistics);
}
