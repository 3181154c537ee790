//! The reader on good text, bad text and hostile text.

use std::fmt::Write as _;

use counterplay_syntax::{Diagnostic, Expr, NESTING_LIMIT, ReadError, Sources, read, read_pddl};
use expect_test::{Expect, expect};
use proptest::prelude::*;

fn sources(text: &str) -> Sources {
    let mut sources = Sources::default();
    sources.add("text", text);
    sources
}

fn show(expr: Expr<'_>) -> String {
    match expr.list() {
        None => expr.atom().unwrap_or_default().to_owned(),
        Some(items) => format!("({})", items.map(show).collect::<Vec<_>>().join(" ")),
    }
}

fn diagnose(sources: &Sources, diagnostic: &Diagnostic) -> String {
    let mut text = format!("{}: {}\n", diagnostic.code, diagnostic.message);
    for label in &diagnostic.labels {
        let (line, column) = sources.position(label.span);
        writeln!(text, "  {line}:{column} {:?} {}", sources.text(label.span), label.text)
            .expect("strings grow");
    }
    text
}

/// What the reader makes of a text: its expressions on a line each, or what is wrong with it.
fn result(text: &str) -> String {
    let sources = sources(text);
    let file = sources.files.ids().next().expect("one file was added");
    match read(&sources, file) {
        Ok(tree) => tree.items().map(|expr| show(expr) + "\n").collect(),
        Err(error) => diagnose(&sources, &error.diagnostic()),
    }
}

fn check(text: &str, expected: Expect) {
    expected.assert_eq(&result(text));
}

#[test]
fn good_text() {
    check("", expect![""]);
    check(
        "(define (domain D) ; comment )))\r\n  (:action a\t:x ()))\n atom",
        expect![[r#"
            (define (domain D) (:action a :x ()))
            atom
        "#]],
    );
    check("\u{feff}(a)", expect![["(a)\n"]]);
    check("; only a comment", expect![""]);
    check("(a)(b)c(d)", expect!["(a)\n(b)\nc\n(d)\n"]);
    check("(größe\u{a0}ß)", expect!["(größe ß)\n"]);
}

#[test]
fn unbalanced_text() {
    check(
        "(define\n  (a (b)\n  (c))",
        expect![[r#"
            syntax::unclosed: this list is never closed
              1:1 "(" opened here
              3:7 "" the file ends here
              2:3 "(" perhaps it is this one that lacks its `)`
        "#]],
    );
    check(
        "(define\n  (a (b",
        expect![[r#"
            syntax::unclosed: this list is never closed
              2:6 "(" opened here
              2:8 "" the file ends here
        "#]],
    );
    check(
        "(a)\n(b))\n(c)",
        expect![[r#"
            syntax::unopened: this `)` closes nothing
              2:4 ")" 
              2:1 "(" the list that opened here was closed before
        "#]],
    );
    check(
        ")",
        expect![[r#"
            syntax::unopened: this `)` closes nothing
              1:1 ")" 
        "#]],
    );
}

#[test]
fn junk() {
    check(
        "(a\n \0b)",
        expect![[r#"
            syntax::junk: unexpected character '\0'; is this a text file?
              2:2 "\0" 
        "#]],
    );
    let mut sources = Sources::default();
    let file = sources.add_bytes("latin-1", b"; Fran\xe7ois\n(a)".to_vec());
    assert!(read(&sources, file).is_ok());
    let file = sources.add_bytes("latin-1", b"(a \xe7)".to_vec());
    assert!(matches!(read(&sources, file), Err(ReadError::Junk { .. })));
}

#[test]
fn hostile_text() {
    let deep = |depth: usize| "(".repeat(depth) + &")".repeat(depth);
    check(
        &deep(100_000),
        expect![[r#"
            syntax::too-deep: lists are nested more than 500 deep
              1:501 "(" one too deep
        "#]],
    );
    assert_eq!(result(&deep(NESTING_LIMIT)), deep(NESTING_LIMIT) + "\n");
    check(
        &"x".repeat(10_000_000),
        expect![[r#"
            syntax::too-long: a name of 10000000 bytes; at most 4096 are allowed
              1:1 "xxxxxxxxxxxxxxxxxxxx" begins here
        "#]],
    );
    assert_eq!(result(&"()".repeat(1_000_000)), "()\n".repeat(1_000_000));
    assert!(result(&"(a ".repeat(400)).starts_with("syntax::unclosed"));
    assert!(result(&("(a) ".repeat(1_000_000) + ")")).starts_with("syntax::unopened"));
}

proptest! {
    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let mut sources = Sources::default();
        let file = sources.add_bytes("bytes", bytes);
        if let Err(error) = read(&sources, file) {
            diagnose(&sources, &error.diagnostic());
        }
    }

    #[test]
    fn shown_text_reads_back(text in "[()a; \n]{0,60}") {
        let first = result(&text);
        if !first.starts_with("syntax::") {
            prop_assert_eq!(&result(&first), &first);
        }
    }
}

/// In PDDL a question mark begins a variable, also without a blank before it; in KIF it may be part of a word.
#[test]
fn a_question_mark_begins_a_variable_in_pddl() {
    let sources = sources("(at?x?y) (empty? ?x) (empty??x) (? p? ?-)");
    let file = sources.files.ids().next().expect("one file was added");
    let shown = |items: counterplay_syntax::Items<'_>| items.map(show).collect::<Vec<_>>().join(" ");
    let pddl = read_pddl(&sources, file).expect("sound");
    assert_eq!(shown(pddl.items()), "(at ?x ?y) (empty? ?x) (empty? ?x) (? p? ?-)");
    let kif = read(&sources, file).expect("sound");
    assert_eq!(shown(kif.items()), "(at?x?y) (empty? ?x) (empty??x) (? p? ?-)");
}
