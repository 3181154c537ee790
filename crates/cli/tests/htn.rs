//! Task networks from end to end: plans, policies, the checker, and what is refused.

mod common;

use common::{Folder, run};

const ERRANDS: &str = "examples/htn/errands/domain.hddl";

#[test]
fn plans_are_written_with_their_decomposition_and_accepted_by_the_checker() {
    let folder = Folder::new("htn-plan");
    for problem in ["milk", "both"] {
        let (plan, tree) = (folder.path("a.plan"), folder.path("tree.svg"));
        let files = format!("{ERRANDS} examples/htn/errands/{problem}.hddl");
        let outcome = run(&format!("solve {files} --json --plan-file {plan} --tree-file {tree}"));
        assert_eq!(outcome.code, Some(0), "{outcome:?}");
        let json = outcome.json();
        assert_eq!((json["verdict"].as_str(), json["kind"].as_str()), (Some("solved"), Some("htn")));
        assert_eq!(json["plan"].as_array().map(|plan| plan.len() as u64), json["length"].as_u64());
        assert!(json["decomposition"].as_str().is_some_and(|text| text.contains("<- by-shop")));
        assert!(std::fs::read_to_string(&tree).expect("a picture").contains("because"));
        let checked = run(&format!("check {files} {plan} --json"));
        assert_eq!(checked.code, Some(0), "{checked:?}");
        assert_eq!(checked.json()["length"], json["length"]);
    }
}

#[test]
fn a_plan_with_a_wrong_decomposition_is_refused_with_its_place() {
    let folder = Folder::new("htn-check");
    let right = "==>\n0 go home shop\n1 buy milk shop\nroot 2\n2 fetch milk -> by-shop 3 1\n3 get-to shop -> on-foot 0 4\n4 get-to shop -> there\n<==\n";
    let files = format!("{ERRANDS} examples/htn/errands/milk.hddl");
    let check = |text: &str| run(&format!("check {files} {}", folder.write("a.plan", text)));
    assert_eq!(check(right).code, Some(0));
    for (old, new, code, why) in [
        ("4 get-to shop -> there\n", "", 1, "no task with the number 4"),
        ("-> there", "-> on-foot", 1, "the subtasks are not those of `on-foot`"),
        ("2 fetch milk -> by-shop 3 1", "2 fetch milk -> by-shop 1 3", 0, ""),
        ("0 go home shop\n1 buy milk shop", "0 buy milk shop\n1 go home shop", 1, "step 1"),
        ("root 2\n", "", 1, "no line `root ...`"),
        ("root 2\n", "root 2 2\n", 1, "needed 2 times"),
        ("fetch milk -> by-shop", "fetch bread -> by-shop", 1, "the initial network"),
        ("-> by-shop 3 1", "-> by-ship 3 1", 1, "unknown method `by-ship`"),
        ("-> by-shop 3 1", "-> by-shop three one", 2, "numbers of tasks"),
        ("==>", "", 1, "no line `==>`"),
    ] {
        let outcome = check(&right.replace(old, new));
        assert_eq!(outcome.code, Some(code), "{new}: {outcome:?}");
        assert!(outcome.stdout.contains(why) || outcome.stderr.contains(why), "{new}: {outcome:?}");
    }
}

#[test]
fn policies_over_the_goal_and_over_the_network() {
    let folder = Folder::new("htn-policy");
    let domain = "examples/htn/hunter-prey/domain.hddl";
    let problem = "examples/htn/hunter-prey/p3x3-1.hddl";
    for way in ["nd", "yoyo"] {
        let policy = folder.path("a.policy");
        let outcome = run(&format!("solve {domain} {problem} --htn {way} --json --plan-file {policy}"));
        assert_eq!(outcome.code, Some(0), "{outcome:?}");
        let json = outcome.json();
        assert_eq!((json["kind"].as_str(), json["class"].as_str()), (Some("policy"), Some("strong-cyclic")));
        assert_eq!(run(&format!("check {domain} {problem} {policy}")).code, Some(0));
    }
    let retry = folder.write(
        "domain.hddl",
        "(define (domain retry) (:predicates (done)) (:task work :parameters ())
          (:method again :parameters () :task (work) :precondition (not (done)) :ordered-subtasks (and (try) (work)))
          (:method over :parameters () :task (work) :precondition (done) :ordered-subtasks (and))
          (:action try :parameters () :precondition () :effect (oneof (and) (done))))",
    );
    let problem =
        folder.write("p.hddl", "(define (problem p) (:domain retry) (:htn :subtasks (work)) (:init))");
    let policy = folder.path("b.policy");
    let outcome = run(&format!("solve {retry} {problem} --json --plan-file {policy}"));
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    assert_eq!(outcome.json()["class"].as_str(), Some("strong-cyclic"));
    assert_eq!(run(&format!("check {retry} {problem} {policy}")).code, Some(0));
    assert_eq!(run(&format!("check {retry} {problem} {policy} --class strong")).code, Some(1));
    assert_eq!(run(&format!("solve {retry} {problem} --class strong")).code, Some(1));
    assert_eq!(run(&format!("solve {retry} {problem} --htn shop")).code, Some(2));
}

