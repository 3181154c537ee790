//! Games of one role as planning tasks, against the plain reading of the rules.

use counterplay_base::{Budget, Id, Silent};
use counterplay_gdl::interpret::{Interpreter, State};
use counterplay_ground::game::{
    End, Game, Question, Reading, SingleTask, ground_game, prove_structure, single_task,
};
use counterplay_task::{OpId, Task, apply, close_under_axioms, is_applicable, is_goal};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A lamp that a counter switches, a cycle of rules, negations of members of a group, and a state without a move.
const ODD: &str = "(role one) (init (at a)) (init (count 0))
    (next-to a b) (next-to b c) (next-to c d) (next-to d a) (next-to c e)
    (more 0 1) (more 1 2) (more 2 3) (more 3 4) (more 4 5) (more 5 6)
    (<= (reach ?x) (true (at ?x))) (<= (reach ?y) (reach ?x) (next-to ?x ?y) (not (true (shut ?y))))
    (<= (legal one (go ?y)) (true (at ?x)) (next-to ?x ?y))
    (<= (legal one (shut ?y)) (reach ?y) (not (true (at ?y))) (not (true (at e))) (not (true (shut ?y))))
    (<= (next (at ?y)) (does one (go ?y)))
    (<= (next (at ?x)) (true (at ?x)) (does one (shut ?y)))
    (<= (next (shut ?y)) (does one (shut ?y)))
    (<= (next (shut ?y)) (true (shut ?y)) (true (count ?n)) (more 1 ?n))
    (<= (next (shut ?y)) (true (shut ?y)) (not (true (at ?y))) (not (does one (go ?y))))
    (<= (next (count ?m)) (true (count ?n)) (more ?n ?m))
    (<= (next lamp) (not (true lamp)) (true (count ?n)) (more ?n 3))
    (<= (next lamp) (true lamp) (not (does one (go a))))
    (<= terminal (true (count 6))) (<= terminal (not (reach c)))
    (<= (goal one 100) (not (reach c)) (true lamp))
    (<= (goal one 60) (true (at e)) (not (true (at a))))
    (<= (goal one 30) (true (count 6)) (not (true lamp)))
    (<= (goal one 0) (not (true (at e))))";

fn read(name: &str, text: &str) -> (Interpreter, Game) {
    let mut sources = counterplay_syntax::Sources::default();
    let file = sources.add(name, text);
    let rules = counterplay_gdl::read(&sources, file).expect("sound rules");
    let game = ground_game(&rules, &Budget::unlimited(), &Silent).expect("a finite game");
    (Interpreter::new(rules).expect("rules"), game)
}

fn games() -> Vec<(String, String)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/games/");
    let names = ["eight-puzzle", "lights-out-3x3", "peg-solitaire-small"];
    let examples = names.iter().map(|name| {
        let text = std::fs::read_to_string(format!("{folder}{name}.kif")).expect("an example");
        ((*name).to_owned(), text)
    });
    examples.chain([("odd".to_owned(), ODD.to_owned())]).collect()
}

/// The names of the fluents that hold in a state of a task.
fn named(task: &Task, state: &counterplay_base::IdVec<counterplay_task::VarId, u32>) -> Vec<String> {
    let mut names: Vec<String> = task
        .variables
        .enumerate()
        .filter(|(var, variable)| variable.derived.is_none() && variable.name != "claimed" && state[*var] > 0)
        .map(|(var, variable)| variable.values[state[var] as usize].to_lowercase())
        .collect();
    names.sort();
    names
}

/// The operator of a move that may be applied.
fn operator(
    single: &SingleTask,
    state: &counterplay_base::IdVec<counterplay_task::VarId, u32>,
    game: &Game,
    name: &str,
) -> Option<OpId> {
    let meant = |op: &OpId| {
        single.moves[*op].is_some_and(|own| game.moves[own].name.to_lowercase() == name)
            && is_applicable(&single.task, state, *op)
    };
    single.task.operators.ids().find(meant)
}

