//! Grounds games and prints what is proved about them: for measuring.

use std::time::Instant;

use counterplay_base::{Budget, Silent};
use counterplay_ground::game::{ground_game, prove_structure};
use counterplay_syntax::Sources;

fn main() {
    for path in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&path).expect("readable");
        let mut sources = Sources::default();
        let file = sources.add(&path, &text);
        let rules = counterplay_gdl::read(&sources, file).expect("a rule sheet");
        let started = Instant::now();
        let game = match ground_game(&rules, &Budget::unlimited(), &Silent) {
            Ok(game) => game,
            Err(error) => {
                println!("{path}: {error}");
                continue;
            }
        };
        let grounded = started.elapsed();
        let structure = prove_structure(&game, &Budget::unlimited()).expect("no limit");
        let covered: std::collections::BTreeSet<_> = structure.groups.iter().flatten().collect();
        println!(
            "{path}: {} fluents, {} groups cover {}, turns {}, noops {:?}, sum {:?}, clock {}, ground {:.2} s, proof {:.2} s",
            game.fluents.len(),
            structure.groups.len(),
            covered.len(),
            structure.takes_turns,
            structure.noops.iter().map(|noop| noop.len()).collect::<Vec<_>>(),
            structure.constant_sum,
            structure.clock.is_some(),
            grounded.as_secs_f64(),
            (started.elapsed() - grounded).as_secs_f64(),
        );
    }
}
