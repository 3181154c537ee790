//! Case studies as PDDL with nondeterministic actions: hunter and prey, robot navigation.
//!
//! Hunter and prey after Kuter, Nau, Pistore and Traverso (2005); robot navigation after Kabanza, Barbeau and St-Denis
//! (1997). In both, nature takes its turn after each action of ours.

use std::fmt::Write;

use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::Files;

/// A hunter on a square grid and prey that may take a step after each of the hunter's. With `apart`, no prey steps where
/// another one is.
pub fn hunter_prey(edge: u32, prey: u32, apart: bool) -> Files {
    let step = |to: &str| {
        let moved = format!("(and (not (prey-at ?p ?c)) (prey-at ?p {to}))");
        match apart {
            true => format!("(when (forall (?q - prey) (not (prey-at ?q {to}))) {moved})"),
            false => moved,
        }
    };
    let steps: Vec<String> = ["?e", "?w", "?s", "?n"].iter().map(|to| step(to)).collect();
    let flee = format!("(oneof (and) {})", steps.join(" "));
    let domain = format!(
        "(define (domain hunter-prey)
  (:requirements :adl :typing :non-deterministic)
  (:types cell prey)
  (:predicates (hunter-turn) (prey-turn ?p - prey) (hunter-at ?c - cell) (prey-at ?p - prey ?c - cell)
               (free ?p - prey) (caught ?p - prey) (first ?p - prey) (next ?p ?q - prey) (last ?p - prey)
               (adj ?a ?b - cell) (nbrs ?c ?e ?w ?s ?n - cell))
  (:action move :parameters (?a ?b - cell ?f - prey)
    :precondition (and (hunter-turn) (hunter-at ?a) (adj ?a ?b) (first ?f))
    :effect (and (not (hunter-at ?a)) (hunter-at ?b) (not (hunter-turn)) (prey-turn ?f)))
  (:action stay :parameters (?f - prey)
    :precondition (and (hunter-turn) (first ?f))
    :effect (and (not (hunter-turn)) (prey-turn ?f)))
  (:action catch :parameters (?p - prey ?c - cell)
    :precondition (and (hunter-turn) (hunter-at ?c) (prey-at ?p ?c) (free ?p))
    :effect (and (not (free ?p)) (not (prey-at ?p ?c)) (caught ?p)))
  (:action flee :parameters (?p ?q - prey ?c ?e ?w ?s ?n - cell)
    :precondition (and (prey-turn ?p) (free ?p) (prey-at ?p ?c) (nbrs ?c ?e ?w ?s ?n) (next ?p ?q))
    :effect (and (not (prey-turn ?p)) (prey-turn ?q) {flee}))
  (:action flee-last :parameters (?p - prey ?c ?e ?w ?s ?n - cell)
    :precondition (and (prey-turn ?p) (free ?p) (prey-at ?p ?c) (nbrs ?c ?e ?w ?s ?n) (last ?p))
    :effect (and (not (prey-turn ?p)) (hunter-turn) {flee}))
  (:action skip :parameters (?p ?q - prey)
    :precondition (and (prey-turn ?p) (caught ?p) (next ?p ?q))
    :effect (and (not (prey-turn ?p)) (prey-turn ?q)))
  (:action skip-last :parameters (?p - prey)
    :precondition (and (prey-turn ?p) (caught ?p) (last ?p))
    :effect (and (not (prey-turn ?p)) (hunter-turn))))
"
    );
    let cell = |x: u32, y: u32| format!("c{x}_{y}");
    let cells = || (0..edge).flat_map(|x| (0..edge).map(move |y| (x, y)));
    let mut text = format!("(define (problem hunter-prey-{edge}-{prey}) (:domain hunter-prey)\n  (:objects");
    cells().for_each(|(x, y)| text.push_str(&format!(" {}", cell(x, y))));
    text.push_str(" - cell");
    (1..=prey).for_each(|p| text.push_str(&format!(" p{p}")));
    text.push_str(" - prey)\n  (:init (hunter-turn) (hunter-at c0_0)\n");
    for p in 0..prey {
        // From the far corner on, so that as many fit as there are cells.
        let place = (edge * edge - 1).saturating_sub(p % (edge * edge));
        let _ =
            writeln!(text, "    (prey-at p{} {}) (free p{})", p + 1, cell(place / edge, place % edge), p + 1);
    }
    let _ = write!(text, "    (first p1) (last p{prey})");
    (1..prey).for_each(|p| text.push_str(&format!(" (next p{p} p{})", p + 1)));
    text.push('\n');
    for (x, y) in cells() {
        let (east, west) = ((x, (y + 1).min(edge - 1)), (x, y.saturating_sub(1)));
        let (south, north) = (((x + 1).min(edge - 1), y), (x.saturating_sub(1), y));
        let near = [east, west, south, north];
        let names: Vec<String> = near.iter().map(|&(x, y)| cell(x, y)).collect();
        let _ = write!(text, "    (nbrs {} {})", cell(x, y), names.join(" "));
        for &(a, b) in near.iter().filter(|&&near| near != (x, y)) {
            let _ = write!(text, " (adj {} {})", cell(x, y), cell(a, b));
        }
        text.push('\n');
    }
    text.push_str("  )\n  (:goal (and");
    (1..=prey).for_each(|p| text.push_str(&format!(" (caught p{p})")));
    text.push_str(")))\n");
    Files { domain, problem: text }
}

