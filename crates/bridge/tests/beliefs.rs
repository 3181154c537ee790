//! Probabilities by counting against closed forms, enumeration and sampling.

use bridge::belief::{Beliefs, HandBounds};
use bridge::card::{Card, Suit};
use bridge::contract::{Contract, Strain};
use bridge::deal::Deal;
use bridge::play::Position;
use bridge::rules::{Intent, declare, defend};
use bridge::seat::Seat;
use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;

/// North and South miss KQ and six small spades, four hearts to the queen, and so on.
const DEAL: &str = "N:A432.AK32.A32.32 KQ5.Q4.K954.QJ98 J6.J65.QJT8.AK54 T987.T987.76.T76";

fn position(cards: usize) -> Position {
    let deal = Deal::new(&DEAL.parse().expect("a layout")).expect("a deal");
    let mut position = Position::new(&deal, Contract::new(3, Strain::Notrump, Seat::South).expect("3NT"));
    for _ in 0..cards {
        let public = position.public();
        let hand = position.hand(public.decider());
        let card = if public.is_ours(public.turn()) {
            declare(public, hand, Intent::default())
        } else {
            defend(public, hand)
        };
        position.put(card);
    }
    position
}

fn card(text: &str) -> Card {
    text.parse().expect("a card")
}

/// Vacant places: west has led a card, so 12 of the 25 unseen cards are his.
#[test]
fn a_single_card_lies_by_vacant_places() {
    let view = position(1).view();
    let beliefs = Beliefs::new(&view);
    assert!((beliefs.holds(Seat::West, card("DK")) - 12.0 / 25.0).abs() < 1e-12);
    let total: f64 = beliefs.split(Seat::West, Suit::Hearts).iter().sum();
    assert!((total - 1.0).abs() < 1e-12);
}

/// Counting equals listing all divisions, with and without what the auction told.
#[test]
fn counting_agrees_with_enumeration() {
    for played in [33, 37, 41] {
        let position = position(played);
        if !position.public().is_ours(position.public().turn()) {
            continue;
        }
        let view = position.view();
        let mut known = [HandBounds::default(); 4];
        for limit in [37, 6] {
            known[Seat::West as usize].points = (0, limit);
            let beliefs = Beliefs::within(&view, known);
            let all = beliefs.all(2_000_000).expect("few divisions are left");
            assert!((all.len() as f64 - beliefs.count()).abs() < 0.5, "{played} cards: {}", all.len());
            for suit in Suit::DOWN {
                for count in 0..=beliefs.unseen().count(suit) {
                    let listed =
                        all.iter().filter(|held| held.count(suit) == count).count() as f64 / all.len() as f64;
                    let counted = beliefs.chance(beliefs.seats()[0], suit, |held| held.len() == count);
                    assert!((listed - counted).abs() < 1e-9, "{played} {suit} {count}: {listed} {counted}");
                }
            }
        }
    }
}

/// What is drawn has the frequencies that counting gives.
#[test]
fn draws_follow_the_counts() {
    let view = position(1).view();
    let mut known = [HandBounds::default(); 4];
    known[Seat::East as usize].length[Suit::Clubs as usize] = (4, 13);
    let beliefs = Beliefs::within(&view, known);
    let mut rng = Pcg64Mcg::seed_from_u64(3);
    let draws = 20_000;
    let mut short = 0;
    for _ in 0..draws {
        let held = beliefs.draw(&mut rng).expect("possible");
        short += usize::from(held.count(Suit::Clubs) <= 2);
    }
    let expected = beliefs.chance(Seat::West, Suit::Clubs, |held| held.len() <= 2);
    let found = short as f64 / f64::from(draws);
    assert!(
        (found - expected).abs() < 4.0 * (expected * (1.0 - expected) / f64::from(draws)).sqrt(),
        "{found} {expected}"
    );
}

/// A defender who showed out has none, and the other has all.
#[test]
fn who_showed_out_has_none() {
    for played in 1..48 {
        let position = position(played);
        if !position.public().is_ours(position.public().turn()) {
            continue;
        }
        let beliefs = Beliefs::new(&position.view());
        for suit in Suit::DOWN {
            for seat in [Seat::East, Seat::West] {
                if position.public().has_shown_out(seat, suit) {
                    assert!((beliefs.chance(seat, suit, |held| held.is_empty()) - 1.0).abs() < 1e-12);
                }
            }
        }
    }
}
