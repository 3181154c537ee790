//! Preferences and metrics, from files to answers.

mod common;

use common::{Example, Folder, benefit_examples, run};
use expect_test::expect;

const DESERT: &str = "examples/net-benefit/desert/domain.pddl examples/net-benefit/desert/p01.pddl";

fn solve(example: &Example, options: &str) {
    let Example { domain, problem, optimal } = example;
    let outcome = run(&format!("solve {domain} {problem} --json {options}"));
    let answer = outcome.json();
    let what = format!("{problem} {options}: {outcome:?}");
    assert_eq!(answer["kind"], "net-benefit", "{what}");
    match optimal {
        Some(metric) => {
            assert_eq!(answer["verdict"], "solved", "{what}");
            assert_eq!(answer["metric"].as_f64(), Some(*metric), "{what}");
            assert_eq!(answer["bound"], answer["metric"], "{what}");
            assert_eq!((&answer["optimal"], outcome.code), (&true.into(), Some(0)), "{what}");
        }
        None => {
            assert_eq!((&answer["verdict"], outcome.code), (&"unsolvable".into(), Some(1)), "{what}");
        }
    }
}

#[test]
fn every_search_finds_the_known_best() {
    for example in benefit_examples() {
        for options in ["", "--search explicit", "--search dijkstra", "--direction forward"] {
            solve(&example, options);
        }
        // A pattern database over 33 holes that are all wanted free takes long.
        if !example.problem.contains("solitaire") {
            solve(&example, "--search astar");
            solve(&example, "--direction backward");
        }
    }
}

