//! Deals: any layout of cards, and the sound ones.
//!
//! [`Layout`] is what a file or a person may write; [`Deal`] is 52 different cards, thirteen to each player. The door
//! between them, [`Deal::new`], reports everything that is wrong at once.

use std::fmt;
use std::str::FromStr;

use crate::card::{Card, Cards, Rank, Suit};
use crate::seat::Seat;

/// Cards as written, four lists with whatever mistakes they have. A hand may be unknown.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Layout {
    /// By seat; `None` where the hand is not known.
    pub hands: [Option<Vec<Card>>; 4],
}

/// Thirteen different cards for each of the four players.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Deal {
    hands: [Cards; 4],
}

/// One thing that is wrong with a layout.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DealError {
    /// A hand is not given.
    #[error("the hand of {0} is not known")]
    Unknown(Seat),
    /// Too many or too few cards.
    #[error("{seat} has {found} cards instead of 13")]
    Count {
        seat: Seat,
        /// How many there are.
        found: usize,
    },
    /// One card in two places.
    #[error("{} is dealt twice: to {first} and to {second}", card.words())]
    Twice {
        card: Card,
        /// Who has it first.
        first: Seat,
        /// Who has it again.
        second: Seat,
    },
    /// A card that is in no hand.
    #[error("no hand has {}", .0.words())]
    Missing(Card),
}

impl Deal {
    /// The only way in.
    ///
    /// # Errors
    /// Every reason why the layout is no deal.
    pub fn new(layout: &Layout) -> Result<Deal, Vec<DealError>> {
        let mut wrong = Vec::new();
        let mut owner: [Option<Seat>; 64] = [None; 64];
        let mut hands = [Cards::NONE; 4];
        for seat in Seat::ALL {
            let Some(cards) = &layout.hands[seat as usize] else {
                wrong.push(DealError::Unknown(seat));
                continue;
            };
            for &card in cards {
                match owner[card.index()] {
                    Some(first) => wrong.push(DealError::Twice { card, first, second: seat }),
                    None => owner[card.index()] = Some(seat),
                }
                hands[seat as usize] = hands[seat as usize].with(card);
            }
            if cards.len() != 13 {
                wrong.push(DealError::Count { seat, found: cards.len() });
            }
        }
        if layout.hands.iter().all(Option::is_some) {
            wrong.extend(
                Cards::PACK.iter().filter(|card| owner[card.index()].is_none()).map(DealError::Missing),
            );
        }
        if wrong.is_empty() { Ok(Deal { hands }) } else { Err(wrong) }
    }

    /// The deal of four hands that are known to part the pack.
    pub(crate) fn sound(hands: [Cards; 4]) -> Deal {
        debug_assert!(hands.iter().all(|hand| hand.len() == 13), "thirteen cards each");
        debug_assert_eq!(hands.iter().fold(Cards::NONE, |all, &hand| all.and(hand)), Cards::PACK);
        Deal { hands }
    }

    /// A player's thirteen cards.
    pub fn hand(&self, seat: Seat) -> Cards {
        self.hands[seat as usize]
    }

    /// The four hands by seat.
    pub fn hands(&self) -> [Cards; 4] {
        self.hands
    }

    /// As PBN writes it, from north: `N:… … … …`.
    pub fn pbn(&self) -> String {
        format!("N:{}", self.hands.map(Cards::pbn).join(" "))
    }
}

impl From<&Deal> for Layout {
    fn from(deal: &Deal) -> Layout {
        Layout { hands: Seat::ALL.map(|seat| Some(deal.hand(seat).iter().collect())) }
    }
}

impl Layout {
    /// The hands as sets, by seat; `None` for a hand that is not known.
    pub fn known_hands(&self) -> [Option<Cards>; 4] {
        self.hands.each_ref().map(|hand| hand.as_ref().map(|cards| cards.iter().copied().collect()))
    }
}

impl fmt::Display for Deal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.pbn())
    }
}

