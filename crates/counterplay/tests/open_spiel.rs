//! Values of bundled games against OpenSpiel, whose games and solvers were written by others. Skipped where `python3` does not
//! have it (`pip install open_spiel`).

use std::fs;
use std::path::Path;
use std::process::Command;

use counterplay::game::{GameRules, SolveRequest, solve};
use counterplay::{Budget, Silent};

/// What a Python program prints, as numbers; `None` if OpenSpiel is not there.
fn python(program: &str) -> Option<Vec<f64>> {
    let has = Command::new("python3").args(["-c", "import pyspiel"]).output();
    if !has.is_ok_and(|output| output.status.success()) {
        println!("skipped: python3 has no module pyspiel");
        return None;
    }
    let output = Command::new("python3").args(["-c", program]).output().expect("python3 runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("text");
    Some(text.split_whitespace().map(|word| word.parse().expect("a number")).collect())
}

/// The value for each role after some moves.
fn values(game: &str, from: &str) -> Vec<f64> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/games").join(game);
    let rules = GameRules::read(game, &fs::read_to_string(path).expect("bundled")).expect("sound rules");
    let request = SolveRequest { from: Some(from.to_owned()), ..SolveRequest::default() };
    let answer = solve(&rules, &request, None, &Budget::unlimited(), &Silent).expect("an answer");
    let at = answer.position.and_then(|position| position.value).unwrap_or(answer.value);
    at.iter().map(|own| own.to_f64()).collect()
}

#[test]
fn kuhn_poker_has_the_same_value() {
    // Its regret minimisation comes close; the exploitability says how close.
    let program = "
import pyspiel
game = pyspiel.load_game('kuhn_poker')
solver = pyspiel.CFRPlusSolver(game)
for _ in range(2000):
    solver.evaluate_and_update_policy()
policy = solver.average_policy()
returns = pyspiel.expected_returns(game.new_initial_state(), policy, -1, True, 0.0)
print(pyspiel.exploitability(game, policy), *returns)";
    let Some(theirs) = python(program) else { return };
    let (error, returns) = (2.0 * theirs[0], &theirs[1..]);
    assert!(error < 1e-3);
    for (one, two) in values("kuhn-poker.kif", "")[1..].iter().zip(returns) {
        assert!(((one - 50.0) / 25.0 - two).abs() < error, "{one} {two}");
    }
}

/// Every position after the first bids of Goofspiel with four cards; the matrix games are solved by SciPy.
#[test]
fn goofspiel_has_the_same_values_after_the_first_bids() {
    let program = "
import numpy, pyspiel
from scipy.optimize import linprog
game = pyspiel.load_game('goofspiel(num_cards=4,points_order=descending,returns_type=win_loss,imp_info=False)')
def value(state):
    if state.is_terminal():
        return state.returns()[0]
    if state.is_chance_node():
        return sum(p * value(state.child(a)) for a, p in state.chance_outcomes())
    one, two = state.legal_actions(0), state.legal_actions(1)
    table = numpy.array([[value(after(state, a, b)) for b in two] for a in one])
    rows, columns = table.shape
    goal = numpy.r_[numpy.zeros(rows), -1]
    limit = numpy.c_[-table.T, numpy.ones(columns)]
    sums = numpy.r_[numpy.ones(rows), 0].reshape(1, -1)
    bounds = [(0, None)] * rows + [(None, None)]
    return -linprog(goal, limit, numpy.zeros(columns), sums, [1], bounds).fun
def after(state, a, b):
    child = state.clone()
    child.apply_actions([a, b])
    return child
first = game.new_initial_state()
while first.is_chance_node():
    first.apply_action(first.legal_actions()[0])
print(*(value(after(first, a, b)) for a in range(4) for b in range(4)))";
    let Some(theirs) = python(program) else { return };
    assert_eq!(theirs.len(), 16);
    for (at, theirs) in theirs.into_iter().enumerate() {
        let from = format!("((bid {}) (bid {}))", at / 4 + 1, at % 4 + 1);
        let ours = values("goofspiel-4.kif", &from);
        assert!(((ours[0] - 50.0) / 50.0 - theirs).abs() < 1e-6, "{from}: {ours:?} {theirs}");
    }
}
