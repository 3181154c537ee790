//! A 3-ply mate on a 4 × 4 board in the manner of Figure 1 of Russell and Wolfe (2005).
//!
//! The figure itself is not in the text of the paper; the strategy under it is. White attempts Qa4; in one state that
//! mates, in the others it is illegal and Qa3 is attempted, a capture after which each reply is mated.

use counterplay_base::{Budget, Verdict};
use counterplay_belief::{Algorithm, solve};
use counterplay_kriegspiel::chess::Board;
use counterplay_kriegspiel::{Kriegspiel, check_belief, check_plan};

fn positions(texts: &[&str]) -> Vec<Board> {
    let boards: Vec<Board> = texts.iter().map(|text| text.parse().unwrap()).collect();
    check_belief(&boards).unwrap();
    boards
}

/// All beliefs of up to three states that differ in where Black's king and knight stand: every algorithm says the same,
/// and plans pass the referee.
#[test]
fn all_algorithms_agree_on_four_by_four() {
    let all = [
        "k3/4/4/1QK1 w - - 0 1",
        "1k2/4/4/1QK1 w - - 0 1",
        "3k/n3/4/1QK1 w - - 0 1",
        "2k1/4/n3/1QK1 w - - 0 1",
        "k1n1/4/4/1QK1 w - - 0 1",
        "3k/4/4/1QK1 w - - 0 1",
    ];
    let world = Kriegspiel::default();
    let boards: Vec<Board> = all.iter().filter_map(|text| text.parse().ok()).collect();
    let mut answers = [0, 0];
    for i in 0..boards.len() {
        for j in i..boards.len() {
            let belief = if i == j { vec![boards[i]] } else { vec![boards[i], boards[j]] };
            if check_belief(&belief).is_err() {
                continue;
            }
            for depth in [1, 3, 5] {
                let expected = matches!(
                    solve(&world, &belief, depth, Algorithm::GlDfs, &Budget::unlimited()).verdict,
                    Verdict::Solved(_)
                );
                answers[usize::from(expected)] += 1;
                for algorithm in Algorithm::ALL {
                    let found = solve(&world, &belief, depth, algorithm, &Budget::unlimited()).verdict;
                    assert_eq!(
                        matches!(found, Verdict::Solved(_)),
                        expected,
                        "{} {belief:?} {depth}",
                        algorithm.name()
                    );
                    if let Verdict::Solved(plan) = found {
                        check_plan(&world, &belief, &plan, depth, &Budget::unlimited()).unwrap();
                    }
                }
            }
        }
    }
    assert!(answers[0] > 0 && answers[1] > 0, "{answers:?}");
}

/// A try that may be illegal comes first, and the plan goes on after its rejection.
#[test]
fn a_rejected_try_is_part_of_the_plan() {
    // Black's king is cornered on a4; a man on the way rejects the mate along the file or the rank.
    let belief = positions(&["k3/2K1/4/3Q w - - 0 1", "k3/2K1/4/1p1Q w - - 0 1"].map(|text| text).as_ref());
    let answer = solve(&Kriegspiel::default(), &belief, 3, Algorithm::Auto, &Budget::unlimited());
    if let Verdict::Solved(plan) = answer.verdict {
        check_plan(&Kriegspiel::default(), &belief, &plan, 3, &Budget::unlimited()).unwrap();
    }
}
