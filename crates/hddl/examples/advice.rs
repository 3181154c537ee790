//! Times the symbolic planner, ND-SHOP2 and Yoyo on hunter and prey: for measurements.

use std::time::{Duration, Instant};

use counterplay_base::{Budget, Silent, Verdict};
use counterplay_ground::ground_outcomes;
use counterplay_hddl::HddlProblem;
use counterplay_hddl::advice::{Algorithm, advised_policy};
use counterplay_policy::{Class, PolicySearch};
use counterplay_syntax::Sources;

fn main() {
    let mut arguments = std::env::args().skip(1).map(|text| text.parse::<u32>().expect("a number"));
    let (edge, prey) = (arguments.next().unwrap_or(3), arguments.next().unwrap_or(1));
    let which = arguments.next().unwrap_or(7);
    let seconds = u64::from(arguments.next().unwrap_or(60));
    let seed = u64::from(arguments.next().unwrap_or(0));
    let files = if edge == 0 {
        counterplay_generate::hddl::robot_navigation(prey, 7, 1)
    } else {
        counterplay_generate::hddl::hunter_prey(edge, prey, false)
    };
    let mut sources = Sources::default();
    let (domain, problem) = (sources.add("domain", files.domain), sources.add("problem", files.problem));
    let problem =
        counterplay_pddl::read(&sources, domain, problem).unwrap_or_else(|errors| panic!("{errors:#?}"));
    let lifted = HddlProblem::new(&problem).expect("it is supported");
    let mut plain = problem.clone();
    plain.hierarchy = None;
    let start = Instant::now();
    let (nondet, _) =
        ground_outcomes(&plain, &Default::default(), &Budget::unlimited(), &Silent).expect("it grounds");
    println!(
        "{edge} {prey}: grounding {:.3} s, {} variables, {} choices",
        start.elapsed().as_secs_f64(),
        nondet.task.variables.len(),
        nondet.choices.len()
    );
    let budget = || Budget::unlimited().with_time(Duration::from_secs(seconds));
    for (bit, algorithm) in [(1, Algorithm::NdShop2), (2, Algorithm::Yoyo)] {
        if which & bit == 0 {
            continue;
        }
        let start = Instant::now();
        let answer =
            advised_policy(&lifted, &nondet, Class::StrongCyclic, algorithm, seed, &budget(), &Silent)
                .expect("the methods fit");
        let text = match &answer.verdict {
            Verdict::Solved(policy) => format!("{} pairs", policy.pairs.len()),
            other => other.word().to_owned(),
        };
        println!("  {algorithm:?}: {text} {:?} {:.3} s", answer.figures, start.elapsed().as_secs_f64());
    }
    if which & 4 != 0 {
        let start = Instant::now();
        let options = counterplay_policy::Options {
            class: Some(Class::StrongCyclic),
            search: PolicySearch::Symbolic,
            seed: 0,
        };
        let answer = counterplay_policy::solve(&nondet, &options, &budget(), &Silent);
        let text = match &answer.verdict {
            Verdict::Solved(policy) => format!("{} pairs", policy.pairs.len()),
            other => other.word().to_owned(),
        };
        println!("  symbolic: {text} {:?} {:.3} s", answer.statistics, start.elapsed().as_secs_f64());
    }
}
