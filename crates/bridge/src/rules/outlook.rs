//! What declarer's two hands promise, suit by suit.
//!
//! An [`Outlook`] compares the 26 cards of declarer and dummy with the cards still out: how many tricks are there
//! now, how many more could be set up, and for how many losers. It knows nothing about who holds what is out.

use crate::card::{Card, Cards, Suit};
use crate::play::{PlayerView, PublicState};
use crate::seat::Seat;

/// Declarer's side at the moment one of its hands is to play.
#[derive(Clone, Copy, Debug)]
pub struct Ours<'a> {
    /// What all four players know.
    pub public: &'a PublicState,
    /// The hand on turn.
    pub here: Cards,
    /// The hand opposite it.
    pub there: Cards,
    /// The cards the defenders hold between them.
    pub out: Cards,
}

impl<'a> Ours<'a> {
    /// The side's cards as declarer sees them: `hand` is declarer's own.
    pub fn new(public: &'a PublicState, hand: Cards) -> Ours<'a> {
        let dummy = public.dummy_hand();
        let out = Cards::PACK.minus(hand).minus(dummy).minus(public.played());
        let (here, there) = if public.turn() == public.dummy() { (dummy, hand) } else { (hand, dummy) };
        Ours { public, here, there, out }
    }

    /// The same from a player's view.
    pub fn from_sight(view: &'a PlayerView) -> Ours<'a> {
        Ours::new(view.public(), view.hand())
    }

    /// The cards of both hands.
    pub fn both(&self) -> Cards {
        self.here.and(self.there)
    }

    /// Cards of `hand` in `suit` that no card out beats.
    pub fn winners(&self, hand: Cards, suit: Suit) -> Cards {
        let own = hand.of(suit);
        match self.out.of(suit).highest() {
            Some(highest) => own.above(highest),
            None => own,
        }
    }

    /// How many cards out beat `card`.
    pub fn beaten_by(&self, card: Card) -> usize {
        self.out.above(card).len()
    }

    /// Whether the defenders may still ruff.
    pub fn trumps_out(&self) -> usize {
        self.public.trump().map_or(0, |trump| self.out.count(trump))
    }

    /// The opponent who plays after `seat`, and the one before.
    pub fn opponents(&self) -> [Seat; 2] {
        [self.public.declarer().next(), self.public.declarer().after(3)]
    }

    /// The most cards of `suit` that one opponent can be expected to hold.
    pub fn likely_longest(&self, suit: Suit) -> usize {
        let count = self.out.count(suit);
        let [left, right] = self.opponents();
        if self.public.has_shown_out(left, suit) || self.public.has_shown_out(right, suit) {
            return count;
        }
        match count {
            0..=2 => count.min(1),
            _ => count / 2 + 1,
        }
    }

    /// How many tricks `suit` gives, for sure and perhaps.
    pub fn outlook(&self, suit: Suit) -> Outlook {
        let (here, there) = (self.here.of(suit), self.there.of(suit));
        let length = here.len().max(there.len());
        let out = self.out.of(suit);
        let both = here.and(there);
        let mut out_left = out;
        let mut ours_left = both;
        let longest = self.likely_longest(suit);
        let tops = self.winners(both, suit).len().min(length);
        let certain_longest = out.len();
        let mut outlook = Outlook { suit, length, sure: tops, promised: 0, losers: 0, finesse: false };
        if tops >= certain_longest {
            outlook.sure = length;
        }
        for round in 0..length {
            if round >= longest {
                outlook.promised += length - round;
                break;
            }
            let (Some(mine), theirs) = (ours_left.highest(), out_left.highest()) else { break };
            match theirs {
                Some(theirs) if theirs > mine => {
                    outlook.losers += 1;
                    out_left = out_left.without(theirs);
                    ours_left = ours_left.without(ours_left.lowest().expect("a card"));
                }
                _ => {
                    outlook.promised += 1;
                    ours_left = ours_left.without(mine);
                }
            }
        }
        outlook.finesse = self.tenace(here, there).is_some() || self.tenace(there, here).is_some();
        outlook
    }

    /// The card of `hand` to finesse with when led to from `opposite`: exactly one card out beats it, and a low card
    /// can be led.
    pub fn tenace(&self, hand: Cards, opposite: Cards) -> Option<Card> {
        opposite.lowest()?;
        let mut best = None;
        for card in hand.descending() {
            match self.beaten_by(card) {
                0 => continue,
                1 => {
                    best = Some(card);
                    if !self.out.below(card).is_empty() {
                        continue;
                    }
                }
                _ => break,
            }
        }
        best
    }

    /// Tricks that can be cashed now, blockages left aside.
    pub fn sure(&self) -> usize {
        Suit::DOWN.into_iter().map(|suit| self.outlook(suit).sure).sum()
    }
}

/// What one suit promises.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outlook {
    pub suit: Suit,
    /// The longer of the two holdings.
    pub length: usize,
    /// Tricks that need no loser and no luck.
    pub sure: usize,
    /// Tricks once the suit is set up, if it breaks as suits usually do.
    pub promised: usize,
    /// Tricks lost on the way there.
    pub losers: usize,
    /// Whether a finesse may save one of them.
    pub finesse: bool,
}

impl Outlook {
    /// Extra tricks that work on the suit may bring.
    pub fn gain(&self) -> f64 {
        self.promised.saturating_sub(self.sure) as f64 + if self.finesse { 0.5 } else { 0.0 }
    }
}
