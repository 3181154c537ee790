//! Rule sheets of well-known board games: the numbers of sequences of moves are those that others have counted.

use counterplay::Budget;
use counterplay::game::{GameRules, position};

/// The sequences of so many moves; a move lasts until the other side is to move.
fn sequences(rules: &GameRules, moves: &mut Vec<Vec<String>>, depth: usize) -> u64 {
    let view = position(rules, moves, &Budget::unlimited()).expect("moves are legal");
    if view.over {
        return 0;
    }
    let mover = view.legal.iter().position(|own| own != &["noop"]).expect("one side is to move");
    let mut count = 0;
    for own in &view.legal[mover] {
        let mut joint = vec!["noop".to_owned(); view.legal.len()];
        joint[mover].clone_from(own);
        moves.push(joint);
        let after = position(rules, moves, &Budget::unlimited()).expect("moves are legal");
        let goes_on = after.legal.iter().position(|own| own != &["noop"]) == Some(mover) && !after.over;
        count += match (goes_on, depth) {
            (true, _) => sequences(rules, moves, depth),
            (false, 1) => 1,
            (false, _) => sequences(rules, moves, depth - 1),
        };
        moves.pop();
    }
    count
}

fn check(game: &str, expected: &[u64]) {
    let text = counterplay_examples::text(game);
    let rules = GameRules::read(game, text).expect("the rules are sound");
    for (index, &count) in expected.iter().enumerate() {
        assert_eq!(sequences(&rules, &mut Vec::new(), index + 1), count, "{game}, {} moves", index + 1);
    }
}

#[test]
fn reversi_has_its_known_numbers_of_sequences() {
    check("games/reversi.kif", &[4, 12, 56, 244]);
}

#[test]
fn checkers_has_its_known_numbers_of_sequences() {
    check("games/checkers.kif", &[7, 49, 302]);
}

#[test]
fn breakthrough_has_its_known_numbers_of_sequences() {
    check("games/breakthrough.kif", &[22, 484]);
}
