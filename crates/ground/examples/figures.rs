//! Prints the figures of one grounding: `cargo run --release --example figures DOMAIN PROBLEM [OUTPUT.sas]`.

use std::time::Instant;

use counterplay_base::{Budget, Silent};
use counterplay_ground::{Options, ground_measured};
use counterplay_syntax::Sources;

fn main() -> Result<(), String> {
    let arguments: Vec<String> = std::env::args().collect();
    let (Some(domain), Some(problem)) = (arguments.get(1), arguments.get(2)) else {
        return Err("usage: figures DOMAIN PROBLEM [OUTPUT.sas]".to_owned());
    };
    let read = |name: &String| std::fs::read_to_string(name).map_err(|error| format!("{name}: {error}"));
    let mut sources = Sources::default();
    let start = Instant::now();
    let (domain, problem) = (sources.add(domain, read(domain)?), sources.add(problem, read(problem)?));
    let problem = counterplay_pddl::read(&sources, domain, problem).map_err(|e| format!("{e:?}"))?;
    let parsed = start.elapsed();
    let (task, figures) = ground_measured(&problem, &Options::default(), &Budget::unlimited(), &Silent)
        .map_err(|error| error.to_string())?;
    let total = start.elapsed();
    print!(
        "atoms={} actions={} candidates={} groups={}",
        figures.atoms, figures.ground_actions, figures.candidates, figures.groups
    );
    print!(" variables={} derived={} facts={}", figures.variables, figures.derived, figures.facts);
    print!(" operators={} axioms={}", figures.operators, figures.axioms);
    print!(" mutex_groups={} pairs={} h2={:?}", task.mutex_groups.len(), figures.mutex_pairs, figures.h2);
    print!(" parse={:.1}ms", parsed.as_secs_f64() * 1e3);
    for (phase, time) in &figures.phases {
        print!(" {phase}={:.1}ms", time.as_secs_f64() * 1e3);
    }
    println!(" total={:.1}ms", total.as_secs_f64() * 1e3);
    if let Some(output) = arguments.get(3) {
        std::fs::write(output, counterplay_task::sas::write(&task)).map_err(|error| error.to_string())?;
    }
    Ok(())
}
