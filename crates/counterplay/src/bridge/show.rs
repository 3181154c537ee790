//! Boards as diagrams and pictures.

use ::bridge::card::{Cards, Suit};
use ::bridge::diagram::diagram;
use ::bridge::double_dummy::DoubleDummy;
use ::bridge::formats::Board;
use ::bridge::seat::Seat;
use serde::Serialize;

/// A board as it is shown. Its JSON form is a line of `counterplay bridge show --json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ShowAnswer {
    /// The name of the board.
    pub board: String,
    /// The hands of north, east, south and west as PBN writes them; null for a hand that is not known.
    pub hands: [Option<String>; 4],
    /// The contract with its declarer; null if the board does not tell one.
    pub contract: Option<String>,
    /// The tricks that north, east, south and west take as declarer in clubs, diamonds, hearts, spades and notrump with all hands
    /// open; null if that was not asked for or a hand is not known.
    pub double_dummy: Option<[[u8; 5]; 4]>,
    #[serde(skip)]
    cards: [Option<Cards>; 4],
}

/// Shows a board, with its double-dummy tricks if a solver is given.
pub fn show(board: &Board, solver: Option<&mut DoubleDummy>) -> ShowAnswer {
    let cards = board.layout.known_hands();
    ShowAnswer {
        board: board.name.clone(),
        hands: cards.map(|hand| hand.map(Cards::pbn)),
        contract: board.contract.map(|contract| contract.to_string()),
        double_dummy: solver.zip(board.deal).map(|(solver, deal)| solver.table(&deal)),
        cards,
    }
}

impl ShowAnswer {
    /// The diagram of the hands, and the double-dummy tricks.
    pub fn text(&self) -> String {
        let contract = self.contract.as_ref().map_or_else(String::new, |contract| format!(": {contract}"));
        let mut text = format!("Board {}{contract}\n\n", self.board);
        text += &diagram(self.cards, true);
        if let Some(table) = self.double_dummy {
            text += "\n        ♣   ♦   ♥   ♠  NT\n";
            for seat in Seat::ALL {
                let row: Vec<String> =
                    table[seat as usize].iter().map(|tricks| format!("{tricks:3}")).collect();
                text += &format!("{:5} {}\n", seat.name(), row.join(" "));
            }
        }
        text + "\n"
    }

    /// The hands as a picture (SVG), with the contract as title.
    pub fn picture(&self) -> String {
        let title = self.contract.clone().unwrap_or_else(|| format!("Board {}", self.board));
        picture(&title, self.cards)
    }
}

/// Four hands as a picture (SVG).
pub fn picture(title: &str, hands: [Option<Cards>; 4]) -> String {
    let hand = |seat: Seat| hands[seat as usize].map(|cards| Suit::DOWN.map(|suit| cards.ranks(suit)));
    counterplay_draw::hands::hands(title, &Seat::ALL.map(hand))
}
