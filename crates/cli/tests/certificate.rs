//! Certificates through the command line: what is written, and who accepts it.

mod common;

use std::fs;
use std::path::Path;
use std::process::Command;

use common::{Folder, root, run, run_with};

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
        ("blocks", "p03", "--direction forward", "optimal"),
        ("blocks", "p03", "--direction backward", "optimal"),
        ("blocks", "p07", "--search dijkstra", "optimal"),
        ("river", "p4", "", "unsolvable"),
        ("river", "p4", "--direction forward", "unsolvable"),
        ("river", "p4", "--direction both", "unsolvable"),
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
fn damaged_layers_are_refused_with_the_line() {
    let folder = Folder::new("certificate-layers");
    let proof = folder.path("proof");
    let files = "examples/blocks/domain.pddl examples/blocks/p03.pddl";
    let answer = run(&format!("solve {files} --direction both --certificate {proof} --json")).json();
    assert!(answer["certificate"]["layers"].as_u64().is_some_and(|layers| layers > 1), "{answer}");
    let invariant = fs::read_to_string(format!("{proof}/invariant.txt")).expect("it was written");
    let lines: Vec<&str> = invariant.lines().collect();
    let without = |gone: usize| {
        let kept = lines.iter().enumerate().filter(|(at, _)| *at != gone).map(|(_, line)| *line);
        kept.collect::<Vec<_>>().join("\n")
    };
    let at = |word: &str| lines.iter().position(|line| line.starts_with(word)).expect("there is such a line");
    let layer = lines[at("layer 0 ")];
    let (_, root) = layer.rsplit_once(' ').expect("a layer has a set");
    for (damaged, why) in [
        (invariant.replacen("at-least 6", "at-least 7", 1), "leads out of the set"),
        (without(at("layer 0 ")), "the initial state is not in the set"),
        (invariant.replacen(layer, "layer 0 1", 1), "the layer has a goal state"),
        (invariant.replacen(layer, "layer 0 0", 1), "the initial state is not in the set"),
        (invariant.replacen(layer, &format!("layer 0 {root}999"), 1), "the number of a set from above"),
        (without(at("node 2 ")), "numbered one after the other"),
        (without(at("order ")), "not in the order"),
        // A node that names itself, and one that names no set at all.
        (invariant.replacen("node 2 ", "node 2 0 2 2 2 2 2 2 2 2 2\nnode 2 ", 1), "invariant.txt:"),
        (invariant.replacen("node 2 ", "node 2\nnode 2 ", 1), "expected a number, a variable"),
        (invariant[..invariant.len() / 2].to_owned(), "invariant.txt:"),
    ] {
        assert_ne!(damaged, invariant, "{why}");
        fs::write(format!("{proof}/invariant.txt"), damaged).expect("room");
        let outcome = run(&format!("check {proof}"));
        assert_eq!(outcome.code, Some(1), "{why}: {outcome:?}");
        let told = outcome.stdout.starts_with("invalid: invariant.txt:") && outcome.stdout.contains(why);
        assert!(told, "{why}: {outcome:?}");
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
    let files = "examples/htn/hunter-prey/domain.hddl examples/htn/hunter-prey/p3x3-1.hddl";
    let outcome = run(&format!("solve {files} --htn yoyo --certificate {proof}"));
    assert!(outcome.code == Some(2) && outcome.stderr.contains("methods only advise"), "{outcome:?}");
    assert_eq!(run("check examples/blocks/domain.pddl").code, Some(2));
    assert_eq!(run("check examples/blocks/domain.pddl examples/blocks/p03.pddl").code, Some(2));
}

#[test]
fn policies_carry_ranks_and_what_excludes_stronger_ones() {
    let folder = Folder::new("certificate-policy");
    let proof = folder.path("proof");
    let files = "examples/policy/slippery/domain.pddl examples/policy/slippery/p01.pddl";
    let answer = run(&format!("solve {files} --certificate {proof} --json")).json();
    assert_eq!(answer["certificate"]["written"], true, "{answer}");
    assert_eq!(answer["certificate"]["claim"], "strong-cyclic");
    let outcome = run(&format!("check {files} --certificate {proof} --json"));
    let checked = outcome.json();
    assert!(outcome.code == Some(0), "{checked}");
    assert!(checked["claim"] == "strong-cyclic" && checked["excluded"] == "no-strong", "{checked}");
    // One file of it, or the folder in the place of the plan.
    let outcome = run(&format!("check {files} {proof}/none.txt"));
    assert!(outcome.code == Some(0) && outcome.stdout.starts_with("valid: no-strong"), "{outcome:?}");
    assert_eq!(run(&format!("check {files} {proof}")).code, Some(0));
    assert_eq!(run(&format!("check {proof}")).code, Some(2));
    // More than is true, half of it, and a policy that says something else.
    let ranks = fs::read_to_string(format!("{proof}/ranks.txt")).expect("it was written");
    let policy = fs::read_to_string(format!("{proof}/plan")).expect("it was written");
    let damages = [
        ("ranks.txt", ranks.replacen("claim strong-cyclic", "claim strong", 1)),
        ("ranks.txt", ranks[..ranks.len() / 2].to_owned()),
        ("plan", policy.replacen("(if (in r1) (walk r1 r2))", "(if (in r1) (find-key r1))", 1)),
    ];
    for (name, damaged) in damages {
        let whole = fs::read_to_string(format!("{proof}/{name}")).expect("it is there");
        assert_ne!(whole, damaged, "{name}");
        fs::write(format!("{proof}/{name}"), damaged).expect("room");
        let outcome = run(&format!("check {files} --certificate {proof}"));
        assert!(outcome.code == Some(1) && outcome.stdout.contains("ranks.txt: line "), "{outcome:?}");
        fs::write(format!("{proof}/{name}"), whole).expect("room");
    }
    assert_eq!(run(&format!("check {files} --certificate {proof}")).code, Some(0));
}

#[test]
fn task_networks_and_hidden_states_have_certificates() {
    let folder = Folder::new("certificate-network");
    let proof = folder.path("proof");
    let files = "examples/htn/errands/domain.hddl examples/htn/errands/milk.hddl";
    assert_eq!(run(&format!("solve {files} --certificate {proof}")).code, Some(0));
    assert_eq!(run(&format!("check {files} --certificate {proof}")).code, Some(0));
    let impossible = folder.write(
        "none.hddl",
        "(define (domain d) (:requirements :hierarchy) (:predicates (p) (q)) (:task t :parameters ())
           (:method m :parameters () :task (t) :precondition (q) :ordered-subtasks (and (a)))
           (:method again :parameters () :task (t) :ordered-subtasks (and (a) (t)))
           (:action a :parameters () :effect (p)))",
    );
    let problem =
        folder.write("problem.hddl", "(define (problem p) (:domain d) (:htn :ordered-subtasks (t)) (:init))");
    let outcome = run(&format!("solve {impossible} {problem} --certificate {proof} --json"));
    let answer = outcome.json();
    assert!(outcome.code == Some(1) && answer["certificate"]["claim"] == "no-weak", "{answer}");
    let outcome = run(&format!("check {impossible} {problem} --certificate {proof}"));
    assert!(outcome.code == Some(0) && outcome.stdout.starts_with("valid: no-weak"), "{outcome:?}");
}

