//! Time, memory, interruption and closed pipes.

mod common;

use std::io::Read;
use std::thread;
use std::time::{Duration, Instant};

use common::{Folder, Outcome, finish, hard_problem, run, start};

/// Wants the answer `stopped` for this reason.
fn stopped(outcome: &Outcome, limit: &str) {
    assert_eq!(outcome.code, Some(3), "{outcome:?}");
    let answer = outcome.json();
    assert_eq!((&answer["verdict"], &answer["limit"]), (&"stopped".into(), &limit.into()), "{answer}");
    // The best plan so far is told, if there is one; it is not said to be optimal.
    assert_eq!(answer["plan"].is_null(), answer["cost"].is_null());
    assert_eq!(answer["optimal"], false);
    assert_eq!(answer["evidence"]["kind"], "bounded", "{answer}");
}

#[test]
fn every_search_keeps_the_time_limit() {
    let folder = Folder::new("time");
    let (domain, problem) = hard_problem(&folder);
    for search in ["auto", "bfs", "dijkstra", "astar", "explicit"] {
        let outcome = run(&format!("solve {domain} {problem} --search {search} --json --time-limit 1500ms"));
        stopped(&outcome, "time");
        assert!(outcome.took >= Duration::from_millis(1400), "{search}: {:?}", outcome.took);
        assert!(outcome.took < Duration::from_secs(30), "{search}: {:?}", outcome.took);
    }
}

#[test]
fn cpu_time_is_a_limit_of_its_own() {
    let folder = Folder::new("cpu");
    let (domain, problem) = hard_problem(&folder);
    let outcome = run(&format!("solve {domain} {problem} --json --cpu-limit 700ms --time-limit 120s"));
    stopped(&outcome, "cpu");
    assert!(outcome.took >= Duration::from_millis(600), "{:?}", outcome.took);
    // A process that only waits uses none: the limit on wall time ends it.
    let mut child = start([
        "solve",
        "-",
        "examples/gripper/p04.pddl",
        "--json",
        "--cpu-limit",
        "100ms",
        "--time-limit",
        "1s",
    ]);
    let stdin = child.stdin.take();
    let outcome = finish(child);
    drop(stdin);
    stopped(&outcome, "time");
}

/// Symbolic searches gave up at two thirds of the limit, since their tables could only double; explicit ones went over it.
#[cfg(target_os = "linux")]
#[test]
fn searches_use_the_memory_they_have_and_no_more() {
    let folder = Folder::new("memory");
    let (domain, problem) = hard_problem(&folder);
    // Each slide may fail, so a policy is asked for.
    let text = std::fs::read_to_string(&domain).expect("it was written");
    let text = text
        .replace(":effect (and (on", ":effect (oneof (and) (and (on")
        .replace("(gap ?r)))))", "(gap ?r))))))");
    let uncertain = folder.write("uncertain.pddl", text);
    // With a good heuristic the explicit search takes long to fill any memory.
    for (domain, search) in [
        (&domain, "auto"),
        (&domain, "bfs --direction forward"),
        (&domain, "dijkstra"),
        (&domain, "explicit --heuristic blind"),
        (&uncertain, "explicit"),
        (&uncertain, "symbolic"),
    ] {
        let words = format!(
            "solve {domain} {problem} --search {search} --json --memory-limit 80MiB --time-limit 40s"
        );
        let mut child = start(words.split_whitespace());
        let peak = common::peak_until_the_end(&mut child) >> 20;
        let outcome = finish(child);
        assert_eq!(outcome.code, Some(3), "{outcome:?}");
        assert!(peak <= 88, "{search}: {peak} MiB");
        // A search that collects garbage again and again near the limit may meet the time limit first.
        if outcome.json()["limit"] == "memory" {
            assert!(peak >= 56, "{search}: {peak} MiB");
        }
    }
}

