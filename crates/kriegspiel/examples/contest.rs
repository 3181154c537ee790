//! Plays games between two players of the crate: `contest A B GAMES MOVES SEED [FEN]`.

use counterplay_base::Budget;
use counterplay_kriegspiel::chess::{Board, Color};
use counterplay_kriegspiel::contest::{Contestant, Evader, Tally, Terms, play_game};
use counterplay_kriegspiel::{Careful, Expert, Greedy, RandomPlayer, Rash, RuleSet};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

fn seat(name: &str, root: Board, color: Color, seed: u64) -> Contestant {
    match name {
        "expert" => Contestant::Player(Box::new(Expert::new(root, color, RuleSet::Paper, seed))),
        "careful" => Contestant::Player(Box::new(Careful::new(root, color, seed))),
        "greedy" => Contestant::Player(Box::new(Greedy::new(root, color, seed))),
        "rash" => Contestant::Player(Box::new(Rash::new(root, color, seed))),
        "evader" => Contestant::Seer(Box::new(Evader)),
        _ => Contestant::Player(Box::new(RandomPlayer::new(seed))),
    }
}

fn main() {
    let given: Vec<String> = std::env::args().skip(1).collect();
    let number =
        |index: usize, default: u64| given.get(index).map_or(default, |text| text.parse().expect("a number"));
    let (games, moves, first) = (number(2, 10), number(3, 200) as usize, number(4, 0));
    let root: Board = given.get(5).map_or(START, String::as_str).parse().expect("a position");
    let mut tally = Tally::default();
    for game in 0..games {
        let swapped = game % 2 == 1 && given.len() <= 5;
        let names = if swapped { [&given[1], &given[0]] } else { [&given[0], &given[1]] };
        let seed = (first + game) * 2;
        let mut seats =
            [seat(names[0], root, Color::White, seed), seat(names[1], root, Color::Black, seed + 1)];
        let terms = Terms { root, rules: RuleSet::Paper, moves };
        let started = std::time::Instant::now();
        let played = play_game(&terms, &mut seats, &Budget::unlimited()).expect("no limit");
        let own = if swapped { Color::Black } else { Color::White };
        match played.winner {
            Some(winner) if winner == own => tally.wins += 1,
            Some(_) => tally.losses += 1,
            None => tally.draws += 1,
        }
        println!(
            "{game}: {} {:?} {} moves, {:?}: {}",
            played.outcome.name(),
            played.winner,
            played.moves.len() / 2,
            started.elapsed(),
            played.position
        );
    }
    println!("{tally:?} {:?}", tally.elo());
}
