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
        ("lights", "p01", "", "optimal"),
        ("river", "p3", "", "optimal"),
        ("river", "p4", "", "unsolvable"),
        ("trail", "p02", "", "optimal"),
        ("trail", "p03", "", "optimal"),
        ("sokoban", "p01", "", "optimal"),
    ] {
        let files = format!("examples/{domain}/domain.pddl examples/{domain}/{problem}.pddl");
        let proof = folder.path(&format!("{domain}-{problem}"));
        let answer = run(&format!("solve {files} --certificate {proof} --json {options}")).json();
        assert_eq!(answer["certificate"]["written"], true, "{files}: {answer}");
        assert!(answer["certificate"]["bytes"].as_u64().is_some_and(|bytes| bytes > 0));
        assert_ne!(veripb(&proof), Some(false), "{files} {options}");
        let outcome = run(&format!("check {files} --certificate {proof} --json"));
        let checked = outcome.json();
        assert_eq!((outcome.code, &checked["claim"]), (Some(0), &claim.into()), "{files}: {checked}");
        assert_eq!(checked["problem_cost"], answer["cost"], "{files}: {checked}");
        assert_eq!(run(&format!("check {proof}")).code, Some(0));
    }
}

#[test]
fn the_grounding_of_plain_problems_is_confirmed() {
    let folder = Folder::new("certificate-grounding");
    for (domain, problem) in
        [("lamps", "three"), ("blocks", "p03"), ("river", "p3"), ("trail", "p02"), ("logistics", "p01")]
    {
        let files = format!("examples/{domain}/domain.pddl examples/{domain}/{problem}.pddl");
        let proof = folder.path(&format!("{domain}-{problem}"));
        assert_eq!(run(&format!("solve {files} --certificate {proof}")).code, Some(0), "{files}");
        let checked = run(&format!("check {files} --certificate {proof} --json")).json();
        assert_eq!(checked["grounding"], "confirmed", "{files}: {checked}");
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
    assert_eq!((outcome.code, &outcome.json()["valid"]), (Some(1), &false.into()), "{outcome:?}");
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
    for (files, word) in [
        ("examples/power/domain.pddl examples/power/p01.pddl", "derived predicates"),
        ("examples/htn/errands/domain.hddl examples/htn/errands/milk.hddl", "task network"),
    ] {
        let outcome = run(&format!("solve {files} --certificate {proof}"));
        assert!(outcome.code == Some(2) && outcome.stderr.contains(word), "{files}: {outcome:?}");
    }
    assert_eq!(run("check examples/blocks/domain.pddl").code, Some(2));
}

#[test]
fn net_benefit_has_certificates_too() {
    let folder = Folder::new("certificate-net-benefit");
    let index =
        fs::read_to_string(root().join("examples/net-benefit/index.csv")).expect("the index is bundled");
    let mut written = 0;
    for line in index.lines().skip(1) {
        let mut cells = line.split(',');
        let (Some(domain), Some(problem)) = (cells.next(), cells.next()) else { continue };
        let files =
            format!("examples/net-benefit/{domain}/domain.pddl examples/net-benefit/{domain}/{problem}");
        let proof = folder.path(domain);
        let answer = run(&format!("solve {files} --certificate {proof} --json --time-limit 3s")).json();
        if answer["certificate"]["written"] != true {
            continue;
        }
        written += 1;
        assert_ne!(veripb(&proof), Some(false), "{files}");
        let checked = run(&format!("check {proof} --json"));
        let claim = if answer["verdict"] == "solved" { "optimal" } else { "unsolvable" };
        let told = &checked.json()["claim"];
        assert!(checked.code == Some(0) && told == claim, "{files}: {checked:?}");
    }
    assert!(written > 0);
}
