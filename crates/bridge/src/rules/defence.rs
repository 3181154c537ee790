//! Defence by rule: continue the suit led, second hand low, cover honours, third hand high.
//!
//! These are the habits every beginner is taught, written down exactly, so that they can serve as the defence of a
//! match, as the model of the opponents in declarer's tree, and as evidence about their cards.

use crate::card::{Card, Cards, Rank, Suit};
use crate::play::{PublicState, beats};
use crate::rules::lead::opening_lead;
use crate::seat::Seat;

/// The card a defender plays by rule: `hand` is what the player on turn holds.
pub fn defend(public: &PublicState, hand: Cards) -> Card {
    let legal = public.legal(hand);
    if public.lead().is_none() {
        return opening_lead(hand, public.trump());
    }
    let only = legal.lowest().expect("a player on turn has a card");
    if legal.len() == 1 {
        return only;
    }
    let defender = Defender { public, hand, seat: public.turn() };
    match public.trick().suit() {
        None => defender.on_lead(),
        Some(suit) if !hand.is_void(suit) => match public.trick().len() {
            1 => defender.second(legal),
            2 => defender.third(legal),
            _ => defender.fourth(legal),
        },
        Some(_) => defender.void(),
    }
}

struct Defender<'a> {
    public: &'a PublicState,
    hand: Cards,
    seat: Seat,
}

