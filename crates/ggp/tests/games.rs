//! Small games whose values are known, solved by both engines and played at random.

use std::collections::BTreeMap;

use counterplay_base::{Budget, Id, Limit, Silent, Verdict};
use counterplay_ggp::archive::{Archive, ArchiveError};
use counterplay_ggp::explicit::{self, Order};
use counterplay_ggp::layered;
use counterplay_ggp::simulate;
use counterplay_ggp::symbolic::{self, Refusal};
use counterplay_ggp::{Simultaneous, rules_hash};
use counterplay_ground::game::{FluentId, Game, GameError, ground_game, prove_structure};
use counterplay_syntax::Sources;

fn ground(text: &str) -> Result<Game, GameError> {
    let mut sources = Sources::default();
    let file = sources.add("game", text);
    let rules = counterplay_gdl::read(&sources, file).expect("a rule sheet");
    ground_game(&rules, &Budget::unlimited(), &Silent)
}

/// The solution of a game that is neither refused nor too large.
fn solved<S, R: std::fmt::Debug>(found: Result<Verdict<S>, R>) -> S {
    found.expect("not refused").solved().expect("small")
}

/// States, value and states by outcome, from both engines, which must agree: in figures, and on every state.
fn solve(text: &str, order: Order) -> (usize, Vec<u32>) {
    let game = ground(text).expect("ground rules");
    let budget = Budget::unlimited();
    let structure = prove_structure(&game, &budget).expect("no limit");
    let explicit = solved(explicit::solve(&game, order, 1_000_000, &budget));
    let mut symbolic = solved(symbolic::solve(&game, &structure, order, None, &budget, &Silent));
    let value = explicit.value(0).expect("ends").to_vec();
    assert_eq!(symbolic.value.map(|outcome| symbolic.outcomes[outcome].clone()), Some(value.clone()));
    assert_eq!(symbolic.layer_states.iter().sum::<u128>(), explicit.len() as u128);
    assert_eq!(symbolic.terminal, explicit.terminal as u128);
    assert_eq!(symbolic.odd_rewards, explicit.odd_rewards as u128);
    assert_eq!(symbolic.stuck, explicit.stuck as u128);
    for (outcome, &states) in symbolic.outcomes.iter().zip(&symbolic.outcome_states) {
        let same = explicit.outcomes.iter().position(|other| other == outcome).expect("same outcomes");
        assert_eq!(states, explicit.outcome_states()[same] as u128, "{outcome:?}");
    }
    let mut number = 0;
    for (made, &count) in explicit.layers.iter().enumerate() {
        for _ in 0..count {
            let state = fluents_of(&game, explicit.state(number));
            let outcome = symbolic.outcome(&state, made, None).expect("in memory").solved();
            let rewards = outcome.map(|outcome| &symbolic.outcomes[outcome][..]);
            assert_eq!(rewards, explicit.value(number), "{state:?}");
            for group in &structure.groups {
                let held = group.iter().filter(|fluent| state.contains(fluent)).count();
                assert!(held <= 1, "{held} of {group:?}");
            }
            number += 1;
        }
    }
    (explicit.len(), value)
}

