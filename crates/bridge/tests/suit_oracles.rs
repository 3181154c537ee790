//! The single-suit solver against an exact table of 137 holdings.

use std::path::Path;

use bridge::suit::{SuitHolding, best_play};
use counterplay_base::{Budget, Verdict};

/// Every row of the table, every number of tricks.
#[test]
fn every_holding_reaches_the_exact_chance() {
    let file =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/bridge/suit_combinations.csv");
    let Ok(text) = std::fs::read_to_string(&file) else {
        eprintln!("skipped: no table of suit combinations here");
        return;
    };
    let mut checked = 0;
    for line in text.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let holding = SuitHolding::new(fields[0], fields[1]).expect("a holding");
        for part in fields[3].split(';').filter(|part| !part.is_empty()) {
            let (tricks, percent) = part.split_once(':').expect("tricks and percent");
            let percent: f64 = percent.parse().expect("a number");
            let answer = best_play(&holding, tricks.parse().expect("a number"), &Budget::unlimited());
            let Verdict::Solved(answer) = answer else { panic!("no limit was set") };
            let found = 100.0 * answer.chance;
            assert!(
                (found - percent).abs() < 0.0101,
                "{} {} for {tricks}: {found} instead of {percent}",
                fields[0],
                fields[1]
            );
            assert!(!answer.line.is_empty());
            checked += 1;
        }
    }
    assert!(checked >= 200, "{checked}");
}
