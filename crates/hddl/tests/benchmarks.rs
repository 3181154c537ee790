//! Every plan and policy for the benchmark files goes through the independent checker.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use counterplay_base::{Budget, Silent, Verdict};
use counterplay_check::{
    Guarantee as Checked, check_decomposition, check_network_policy, read_decomposition, read_network_policy,
};
use counterplay_hddl::{Guarantee, HddlProblem, Options, PreparedProblem, network_policy, shop};
use counterplay_pddl::model::Problem;
use counterplay_syntax::Sources;

/// The problem files of a data set, or none if it is not there.
fn problems(set: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data").join(set);
    if !folder.exists() {
        eprintln!("skipped: {} is not there", folder.display());
        return Vec::new();
    }
    let list = |folder: &Path| -> Vec<PathBuf> {
        fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()).collect()
    };
    let folders = list(&folder).into_iter().filter(|path| path.is_dir());
    let mut files: Vec<PathBuf> = folders.flat_map(|folder| list(&folder)).collect();
    files.retain(|path| path.extension().is_some_and(|it| it == "hddl") && !path.ends_with("domain.hddl"));
    files.sort();
    files
}

fn read(file: &Path) -> Problem {
    let mut sources = Sources::default();
    let [domain, problem] = [file.with_file_name("domain.hddl"), file.to_owned()]
        .map(|path| sources.add(path.display().to_string(), fs::read_to_string(&path).expect("a file")));
    counterplay_pddl::read(&sources, domain, problem).expect("it parses")
}

#[test]
fn plans_of_the_total_order_suite_are_valid() {
    for file in problems("hddl") {
        // Takes seconds even in a release build.
        if file.ends_with("Factories-simple/pfile06.hddl") {
            continue;
        }
        let problem = read(&file);
        let lifted = HddlProblem::new(&problem).expect("it is supported");
        let known = PreparedProblem::new(&lifted);
        let budget = Budget::unlimited().with_time(Duration::from_secs(60));
        let answer = shop(&known, Options { effort: 2_000, ..Options::default() }, &budget, &Silent);
        let Verdict::Solved(plan) = answer.verdict else { panic!("{}: {:?}", file.display(), answer) };
        let mut sources = Sources::default();
        let text = sources.add("plan", plan.to_text(&known));
        let text = read_decomposition(&sources, text, &problem).expect("the plan can be read");
        let checked = check_decomposition(&problem, &text, &Budget::unlimited());
        assert_eq!(checked, Ok(plan.len()), "{}", file.display());
    }
}

#[test]
fn policies_of_the_nondeterministic_suite_are_valid() {
    let files = problems("fond-hddl");
    let mut solved = 0;
    for file in &files {
        let problem = read(file);
        let lifted = HddlProblem::new(&problem).expect("it is supported");
        let known = PreparedProblem::new(&lifted);
        let budget = Budget::unlimited().with_time(Duration::from_secs(2));
        let Verdict::Solved(policy) = network_policy(&known, None, &budget, &Silent).verdict else {
            continue;
        };
        solved += 1;
        if policy.len() > 20_000 {
            continue;
        }
        let mut sources = Sources::default();
        let text = sources.add("policy", policy.to_text(&known));
        let text = read_network_policy(&sources, text, &problem).expect("the policy can be read");
        let wanted = match policy.guarantee {
            Guarantee::Strong => Checked::Strong,
            Guarantee::StrongCyclic => Checked::StrongCyclic,
        };
        let checked = check_network_policy(&problem, &text, wanted, &Budget::unlimited());
        assert!(checked.is_ok(), "{}: {checked:?}", file.display());
    }
    assert!(files.is_empty() || solved >= 14, "{solved} of {}", files.len());
}
