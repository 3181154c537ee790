//! Declared properties are tested properties; same seed, same tournament.

mod common;

use common::rules;
use counterplay_base::{Budget, Silent};
use counterplay_dilemma::strategies::{all, extras, find};
use counterplay_dilemma::tournament::{self, Entrant, Options};
use counterplay_dilemma::{
    Chance, Dice, Game, History, Length, MatchMoves, Memory, Move, Moves, Rules, play, teams,
};

fn random_moves(chance: &mut Chance, len: usize) -> Vec<Move> {
    (0..len).map(|_| Move::d_if(chance.happens(0.4))).collect()
}

/// Lets a strategy follow a game in which chance decided what was executed on both sides.
fn choices(name: &str, own: &[Move], other: &[Move], seed: u64) -> Vec<Move> {
    let mut player = find(name).expect(name).player(&Default::default());
    let mut chance = Chance::new(seed, &[]);
    let (mut seen_own, mut seen_other) = (Moves::new(), Moves::new());
    let mut chosen = Vec::new();
    for (&one, &two) in own.iter().zip(other) {
        chosen.push(player.choose(&History { own: &seen_own, other: &seen_other }, &mut chance));
        seen_own.push(one);
        seen_other.push(two);
    }
    chosen.push(player.choose(&History { own: &seen_own, other: &seen_other }, &mut chance));
    chosen
}

#[test]
fn who_claims_to_take_no_chances_takes_none() {
    let mut chance = Chance::new(1, &[]);
    for entry in all().chain(extras()) {
        let mut differs = false;
        for seed in 0..10 {
            let (own, other) = (random_moves(&mut chance, 60), random_moves(&mut chance, 60));
            differs |= choices(entry.name, &own, &other, seed) != choices(entry.name, &own, &other, seed + 1);
        }
        assert_eq!(differs, entry.stochastic, "{}", entry.name);
    }
}

#[test]
fn who_claims_a_short_memory_has_one() {
    let mut chance = Chance::new(2, &[]);
    for entry in all().filter(|entry| !entry.stochastic) {
        let Memory::Turns(turns) = entry.memory else { continue };
        for _ in 0..50 {
            let (own, other) = (random_moves(&mut chance, turns), random_moves(&mut chance, turns));
            let mut last = Vec::new();
            for before in [20, 33] {
                let own = [random_moves(&mut chance, before), own.clone()].concat();
                let other = [random_moves(&mut chance, before), other.clone()].concat();
                last.push(choices(entry.name, &own, &other, 1).pop());
            }
            assert_eq!(last[0], last[1], "{}", entry.name);
        }
    }
}

fn options(threads: usize) -> Options {
    Options { rules: rules(50, 0.1), repetitions: 3, self_play: true, seed: 9, threads }
}

#[test]
fn a_tournament_is_the_same_whatever_the_number_of_threads() {
    let mut field: Vec<Entrant> = all().map(Entrant::from).collect();
    field.extend(teams::team(0, 3));
    let run = |threads| tournament::run(&field, &options(threads), &Budget::unlimited(), &Silent);
    let one = run(1);
    for threads in [2, 5] {
        let many = run(threads);
        assert_eq!(one.runs, many.runs);
        assert_eq!(one.scores, many.scores);
        assert_eq!(one.cooperation, many.cooperation);
    }
    let pairs = (field.len() * (field.len() + 1) / 2) as u64;
    assert_eq!(one.matches, 3 * pairs);
    assert_eq!(one.turns, 50 * one.matches);
}

/// The round robin once more, as plainly as can be.
#[test]
fn results_agree_with_matches_played_one_by_one() {
    let names = ["TitForTat", "Grudger", "Random", "DBS"];
    let field: Vec<Entrant> = names.iter().map(|name| find(name).expect("listed").into()).collect();
    let options = options(2);
    let results = tournament::run(&field, &options, &Budget::unlimited(), &Silent);
    let mut total = [0.0; 4];
    for i in 0..4usize {
        for j in i..4 {
            for repetition in 0..3 {
                let player = |k: usize| field[k].player(&options.rules.setting(0));
                let (mut one, mut two) = (player(i), player(j));
                let mut dice = Dice::new(options.seed, &[i as u64, j as u64, repetition]);
                let mut board = MatchMoves::default();
                let tally =
                    play(&mut *one, &mut *two, &options.rules, &mut dice, &mut board, &Budget::unlimited())
                        .expect("no limit");
                let [score, answer] = tally.scores(&Game::DILEMMA);
                if i == j {
                    total[i] += (score + answer) / 2.0;
                } else {
                    total[i] += score;
                    total[j] += answer;
                }
            }
        }
    }
    for (player, sum) in total.iter().enumerate() {
        assert!((results.means[player].mean - sum / 12.0).abs() < 1e-9);
    }
}

#[test]
fn noise_and_random_length_have_the_promised_frequencies() {
    let game = Rules {
        game: Game::DILEMMA,
        noise: 0.1,
        length: Length::Geometric { going_on: 0.99, most: 100_000 },
    };
    let (mut turns, mut defections, matches) = (0, 0, 2000);
    for number in 0..matches {
        let player = || find("Cooperator").expect("listed").player(&game.setting(0));
        let mut board = MatchMoves::default();
        let mut dice = Dice::new(4, &[number]);
        play(&mut *player(), &mut *player(), &game, &mut dice, &mut board, &Budget::unlimited())
            .expect("no limit");
        turns += board.first.len();
        defections += board.first.defections();
    }
    let mean = turns as f64 / matches as f64;
    assert!((mean - 100.0).abs() < 10.0, "{mean}");
    let noise = defections as f64 / turns as f64;
    assert!((noise - 0.1).abs() < 0.005, "{noise}");
}

#[test]
fn a_master_is_fed_by_its_slaves() {
    let mut field: Vec<Entrant> = ["TitForTat", "Cooperator", "Defector", "GTFT"]
        .iter()
        .map(|name| find(name).expect("listed").into())
        .collect();
    field.extend(teams::team(0, 2));
    field.extend(teams::team(1, 2));
    let options = Options { rules: rules(200, 0.1), repetitions: 20, ..options(2) };
    let results = tournament::run(&field, &options, &Budget::unlimited(), &Silent);
    let score = |one: usize, two: usize| results.scores[one][two].expect("they met");
    let (master, slave, stranger) = (4, 5, 6);
    assert!(score(master, slave) > 750.0, "{}", score(master, slave));
    assert!(score(slave, master) < 200.0);
    assert!(score(0, slave) < 350.0, "slaves feed only their master");
    assert!(score(stranger, slave) < 400.0, "another team's master is a stranger");
}

#[test]
fn a_limit_ends_a_tournament() {
    let field: Vec<Entrant> = all().map(Entrant::from).collect();
    let budget = Budget::unlimited();
    budget.cancel();
    assert!(tournament::run(&field, &options(2), &budget, &Silent).stopped.is_some());
}
