//! Rule sheets: those that must be read, and what is wrong with those that must not.

use std::path::PathBuf;

use counterplay_gdl::{Error, Restriction, read};
use counterplay_syntax::Sources;

fn errors(text: &str) -> Vec<Error> {
    let mut sources = Sources::default();
    let file = sources.add("game", text);
    read(&sources, file).err().unwrap_or_default()
}

/// A small game that is fine, to add wrong rules to.
const FINE: &str =
    "(role a) (init p) (legal a m) (<= (next q) (true p)) (<= terminal (true q)) (goal a 100)\n";

fn with(rule: &str) -> Vec<Error> {
    errors(&format!("{FINE}{rule}"))
}

#[test]
fn the_small_game_is_fine() {
    assert_eq!(errors(FINE), []);
    assert_eq!(with("(<= (r ?x) (s ?x) (not (distinct ?x b)) (or (t ?x) (not (or (u ?x) (v ?x)))))"), []);
}

#[test]
fn words_compare_without_case() {
    assert_eq!(
        errors("(ROLE a) (INIT P) (Legal A m) (<= (next Q) (TRUE p)) (<= TERMINAL (true q)) (GOAL a 1)"),
        []
    );
}

#[test]
fn unsafe_rules_are_named() {
    assert!(matches!(&with("(<= (r ?x) (not (s ?x)))")[..], [Error::Unsafe { name, .. }] if name == "?x"));
    assert!(
        matches!(&with("(<= (r a) (s ?y) (distinct ?x ?y))")[..], [Error::Unsafe { name, .. }] if name == "?x")
    );
    assert!(matches!(&with("(r ?x)")[..], [Error::Unsafe { .. }]));
}

#[test]
fn negation_in_a_cycle_is_found() {
    let found = with("(<= r (true p) (not s)) (<= s t) (<= t r)");
    assert!(matches!(&found[..], [Error::Unstratified { .. }]), "{found:?}");
    assert_eq!(with("(<= (r ?x) (s ?x) (r ?x)) (<= w (s ?x) (not (r ?x)))"), []);
}

/// Rules such as `(<= (goal a 0) (not (goal a 100)))` were refused, although no instance depends on its own negation.
#[test]
fn negation_of_another_instance_is_no_cycle() {
    assert_eq!(with("(<= (goal a 0) (not (goal a 100)))"), []);
    assert_eq!(
        with("(<= (goal ?r 0) (role ?r) (not (goal ?r 100)) (not (goal ?r 50))) (<= (goal a 50) (true p))"),
        []
    );
    // Only the facts show that this is a chain.
    assert_eq!(with("(succ 1 2) (succ 2 3) (<= (won ?x) (succ ?x ?y) (not (won ?y)))"), []);
    let refused = |rules: &str| {
        let found = with(rules);
        assert!(matches!(&found[..], [Error::Unstratified { .. }]), "{rules}: {found:?}");
        assert!(!found[0].diagnostic().labels.is_empty());
    };
    refused("(<= (goal a 0) (not (goal a 100))) (<= (goal a 100) (not (goal a 0)))");
    refused("(<= (goal a ?n) (true (n ?n)) (not (goal a 100))) (init (n 100))");
    refused("(succ 1 2) (succ 2 1) (<= (won ?x) (succ ?x ?y) (not (won ?y)))");
    refused("(<= (won ?x) (true (at ?x ?y)) (not (won ?y)))");
}