/// The doors of the building: a tree of eight rooms.
pub(crate) const DOORS: [(usize, usize); 7] = [(1, 2), (2, 3), (2, 4), (4, 5), (5, 6), (5, 7), (7, 8)];

/// What a problem of the robot consists of, however it is to be solved.
#[derive(Clone, Debug)]
pub(crate) struct Errands {
    /// The objects with their types.
    pub(crate) objects: String,
    /// Where everything is, and whose doors are the kid's.
    pub(crate) init: String,
    /// Where the packages belong.
    pub(crate) goal: String,
    /// From where to where each package goes.
    pub(crate) deliveries: Vec<(usize, usize)>,
}

/// Packages between eight rooms, some doors of which a kid opens and closes.
pub(crate) fn errands(packages: u32, kid_doors: usize, seed: u64) -> Errands {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut numbers: Vec<usize> = (1..=DOORS.len()).collect();
    numbers.shuffle(&mut random);
    let mut kid: Vec<usize> = numbers[..kid_doors.clamp(1, DOORS.len())].to_vec();
    kid.sort_unstable();
    let mut objects = String::new();
    (1..=8).for_each(|room| objects.push_str(&format!(" r{room}")));
    objects.push_str(" - room");
    (1..=DOORS.len()).for_each(|door| objects.push_str(&format!(" d{door}")));
    objects.push_str(" - door");
    (1..=packages).for_each(|package| objects.push_str(&format!(" o{package}")));
    objects.push_str(" - package");
    let mut init = String::from("(robot-turn) (handempty) (at-robot r1)\n");
    for (door, (a, b)) in (1..).zip(DOORS) {
        let state = if random.random_range(0..2) == 0 { "open" } else { "closed" };
        let _ =
            writeln!(init, "    (connects d{door} r{a} r{b}) (connects d{door} r{b} r{a}) ({state} d{door})");
    }
    let mut goal = String::new();
    let mut deliveries = Vec::new();
    for package in 1..=packages {
        let from = random.random_range(1..=8);
        let to = (from + random.random_range(0..7)) % 8 + 1;
        let _ = writeln!(init, "    (at-pkg o{package} r{from})");
        let _ = write!(goal, " (at-pkg o{package} r{to})");
        deliveries.push((from, to));
    }
    let _ = write!(init, "    (first d{}) (last d{})", kid[0], kid[kid.len() - 1]);
    kid.windows(2).for_each(|pair| init.push_str(&format!(" (next d{} d{})", pair[0], pair[1])));
    Errands { objects, init, goal, deliveries }
}

/// A robot that carries packages between eight rooms while a kid opens and closes some of the seven doors.
pub fn robot_navigation(packages: u32, kid_doors: usize, seed: u64) -> Files {
    let Errands { objects, init, goal, .. } = errands(packages, kid_doors, seed);
    let name = format!("robot-navigation-{packages}-{kid_doors}");
    let problem = format!(
        "(define (problem {name}) (:domain robot-navigation)\n  (:objects{objects})\n  (:init {init})\n  (:goal (and{goal})))\n"
    );
    Files { domain: format!("{ROBOT_HEAD}{ROBOT_ACTIONS})\n"), problem }
}

const ROBOT_HEAD: &str = "(define (domain robot-navigation)
  (:requirements :strips :typing :non-deterministic)
  (:types room door package)
  (:predicates (robot-turn) (turn ?d - door) (at-robot ?r - room) (at-pkg ?o - package ?r - room)
               (holding ?o - package) (handempty) (open ?d - door) (closed ?d - door)
               (connects ?d - door ?a ?b - room) (first ?d - door) (next ?d ?e - door) (last ?d - door))
";

/// What the robot and the kid can do.
pub(crate) const ROBOT_ACTIONS: &str = "  (:action go :parameters (?d - door ?a ?b - room ?k - door)
    :precondition (and (robot-turn) (at-robot ?a) (connects ?d ?a ?b) (open ?d) (first ?k))
    :effect (and (not (at-robot ?a)) (at-robot ?b) (not (robot-turn)) (turn ?k)))
  (:action open-door :parameters (?d - door ?a ?b - room ?k - door)
    :precondition (and (robot-turn) (at-robot ?a) (connects ?d ?a ?b) (closed ?d) (first ?k))
    :effect (and (not (closed ?d)) (open ?d) (not (robot-turn)) (turn ?k)))
  (:action pick-up :parameters (?o - package ?r - room ?k - door)
    :precondition (and (robot-turn) (at-robot ?r) (at-pkg ?o ?r) (handempty) (first ?k))
    :effect (and (not (at-pkg ?o ?r)) (not (handempty)) (holding ?o) (not (robot-turn)) (turn ?k)))
  (:action put-down :parameters (?o - package ?r - room ?k - door)
    :precondition (and (robot-turn) (at-robot ?r) (holding ?o) (first ?k))
    :effect (and (at-pkg ?o ?r) (handempty) (not (holding ?o)) (not (robot-turn)) (turn ?k)))
  (:action kid :parameters (?d ?e - door)
    :precondition (and (turn ?d) (next ?d ?e))
    :effect (and (not (turn ?d)) (turn ?e)
                 (oneof (and) (and (open ?d) (not (closed ?d))) (and (closed ?d) (not (open ?d))))))
  (:action kid-last :parameters (?d - door)
    :precondition (and (turn ?d) (last ?d))
    :effect (and (not (turn ?d)) (robot-turn)
                 (oneof (and) (and (open ?d) (not (closed ?d))) (and (closed ?d) (not (open ?d))))))";
