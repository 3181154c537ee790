//! Solves files of problems and compares with the recorded answers: `problems ALGORITHM FILE.jsonl…`.

use std::time::Instant;

use counterplay_base::Budget;
use counterplay_belief::{Algorithm, solve};
use counterplay_kriegspiel::chess::Board;
use counterplay_kriegspiel::{Kriegspiel, check_plan};

fn main() {
    let (mut states, mut wrong) = (0, 0);
    let started = Instant::now();
    let mut arguments = std::env::args().skip(1);
    let name = arguments.next().expect("an algorithm");
    let algorithm = *Algorithm::ALL.iter().find(|one| one.name() == name).expect("a known algorithm");
    for file in arguments {
        let begun = Instant::now();
        let mut here = 0;
        let mut worst = (0, String::new());
        for line in std::fs::read_to_string(&file).expect("a readable file").lines() {
            let value: serde_json::Value = serde_json::from_str(line).expect("JSON");
            let belief: Vec<Board> = value["belief"]
                .as_array()
                .expect("a list")
                .iter()
                .map(|fen| fen.as_str().expect("text").parse().expect("a position"))
                .collect();
            let depth = value["depth"].as_u64().expect("a number") as usize;
            let Some(mate) = value["mate"].as_bool() else { continue };
            let world = Kriegspiel::default();
            let answer = solve(&world, &belief, depth, algorithm, &Budget::unlimited());
            let (found, effort) = (answer.verdict.solved(), answer.effort);
            if let Some(plan) = &found {
                check_plan(&world, &belief, plan, depth, &Budget::unlimited()).expect("a plan that wins");
            }
            let known: Vec<String> = value["winning_first_tries"]
                .as_array()
                .map(|tries| tries.iter().map(|mv| mv.as_str().expect("text").to_owned()).collect())
                .unwrap_or_default();
            if found.is_some() != mate || found.is_some_and(|plan| !known.contains(&plan.attempt.to_string()))
            {
                wrong += 1;
                println!("wrong: {}", value["id"]);
            }
            here += effort.states;
            if effort.states > worst.0 {
                worst = (effort.states, value["id"].to_string());
            }
        }
        states += here;
        println!("{file}: {here} states, {:.3} s, worst {worst:?}", begun.elapsed().as_secs_f64());
    }
    let seconds = started.elapsed().as_secs_f64();
    println!("{states} states in {seconds:.3} s, {:.2} M/s, {wrong} wrong", states as f64 / seconds / 1e6);
}