/// Whether the goal holds, or an operator that claims it can be applied.
fn is_won(single: &SingleTask, state: &counterplay_base::IdVec<counterplay_task::VarId, u32>) -> bool {
    let claims = || single.task.operators.ids().filter(|&op| single.moves[op].is_none());
    is_goal(&single.task, state) || claims().any(|op| is_applicable(&single.task, state, op))
}

#[test]
fn the_plays_of_a_game_are_the_plans_of_its_task() {
    let budget = Budget::unlimited();
    for (name, text) in games() {
        let (mut rules, game) = read(&name, &text);
        let structure = prove_structure(&game, &budget).expect("no limit");
        let mut values: Vec<Option<u32>> = game.goals.iter().map(|goal| Some(goal.value)).collect();
        values.dedup();
        values.push(None);
        let mut tasks = Vec::new();
        for reward in values {
            for (end, reading) in [
                (End::Terminal, Reading::Exact),
                (End::Stuck, Reading::Exact),
                (End::Terminal, Reading::Relaxed),
            ] {
                let question = Question { from: &game.initial, reward, end, reading };
                let task = single_task(&game, &structure, &question, &budget).expect("one role");
                tasks.push((reward, end, reading, task));
            }
        }
        let mut random = ChaCha8Rng::seed_from_u64(7);
        let (mut ends, mut moves_made) = (0, 0);
        for _ in 0..12 {
            let mut state: State = rules.initial(&budget).expect("a state");
            let mut made: Vec<String> = Vec::new();
            loop {
                let is_over = rules.is_terminal(&state, &budget).expect("an answer");
                let legal = rules.legal(&state, 0, &budget).expect("moves");
                let best = rules.goal(&state, 0, &budget).expect("an answer");
                if made.len() < 70 && !is_over && !legal.is_empty() {
                    let own = legal[random.random_range(0..legal.len())];
                    made.push(rules.display(own).to_lowercase());
                    state = rules.next(&state, &[own], &budget).expect("a state");
                    continue;
                }
                ends += usize::from(is_over || legal.is_empty());
                moves_made += made.len();
                for (reward, end, reading, task) in &tasks {
                    let Some(single) = task else {
                        let is_end =
                            if *end == End::Terminal { is_over } else { legal.is_empty() && !is_over };
                        assert!(!is_end || reward.is_some() && *reward != best, "{name} {reward:?}");
                        continue;
                    };
                    let mut at = single.task.initial.clone();
                    close_under_axioms(&single.task, &mut at);
                    for own in &made {
                        let op = operator(single, &at, &game, own);
                        let op = op.unwrap_or_else(|| panic!("{name}: {own} is not possible after {made:?}"));
                        at = apply(&single.task, &at, op);
                    }
                    // The interpreter tells the greatest of several rewards.
                    if reward.is_some() && *reward < best {
                        continue;
                    }
                    let is_meant = (reward.is_none() || *reward == best)
                        && if *end == End::Terminal { is_over } else { legal.is_empty() && !is_over };
                    if *reading == Reading::Relaxed {
                        // A play is a plan; a plan need not be a play.
                        assert!(!is_meant || is_won(single, &at), "{name} {reward:?} after {made:?}");
                        continue;
                    }
                    assert!(!single.is_relaxed);
                    let mut fluents: Vec<String> =
                        state.fluents().iter().map(|&own| rules.display(own).to_lowercase()).collect();
                    fluents.sort();
                    assert_eq!(named(&single.task, &at), fluents, "{name} after {made:?}");
                    assert_eq!(is_won(single, &at), is_meant, "{name} {reward:?} {end:?} after {made:?}");
                    let possible = single
                        .task
                        .operators
                        .ids()
                        .filter(|&op| single.moves[op].is_some() && is_applicable(&single.task, &at, op));
                    let mut possible: Vec<usize> =
                        possible.filter_map(|op| single.moves[op]).map(Id::index).collect();
                    possible.dedup();
                    let expected = if is_over { 0 } else { legal.len() };
                    assert_eq!(possible.len(), expected, "{name} after {made:?}");
                }
                break;
            }
        }
        assert!(ends > 0 && moves_made > 0, "{name} was not played to an end");
    }
}
