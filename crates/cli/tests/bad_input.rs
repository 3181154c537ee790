//! Unreadable, empty, truncated, binary and hostile files: a clear error or `stopped`, never a panic.

mod common;

use std::fs;
use std::time::Duration;

use common::{Folder, Outcome, binary, root, run};

const DOMAIN: &str = "examples/gripper/domain.pddl";
const PROBLEM: &str = "examples/gripper/p04.pddl";

/// Runs `solve` on two files and wants it refused, with the words in the message.
fn refused(domain: &str, problem: &str, words: &[&str]) -> Outcome {
    let outcome = run(&format!("solve {domain} {problem} --time-limit 20s --memory-limit 1GiB"));
    assert_eq!(outcome.code, Some(2), "{domain} {problem}: {}", outcome.stderr);
    assert_eq!(outcome.stdout, "");
    for word in words {
        assert!(outcome.stderr.contains(word), "{word}: {}", outcome.stderr);
    }
    assert!(outcome.stderr.len() < 100_000, "{} bytes of errors", outcome.stderr.len());
    assert!(!outcome.stderr.contains("internal error"), "{}", outcome.stderr);
    outcome
}

#[test]
fn files_that_cannot_be_read_are_named() {
    let folder = Folder::new("unreadable");
    refused("no-such-file.pddl", PROBLEM, &["no-such-file.pddl"]);
    refused(DOMAIN, &folder.path(""), &["cannot read"]);
    let binary = folder.write("binary.pddl", [0x7f, b'E', b'L', b'F', 0xff, 0xfe, 0, 1]);
    refused(&binary, PROBLEM, &["binary.pddl is not text", "byte 4"]);
    let noise: Vec<u8> = (0..100_000u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    refused(DOMAIN, &folder.write("noise.pddl", noise), &["noise.pddl is not text"]);
}

#[cfg(target_os = "linux")]
#[test]
fn endless_files_end() {
    let outcome = run(&format!("solve /dev/zero {PROBLEM} --memory-limit 100MiB --json"));
    assert_eq!(outcome.code, Some(3), "{outcome:?}");
    assert_eq!(outcome.json()["limit"], "memory");
}

#[cfg(target_os = "linux")]
#[test]
fn answers_that_cannot_be_written_are_told() {
    let folder = Folder::new("unwritable");
    let outcome = run(&format!("solve {DOMAIN} {PROBLEM} --plan-file {}", folder.path("no/such/folder")));
    assert_eq!(outcome.code, Some(2), "{outcome:?}");
    assert!(outcome.stdout.contains("; cost = 11"), "the answer is not lost: {outcome:?}");
    assert!(outcome.stderr.contains("cannot write"), "{outcome:?}");
    let full = fs::OpenOptions::new().write(true).open("/dev/full").expect("Linux has it");
    let mut command = binary();
    let outcome = command.args(["solve", DOMAIN, PROBLEM]).stdout(full).output().expect("it starts");
    assert_eq!(outcome.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&outcome.stderr).contains("cannot write standard output"));
}

#[test]
fn texts_that_are_no_pddl_are_refused_with_their_place() {
    let folder = Folder::new("no-pddl");
    for (name, text) in [
        ("empty.pddl", ""),
        ("blank.pddl", "  \n ; nothing here\n"),
        ("zeros.pddl", "\0\0\0\0"),
        ("word.pddl", "hello"),
        ("closing.pddl", ")"),
        ("open.pddl", "((((("),
        ("control.pddl", "(define \u{1b}[31m (domain \u{7f}))"),
    ] {
        let file = folder.write(name, text);
        refused(&file, PROBLEM, &[name, "error"]);
        refused(DOMAIN, &file, &[name, "error"]);
    }
}

#[test]
fn truncated_files_are_refused() {
    let folder = Folder::new("truncated");
    let whole = fs::read_to_string(root().join(DOMAIN)).expect("it is bundled");
    for length in (40..whole.trim_end().len()).step_by(97) {
        let file = folder.write("cut.pddl", &whole[..length]);
        refused(&file, PROBLEM, &["cut.pddl"]);
    }
}