/// Tasks and networks are counted too: tables that double ask first.
#[cfg(target_os = "linux")]
#[test]
fn decomposition_keeps_the_memory_limit() {
    let folder = Folder::new("memory-htn");
    // Every order of the pieces of work is another network and another state.
    let names: String = (0..14).map(|at| format!("w{at} ")).collect();
    let tasks: String = (0..14).map(|at| format!("(t{at} (carry-out w{at})) ")).collect();
    let domain = folder.write(
        "domain.hddl",
        "(define (domain work) (:requirements :typing :hierarchy) (:types work) (:predicates (done ?w - work) (never))
          (:task carry-out :parameters (?w - work))
          (:method m :parameters (?w - work) :task (carry-out ?w) :ordered-subtasks (and (a ?w) (b ?w)))
          (:action a :parameters (?w - work) :effect (done ?w))
          (:action b :parameters (?w - work) :precondition (never) :effect (not (done ?w))))",
    );
    let problem = folder.write(
        "problem.hddl",
        format!(
            "(define (problem p) (:domain work) (:objects {names} - work) (:htn :subtasks (and {tasks})) (:init))"
        ),
    );
    let words = format!("solve {domain} {problem} --json --memory-limit 64MiB --time-limit 60s");
    let mut child = start(words.split_whitespace());
    let peak = common::peak_until_the_end(&mut child) >> 20;
    let outcome = finish(child);
    assert!(matches!(outcome.code, Some(1 | 3)), "{outcome:?}");
    assert!(peak <= 70, "{peak} MiB");
}

#[test]
fn text_says_how_far_it_got() {
    let folder = Folder::new("text");
    let (domain, problem) = hard_problem(&folder);
    let outcome = run(&format!("solve {domain} {problem} --time-limit 500ms"));
    assert_eq!(outcome.code, Some(3));
    assert!(outcome.stdout.starts_with("; stopped: time limit"), "{outcome:?}");
    assert!(outcome.stderr.starts_with("stopped: time limit"), "{outcome:?}");
}

#[test]
fn no_time_at_all_is_stopped_at_once() {
    let outcome = run("solve examples/gripper/domain.pddl examples/gripper/p04.pddl --json --time-limit 0s");
    stopped(&outcome, "time");
}

#[test]
fn input_that_never_comes_ends_at_the_limit() {
    let started = Instant::now();
    let mut child = start(["solve", "-", "examples/gripper/p04.pddl", "--json", "--time-limit", "300ms"]);
    let stdin = child.stdin.take();
    let outcome = finish(child);
    drop(stdin);
    stopped(&outcome, "time");
    assert!(started.elapsed() < Duration::from_secs(30));
}

#[cfg(unix)]
fn signal(signal: libc::c_int) -> Outcome {
    let folder = Folder::new(&format!("signal-{signal}"));
    let (domain, problem) = hard_problem(&folder);
    let child = start(["solve", &domain, &problem, "--json", "--time-limit", "60s"]);
    thread::sleep(Duration::from_millis(2000));
    let process = libc::pid_t::try_from(child.id()).expect("process ids fit");
    // SAFETY: a signal to our own child, which has not been waited for.
    unsafe { libc::kill(process, signal) };
    finish(child)
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_it_cleanly() {
    let outcome = signal(libc::SIGINT);
    stopped(&outcome, "interrupt");
    assert!(outcome.took < Duration::from_secs(30), "{:?}", outcome.took);
}

#[cfg(unix)]
#[test]
fn a_request_to_terminate_ends_it_cleanly() {
    stopped(&signal(libc::SIGTERM), "interrupt");
}

#[test]
fn a_closed_pipe_is_no_error() {
    let mut child = start(["solve", "examples/gripper/domain.pddl", "examples/gripper/p10.pddl"]);
    drop(child.stdout.take());
    let mut errors = String::new();
    child.stderr.take().expect("stderr is piped").read_to_string(&mut errors).expect("stderr is text");
    assert_eq!(child.wait().expect("it ends").code(), Some(0), "{errors}");
    assert!(!errors.contains("error"), "{errors}");
}
