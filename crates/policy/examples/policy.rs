//! Finds a policy for a PDDL domain and problem with one of the searches, checks it, and says what it
//! took. Without a class it tells of each policy as soon as it is there.

use std::time::{Duration, Instant};

use counterplay_base::{Budget, Silent, Verdict};
use counterplay_check::{Guarantee, PolicyOptions, check_policy, read_policy};
use counterplay_ground::{Options as Grounding, ground_outcomes};
use counterplay_policy::{Class, Options, PolicySearch, rules, solve_telling, text};
use counterplay_syntax::Sources;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [domain, problem, search, class, seconds] = &arguments[..] else {
        eprintln!(
            "usage: policy DOMAIN PROBLEM auto|explicit|symbolic|staged strong|strong-cyclic|weak|any SECONDS"
        );
        return;
    };
    let search = match search.as_str() {
        "explicit" => PolicySearch::Explicit,
        "symbolic" => PolicySearch::Symbolic,
        "staged" => PolicySearch::Staged,
        _ => PolicySearch::Auto,
    };
    let class = [Class::Strong, Class::StrongCyclic, Class::Weak].into_iter().find(|it| it.name() == class);
    let allowed = Duration::from_secs_f64(seconds.parse().expect("a number of seconds"));
    let content = |path: &String| std::fs::read_to_string(path).expect("the file can be read");
    let mut sources = Sources::default();
    let (domain, problem) =
        (sources.add(domain.as_str(), content(domain)), sources.add(problem.as_str(), content(problem)));
    let problem = counterplay_pddl::read(&sources, domain, problem).expect("the text is sound");
    let start = Instant::now();
    let (task, _) =
        ground_outcomes(&problem, &Grounding::default(), &Budget::unlimited(), &Silent).expect("supported");
    println!("grounded {:.3} s, {} actions", start.elapsed().as_secs_f64(), task.choices.len());
    let start = Instant::now();
    let options = Options { class, search, seed: 0 };
    let answer = solve_telling(&task, &options, &Budget::unlimited().with_time(allowed), &Silent, &|found| {
        let (name, pairs) = (found.policy.class.name(), found.policy.pairs.len());
        println!("{name}, {pairs} pairs {:.3} s", start.elapsed().as_secs_f64());
    });
    let seconds = start.elapsed().as_secs_f64();
    let size = match &answer.verdict {
        Verdict::Solved(policy) => format!("{} {} pairs", policy.class.name(), policy.pairs.len()),
        Verdict::Unsolvable => "unsolvable".to_owned(),
        Verdict::Stopped(limit) => format!("stopped: {limit}"),
    };
    println!(
        "{size} {seconds:.3} s, impossible {:?}, open {:?}, {:?}",
        answer.impossible, answer.open, answer.statistics
    );
    let Verdict::Solved(policy) = &answer.verdict else { return };
    let file = sources.add("policy", text(policy.class, &rules(&task, policy)));
    let read = read_policy(&sources, file, &problem).expect("a policy of ours can be read");
    let wanted = match policy.class {
        Class::Strong => Guarantee::Strong,
        Class::StrongCyclic => Guarantee::StrongCyclic,
        Class::Weak => Guarantee::Weak,
    };
    let options = PolicyOptions { wanted, most_states: 200_000, only_runs: false, runs: 100, seed: 0 };
    let start = Instant::now();
    let checked = check_policy(&problem, &read.rules, options, &Budget::unlimited().with_time(allowed));
    println!("{checked:?} {:.3} s", start.elapsed().as_secs_f64());
}
