//! Games in which roles choose at once, chance takes part, or moves are hidden: known values.

use std::fs;
use std::path::Path;

use counterplay::game::{Concept, GameRules, GameVerdict, SolveAnswer, SolveRequest, solve};
use counterplay::{Budget, Silent};

fn example(name: &str) -> GameRules {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/games").join(name);
    GameRules::read(name, &fs::read_to_string(path).expect("bundled")).expect("sound rules")
}

fn answer(rules: &GameRules, request: &SolveRequest) -> SolveAnswer {
    solve(rules, request, None, &Budget::unlimited(), &Silent).expect("an answer")
}

fn all() -> SolveRequest {
    SolveRequest { check_positions: None, ..SolveRequest::default() }
}

fn exact(answer: &SolveAnswer) -> Vec<&str> {
    answer.value_exact.as_ref().expect("an expected value").iter().map(String::as_str).collect()
}

#[test]
fn roshambo_is_even_and_played_by_thirds() {
    let request = SolveRequest { from: Some(String::new()), ..all() };
    let answer = answer(&example("roshambo.kif"), &request);
    assert_eq!((answer.verdict, exact(&answer)), (GameVerdict::Solved, vec!["50", "50"]));
    assert_eq!((answer.states, answer.simultaneous, answer.checked), (10, 1, 10));
    let choices = answer.position.expect("the first position").choices;
    assert_eq!(choices.len(), 6);
    assert!(choices.iter().all(|own| own.probability_exact.as_deref() == Some("1/3") && own.optimal));
}

/// Goofspiel is symmetric, so that it is even; the values of its positions are another matter.
#[test]
fn goofspiel_is_even() {
    for (name, value) in
        [("goofspiel-4.kif", vec!["50", "50"]), ("goofspiel-3-drawn.kif", vec!["0", "50", "50"])]
    {
        let answer = answer(&example(name), &all());
        assert_eq!(exact(&answer), value, "{name}");
        assert_eq!(answer.checked as u128, answer.states);
        assert!(answer.simultaneous > 0);
    }
}

/// Found with OpenSpiel's Goofspiel (tests/open_spiel.rs compares all first bids): 3/19 of a win, and half of one.
#[test]
fn goofspiel_after_the_first_bids() {
    let rules = example("goofspiel-4.kif");
    for (bids, value) in [
        ("((bid 4) (bid 1))", ["1100/19", "800/19"]),
        ("((bid 2) (bid 4))", ["25", "75"]),
        ("((bid 1) (bid 2))", ["0", "100"]),
        ("((bid 3) (bid 3))", ["50", "50"]),
    ] {
        let request = SolveRequest { from: Some(bids.to_owned()), ..SolveRequest::default() };
        let position = answer(&rules, &request).position.expect("a position");
        assert_eq!(position.value_exact.expect("a value"), value, "{bids}");
    }
}

#[test]
fn the_dilemma_has_security_levels_and_an_equilibrium() {
    let rules = example("dilemma-once.kif");
    let none = answer(&rules, &all());
    assert_eq!((none.verdict, none.value.len()), (GameVerdict::Stopped, 0));
    let levels = none.security.expect("security levels");
    assert!(levels.iter().all(|own| own.exact == "20"), "{levels:?}");
    for solution in [Concept::Maximin, Concept::Nash] {
        let answer = answer(&rules, &SolveRequest { solution, ..all() });
        assert_eq!((answer.verdict, exact(&answer)), (GameVerdict::Solved, vec!["20", "20"]));
        assert!(!format!("{:?}", answer.evidence).contains("within: None"), "{:?}", answer.evidence);
    }
}

#[test]
fn dice_have_expectations() {
    let answer = answer(&example("dice-race.kif"), &all());
    assert_eq!(answer.verdict, GameVerdict::Solved);
    assert_eq!(answer.checked as u128, answer.states);
    assert!(answer.drawn > 0 && answer.simultaneous == 0);
    // Found by an independent recursion over squares, time and die.
    assert_eq!((exact(&answer), answer.states), (vec!["0", "1546750/19683", "421550/19683"], 547));
}

#[test]
fn monty_hall_is_worth_two_thirds_to_those_who_switch() {
    let after = |moves: String| {
        let request = SolveRequest { from: Some(moves), ..all() };
        let answer = answer(&example("monty-hall.kif"), &request);
        assert_eq!((answer.verdict, exact(&answer)), (GameVerdict::Solved, vec!["0", "200/3"]));
        assert!(answer.checked > 0);
        answer.position.expect("it was asked for").choices
    };
    // The doors are alike; what the strategy does after another choice than its own is not told.
    let first = after(String::new());
    let chosen = (1..=3).find(|door| {
        let choose = format!("(choose {door})");
        first.iter().any(|own| own.own == choose && own.probability_exact.as_deref() == Some("1"))
    });
    let chosen = chosen.expect("a door");
    let (car, open) = (chosen % 3 + 1, (chosen + 1) % 3 + 1);
    let choices = after(format!("((hide {car}) (choose {chosen})) ((open {open}) wait)"));
    let switch = choices.iter().find(|own| own.own == "switch").expect("a choice");
    assert_eq!(switch.probability_exact.as_deref(), Some("1"));
}

#[test]
fn kuhn_poker_costs_the_first_role_an_eighteenth_of_a_chip() {
    let answer = answer(&example("kuhn-poker.kif"), &all());
    assert_eq!((answer.verdict, exact(&answer)), (GameVerdict::Solved, vec!["0", "875/18", "925/18"]));
    let hidden = answer.hidden.expect("hidden cards");
    assert_eq!((hidden.infosets, hidden.method), (vec![6, 6], "sequence form"));
    assert!(answer.checked > 0);
    // Each role has two information sets for each card.
    assert_eq!(answer.strategy.expect("small").len(), 12);
}

/// A coin that is not seen is guessed half of the time; one that is seen always.
#[test]
fn a_hidden_coin_is_guessed_half_of_the_time() {
    let coin = |sees: &str| {
        let text = format!(
            "(role random) (role guesser) (init start)
            (<= (legal random (flip heads)) (true start)) (<= (legal random (flip tails)) (true start))
            (<= (legal random wait) (true (coin ?c))) (<= (legal guesser wait) (true start))
            (<= (legal guesser (guess heads)) (true (coin ?c))) (<= (legal guesser (guess tails)) (true (coin ?c)))
            (<= (next (coin ?c)) (does random (flip ?c)))
            (<= (next (done ?c ?g)) (true (coin ?c)) (does guesser (guess ?g))) {sees}
            (<= terminal (true (done ?c ?g))) (<= (goal guesser 100) (true (done ?c ?c)))
            (<= (goal guesser 0) (true (done ?c ?g)) (distinct ?c ?g))"
        );
        let answer = answer(&GameRules::read("coin", &text).expect("sound rules"), &all());
        exact(&answer).join(" ")
    };
    assert_eq!(coin("(<= (sees guesser flipped) (does random (flip ?c)))"), "0 50");
    assert_eq!(coin("(<= (sees guesser ?c) (does random (flip ?c)))"), "0 100");
    // Without `sees` everything is seen.
    assert_eq!(coin(""), "0 100");
}
