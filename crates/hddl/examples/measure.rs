//! Runs the planner over a folder of HDDL problems and prints a line each: for measurements.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use counterplay_base::{Budget, Silent, Verdict};
use counterplay_hddl::{HddlProblem, Options, PreparedProblem, network_policy, shop};
use counterplay_syntax::Sources;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let folder = PathBuf::from(arguments.next().expect("a folder"));
    let seconds: f64 = arguments.next().map_or(5.0, |text| text.parse().expect("seconds"));
    let only = arguments.next().unwrap_or_default();
    let effort: u64 = arguments.next().map_or(20_000, |text| text.parse().expect("a number"));
    let mut files = Vec::new();
    for sub in std::fs::read_dir(folder).expect("a folder") {
        let path = sub.expect("readable").path();
        if path.is_dir() {
            files.extend(std::fs::read_dir(path).expect("readable").map(|it| it.expect("readable").path()));
        }
    }
    files.sort();
    for file in files {
        let name = file.display().to_string();
        if !name.ends_with(".hddl") || name.ends_with("domain.hddl") || !name.contains(&only) {
            continue;
        }
        measure(&file, seconds, effort);
    }
}

fn measure(file: &Path, seconds: f64, effort: u64) {
    let domain = file.with_file_name("domain.hddl");
    let mut sources = Sources::default();
    let mut add = |path: &Path| {
        sources.add(path.display().to_string(), std::fs::read_to_string(path).expect("readable"))
    };
    let (domain, problem) = (add(&domain), add(file));
    let start = Instant::now();
    let problem = counterplay_pddl::read(&sources, domain, problem).expect("it parses");
    let lifted = match HddlProblem::new(&problem) {
        Ok(lifted) => lifted,
        Err(error) => return println!("{}: {error}", file.display()),
    };
    let known = PreparedProblem::new(&lifted);
    let set_up = start.elapsed();
    let budget = Budget::unlimited().with_time(Duration::from_secs_f64(seconds));
    let name = file.display().to_string();
    let name = name.rsplit('/').take(2).collect::<Vec<_>>().join(" ");
    if lifted.is_nondeterministic() {
        let answer = network_policy(&known, None, &budget, &Silent);
        let text = match &answer.verdict {
            Verdict::Solved(policy) => format!("{:?} policy of {} nodes", policy.guarantee, policy.len()),
            Verdict::Unsolvable => "none".to_owned(),
            Verdict::Stopped(limit) => limit.to_string(),
        };
        return println!("{name}: {text}, {} pairs, {:.4} s", answer.pairs, start.elapsed().as_secs_f64());
    }
    let answer = shop(&known, Options { effort }, &budget, &Silent);
    let text = match &answer.verdict {
        Verdict::Solved(plan) => format!("{} (optimal {})", plan.len(), answer.is_optimal),
        Verdict::Unsolvable => "none".to_owned(),
        Verdict::Stopped(limit) => limit.to_string(),
    };
    println!(
        "{name}: {text} {:?} set-up {:.4} all {:.4}",
        answer.figures,
        set_up.as_secs_f64(),
        start.elapsed().as_secs_f64()
    );
}
