//! How many pairs policies have: as many as there are things to tell apart, not as there are states.

use counterplay_base::{Budget, Silent, Verdict};
use counterplay_check::{Guarantee, PolicyOptions, check_policy, read_policy};
use counterplay_generate::Files;
use counterplay_generate::fond::{hunter_prey, robot_navigation};
use counterplay_ground::{Options as Grounding, ground_outcomes};
use counterplay_policy::{Class, Options, PolicySearch, rules, solve, text};
use counterplay_syntax::Sources;

/// The number of pairs of a strong-cyclic policy that the checker accepts.
fn size(files: &Files, search: PolicySearch) -> usize {
    let mut sources = Sources::default();
    let (domain, problem) =
        (sources.add("domain", files.domain.as_str()), sources.add("problem", files.problem.as_str()));
    let problem = counterplay_pddl::read(&sources, domain, problem).expect("the text is sound");
    let (task, _) =
        ground_outcomes(&problem, &Grounding::default(), &Budget::unlimited(), &Silent).expect("supported");
    let options = Options { class: Some(Class::StrongCyclic), search, seed: 0 };
    let answer = solve(&task, &options, &Budget::unlimited(), &Silent);
    let Verdict::Solved(policy) = answer.verdict else { panic!("{answer:?}") };
    let text = text(policy.class, &rules(&task, &policy));
    let file = sources.add("policy", text.as_str());
    let read = read_policy(&sources, file, &problem).expect("a policy of ours can be read");
    let wanted = Guarantee::StrongCyclic;
    let options = PolicyOptions { wanted, most_states: 20_000, only_runs: false, runs: 1, seed: 1 };
    let checked = check_policy(&problem, &read.rules, options, &Budget::unlimited());
    assert!(checked.as_ref().is_ok_and(|checked| checked.is_certain()), "{checked:?}\n{text}");
    policy.pairs.len()
}

/// A row of rooms with a door between any two; after each step of the robot's, a kid goes by and moves as many doors as
/// it likes.
fn row_of_doors(doors: usize) -> Files {
    let domain = "(define (domain row) (:requirements :typing :non-deterministic) (:types room door)
      (:predicates (at ?r - room) (open ?d - door) (closed ?d - door) (robot-turn) (kid-turn ?d - door)
                   (door ?d - door ?a ?b - room) (first ?d - door) (next ?d ?e - door) (last ?d - door))
      (:action go :parameters (?d - door ?a ?b - room ?f - door)
        :precondition (and (robot-turn) (at ?a) (door ?d ?a ?b) (open ?d) (first ?f))
        :effect (and (not (at ?a)) (at ?b) (not (robot-turn)) (kid-turn ?f)))
      (:action push :parameters (?d - door ?a ?b - room ?f - door)
        :precondition (and (robot-turn) (at ?a) (door ?d ?a ?b) (closed ?d) (first ?f))
        :effect (and (not (closed ?d)) (open ?d) (not (robot-turn)) (kid-turn ?f)))
      (:action kid :parameters (?d ?e - door) :precondition (and (kid-turn ?d) (next ?d ?e))
        :effect (and (not (kid-turn ?d)) (kid-turn ?e)
          (oneof (and) (and (open ?d) (not (closed ?d))) (and (closed ?d) (not (open ?d))))))
      (:action kid-last :parameters (?d - door) :precondition (and (kid-turn ?d) (last ?d))
        :effect (and (not (kid-turn ?d)) (robot-turn)
          (oneof (and) (and (open ?d) (not (closed ?d))) (and (closed ?d) (not (open ?d)))))))";
    let rooms: String = (0..=doors).map(|room| format!(" r{room}")).collect();
    let names: String = (1..=doors).map(|door| format!(" d{door}")).collect();
    let walls: String = (1..=doors)
        .map(|door| {
            format!(
                "(door d{door} r{} r{door}) (door d{door} r{door} r{}) (open d{door})",
                door - 1,
                door - 1
            )
        })
        .collect();
    let order: String = (1..doors).map(|door| format!("(next d{door} d{})", door + 1)).collect();
    let problem = format!(
        "(define (problem p) (:domain row) (:objects{rooms} - room{names} - door)
           (:init (at r0) (robot-turn) {walls} (first d1) (last d{doors}) {order}) (:goal (at r{doors})))"
    );
    Files { domain: domain.to_owned(), problem }
}

/// Pushing and going, in one direction or both, and the kid's turn: no more than five pairs for each door.
#[test]
fn a_row_of_doors_takes_a_few_pairs_for_each_door() {
    for doors in [3, 6, 9] {
        for search in [PolicySearch::Explicit, PolicySearch::Symbolic] {
            let size = size(&row_of_doors(doors), search);
            assert!(size <= 5 * doors, "{doors} doors, {search:?}: {size} pairs");
        }
    }
}

/// The doors have up to 2^7 states; measured are 6 to 43 pairs.
#[test]
fn robot_navigation_grows_with_the_doors_and_not_with_their_states() {
    for seed in 0..4 {
        for doors in 1..=7 {
            let size = size(&robot_navigation(1, doors, seed), PolicySearch::Explicit);
            assert!(size <= 8 * doors + 12, "seed {seed}, {doors} doors: {size} pairs");
        }
    }
}

/// The hunter's place, the prey's, and whose turn it is make twice the square of the cells.
#[test]
fn catching_one_prey_takes_fewer_pairs_than_it_has_states() {
    for edge in 2..6 {
        let cells = (edge * edge) as usize;
        let size = size(&hunter_prey(edge, 1, false), PolicySearch::Explicit);
        assert!(size <= cells * cells / 2 + 3 * cells, "{edge}: {size} pairs");
    }
}