#[test]
fn files_in_the_wrong_order_are_noticed() {
    refused(PROBLEM, DOMAIN, &["gripper"]);
}

#[test]
fn all_errors_come_at_once_with_their_lines() {
    let folder = Folder::new("all-errors");
    let text = fs::read_to_string(root().join(DOMAIN)).expect("it is bundled");
    let text = text
        .replace("(empty ?h))\n    :effect", "(emty ?h))\n    :effect")
        .replace("(robot-in ?to)", "(robot-in ?too)");
    let file = folder.write("typos.pddl", text);
    let outcome = refused(&file, PROBLEM, &["`emty`", "`?too`", "typos.pddl:", "^^^^", "help:", "2 errors"]);
    assert!(!outcome.stderr.contains('\u{1b}'), "no colour without a terminal");
    let colored = run(&format!("solve {file} {PROBLEM} --color always"));
    assert!(colored.stderr.contains('\u{1b}'));
}

#[test]
fn a_bomb_of_parentheses_does_no_harm() {
    let folder = Folder::new("bomb");
    let open = "(".repeat(100_000);
    refused(&folder.write("open.pddl", &open), PROBLEM, &["open.pddl"]);
    let balanced = format!("{open}{}", ")".repeat(100_000));
    refused(&folder.write("balanced.pddl", &balanced), PROBLEM, &["balanced.pddl"]);
    for (head, tail) in [("(and ", ")"), ("(not ", ")"), ("(forall (?x) ", ")"), ("(when (hand-free) ", ")")]
    {
        let nested = format!("{}(hand-free){}", head.repeat(100_000), tail.repeat(100_000));
        let text = |condition: &str, effect: &str| {
            format!(
                "(define (domain blocks) (:requirements :adl) (:predicates (on ?x ?y) (on-table ?x) (clear ?x) (hand-free))
                 (:action a :parameters () :precondition {condition} :effect {effect}))"
            )
        };
        for domain in [text(&nested, "(hand-free)"), text("(hand-free)", &nested)] {
            let file = folder.write("nested.pddl", domain);
            let outcome = run(&format!("solve {file} examples/blocks/p03.pddl --time-limit 20s"));
            assert!(matches!(outcome.code, Some(1..=3)), "{head}: {outcome:?}");
            assert!(!outcome.stderr.contains("internal error"), "{head}: {}", outcome.stderr);
            assert!(outcome.stderr.len() < 100_000);
        }
    }
}

#[test]
fn an_atom_of_ten_megabytes_does_no_harm() {
    let folder = Folder::new("long-atom");
    let atom = "a".repeat(10 << 20);
    refused(&folder.write("atom.pddl", &atom), PROBLEM, &["atom.pddl"]);
    let text = fs::read_to_string(root().join(DOMAIN)).expect("it is bundled");
    let text = text.replacen("(empty ?h)\n", "(empty ?h) \n", 1).replacen(
        "(robot-in ?to)",
        &format!("({atom} ?to)"),
        1,
    );
    let outcome = refused(&folder.write("name.pddl", text), PROBLEM, &["name.pddl", "…"]);
    assert!(outcome.took < Duration::from_secs(60), "{:?}", outcome.took);
}

