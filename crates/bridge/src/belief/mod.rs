//! What a player may believe about the two hidden hands.
//!
//! The cards not seen lie in two hands with known numbers of vacant places. Before any inference every division is
//! equally likely; suits that a player has shown out of, and lengths and points told by the auction, rule divisions
//! out. Probabilities come from counting the divisions that are left ([`Beliefs::chance`]), and layouts are drawn
//! from exactly that distribution ([`Beliefs::draw`]). What the defenders' cards tell beyond that is [`evidence`].

pub mod bidding;
mod counting;
pub mod defence_model;
pub mod evidence;

use rand::{Rng, RngExt};

use crate::card::{Card, Cards, Suit};
use crate::play::{PlayerView, Position};
use crate::seat::Seat;

pub use counting::binomial;

/// What the auction told about one hidden hand; the wide default tells nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HandBounds {
    /// Fewest and most cards by suit (clubs to spades), cards already played included.
    pub length: [(usize, usize); 4],
    /// Fewest and most high-card points, cards already played included.
    pub points: (u32, u32),
}

impl Default for HandBounds {
    fn default() -> HandBounds {
        HandBounds { length: [(0, 13); 4], points: (0, 37) }
    }
}

/// The divisions of the unseen cards between two hands.
#[derive(Clone, Debug)]
pub struct Beliefs {
    /// The two hands in question, in playing order from the declarer or defender who looks.
    seats: [Seat; 2],
    unseen: Cards,
    places: [usize; 2],
    /// By suit, the fewest and most unseen cards the first of the two may hold.
    range: [(usize, usize); 4],
    /// Fewest and most points among the unseen cards that the first may hold.
    points: (u32, u32),
}

impl Beliefs {
    /// What follows from a player's view alone, after the opening lead.
    pub fn new(view: &PlayerView) -> Beliefs {
        Beliefs::within(view, [HandBounds::default(); 4])
    }

    /// What follows from a player's view and the auction, told by seat.
    pub fn within(view: &PlayerView, known: [HandBounds; 4]) -> Beliefs {
        let public = view.public();
        let hidden = |seat: &Seat| *seat != view.seat() && *seat != public.dummy();
        let mut hidden = (1..4).map(|steps| view.seat().after(steps)).filter(hidden);
        let seats =
            [hidden.next().expect("two hands are hidden"), hidden.next().expect("two hands are hidden")];
        let unseen = view.unseen();
        let places = seats.map(|seat| public.held_by(seat));
        debug_assert_eq!(places[0] + places[1], unseen.len(), "the unseen cards fill the vacant places");
        let mut range = [(0, 13); 4];
        for suit in Suit::DOWN {
            let count = unseen.count(suit);
            let bounds = seats.map(|seat| {
                let (low, high) = known[seat as usize].length[suit as usize];
                let played = public.played_by(seat).count(suit);
                let high = if public.has_shown_out(seat, suit) { 0 } else { high.saturating_sub(played) };
                (low.saturating_sub(played), high)
            });
            let low = bounds[0].0.max(count.saturating_sub(bounds[1].1));
            let high = bounds[0].1.min(count.saturating_sub(bounds[1].0));
            range[suit as usize] = (low, high);
        }
        let all = unseen.points();
        let bounds = seats.map(|seat| {
            let (low, high) = known[seat as usize].points;
            let played = public.played_by(seat).points();
            (low.saturating_sub(played), high.saturating_sub(played))
        });
        let points = (
            bounds[0].0.max(all.saturating_sub(bounds[1].1)),
            bounds[0].1.min(all.saturating_sub(bounds[1].0)),
        );
        Beliefs { seats, unseen, places, range, points }
    }

    /// As [`Beliefs::within`], but where nothing agrees with what was told, the cards alone are believed.
    pub fn credible(view: &PlayerView, known: [HandBounds; 4]) -> Beliefs {
        let beliefs = Beliefs::within(view, known);
        if known == [HandBounds::default(); 4] || beliefs.count() > 0.0 {
            beliefs
        } else {
            Beliefs::new(view)
        }
    }

    /// The two hidden hands.
    pub fn seats(&self) -> [Seat; 2] {
        self.seats
    }

    /// The cards that lie in one of them.
    pub fn unseen(&self) -> Cards {
        self.unseen
    }

    /// How many unseen cards `seat` holds.
    pub fn vacant(&self, seat: Seat) -> usize {
        if seat == self.seats[0] { self.places[0] } else { self.places[1] }
    }

    /// A division drawn from the belief: the first hand's cards. `None` when nothing satisfies what was told, or too
    /// little of the space does.
    pub fn draw(&self, rng: &mut impl Rng) -> Option<Cards> {
        let mut forced = Cards::NONE;
        let mut free = Cards::NONE;
        for suit in Suit::DOWN {
            let cards = self.unseen.of(suit);
            let (low, high) = self.range[suit as usize];
            if low >= cards.len() {
                forced = forced.and(cards);
            } else if high > 0 {
                free = free.and(cards);
            }
        }
        let wanted = self.places[0].checked_sub(forced.len())?;
        let mut pool = [0u8; 26];
        let mut size = 0;
        for card in free.iter() {
            pool[size] = card.index() as u8;
            size += 1;
        }
        if wanted > size {
            return None;
        }
        for _ in 0..10_000 {
            let mut bits = 0u64;
            for taken in 0..wanted {
                let at = rng.random_range(taken..size);
                pool.swap(taken, at);
                bits |= 1 << pool[taken];
            }
            let held = Cards::from_bits(bits).and(forced);
            if self.allows(held) {
                return Some(held);
            }
        }
        None
    }

    fn allows(&self, held: Cards) -> bool {
        let points = held.points();
        self.points.0 <= points
            && points <= self.points.1
            && Suit::DOWN.iter().all(|&suit| {
                let (low, high) = self.range[suit as usize];
                (low..=high).contains(&held.count(suit))
            })
    }

    /// All divisions, if there are at most `limit` of them: the first hand's cards of each.
    pub fn all(&self, limit: usize) -> Option<Vec<Cards>> {
        if self.count() > limit as f64 {
            return None;
        }
        let mut found = Vec::new();
        self.extend(self.unseen, Cards::NONE, &mut found);
        Some(found)
    }

    /// Adds `left`'s cards to `held` in every allowed way, suit bounds looked at on the way.
    fn extend(&self, left: Cards, held: Cards, found: &mut Vec<Cards>) {
        let missing = self.places[0] - held.len();
        let Some(card) = left.highest() else {
            if missing == 0 && self.allows(held) {
                found.push(held);
            }
            return;
        };
        let rest = left.without(card);
        let (low, high) = self.range[card.suit() as usize];
        let have = held.count(card.suit());
        if missing > 0 && have < high {
            self.extend(rest, held.with(card), found);
        }
        if rest.len() >= missing && have + rest.count(card.suit()) >= low {
            self.extend(rest, held, found);
        }
    }

    /// The full position in which the first hidden hand holds `held`.
    pub fn imagine(&self, view: &PlayerView, held: Cards) -> Position {
        let public = *view.public();
        let mut hands = [Cards::NONE; 4];
        hands[view.seat() as usize] = view.hand();
        hands[public.dummy() as usize] = public.dummy_hand();
        hands[self.seats[0] as usize] = held;
        hands[self.seats[1] as usize] = self.unseen.minus(held);
        Position::imagined(public, hands)
    }

    /// The probability that `seat` holds `card`.
    pub fn holds(&self, seat: Seat, card: Card) -> f64 {
        self.chance(seat, card.suit(), |held| held.has(card))
    }
}
