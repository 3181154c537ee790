//! The case studies of Yoyo as HDDL, in any size: hunter and prey, robot navigation.
//!
//! Both after Kuter, Nau, Pistore and Traverso (2005, 2009). Nature takes its turn after each action of ours: the
//! task `nature` moves each prey or door in turn. The hunter's methods chase one prey after the other, row by
//! row and column by column; the robot's methods carry one package after the other along the only way through
//! the doors.

use std::fmt::Write;

use crate::Files;
use crate::fond::{DOORS, Errands, ROBOT_ACTIONS, errands};

/// A hunter on a square grid and prey, each of which may take a step after each of the hunter's. A prey first
/// decides about its row, and if it stays there, about its column; at the border a step may lead nowhere. With `apart`, no
/// prey steps where another one is, and a prey that was caught is gone.
pub fn hunter_prey(edge: u32, prey: u32, apart: bool) -> Files {
    let words = |text: &str| if apart { with_squares(text) } else { text.to_owned() };
    let mut domain = words(HUNTER_HEAD);
    for (way, line, action, pair) in [
        ("down", "row", "go-row", "less ?a ?b"),
        ("up", "row", "go-row", "less ?b ?a"),
        ("right", "column", "go-column", "less ?a ?b"),
        ("left", "column", "go-column", "less ?b ?a"),
    ] {
        let step = if way == "down" || way == "right" { "succ ?a ?n" } else { "succ ?n ?a" };
        let (any, there) = match (apart, line) {
            (false, line) => ("(?b - line)", format!("(prey-{line} ?p ?b)")),
            (true, "row") => ("(?b ?o - line)", "(prey-at ?p ?b ?o)".to_owned()),
            (true, _) => ("(?b ?o - line)", "(prey-at ?p ?o ?b)".to_owned()),
        };
        let _ = write!(
            domain,
            "  (:method chase-{way} :parameters (?p ?f - prey ?a ?n - line) :task (chase ?p)
    :precondition (and (first ?f) (hunter-{line} ?a) ({step})
                       (exists {any} (and {there} ({pair}))))
    :ordered-subtasks (and ({action} ?a ?n ?f) (nature) (chase ?p)))\n"
        );
    }
    domain.push_str(&words(HUNTER_METHODS));
    for (line, turn, last) in [
        ("row", "row-turn", false),
        ("row", "row-turn", true),
        ("column", "column-turn", false),
        ("column", "column-turn", true),
    ] {
        let (suffix, follower, order, next) = if last {
            ("-last", "", "(last ?p)", "(hunter-turn)")
        } else {
            ("", " ?q", "(next ?p ?q)", "(row-turn ?q)")
        };
        let stay = if line == "row" { "(column-turn ?p)" } else { next };
        let at = |prey: &str, place: &str| match (apart, line) {
            (false, line) => format!("(prey-{line} {prey} {place})"),
            (true, "row") => format!("(prey-at {prey} {place} ?o)"),
            (true, _) => format!("(prey-at {prey} ?o {place})"),
        };
        let step = |place: &str| {
            let moved = format!("(not {}) {}", at("?p", "?x"), at("?p", place));
            match apart {
                true => format!("(when (forall (?k - prey) (not {})) (and {moved}))", at("?k", place)),
                false => moved,
            }
        };
        let (other, here) = (if apart { " ?o" } else { "" }, at("?p", "?x"));
        let _ = write!(
            domain,
            "  (:action flee-{line}{suffix} :parameters (?p{follower} - prey ?x ?y ?z{other} - line)
    :precondition (and ({turn} ?p) (free ?p) {order} {here} (before ?x ?y) (after ?x ?z))
    :effect (and (not ({turn} ?p))
      (oneof {stay}
             (and {next} {})
             (and {next} {}))))\n",
            step("?y"),
            step("?z")
        );
    }
    domain.push_str(HUNTER_SKIPS);
    Files { domain, problem: hunter_problem(edge, prey, apart) }
}

/// The same text with the square of a prey as one predicate, so that steps to a square where another prey is can be told apart.
fn with_squares(text: &str) -> String {
    text.replace(
        "(prey-row ?p - prey ?r - line) (prey-column ?p - prey ?c - line)",
        "(prey-at ?p - prey ?r ?c - line)",
    )
    .replace("(prey-row ?p ?r) (prey-column ?p ?c)", "(prey-at ?p ?r ?c)")
    .replace("?x ?y ?z - line", "?x ?y ?z ?o - line")
    .replace("?x ?y ?z)", "?x ?y ?z ?o)")
    .replace("(not (free ?p)) (caught ?p)", "(not (free ?p)) (caught ?p) (not (prey-at ?p ?r ?c))")
}

