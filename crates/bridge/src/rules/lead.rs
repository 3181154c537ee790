//! Opening leads by rule: fourth best, top of a sequence, second from an interior one.
//!
//! The leads are an agreement that both sides know, so declarer may draw conclusions from them.

use crate::card::{Card, Cards, Rank, Suit};

/// The top three ranks of a suit from which the top card is led.
const TOP_OF_SEQUENCE: [&str; 10] = ["AKQ", "AKJ", "KQJ", "KQT", "QJT", "QJ9", "JT9", "JT8", "T98", "T97"];
/// The top three ranks of a suit from which the second card is led.
const INTERIOR: [&str; 6] = ["AQJ", "AJT", "KJT", "KT9", "QT9", "AT9"];

const fn mask(ranks: &str) -> u16 {
    let letters = ranks.as_bytes();
    let (mut at, mut bits) = (0, 0);
    while at < letters.len() {
        bits |= 1
            << match letters[at] {
                b'A' => 14,
                b'K' => 13,
                b'Q' => 12,
                b'J' => 11,
                b'T' => 10,
                digit => digit - b'0',
            };
        at += 1;
    }
    bits
}

const fn masks<const N: usize>(texts: [&str; N]) -> [u16; N] {
    let mut all = [0; N];
    let mut at = 0;
    while at < N {
        all[at] = mask(texts[at]);
        at += 1;
    }
    all
}

static TOPS: [u16; 10] = masks(TOP_OF_SEQUENCE);
static SECONDS: [u16; 6] = masks(INTERIOR);

/// The opening lead from `hand`; trumps are led only from a hand that has nothing else.
pub fn opening_lead(hand: Cards, trump: Option<Suit>) -> Card {
    let side = trump.map_or(hand, |trump| hand.minus(hand.of(trump)));
    let from = if side.is_empty() { hand } else { side };
    let suit = longest(from);
    from_suit(from.of(suit))
}

/// The longest suit; of equals the stronger one, then the higher one.
fn longest(hand: Cards) -> Suit {
    let key = |suit: Suit| (hand.count(suit), hand.of(suit).points(), suit);
    Suit::DOWN.into_iter().max_by_key(|&suit| key(suit)).expect("there are four suits")
}

/// The card to lead from the cards of one suit.
fn from_suit(cards: Cards) -> Card {
    let top = cards.highest().expect("one leads from a suit one has");
    let length = cards.len();
    if length >= 3 {
        let second = cards.without(top).highest().expect("three cards");
        let third = cards.without(top).without(second).highest().expect("three cards");
        let three = 1u16 << top.rank().number() | 1 << second.rank().number() | 1 << third.rank().number();
        if TOPS.contains(&three) {
            return top;
        }
        if SECONDS.contains(&three) {
            return second;
        }
        if length >= 4 {
            return cards.without(top).without(second).without(third).highest().expect("four cards");
        }
        if top.rank() >= Rank::TEN {
            return cards.lowest().expect("three cards");
        }
    }
    top
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::deal::hand_from_pbn;

    #[test]
    fn leads_follow_the_card() {
        let table = [
            ("QT52.KQT85.5.J64", "HK"),
            ("AK942.J94.Q42.T5", "S4"),
            ("AJT2.432.432.432", "SJ"),
            ("432.432.Q43.5432", "C2"),
            ("432.K43.5432.AQ8", "D2"),
            ("65.A32.8765.KJ32", "C2"),
        ];
        for (hand, lead) in table {
            let hand: Cards = hand_from_pbn(hand).expect("a hand").into_iter().collect();
            assert_eq!(opening_lead(hand, None).to_string(), lead, "{hand}");
        }
    }

    #[test]
    fn trumps_are_not_led_without_need() {
        let hand: Cards = hand_from_pbn("AKQ432.54.432.32").expect("a hand").into_iter().collect();
        assert_eq!(opening_lead(hand, Some(Suit::Spades)).to_string(), "D4");
    }
}
