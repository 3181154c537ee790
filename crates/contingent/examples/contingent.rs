//! Solves and checks a problem with hidden state: `contingent DOMAIN PROBLEM [explicit|symbolic] [SECONDS]`.

use std::time::{Duration, Instant};

use counterplay_base::{Budget, Silent, Verdict};
use counterplay_contingent::{Options, Representation, solve};
use counterplay_ground::ground_hidden;
use counterplay_syntax::Sources;

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let mut sources = Sources::default();
    let text = |at: usize| std::fs::read_to_string(&arguments[at]).expect("a readable file");
    let domain = sources.add("domain", text(1));
    let problem = sources.add("problem", text(2));
    let mut problem = match counterplay_pddl::read(&sources, domain, problem) {
        Ok(problem) => problem,
        Err(errors) => return println!("unreadable: {}", errors[0]),
    };
    problem.declares_partial_observability = true;
    let seconds = arguments.get(4).and_then(|text| text.parse().ok()).unwrap_or(30);
    let budget = Budget::unlimited().with_time(Duration::from_secs(seconds));
    let started = Instant::now();
    let task = match ground_hidden(&problem, &budget, &Silent) {
        Ok(task) => task,
        Err(error) => return println!("not grounded: {error}"),
    };
    let grounded = started.elapsed().as_secs_f64();
    let representation = match arguments.get(3).map(String::as_str) {
        Some("explicit") => Representation::Explicit,
        Some("symbolic") => Representation::Symbolic,
        _ => Representation::Auto,
    };
    let found = solve(&task, &Options { representation, ..Options::default() }, &budget, &Silent);
    let what = match &found.verdict {
        Verdict::Solved(plan) => {
            let places = plan.nodes.iter().filter(|node| !node.steps.is_empty()).count();
            format!("{:?} of {places} places, depth {:?}", plan.guarantee, plan.depth())
        }
        other => other.word().to_owned(),
    };
    let statistics = &found.statistics;
    println!(
        "{what}; {}, {} belief states, {} expanded; {grounded:.2} s to ground, {:.2} s in all",
        statistics.ran,
        statistics.beliefs,
        statistics.expanded,
        started.elapsed().as_secs_f64()
    );
}
