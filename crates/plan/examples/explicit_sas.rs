//! Runs A* on a task in the translator's format and tells how fast it was.
//!
//! `cargo run --release --example explicit_sas -- output.sas [blind|lmcut] [seconds]`

use std::time::{Duration, Instant};

use counterplay_base::{Budget, Silent, Verdict};
use counterplay_plan::Heuristic;
use counterplay_plan::explicit::AStar;
use counterplay_task::{apply, close_under_axioms, is_applicable, is_goal, sas};

fn main() {
    let mut args = std::env::args().skip(1);
    let Some(path) = args.next() else {
        eprintln!("usage: explicit_sas output.sas [blind|lmcut] [seconds]");
        std::process::exit(2);
    };
    let heuristic = match args.next().as_deref() {
        Some("blind") => Heuristic::Blind,
        _ => Heuristic::LmCut,
    };
    let seconds = args.next().and_then(|word| word.parse().ok()).unwrap_or(30.0);
    let text = std::fs::read_to_string(&path).expect("a readable file");
    let start = Instant::now();
    let task = sas::read(&text).unwrap_or_else(|error| panic!("{path}: {error}"));
    let mut search = AStar::new(&task, heuristic);
    let prepared = start.elapsed();
    let verdict = search.run(&Budget::unlimited().with_time(Duration::from_secs_f64(seconds)), &Silent);
    let seconds = start.elapsed().as_secs_f64();
    let figures = search.figures();
    let answer = match verdict {
        Verdict::Solved(plan) => {
            let mut state = task.initial.clone();
            close_under_axioms(&task, &mut state);
            for &op in &plan.operators {
                assert!(is_applicable(&task, &state, op), "an inapplicable step");
                state = apply(&task, &state, op);
            }
            assert!(is_goal(&task, &state), "the plan misses the goal");
            assert_eq!(task.plan_cost(&plan.operators), Some(plan.cost));
            plan.cost.to_string()
        }
        Verdict::Unsolvable => "unsolvable".to_owned(),
        Verdict::Stopped(limit) => limit.to_string(),
    };
    println!(
        "cost {answer} h {} bound {} expanded {} evaluated {} states {} reopened {} prepared {:.3} seconds {seconds:.3} evaluations/s {:.0}",
        figures.initial_estimate,
        figures.lower_bound,
        figures.expanded,
        figures.evaluated,
        figures.states,
        figures.reopened,
        prepared.as_secs_f64(),
        figures.evaluated as f64 / (seconds - prepared.as_secs_f64()).max(1e-6),
    );
}
