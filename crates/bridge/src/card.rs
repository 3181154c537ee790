//! Cards and sets of cards.
//!
//! A set of cards is one 64-bit word: sixteen bits a suit, clubs lowest, and inside a suit bit `r` for the card of
//! rank `r` (2 to 14). Whatever the players ask of a hand is then a few word operations.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// One of the four suits, in rising order of the auction.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Suit {
    Clubs,
    Diamonds,
    Hearts,
    Spades,
}

impl Suit {
    /// Spades first, the order of every diagram.
    pub const DOWN: [Suit; 4] = [Suit::Spades, Suit::Hearts, Suit::Diamonds, Suit::Clubs];

    /// `S`, `H`, `D` or `C`.
    pub fn letter(self) -> char {
        ['C', 'D', 'H', 'S'][self as usize]
    }

    /// The suit's sign: ♠ ♥ ♦ ♣.
    pub fn sign(self) -> char {
        ['♣', '♦', '♥', '♠'][self as usize]
    }

    /// The name in lower case: `spades`.
    pub fn name(self) -> &'static str {
        ["clubs", "diamonds", "hearts", "spades"][self as usize]
    }

    /// The suit of a letter in either case.
    pub fn from_letter(letter: char) -> Option<Suit> {
        Suit::DOWN.into_iter().find(|suit| suit.letter() == letter.to_ascii_uppercase())
    }
}

impl fmt::Display for Suit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.sign())
    }
}

/// The letters of the ranks from two to ace.
pub const RANKS: [char; 13] = ['2', '3', '4', '5', '6', '7', '8', '9', 'T', 'J', 'Q', 'K', 'A'];

/// A rank from 2 to 14 (the ace).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Rank(u8);

impl Rank {
    /// The ten: the lowest card that leads and covers treat as an honour.
    pub const TEN: Rank = Rank(10);
    pub const JACK: Rank = Rank(11);
    pub const QUEEN: Rank = Rank(12);
    pub const KING: Rank = Rank(13);
    pub const ACE: Rank = Rank(14);

    /// From 2 to 14, the ace.
    pub fn number(self) -> u8 {
        self.0
    }

    /// `2` to `9`, `T`, `J`, `Q`, `K`, `A`.
    pub fn letter(self) -> char {
        RANKS[self.0 as usize - 2]
    }

    /// The rank of a letter in either case.
    pub fn from_letter(letter: char) -> Option<Rank> {
        let letter = letter.to_ascii_uppercase();
        let at = RANKS.iter().position(|&known| known == letter)?;
        Some(Rank(at as u8 + 2))
    }

    /// `ace`, `king`, `queen`, `jack`, `ten`, or the figure.
    pub fn name(self) -> &'static str {
        [
            "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king",
            "ace",
        ][self.0 as usize - 2]
    }

    /// High-card points: 4 for the ace down to 1 for the jack.
    pub fn points(self) -> u32 {
        u32::from(self.0.saturating_sub(10))
    }
}

/// One of the 52 cards.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Card(u8);

impl Card {
    /// The card of a suit and a rank.
    pub fn new(suit: Suit, rank: Rank) -> Card {
        Card(16 * suit as u8 + rank.0)
    }

    pub fn suit(self) -> Suit {
        [Suit::Clubs, Suit::Diamonds, Suit::Hearts, Suit::Spades][usize::from(self.0 >> 4)]
    }

    pub fn rank(self) -> Rank {
        Rank(self.0 & 15)
    }

    /// A number from 0 to 63 that names the card.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// The set that holds this card alone.
    pub fn alone(self) -> Cards {
        Cards(1 << self.0)
    }

    /// As a player says it: `the queen of hearts`.
    pub fn words(self) -> String {
        format!("the {} of {}", self.rank().name(), self.suit().name())
    }
}

impl fmt::Debug for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.suit().letter(), self.rank().letter())
    }
}

/// Suit letter and rank letter, as in PBN: `HQ`.
impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