const HUNTER_HEAD: &str = "(define (domain hunter-prey)
  (:requirements :adl :typing :hierarchy :non-deterministic)
  (:types line prey)
  (:predicates (hunter-turn) (row-turn ?p - prey) (column-turn ?p - prey) (free ?p - prey) (caught ?p - prey)
               (hunter-row ?r - line) (hunter-column ?c - line)
               (prey-row ?p - prey ?r - line) (prey-column ?p - prey ?c - line)
               (first ?p - prey) (next ?p ?q - prey) (last ?p - prey)
               (succ ?x ?y - line) (less ?x ?y - line) (before ?x ?y - line) (after ?x ?y - line))
  (:task hunt :parameters ())
  (:task chase :parameters (?p - prey))
  (:task nature :parameters ())
  (:method hunt-one :parameters (?p - prey) :task (hunt) :precondition (free ?p)
    :ordered-subtasks (and (chase ?p) (hunt)))
";

const HUNTER_METHODS: &str =
    "  (:method chase-end :parameters (?p - prey ?r ?c - line) :task (chase ?p)
    :precondition (and (hunter-row ?r) (hunter-column ?c) (prey-row ?p ?r) (prey-column ?p ?c))
    :ordered-subtasks (and (catch ?p ?r ?c)))
  (:method nature-row :parameters (?p ?q - prey ?x ?y ?z - line) :task (nature)
    :ordered-subtasks (and (flee-row ?p ?q ?x ?y ?z) (nature)))
  (:method nature-column :parameters (?p ?q - prey ?x ?y ?z - line) :task (nature)
    :ordered-subtasks (and (flee-column ?p ?q ?x ?y ?z) (nature)))
  (:method nature-row-last :parameters (?p - prey ?x ?y ?z - line) :task (nature)
    :ordered-subtasks (and (flee-row-last ?p ?x ?y ?z) (nature)))
  (:method nature-column-last :parameters (?p - prey ?x ?y ?z - line) :task (nature)
    :ordered-subtasks (and (flee-column-last ?p ?x ?y ?z) (nature)))
  (:method nature-skip :parameters (?p ?q - prey) :task (nature)
    :ordered-subtasks (and (skip ?p ?q) (nature)))
  (:method nature-skip-last :parameters (?p - prey) :task (nature)
    :ordered-subtasks (and (skip-last ?p) (nature)))
  (:method nature-rests :parameters () :task (nature) :precondition (hunter-turn) :ordered-subtasks (and))
  (:action go-row :parameters (?a ?b - line ?f - prey)
    :precondition (and (hunter-turn) (hunter-row ?a) (or (succ ?a ?b) (succ ?b ?a)) (first ?f))
    :effect (and (not (hunter-turn)) (row-turn ?f) (not (hunter-row ?a)) (hunter-row ?b)))
  (:action go-column :parameters (?a ?b - line ?f - prey)
    :precondition (and (hunter-turn) (hunter-column ?a) (or (succ ?a ?b) (succ ?b ?a)) (first ?f))
    :effect (and (not (hunter-turn)) (row-turn ?f) (not (hunter-column ?a)) (hunter-column ?b)))
  (:action stay :parameters (?f - prey)
    :precondition (and (hunter-turn) (first ?f))
    :effect (and (not (hunter-turn)) (row-turn ?f)))
  (:action catch :parameters (?p - prey ?r ?c - line)
    :precondition (and (hunter-turn) (hunter-row ?r) (hunter-column ?c) (prey-row ?p ?r) (prey-column ?p ?c) (free ?p))
    :effect (and (not (free ?p)) (caught ?p)))
";

const HUNTER_SKIPS: &str = "  (:action skip :parameters (?p ?q - prey)
    :precondition (and (row-turn ?p) (caught ?p) (next ?p ?q))
    :effect (and (not (row-turn ?p)) (row-turn ?q)))
  (:action skip-last :parameters (?p - prey)
    :precondition (and (row-turn ?p) (caught ?p) (last ?p))
    :effect (and (not (row-turn ?p)) (hunter-turn))))
";

fn hunter_problem(edge: u32, prey: u32, apart: bool) -> String {
    let mut text = format!("(define (problem hunter-prey-{edge}-{prey}) (:domain hunter-prey)\n  (:objects");
    (0..edge).for_each(|line| text.push_str(&format!(" l{line}")));
    text.push_str(" - line");
    (1..=prey).for_each(|p| text.push_str(&format!(" p{p}")));
    text.push_str(" - prey)\n  (:htn :ordered-subtasks (and (hunt)))\n");
    text.push_str("  (:init (hunter-turn) (hunter-row l0) (hunter-column l0)\n");
    for p in 0..prey {
        // From the far corner on.
        let place = (edge * edge - 1).saturating_sub(p % (edge * edge));
        let (row, column) = (place / edge, place % edge);
        let number = p + 1;
        let square = match apart {
            true => format!("(prey-at p{number} l{row} l{column})"),
            false => format!("(prey-row p{number} l{row}) (prey-column p{number} l{column})"),
        };
        let _ = writeln!(text, "    {square} (free p{number})");
    }
    let _ = write!(text, "    (first p1) (last p{prey})");
    (1..prey).for_each(|p| text.push_str(&format!(" (next p{p} p{})", p + 1)));
    text.push('\n');
    for line in 0..edge {
        let (before, after) = (line.saturating_sub(1), (line + 1).min(edge - 1));
        let _ = write!(text, "    (before l{line} l{before}) (after l{line} l{after})");
        if after != line {
            let _ = write!(text, " (succ l{line} l{after})");
        }
        (line + 1..edge).for_each(|later| text.push_str(&format!(" (less l{line} l{later})")));
        text.push('\n');
    }
    text.push_str("  )\n  (:goal (and");
    (1..=prey).for_each(|p| text.push_str(&format!(" (caught p{p})")));
    text.push_str(")))\n");
    text
}

