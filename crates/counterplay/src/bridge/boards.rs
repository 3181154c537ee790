//! Boards from texts, or drawn at random, made ready to be played.

use std::fmt;
use std::str::FromStr;

use ::bridge::auction::Auction;
use ::bridge::belief::HandBounds;
use ::bridge::belief::bidding::natural;
use ::bridge::card::{Card, Cards, Suit};
use ::bridge::contract::{Bid, Contract, Vulnerability};
use ::bridge::deal::{Deal, Layout};
use ::bridge::formats::{Board, Boards, read_pbn};
use ::bridge::generate::DealKind;
use ::bridge::seat::Seat;
use ::bridge::table::{DealContext, deal_seed};
use counterplay_base::Budget;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::error::Error;

/// Which boards to take, and what is added to what they tell.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct BoardRequest {
    /// Only these boards of the file: `7`, `1-100` or `1-20,33`
    #[cfg_attr(feature = "clap", arg(long, value_name = "LIST"))]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub boards: Option<BoardNumbers>,

    /// Draw so many boards at random instead of reading a file
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    pub deals: Option<usize>,

    /// The kind of random deal
    #[cfg_attr(feature = "clap", arg(long, value_name = "KIND", value_enum, default_value_t))]
    pub kind: DealKind,

    /// The contract, for boards that do not tell one: `3NT`, `4SX`
    #[cfg_attr(feature = "clap", arg(long, value_name = "CONTRACT"))]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub contract: Option<Bid>,

    /// Who declares it: N, E, S or W
    #[cfg_attr(feature = "clap", arg(long, value_name = "SEAT", default_value = "S"))]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub by: Seat,

    /// The opening lead, for boards that do not tell one: `HQ`
    #[cfg_attr(feature = "clap", arg(long, value_name = "CARD"))]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub lead: Option<Card>,

    /// What is known of a hidden hand: `W:points=6-10,spades=5-7,clubs=0-3`; may be given for several hands
    #[cfg_attr(feature = "clap", arg(long, value_name = "SEAT:BOUNDS"))]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<String>"))]
    pub told: Vec<KnownHand>,

    /// Draw conclusions from the auction of the file, as from natural bidding with five-card majors
    #[cfg_attr(feature = "clap", arg(long))]
    pub bidding: bool,

    /// The seed of random deals.
    #[cfg_attr(feature = "clap", arg(skip))]
    pub seed: u64,
}

impl Default for BoardRequest {
    fn default() -> BoardRequest {
        BoardRequest {
            boards: None,
            deals: None,
            kind: DealKind::default(),
            contract: None,
            by: Seat::South,
            lead: None,
            told: Vec::new(),
            bidding: false,
            seed: 0,
        }
    }
}

/// A list of board numbers: `7`, `1-100` or `1-20,33`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardNumbers(Vec<(usize, usize)>);

impl BoardNumbers {
    /// Whether a number is in the list.
    pub fn contains(&self, number: usize) -> bool {
        self.0.iter().any(|&(from, to)| (from..=to).contains(&number))
    }
}

/// Text that is no list or no bound, with how to write it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct BoardTextError(String);

impl FromStr for BoardNumbers {
    type Err = BoardTextError;

    fn from_str(text: &str) -> Result<BoardNumbers, BoardTextError> {
        let part = |part: &str| {
            let (from, to) = part.split_once('-').unwrap_or((part, part));
            let (from, to) = (from.trim().parse().ok()?, to.trim().parse().ok()?);
            (from <= to).then_some((from, to))
        };
        let parts = text.split(',').map(part).collect::<Option<Vec<_>>>();
        parts.map(BoardNumbers).ok_or_else(|| {
            BoardTextError(format!("`{text}` is no list of boards; write `7`, `1-100` or `1-20,33`"))
        })
    }
}

impl fmt::Display for BoardNumbers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, (from, to)) in self.0.iter().enumerate() {
            let comma = if number > 0 { "," } else { "" };
            if from == to { write!(f, "{comma}{from}")? } else { write!(f, "{comma}{from}-{to}")? }
        }
        Ok(())
    }
}