/// A deal string that cannot be read at all.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LayoutError {
    /// It does not start with a seat and a colon.
    #[error("a deal starts with the seat of its first hand, as in `N:`")]
    Start,
    /// There are not four hands.
    #[error("a deal has four hands, found {0}")]
    Hands(usize),
    /// A hand does not have four suits.
    #[error("the hand `{hand}` has {found} suits instead of 4, parted by full stops")]
    Suits {
        /// The hand as written.
        hand: String,
        /// How many suits it has.
        found: usize,
    },
    /// A letter that is no rank.
    #[error("`{letter}` in the hand `{hand}` is no rank (A K Q J T 9 … 2)")]
    Rank {
        letter: char,
        /// The hand as written.
        hand: String,
    },
}

/// Reads one hand in PBN: `AQ2.K53..T98765`.
pub fn hand_from_pbn(text: &str) -> Result<Vec<Card>, LayoutError> {
    let shown = || text.chars().take(40).collect::<String>();
    let suits: Vec<&str> = text.split('.').collect();
    if suits.len() != 4 {
        return Err(LayoutError::Suits { hand: shown(), found: suits.len() });
    }
    let mut cards = Vec::new();
    for (suit, ranks) in Suit::DOWN.into_iter().zip(suits) {
        for letter in ranks.replace("10", "T").chars().filter(|&c| c != '-') {
            let rank =
                Rank::from_letter(letter).ok_or_else(|| LayoutError::Rank { letter, hand: shown() })?;
            cards.push(Card::new(suit, rank));
        }
    }
    Ok(cards)
}

/// Reads PBN's `N:… … … …`; `-` is a hand not known.
impl FromStr for Layout {
    type Err = LayoutError;

    fn from_str(text: &str) -> Result<Layout, LayoutError> {
        let (seat, hands) = text.trim().split_once(':').ok_or(LayoutError::Start)?;
        let mut letters = seat.trim().chars();
        let first = letters.next().and_then(Seat::from_letter).filter(|_| letters.next().is_none());
        let first = first.ok_or(LayoutError::Start)?;
        let hands: Vec<&str> = hands.split_whitespace().collect();
        if hands.len() != 4 {
            return Err(LayoutError::Hands(hands.len()));
        }
        let mut layout = Layout::default();
        for (steps, hand) in hands.into_iter().enumerate() {
            if hand != "-" {
                layout.hands[first.after(steps) as usize] = Some(hand_from_pbn(hand)?);
            }
        }
        Ok(layout)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = "N:J643.6.QJT42.AQ8 A7.9432.K73.T952 K98.AJ7.A986.K73 QT52.KQT85.5.J64";

    #[test]
    fn a_deal_prints_what_it_read() {
        let deal = Deal::new(&GOOD.parse().expect("a layout")).expect("a deal");
        assert_eq!(deal.pbn(), GOOD);
        assert_eq!(deal.hand(Seat::West).points(), 8);
    }

    #[test]
    fn every_mistake_is_named() {
        let text = GOOD.replace("AQ8", "AQ7").replace("K73.T952", "-.T952");
        let wrong = Deal::new(&text.parse().expect("a layout")).expect_err("not a deal");
        let said: Vec<String> = wrong.iter().map(ToString::to_string).collect();
        assert_eq!(
            said,
            [
                "East has 10 cards instead of 13",
                "the seven of clubs is dealt twice: to North and to South",
                "no hand has the eight of clubs",
                "no hand has the three of diamonds",
                "no hand has the seven of diamonds",
                "no hand has the king of diamonds"
            ]
        );
    }

    #[test]
    fn a_hand_may_be_unknown_but_is_then_no_deal() {
        let layout: Layout = "S:- - AKQJT98765432... .AKQJT98765432..".parse().expect("a layout");
        let wrong = Deal::new(&layout).expect_err("two hands are not known");
        assert_eq!(wrong, [DealError::Unknown(Seat::South), DealError::Unknown(Seat::West)]);
        assert!("N:a b".parse::<Layout>().is_err() && "Q:- - - -".parse::<Layout>().is_err());
        assert!("N:AX... - - -".parse::<Layout>().is_err() && "".parse::<Layout>().is_err());
    }
}
