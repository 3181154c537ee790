//! What a program is told that plays one side of a board.

use ::bridge::card::Card;
use ::bridge::diagram::diagram;
use ::bridge::play::PlayerView;
use ::bridge::seat::Seat;
use serde::Serialize;

use super::boards::ReadyBoard;

/// A card that was played. Part of the lines of `counterplay bridge play --lines`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CardPlayed {
    /// The name of the seat that it was played from.
    pub seat: String,
    /// Suit and rank, such as `HQ`.
    pub card: String,
    /// The reason; it tells of the hand, so a page shows it only on request.
    pub why: String,
}

impl CardPlayed {
    /// A card from a seat, with its reason.
    pub fn new(seat: Seat, card: Card, why: String) -> CardPlayed {
        CardPlayed { seat: seat.to_string(), card: card.to_string(), why }
    }
}

/// A card is wanted. Its JSON form is a line of `counterplay bridge play --lines`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CardPrompt {
    /// Always true: it tells this line from the last one.
    pub waiting: bool,
    /// The name of the seat whose card is wanted.
    pub seat: String,
    /// The cards that may be played, highest first.
    pub legal: Vec<String>,
    /// The cards of the present trick.
    pub trick: Vec<String>,
    /// The hands that the player sees, as a diagram.
    pub table: String,
    /// Tricks of declarer and of the defence.
    pub tricks: [u8; 2],
    /// The cards since the last prompt.
    pub news: Vec<CardPlayed>,
}

impl CardPrompt {
    /// What a player who sees this is asked.
    pub fn new(view: &PlayerView, news: Vec<CardPlayed>) -> CardPrompt {
        let public = view.public();
        CardPrompt {
            waiting: true,
            seat: public.turn().to_string(),
            legal: view.legal().descending().map(|card| card.to_string()).collect(),
            trick: public.trick().cards().map(|card| card.to_string()).collect(),
            table: visible_hands(view),
            tricks: [public.declarer_tricks(), public.defence_tricks()],
            news,
        }
    }
}

/// The end of a board. Its JSON form is the last line of `counterplay bridge play --lines`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SessionEnd {
    /// The result in words.
    pub end: String,
    /// All four hands, as a diagram.
    pub table: String,
    /// The cards since the last prompt.
    pub news: Vec<CardPlayed>,
}

impl SessionEnd {
    /// The end of a board with so many tricks for declarer.
    pub fn new(board: &ReadyBoard, tricks: u8, news: Vec<CardPlayed>) -> SessionEnd {
        SessionEnd {
            end: board.contract.result(tricks, board.is_vulnerable()),
            table: diagram(board.deal.hands().map(Some), true),
            news,
        }
    }
}

/// The hands that a player sees, as a diagram: the own one, and dummy's if it lies open.
pub fn visible_hands(view: &PlayerView) -> String {
    let public = view.public();
    let mut hands = [None; 4];
    hands[view.seat() as usize] = Some(view.hand());
    if public.lead().is_some() {
        hands[public.dummy() as usize] = Some(public.dummy_hand());
    }
    diagram(hands, true)
}