#[test]
fn signs_of_hidden_moves_and_chance_are_found() {
    let found = |rules: &str| {
        let mut sources = Sources::default();
        let file = sources.add("game", format!("{FINE}{rules}"));
        let found = read(&sources, file).expect("a rule sheet").imperfect_information();
        found.iter().map(|own| sources.text(own.at()).to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(found(""), [""; 0]);
    let random = "(role Random) (legal random m) (goal random 0)";
    assert_eq!(found(random), ["(role Random)"]);
    assert_eq!(found("(<= (sees a ?x) (true ?x))"), ["(<= (sees a ?x) (true ?x))"]);
    // A relation of the author's own.
    assert_eq!(found("(<= (sees a ?x) (true ?x)) (<= (next q) (sees a p))"), [""; 0]);
}

#[test]
fn arities_and_places_are_checked() {
    assert!(matches!(&with("(s a b) (s a)")[..], [Error::Arity { expected: 2, found: 1, .. }]));
    assert!(matches!(&with("(init (f a)) (init (f a b))")[..], [Error::Arity { .. }]));
    assert!(matches!(&with("(legal a)")[..], [Error::Arity { .. }]));
    assert!(matches!(
        &with("(<= (true p) (true q))")[..],
        [Error::Restricted { rule: Restriction::Head, .. }]
    ));
    assert!(matches!(&with("(<= r (next q))")[..], [Error::Restricted { rule: Restriction::Body, .. }]));
    assert!(matches!(
        &with("(<= (legal a n) (does a m))")[..],
        [Error::Restricted { rule: Restriction::Moves, .. }]
    ));
    assert!(matches!(
        &with("(<= (init r) (true p))")[..],
        [Error::Restricted { rule: Restriction::InitState, .. }]
    ));
}

#[test]
fn missing_relations_are_told() {
    let found = errors("(role a) (init p)");
    assert_eq!(found.len(), 3, "{found:?}");
    assert!(found.iter().all(|error| matches!(error, Error::Missing { .. })));
}

#[test]
fn every_error_has_a_place() {
    for rule in
        ["(<= (r ?x))", "(s a) (s a b)", "(<= r (not s)) (<= s (not r))", "(r (?x))", "()", "(not r)", ")"]
    {
        for error in with(rule) {
            assert!(!error.diagnostic().labels.is_empty(), "{rule}: {error:?}");
        }
    }
}

#[test]
fn all_shared_sheets_are_read() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/gdl");
    if !folder.exists() {
        println!("skipped: {} is not there", folder.display());
        return;
    }
    let mut count = 0;
    for folder in [folder.clone(), folder.join("ggp-base-tests")] {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.extension().is_none_or(|extension| extension != "kif") {
                continue;
            }
            let mut sources = Sources::default();
            let name = path.file_name().expect("a name").to_string_lossy().into_owned();
            let file = sources.add_bytes(name.clone(), std::fs::read(&path).expect("a file"));
            let found = read(&sources, file);
            // Some corner cases are unsafe: a prover may let that pass, GDL does not.
            let corner = path.parent().is_some_and(|folder| folder.ends_with("ggp-base-tests"));
            let errors = found.err().unwrap_or_default();
            let only_unsafe = corner && errors.iter().all(|error| matches!(error, Error::Unsafe { .. }));
            let is_fine = errors.is_empty() || only_unsafe;
            assert_eq!(is_fine, !name.starts_with("test_invalid"), "{name}: {errors:?}");
            count += 1;
        }
    }
    assert_eq!(count, 80);
}

/// Each of 4096 alternatives had its own copy of all conditions, and each condition more copied them all again.
#[test]
fn alternatives_of_a_long_rule_cannot_fill_the_memory() {
    let choices = "(or (true p) (true q)) ".repeat(12);
    let conditions = "(true p) ".repeat(5000);
    assert!(matches!(with(&format!("(<= r {choices} {conditions})"))[..], [Error::TooMany { .. }]));
    // A long rule without a choice is no trouble.
    assert_eq!(with(&format!("(<= r {})", "(true p) ".repeat(50_000))), []);
}

/// Looking for the negation on a cycle took the cube of the number of rules.
#[test]
fn a_cycle_behind_many_negations_is_found() {
    let chain: String = (0..1500).rev().map(|i| format!("(<= s{} (not s{i}))", i + 1)).collect();
    let rules = format!("{chain} (<= s0 (true p)) (<= u (not v)) (<= v (not u))");
    assert!(matches!(with(&rules)[..], [Error::Unstratified { .. }]));
}
