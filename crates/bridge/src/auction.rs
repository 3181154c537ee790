//! The auction: calls, which of them are legal, and the contract that comes out.

use std::fmt;
use std::str::FromStr;

use crate::contract::{Bid, Contract, Risk, Strain};
use crate::seat::Seat;

/// What a player says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Call {
    Pass,
    Double,
    Redouble,
    /// So many tricks over six with this strain.
    Bid(u8, Strain),
}

impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Call::Pass => write!(f, "Pass"),
            Call::Double => write!(f, "X"),
            Call::Redouble => write!(f, "XX"),
            Call::Bid(level, strain) => write!(f, "{level}{strain}"),
        }
    }
}

/// Text that is no call.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no call: write Pass, X, XX or a bid such as 1NT")]
pub struct CallError(pub String);

impl FromStr for Call {
    type Err = CallError;

    fn from_str(text: &str) -> Result<Call, CallError> {
        match text.to_ascii_uppercase().as_str() {
            "PASS" | "P" => Ok(Call::Pass),
            "X" | "D" | "DBL" => Ok(Call::Double),
            "XX" | "R" | "RDBL" => Ok(Call::Redouble),
            bid => match bid.parse::<Bid>() {
                Ok(Bid { level, strain, risk: Risk::Plain }) => Ok(Call::Bid(level, strain)),
                _ => Err(CallError(text.chars().take(20).collect())),
            },
        }
    }
}

/// Calls in turn from the dealer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Auction {
    dealer: Seat,
    calls: Vec<Call>,
}

/// A call that may not be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{seat} cannot say {call}: {why}")]
pub struct IllegalCall {
    /// Whose turn it is.
    pub seat: Seat,
    pub call: Call,
    /// The rule that the call breaks.
    pub why: &'static str,
}

impl Auction {
    /// No call was made yet.
    pub fn new(dealer: Seat) -> Auction {
        Auction { dealer, calls: Vec::new() }
    }

    /// The dealer, who speaks first.
    pub fn dealer(&self) -> Seat {
        self.dealer
    }

    /// The calls so far.
    pub fn calls(&self) -> &[Call] {
        &self.calls
    }

    /// Whose turn it is.
    pub fn turn(&self) -> Seat {
        self.dealer.after(self.calls.len())
    }

    /// The last bid, who made it, and whether it is doubled.
    fn standing(&self) -> Option<(Bid, Seat)> {
        let mut standing: Option<(Bid, Seat)> = None;
        for (at, call) in self.calls.iter().enumerate() {
            match (call, &mut standing) {
                (Call::Bid(level, strain), _) => {
                    standing = Some((
                        Bid { level: *level, strain: *strain, risk: Risk::Plain },
                        self.dealer.after(at),
                    ));
                }
                (Call::Double, Some((bid, _))) => bid.risk = Risk::Doubled,
                (Call::Redouble, Some((bid, _))) => bid.risk = Risk::Redoubled,
                _ => {}
            }
        }
        standing
    }

    /// Whether the auction is over.
    pub fn is_over(&self) -> bool {
        let passes = self.calls.iter().rev().take_while(|&&call| call == Call::Pass).count();
        passes >= 4 || passes == 3 && self.calls.len() > 3
    }

    /// Makes the next call.
    ///
    /// # Errors
    /// When it may not be made.
    pub fn call(&mut self, call: Call) -> Result<(), IllegalCall> {
        let seat = self.turn();
        let illegal = |why| Err(IllegalCall { seat, call, why });
        if self.is_over() {
            return illegal("the auction is over");
        }
        match (call, self.standing()) {
            (Call::Pass, _) => {}
            (Call::Bid(level, strain), Some((bid, _))) if (level, strain) <= (bid.level, bid.strain) => {
                return illegal("it is not higher than the last bid");
            }
            (Call::Bid(..), _) => {}
            (_, None) => return illegal("there is no bid to double"),
            (Call::Double, Some((bid, by))) if bid.risk != Risk::Plain || by.is_with(seat) => {
                return illegal("the last bid is doubled already or their own");
            }
            (Call::Redouble, Some((bid, by))) if bid.risk != Risk::Doubled || !by.is_with(seat) => {
                return illegal("the last bid is not one of theirs that was doubled");
            }
            _ => {}
        }
        self.calls.push(call);
        Ok(())
    }

    /// The contract: `None` while the auction goes on or after four passes.
    pub fn contract(&self) -> Option<Contract> {
        let (bid, by) = self.standing().filter(|_| self.is_over())?;
        let first = |(at, call): (usize, &Call)| {
            let seat = self.dealer.after(at);
            matches!(call, Call::Bid(_, strain) if *strain == bid.strain && seat.is_with(by)).then_some(seat)
        };
        self.calls.iter().enumerate().find_map(first).map(|declarer| bid.by(declarer))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn auction(dealer: Seat, calls: &str) -> Result<Auction, IllegalCall> {
        let mut auction = Auction::new(dealer);
        for call in calls.split(' ') {
            auction.call(call.parse().expect("a call"))?;
        }
        Ok(auction)
    }

    /// The auction of the paper's Figure 5: East named notrump first.
    #[test]
    fn the_first_to_name_the_strain_declares() {
        let auction =
            auction(Seat::South, "Pass 1H Pass 1NT Pass 2C Pass 2NT Pass Pass Pass").expect("legal");
        assert_eq!(auction.contract().expect("a contract").to_string(), "2NT by East");
    }

    #[test]
    fn what_may_not_be_said_is_refused() {
        for calls in
            ["1H 1D", "X", "1H Pass X", "1H X X", "1H XX", "Pass Pass Pass Pass 1C", "1H Pass Pass Pass 2H"]
        {
            assert!(auction(Seat::North, calls).is_err(), "{calls}");
        }
        let doubled = auction(Seat::North, "1S X XX Pass Pass Pass").expect("legal");
        assert_eq!(doubled.contract().expect("a contract").bid(), "1SXX");
        assert_eq!(auction(Seat::North, "Pass Pass Pass Pass").expect("legal").contract(), None);
    }
}
