//! The interpreter of rules and the network of their instances say the same about every state of random games.

use std::path::{Path, PathBuf};
use std::time::Duration;

use counterplay_base::{Budget, Id, Silent};
use counterplay_gdl::Rules;
use counterplay_gdl::interpret::{InterpretError, Interpreter, TermId};
use counterplay_ggp::{Part, Propnet};
use counterplay_ground::game::{Game, GameError, ground_game};
use counterplay_syntax::Sources;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn read(text: &str) -> Rules {
    let mut sources = Sources::default();
    let file = sources.add("game", text);
    counterplay_gdl::read(&sources, file).expect("a rule sheet")
}

/// What one engine says about a state, as text, so that both can be compared.
#[derive(Debug, PartialEq, Default)]
struct View {
    fluents: Vec<String>,
    is_terminal: bool,
    /// Moves and reward of each role.
    legal: Vec<Vec<String>>,
    goals: Vec<Option<u32>>,
}

fn by_network(game: &Game, network: &mut Propnet<1>) -> View {
    network.evaluate(Part::State);
    network.evaluate(Part::Goals);
    let mut view = View {
        fluents: game
            .fluents
            .enumerate()
            .filter(|&(id, _)| network.fluent(id)[0] & 1 == 1)
            .map(|(_, name)| name.clone())
            .collect(),
        is_terminal: network.terminal()[0] & 1 == 1,
        legal: vec![Vec::new(); game.roles.len()],
        goals: vec![None; game.roles.len()],
    };
    for (id, own) in game.moves.enumerate() {
        if network.legal(id)[0] & 1 == 1 {
            view.legal[own.role.index()].push(own.name.clone());
        }
    }
    for (number, goal) in game.goals.iter().enumerate() {
        if network.goal(number)[0] & 1 == 1 {
            let place = &mut view.goals[goal.role.index()];
            *place = (*place).max(Some(goal.value));
        }
    }
    view.fluents.sort();
    view.legal.iter_mut().for_each(|own| own.sort());
    view
}

/// Plays one random game of at most so many moves on both engines; returns how many states were compared.
fn compare(
    rules: &Rules,
    game: &Game,
    most: usize,
    seed: u64,
    budget: &Budget,
) -> Result<usize, InterpretError> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut interpreter = Interpreter::new(rules.clone())?;
    let mut network: Propnet<1> = Propnet::new(game);
    for fluent in &game.initial {
        network.set_fluent(*fluent, [1]);
    }
    let mut state = interpreter.initial(budget)?;
    for step in 0..most {
        let expected = by_network(game, &mut network);
        let mut view = View { is_terminal: interpreter.is_terminal(&state, budget)?, ..View::default() };
        view.fluents = state.fluents().iter().map(|&fluent| interpreter.display(fluent)).collect();
        view.fluents.sort();
        let mut moves: Vec<Vec<(String, TermId)>> = Vec::new();
        for role in 0..game.roles.len() {
            view.goals.push(interpreter.goal(&state, role, budget)?);
            let mut own: Vec<(String, TermId)> = interpreter
                .legal(&state, role, budget)?
                .into_iter()
                .map(|own| (interpreter.display(own), own))
                .collect();
            own.sort();
            view.legal.push(own.iter().map(|(name, _)| name.clone()).collect());
            moves.push(own);
        }
        assert_eq!(view, expected, "after {step} moves");
        if view.is_terminal || moves.iter().any(Vec::is_empty) {
            return Ok(step + 1);
        }
        let joint: Vec<(String, TermId)> =
            moves.iter().map(|own| own[random.next_u32() as usize % own.len()].clone()).collect();
        for (id, own) in game.moves.enumerate() {
            network.set_move(id, [u64::from(joint[own.role.index()].0 == own.name)]);
        }
        network.evaluate(Part::Moves);
        let next: Vec<[u64; 1]> = game.fluents.ids().map(|fluent| network.next(fluent)).collect();
        game.fluents.ids().zip(next).for_each(|(fluent, value)| network.set_fluent(fluent, value));
        let joint: Vec<TermId> = joint.into_iter().map(|(_, term)| term).collect();
        state = interpreter.next(&state, &joint, budget)?;
    }
    Ok(most)
}

fn sheets(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("a folder");
    let mut found: Vec<PathBuf> = entries
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "kif"))
        .collect();
    found.sort();
    found
}

#[test]
fn both_engines_agree_on_the_bundled_games() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/games");
    let sheets = sheets(&folder);
    assert!(!sheets.is_empty());
    for path in sheets {
        let rules = read(&std::fs::read_to_string(&path).expect("a file"));
        let game = ground_game(&rules, &Budget::unlimited(), &Silent).expect("ground rules");
        for seed in 0..4 {
            let states = compare(&rules, &game, 100, seed, &Budget::unlimited());
            assert!(states.expect("no trouble") > 1, "{}", path.display());
        }
    }
}

