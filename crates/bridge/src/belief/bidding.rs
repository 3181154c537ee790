//! What the auction tells about the hands, if all players bid naturally.
//!
//! Five-card majors, notrump openings of 15 to 17 and 20 to 21 points, weak twos and preempts, sound overcalls and
//! take-out doubles. Only each player's first call counts, and the bounds are wide: they are what nearly every natural
//! system agrees on, since a bound that is too narrow rules the truth out.

use crate::auction::{Auction, Call};
use crate::belief::HandBounds;
use crate::card::Suit;
use crate::contract::Strain;
use crate::seat::Seat;

/// What the first call of each player tells, by seat.
pub fn natural(auction: &Auction) -> [HandBounds; 4] {
    let mut bounds = [HandBounds::default(); 4];
    let mut heard = [false; 4];
    let mut opening: Option<(Seat, Call)> = None;
    for (at, &call) in auction.calls().iter().enumerate() {
        let seat = auction.dealer().after(at);
        if !std::mem::replace(&mut heard[seat as usize], true) {
            bounds[seat as usize] = match opening {
                None => opened(call),
                Some((by, opened)) if !by.is_with(seat) => after_their_opening(call, opened),
                Some(_) => HandBounds::default(),
            };
        }
        if opening.is_none() && matches!(call, Call::Bid(..)) {
            opening = Some((seat, call));
        }
    }
    bounds
}

fn points(from: u32, to: u32) -> HandBounds {
    HandBounds { points: (from, to), ..HandBounds::default() }
}

fn with_suit(mut bounds: HandBounds, suit: Suit, from: usize, to: usize) -> HandBounds {
    bounds.length[suit as usize] = (from, to);
    bounds
}

fn balanced(bounds: HandBounds) -> HandBounds {
    Suit::DOWN.into_iter().fold(bounds, |bounds, suit| with_suit(bounds, suit, 2, 6))
}

/// The first call before the opening bid.
fn opened(call: Call) -> HandBounds {
    match call {
        Call::Bid(1, Strain::Notrump) => balanced(points(14, 18)),
        Call::Bid(2, Strain::Notrump) => balanced(points(19, 22)),
        Call::Bid(1, Strain::Trump(suit @ (Suit::Clubs | Suit::Diamonds))) => {
            with_suit(points(10, 22), suit, 3, 13)
        }
        Call::Bid(1, Strain::Trump(suit)) => with_suit(points(10, 22), suit, 5, 13),
        Call::Bid(2, Strain::Trump(Suit::Clubs)) => points(18, 37),
        Call::Bid(2, Strain::Trump(suit)) => with_suit(points(4, 12), suit, 5, 7),
        Call::Bid(3.., Strain::Trump(suit)) => with_suit(points(3, 13), suit, 6, 13),
        Call::Pass => points(0, 12),
        _ => HandBounds::default(),
    }
}

/// The first call after the other side opened.
fn after_their_opening(call: Call, opening: Call) -> HandBounds {
    match (call, opening) {
        (Call::Bid(1, Strain::Notrump), _) => balanced(points(14, 19)),
        // A bid of the suit they opened shows something else.
        (Call::Bid(_, strain), Call::Bid(_, theirs)) if strain == theirs => HandBounds::default(),
        (Call::Bid(1..=2, Strain::Trump(suit)), Call::Bid(1, _)) => with_suit(points(5, 19), suit, 5, 13),
        (Call::Bid(_, Strain::Trump(suit)), _) => with_suit(points(3, 20), suit, 5, 13),
        (Call::Double, Call::Bid(1, Strain::Trump(suit))) => with_suit(points(10, 37), suit, 0, 4),
        (Call::Pass, Call::Bid(1, Strain::Trump(_))) => points(0, 17),
        _ => HandBounds::default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bounds_of(dealer: Seat, calls: &str) -> [HandBounds; 4] {
        let mut auction = Auction::new(dealer);
        for call in calls.split(' ') {
            auction.call(call.parse().expect("a call")).expect("legal");
        }
        natural(&auction)
    }

    #[test]
    fn openings_overcalls_and_passes_tell_points_and_length() {
        let bounds = bounds_of(Seat::North, "Pass 1H 1S Pass 2S Pass Pass Pass");
        assert_eq!(bounds[Seat::North as usize].points, (0, 12));
        assert_eq!(bounds[Seat::East as usize].length[Suit::Hearts as usize], (5, 13));
        assert_eq!(bounds[Seat::South as usize].length[Suit::Spades as usize], (5, 13));
        assert_eq!(bounds[Seat::West as usize], HandBounds::default(), "opener's partner may have anything");
    }

    #[test]
    fn a_double_is_short_in_their_suit_and_later_calls_tell_nothing_new() {
        let bounds = bounds_of(Seat::West, "1D X Pass 1H 2D 2H Pass Pass Pass");
        assert_eq!(bounds[Seat::North as usize].length[Suit::Diamonds as usize], (0, 4));
        assert_eq!(bounds[Seat::West as usize].length[Suit::Diamonds as usize], (3, 13));
    }
}