/// Text that is no card.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no card: write suit and rank, such as `HQ` or `D10`")]
pub struct CardError(pub String);

/// Reads `HQ`, `hq`, `QH`, `H10` and `♥Q`.
impl FromStr for Card {
    type Err = CardError;

    fn from_str(text: &str) -> Result<Card, CardError> {
        let wrong = || CardError(text.chars().take(20).collect());
        let plain: String = text.replace("10", "T");
        let plain: Vec<char> = plain
            .chars()
            .map(|c| "♣♦♥♠".chars().position(|s| s == c).map_or(c, |at| ['C', 'D', 'H', 'S'][at]))
            .collect();
        let &[one, two] = plain.as_slice() else { return Err(wrong()) };
        let either = |suit, rank| Some(Card::new(Suit::from_letter(suit)?, Rank::from_letter(rank)?));
        either(one, two).or_else(|| either(two, one)).ok_or_else(wrong)
    }
}

/// In JSON it is the text that a user types.
impl Serialize for Card {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Card {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Card, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

/// A set of cards.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, PartialOrd, Ord)]
pub struct Cards(u64);

const SUIT_BITS: u64 = 0x7ffc;

impl Cards {
    pub const NONE: Cards = Cards(0);
    /// All 52 cards.
    pub const PACK: Cards = Cards(0x7ffc_7ffc_7ffc_7ffc);

    /// The word, sixteen bits a suit.
    pub fn bits(self) -> u64 {
        self.0
    }

    /// The set of a word as [`Cards::bits`] gives it; bits that stand for no card are dropped.
    pub fn from_bits(bits: u64) -> Cards {
        Cards(bits & Cards::PACK.0)
    }

    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether there is none.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether `card` is among them.
    pub fn has(self, card: Card) -> bool {
        self.0 >> card.0 & 1 == 1
    }

    /// With `card` as well.
    #[must_use]
    pub fn with(self, card: Card) -> Cards {
        Cards(self.0 | 1 << card.0)
    }

    /// The set without `card`, whether it was there or not.
    #[must_use]
    pub fn without(self, card: Card) -> Cards {
        Cards(self.0 & !(1 << card.0))
    }

    /// Those of both sets together.
    #[must_use]
    pub fn and(self, other: Cards) -> Cards {
        Cards(self.0 | other.0)
    }

    /// Those in both sets.
    #[must_use]
    pub fn common(self, other: Cards) -> Cards {
        Cards(self.0 & other.0)
    }

    /// Those not in `other`.
    #[must_use]
    pub fn minus(self, other: Cards) -> Cards {
        Cards(self.0 & !other.0)
    }

    /// Those of one suit.
    #[must_use]
    pub fn of(self, suit: Suit) -> Cards {
        Cards(self.0 & SUIT_BITS << (16 * suit as u32))
    }

    /// How many of one suit.
    pub fn count(self, suit: Suit) -> usize {
        self.of(suit).len()
    }

    /// Whether there is none of a suit.
    pub fn is_void(self, suit: Suit) -> bool {
        self.of(suit).is_empty()
    }

    /// Those of `card`'s suit that beat it.
    #[must_use]
    pub fn above(self, card: Card) -> Cards {
        Cards(self.of(card.suit()).0 & !((2u64 << card.0) - 1))
    }

    /// Those of `card`'s suit that it beats.
    #[must_use]
    pub fn below(self, card: Card) -> Cards {
        Cards(self.of(card.suit()).0 & ((1u64 << card.0) - 1))
    }

    /// The lowest card; of several suits, the lowest of the lowest suit.
    pub fn lowest(self) -> Option<Card> {
        (self.0 != 0).then(|| Card(self.0.trailing_zeros() as u8))
    }

    /// The highest card; of several suits, the highest of the highest suit.
    pub fn highest(self) -> Option<Card> {
        (self.0 != 0).then(|| Card(63 - self.0.leading_zeros() as u8))
    }

