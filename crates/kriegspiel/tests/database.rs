//! Problems from games: every algorithm decides them alike, and the history leads to the belief state.

use counterplay_base::{Budget, Verdict};
use counterplay_belief::{Algorithm, solve};
use counterplay_kriegspiel::chess::Board;
use counterplay_kriegspiel::database::{Instance, Kind, Recipe, play_game, replay};
use counterplay_kriegspiel::{Kriegspiel, check_plan};

/// Problems of each kind; more would need a test of their own time.
const EACH: usize = 4;

fn root() -> Board {
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".parse().expect("a sound position")
}

/// The first problems of the games of one seed.
fn problems(seed: u64) -> Vec<Instance> {
    let (mut mates, mut near) = (Vec::new(), Vec::new());
    for game in 0.. {
        if mates.len() >= EACH && near.len() >= EACH {
            break;
        }
        let found = play_game(root(), &Recipe::default(), seed + game, &Budget::unlimited());
        for instance in found.expect("there is no limit") {
            let list = if matches!(instance.kind, Kind::Mate { .. }) { &mut mates } else { &mut near };
            if list.len() < EACH {
                list.push(instance);
            }
        }
    }
    mates.append(&mut near);
    mates
}

#[test]
fn every_algorithm_decides_problems_from_games() {
    let world = Kriegspiel::default();
    for (number, instance) in problems(40).iter().enumerate() {
        let mate = matches!(instance.kind, Kind::Mate { .. });
        for algorithm in Algorithm::ALL {
            let name = algorithm.name();
            match solve(&world, &instance.belief, 3, algorithm, &Budget::unlimited()).verdict {
                Verdict::Solved(plan) => {
                    assert!(mate, "{name} solves near miss {number}");
                    check_plan(&world, &instance.belief, &plan, 3, &Budget::unlimited())
                        .unwrap_or_else(|flaw| panic!("{name}: problem {number}: {flaw:?}"));
                }
                Verdict::Unsolvable => assert!(!mate, "{name} misses mate {number}"),
                Verdict::Stopped(limit) => panic!("{name}: problem {number}: {limit}"),
            }
        }
    }
}

#[test]
fn histories_lead_to_the_belief_states() {
    for instance in problems(70) {
        let mut belief = replay(root(), &instance.events).expect("the game explains it");
        let mut same = instance.belief.clone();
        belief.sort_unstable_by_key(Board::key);
        same.sort_unstable_by_key(Board::key);
        assert_eq!(belief, same);
        assert!(belief.contains(&instance.truth), "how things really stand is among what is possible");
    }
}

#[test]
fn near_misses_are_asked_again_at_five_plies() {
    let world = Kriegspiel::default();
    let mut answers = 0;
    for instance in problems(110).iter().filter(|instance| matches!(instance.kind, Kind::NearMiss { .. })) {
        let decide = |algorithm| {
            let answer = solve(&world, &instance.belief, 5, algorithm, &Budget::unlimited());
            answer.verdict.solved().is_some()
        };
        let expected = decide(Algorithm::GlDbu);
        assert_eq!(decide(Algorithm::Auto), expected);
        answers += 1;
    }
    assert_eq!(answers, EACH);
}
