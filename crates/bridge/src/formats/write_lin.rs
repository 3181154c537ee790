//! LIN export, as Bridge Base Online reads it: one line a board.

use std::fmt::Write;

use crate::auction::{Auction, Call};
use crate::card::{Cards, Suit};
use crate::contract::{Contract, Risk, Strain};
use crate::formats::Board;
use crate::seat::Seat;

/// The order of hands and of dealers' numbers, from 1.
const ORDER: [Seat; 4] = [Seat::South, Seat::West, Seat::North, Seat::East];

/// One board. LIN tells the contract by the auction only: where the auction is not known, the contract is bid at once, and a
/// note on the bid says so.
pub fn board_to_lin(board: &Board) -> String {
    let known = board.auction.clone();
    let auction = known.clone().or_else(|| board.contract.and_then(bid_at_once));
    let dealer = auction.as_ref().map(Auction::dealer).or(board.dealer).unwrap_or(Seat::South);
    let number = 1 + ORDER.iter().position(|&seat| seat == dealer).unwrap_or(0);
    let mut text = String::new();
    let players =
        board.tags.iter().find(|(name, _)| name == "Players").map_or("South,West,North,East", |it| &it.1);
    let _ = write!(
        text,
        "qx|o{}|pn|{}|st||md|{number}{}|rh||ah|Board {}|",
        clean(&board.name),
        clean(players),
        hands(board),
        clean(&board.name)
    );
    let letter = match (board.vulnerability.north_south, board.vulnerability.east_west) {
        (false, false) => 'o',
        (true, false) => 'n',
        (false, true) => 'e',
        (true, true) => 'b',
    };
    let _ = write!(text, "sv|{letter}|");
    for call in auction.iter().flat_map(|auction| auction.calls()) {
        let _ = write!(text, "mb|{}|", call_text(*call));
        if known.is_none() && matches!(call, Call::Bid(..)) {
            text.push_str("an|the auction is not known|");
        }
    }
    for trick in board.play.chunks(4) {
        text.push_str("pg||");
        trick.iter().for_each(|card| {
            let _ = write!(text, "pc|{card}|");
        });
    }
    if let Some(result) = board.result.filter(|_| board.play.len() < 52) {
        let _ = write!(text, "mc|{result}|");
    }
    text.push_str("pg||\n");
    text
}

/// A file of boards.
pub fn file_to_lin(boards: &[Board]) -> String {
    boards.iter().map(board_to_lin).collect()
}

/// Text without the sign that ends a field.
fn clean(text: &str) -> String {
    text.replace(['|', '\n', '\r'], " ")
}

fn hands(board: &Board) -> String {
    let hand = |seat: Seat| {
        let cards = board.layout.hands[seat as usize].as_ref()?;
        let cards: Cards = cards.iter().copied().collect();
        let suit = |suit: Suit| {
            let ranks: String = cards.of(suit).iter().map(|card| card.rank().letter()).collect();
            format!("{}{ranks}", suit.letter())
        };
        Some(Suit::DOWN.map(suit).concat())
    };
    ORDER.map(|seat| hand(seat).unwrap_or_default()).join(",")
}

/// The declarer deals and bids the contract; the others pass or double.
fn bid_at_once(contract: Contract) -> Option<Auction> {
    let mut auction = Auction::new(contract.declarer);
    let doubles = match contract.risk {
        Risk::Plain => &[][..],
        Risk::Doubled => &[Call::Double],
        Risk::Redoubled => &[Call::Double, Call::Redouble],
    };
    let calls =
        std::iter::once(Call::Bid(contract.target() - 6, contract.strain)).chain(doubles.iter().copied());
    calls.chain([Call::Pass; 3]).try_for_each(|call| auction.call(call)).ok()?;
    Some(auction)
}

fn call_text(call: Call) -> String {
    match call {
        Call::Pass => "p".to_owned(),
        Call::Double => "d".to_owned(),
        Call::Redouble => "r".to_owned(),
        Call::Bid(level, Strain::Notrump) => format!("{level}N"),
        Call::Bid(level, strain) => format!("{level}{strain}"),
    }
}
