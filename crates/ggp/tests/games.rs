//! Small games whose values are known, solved by both engines and played at random.

use counterplay_base::{Budget, Silent};
use counterplay_ggp::explicit::{self, Order};
use counterplay_ggp::{simulate, symbolic};
use counterplay_ground::game::{Game, GameError, ground_game};
use counterplay_syntax::Sources;

fn ground(text: &str) -> Result<Game, GameError> {
    let mut sources = Sources::default();
    let file = sources.add("game", text);
    let rules = counterplay_gdl::read(&sources, file).expect("a rule sheet");
    ground_game(&rules, &Budget::unlimited(), &Silent)
}

/// States, value and states by outcome, from both engines, which must agree.
fn solve(text: &str, order: Order) -> (usize, Vec<u32>) {
    let game = ground(text).expect("ground rules");
    let budget = Budget::unlimited();
    let explicit = explicit::solve(&game, order, 1_000_000, &budget).expect("small");
    let symbolic = symbolic::solve(&game, order, &budget, &Silent).expect("turns");
    let value = explicit.value(0).expect("ends").to_vec();
    assert_eq!(symbolic.value.map(|outcome| symbolic.outcomes[outcome].clone()), Some(value.clone()));
    assert_eq!(symbolic.layer_states.iter().sum::<u128>(), explicit.len() as u128);
    for (outcome, &states) in symbolic.outcomes.iter().zip(&symbolic.outcome_states) {
        let same = explicit.outcomes.iter().position(|other| other == outcome).expect("same outcomes") as u32;
        let count = explicit.values.iter().filter(|&&value| value == Some(same)).count();
        assert_eq!(states, count as u128, "{outcome:?}");
    }
    (explicit.len(), value)
}

/// Tic-tac-toe, written anew.
const TIC_TAC_TOE: &str = "
    (role x) (role o) (line 1) (line 2) (line 3)
    (init (control x))
    (<= (legal ?p (mark ?c ?r)) (true (control ?p)) (empty ?c ?r))
    (<= (legal x noop) (true (control o)))
    (<= (legal o noop) (true (control x)))
    (<= (next (cell ?c ?r ?p)) (does ?p (mark ?c ?r)))
    (<= (next (cell ?c ?r ?p)) (true (cell ?c ?r ?p)))
    (<= (next (control x)) (true (control o)))
    (<= (next (control o)) (true (control x)))
    (<= (empty ?c ?r) (line ?c) (line ?r) (not (true (cell ?c ?r x))) (not (true (cell ?c ?r o))))
    (<= (three ?p) (true (cell ?c 1 ?p)) (true (cell ?c 2 ?p)) (true (cell ?c 3 ?p)))
    (<= (three ?p) (true (cell 1 ?r ?p)) (true (cell 2 ?r ?p)) (true (cell 3 ?r ?p)))
    (<= (three ?p) (true (cell 2 2 ?p)) (or (and (true (cell 1 1 ?p)) (true (cell 3 3 ?p)))
                                            (and (true (cell 1 3 ?p)) (true (cell 3 1 ?p)))))
    (<= open (empty ?c ?r))
    (<= terminal (three ?p))
    (<= terminal (not open))
    (<= (goal ?p 100) (role ?p) (three ?p))
    (<= (goal ?p 0) (role ?p) (three ?q) (distinct ?p ?q))
    (<= (goal ?p 50) (role ?p) (not (three x)) (not (three o)))";

#[test]
fn tic_tac_toe_has_its_5478_states_and_is_a_draw() {
    assert_eq!(solve(TIC_TAC_TOE, Order::Own), (5478, vec![50, 50]));
    assert_eq!(solve(TIC_TAC_TOE, Order::Difference), (5478, vec![50, 50]));
}

#[test]
fn the_gunslinger_example_is_solved() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/games/gunslinger.kif");
    let text = std::fs::read_to_string(path).expect("the example");
    let (states, value) = solve(&text, Order::Own);
    assert!(states > 10);
    assert_eq!(value, [0, 100], "the man in black has too long a start");
}

#[test]
fn a_circle_does_not_keep_a_single_player_from_the_best_end() {
    let text = "(role a) (init (at 1)) (succ 1 2) (succ 2 3)
        (<= (legal a on) (true (at ?x)))
        (<= (legal a back) (true (at ?x)))
        (<= (next (at ?y)) (does a on) (true (at ?x)) (succ ?x ?y))
        (<= (next (at 1)) (does a back))
        (<= terminal (true (at 3)))
        (<= (goal a 70) (true (at 3)))";
    assert_eq!(solve(text, Order::Own), (3, vec![70]));
}

#[test]
fn random_play_meets_the_known_length_and_repeats_itself() {
    let game = ground(TIC_TAC_TOE).expect("ground rules");
    let run = || {
        let mut steps = 0;
        simulate::simulate(&game, 7, &Budget::unlimited(), || {
            steps += 1;
            steps < 40
        })
        .expect("no limit")
    };
    let result = run();
    assert_eq!(result, run(), "same seed, same games");
    // A random game of tic-tac-toe takes 7.63 moves on average, and the first player wins 58.5 % of them.
    let length = result.states as f64 / result.playouts as f64;
    assert!((7.5..7.8).contains(&length), "{length}");
    assert!((63.0..67.0).contains(&result.means[0]), "{:?}", result.means);
    assert!((result.means[0] + result.means[1] - 100.0).abs() < 1e-6);
}

#[test]
fn terms_that_grow_without_end_are_refused() {
    let text = "(role a) (init (n zero)) (legal a m) (<= (next (n (s ?x))) (true (n ?x)))
        (<= terminal (true (n (s zero)))) (goal a 1)";
    assert!(matches!(ground(text), Err(GameError::Endless { .. })));
}

#[test]
fn roles_need_moves_and_goals() {
    let text =
        "(role a) (role b) (init p) (legal a m) (<= (next p) (true p)) (<= terminal (true p)) (goal a 1)";
    assert!(matches!(ground(text), Err(GameError::NoMoves { role }) if role == "b"));
    let text =
        "(role a) (role b) (init p) (legal a m) (legal b m) (<= (next p) (true p)) (<= terminal (true p))
        (goal a 1)";
    assert!(matches!(ground(text), Err(GameError::NoGoals { role }) if role == "b"));
}
