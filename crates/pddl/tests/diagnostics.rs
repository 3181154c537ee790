//! Texts that must be refused, and how. The message says what is wrong and where, and all errors of both
//! files come together.

use std::fmt::Write as _;

use counterplay_pddl::read;
use counterplay_syntax::Sources;
use expect_test::{Expect, expect};

const DOMAIN: &str = "(define (domain blocks)
  (:types block table)
  (:predicates (on ?x - block ?y - block) (holding ?x - block) (clear ?x - block))
  (:functions (weight ?x - block) - number)
  (:action pick :parameters (?x - block) :precondition (clear ?x) :effect (holding ?x)))";

const PROBLEM: &str = "(define (problem two)
  (:domain blocks)
  (:objects a b - block t - table)
  (:init (on a b) (clear a) (= (weight a) 2))
  (:goal (holding a)))";

fn diagnostics(domain: &str, problem: &str) -> String {
    let mut sources = Sources::default();
    let files = (sources.add("domain", domain), sources.add("problem", problem));
    let Err(errors) = read(&sources, files.0, files.1) else { return "fine\n".to_owned() };
    let mut text = String::new();
    for diagnostic in errors.iter().map(|error| error.diagnostic()) {
        writeln!(text, "{}: {}", diagnostic.code, diagnostic.message).expect("strings grow");
        for label in &diagnostic.labels {
            let (line, column) = sources.position(label.span);
            let file = &sources.files[label.span.file].name;
            let place = sources.text(label.span).lines().next().unwrap_or_default();
            writeln!(text, "  {file}:{line}:{column} [{place}] {}", label.text).expect("strings grow");
        }
        if let Some(help) = diagnostic.help {
            writeln!(text, "  help: {help}").expect("strings grow");
        }
    }
    text
}

/// The blocks domain with one more section.
fn check_domain(section: &str, expected: Expect) {
    let domain = format!("{}\n{section})", DOMAIN.strip_suffix(')').expect("the domain ends"));
    expected.assert_eq(&diagnostics(&domain, PROBLEM));
}

/// The two-blocks problem with some of its text replaced.
fn check_problem(old: &str, new: &str, expected: Expect) {
    assert!(PROBLEM.contains(old));
    expected.assert_eq(&diagnostics(DOMAIN, &PROBLEM.replace(old, new)));
}