#[test]
fn the_running_example_of_the_thesis() {
    let outcome = run(&format!("solve {DESERT} -q"));
    expect![[r#"
        (walk p0 p2)
        (drink p2)
        (walk p2 p3)
        (walk p3 p4)
        (drink p4)
        (walk p4 p6)
        (walk p6 p8)
        (drink p8)
        (walk p8 p9)
        (catch p9)
        ; cost = 25
        ; metric = 40
        ; alive: held
        ; not-thirsty: violated, -25
        ; thirsty: held
        ; very-thirsty: violated, -10
    "#]]
    .assert_eq(&outcome.stdout);
    assert_eq!(outcome.stderr, "");
}

#[test]
fn the_other_plans_of_the_thesis_are_worth_what_it_says() {
    let folder = Folder::new("thesis-plans");
    let begin = "(walk p0 p2) (drink p2) (walk p2 p3) (walk p3 p4) (drink p4)";
    for (steps, metric) in [
        (format!("{begin} (walk p4 p7) (walk p7 p9) (catch p9)"), 39),
        ("(walk p0 p2) (walk p2 p0) (walk p0 p2) (dream)".to_owned(), -8),
    ] {
        let plan = folder.write("plan", steps.replace(") (", ")\n("));
        let answer = run(&format!("check {DESERT} {plan} --json")).json();
        assert_eq!((&answer["valid"], &answer["metric"]), (&true.into(), &metric.into()), "{answer}");
    }
}

#[test]
fn the_json_has_the_documented_shape() {
    let answer = run(&format!("solve {DESERT} --json")).json();
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
        "preferences",
        "bound",
        "search",
        "evidence",
        "seconds",
        "phases",
        "peak_memory",
    ];
    assert_eq!(fields, expected);
    assert_eq!(answer["cost"], 25);
    let preferences = &answer["preferences"];
    let not_thirsty = serde_json::json!({"name": "not-thirsty", "held": false, "violated": 1, "weight": -25});
    assert_eq!(preferences[1], not_thirsty, "{preferences}");
}

#[test]
fn a_written_plan_passes_the_check_with_the_same_value() {
    let folder = Folder::new("benefit-plan");
    for Example { domain, problem, optimal } in benefit_examples() {
        let plan = folder.path("plan");
        run(&format!("solve {domain} {problem} --plan-file {plan}"));
        if let Some(metric) = optimal {
            let answer = run(&format!("check {domain} {problem} {plan} --json")).json();
            assert_eq!(answer["valid"], true, "{problem}: {answer}");
            assert_eq!(answer["metric"].as_f64(), Some(metric), "{problem}: {answer}");
        }
    }
}

#[test]
fn better_plans_are_told_on_the_way() {
    let outcome = run(&format!("solve {DESERT} --direction forward -v"));
    let told: Vec<&str> = outcome.stderr.lines().filter(|line| line.starts_with("better plan")).collect();
    assert_eq!(told.last(), Some(&"better plan: metric 40"), "{}", outcome.stderr);
}

/// A domain with one action and the problem with this goal and metric.
fn small(folder: &Folder, effect: &str, goal: &str, metric: &str) -> String {
    let domain = folder.write(
        "domain.pddl",
        format!(
            "(define (domain d) (:requirements :adl :numeric-fluents :preferences)\n (:predicates (p) (q))\n \
             (:functions (total-cost) (n))\n (:action a :precondition (>= (* 2 (n)) 0) :effect {effect}))\n"
        ),
    );
    let problem = folder.write(
        "problem.pddl",
        format!(
            "(define (problem x) (:domain d)\n (:init (= (n) 0) (= (total-cost) 0))\n (:goal {goal})\n {metric})\n"
        ),
    );
    format!("{domain} {problem}")
}

#[test]
fn bad_input_has_its_own_message_for_each_case() {
    let folder = Folder::new("bad-benefit");
    let grow = "(and (p) (increase (total-cost) 1))";
    let wish = "(preference w (p))";
    let cases = [
        (grow, wish, "(:metric minimize (is-violated v))", "unknown preference `v`"),
        (grow, wish, "(:metric minimize (* (total-cost) (is-violated w)))", "the metric is not linear"),
        (grow, wish, "(:metric minimize (/ (is-violated w) (total-cost)))", "divides by what plans decide"),
        (grow, wish, "(:metric maximize (+ (total-cost) (is-violated w)))", "negative cost"),
        (
            "(increase (n) 1)",
            wish,
            "(:metric minimize (is-violated w))",
            "no finite range was found for `(n)`",
        ),
        ("(increase (n) 1)", wish, "(:metric minimize (n))", "metrics over numbers that conditions read"),
    ];
    for (effect, goal, metric, message) in cases {
        let outcome = run(&format!("solve {}", small(&folder, effect, goal, metric)));
        assert_eq!(outcome.code, Some(2), "{metric}: {outcome:?}");
        assert!(outcome.stderr.contains(message), "{metric}: {}", outcome.stderr);
        assert!(outcome.stderr.contains(".pddl:"), "with its place: {}", outcome.stderr);
    }
}

#[test]
fn wishes_that_nobody_weighs_are_warned_of() {
    let folder = Folder::new("unweighed");
    let files = small(
        &folder,
        "(and (p) (increase (total-cost) 1))",
        "(and (preference w (p)) (preference v (q)))",
        "(:metric minimize (+ (total-cost) (* 3 (is-violated w))))",
    );
    let outcome = run(&format!("solve {files}"));
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    assert!(outcome.stderr.contains("does not mention `v`"), "{}", outcome.stderr);
    assert!(outcome.stdout.contains("; metric = 1\n"), "{}", outcome.stdout);
}

#[test]
fn an_unreachable_hard_goal_is_proved() {
    let folder = Folder::new("unreachable");
    let files = small(&folder, "(p)", "(and (q) (preference w (p)))", "(:metric minimize (is-violated w))");
    let outcome = run(&format!("solve {files}"));
    assert_eq!(outcome.code, Some(1), "{outcome:?}");
    assert!(outcome.stdout.contains("the hard goal cannot be reached"), "{}", outcome.stdout);
}

#[test]
fn a_stopped_search_tells_its_bounds() {
    let outcome = run(&format!("solve {DESERT} --json --time-limit 0s"));
    assert_eq!(outcome.code, Some(3), "{outcome:?}");
    let answer = outcome.json();
    assert_eq!(answer["verdict"], "stopped");
    assert_eq!(answer["optimal"], false);
}

#[test]
fn the_grounded_file_is_classical_and_agrees() {
    let folder = Folder::new("benefit-grounded");
    let file = folder.path("output.sas");
    let outcome = run(&format!("ground {DESERT} --output {file}"));
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    assert!(outcome.stderr.contains("compiled away"), "{outcome:?}");
    // The metric is 100 minus this.
    assert_eq!(run(&format!("solve {file} --json")).json()["cost"], 60);
}

/// Where all goals are soft, the empty plan is known before any search has begun.
#[test]
fn a_stopped_run_with_soft_goals_only_has_the_empty_plan() {
    let folder = Folder::new("soft-only");
    let domain =
        "(define (domain d) (:requirements :preferences) (:predicates (p) (q)) (:action a :effect (p)))";
    let domain = folder.write("d.pddl", domain);
    let problem =
        "(define (problem x) (:domain d) (:init) (:goal (and (preference w (p)) (preference v (not (q)))))
        (:metric minimize (+ (* 3 (is-violated w)) (* 2 (is-violated v)))))";
    let problem = folder.write("p.pddl", problem);
    let outcome = run(&format!("solve {domain} {problem} --json --memory-limit 1MiB"));
    let answer = outcome.json();
    assert_eq!(outcome.code, Some(3), "{answer}");
    assert_eq!((&answer["plan"], &answer["metric"]), (&serde_json::json!([]), &3.into()), "{answer}");
    assert_eq!(answer["evidence"]["upper"], 3, "{answer}");
}