/// Bounds on points and suit lengths of one hidden hand: `W:points=6-10,spades=5-7`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnownHand {
    /// Whose hand it is.
    pub seat: Seat,
    /// What is known of it.
    pub bounds: HandBounds,
}

impl FromStr for KnownHand {
    type Err = BoardTextError;

    fn from_str(text: &str) -> Result<KnownHand, BoardTextError> {
        let wrong =
            |what: &str| BoardTextError(format!("{what}; write for instance `W:points=6-10,spades=5-7`"));
        let (name, list) = text.split_once(':').ok_or_else(|| wrong("a seat and a colon are missing"))?;
        let seat: Seat = name.parse().map_err(|error| BoardTextError(format!("{error}")))?;
        let mut bounds = HandBounds::default();
        for bound in list.split(',') {
            let (of, range) =
                bound.split_once('=').ok_or_else(|| wrong(&format!("`{bound}` is no bound")))?;
            let (from, to) = range.split_once('-').unwrap_or((range, range));
            let number = |text: &str| text.trim().parse::<usize>().ok().filter(|&number| number <= 37);
            let (Some(from), Some(to)) = (number(from), number(to)) else {
                return Err(wrong(&format!("`{range}` is no range")));
            };
            let suit = Suit::DOWN.into_iter().find(|suit| suit.name() == of.trim().to_ascii_lowercase());
            match (of.trim(), suit) {
                _ if from > to => return Err(wrong(&format!("`{range}` is empty"))),
                ("points", _) => bounds.points = (from as u32, to as u32),
                (_, Some(suit)) => bounds.length[suit as usize] = (from.min(13), to.min(13)),
                (of, None) => return Err(wrong(&format!("`{of}` is neither points nor a suit"))),
            }
        }
        let fewest: usize = bounds.length.iter().map(|&(from, _)| from).sum();
        let most: usize = bounds.length.iter().map(|&(_, to)| to).sum();
        if fewest > 13 || most < 13 {
            return Err(wrong(&format!("no hand of 13 cards is like `{list}`")));
        }
        Ok(KnownHand { seat, bounds })
    }
}

impl fmt::Display for KnownHand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (from, to) = self.bounds.points;
        write!(f, "{}:points={from}-{to}", self.seat.letter())?;
        for suit in Suit::DOWN {
            let (from, to) = self.bounds.length[suit as usize];
            write!(f, ",{}={from}-{to}", suit.name())?;
        }
        Ok(())
    }
}

/// In JSON these are the texts that a user types.
macro_rules! written_as_text {
    ($($kind:ty),*) => {$(
        impl Serialize for $kind {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $kind {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<$kind, D::Error> {
                String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
            }
        }
    )*};
}

written_as_text!(BoardNumbers, KnownHand);

/// A board that can be planned or played.
#[derive(Clone, Debug)]
pub struct ReadyBoard {
    /// The name in the file, usually a number.
    pub name: String,
    pub deal: Deal,
    /// The contract with its declarer.
    pub contract: Contract,
    /// The opening lead; `None` if the defence chooses it.
    pub lead: Option<Card>,
    pub vulnerability: Vulnerability,
    /// What is known of each hand before the play, by seat.
    pub bounds: [HandBounds; 4],
    /// Whether cards of the defenders that the board does not tell were given to them in an arbitrary way.
    pub is_filled_up: bool,
}

impl ReadyBoard {
    /// The board for a file, before anything is played.
    pub fn to_board(&self) -> Board {
        Board {
            name: self.name.clone(),
            line: 0,
            dealer: None,
            vulnerability: self.vulnerability,
            layout: Layout::from(&self.deal),
            deal: Some(self.deal),
            contract: Some(self.contract),
            lead: self.lead,
            auction: None,
            play: Vec::new(),
            result: None,
            tags: Vec::new(),
        }
    }

    /// Whether declarer's side is vulnerable.
    pub fn is_vulnerable(&self) -> bool {
        self.vulnerability.of(self.contract.declarer)
    }

    /// Declarer's score for so many tricks.
    pub fn score(&self, tricks: u8) -> i32 {
        self.contract.score(tricks, self.is_vulnerable())
    }

    /// What the players learn before this board. It depends on the board and the seed, not on the other boards of a run.
    pub fn context(&self, seed: u64, budget: &Budget) -> DealContext {
        DealContext {
            seed: deal_seed(self.deal.hand(self.contract.declarer.partner()), self.contract, seed),
            vulnerable: self.is_vulnerable(),
            bounds: self.bounds,
            budget: budget.clone(),
        }
    }
}

/// Which hands have to be known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hands {
    /// All four, to play the board.
    All,
    /// Declarer's and dummy's, to plan it.
    DeclarersOnly,
}

