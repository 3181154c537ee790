//! Finds a strong-cyclic policy for a PDDL domain and problem with one of the searches, and says what it took.

use std::time::Instant;

use counterplay_base::{Budget, Silent, Verdict};
use counterplay_ground::{Options as Grounding, ground_outcomes};
use counterplay_policy::{Class, Options, Search, solve};
use counterplay_syntax::Sources;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [domain, problem, search] = &arguments[..] else {
        eprintln!("usage: policy DOMAIN PROBLEM auto|explicit|symbolic|staged");
        return;
    };
    let search = match search.as_str() {
        "explicit" => Search::Explicit,
        "symbolic" => Search::Symbolic,
        "staged" => Search::Staged,
        _ => Search::Auto,
    };
    let text = |path: &String| std::fs::read_to_string(path).expect("the file can be read");
    let mut sources = Sources::default();
    let (domain, problem) =
        (sources.add(domain.as_str(), text(domain)), sources.add(problem.as_str(), text(problem)));
    let problem = counterplay_pddl::read(&sources, domain, problem).expect("the text is sound");
    let (task, _) =
        ground_outcomes(&problem, &Grounding::default(), &Budget::unlimited(), &Silent).expect("supported");
    let start = Instant::now();
    let options = Options { class: Some(Class::StrongCyclic), search, seed: 0 };
    let answer = solve(&task, &options, &Budget::unlimited(), &Silent);
    let seconds = start.elapsed().as_secs_f64();
    let size = match &answer.verdict {
        Verdict::Solved(policy) => format!("{} pairs", policy.pairs.len()),
        Verdict::Unsolvable => "unsolvable".to_owned(),
        Verdict::Stopped(limit) => format!("stopped: {limit}"),
    };
    println!("{size} {seconds:.3} s {:?}", answer.statistics);
}