impl Defender<'_> {
    /// The cards that this defender cannot place: partner's and declarer's, or nothing of them if seen.
    fn elsewhere(&self) -> Cards {
        Cards::PACK.minus(self.hand).minus(self.public.played())
    }

    /// Own cards of `suit` that no other hand can beat in the suit.
    fn masters(&self, suit: Suit) -> Cards {
        let own = self.hand.of(suit);
        match self.elsewhere().of(suit).highest() {
            Some(highest) => own.above(highest),
            None => own,
        }
    }

    fn on_lead(&self) -> Card {
        let masters = Suit::DOWN.map(|suit| self.masters(suit));
        let count: usize = masters.iter().map(|cards| cards.len()).sum();
        let best_master = || {
            let longest = Suit::DOWN.into_iter().filter(|&suit| !self.masters(suit).is_empty());
            longest.max_by_key(|&suit| self.hand.count(suit)).and_then(|suit| self.masters(suit).highest())
        };
        if count >= usize::from(self.public.to_set()).max(1)
            && let Some(card) = best_master()
        {
            return card;
        }
        if let Some(card) = self.continue_the_lead() {
            return card;
        }
        if let Some(card) = best_master() {
            return card;
        }
        self.through_weakness()
    }

    /// Up to the ninth trick the suit of the opening lead is continued.
    fn continue_the_lead(&self) -> Option<Card> {
        let suit = self.public.lead()?.suit();
        let own = self.hand.of(suit);
        if self.public.tricks_played() >= 9 || own.is_empty() {
            return None;
        }
        if let Some(master) = self.masters(suit).highest() {
            return Some(master);
        }
        if self.seat == self.public.declarer().next() {
            return Some(top_of_honours_or_lowest(own));
        }
        if own.len() <= 2 { own.highest() } else { own.lowest() }
    }

    /// Otherwise the suit in which dummy has fewest honours.
    fn through_weakness(&self) -> Card {
        let honours = |suit| self.public.dummy_hand().of(suit).from_rank(Rank::JACK).len();
        let held = Suit::DOWN.into_iter().filter(|&suit| !self.hand.is_void(suit));
        let suit = held.min_by_key(|&suit| (honours(suit), 13 - self.hand.count(suit)));
        top_of_honours_or_lowest(self.hand.of(suit.expect("a player on turn has a card")))
    }

    fn second(&self, legal: Cards) -> Card {
        let led = self.public.trick().cards().next().expect("the trick has a lead");
        let low = legal.lowest().expect("a legal card");
        if (Rank::TEN..=Rank::KING).contains(&led.rank()) {
            let leader_is_dummy = self.public.trick().leader() == self.public.dummy();
            let next_to_led = |card: Card| card.rank().number().abs_diff(led.rank().number()) == 1;
            let touching = leader_is_dummy && self.public.dummy_hand().of(led.suit()).iter().any(next_to_led);
            if !touching && let Some(cover) = legal.above(led).from_rank(Rank::JACK).lowest() {
                return cover;
            }
        }
        if self.public.to_set() == 1
            && let Some(master) = self.masters(led.suit()).lowest()
        {
            return master;
        }
        low
    }

    fn third(&self, legal: Cards) -> Card {
        let trump = self.public.trump();
        let (winner, best) = self.public.trick().best(trump).expect("two cards lie");
        let low = legal.lowest().expect("a legal card");
        let dummy_is_last = self.seat.next() == self.public.dummy();
        let dummy = self.public.dummy_hand();
        let suit = low.suit();
        if winner.is_with(self.seat) {
            let dummy_cannot = dummy_is_last && !dummy.is_void(suit) && dummy.above(best).is_empty();
            let unseen = self.elsewhere().minus(dummy).above(best);
            let visible = unseen.is_empty() && (!dummy_is_last || dummy.above(best).is_empty());
            if dummy_cannot || visible || best.rank() >= Rank::QUEEN || best.suit() != suit {
                return low;
            }
        }
        if best.suit() != suit {
            return low;
        }
        let beating = legal.above(best);
        if dummy_is_last {
            let over_dummy = dummy.of(suit).highest().map_or(beating, |top| beating.above(top));
            return over_dummy.lowest().unwrap_or(low);
        }
        match beating.highest() {
            Some(top) => beating.touching(top, self.elsewhere()).lowest().expect("the top touches itself"),
            None => low,
        }
    }

    fn fourth(&self, legal: Cards) -> Card {
        let (winner, best) = self.public.trick().best(self.public.trump()).expect("three cards lie");
        let low = legal.lowest().expect("a legal card");
        if winner.is_with(self.seat) || best.suit() != low.suit() {
            return low;
        }
        legal.above(best).lowest().unwrap_or(low)
    }

    /// Void in the suit led: ruff what the other side is winning, or discard.
    fn void(&self) -> Card {
        if let Some(trump) = self.public.trump() {
            let (winner, best) = self.public.trick().best(Some(trump)).expect("the trick has a lead");
            let ruffs: Cards =
                self.hand.of(trump).iter().filter(|&card| beats(card, best, Some(trump))).collect();
            let partner_holds = winner.is_with(self.seat) && best.rank() >= Rank::QUEEN;
            if !partner_holds && let Some(ruff) = ruffs.lowest() {
                return ruff;
            }
        }
        self.discard()
    }

    /// Keep masters, the suit led at first, guarded honours and trumps; otherwise lowest of the longest suit.
    fn discard(&self) -> Card {
        let trump = self.public.trump();
        let led = self.public.lead().map(Card::suit);
        let mut free = Cards::NONE;
        for suit in Suit::DOWN {
            let own = self.hand.of(suit);
            if Some(suit) == trump || Some(suit) == led {
                continue;
            }
            let guards = match own.highest().map(Card::rank) {
                Some(Rank::KING) | Some(Rank::QUEEN) => 2,
                Some(Rank::JACK) => 3,
                _ => 0,
            };
            if own.len() > guards {
                free = free.and(own.minus(self.masters(suit)));
            }
        }
        let off_trump = trump.map_or(self.hand, |trump| self.hand.minus(self.hand.of(trump)));
        let any = if off_trump.is_empty() { self.hand } else { off_trump };
        let from = if free.is_empty() { any } else { free };
        let suit = Suit::DOWN
            .into_iter()
            .max_by_key(|&suit| if from.is_void(suit) { 0 } else { self.hand.count(suit) });
        from.of(suit.expect("there are four suits"))
            .lowest()
            .or(any.lowest())
            .expect("a player on turn has a card")
    }
}

/// The top of touching honours down to the nine, else the lowest.
fn top_of_honours_or_lowest(cards: Cards) -> Card {
    let top = cards.highest().expect("one leads from a suit one has");
    let second = cards.without(top).highest();
    match second {
        Some(second) if second.rank().number() >= 9 && top.rank().number() - second.rank().number() == 1 => {
            top
        }
        _ => cards.lowest().expect("a card"),
    }
}
