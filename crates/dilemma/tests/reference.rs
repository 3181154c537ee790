//! Matches and expectations of an independent implementation (the Axelrod library), where the data is present.

mod common;

use std::collections::HashMap;

use common::{reference, rules};
use counterplay_base::Budget;
use counterplay_dilemma::strategies::{self, MemoryOne};
use counterplay_dilemma::{Dice, Game, MatchMoves, play};

#[test]
fn every_deterministic_match_is_equal_move_by_move() {
    let Some(text) = reference("deterministic_matches.csv") else { return };
    let mut board = MatchMoves::default();
    let mut checked = 0;
    let mut wrong = Vec::new();
    for line in text.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let [one, two, turns, moves_one, moves_two, score_one, score_two] = fields[..] else {
            panic!("seven fields: {line}");
        };
        let rules = rules(turns.parse().expect("a number"), 0.0);
        let player = |name, side| strategies::find(name).expect(name).player(&rules.setting(side));
        let (mut first, mut second) = (player(one, 0), player(two, 1));
        let mut dice = Dice::new(0, &[]);
        let tally = play(&mut *first, &mut *second, &rules, &mut dice, &mut board, &Budget::unlimited())
            .expect("no limit");
        let played = [board.first.to_string(), board.second.to_string()];
        let scores = tally.scores(&Game::DILEMMA).map(|score| score.to_string());
        if played != [moves_one, moves_two] || scores != [score_one, score_two] {
            wrong
                .push(format!("{one} {two}\n  {moves_one}\n  {}\n  {moves_two}\n  {}", played[0], played[1]));
        }
        checked += 1;
    }
    assert!(
        wrong.is_empty(),
        "{} of {checked} differ\n{}",
        wrong.len(),
        wrong[..wrong.len().min(10)].join("\n")
    );
    assert_eq!(checked, 1711);
}

/// The mean of many simulated matches must be near the exact expectation, within five standard errors.
#[test]
fn memory_one_scores_are_as_expected() {
    let (Some(vectors), Some(expected)) =
        (reference("memory_one_strategies.csv"), reference("memory_one_expected.csv"))
    else {
        return;
    };
    let mut players = HashMap::new();
    for line in vectors.lines().skip(1) {
        let mut fields = line.split(',');
        let name = fields.next().expect("a name");
        let numbers: Vec<f64> = fields.map(|field| field.parse().expect("a number")).collect();
        let after = [numbers[1], numbers[2], numbers[3], numbers[4]];
        players.insert(name, MemoryOne { first: numbers[0], after });
    }
    let mut board = MatchMoves::default();
    for (number, line) in expected.lines().skip(1).enumerate() {
        let fields: Vec<&str> = line.split(',').collect();
        let value = |i: usize| fields[i].parse::<f64>().expect("a number");
        let rules = rules(value(3) as u32, value(2));
        let repetitions = 40;
        let mut samples = [Vec::new(), Vec::new()];
        for repetition in 0..repetitions {
            let (mut one, mut two) = (players[fields[0]], players[fields[1]]);
            let mut dice = Dice::new(7, &[number as u64, repetition]);
            let tally = play(&mut one, &mut two, &rules, &mut dice, &mut board, &Budget::unlimited())
                .expect("no limit");
            for (sample, score) in samples.iter_mut().zip(tally.scores(&Game::DILEMMA)) {
                sample.push(score);
            }
        }
        for (side, sample) in samples.iter().enumerate() {
            let mean = sample.iter().sum::<f64>() / sample.len() as f64;
            let variance =
                sample.iter().map(|score| (score - mean).powi(2)).sum::<f64>() / (sample.len() - 1) as f64;
            let margin = 5.5 * (variance / sample.len() as f64).sqrt() + 1e-6;
            let exact = value(4 + side);
            assert!((mean - exact).abs() < margin, "{line}: {mean} instead of {exact}");
        }
    }
}

/// The same expectations, computed exactly from the rules of our named strategies.
#[test]
fn named_memory_one_strategies_have_the_published_vectors() {
    let Some(vectors) = reference("memory_one_strategies.csv") else { return };
    for line in vectors.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let name = if fields[0].starts_with("StochasticWSLS") { "StochasticWSLS" } else { fields[0] };
        let entry = strategies::find(name).expect(name);
        let mut player = entry.player(&Default::default());
        let mut chance = counterplay_dilemma::Chance::new(3, &[]);
        let mut frequency = |own: &str, other: &str| {
            let (own, other) = (common::moves(own), common::moves(other));
            let history = counterplay_dilemma::History { own: &own, other: &other };
            let count = (0..4000)
                .filter(|_| player.choose(&history, &mut chance) == counterplay_dilemma::Move::C)
                .count();
            count as f64 / 4000.0
        };
        let pasts = [("", ""), ("C", "C"), ("C", "D"), ("D", "C"), ("D", "D")];
        for (field, (own, other)) in fields[1..].iter().zip(pasts) {
            let expected: f64 = field.parse().expect("a number");
            let found = frequency(own, other);
            assert!((found - expected).abs() < 0.05, "{name} after {own}{other}: {found}, not {expected}");
        }
    }
}
