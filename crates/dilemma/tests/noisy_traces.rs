//! What strategies intend when accidents happen, as recorded from the Axelrod library 4.13.1.
//!
//! `data/noisy_traces.csv` holds, for each deterministic strategy, games in which one move in ten was flipped: what it
//! intended, what was executed, and what the other player did. Fed with the executed moves, ours must intend the same.

mod common;

use common::moves;
use counterplay_dilemma::{Chance, History, Moves, strategies};

#[test]
fn intentions_under_noise_are_those_recorded() {
    let mut wrong = Vec::new();
    let mut checked = 0;
    for line in include_str!("data/noisy_traces.csv").lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let [name, intended, own, other] = fields[..] else { panic!("four fields: {line}") };
        let mut player = strategies::find(name).expect(name).player(&Default::default());
        let mut chance = Chance::new(0, &[]);
        let (mut seen_own, mut seen_other) = (Moves::new(), Moves::new());
        let mut found = Moves::new();
        for (one, two) in moves(own).iter().zip(moves(other).iter()) {
            found.push(player.choose(&History { own: &seen_own, other: &seen_other }, &mut chance));
            seen_own.push(one);
            seen_other.push(two);
        }
        if found.to_string() != intended {
            wrong.push(format!("{name}\n  {own}\n  {other}\n  {intended}\n  {found}"));
        }
        checked += 1;
    }
    assert!(wrong.is_empty(), "{} of {checked} differ\n{}", wrong.len(), wrong.join("\n"));
    assert!(checked > 200);
}
