//! The command line as tools and people rely on it.

mod common;

use common::{Folder, examples, run, run_with};
use expect_test::{Expect, expect};

const UNIT: &str = "examples/desert/domain.pddl examples/desert/unit.pddl";
const COSTS: &str = "examples/desert/costs-domain.pddl examples/desert/costs.pddl";
const UNSOLVABLE: &str = "examples/river/domain.pddl examples/river/p4.pddl";

fn check(arguments: &str, code: i32, expected: Expect) {
    let outcome = run(arguments);
    expected.assert_eq(&outcome.stdout);
    assert_eq!(outcome.code, Some(code), "{outcome:?}");
}

#[test]
fn a_plan_is_printed_in_the_competition_format() {
    check(
        &format!("solve {UNIT}"),
        0,
        expect![[r#"
            (walk p0 p3)
            (walk p3 p6)
            (walk p6 p9)
            (catch p9)
            ; cost = 4 (unit cost)
        "#]],
    );
    check(
        &format!("solve {COSTS}"),
        0,
        expect![[r#"
            (walk p0 p1)
            (walk p1 p3)
            (walk p3 p5)
            (walk p5 p8)
            (walk p8 p6)
            (walk p6 p7)
            (walk p7 p9)
            (catch p9)
            ; cost = 14 (general cost)
        "#]],
    );
    check(
        &format!("solve {UNSOLVABLE}"),
        1,
        expect![[r#"
        ; unsolvable: there is no plan
    "#]],
    );
}

#[test]
fn the_json_of_a_plan_has_the_documented_shape() {
    let answer = run(&format!("solve {COSTS} --json")).json();
    let fields: Vec<&str> = answer.as_object().expect("an object").keys().map(String::as_str).collect();
    let expected = [
        "verdict",
        "kind",
        "cost",
        "metric",
        "length",
        "optimal",
        "plan",
        "lower_bound",
        "upper_bound",
        "search",
        "evidence",
        "seconds",
        "phases",
        "peak_memory",
    ];
    assert_eq!(fields, expected);
    assert_eq!(answer["verdict"], "solved");
    assert_eq!(answer["kind"], "plan");
    assert!(answer["cost"].is_i64() && answer["cost"] == 14);
    assert_eq!(answer["metric"], 14);
    assert_eq!(answer["length"], 8);
    assert_eq!(answer["optimal"], true);
    assert_eq!(answer["plan"][0], "(walk p0 p1)");
    for field in ["ran", "layers", "expanded", "peak_nodes", "lower_bound"] {
        assert!(!answer["search"][field].is_null(), "{field}");
    }
    for phase in ["parse", "ground", "search", "check"] {
        assert!(answer["phases"][phase].is_f64(), "{phase}");
    }
    assert!(answer["seconds"].as_f64().is_some_and(|seconds| seconds > 0.0));
}

#[test]
fn without_a_metric_there_is_no_metric_value() {
    let answer = run(&format!("solve {UNIT} --json")).json();
    assert_eq!(answer["cost"], 4);
    assert!(answer["metric"].is_null());
}

#[test]
fn a_cost_with_decimals_is_exact() {
    let outcome = run("solve examples/trail/domain.pddl examples/trail/p02.pddl");
    assert!(outcome.stdout.ends_with("; cost = 31.5 (general cost)\n"), "{outcome:?}");
}

#[test]
fn the_json_of_an_unsolvable_problem() {
    let outcome = run(&format!("solve {UNSOLVABLE} --json"));
    let answer = outcome.json();
    assert_eq!(outcome.code, Some(1));
    assert_eq!(answer["verdict"], "unsolvable");
    assert!(answer["cost"].is_null() && answer["plan"].is_null() && answer["limit"].is_null());
    assert_eq!(answer["evidence"]["kind"], "proved", "{answer}");
    assert_eq!(answer["evidence"]["checked_by"], "exhaustive search of the lifted problem", "{answer}");
    let unchecked = run(&format!("solve {UNSOLVABLE} --json --no-check")).json();
    assert!(unchecked["evidence"]["checked_by"].is_null(), "{unchecked}");
    let text = run(&format!("solve {UNSOLVABLE}"));
    assert!(
        text.stderr.contains("no plan, confirmed by exhaustive search of the lifted problem"),
        "{text:?}"
    );
}

/// Each verdict says what it rests on.
#[test]
fn a_solved_problem_has_its_evidence() {
    let answer = run(&format!("solve {UNIT} --json")).json();
    assert_eq!(answer["evidence"]["kind"], "proved", "{answer}");
    assert_eq!(answer["evidence"]["engine"], answer["search"]["ran"], "{answer}");
    assert_eq!(answer["evidence"]["checked_by"], "plan validator (validity and cost)", "{answer}");
}

#[test]
fn no_check_means_no_check() {
    let answer = run(&format!("solve {UNIT} --json --no-check")).json();
    assert!(answer["phases"]["check"].is_null());
}

#[test]
fn stderr_has_a_line_or_nothing_or_the_log() {
    let normal = run(&format!("solve {UNIT}"));
    assert_eq!(normal.stderr.lines().count(), 1, "{normal:?}");
    assert!(normal.stderr.starts_with("solved: optimal plan of 4 steps, cost 4, checked ("), "{normal:?}");
    let quiet = run(&format!("solve {UNIT} -q"));
    assert_eq!(quiet.stderr, "");
    let verbose = run(&format!("solve {UNIT} -v"));
    for line in
        ["Plan length: 4 step(s).", "Plan cost: 4\n", "Search time: ", "Total time: ", "Solution found.\n"]
    {
        assert_eq!(verbose.stderr.matches(line).count(), 1, "{line}: {verbose:?}");
    }
    assert_eq!(verbose.stderr.matches("Peak memory: ").count(), 1, "{verbose:?}");
    assert_eq!(verbose.stdout, normal.stdout);
}

#[test]
fn the_same_seed_gives_the_same_plan() {
    for example in examples() {
        let solve = || run(&format!("solve {} {} --seed 7 -q", example.domain, example.problem)).stdout;
        assert_eq!(solve(), solve(), "{}", example.problem);
    }
}

#[test]
fn a_goal_that_holds_already_has_the_empty_plan() {
    let folder = Folder::new("empty-plan");
    let domain = folder.write("d.pddl", "(define (domain d) (:predicates (p)) (:action a :effect (p)))");
    let problem = folder.write("p.pddl", "(define (problem x) (:domain d) (:init (p)) (:goal (p)))");
    let outcome = run(&format!("solve {domain} {problem}"));
    assert_eq!((outcome.code, outcome.stdout.as_str()), (Some(0), "; cost = 0 (unit cost)\n"), "{outcome:?}");
    let answer = run(&format!("solve {domain} {problem} --json")).json();
    assert_eq!((&answer["cost"], &answer["length"]), (&0.into(), &0.into()));
}

#[test]
fn standard_input_is_a_dash() {
    let domain =
        std::fs::read_to_string(common::root().join("examples/desert/domain.pddl")).expect("it is bundled");
    let outcome = run_with(["solve", "-", "examples/desert/unit.pddl"], &domain);
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    let plan = outcome.stdout;
    let checked = run_with(["check", "examples/desert/domain.pddl", "examples/desert/unit.pddl", "-"], &plan);
    assert_eq!(checked.code, Some(0), "{checked:?}");
    let twice = run_with(["solve", "-", "-"], &domain);
    assert_eq!(twice.code, Some(2));
    assert!(twice.stderr.contains("standard input"), "{twice:?}");
}

#[test]
fn the_check_says_what_is_wrong() {
    let folder = Folder::new("check");
    let verdict = |plan: &str| {
        let plan = folder.write("plan", plan);
        let outcome = run(&format!("check {UNIT} {plan} --json"));
        (outcome.code, outcome.json())
    };
    let (code, answer) = verdict("(walk p0 p3)\n(walk p3 p6)\n(walk p6 p9)\n(catch p9)\n");
    assert_eq!((code, &answer["valid"], &answer["cost"]), (Some(0), &true.into(), &4.into()));
    assert!(answer["why"].is_null());
    for (plan, word) in [
        ("(walk p0 p9)\n", "path"),
        ("(walk p0 p3)\n", "goal"),
        ("(fly p0 p9)\n", "fly"),
        ("(walk p0)\n", "walk"),
        ("(walk p0 nowhere)\n", "nowhere"),
    ] {
        let (code, answer) = verdict(plan);
        assert_eq!((code, &answer["valid"]), (Some(1), &false.into()), "{plan}: {answer}");
        let why = answer["why"].as_str().unwrap_or_default();
        assert!(why.contains(word), "{plan}: {why}");
    }
}

#[test]
fn grounding_prints_figures_and_writes_the_task() {
    let folder = Folder::new("ground");
    let file = folder.path("task.sas");
    let outcome = run(&format!("ground {UNIT} --output {file} --json"));
    let figures = outcome.json();
    assert_eq!(outcome.code, Some(0));
    for field in ["variables", "facts", "operators", "axioms", "goals", "mutex_groups", "seconds"] {
        assert!(figures[field].is_number(), "{field}: {figures}");
    }
    let text = std::fs::read_to_string(&file).expect("the task was written");
    assert!(text.starts_with("begin_version\n3\nend_version\n"));
    let printed = run(&format!("ground {UNIT} --output -"));
    assert_eq!(printed.stdout, text);
    let solved = run_with(["solve", "-"], &text);
    assert!(solved.stdout.contains("(catch p9)"), "{solved:?}");
    let figures_only = run(&format!("ground {UNIT} --no-output"));
    assert!(figures_only.stdout.contains("operators"), "{figures_only:?}");
}

#[test]
fn usage_errors_end_with_two() {
    for arguments in [
        "",
        "frobnicate",
        "solve",
        "solve a b --search fast",
        "solve a b --time-limit soon",
        "solve a b --memory-limit none",
        "solve a b --threads 0",
        "solve a b -q -v",
        "solve examples/desert/domain.pddl",
        &format!("solve {UNIT} --search astar --direction backward"),
    ] {
        let outcome = run(arguments);
        assert_eq!(outcome.code, Some(2), "{arguments}: {outcome:?}");
        assert_eq!(outcome.stdout, "", "{arguments}");
    }
}

#[test]
fn help_tells_the_exit_codes_and_the_version_is_the_packages() {
    for arguments in ["--help", "solve --help", "check --help", "ground --help"] {
        let outcome = run(arguments);
        assert_eq!(outcome.code, Some(0));
        assert!(outcome.stdout.contains("Exit codes:"), "{arguments}");
    }
    assert_eq!(run("--version").stdout, format!("counterplay {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn completions_and_manual_pages() {
    for shell in ["bash", "zsh", "fish"] {
        let outcome = run(&format!("completions {shell}"));
        assert!(outcome.code == Some(0) && outcome.stdout.contains("counterplay"), "{shell}");
    }
    assert!(run("man").stdout.contains(".TH counterplay"));
    let folder = Folder::new("man");
    let pages = folder.path("pages");
    assert_eq!(run(&format!("man --output {pages}")).code, Some(0));
    assert!(std::path::Path::new(&pages).join("counterplay-solve.1").exists());
}

#[test]
fn a_toy_needs_little_memory() {
    let answer = run(&format!("solve {UNIT} --json")).json();
    if let Some(peak) = answer["peak_memory"].as_u64() {
        assert!(peak < 50 << 20, "{peak} bytes");
    }
}
