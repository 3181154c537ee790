//! DBS against recorded games of an independent implementation, and its planner against the general solver.

mod common;

use common::{moves, reference};
use counterplay_base::{Budget, Id, Verdict};
use counterplay_dilemma::dbs::{Dbs, DbsSettings, best_move};
use counterplay_dilemma::{Chance, History, Move, Moves, Setting, Strategy};
use counterplay_opponent::{ActionDescription, Mdp, MdpDescription, StateId, solve_truncated};
use serde_json::Value;

const OUTCOMES: [&str; 4] = ["CC", "CD", "DC", "DD"];

#[test]
fn recorded_choices_and_models_are_reproduced() {
    let Some(text) = reference("dbs_traces.jsonl") else { return };
    let (mut choices, mut ties, mut snapshots) = (0, 0, 0);
    for line in text.lines() {
        let trace: Value = serde_json::from_str(line).expect("JSON");
        let word = |name: &str| trace[name].as_str().expect(name).to_owned();
        let (intended, own, other) = (moves(&word("intended")), moves(&word("own")), moves(&word("opp")));
        let depth = trace["tree_depth"].as_u64().expect("a depth") as u32;
        let near_ties: Vec<u64> =
            trace["near_tie_turns"].as_array().expect("a list").iter().filter_map(Value::as_u64).collect();
        let mut player = Dbs::new(DbsSettings { depth, ..DbsSettings::STANDARD }, &Setting::default());
        let mut chance = Chance::new(0, &[]);
        let (mut seen_own, mut seen_other) = (Moves::new(), Moves::new());
        for turn in 0..intended.len() {
            let choice = player.choose(&History { own: &seen_own, other: &seen_other }, &mut chance);
            if Some(choice) != intended.at(turn) {
                assert!(near_ties.contains(&(turn as u64)), "{} turn {turn}", trace["opponent"]);
                ties += 1;
            }
            choices += 1;
            for snapshot in trace["model_snapshots"].as_array().expect("a list") {
                if snapshot[0].as_u64() == Some(turn as u64) {
                    compare(&player, snapshot);
                    snapshots += 1;
                }
            }
            seen_own.push(own.at(turn).expect("as long as the other"));
            seen_other.push(other.at(turn).expect("as long as the other"));
        }
    }
    println!("{choices} choices, {ties} differ at ties, {snapshots} models");
    assert_eq!((choices, snapshots), (14_400, 1_440));
    // Each of them was found in the list of exact ties above; more than a handful would be a bias of ours.
    assert!(ties <= 20, "{ties} ties");
}

fn compare(player: &Dbs, snapshot: &Value) {
    for (number, &found) in player.predictions().iter().enumerate() {
        let expected = snapshot[1][number].as_f64().expect("a probability");
        // The data is rounded.
        assert!((found - expected).abs() < 1e-5, "{} {:?}", snapshot, player.predictions());
    }
    for (found, expected) in player.rules().iter().zip([&snapshot[2], &snapshot[3]]) {
        let found: Vec<&str> = found.iter().map(|&number| OUTCOMES[number]).collect();
        let expected: Vec<&str> =
            expected.as_array().expect("a list").iter().filter_map(Value::as_str).collect();
        assert_eq!(found, expected, "{snapshot}");
    }
}

/// The process of the seven steps: states are outcomes and pay by themselves.
fn process(model: &[f64; 4], payoffs: &[f64; 4]) -> Mdp {
    let states = (0..4).map(|outcome| {
        let choice = |own: usize| ActionDescription {
            cost: 0.0,
            outcomes: vec![(model[outcome], 2 * own), (1.0 - model[outcome], 2 * own + 1)],
        };
        (payoffs[outcome], vec![choice(0), choice(1)])
    });
    Mdp::new(&MdpDescription { states: states.collect() }).expect("sound")
}

#[test]
fn the_quick_planner_agrees_with_the_general_solver() {
    let mut chance = Chance::new(11, &[]);
    for _ in 0..2000 {
        let mut probability = || match chance.below(4) {
            0 => 0.0,
            1 => 1.0,
            _ => chance.below(1000) as f64 / 1000.0,
        };
        let model = [probability(), probability(), probability(), probability()];
        let payoffs = match chance.below(2) {
            0 => [3.0, 0.0, 5.0, 1.0],
            _ => [0; 4].map(|_| chance.below(2001) as f64 / 100.0 - 10.0),
        };
        let depth = 1 + chance.below(60);
        let Verdict::Solved(solution) =
            solve_truncated(&process(&model, &payoffs), depth, &Budget::unlimited())
        else {
            panic!("no limit");
        };
        for outcome in 0..4 {
            let expected = solution.policy[depth][StateId::new(outcome)];
            let found = best_move(&model, &payoffs, outcome, depth as u32);
            // Where the two moves are worth the same up to rounding, either may win.
            let before = &solution.values[depth - 1];
            let value = |own: usize| {
                let at = |other: usize| before[StateId::new(2 * own + other)];
                model[outcome] * at(0) + (1.0 - model[outcome]) * at(1)
            };
            if (value(0) - value(1)).abs() > 1e-7 {
                assert_eq!(Some(found.index()), expected, "{model:?} {payoffs:?} {depth} {outcome}");
            } else {
                assert_eq!(found, Move::C, "{model:?} {payoffs:?} {depth} {outcome}");
            }
        }
    }
}