#[test]
fn strategies_of_games_are_replayed() {
    let folder = Folder::new("certificate-game");
    let (strategy, game) = (folder.path("strategy.txt"), "examples/games/nim-3-4-5.kif");
    let from = ["game", "solve", game, "--from", "(leave a 1) (leave b 0)", "--strategy", &strategy];
    assert_eq!(run_with(from, "").code, Some(0));
    let outcome = run(&format!("check {game} {strategy}"));
    assert!(outcome.code == Some(0) && outcome.stdout.contains("first gets 100"), "{outcome:?}");
    let text = fs::read_to_string(&strategy).expect("it was written");
    for damaged in [
        text.replacen("at-least 100", "at-least 101", 1),
        text.replacen("play (leave c 1)", "play (leave c 0)", 1),
        text[..text.len() - 5].to_owned(),
    ] {
        assert_ne!(damaged, text);
        fs::write(&strategy, damaged).expect("room");
        let outcome = run(&format!("check {game} {strategy} --json"));
        assert!(outcome.code == Some(1) && outcome.json()["valid"] == false, "{outcome:?}");
    }
    // Another game's strategy.
    fs::write(&strategy, text).expect("room");
    assert_eq!(run(&format!("check examples/games/chomp.kif {strategy}")).code, Some(1));
}