fn shared(choose: impl Fn(&str) -> bool, most: usize) {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/gdl");
    if !folder.exists() {
        println!("skipped: {} is not there", folder.display());
        return;
    }
    let corner = sheets(&folder.join("ggp-base-tests"));
    for path in sheets(&folder).into_iter().chain(corner) {
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        if !choose(&name) {
            continue;
        }
        let mut sources = Sources::default();
        let file = sources.add_bytes(name.clone(), std::fs::read(&path).expect("a file"));
        let Ok(rules) = counterplay_gdl::read(&sources, file) else { continue };
        let started = std::time::Instant::now();
        let game = match ground_game(&rules, &Budget::unlimited(), &Silent) {
            Ok(game) => game,
            Err(GameError::Stopped(limit)) => panic!("{name}: {limit}"),
            Err(_) => continue,
        };
        let ground = started.elapsed();
        let budget = Budget::unlimited().with_time(Duration::from_secs(100));
        let states = compare(&rules, &game, most, 1, &budget).expect("no trouble");
        println!("{name}: {states} states, grounded in {ground:.2?}, together {:.2?}", started.elapsed());
    }
}

#[test]
fn both_engines_agree_on_shared_games() {
    shared(|name| name != "chess", 200);
}

#[test]
#[ignore = "grounding takes a minute"]
fn both_engines_agree_on_chess() {
    shared(|name| name == "chess", 200);
}

/// Steps along a graph, backwards and forwards, and what cannot be reached: recursion and its negation.
#[test]
fn recursion_and_negation_are_complete() {
    let text = "(role a) (init (at 1))
        (arc 1 2) (arc 2 3) (arc 3 1) (arc 4 5) (arc 5 4) (node 1) (node 2) (node 3) (node 4) (node 5)
        (<= (path ?x ?y) (path ?x ?z) (path ?z ?y))
        (<= (path ?x ?y) (arc ?x ?y))
        (<= (reached ?y) (true (at ?y)))
        (<= (reached ?y) (reached ?x) (arc ?x ?y) (not (blocked ?y)))
        (<= (blocked ?y) (node ?y) (true (wall ?y)))
        (<= (legal a (go ?x)) (node ?x) (not (reached ?x)))
        (<= (legal a (wall ?x)) (true (at ?y)) (path ?y ?x))
        (<= (next (at ?x)) (does a (go ?x)))
        (<= (next (at ?x)) (true (at ?x)) (does a (wall ?y)))
        (<= (next (wall ?x)) (does a (wall ?x)))
        (<= (next (wall ?x)) (true (wall ?x)))
        (<= terminal (true (wall 2)) (true (wall 5)))
        (<= (goal a 100) (path 1 1) (not (path 1 4)) (not (reached 1)))
        (<= (goal a 0) (reached 1))";
    let rules = read(text);
    let game = ground_game(&rules, &Budget::unlimited(), &Silent).expect("ground rules");
    for seed in 0..40 {
        compare(&rules, &game, 30, seed, &Budget::unlimited()).expect("no trouble");
    }
}

#[test]
fn terms_that_grow_are_played_as_far_as_they_go_and_then_refused() {
    let text = "(role a) (init (n zero)) (legal a m) (<= (next (n (s ?x))) (true (n ?x)))
        (<= terminal (true (n (s (s zero))))) (goal a 1)";
    let rules = read(text);
    let budget = Budget::unlimited();
    let mut interpreter = Interpreter::new(rules).expect("small");
    let mut state = interpreter.initial(&budget).expect("no trouble");
    let own = interpreter.legal(&state, 0, &budget).expect("no trouble");
    for step in 0..3 {
        assert_eq!(interpreter.is_terminal(&state, &budget), Ok(step == 2));
        state = interpreter.next(&state, &own, &budget).expect("no trouble");
    }
    assert_eq!(interpreter.display(state.fluents()[0]), "(n (s (s (s zero))))");
    let mut last = Ok(state);
    for _ in 0..600 {
        last = last.and_then(|state| interpreter.next(&state, &own, &budget));
    }
    assert_eq!(last, Err(InterpretError::Endless));
}

#[test]
fn a_long_question_is_stopped_and_the_next_one_answered() {
    let text = "(role a) (init p) (legal a m) (<= (next p) (true p)) (goal a 1)
        (d 0) (d 1) (d 2) (d 3) (d 4) (d 5) (d 6) (d 7) (d 8) (d 9)
        (<= terminal (d ?a) (d ?b) (d ?c) (d ?e) (d ?f) (d ?g) (d ?h) (d ?i) (distinct ?a ?a) (true p))";
    let mut interpreter = Interpreter::new(read(text)).expect("small");
    let state = interpreter.initial(&Budget::unlimited()).expect("no trouble");
    let cancelled = Budget::unlimited();
    cancelled.cancel();
    // Tests come as soon as their variables are bound, so this one is quick after all.
    assert_eq!(interpreter.is_terminal(&state, &Budget::unlimited()), Ok(false));
    let text = text
        .replace("(distinct ?a ?a)", "(distinct (f ?a ?b ?c ?e ?f ?g ?h ?i) (f ?a ?b ?c ?e ?f ?g ?h ?i))");
    let mut interpreter = Interpreter::new(read(&text)).expect("small");
    assert!(matches!(interpreter.is_terminal(&state, &cancelled), Err(InterpretError::Stopped(_))));
    assert_eq!(interpreter.legal(&state, 0, &cancelled).map(|own| own.len()), Ok(1));
}
