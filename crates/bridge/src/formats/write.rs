//! PBN export: the fifteen mandatory tags in their order, then auction and play.

use std::fmt::Write;

use crate::formats::Board;
use crate::play::Position;
use crate::seat::Seat;

/// One board, with line ends as PBN's export format wants them.
pub fn board_to_pbn(board: &Board) -> String {
    let mut text = String::new();
    let told = |name: &str| {
        board.tags.iter().find(|(known, _)| known == name).map_or("", |(_, value)| value.as_str())
    };
    let mut tag = |name: &str, value: &str| {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        let _ = write!(text, "[{name} \"{value}\"]\r\n");
    };
    for name in ["Event", "Site", "Date"] {
        tag(name, told(name));
    }
    tag("Board", &board.name);
    for name in ["West", "North", "East", "South"] {
        tag(name, told(name));
    }
    tag("Dealer", &board.dealer.map(|seat| seat.letter().to_string()).unwrap_or_default());
    tag("Vulnerable", board.vulnerability.pbn());
    tag("Deal", &deal_text(board));
    tag("Scoring", told("Scoring"));
    tag(
        "Declarer",
        &board.contract.map(|contract| contract.declarer.letter().to_string()).unwrap_or_default(),
    );
    tag("Contract", &board.contract.map(|contract| contract.bid()).unwrap_or_default());
    tag("Result", &board.result.map(|tricks| tricks.to_string()).unwrap_or_default());
    if let Some(auction) = &board.auction {
        tag("Auction", &auction.dealer().letter().to_string());
        for four in auction.calls().chunks(4) {
            let words: Vec<String> = four.iter().map(ToString::to_string).collect();
            let _ = write!(text, "{}\r\n", words.join(" "));
        }
    }
    write_play(&mut text, board);
    text
}

/// A file of boards.
pub fn file_to_pbn(boards: &[Board]) -> String {
    let mut text = String::from("% PBN 2.1\r\n% EXPORT\r\n\r\n");
    for board in boards {
        text.push_str(&board_to_pbn(board));
        text.push_str("\r\n");
    }
    text
}

fn deal_text(board: &Board) -> String {
    let hand = |seat: Seat| match &board.layout.hands[seat as usize] {
        Some(cards) => cards.iter().copied().collect::<crate::card::Cards>().pbn(),
        None => "-".to_owned(),
    };
    format!("N:{}", Seat::ALL.map(hand).join(" "))
}

/// One row a trick, the columns by seat from the opening leader.
fn write_play(text: &mut String, board: &Board) {
    let (Some(deal), Some(contract)) = (board.deal, board.contract) else { return };
    if board.play.is_empty() {
        return;
    }
    let first = contract.declarer.next();
    let _ = write!(text, "[Play \"{}\"]\r\n", first.letter());
    let mut position = Position::new(&deal, contract);
    for trick in board.play.chunks(4) {
        let mut row = ["-".to_owned(), "-".to_owned(), "-".to_owned(), "-".to_owned()];
        for &card in trick {
            row[first.steps_to(position.public().turn())] = card.to_string();
            if position.play(card).is_err() {
                return;
            }
        }
        let _ = write!(text, "{}\r\n", row.join(" "));
    }
    if board.play.len() < 52 {
        text.push_str("*\r\n");
    }
}
