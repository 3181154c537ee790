//! Proofs of single positions against the solution of all of them.

use counterplay_base::{Budget, Id, Silent};
use counterplay_ggp::explicit::{self, Order};
use counterplay_ggp::proof::{Proved, Prover};
use counterplay_ground::game::{FluentId, Game, ground_game, prove_structure, symmetries};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn read(name: &str, text: &str) -> Game {
    try_read(name, text).expect("a finite game")
}

fn try_read(name: &str, text: &str) -> Option<Game> {
    let mut sources = counterplay_syntax::Sources::default();
    let file = sources.add(name, text);
    let rules = counterplay_gdl::read(&sources, file).expect("sound rules");
    ground_game(&rules, &Budget::unlimited(), &Silent).ok()
}

fn example(name: &str) -> Game {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/games/");
    read(name, &std::fs::read_to_string(format!("{folder}{name}.kif")).expect("an example"))
}

fn fluents(game: &Game, row: &[u64]) -> Vec<FluentId> {
    let held = |fluent: &FluentId| row[fluent.index() / 64] >> (fluent.index() % 64) & 1 == 1;
    game.fluents.ids().filter(held).collect()
}

#[test]
fn positions_of_games_that_end_have_the_values_of_the_solution() {
    let budget = Budget::unlimited();
    for name in ["tic-tac-toe", "nim-3-4-5", "chomp", "connect-four-4x4", "clobber-4x4"] {
        let game = example(name);
        let structure = prove_structure(&game, &budget).expect("no limit");
        let solution = explicit::solve(&game, Order::Own, 1_000_000, &budget).expect("in turns");
        let solution = solution.solved().expect("no limit");
        let group = symmetries(&game, &[], 16, &budget).expect("no limit");
        let mut random = ChaCha8Rng::seed_from_u64(3);
        for round in 0..12 {
            let number = if round == 0 { 0 } else { random.random_range(0..solution.len()) };
            let state = fluents(&game, solution.state(number));
            let value = solution.value(number).expect("every play ends")[0];
            let group = if round % 2 == 0 { &group[..] } else { &[] };
            let mut prover = Prover::new(&game, &structure, group, &budget).expect("a constant sum");
            let proved = prover.prove(&state, &Silent).expect("in turns").solved().expect("no limit");
            assert_eq!(proved, Proved { least: value, most: value }, "{name} {state:?}");
        }
    }
}

/// A token on a graph that two roles move in turn; play may go round for ever.
struct Chase {
    /// Where one can go from each place; the reward of the first role where play ends.
    places: Vec<Result<Vec<usize>, u32>>,
}

impl Chase {
    fn random(random: &mut ChaCha8Rng) -> Chase {
        let count = random.random_range(4..9);
        let mut places: Vec<Result<Vec<usize>, u32>> = (0..count)
            .map(|place| match place > 0 && random.random_range(0..3) == 0 {
                true => Err(50 * random.random_range(0..3)),
                false => Ok((0..random.random_range(1..4)).map(|_| random.random_range(0..count)).collect()),
            })
            .collect();
        places[count - 1] = Err(100);
        places[count - 2] = Err(0);
        Chase { places }
    }

    fn text(&self) -> String {
        let mut text = String::from("(role left) (role right) (init (at 0)) (init (control left))\n");
        for (place, own) in self.places.iter().enumerate() {
            match own {
                Ok(next) => next.iter().for_each(|to| text += &format!("(edge {place} {to})\n")),
                Err(reward) => text += &format!("(sink {place} {reward} {})\n", 100 - reward),
            }
        }
        text + "(<= (legal ?r (go ?y)) (true (control ?r)) (true (at ?x)) (edge ?x ?y))
            (<= (legal left wait) (true (control right))) (<= (legal right wait) (true (control left)))
            (<= (next (at ?y)) (does ?r (go ?y)))
            (<= (next (control left)) (true (control right))) (<= (next (control right)) (true (control left)))
            (<= terminal (true (at ?x)) (sink ?x ?v ?w))
            (<= (goal left ?v) (true (at ?x)) (sink ?x ?v ?w))
            (<= (goal right ?w) (true (at ?x)) (sink ?x ?v ?w))"
    }

    /// Whether a role can force an end with a reward that `is_kept` allows: the states from which it can, grown from the ends.
    fn can_force(&self, prover: usize, is_kept: impl Fn(u32) -> bool) -> bool {
        let mut wins = vec![[false; 2]; self.places.len()];
        loop {
            let before = wins.clone();
            for (place, own) in self.places.iter().enumerate() {
                for mover in 0..2 {
                    wins[place][mover] |= match own {
                        Err(reward) => is_kept(*reward),
                        Ok(next) if mover == prover => next.iter().any(|&to| before[to][1 - mover]),
                        Ok(next) => next.iter().all(|&to| before[to][1 - mover]),
                    };
                }
            }
            if wins == before {
                return wins[0][0];
            }
        }
    }
}

#[test]
fn what_is_proved_where_play_may_go_on_for_ever_is_right() {
    let budget = Budget::unlimited();
    let mut random = ChaCha8Rng::seed_from_u64(11);
    let (mut decided, mut endless, mut missed) = (0, 0, 0);
    for round in 0..600 {
        let chase = Chase::random(&mut random);
        // A graph without a way to an end has no rewards.
        let Some(game) = try_read("chase", &chase.text()) else { continue };
        let structure = prove_structure(&game, &budget).expect("no limit");
        let Ok(mut prover) = Prover::new(&game, &structure, &[], &budget) else { continue };
        let verdict = prover.prove(&game.initial, &Silent).expect("in turns");
        let Proved { least, most } = verdict.solved().expect("no limit");
        let mut rewards: Vec<u32> =
            game.goals.iter().filter(|goal| goal.role.index() == 0).map(|goal| goal.value).collect();
        rewards.push(0);
        rewards.sort_unstable();
        rewards.dedup();
        let greatest = rewards[rewards.len() - 1];
        assert!(
            least == 0 || chase.can_force(0, |reward| reward >= least),
            "round {round}: {}",
            chase.text()
        );
        assert!(
            most == greatest || chase.can_force(1, |reward| reward <= most),
            "round {round}: {}",
            chase.text()
        );
        // What a right search finds.
        let can = |value: u32| {
            (value == 0 || chase.can_force(0, |reward| reward >= value))
                && (value == greatest || chase.can_force(1, |reward| reward <= value))
        };
        let has_value = rewards.iter().any(|&value| can(value));
        decided += usize::from(least == most);
        endless += usize::from(!has_value);
        missed += usize::from(has_value && least < most);
    }
    println!("{decided} decided, {missed} missed, {endless} without a value");
    assert!(decided > 100 && endless > 10, "{decided} {missed} {endless}");
    assert!(20 * missed < decided, "{decided} {missed}");
}