/// A robot that carries packages between eight rooms while a kid opens and closes some of the seven doors.
pub fn robot_navigation(packages: u32, kid_doors: usize, seed: u64) -> Files {
    let Errands { objects, init, goal, deliveries } = errands(packages, kid_doors, seed);
    let name = format!("robot-navigation-{packages}-{kid_doors}");
    let mut know_how = String::new();
    for to in 1..=8 {
        know_how.push_str("\n   ");
        for (from, door, next) in ways_to(to) {
            let _ = write!(know_how, " (toward r{from} r{to} d{door} r{next})");
        }
    }
    for (package, (_, to)) in (1..).zip(deliveries) {
        let _ = write!(know_how, "\n    (wanted o{package} r{to})");
    }
    let problem = format!(
        "(define (problem {name}) (:domain robot-navigation)\n  (:objects{objects})\n  \
         (:htn :ordered-subtasks (and (work)))\n  (:init {init}{know_how})\n  (:goal (and{goal})))\n"
    );
    Files { domain: format!("{ROBOT_METHODS}{ROBOT_ACTIONS})\n"), problem }
}

/// For each other room the door and the room through which one comes nearer.
fn ways_to(to: usize) -> Vec<(usize, usize, usize)> {
    let mut found = Vec::new();
    let mut open = vec![to];
    let mut seen = vec![to];
    while let Some(room) = open.pop() {
        for (door, (a, b)) in (1..).zip(DOORS) {
            let other = if a == room { b } else { a };
            if (a == room || b == room) && !seen.contains(&other) {
                found.push((other, door, room));
                seen.push(other);
                open.push(other);
            }
        }
    }
    found
}

const ROBOT_METHODS: &str = "(define (domain robot-navigation)
  (:requirements :adl :typing :hierarchy :non-deterministic)
  (:types room door package)
  (:predicates (robot-turn) (turn ?d - door) (at-robot ?r - room) (at-pkg ?o - package ?r - room)
               (holding ?o - package) (handempty) (open ?d - door) (closed ?d - door)
               (connects ?d - door ?a ?b - room) (toward ?from ?to - room ?d - door ?next - room)
               (wanted ?o - package ?r - room) (first ?d - door) (next ?d ?e - door) (last ?d - door))
  (:task work :parameters ())
  (:task deliver :parameters (?o - package ?r - room))
  (:task get-to :parameters (?r - room))
  (:task nature :parameters ())
  (:method work-on :parameters (?o - package ?r - room) :task (work)
    :precondition (and (wanted ?o ?r) (not (at-pkg ?o ?r)))
    :ordered-subtasks (and (deliver ?o ?r) (work)))
  (:method deliver-it :parameters (?o - package ?from ?to - room ?k - door) :task (deliver ?o ?to)
    :precondition (and (at-pkg ?o ?from) (handempty) (first ?k))
    :ordered-subtasks (and (get-to ?from) (pick-up ?o ?from ?k) (nature)
                           (get-to ?to) (put-down ?o ?to ?k) (nature)))
  (:method there :parameters (?r - room) :task (get-to ?r) :precondition (at-robot ?r)
    :ordered-subtasks (and))
  (:method through :parameters (?a ?b ?r - room ?d ?k - door) :task (get-to ?r)
    :precondition (and (at-robot ?a) (toward ?a ?r ?d ?b) (open ?d) (first ?k))
    :ordered-subtasks (and (go ?d ?a ?b ?k) (nature) (get-to ?r)))
  (:method open-first :parameters (?a ?b ?r - room ?d ?k - door) :task (get-to ?r)
    :precondition (and (at-robot ?a) (toward ?a ?r ?d ?b) (closed ?d) (first ?k))
    :ordered-subtasks (and (open-door ?d ?a ?b ?k) (nature) (get-to ?r)))
  (:method nature-kid :parameters (?d ?e - door) :task (nature)
    :ordered-subtasks (and (kid ?d ?e) (nature)))
  (:method nature-kid-last :parameters (?d - door) :task (nature) :ordered-subtasks (and (kid-last ?d)))
";
