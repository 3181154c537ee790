//! Runs the planner over HDDL problems and prints a line each: for measurements.
//!
//! The standard input names the problems, one in a line: the domain file and the problem file, with a space between them.
//! Arguments: CPU seconds for each problem, the effort for shorter plans, and a folder for plans in the format of the
//! competition of 2020. With 0 seconds the files are read only.

use std::io::BufRead;
use std::path::Path;
use std::time::Duration;

use counterplay_base::{Budget, Silent, Verdict};
use counterplay_hddl::{HddlProblem, Options, PreparedProblem, network_policy, shop};
use counterplay_syntax::Sources;

struct Settings {
    seconds: f64,
    effort: u64,
    plans: Option<String>,
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let seconds = arguments.next().map_or(5.0, |text| text.parse().expect("seconds"));
    let effort = arguments.next().map_or(0, |text| text.parse().expect("a number"));
    let settings = Settings { seconds, effort, plans: arguments.next() };
    for (number, line) in std::io::stdin().lock().lines().enumerate() {
        let line = line.expect("readable");
        let Some((domain, problem)) = line.split_once(' ') else { continue };
        let name = problem.rsplit('/').take(2).collect::<Vec<_>>();
        let name = format!("{number:03} {}/{}", name.get(1).unwrap_or(&""), name[0]);
        println!("{name}: {}", measure(Path::new(domain), Path::new(problem), number, &settings));
    }
}

fn measure(domain: &Path, file: &Path, number: usize, settings: &Settings) -> String {
    let mut sources = Sources::default();
    let mut add = |path: &Path| {
        sources.add(path.display().to_string(), std::fs::read_to_string(path).expect("readable"))
    };
    let (domain, problem) = (add(domain), add(file));
    let start = cpu().unwrap_or_default();
    let problem = match counterplay_pddl::read(&sources, domain, problem) {
        Ok(problem) => problem,
        Err(errors) => {
            return format!("REFUSED {}", errors.iter().map(|it| format!("{it:?}; ")).collect::<String>());
        }
    };
    let lifted = match HddlProblem::new(&problem) {
        Ok(lifted) => lifted,
        Err(error) => return format!("REFUSED {error}"),
    };
    if settings.seconds == 0.0 {
        return "read".to_owned();
    }
    let known = PreparedProblem::new(&lifted);
    let set_up = since(start);
    let begun = cpu().unwrap_or_default();
    let allowed = begun + Duration::from_secs_f64(settings.seconds);
    let budget = Budget::unlimited().with_cpu(allowed, cpu);
    if lifted.is_nondeterministic() {
        let answer = network_policy(&known, None, &budget, &Silent);
        let text = match &answer.verdict {
            Verdict::Solved(policy) => format!("{:?} policy of {} nodes", policy.guarantee, policy.len()),
            Verdict::Unsolvable => "none".to_owned(),
            Verdict::Stopped(limit) => limit.to_string(),
        };
        return format!("{text}, {} pairs, {:.4} s", answer.pairs, since(start));
    }
    let answer = shop(&known, Options { effort: settings.effort, ..Options::default() }, &budget, &Silent);
    let text = match &answer.verdict {
        Verdict::Solved(plan) => {
            if let Some(folder) = &settings.plans {
                let text = plan.to_text(&known);
                std::fs::write(format!("{folder}/{number:03}.plan"), text).expect("writable");
            }
            format!("SOLVED {} (optimal {})", plan.len(), answer.is_optimal)
        }
        Verdict::Unsolvable => "NONE".to_owned(),
        Verdict::Stopped(limit) => format!("STOPPED {limit}"),
    };
    format!("{text} {:?} set-up {set_up:.4} all {:.4}", answer.figures, since(start))
}

/// CPU time of this thread so far.
fn cpu() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/self/schedstat").ok()?;
    Some(Duration::from_nanos(text.split(' ').next()?.parse().ok()?))
}

fn since(start: Duration) -> f64 {
    (cpu().unwrap_or_default() - start).as_secs_f64()
}
