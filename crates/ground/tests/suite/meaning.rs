//! The task of a problem against the problem itself.

use std::collections::BTreeSet;

use crate::lifted;
use crate::problems::CASES;
use crate::random::random_problem;
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
    let (mut compared, mut solvable) = (0, 0);
    for seed in 0..1200 {
        let goal = (seed % 2 == 0).then(|| far_goal(seed)).flatten();
        let (domain, text) = random_problem(seed, goal.as_deref());
        let problem = read(&domain, &text);
        let name = format!("seed {seed}\n{domain}\n{text}");
        if let Some(best) = check(&name, &problem, 300) {
            compared += 1;
            solvable += usize::from(best.is_some_and(|cost| cost > 1.into()));
        }
    }
    assert!(compared > 1000 && solvable > 200, "{compared} compared, {solvable} solvable");
}

/// The state of a random problem that is hardest to reach, as a goal.
fn far_goal(seed: u64) -> Option<String> {
    let (domain, text) = random_problem(seed, Some("(f)"));
    let problem = read(&domain, &text);
    let states = lifted::explore(&problem, 300)?;
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
