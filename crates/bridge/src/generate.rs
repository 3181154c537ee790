//! Random deals by seed, free or under conditions.

use rand::{Rng, RngExt};
use serde::{Deserialize, Serialize};

use crate::card::{Card, Cards, Suit};
use crate::contract::{Contract, Strain};
use crate::deal::Deal;
use crate::seat::Seat;

/// A deal drawn uniformly.
pub fn random_deal(rng: &mut impl Rng) -> Deal {
    let mut pack: [Option<Card>; 52] = [None; 52];
    for (slot, card) in pack.iter_mut().zip(Cards::PACK.iter()) {
        *slot = Some(card);
    }
    let mut hands = [Cards::NONE; 4];
    for left in (1..=52usize).rev() {
        let at = rng.random_range(0..left);
        pack.swap(at, left - 1);
        let card = pack[left - 1].expect("every slot holds a card");
        let seat = (left - 1) / 13;
        hands[seat] = hands[seat].with(card);
    }
    Deal::sound(hands)
}

/// Kinds of random deals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum DealKind {
    /// Three notrump by south on 24 to 27 points, no eight-card major
    #[default]
    Notrump,
    /// Four hearts by south on 23 to 27 points and eight or nine hearts
    Hearts,
    /// Four spades by south on 23 to 27 points and eight or nine spades
    Spades,
}

impl DealKind {
    /// The conditions and the contract.
    pub fn wanted(self) -> (DealConstraints, Contract) {
        let (level, strain) = match self {
            DealKind::Notrump => (3, Strain::Notrump),
            DealKind::Hearts => (4, Strain::Trump(Suit::Hearts)),
            DealKind::Spades => (4, Strain::Trump(Suit::Spades)),
        };
        let wanted = match strain {
            Strain::Notrump => DealConstraints::notrump(Seat::South),
            Strain::Trump(major) => DealConstraints::major(Seat::South, major),
        };
        (wanted, Contract::new(level, strain, Seat::South).expect("levels three and four exist"))
    }
}

/// Conditions on the two hands of declarer's side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DealConstraints {
    pub declarer: Seat,
    /// High-card points of both hands together, from and to.
    pub points: (u32, u32),
    /// For each suit (clubs to spades) the fewest and most cards of both hands together.
    pub fit: [(usize, usize); 4],
    /// The longest suit allowed in either hand.
    pub longest: usize,
    /// The shortest suit allowed in either hand.
    pub shortest: usize,
}

impl DealConstraints {
    /// Deals for three notrump: 24 to 27 points, no eight-card major, no void, no suit longer than six.
    pub fn notrump(declarer: Seat) -> DealConstraints {
        DealConstraints {
            declarer,
            points: (24, 27),
            fit: [(0, 26), (0, 26), (0, 7), (0, 7)],
            longest: 6,
            shortest: 1,
        }
    }

    /// Deals for four of a major: 23 to 27 points and eight or nine cards of `major`.
    pub fn major(declarer: Seat, major: Suit) -> DealConstraints {
        let mut fit = [(0, 26); 4];
        fit[major as usize] = (8, 9);
        DealConstraints { declarer, points: (23, 27), fit, longest: 13, shortest: 0 }
    }

    /// Whether a deal is of this kind.
    pub fn fits(&self, deal: &Deal) -> bool {
        let hands = [deal.hand(self.declarer), deal.hand(self.declarer.partner())];
        let both = hands[0].and(hands[1]);
        let within = |value, (low, high)| low <= value && value <= high;
        let shape = |hand: &Cards| {
            Suit::DOWN.iter().all(|&suit| within(hand.count(suit), (self.shortest, self.longest)))
        };
        let (low, high) = self.points;
        (low..=high).contains(&both.points())
            && Suit::DOWN.iter().all(|&suit| within(both.count(suit), self.fit[suit as usize]))
            && hands.iter().all(shape)
    }

    /// A deal of this kind, drawn uniformly among them; `None` if a million tries found none.
    pub fn draw(&self, rng: &mut impl Rng) -> Option<Deal> {
        (0..1_000_000).map(|_| random_deal(rng)).find(|deal| self.fits(deal))
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand_pcg::Pcg64Mcg;

    use super::*;

    #[test]
    fn deals_are_of_the_kind_asked_for() {
        let mut rng = Pcg64Mcg::seed_from_u64(1);
        let wanted = DealConstraints::notrump(Seat::South);
        for _ in 0..50 {
            let deal = wanted.draw(&mut rng).expect("such deals are common");
            let both = deal.hand(Seat::South).and(deal.hand(Seat::North));
            assert!((24..=27).contains(&both.points()) && both.count(Suit::Spades) < 8);
        }
        let major = DealConstraints::major(Seat::North, Suit::Hearts).draw(&mut rng).expect("common");
        assert!((8..=9).contains(&major.hand(Seat::North).and(major.hand(Seat::South)).count(Suit::Hearts)));
    }

    /// A fair shuffle gives every seat every card equally often: 13 degrees of freedom stay within four sigma.
    #[test]
    fn the_shuffle_is_fair() {
        let mut rng = Pcg64Mcg::seed_from_u64(7);
        let ace = Cards::PACK.highest().expect("the ace of spades");
        let mut count = [0i32; 4];
        for _ in 0..4000 {
            let deal = random_deal(&mut rng);
            for seat in Seat::ALL {
                count[seat as usize] += i32::from(deal.hand(seat).has(ace));
            }
        }
        assert!(count.iter().all(|&n| (n - 1000).abs() < 110), "{count:?}");
    }
}