#[test]
fn what_is_wrong_is_told_with_its_place() {
    let folder = Folder::new("htn-bad");
    let text = std::fs::read_to_string(common::root().join(ERRANDS)).expect("the example is bundled");
    let problem = "examples/htn/errands/milk.hddl";
    for (old, new, why) in [
        (":task (fetch ?t)", ":task (fetsh ?t)", "unknown task `fetsh`"),
        ("(buy ?t ?p)))\n  (:method there", "(buy ?t)))\n  (:method there", "`buy` takes 2 arguments"),
        (
            ":ordered-subtasks (and (get-to ?p)",
            ":subtasks (and (a (get-to ?p)) (b (get-to ?p))) :ordering (and (< a b) (< b a)) :foo (and (get-to ?p)",
            "cycle",
        ),
        ("(:requirements", "(:functions (f)) (:requirements", ""),
    ] {
        assert!(text.contains(old), "{old}");
        let domain = folder.write("domain.hddl", text.replace(old, new));
        let outcome = run(&format!("solve {domain} {problem}"));
        let expected = if why.is_empty() { 0 } else { 2 };
        assert_eq!(outcome.code, Some(expected), "{new}: {outcome:?}");
        assert!(outcome.stderr.contains(why), "{new}: {outcome:?}");
    }
    let endless = folder.write(
        "endless.hddl",
        "(define (domain endless) (:predicates (p)) (:task dig :parameters ())
          (:method deeper :parameters () :task (dig) :ordered-subtasks (and (dig) (rest)))
          (:method out :parameters () :task (dig) :precondition (p) :ordered-subtasks (and))
          (:action rest :parameters () :precondition () :effect (p)))",
    );
    let problem =
        folder.write("p.hddl", "(define (problem p) (:domain endless) (:htn :subtasks (dig)) (:init))");
    let outcome = run(&format!("solve {endless} {problem} --json"));
    assert_eq!(outcome.code, Some(3), "{outcome:?}");
    assert!(outcome.json()["why"].as_str().is_some_and(|why| why.contains("(dig) keeps coming up")));
    let outcome = run(&format!("solve {endless} {problem} --htn shop --search bfs"));
    assert_eq!(outcome.code, Some(2), "{outcome:?}");
}

#[test]
fn answers_say_what_they_rest_on() {
    let folder = Folder::new("htn-evidence");
    let domain = folder.write(
        "domain.hddl",
        "(define (domain door) (:predicates (open) (locked)) (:task leave :parameters ())
          (:method by-door :parameters () :task (leave) :ordered-subtasks (and (push) (walk)))
          (:action push :parameters () :precondition (not (locked)) :effect (open))
          (:action walk :parameters () :precondition (open) :effect (and)))",
    );
    let problem = |init: &str| {
        let text = format!("(define (problem p) (:domain door) (:htn :subtasks (leave)){init})");
        folder.write("p.hddl", text)
    };
    // Without `:init` nothing is true at the start.
    let outcome = run(&format!("solve {domain} {} --json", problem("")));
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    let evidence = &outcome.json()["evidence"];
    assert_eq!((evidence["kind"].as_str(), evidence["checked_by"].is_string()), (Some("proved"), true));
    for way in ["shop", "network"] {
        let outcome = run(&format!("solve {domain} {} --htn {way} --json", problem(" (:init (locked))")));
        assert_eq!(outcome.code, Some(1), "{outcome:?}");
        let evidence = &outcome.json()["evidence"];
        assert_eq!(evidence["checked_by"].as_str(), Some("trying every decomposition"), "{outcome:?}");
        assert!(outcome.stderr.contains("checked by trying every decomposition"), "{outcome:?}");
        let unchecked =
            run(&format!("solve {domain} {} --htn {way} --json --no-check", problem(" (:init (locked))")));
        assert!(unchecked.json()["evidence"]["checked_by"].is_null(), "{unchecked:?}");
    }
    let outcome = run(&format!("solve {domain} {} --htn nd", problem(" (:init (locked))")));
    assert_eq!(outcome.code, Some(2), "there is no goal to reach: {outcome:?}");
    assert!(outcome.stderr.contains("the problem has none"), "{outcome:?}");
}