#[test]
fn hidden_states() {
    check_problem(
        "(= (weight a) 2)",
        "(unknown (clear a)) (or (not (clear a)) (on a b)) (or (not (clear a)))
         (oneof (clear b) (unknown (on b a))) (or) (unknown (clean b))",
        expect![[r#"
            pddl::contradiction: `(clear a)` contradicts an earlier entry of (:init ...)
              problem:4:29 [(unknown (clear a))] 
              problem:4:19 [(clear a)] the earlier entry
            pddl::contradiction: `(clear a)` contradicts an earlier entry of (:init ...)
              problem:4:79 [(or (not (clear a)))] 
              problem:4:19 [(clear a)] the earlier entry
            pddl::malformed: expected facts; `or` and `unknown` do not stand in an alternative
              problem:5:27 [(unknown (on b a))] 
            pddl::malformed: expected literals of which one holds
              problem:5:47 [(or)] 
            pddl::unknown-predicate: unknown predicate `clean`
              problem:5:62 [clean] not declared in (:predicates ...)
              help: did you mean `clear`?
        "#]],
    );
    check_domain(
        "(:action look :parameters (?x - block) :observe (clear ?x))
         (:action feel :parameters (?x - block) :observe (and (clean ?x) (holding ?y)))
         (:action guess :parameters (?x - block) :observe (not (clear ?x)))",
        expect![[r#"
            pddl::unknown-predicate: unknown predicate `clean`
              domain:7:64 [clean] not declared in (:predicates ...)
              help: did you mean `clear`?
            pddl::unknown-variable: unknown variable `?y`
              domain:7:83 [?y] neither a parameter nor quantified here
            pddl::malformed: expected an atom to observe, or a conjunction of atoms
              domain:8:59 [(not (clear ?x))] 
        "#]],
    );
}

#[test]
fn nothing_to_complain_about() {
    assert_eq!(diagnostics(DOMAIN, PROBLEM), "fine\n");
}

#[test]
fn unknown_names() {
    check_domain(
        "(:action stack :parameters (?x - block ?y - blok)
           :precondition (and (holdng ?x) (clear ?y) (> (wieght ?x) 1))
           :effect (and (on ?x ?z) (clear c)))",
        expect![[r#"
            pddl::unknown-type: unknown type `blok`
              domain:6:45 [blok] not declared in (:types ...)
              help: did you mean `block`?
            pddl::unknown-predicate: unknown predicate `holdng`
              domain:7:32 [holdng] not declared in (:predicates ...)
              help: did you mean `holding`?
            pddl::unknown-function: unknown function `wieght`
              domain:7:58 [wieght] not declared in (:functions ...)
              help: did you mean `weight`?
            pddl::unknown-variable: unknown variable `?z`
              domain:8:32 [?z] neither a parameter nor quantified here
            pddl::unknown-object: unknown object `c`
              domain:8:43 [c] neither a constant nor an object
        "#]],
    );
    check_problem(
        "(on a b)",
        "(on a bb) (onn a b) (clear ?x)",
        expect![[r#"
        pddl::unknown-object: unknown object `bb`
          problem:4:16 [bb] neither a constant nor an object
          help: did you mean `b`?
        pddl::unknown-predicate: unknown predicate `onn`
          problem:4:21 [onn] not declared in (:predicates ...)
          help: did you mean `on`?
        pddl::unknown-variable: unknown variable `?x`
          problem:4:37 [?x] neither a parameter nor quantified here
    "#]],
    );
    check_problem(
        "(:goal (holding a)))",
        "(:goal (preference p1 (holding a))) (:metric minimize (+ (is-violated p2) (cost))))",
        expect![[r#"
            pddl::unknown-preference: unknown preference `p2`
              problem:5:73 [p2] no preference has this name
              help: did you mean `p1`?
            pddl::unknown-function: unknown function `cost`
              problem:5:78 [cost] not declared in (:functions ...)
        "#]],
    );
}

#[test]
fn arity_and_types() {
    check_problem(
        "(on a b)",
        "(on a) (on a b a) (on a t) (= (weight) 1) (= (weight t) 1)",
        expect![[r#"
        pddl::arity: `on` takes 2 arguments, found 1
          problem:4:10 [(on a)] 
          domain:3:17 [on] declared here
        pddl::arity: `on` takes 2 arguments, found 3
          problem:4:17 [(on a b a)] 
          domain:3:17 [on] declared here
        pddl::wrong-type: `t` is of type table, but `on` takes block here
          problem:4:34 [t] 
          domain:3:17 [on] declared here
        pddl::arity: `weight` takes 1 argument, found 0
          problem:4:40 [(weight)] 
          domain:4:16 [weight] declared here
        pddl::wrong-type: `t` is of type table, but `weight` takes block here
          problem:4:63 [t] 
          domain:4:16 [weight] declared here
    "#]],
    );
    check_domain(
        "(:action bad :parameters (?x - table ?y) :precondition (and (clear ?x) (clear ?y)))",
        expect![[r#"
            pddl::wrong-type: `?x` is of type table, but `clear` takes block here
              domain:6:68 [?x] 
              domain:3:65 [clear] declared here
        "#]],
    );
}

#[test]
fn sections() {
    expect![[r#"
        pddl::unknown-section: unknown section `:goals`
          problem:1:39 [:goals] no section of this kind of file
          help: did you mean `:goal`?
        pddl::missing-section: the problem has no `(:init ...)`
          problem:1:9 [(problem p)] 
        pddl::missing-section: the problem has no `(:goal ...)`
          problem:1:9 [(problem p)] 
    "#]]
    .assert_eq(&diagnostics(DOMAIN, "(define (problem p) (:domain blocks) (:goals (clear a)))"));
    check_problem(
        "(:goal (holding a))",
        "(:goal (holding a)) (:goal (holding b)) (:htn) (goal)",
        expect![[r#"
            pddl::malformed: expected a section such as `(:init ...)`
              problem:5:51 [goal] 
            pddl::duplicate: the section `:goal` is declared twice
              problem:5:24 [:goal] 
              problem:5:4 [:goal] first declared here
        "#]],
    );
    check_domain(
        "(:durative-action fly :parameters ())\n(:method m) (:predicate (p))",
        expect![[r#"
            pddl::unsupported: durative actions are not supported
              domain:6:2 [:durative-action] 
            pddl::unknown-section: unknown section `:predicate`
              domain:7:14 [:predicate] no section of this kind of file
              help: did you mean `:predicates`?
            pddl::malformed: expected a method with `:task (name ?x ...)`
              domain:7:10 [m] 
        "#]],
    );
}

#[test]
fn files_of_another_kind() {
    expect![[r#"
        pddl::wrong-file: this file defines a problem, but a domain was expected
          domain:1:9 [(problem two)] 
          help: the domain file comes first, then the problem file
        pddl::wrong-file: this file defines a domain, but a problem was expected
          problem:1:9 [(domain blocks)] 
          help: the domain file comes first, then the problem file
    "#]]
    .assert_eq(&diagnostics(PROBLEM, DOMAIN));
    expect![[r#"
        pddl::empty: the file is empty; expected `(define (domain name) ...)`
          domain:1:1 [] 
        pddl::empty: the file is empty; expected `(define (problem name) ...)`
          problem:1:1 [] 
    "#]]
    .assert_eq(&diagnostics("", " ; nothing\n"));
    expect![[r#"
        pddl::malformed: expected `(define (domain name) ...)`
          domain:1:2 [define] 
        pddl::malformed: expected nothing after the definition
          problem:1:16 [define] 
        pddl::malformed: expected `(define (problem name) ...)`
          problem:1:2 [hello] 
    "#]]
    .assert_eq(&diagnostics("(define)", "(hello world) (define (problem p))"));
    expect![[r#"
        pddl::malformed: expected `(define (domain name) ...)`
          domain:1:1 [domain] 
        pddl::malformed: expected `(define (problem name) ...)`
          problem:1:9 [(problem)] 
    "#]]
    .assert_eq(&diagnostics("domain", "(define (problem))"));
    expect![[r#"
        syntax::unclosed: this list is never closed
          domain:1:1 [(] opened here
          domain:1:19 [] the file ends here
        syntax::unopened: this `)` closes nothing
          problem:1:43 [)] 
          problem:1:1 [(] the list that opened here was closed before
    "#]]
    .assert_eq(&diagnostics("(define (domain d)", "(define (problem p) (:init) (:goal (and))))"));
}

#[test]
fn refused_features() {
    check_domain(
        "(:requirements :strips :durative-actions :constraints :typos :typin)",
        expect![[r#"
            pddl::unsupported: durative actions are not supported
              domain:6:24 [:durative-actions] 
            pddl::unsupported: trajectory constraints are not supported
              domain:6:42 [:constraints] 
            pddl::unknown-requirement: unknown requirement `:typos`
              domain:6:55 [:typos] no requirement of PDDL
            pddl::unknown-requirement: unknown requirement `:typin`
              domain:6:62 [:typin] no requirement of PDDL
              help: did you mean `:typing`?
        "#]],
    );
    check_problem(
        "(on a b)",
        "(at 5 (on a b)) (or (clear a) (clear b)) (unknown (clear a))",
        expect![[r#"
        pddl::unsupported: timed initial literals are not supported
          problem:4:10 [(at 5 (on a b))] 
    "#]],
    );
    check_problem(
        "(holding a)",
        "(and (sometime (holding a)) (= (on a b) a))",
        expect![[r#"
            pddl::unsupported: trajectory constraints are not supported
              problem:5:15 [(sometime (holding a))] 
            pddl::unknown-function: unknown function `on`
              problem:5:42 [on] not declared in (:functions ...)
            pddl::malformed: expected a number, not an object
              problem:5:50 [a] 
        "#]],
    );
    expect![[r#"
        pddl::unsupported: object fluents are not supported
          domain:1:56 [object] 
        pddl::unknown-predicate: unknown predicate `p`
          domain:3:69 [p] not declared in (:predicates ...)
        pddl::unsupported: trajectory constraints are not supported
          problem:1:56 [:constraints] 
    "#]]
    .assert_eq(&diagnostics(
        "(define (domain d) (:functions (place ?x) (owner ?x) - object (size ?x) - number)
          (:action a :parameters (?x ?y) :precondition (= (place ?x) ?y)
            :effect (and (assign (owner ?x) ?y) (probabilistic 0.5 (p ?x)))))",
        "(define (problem p) (:domain d) (:init) (:goal (and)) (:constraints (and)))",
    ));
}

#[test]
fn declarations_that_clash() {
    check_domain(
        "(:predicates (on ?x) (fine)) (:functions (weight)) (:constants a - table)
         (:action pick :parameters (?x ?x) :effect (fine) :effect (fine) :cost 3)",
        expect![[r#"
            pddl::duplicate: the predicate `on` is declared twice
              domain:6:15 [on] 
              domain:3:17 [on] first declared here
            pddl::duplicate: the function `weight` is declared twice
              domain:6:43 [weight] 
              domain:4:16 [weight] first declared here
            pddl::duplicate: the part `:effect` is declared twice
              domain:7:59 [:effect] 
              domain:7:44 [:effect] first declared here
            pddl::unknown-part: unknown part `:cost`
              domain:7:74 [:cost] no part of this
            pddl::duplicate: the variable `?x` is declared twice
              domain:7:40 [?x] 
              domain:7:37 [?x] first declared here
            pddl::duplicate: the action `pick` is declared twice
              domain:7:19 [pick] 
              domain:5:12 [pick] first declared here
            pddl::duplicate: the object `a` is declared twice
              problem:3:13 [a] 
              domain:6:64 [a] first declared here
        "#]],
    );
    check_problem(
        "(on a b)",
        "(not (on a b)) (on a b) (= (weight a) 3)",
        expect![[r#"
        pddl::contradiction: `(on a b)` contradicts an earlier entry of (:init ...)
          problem:4:25 [(on a b)] 
          problem:4:15 [(on a b)] the earlier entry
        pddl::contradiction: `(weight a)` contradicts an earlier entry of (:init ...)
          problem:4:61 [(= (weight a) 2)] 
          problem:4:34 [(= (weight a) 3)] the earlier entry
    "#]],
    );
    expect![[r#"
        pddl::cyclic-types: the type `a` lies below itself
          domain:1:28 [a] 
    "#]]
    .assert_eq(&diagnostics(
        "(define (domain d) (:types a - b b - c c - a d - a e) (:predicates (p ?x - e)))",
        "(define (problem p) (:domain d) (:objects x - d) (:init (p x)) (:goal (and)))",
    ));
}

#[test]
fn malformed_parts() {
    check_domain(
        "(:action) (:action (x)) (:action odd :parameters ?x :precondition clear :effect)
         (:action odder :parameters (x ?y -) pre (clear ?y) :precondition ((clear)) :effect (not))
         (:action oddest :parameters (?x - (either)) :precondition (and (not) (imply (clear ?x)) (exists ?x (clear ?x)))
           :effect (and (when (clear ?x)) (forall (?x)) (increase 3)))",
        expect![[r#"
            pddl::malformed: expected the name of an action
              domain:6:2 [:action] 
            pddl::malformed: expected the name of an action
              domain:6:12 [:action] 
            pddl::malformed: expected something after this
              domain:6:73 [:effect] 
            pddl::malformed: expected parameters in parentheses
              domain:6:50 [?x] 
            pddl::malformed: expected a condition
              domain:6:67 [clear] 
            pddl::malformed: expected `:parameters`, `:precondition`, `:effect` or `:observe`
              domain:7:46 [pre] 
            pddl::malformed: expected `:parameters`, `:precondition`, `:effect` or `:observe`
              domain:7:50 [(clear ?y)] 
            pddl::malformed: expected a type after this `-`
              domain:7:43 [-] 
            pddl::malformed: expected a variable such as `?x`
              domain:7:38 [x] 
            pddl::malformed: expected a predicate or a connective
              domain:7:76 [(clear)] 
            pddl::malformed: expected `(not atom)`
              domain:7:93 [(not)] 
            pddl::malformed: expected a type or `(either ...)` of types
              domain:8:44 [(either)] 
            pddl::malformed: expected `(not condition)`
              domain:8:73 [(not)] 
            pddl::malformed: expected `(imply condition condition)`
              domain:8:79 [(imply (clear ?x))] 
            pddl::malformed: expected variables in parentheses
              domain:8:106 [?x] 
            pddl::malformed: expected `(when condition effect)`
              domain:9:25 [(when (clear ?x))] 
            pddl::malformed: expected variables in parentheses and an effect
              domain:9:43 [(forall (?x))] 
            pddl::malformed: expected a function and a number
              domain:9:57 [(increase 3)] 
        "#]],
    );
    check_problem(
        "(= (weight a) 2)",
        "a () (= (weight a)) (= (weight a) b) (= (weight b) 1234567890.1234567890)",
        expect![[r#"
            pddl::malformed: expected a fact such as `(on a b)`
              problem:4:29 [a] 
            pddl::malformed: expected a fact such as `(on a b)`
              problem:4:31 [()] 
            pddl::malformed: expected a function and a number
              problem:4:34 [(= (weight a))] 
            pddl::malformed: expected a number
              problem:4:63 [b] 
            pddl::long-number: this number has more than 18 digits
              problem:4:80 [1234567890.1234567890] 
        "#]],
    );
    check_problem(
        "(:goal (holding a))",
        "(:goal (holding a) (holding b)) (:metric minimise (weight a))",
        expect![[r#"
            pddl::malformed: expected one condition
              problem:5:3 [(:goal (holding a) (holding b))] 
            pddl::malformed: expected `minimize` or `maximize`
              problem:5:44 [minimise] 
        "#]],
    );
    check_problem(
        "(:goal (holding a))",
        "(:goal (< (/ 1 2 3) (-))) (:metric minimize (weight a) 1)",
        expect![[r#"
            pddl::malformed: expected two operands
              problem:5:13 [(/ 1 2 3)] 
            pddl::malformed: expected one or two operands
              problem:5:23 [(-)] 
            pddl::malformed: expected `minimize` or `maximize`, and an expression
              problem:5:29 [(:metric minimize (weight a) 1)] 
        "#]],
    );
}

#[test]
fn rules_and_preferences() {
    check_domain(
        "(:predicates (above ?x ?y - block) (odd ?x - block) (even ?x - block))
         (:derived (above ?x ?y) (or (on ?x ?y) (exists (?z - block) (and (on ?x ?z) (above ?z ?y)))))
         (:derived (above ?x) (clear ?x))
         (:derived (odd ?x) (not (even ?x)))
         (:derived (even ?x) (imply (clear ?x) (odd ?x)))
         (:derived (missing ?x) (clear ?y))
         (:action cheat :parameters (?x - block) :effect (above ?x ?x))",
        expect![[r#"
            pddl::arity: `above` takes 2 arguments, found 1
              domain:8:20 [(above ?x)] 
              domain:6:15 [above] declared here
            pddl::unknown-predicate: unknown predicate `missing`
              domain:11:21 [missing] not declared in (:predicates ...)
            pddl::unknown-variable: unknown variable `?y`
              domain:11:40 [?y] neither a parameter nor quantified here
            pddl::unstratified: `even` is derived from its own negation
              domain:9:10 [(:derived (odd ?x) (not (even ?x)))] through this rule
            pddl::derived-set: `above` is derived by a rule, so nothing else can set it
              domain:12:58 [(above ?x ?x)] 
              domain:7:20 [(above ?x ?y)] derived here
        "#]],
    );
    check_problem(
        "(holding a)",
        "(or (preference p (holding a)) (not (preference q (preference r (clear a)))))",
        expect![[r#"
            pddl::preference-place: a preference can stand only under `and` and `forall`
              problem:5:14 [(preference p (holding a))] 
            pddl::preference-place: a preference can stand only under `and` and `forall`
              problem:5:46 [(preference q (preference r (clear a)))] 
            pddl::preference-place: a preference can stand only under `and` and `forall`
              problem:5:60 [(preference r (clear a))] 
        "#]],
    );
}

#[test]
fn a_thousand_errors_are_not_all_shown() {
    let facts: String = (0..1000).map(|number| format!("(wrong{number}) ")).collect();
    let problem = PROBLEM.replace("(on a b)", &facts);
    let text = diagnostics(DOMAIN, &problem);
    assert_eq!(text.matches("pddl::unknown-predicate").count(), 100);
    assert!(text.contains("pddl::too-many: 900 more errors are not shown"), "{text}");
}

#[test]
fn probabilities_that_are_none() {
    check_domain(
        "(:predicates (wet))
         (:action cross :parameters () :effect (probabilistic 0.6 (wet) 1/2 (not (wet))))
         (:action swim :parameters () :effect (probabilistic 1.5 (wet)))",
        expect![[r#"
            pddl::probabilities: the probabilities add up to 11/10, which is more than 1
              domain:7:48 [(probabilistic 0.6 (wet) 1/2 (not (wet)))] 
            pddl::malformed: expected a probability from 0 to 1, such as `0.25` or `1/4`
              domain:8:62 [1.5] 
        "#]],
    );
}

/// Once, each object of an unknown type was an error of its own, so that a problem of another domain had ninety of them.
#[test]
fn a_name_that_is_declared_nowhere_is_one_error() {
    check_problem(
        "a b - block t - table",
        "a b - blok t - tabel c d e - blok",
        expect![[r#"
            pddl::unknown-type: unknown type `blok`
              problem:3:19 [blok] not declared in (:types ...); used in 1 more place
              help: did you mean `block`?
            pddl::unknown-type: unknown type `tabel`
              problem:3:28 [tabel] not declared in (:types ...)
              help: did you mean `table`?
        "#]],
    );
}

#[test]
fn a_problem_of_another_domain_is_one_error() {
    let other = "(define (problem trip) (:domain logistics) (:objects oslo rome - city van - truck)
        (:init (at van oslo) (road oslo rome)) (:goal (at van rome)))";
    expect![[r#"
        pddl::other-domain: this problem is for the domain `logistics`, but the domain given is `blocks`
          problem:1:33 [logistics] 
          domain:1:9 [(domain blocks)] the domain given
          help: give the domain file that belongs to the problem
    "#]]
    .assert_eq(&diagnostics(DOMAIN, other));
    // A misspelled name alone is no error, and what is wrong with the text itself is told all the same.
    check_problem(
        "(:domain blocks)",
        "(:domain blocksworld)",
        expect![[r#"
        fine
    "#]],
    );
    check_problem(
        "(:domain blocks)\n  (:objects a b - block t - table)\n  (:init (on a b)",
        "(:domain other)\n  (:objects a b - brick t - table)\n  (:init 5 (on a b)",
        expect![[r#"
            pddl::other-domain: this problem is for the domain `other`, but the domain given is `blocks`
              problem:2:12 [other] 
              domain:1:9 [(domain blocks)] the domain given
              help: give the domain file that belongs to the problem
            pddl::malformed: expected a fact such as `(on a b)`
              problem:4:10 [5] 
        "#]],
    );
}