fn fluents_of(game: &Game, row: &[u64]) -> Vec<FluentId> {
    let is_on = |fluent: &FluentId| row[fluent.index() / 64] >> (fluent.index() % 64) & 1 == 1;
    game.fluents.ids().filter(is_on).collect()
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
fn a_cycle_does_not_keep_a_single_player_from_the_best_end() {
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

/// Both choose a number at the same time, twice; equal numbers are worth more to the one, others to the other.
const NUMBERS: &str = "
    (role odd) (role even) (number 1) (number 2) (number 3) (init (round 1)) (later 1 2) (later 2 3)
    (<= (legal ?p (say ?n)) (role ?p) (number ?n) (not (true (round 3))))
    (<= (legal ?p noop) (role ?p) (true (round 3)))
    (<= (next (round ?n)) (true (round ?m)) (later ?m ?n))
    (<= (next (won even)) (does odd (say ?n)) (does even (say ?n)))
    (<= (next (won odd)) (does odd (say ?n)) (does even (say ?m)) (distinct ?n ?m) (not (true (won even))))
    (<= (next (won ?p)) (true (won ?p)) (does odd (say 3)))
    (<= terminal (true (round 3)))
    (<= (goal ?p 60) (true (won ?p)))
    (<= (goal ?p 20) (role ?p) (not (true (won ?p))))";

/// The state and the roles with which each engine refuses a game.
fn refusals(text: &str) -> Vec<(String, Vec<String>)> {
    let game = ground(text).expect("ground rules");
    let budget = Budget::unlimited();
    let structure = prove_structure(&game, &budget).expect("no limit");
    let mut found = Vec::new();
    match explicit::solve(&game, Order::Own, 1_000_000, &budget) {
        Err(why) => found.push(why),
        other => panic!("explicit: {:?}", other.map(|verdict| verdict.word())),
    }
    match symbolic::solve(&game, &structure, Order::Own, None, &budget, &Silent) {
        Err(Refusal::Simultaneous(why)) => found.push(why),
        other => panic!("symbolic: {:?}", other.map(|verdict| verdict.word())),
    }
    match layered::solve(&game, &structure, Order::Own, 1_000_000, &budget, &Silent) {
        Err(layered::Refusal::Simultaneous(why)) => found.push(why),
        Err(layered::Refusal::NotApart) => {}
        other => panic!("layered: {:?}", other.map(|verdict| verdict.word())),
    }
    let names = |why: &Simultaneous| why.role_names(&game).into_iter().map(str::to_owned).collect();
    found.iter().map(|why| (why.state_text(&game), names(why))).collect()
}

#[test]
fn a_game_in_which_roles_choose_at_once_is_refused_by_every_engine() {
    let found = refusals(NUMBERS);
    assert_eq!(found.len(), 3, "it has a clock");
    for (state, roles) in found {
        assert_eq!(state, "(round 1)");
        assert_eq!(roles, ["odd", "even"]);
    }
    // Players take turns at first; only a late state has two choices, and no rule looks like it.
    let late = TIC_TAC_TOE.replace(
        "(<= (legal o noop) (true (control x)))",
        "(<= (legal o noop) (true (control x)))
         (<= (legal o shout) (true (control x)) (true (cell 1 1 x)) (true (cell 2 2 x)) (true (cell 3 2 o)))",
    );
    for (state, roles) in refusals(&late) {
        for part in ["(cell 1 1 x)", "(cell 2 2 x)", "(cell 3 2 o)", "(control x)"] {
            assert!(state.contains(part), "{state}");
        }
        assert_eq!(roles, ["x", "o"]);
    }
    // The same in states that cannot be reached does no harm.
    let never = late.replace("(true (cell 3 2 o))", "(true (cell 3 2 o)) (true (cell 3 2 x))");
    assert_eq!(solve(&never, Order::Own), (5478, vec![50, 50]));
}

#[test]
fn choosing_at_once_is_bounded_from_both_sides() {
    let bounds_of = |text: &str| {
        let game = ground(text).expect("ground rules");
        let found = explicit::bounds(&game, 1_000_000, &Budget::unlimited()).solved().expect("small");
        found.roles.iter().map(|role| (role.sure, role.held_to)).collect::<Vec<_>>()
    };
    // The role that is seen loses the second round, and what was won before is lost with it.
    assert_eq!(bounds_of(NUMBERS), [(20, 60), (20, 60)]);
    // In turns the two figures meet at the value, and play without an end keeps them apart.
    assert_eq!(bounds_of(TIC_TAC_TOE), [(50, 50), (50, 50)]);
    assert_eq!(bounds_of(RING), [(100, 100), (0, 0)]);
    // Of two moves one is better whatever the other does: a saddle point.
    let saddle = "(role a) (role b) (init start) (move up) (move down)
        (<= (legal ?p ?m) (role ?p) (move ?m) (true start))
        (<= (next (made ?m ?n)) (does a ?m) (does b ?n))
        (<= terminal (true (made ?m ?n)))
        (<= (goal a 80) (true (made up up))) (<= (goal a 60) (true (made up down)))
        (<= (goal a 40) (true (made down up))) (<= (goal a 20) (true (made down down)))
        (<= (goal b 20) (true (made up up))) (<= (goal b 40) (true (made up down)))
        (<= (goal b 60) (true (made down up))) (<= (goal b 80) (true (made down down)))";
    assert_eq!(bounds_of(saddle), [(60, 60), (40, 40)]);
}

#[test]
fn numbers_have_a_clock_and_no_turns() {
    let game = ground(NUMBERS).expect("ground rules");
    let structure = prove_structure(&game, &Budget::unlimited()).expect("no limit");
    assert!(!structure.takes_turns);
    assert_eq!(structure.clock.map(|ticks| ticks.len()), Some(3));
}

/// Two walk on a ring in turns and may go on for ever; who comes to the exit first wins, and less the later.
const RING: &str = "
    (role a) (role b) (init (at a 1)) (init (at b 3)) (init (turn a))
    (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 1)
    (<= (legal ?p on) (true (turn ?p)))
    (<= (legal ?p back) (true (turn ?p)))
    (<= (legal a noop) (true (turn b)))
    (<= (legal b noop) (true (turn a)))
    (<= (next (turn a)) (true (turn b)))
    (<= (next (turn b)) (true (turn a)))
    (<= (next (at ?p ?y)) (does ?p on) (true (at ?p ?x)) (succ ?x ?y))
    (<= (next (at ?p ?x)) (does ?p back) (true (at ?p ?y)) (succ ?x ?y))
    (<= (next (at ?p ?x)) (does ?p noop) (true (at ?p ?x)))
    (<= met (true (at a ?x)) (true (at b ?x)))
    (<= terminal met)
    (<= terminal (true (at a 5)))
    (<= (goal a 100) (true (at a 5)) (not met))
    (<= (goal a 10) met)
    (<= (goal b 100) met)
    (<= (goal b 0) (not met))";

#[test]
fn games_without_an_end_are_decided_as_far_as_they_can_be() {
    let (states, value) = solve(RING, Order::Own);
    assert_eq!(value, [100, 0], "the exit is one step back");
    assert!(states > 10);
    let game = ground(RING).expect("ground rules");
    let structure = prove_structure(&game, &Budget::unlimited()).expect("no limit");
    assert!(structure.takes_turns);
    assert_eq!(structure.clock, None);
    let solution =
        solved(symbolic::solve(&game, &structure, Order::Own, None, &Budget::unlimited(), &Silent));
    assert_eq!(solution.measure, None);
}

#[test]
fn the_structure_of_tic_tac_toe_is_proved() {
    let game = ground(TIC_TAC_TOE).expect("ground rules");
    let structure = prove_structure(&game, &Budget::unlimited()).expect("no limit");
    // A group for each cell, and one for the turn.
    assert_eq!(structure.groups.len(), 10);
    assert!(structure.takes_turns);
    let noops: Vec<usize> = structure.noops.iter().map(Vec::len).collect();
    assert_eq!(noops, [1, 1]);
    assert_eq!(structure.clock, None);
}

#[test]
fn what_is_not_so_is_not_proved() {
    // The mark of a cell may be changed by the second rule, and then there are two.
    let text = TIC_TAC_TOE.replace(
        "(<= (next (control x)) (true (control o)))",
        "(<= (next (control x)) (true (control o))) (<= (next (cell 2 2 x)) (does o (mark 1 1)))",
    );
    let game = ground(&text).expect("ground rules");
    let structure = prove_structure(&game, &Budget::unlimited()).expect("no limit");
    let pair =
        |group: &Vec<FluentId>| group.iter().all(|&fluent| game.fluents[fluent].starts_with("(cell 2 2"));
    assert!(!structure.groups.iter().any(pair), "two marks are possible");
}

#[test]
fn instantiated_rules_mean_the_same() {
    for text in [TIC_TAC_TOE, COUNTED_DUEL, RING] {
        let game = ground(text).expect("ground rules");
        let again = game.to_gdl();
        assert!(!again.contains('?'), "no variables");
        for order in [Order::Own, Order::Difference] {
            assert_eq!(solve(text, order), solve(&again, order));
        }
    }
}

/// An archive in memory that is full after some records.
#[derive(Clone, Default)]
struct Shelf {
    records: BTreeMap<String, Vec<u8>>,
    room: Option<usize>,
}

impl Archive for Shelf {
    fn save(&mut self, name: &str, bytes: &[u8]) -> Result<(), ArchiveError> {
        if self.room == Some(self.records.len()) {
            let error = std::io::Error::from(std::io::ErrorKind::StorageFull);
            return Err(ArchiveError::Write { name: name.to_owned(), error });
        }
        self.records.insert(name.to_owned(), bytes.to_vec());
        Ok(())
    }

    fn load(&mut self, name: &str) -> Result<Option<Vec<u8>>, ArchiveError> {
        Ok(self.records.get(name).cloned())
    }
}

#[test]
fn a_solve_that_was_ended_goes_on_from_every_record() {
    let budget = Budget::unlimited();
    for text in [TIC_TAC_TOE, RING] {
        let game = ground(text).expect("ground rules");
        let structure = prove_structure(&game, &budget).expect("no limit");
        let run = |shelf: &mut Shelf, budget: &Budget| {
            symbolic::solve(&game, &structure, Order::Own, Some(shelf), budget, &Silent).map(|verdict| {
                verdict.map(|solution| {
                    (solution.value, solution.layer_states, solution.outcome_states, solution.terminal)
                })
            })
        };
        let mut whole = Shelf::default();
        let expected = run(&mut whole, &budget).expect("room enough");
        let records = whole.records.len();
        assert!(records > 4);
        let mut shelf = Shelf::default();
        for room in 0..records {
            shelf.room = Some(room);
            assert!(matches!(run(&mut shelf, &budget), Err(Refusal::Archive(ArchiveError::Write { .. }))));
            assert_eq!(shelf.records.len(), room, "what was kept before is still there");
        }
        shelf.room = None;
        assert_eq!(run(&mut shelf, &budget).expect("room enough"), expected);
        assert_eq!(shelf.records, whole.records, "the same records in whatever pieces they were made");
        // A solution that is there takes hardly any work.
        assert_eq!(run(&mut shelf, &budget).expect("nothing to do"), expected);
        // A damaged record is refused, whichever it is.
        for name in whole.records.keys().filter(|name| name.starts_with("solved") || *name == "end") {
            let mut damaged = whole.clone();
            let bytes = damaged.records.get_mut(name).expect("listed");
            let last = bytes.len() - 1;
            bytes[last] ^= 1;
            let refused = run(&mut damaged, &budget);
            assert!(matches!(refused, Err(Refusal::Archive(ArchiveError::Damaged { .. }))), "{name}");
        }
        // Records of another game are refused.
        let other = ground(COUNTED_DUEL).expect("ground rules");
        let other_structure = prove_structure(&other, &budget).expect("no limit");
        let refused =
            symbolic::solve(&other, &other_structure, Order::Own, Some(&mut whole), &budget, &Silent);
        assert!(matches!(refused, Err(Refusal::Archive(ArchiveError::Foreign { .. }))));
    }
}

#[test]
fn a_rule_that_needs_itself_adds_nothing() {
    let text = format!("{TIC_TAC_TOE} (<= (three ?p) (three ?p) (true (cell 1 1 ?p)))");
    assert_eq!(solve(&text, Order::Own), (5478, vec![50, 50]));
}

/// Two players put stones on a bar of two by three cells; the first wants a chain from the left side to the right.
const CHAIN: &str = "
    (role first) (role second) (column 1) (column 2) (column 3) (row 1) (row 2) (succ 1 2) (succ 2 3)
    (init (control first))
    (<= (cell ?x ?y) (column ?x) (row ?y))
    (<= (taken ?x ?y) (true (stone ?x ?y ?p)))
    (<= (legal ?p (put ?x ?y)) (true (control ?p)) (cell ?x ?y) (not (taken ?x ?y)))
    (<= (legal first wait) (true (control second)))
    (<= (legal second wait) (true (control first)))
    (<= (next (stone ?x ?y ?p)) (does ?p (put ?x ?y)))
    (<= (next (stone ?x ?y ?p)) (true (stone ?x ?y ?p)))
    (<= (next (control second)) (true (control first)))
    (<= (next (control first)) (true (control second)))
    (<= (beside ?x ?y ?u ?y) (cell ?x ?y) (succ ?x ?u))
    (<= (beside ?x ?y ?u ?y) (cell ?x ?y) (succ ?u ?x))
    (<= (beside ?x 1 ?x 2) (column ?x))
    (<= (beside ?x 2 ?x 1) (column ?x))
    (<= (linked 1 ?y) (true (stone 1 ?y first)))
    (<= (linked ?x ?y) (linked ?u ?v) (beside ?u ?v ?x ?y) (true (stone ?x ?y first)))
    (<= through (linked 3 ?y))
    (<= free (cell ?x ?y) (not (taken ?x ?y)))
    (<= terminal through)
    (<= terminal (not free))
    (<= (goal first 100) through) (<= (goal first 0) (not through))
    (<= (goal second 0) through) (<= (goal second 100) (not through))";

#[test]
fn rules_in_a_cycle_are_solved_by_both_engines() {
    let game = ground(CHAIN).expect("ground rules");
    assert!(
        game.components.iter().any(|component| component.len() > 1),
        "cells are linked through each other"
    );
    let (states, value) = solve(CHAIN, Order::Own);
    assert_eq!(value, [0, 100], "the second player answers in the other row");
    assert!(states > 100);
}

#[test]
fn layers_of_words_agree_with_the_sets() {
    let budget = Budget::unlimited();
    // The first has no clock, but one empty cell fewer with each move. The last two have symmetries: a square has eight, a bar of three by seven two.
    let lights = include_str!("../../../examples/games/lights-out-3x3.kif");
    let peg = include_str!("../../../examples/games/peg-solitaire-small.kif");
    let mut used = Vec::new();
    for (text, is_layered) in [
        (TIC_TAC_TOE, true),
        (RING, false),
        (COUNTED, true),
        (COUNTED_DUEL, true),
        (lights, true),
        (peg, true),
    ] {
        let game = ground(text).expect("ground rules");
        let structure = prove_structure(&game, &budget).expect("no limit");
        let found = layered::solve(&game, &structure, Order::Own, 1_000_000, &budget, &Silent);
        if !is_layered {
            assert_eq!(found.err(), Some(layered::Refusal::NotApart));
            continue;
        }
        let layered = solved(found);
        used.push(layered.symmetries);
        let explicit = solved(explicit::solve(&game, Order::Own, 1_000_000, &budget));
        let layers: Vec<u64> = explicit.layers.iter().map(|&count| count as u64).collect();
        assert_eq!(layered.layer_states, layers);
        assert_eq!((layered.terminal, layered.stuck), (explicit.terminal as u64, explicit.stuck as u64));
        assert_eq!(Some(&layered.outcomes[layered.value][..]), explicit.value(0));
        let mut number = 0;
        for (made, &count) in explicit.layers.iter().enumerate() {
            for _ in 0..count {
                let state = fluents_of(&game, explicit.state(number));
                let outcome = layered.outcome(&state, made).map(|outcome| &layered.outcomes[outcome][..]);
                assert_eq!(outcome, explicit.value(number), "{state:?}");
                assert_eq!(layered.outcome(&state, made + 1), None, "a state belongs to one layer");
                number += 1;
            }
        }
        let few = layered::solve(&game, &structure, Order::Own, 3, &budget, &Silent);
        assert!(matches!(few, Ok(Verdict::Stopped(Limit::Nodes(3)))));
    }
    assert_eq!(used[3..], [8, 2]);
}

/// Lamps in a row that change with their neighbours, and a clock.
const COUNTED: &str = "
    (role one) (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (lamp 1) (lamp 2) (lamp 3) (lamp 4)
    (init (step 0)) (init (colour 2 red)) (init (on 3))
    (<= (legal one (press ?x)) (lamp ?x))
    (<= (near ?x ?x) (lamp ?x)) (<= (near ?x ?y) (succ ?x ?y) (lamp ?y)) (<= (near ?x ?y) (succ ?y ?x) (lamp ?y))
    (<= (turned ?y) (does one (press ?x)) (near ?x ?y))
    (<= (next (on ?y)) (turned ?y) (not (true (on ?y))))
    (<= (next (on ?y)) (true (on ?y)) (not (turned ?y)))
    (<= (next (colour ?x red)) (does one (press ?x)) (true (on ?x)))
    (<= (next (colour ?x blue)) (does one (press ?x)) (not (true (on ?x))))
    (<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
    (<= lit (true (on ?x)))
    (<= terminal (not lit)) (<= terminal (true (step 5)))
    (<= (goal one 100) (not lit)) (<= (goal one 60) (true (colour 3 blue)) lit) (<= (goal one 20) lit)";

/// Nim with one heap of seven and a clock: take one or two; the one who takes the last wins.
const COUNTED_DUEL: &str = "
    (role first) (role second)
    (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6) (succ 6 7) (succ 7 8)
    (init (heap 7)) (init (control first)) (init (step 0))
    (<= (less ?n 1 ?m) (succ ?m ?n)) (<= (less ?n 2 ?m) (succ ?m ?k) (succ ?k ?n))
    (<= (legal ?p (take ?k)) (true (control ?p)) (true (heap ?n)) (less ?n ?k ?m))
    (<= (legal first wait) (true (control second))) (<= (legal second wait) (true (control first)))
    (<= (next (heap ?m)) (does ?p (take ?k)) (true (heap ?n)) (less ?n ?k ?m))
    (<= (next (control first)) (true (control second))) (<= (next (control second)) (true (control first)))
    (<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
    (<= terminal (true (heap 0)))
    (<= (goal first 100) (true (control second))) (<= (goal first 0) (true (control first)))
    (<= (goal second 100) (true (control first))) (<= (goal second 0) (true (control second)))";

#[test]
fn limits_end_a_symbolic_solve() {
    let game = ground(TIC_TAC_TOE).expect("ground rules");
    let structure = prove_structure(&game, &Budget::unlimited()).expect("no limit");
    let budget = Budget::unlimited();
    budget.cancel();
    let stopped = symbolic::solve(&game, &structure, Order::Own, None, &budget, &Silent);
    assert!(matches!(stopped, Ok(Verdict::Stopped(Limit::Cancelled))));
}

/// Stored solutions are kept under this name. If the printed form of ground rules changes, its version has to be counted up.
#[test]
fn the_hash_of_rules_stays_the_same() {
    let text = include_str!("../../../examples/games/tic-tac-toe.kif");
    let game = ground(text).expect("ground rules");
    assert_eq!(rules_hash(&game), "08d32048ea51b45223c140c3534afedf68ebc98c1823d90f0da5c6b7f954d2e6");
    let other = ground(include_str!("../../../examples/games/nim-3-4-5.kif")).expect("ground rules");
    assert_ne!(rules_hash(&game), rules_hash(&other));
}
