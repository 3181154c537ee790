//! Strategies for a suit, as the solver writes them, against the checker that deals card by card.

use counterplay::bridge::{SuitRequest, SuitValidity, check_suit_text, suit_with_strategies};
use counterplay::{Budget, Silent};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

const RANKS: &str = "23456789TJQKA";

/// A random holding with so many missing cards.
fn holding(rng: &mut ChaCha8Rng, missing: usize) -> SuitRequest {
    let mut order: Vec<char> = RANKS.chars().collect();
    for at in (1..13).rev() {
        order.swap(at, rng.random_range(0..=at));
    }
    let mut hands = [String::new(), String::new()];
    for &card in &order[missing..] {
        hands[usize::from(rng.random_bool(0.5))].push(card);
    }
    let [north, south] = hands.map(|hand| if hand.is_empty() { "-".to_owned() } else { hand });
    SuitRequest { north, south, tricks: None }
}

fn check(text: &str) -> SuitValidity {
    check_suit_text(text, &Budget::unlimited()).expect("no limit")
}

/// Every strategy wins what the solver says, and it says it in percent as in the fraction.
#[test]
fn every_strategy_does_what_it_says() {
    let mut rng = ChaCha8Rng::seed_from_u64(28);
    let (mut uncertain, mut situations) = (0, 0);
    for missing in (0..13).flat_map(|missing| std::iter::repeat_n(missing, if missing > 6 { 6 } else { 14 }))
    {
        let request = holding(&mut rng, missing);
        let (answer, text) = suit_with_strategies(&request, &Budget::unlimited(), &Silent).expect("no limit");
        let validity = check(&text);
        assert!(validity.valid, "{request:?}: {:?}\n{text}", validity.why);
        assert_eq!(validity.claims.len(), answer.lines().len(), "{request:?}");
        for (claim, line) in validity.claims.iter().zip(answer.lines()) {
            assert_eq!(
                (usize::from(claim.tricks), claim.percent),
                (line.tricks, line.percent),
                "{request:?}"
            );
            uncertain += usize::from(claim.percent > 0.0 && claim.percent < 100.0);
            situations += claim.situations;
        }
        // The checker writes cards as the solver does; the answer without strategies is the same.
        assert_eq!(
            counterplay::bridge::suit(&request, &Budget::unlimited(), &Silent).expect("no limit"),
            answer
        );
    }
    assert!(uncertain > 50 && situations > 2_000, "{uncertain} {situations}");
}

/// One thing is changed at a time. Whatever loses a layout, or names a card that is not there, is refused.
#[test]
fn damaged_strategies_are_refused() {
    let mut rng = ChaCha8Rng::seed_from_u64(29);
    let [mut dropped, mut flipped, mut harmless] = [0; 3];
    for round in 0..60 {
        let mut request = holding(&mut rng, 3 + round % 4);
        request.tricks = Some(request.north.len().max(request.south.len()).saturating_sub(round % 3).max(1));
        let (_, text) = suit_with_strategies(&request, &Budget::unlimited(), &Silent).expect("no limit");
        let lines: Vec<&str> = text.lines().collect();
        let with = |at: usize, line: Option<String>| -> String {
            let changed = lines.iter().enumerate();
            changed
                .filter_map(|(number, &old)| if number == at { line.clone() } else { Some(old.to_owned()) })
                .map(|line| line + "\n")
                .collect()
        };
        for (at, line) in lines.iter().enumerate() {
            // No line can be missing: each situation comes up in a layout that is to be won.
            let outcome = check(&with(at, None));
            assert!(!outcome.valid, "{request:?}, without `{line}`\n{text}");
            dropped += 1;
            if let Some(chance) = line.strip_prefix("chance ") {
                let (over, under) = chance.split_once('/').expect("a fraction");
                let over: u64 = over.parse().expect("a number");
                for wrong in [over + 1, over.wrapping_sub(1), 2 * over + 1] {
                    let outcome = check(&with(at, Some(format!("chance {wrong}/{under}"))));
                    assert!(!outcome.valid, "{request:?}, {wrong}/{under}");
                }
            }
            // Another lead. Some are as good; one that is not held never is.
            let Some((before, lead)) = line.split_once(" lead ") else { continue };
            for card in RANKS.chars().filter(|&card| !lead.starts_with(card)) {
                let words: Vec<&str> = before.split(' ').collect();
                let is_held = words[1].contains(card) || words[2].contains(card);
                let outcome = check(&with(at, Some(format!("{before} lead {card}{}", &lead[1..]))));
                assert!(is_held || !outcome.valid, "{request:?}, {card} is not held in `{line}`");
                if outcome.valid {
                    harmless += 1;
                } else {
                    flipped += 1;
                }
            }
        }
    }
    assert!(dropped > 500 && flipped > 2_000 && harmless < flipped, "{dropped} {flipped} {harmless}");
}