/// The boards that can be played, and those that cannot.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// In the order of the file.
    pub ready: Vec<ReadyBoard>,
    /// Boards that were asked for and cannot be played.
    pub refused: Vec<RefusedBoard>,
}

/// A board that cannot be played.
#[derive(Clone, Debug)]
pub struct RefusedBoard {
    /// The line where it begins.
    pub line: usize,
    pub board: String,
    /// The reason; `None` if the problems of the file already tell it.
    pub why: Option<BoardError>,
}

/// Why a board cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BoardError {
    /// Neither the board nor the request tells a contract.
    #[error("no contract is told")]
    NoContract,
    /// The defenders' hands are not known, and all four have to be.
    #[error("all four hands are needed to play it")]
    UnknownHands,
    /// Declarer's or dummy's hand is not known.
    #[error("the hand of {0} is needed to plan")]
    UnknownHand(Seat),
    /// The opening lead is not in the leader's hand.
    #[error("{leader} does not hold {}", lead.words())]
    LeadNotHeld {
        /// The player who leads.
        leader: Seat,
        lead: Card,
    },
    /// The hands do not make a deal.
    #[error("{0}")]
    Deal(String),
}

/// One board from a deal as PBN writes it: `N:AKQ2.… … … …`.
///
/// # Errors
/// The text is no deal.
pub fn read_deal(text: &str) -> Result<Boards, Error> {
    text.parse::<Layout>().map_err(|error| Error::Request { message: error.to_string(), help: None })?;
    Ok(read_pbn(format!("[Board \"1\"]\n[Deal \"{}\"]\n", text.replace('"', "")).as_bytes()))
}

/// The boards that are asked for, ready to be played.
///
/// # Errors
/// No board has one of the numbers asked for.
pub fn select(boards: &Boards, request: &BoardRequest, hands: Hands) -> Result<Selection, Error> {
    let spoiled: Vec<&str> = boards.problems.iter().filter_map(|problem| problem.board.as_deref()).collect();
    let mut selection = Selection::default();
    for (at, board) in boards.boards.iter().enumerate() {
        let number = board.name.parse().unwrap_or(at + 1);
        if request.boards.as_ref().is_some_and(|wanted| !wanted.contains(number)) {
            continue;
        }
        let refuse = |why| RefusedBoard { line: board.line, board: board.name.clone(), why };
        match request.prepare(board, hands) {
            Ok(ready) if !spoiled.contains(&&*board.name) || ready.is_filled_up => {
                selection.ready.push(ready)
            }
            Ok(_) => selection.refused.push(refuse(None)),
            Err(why) => selection.refused.push(refuse(Some(why))),
        }
    }
    if selection.ready.is_empty() && selection.refused.is_empty() {
        let message = format!("the file has no such board; it holds {}", boards.boards.len());
        return Err(Error::Request { message, help: None });
    }
    Ok(selection)
}

/// Draws `count` boards of the kind that is asked for; fewer if a limit is reached.
pub fn draw(count: usize, request: &BoardRequest, budget: &Budget) -> Selection {
    let mut rng = ChaCha8Rng::seed_from_u64(request.seed);
    let (wanted, contract) = request.kind.wanted();
    let contract = request.contract.map_or(contract, |bid| bid.by(request.by));
    let mut selection = Selection::default();
    for number in 1..=count {
        // The caller meets the same limit when the boards are played, with those drawn by then.
        if budget.check().is_err() {
            break;
        }
        selection.ready.push(ReadyBoard {
            name: number.to_string(),
            deal: wanted.draw(&mut rng).expect("such deals are common"),
            contract,
            lead: None,
            vulnerability: Vulnerability::default(),
            bounds: request.bounds(None),
            is_filled_up: false,
        });
    }
    selection
}