#[test]
fn an_operator_with_twelve_parameters_keeps_the_limits() {
    let folder = Folder::new("twelve");
    let parameters: String = (1..=12).map(|i| format!("?x{i} ")).collect();
    let domain = format!(
        "(define (domain wide) (:predicates (p ?x) (q {parameters}))
         (:action a :parameters ({parameters})
          :precondition (and {})
          :effect (q {parameters})))",
        (1..=12).map(|i| format!("(p ?x{i}) ")).collect::<String>(),
    );
    let objects: String = (0..60).map(|i| format!("o{i} ")).collect();
    let problem = format!(
        "(define (problem x) (:domain wide) (:objects {objects}) (:init {}) (:goal (q {})))",
        (0..60).map(|i| format!("(p o{i}) ")).collect::<String>(),
        "o0 ".repeat(12),
    );
    let (domain, problem) = (folder.write("d.pddl", domain), folder.write("p.pddl", problem));
    let outcome = run(&format!("solve {domain} {problem} --json --time-limit 2s --memory-limit 300MiB"));
    assert_eq!(outcome.code, Some(3), "{outcome:?}");
    let answer = outcome.json();
    assert_eq!(answer["verdict"], "stopped");
    assert!(outcome.took < Duration::from_secs(60), "{:?}", outcome.took);
    if let Some(peak) = answer["peak_memory"].as_u64() {
        assert!(peak < 500 << 20, "{peak} bytes");
    }
}

#[test]
fn unsupported_features_are_refused_by_name_and_place() {
    let folder = Folder::new("unsupported");
    let problem = folder.write("p.pddl", "(define (problem x) (:domain d) (:init (p)) (:goal (q)))");
    let domain =
        |body: &str| format!("(define (domain d) (:requirements :adl) (:predicates (p) (q)) {body})");
    for (body, word) in [
        ("(:functions (loc) - object) (:action a :effect (p))", "object"),
        (
            "(:durative-action a :parameters () :duration (= ?duration 1) :condition (p) :effect (q))",
            "durative",
        ),
    ] {
        let file = folder.write("d.pddl", domain(body));
        refused(&file, &problem, &[word, "d.pddl:1:"]);
    }
}

#[test]
fn mutated_files_never_make_it_panic() {
    let folder = Folder::new("mutated");
    let domain = fs::read_to_string(root().join("examples/mailcart/domain.pddl")).expect("it is bundled");
    let problem = fs::read_to_string(root().join("examples/mailcart/p01.pddl")).expect("it is bundled");
    let mut random = 1u64;
    let mut next = |below: usize| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) as usize % below
    };
    let pieces = ["(", ")", " ", "?m", "-", "forall", "not", "and", ":effect", "0", "\u{e9}", "=", "mail"];
    for _ in 0..60 {
        let mut texts = [domain.clone(), problem.clone()];
        for _ in 0..=next(3) {
            let text = &mut texts[next(2)];
            let (start, length) = (next(text.len()), next(12));
            let (start, end) = (floor(text, start), floor(text, start + length));
            text.replace_range(start..end.max(start), pieces[next(pieces.len())]);
        }
        let (domain, problem) = (folder.write("d.pddl", &texts[0]), folder.write("p.pddl", &texts[1]));
        let outcome = run(&format!("solve {domain} {problem} --time-limit 10s -q"));
        assert!(matches!(outcome.code, Some(0..=3)), "{outcome:?}\n{}\n{}", texts[0], texts[1]);
        assert!(!outcome.stderr.contains("internal error"), "{outcome:?}\n{}\n{}", texts[0], texts[1]);
    }
}

fn floor(text: &str, byte: usize) -> usize {
    (0..=byte.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}

#[test]
fn broken_task_files_are_refused_with_their_line() {
    let folder = Folder::new("broken-task");
    let whole = run(&format!("ground {DOMAIN} {PROBLEM} --output -")).stdout;
    let cut = folder.write("cut.sas", &whole[..whole.len() / 2]);
    let outcome = run(&format!("solve {cut}"));
    assert_eq!(outcome.code, Some(2), "{outcome:?}");
    assert!(outcome.stderr.contains("cut.sas:"), "{outcome:?}");
    let pddl = run(&format!("solve {DOMAIN}"));
    assert!(pddl.stderr.contains("DOMAIN PROBLEM"), "{pddl:?}");
}

/// The domain with costs and the problem without: the plan that was found did not pass its check.
#[test]
fn a_cost_without_any_value_is_named_with_its_place() {
    let domain = "examples/desert/costs-domain.pddl";
    refused(domain, "examples/desert/unit.pddl", &["needs a value of `hardship`", "costs-domain.pddl:20"]);
}
