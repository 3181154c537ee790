//! Probabilities by counting divisions.
//!
//! The number of divisions in which a hand holds a given set of one suit is the number of ways to fill its other
//! places from the other suits. Those ways are the coefficients of a product with one factor a suit, by number of
//! cards and by points, so nothing is sampled and nothing assumed independent.

use crate::belief::Beliefs;
use crate::card::{Card, Cards, Suit};
use crate::seat::Seat;

/// Number of `k`-sets out of `n`.
pub fn binomial(n: usize, k: usize) -> f64 {
    if k > n {
        return 0.0;
    }
    (0..k.min(n - k)).fold(1.0, |product, i| product * (n - i) as f64 / (i + 1) as f64).round()
}

/// Ways to give the first hand so many cards (row) with so many points (column).
type Ways = Vec<[f64; 41]>;

impl Beliefs {
    pub fn count(&self) -> f64 {
        self.allowed(
            &Suit::DOWN.iter().fold(one(), |product, &suit| times(&product, &self.factor(suit))),
            0,
            0,
        )
    }

    /// Of a product, the ways that fill the first hand's places within the points, when `cards` and `points` are
    /// already there.
    fn allowed(&self, ways: &Ways, cards: usize, points: u32) -> f64 {
        let Some(row) = self.places[0].checked_sub(cards).and_then(|places| ways.get(places)) else {
            return 0.0;
        };
        let (low, high) = self.points;
        let column = |p: &(usize, &f64)| (low..=high).contains(&(p.0 as u32 + points));
        row.iter().enumerate().filter(column).map(|(_, n)| n).sum()
    }

    /// One suit's factor of the product.
    fn factor(&self, suit: Suit) -> Ways {
        let cards = self.unseen.of(suit);
        let (low, high) = self.range[suit as usize];
        let mut ways = vec![[0.0; 41]; cards.len() + 1];
        let honours: Vec<Card> = cards.iter().filter(|card| card.rank().points() > 0).collect();
        let small = cards.len() - honours.len();
        for chosen in 0..1usize << honours.len() {
            let points: u32 =
                (0..honours.len()).filter(|i| chosen >> i & 1 == 1).map(|i| honours[i].rank().points()).sum();
            for extra in 0..=small {
                let count = chosen.count_ones() as usize + extra;
                if (low..=high).contains(&count) {
                    ways[count][points as usize] += binomial(small, extra);
                }
            }
        }
        ways
    }

    /// The probability that what `seat` holds in `suit` satisfies `event`.
    pub fn chance(&self, seat: Seat, suit: Suit, event: impl Fn(Cards) -> bool) -> f64 {
        let others = Suit::DOWN.iter().filter(|&&other| other != suit);
        let others = others.fold(one(), |product, &other| times(&product, &self.factor(other)));
        let cards = self.unseen.of(suit);
        let (low, high) = self.range[suit as usize];
        let (mut total, mut good) = (0.0, 0.0);
        let mut held = Cards::NONE;
        loop {
            if (low..=high).contains(&held.len()) {
                let ways = self.allowed(&others, held.len(), held.points());
                total += ways;
                if event(if seat == self.seats[0] { held } else { cards.minus(held) }) {
                    good += ways;
                }
            }
            // The next subset of the suit, in the order of the binary numbers.
            held = Cards::from_bits(held.bits().wrapping_sub(cards.bits()) & cards.bits());
            if held.is_empty() {
                break;
            }
        }
        if total > 0.0 { good / total } else { 0.0 }
    }

    /// The probability of each number of cards of `suit` in `seat`'s hand, from none up.
    pub fn split(&self, seat: Seat, suit: Suit) -> Vec<f64> {
        (0..=self.unseen.count(suit))
            .map(|count| self.chance(seat, suit, |held| held.len() == count))
            .collect()
    }
}

fn one() -> Ways {
    let mut row = [0.0; 41];
    row[0] = 1.0;
    vec![row]
}

fn times(left: &Ways, right: &Ways) -> Ways {
    let mut product = vec![[0.0; 41]; left.len() + right.len() - 1];
    for (i, a) in left.iter().enumerate() {
        for (j, b) in right.iter().enumerate() {
            for (p, x) in a.iter().enumerate().filter(|(_, x)| **x > 0.0) {
                for (q, y) in b.iter().enumerate().take(41 - p).filter(|(_, y)| **y > 0.0) {
                    product[i + j][p + q] += x * y;
                }
            }
        }
    }
    product
}
