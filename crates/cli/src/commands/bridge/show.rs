//! `counterplay bridge show`: hand diagrams, double-dummy tables, PBN.

use std::path::PathBuf;

use bridge::card::{Cards, Suit};
use bridge::diagram::diagram;
use bridge::double_dummy::DoubleDummy;
use bridge::formats::file_to_pbn;
use bridge::seat::Seat;
use clap::Args;
use serde_json::json;

use super::boards::BoardArguments;
use crate::arguments::EXIT_CODES;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output;
use crate::settings::Settings;

/// Show the boards of a file as diagrams; convert LIN to PBN
///
/// Example: counterplay bridge show examples/bridge/figure5.pbn --double-dummy
#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct ShowArguments {
    #[command(flatten)]
    boards: BoardArguments,

    /// Print PBN instead of diagrams
    #[arg(long)]
    pbn: bool,

    /// Add the tricks that every player takes in every strain with all hands open
    #[arg(long)]
    double_dummy: bool,

    /// Draw the first board as SVG into this file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

/// The four hands as a picture.
pub(super) fn picture(title: &str, hands: [Option<Cards>; 4]) -> String {
    let hand = |seat: Seat| hands[seat as usize].map(|cards| Suit::DOWN.map(|suit| cards.ranks(suit)));
    counterplay_draw::hands::hands(title, &Seat::ALL.map(hand))
}

/// Shows them.
pub(crate) fn run(arguments: &ShowArguments, settings: &Settings) -> Result<Exit, Failure> {
    let boards = arguments.boards.read(settings)?;
    let known = |board: &bridge::formats::Board, seat: Seat| -> Option<Cards> {
        board.layout.hands[seat as usize].as_ref().map(|cards| cards.iter().copied().collect())
    };
    if let (Some(file), Some(board)) = (&arguments.svg, boards.boards.first()) {
        let title =
            board.contract.map_or_else(|| format!("Board {}", board.name), |contract| contract.to_string());
        let text = picture(&title, Seat::ALL.map(|seat| known(board, seat)));
        std::fs::write(file, text)
            .map_err(|error| Failure::Write { name: file.display().to_string(), error })?;
    }
    if arguments.pbn {
        output::answer(&file_to_pbn(&boards.boards))?;
    } else {
        let mut solver = DoubleDummy::default();
        for board in &boards.boards {
            let table = board.deal.filter(|_| arguments.double_dummy).map(|deal| solver.table(&deal));
            let contract = board.contract.map(|contract| contract.to_string());
            if settings.json {
                let hands = Seat::ALL.map(|seat| known(board, seat).map(|cards| cards.pbn()));
                output::json(
                    &json!({"board": board.name, "hands": hands, "contract": contract, "double_dummy": table}),
                )?;
                continue;
            }
            let mut text = format!(
                "Board {}{}\n\n",
                board.name,
                contract.map_or_else(String::new, |contract| format!(": {contract}"))
            );
            text += &diagram(Seat::ALL.map(|seat| known(board, seat)), true);
            if let Some(table) = table {
                text += "\n        ♣   ♦   ♥   ♠  NT\n";
                for seat in Seat::ALL {
                    let row: Vec<String> =
                        table[seat as usize].iter().map(|tricks| format!("{tricks:3}")).collect();
                    text += &format!("{:5} {}\n", seat.name(), row.join(" "));
                }
            }
            output::answer(&(text + "\n"))?;
        }
    }
    Ok(if boards.problems.is_empty() { Exit::Found } else { Exit::Bad })
}
