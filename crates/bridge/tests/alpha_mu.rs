//! Alpha-mu against an enumeration of all of declarer's strategies, and its laws.

use std::collections::{BTreeMap, BTreeSet};

use bridge::alpha_mu::{AlphaMu, Layout, Line, Oracle, Replies, Settings};
use bridge::belief::Beliefs;
use bridge::card::{Card, Cards, Suit};
use bridge::contract::{Contract, Strain};
use bridge::double_dummy::DoubleDummy;
use bridge::generate::random_deal;
use bridge::play::{Position, beats};
use bridge::rules::{Intent, declare, defend};
use bridge::seat::Seat;
use counterplay_base::Budget;
use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;

const TRICKS: [f64; 14] = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0];

/// Layouts that look the same to declarer, who is on turn with a choice and holds so many cards.
fn ending(rng: &mut Pcg64Mcg, cards: usize, layouts: usize, strain: Strain) -> Option<Vec<Layout>> {
    let contract = Contract::new(3, strain, Seat::South).expect("level three exists");
    let mut position = Position::new(&random_deal(rng), contract);
    loop {
        let public = position.public();
        let hand = position.hand(public.decider());
        let ours = public.is_ours(public.turn());
        if ours && position.hand(public.turn()).len() == cards && position.legal().len() > 1 {
            break;
        }
        if public.is_over() {
            return None;
        }
        let card = if ours { declare(public, hand, Intent::default()) } else { defend(public, hand) };
        position.put(card);
    }
    let view = position.view();
    let beliefs = Beliefs::new(&view);
    let mut held = BTreeSet::new();
    for _ in 0..20 {
        held.extend(beliefs.draw(rng).map(|cards| cards.bits()).filter(|_| held.len() < layouts));
    }
    let share = 1.0 / held.len() as f64;
    Some(held.iter().map(|&bits| (beliefs.imagine(&view, Cards::from_bits(bits)), share)).collect())
}

fn search(layouts: &[Layout], depth: u8, replies: Replies) -> Vec<Line> {
    let settings = Settings { depth, replies, front: usize::MAX, nodes: u64::MAX };
    let budget = Budget::unlimited();
    AlphaMu::new(&mut Oracle::default(), layouts, TRICKS, settings, &budget).search()
}

/// What declarer sees of a defender's card: the suit, how many of the cards in sight are lower, whether it is winning.
fn sight(position: &Position, card: Card) -> (Suit, usize, bool) {
    let public = position.public();
    let mut visible = position.hand(Seat::South).and(position.hand(Seat::North));
    for seat in [Seat::South, Seat::North] {
        visible = public.trick().card_of(seat).map_or(visible, |card| visible.with(card));
    }
    let lower =
        visible.iter().filter(|other| other.suit() == card.suit() && other.rank() < card.rank()).count();
    let wins = public.trick().best(public.trump()).is_none_or(|(_, best)| beats(card, best, public.trump()));
    (card.suit(), lower, wins)
}

/// The tricks by layout of every strategy of declarer, the worst of what the defenders can do in each layout.
fn strategies(worlds: &[(usize, Position)], layouts: usize) -> BTreeSet<Vec<u8>> {
    let public = worlds[0].1.public();
    if public.is_over() {
        let mut tricks = vec![u8::MAX; layouts];
        for (number, position) in worlds {
            tricks[*number] = tricks[*number].min(position.public().declarer_tricks());
        }
        return BTreeSet::from([tricks]);
    }
    if public.is_ours(public.turn()) {
        let after = |card: Card| -> Vec<(usize, Position)> {
            worlds
                .iter()
                .map(|&(number, mut position)| {
                    position.put(card);
                    (number, position)
                })
                .collect()
        };
        return worlds[0].1.legal().iter().flat_map(|card| strategies(&after(card), layouts)).collect();
    }
    let mut branches: BTreeMap<_, Vec<(usize, Position)>> = BTreeMap::new();
    for &(number, position) in worlds {
        for card in position.legal().iter() {
            let mut next = position;
            next.put(card);
            let (suit, lower, wins) = sight(&position, card);
            branches.entry((suit as u8, lower, wins)).or_default().push((number, next));
        }
    }
    let mut all = BTreeSet::from([vec![u8::MAX; layouts]]);
    for branch in branches.values() {
        let answers = strategies(branch, layouts);
        let worse = |a: &Vec<u8>, b: &Vec<u8>| a.iter().zip(b).map(|(&a, &b)| a.min(b)).collect();
        all = all.iter().flat_map(|known| answers.iter().map(move |answer| worse(known, answer))).collect();
    }
    all
}

/// With all of declarer's choices searched and all replies looked at, the value is that of the best strategy.
#[test]
fn the_deepest_search_finds_the_best_strategy() {
    let mut rng = Pcg64Mcg::seed_from_u64(11);
    let (mut compared, mut fused) = (0, 0);
    for number in 0..60 {
        let strain = if number % 2 == 0 { Strain::Notrump } else { Strain::Trump(Suit::Spades) };
        let Some(layouts) = ending(&mut rng, 3, 3, strain) else { continue };
        let worlds: Vec<(usize, Position)> =
            layouts.iter().map(|&(position, _)| position).enumerate().collect();
        let mean =
            |tricks: &Vec<u8>| tricks.iter().map(|&n| f64::from(n)).sum::<f64>() / layouts.len() as f64;
        let best = strategies(&worlds, layouts.len()).iter().map(mean).fold(0.0, f64::max);
        let found = search(&layouts, 20, Replies::All);
        assert!((found[0].value - best).abs() < 1e-9, "ending {number}: {} and {best}", found[0].value);
        compared += 1;
        fused += usize::from(search(&layouts, 1, Replies::All)[0].value > best + 1e-9);
    }
    assert!(compared > 40 && fused > 0, "{compared} compared, {fused} of them overrated by double dummy");
}

/// Depth one is double dummy on average; deeper values are never higher; and with all replies they are never above those
/// with the best replies only.
#[test]
fn deeper_values_are_lower() {
    let mut rng = Pcg64Mcg::seed_from_u64(12);
    for number in 0..30 {
        let Some(layouts) = ending(&mut rng, 5, 6, Strain::Notrump) else { continue };
        let shallow = search(&layouts, 1, Replies::Best);
        let mut solver = DoubleDummy::default();
        for line in &shallow {
            let tricks = |(position, weight): &Layout| {
                let mut next = *position;
                next.put(line.card);
                weight * f64::from(next.public().declarer_tricks() + solver.tricks(&next))
            };
            let mean: f64 = layouts.iter().map(tricks).sum();
            assert!((line.value - mean).abs() < 1e-9, "ending {number}");
        }
        let [two, three] = [2, 3].map(|depth| search(&layouts, depth, Replies::Best)[0].value);
        assert!(two <= shallow[0].value + 1e-9 && three <= two + 1e-9, "ending {number}");
    }
}
