//! LIN, the format of Bridge Base Online: `pn|…|md|…|sv|…|mb|…|pc|…|`.

use crate::auction::{Auction, Call};
use crate::card::{Card, Cards, Rank, Suit};
use crate::contract::Vulnerability;
use crate::deal::{Deal, Layout};
use crate::formats::{Board, Boards, Problem, decode};
use crate::play::Position;
use crate::seat::Seat;

/// Reads all boards of a LIN file.
pub fn read_lin(bytes: &[u8]) -> Boards {
    let text = match decode(bytes) {
        Ok(text) => text,
        Err(problem) => return Boards { boards: Vec::new(), problems: vec![problem] },
    };
    let mut boards = Boards::default();
    let mut open: Option<Open> = None;
    let mut line = 1;
    let mut fields = text.split('|');
    while let (Some(key), Some(value)) = (fields.next(), fields.next()) {
        line += key.matches('\n').count();
        let key = key.trim();
        if key == "qx"
            || key == "md" && open.as_ref().is_some_and(|open| open.board.layout != Layout::default())
        {
            close(open.take(), &mut boards);
        }
        let current = open.get_or_insert_with(|| Open::new(line, boards.boards.len() + 1));
        current.field(key, value.trim(), line);
        line += value.matches('\n').count();
    }
    close(open, &mut boards);
    boards
}

/// A board being read.
struct Open {
    board: Board,
    calls: Vec<(usize, Call)>,
    cards: Vec<(usize, Card)>,
    claim: Option<u8>,
    problems: Vec<Problem>,
}

impl Open {
    fn new(line: usize, number: usize) -> Open {
        let board = Board {
            name: number.to_string(),
            line,
            dealer: None,
            vulnerability: Vulnerability::default(),
            layout: Layout::default(),
            deal: None,
            contract: None,
            lead: None,
            auction: None,
            play: Vec::new(),
            result: None,
            tags: Vec::new(),
        };
        Open { board, calls: Vec::new(), cards: Vec::new(), claim: None, problems: Vec::new() }
    }

    fn wrong(&mut self, line: usize, tag: &str, what: String) {
        self.problems.push(Problem {
            line,
            board: Some(self.board.name.clone()),
            tag: Some(tag.into()),
            what,
        });
    }

    fn field(&mut self, key: &str, value: &str, line: usize) {
        match key {
            "qx" => self.board.name = value.trim_start_matches(['o', 'c']).to_owned(),
            "ah" => self.board.name = value.trim_start_matches("Board ").to_owned(),
            "pn" => self.board.tags.push(("Players".into(), value.to_owned())),
            "md" => self.deal(value, line),
            "sv" => {
                let (north_south, east_west) = match value.to_ascii_lowercase().as_str() {
                    "n" => (true, false),
                    "e" => (false, true),
                    "b" => (true, true),
                    "o" | "0" | "" => (false, false),
                    other => {
                        let what = format!("`{other}` is none of o, n, e, b");
                        return self.wrong(line, "sv", what);
                    }
                };
                self.board.vulnerability = Vulnerability { north_south, east_west };
            }
            "mb" => match value.trim_end_matches('!').parse() {
                Ok(call) => self.calls.push((line, call)),
                Err(error) => self.wrong(line, "mb", format!("{error}")),
            },
            "pc" => match value.parse() {
                Ok(card) => self.cards.push((line, card)),
                Err(error) => self.wrong(line, "pc", format!("{error}")),
            },
            "mc" => match value.parse::<u8>() {
                Ok(tricks) if tricks <= 13 => self.claim = Some(tricks),
                _ => self.wrong(line, "mc", format!("`{value}` is no number of tricks")),
            },
            // Alerts, page turns and texts say nothing about the cards.
            _ => {}
        }
    }

    /// `3SAQ2HK53D…C…,…,…,`: the dealer (1 south to 4 east) and the hands of south, west, north and east.
    fn deal(&mut self, value: &str, line: usize) {
        let Some(dealer) =
            value.chars().next().and_then(|digit| digit.to_digit(10)).filter(|d| (1..=4).contains(d))
        else {
            return self.wrong(
                line,
                "md",
                "a deal starts with its dealer: 1 south, 2 west, 3 north, 4 east".into(),
            );
        };
        self.board.dealer = Some(Seat::South.after(dealer as usize - 1));
        let mut layout = Layout::default();
        for (steps, text) in value[1..].split(',').enumerate().take(4) {
            let mut cards = Vec::new();
            let mut suit = None;
            for letter in text.chars() {
                match (Suit::from_letter(letter), suit, Rank::from_letter(letter)) {
                    (Some(next), ..) => suit = Some(next),
                    (None, Some(suit), Some(rank)) => cards.push(Card::new(suit, rank)),
                    _ => {
                        return self.wrong(
                            line,
                            "md",
                            format!("`{letter}` in `{text}` is neither suit nor rank"),
                        );
                    }
                }
            }
            if !text.is_empty() {
                layout.hands[Seat::South.after(steps) as usize] = Some(cards);
            }
        }
        // The fourth hand may be left out: it has what the others have not.
        let known: Vec<&Vec<Card>> = layout.hands.iter().flatten().collect();
        if known.len() == 3 && known.iter().all(|cards| cards.len() == 13) {
            let dealt: Cards = known.into_iter().flatten().copied().collect();
            if let Some(hand) = layout.hands.iter_mut().find(|hand| hand.is_none()) {
                *hand = Some(Cards::PACK.minus(dealt).iter().collect());
            }
        }
        match Deal::new(&layout) {
            Ok(deal) => self.board.deal = Some(deal),
            Err(reasons) => reasons.iter().for_each(|reason| self.wrong(line, "md", reason.to_string())),
        }
        self.board.layout = layout;
    }

    /// The auction and the play, once the whole board is read.
    fn finish(&mut self) {
        let mut auction = Auction::new(self.board.dealer.unwrap_or(Seat::North));
        for (line, call) in std::mem::take(&mut self.calls) {
            if let Err(error) = auction.call(call) {
                self.wrong(line, "mb", error.to_string());
                return;
            }
        }
        self.board.contract = auction.contract();
        self.board.auction = (!auction.calls().is_empty()).then_some(auction);
        let cards = std::mem::take(&mut self.cards);
        let (Some(deal), Some(contract)) = (self.board.deal, self.board.contract) else {
            if let Some((line, _)) = cards.first() {
                self.wrong(*line, "pc", "cards are played without a full deal and a contract".into());
            }
            return;
        };
        let mut position = Position::new(&deal, contract);
        for (line, card) in cards {
            if let Err(error) = position.play(card) {
                self.wrong(line, "pc", error.to_string());
                return;
            }
            self.board.play.push(card);
        }
        self.board.lead = self.board.play.first().copied();
        self.board.result =
            self.claim.or(position.public().is_over().then(|| position.public().declarer_tricks()));
    }
}

fn close(open: Option<Open>, boards: &mut Boards) {
    let Some(mut open) = open else { return };
    open.finish();
    boards.problems.append(&mut open.problems);
    if open.board.layout != Layout::default() {
        boards.boards.push(open.board);
    }
}
