//! Certificates through the command line: what is written, and who accepts it.

mod common;

use std::fs;
use std::path::Path;
use std::process::Command;

use common::{Folder, root, run};

/// Whether VeriPB accepts the files in a folder; none if it is not installed.
fn veripb(folder: &str) -> Option<bool> {
    let cached = root().join("target/tools/bin/veripb");
    let files = ["task.opb", "proof.pbp"].map(|name| Path::new(folder).join(name));
    let run = [cached.as_path(), Path::new("veripb")]
        .into_iter()
        .find_map(|program| Command::new(program).args(&files).output().ok());
    if run.is_none() {
        println!("skipped: VeriPB is not installed (cargo install veripb --root target/tools)");
    }
    run.map(|run| {
        run.status.success() && String::from_utf8_lossy(&run.stdout).contains("VERIFIED UNSATISFIABLE")
    })
}

#[test]
fn the_examples_have_certificates() {
    let folder = Folder::new("certificates");
    for (domain, problem, options, claim) in [
        ("lamps", "three", "", "optimal"),
        ("lamps", "three", "--heuristic blind", "optimal"),
        ("blocks", "p03", "", "optimal"),
        ("blocks", "p03", "--heuristic blind", "optimal"),
        ("river", "p4", "", "unsolvable"),
    ] {
        let files = format!("examples/{domain}/domain.pddl examples/{domain}/{problem}.pddl");
        let proof = folder.path(&format!("{domain}-{problem}"));
        let answer = run(&format!("solve {files} --certificate {proof} --json {options}")).json();
        assert_eq!(answer["certificate"]["written"], true, "{files}: {answer}");
        assert!(answer["certificate"]["bytes"].as_u64().is_some_and(|bytes| bytes > 0));
        assert_ne!(veripb(&proof), Some(false), "{files} {options}");
        let outcome = run(&format!("check {files} --certificate {proof} --json"));
        let checked = outcome.json();
        assert!(outcome.code == Some(0) && checked["claim"] == claim, "{files}: {checked}");
        assert_eq!(checked["problem_cost"], answer["cost"], "{files}: {checked}");
        assert_eq!(run(&format!("check {proof}")).code, Some(0));
    }
}

#[test]
fn a_certificate_of_another_problem_is_refused() {
    let folder = Folder::new("certificate-other");
    let proof = folder.path("proof");
    let files = "examples/blocks/domain.pddl examples/blocks/p03.pddl";
    assert_eq!(run(&format!("solve {files} --certificate {proof}")).code, Some(0));
    let other = "examples/blocks/domain.pddl examples/blocks/p07.pddl";
    let outcome = run(&format!("check {other} --certificate {proof} --json"));
    assert!(outcome.code == Some(1) && outcome.json()["valid"] == false, "{outcome:?}");
    let invariant = fs::read_to_string(format!("{proof}/invariant.txt")).expect("it was written");
    fs::write(format!("{proof}/invariant.txt"), invariant.replacen("at-least 6", "at-least 7", 1))
        .expect("room");
    let outcome = run(&format!("check {proof} --json"));
    let why = outcome.json()["why"].to_string();
    assert!(outcome.code == Some(1) && why.contains("invariant.txt:"), "{why}");
    fs::write(format!("{proof}/invariant.txt"), &invariant[..invariant.len() / 2]).expect("room");
    let outcome = run(&format!("check {proof}"));
    assert!(outcome.code == Some(1) && outcome.stdout.starts_with("invalid: invariant.txt:"), "{outcome:?}");
    fs::remove_file(format!("{proof}/task.sas")).expect("it was written");
    assert_eq!(run(&format!("check {proof}")).code, Some(2));
}

#[test]
fn what_cannot_be_certified_is_refused_by_name() {
    let folder = Folder::new("certificate-refused");
    let proof = folder.path("proof");
    let files = "examples/htn/errands/domain.hddl examples/htn/errands/milk.hddl";
    let outcome = run(&format!("solve {files} --certificate {proof}"));
    assert!(outcome.code == Some(2) && outcome.stderr.contains("task network"), "{outcome:?}");
    assert_eq!(run("check examples/blocks/domain.pddl").code, Some(2));
}