impl BoardRequest {
    fn prepare(&self, board: &Board, hands: Hands) -> Result<ReadyBoard, BoardError> {
        let contract = board.contract.or_else(|| self.contract.map(|bid| bid.by(self.by)));
        let contract = contract.ok_or(BoardError::NoContract)?;
        let lead = board.lead.or(self.lead);
        let (deal, is_filled_up) = match board.deal {
            Some(deal) => (deal, false),
            None if hands == Hands::DeclarersOnly => (fill_up(&board.layout, contract, lead)?, true),
            None => return Err(BoardError::UnknownHands),
        };
        let leader = contract.declarer.next();
        if let Some(lead) = lead
            && !deal.hand(leader).has(lead)
        {
            return Err(BoardError::LeadNotHeld { leader, lead });
        }
        let vulnerability = board.vulnerability;
        let bounds = self.bounds(board.auction.as_ref());
        Ok(ReadyBoard { name: board.name.clone(), deal, contract, lead, vulnerability, bounds, is_filled_up })
    }

    /// What is known of the hands: what the request says, and the auction where it may be used.
    fn bounds(&self, auction: Option<&Auction>) -> [HandBounds; 4] {
        let mut bounds = auction.filter(|_| self.bidding).map(natural).unwrap_or_default();
        for known in &self.told {
            bounds[known.seat as usize] = known.bounds;
        }
        bounds
    }
}

/// Gives the cards that are not told to the defenders, in an arbitrary way that fits the lead.
fn fill_up(layout: &Layout, contract: Contract, lead: Option<Card>) -> Result<Deal, BoardError> {
    let mut whole = layout.clone();
    let known: Vec<Card> = layout.hands.iter().flatten().flatten().copied().collect();
    let unseen: Vec<Card> = Cards::PACK.iter().filter(|card| !known.contains(card)).collect();
    let mut rest: Vec<Card> = unseen.iter().copied().filter(|&card| Some(card) != lead).collect();
    for seat in [contract.declarer, contract.declarer.partner()] {
        if layout.hands[seat as usize].is_none() {
            return Err(BoardError::UnknownHand(seat));
        }
    }
    for seat in [contract.declarer.next(), contract.declarer.after(3)] {
        if whole.hands[seat as usize].is_none() {
            let mut hand: Vec<Card> = Vec::new();
            if seat == contract.declarer.next() {
                hand.extend(lead.filter(|card| unseen.contains(card)));
            }
            let missing = (13 - hand.len()).min(rest.len());
            hand.extend(rest.drain(..missing));
            whole.hands[seat as usize] = Some(hand);
        }
    }
    Deal::new(&whole).map_err(|reasons| {
        BoardError::Deal(reasons.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_and_bounds_are_read_and_written() {
        for text in ["7", "1-100", "1-20,33"] {
            assert_eq!(text.parse::<BoardNumbers>().map(|list| list.to_string()), Ok(text.to_owned()));
        }
        assert!("5-3".parse::<BoardNumbers>().is_err());
        let hand: KnownHand = "W:points=6-10,spades=5-7".parse().expect("bounds");
        assert_eq!(hand.to_string().parse(), Ok(hand));
        for text in ["W", "X:points=1", "W:points=9-8", "W:hearts=14-20,spades=13", "W:kings=2"] {
            assert!(text.parse::<KnownHand>().is_err(), "{text}");
        }
    }

    #[test]
    fn requests_are_read_from_json() {
        let text =
            r#"{"boards": "1-3", "contract": "4SX", "by": "N", "lead": "HQ", "told": ["W:points=6-10"]}"#;
        let request: BoardRequest = serde_json::from_str(text).expect("a request");
        assert_eq!((request.by, request.told.len()), (Seat::North, 1));
        let again: BoardRequest =
            serde_json::from_str(&serde_json::to_string(&request).expect("JSON")).expect("the same");
        assert_eq!(again, request);
        assert!(serde_json::from_str::<BoardRequest>(r#"{"by": "Q"}"#).is_err());
    }
}