    /// High-card points: 4 for an ace, 3, 2 and 1 for king, queen and jack.
    pub fn points(self) -> u32 {
        let ranks = |r: u32| (self.0 & (0x0001_0001_0001_0001 << r)).count_ones();
        4 * ranks(14) + 3 * ranks(13) + 2 * ranks(12) + ranks(11)
    }

    /// Jacks and better, or whatever lies from `rank` up.
    #[must_use]
    pub fn from_rank(self, rank: Rank) -> Cards {
        let mask = SUIT_BITS & !((1 << rank.0) - 1);
        Cards(self.0 & (mask | mask << 16 | mask << 32 | mask << 48))
    }

    /// The cards from the lowest to the highest, clubs first.
    pub fn iter(self) -> impl Iterator<Item = Card> {
        let mut left = self;
        std::iter::from_fn(move || {
            let card = left.lowest()?;
            left = left.without(card);
            Some(card)
        })
    }

    /// The `n`-th card from below.
    pub fn nth(self, n: usize) -> Option<Card> {
        self.iter().nth(n)
    }

    /// The cards of `self` that no card of `between` separates from `card`, which is itself in the set: playing one
    /// or another of them makes no difference.
    #[must_use]
    pub fn touching(self, card: Card, between: Cards) -> Cards {
        let walls = between.of(card.suit());
        let ceiling = walls.above(card).lowest();
        let floor = walls.below(card).highest();
        let mut group = self.of(card.suit());
        if let Some(top) = ceiling {
            group = group.below(top);
        }
        if let Some(bottom) = floor {
            group = group.above(bottom);
        }
        group
    }

    /// The ranks of one suit from the top, as in `AQ2`; `-` where there is none.
    pub fn ranks(self, suit: Suit) -> String {
        let text: String = self.of(suit).descending().map(|card| card.rank().letter()).collect();
        if text.is_empty() { "-".into() } else { text }
    }

    /// The cards from the highest to the lowest, spades first.
    pub fn descending(self) -> impl Iterator<Item = Card> {
        let mut left = self;
        std::iter::from_fn(move || {
            let card = left.highest()?;
            left = left.without(card);
            Some(card)
        })
    }

    /// As PBN writes a hand: `AQ2.K53..T98765`.
    pub fn pbn(self) -> String {
        Suit::DOWN.map(|suit| self.ranks(suit).replace('-', "")).join(".")
    }
}

impl FromIterator<Card> for Cards {
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> Cards {
        cards.into_iter().fold(Cards::NONE, Cards::with)
    }
}

impl fmt::Debug for Cards {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.pbn())
    }
}

impl fmt::Display for Cards {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.pbn())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cards(text: &str) -> Cards {
        text.split(' ').map(|card| card.parse::<Card>().expect("a card")).collect()
    }

    #[test]
    fn every_card_reads_back_what_it_prints() {
        assert_eq!(Cards::PACK.len(), 52);
        for card in Cards::PACK.iter() {
            assert_eq!(card.to_string().parse(), Ok(card));
        }
        assert_eq!("♥10".parse::<Card>(), "HT".parse());
        assert!(
            "HX".parse::<Card>().is_err() && "".parse::<Card>().is_err() && "HQQ".parse::<Card>().is_err()
        );
    }

    #[test]
    fn above_and_below_stay_in_the_suit() {
        let hand = cards("SA SQ S2 HK D2");
        let queen = "SQ".parse().expect("a card");
        assert_eq!(hand.above(queen), cards("SA"));
        assert_eq!(hand.below(queen), cards("S2"));
        assert_eq!(hand.points(), 9);
        assert_eq!(hand.from_rank(Rank::QUEEN), cards("SA SQ HK"));
    }

    #[test]
    fn touching_cards_end_at_a_card_between() {
        let hand = cards("SQ SJ S9 S8 H2");
        let jack = "SJ".parse().expect("a card");
        assert_eq!(hand.touching(jack, cards("SK ST")), cards("SQ SJ"));
        assert_eq!(hand.touching(jack, cards("SK S3")), cards("SQ SJ S9 S8"));
    }
}
