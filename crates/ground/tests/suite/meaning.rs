//! The task of a problem against the problem itself.

use std::collections::BTreeSet;

use crate::lifted;
use crate::problems::CASES;
use crate::random::{random_problem, random_transport};
use crate::twin::{check, read};

#[test]
fn tasks_mean_what_their_problems_mean() {
    for case in CASES {
        let problem = read(case.domain, case.problem);
        let best = check(case.name, &problem, 100_000).expect("a small problem");
        assert_eq!(best.map(|cost| cost.to_string()).as_deref(), case.cost, "{}", case.name);
    }
}

#[test]
fn random_problems_mean_the_same_ground() {
    // In 37410 h² once made an effect unconditional whose fact leads nowhere, and then left it out.
    let (compared, solvable) = compare(random_problem, (0..1200).chain([37_410]), 300);
    assert!(compared > 1000 && solvable > 200, "{compared} compared, {solvable} solvable");
}

#[test]
fn random_transport_means_the_same_ground() {
    let (compared, solvable) = compare(random_transport, 0..300, 600);
    assert!(compared > 200 && solvable > 50, "{compared} compared, {solvable} solvable");
}

/// Writes a domain and a problem from a seed, with a goal of its own unless one is given.
type Generator = fn(u64, Option<&str>) -> (String, String);

/// Checks random problems; how many were small enough, and how many of these need more than one step.
fn compare(generate: Generator, seeds: impl Iterator<Item = u64>, most: usize) -> (usize, usize) {
    let (mut compared, mut solvable) = (0, 0);
    for seed in seeds {
        let goal = (seed % 2 == 0).then(|| far_goal(generate, seed, most)).flatten();
        let (domain, text) = generate(seed, goal.as_deref());
        let problem = read(&domain, &text);
        let name = format!("seed {seed}\n{domain}\n{text}");
        if let Some(best) = check(&name, &problem, most) {
            compared += 1;
            solvable += usize::from(best.is_some_and(|cost| cost > 1.into()));
        }
    }
    (compared, solvable)
}

/// The state of a random problem that is hardest to reach, as a goal.
fn far_goal(generate: Generator, seed: u64, most: usize) -> Option<String> {
    let (domain, text) = generate(seed, Some("(and)"));
    let problem = read(&domain, &text);
    let states = lifted::explore(&problem, most)?;
    let (far, _) = states.iter().max_by_key(|&(_, &cost)| cost)?;
    let changing: BTreeSet<_> = states.keys().flatten().collect();
    let literals: Vec<String> = changing
        .into_iter()
        .map(|atom| match far.contains(atom) {
            true => problem.atom_text(atom),
            false => format!("(not {})", problem.atom_text(atom)),
        })
        .collect();
    Some(format!("(and {})", literals.join(" ")))
}
