//! Solves a game in layers on disk and prints what it took, layer by layer: for measuring.
//!
//! `solve GAME FOLDER WORKERS MEMORY-IN-MIB [PARTS [PROCESSES PROCESS HOSTS]]`

use std::path::PathBuf;
use std::time::Instant;

use counterplay_base::{Budget, Progress, Report};
use counterplay_cluster::{Hosts, PARTS, Plan, solve};
use counterplay_ggp::explicit::Order;
use counterplay_ggp::layered::digest_of_layers;
use counterplay_ground::game::{ground_game, prove_structure};
use counterplay_syntax::Sources;

struct Print(Instant);

impl Progress for Print {
    fn report(&self, report: Report<'_>) {
        eprintln!("{:9.2} {} {:?}", self.0.elapsed().as_secs_f64(), report.phase, report.counts);
    }
}

/// CPU seconds of the process, user and system.
fn cpu() -> f64 {
    let told = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let rest: Vec<&str> = told.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks = |at: usize| rest.get(at).and_then(|text| text.parse::<f64>().ok()).unwrap_or_default();
    (ticks(11) + ticks(12)) / 100.0
}

/// The line of this name in the status of the process.
fn status(name: &str) -> String {
    let told = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    told.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default().trim().to_owned()
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number =
        |at: usize, other: usize| arguments.get(at).map_or(other, |text| text.parse().expect("a number"));
    let path = arguments.first().expect("a game");
    let text = std::fs::read_to_string(path).expect("readable");
    let mut sources = Sources::default();
    let file = sources.add(path, &text);
    let rules = counterplay_gdl::read(&sources, file).expect("a rule sheet");
    let print = Print(Instant::now());
    let budget = Budget::unlimited();
    let game = ground_game(&rules, &budget, &print).expect("ground rules");
    let structure = prove_structure(&game, &budget).expect("no limit");
    let processes = arguments.get(7).map(|hosts| {
        let text = std::fs::read_to_string(hosts).expect("readable");
        (Hosts::read(&text, number(5, 1)).expect("a host file"), number(6, 0))
    });
    let plan = Plan {
        folder: PathBuf::from(arguments.get(1).expect("a folder")),
        parts: number(4, PARTS),
        workers: number(2, 1),
        processes,
        memory: number(3, 4096) << 20,
    };
    let found = solve(&game, &structure, Order::Own, &plan, &budget, &print).expect("solved");
    println!("layers {:?}", found.layer_states);
    println!("states {}, symmetries {}", found.layer_states.iter().sum::<u64>(), found.symmetries);
    println!(
        "value {:?}, outcomes {:?} {:?}",
        found.outcomes[found.value], found.outcomes, found.outcome_states
    );
    println!("digest {}", digest_of_layers(&found.layer_digests));
    println!("bytes on disk {}, spilled {}, exchanged {}", found.disk, found.spilled, found.sent);
    println!(
        "{:.2} s, {:.2} s of CPU time, peak {}",
        print.0.elapsed().as_secs_f64(),
        cpu(),
        status("VmHWM:")
    );
}
