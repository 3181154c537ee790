//! Bridge.

use counterplay::bridge::{
    self, Board, BoardRequest, Boards, Hands, PlanRequest, ReadyBoard, SuitRequest, file_to_lin, file_to_pbn,
    hint, odds, par, play_until_person, read_lin, read_pbn, select,
};
use counterplay::{Error, Halt};
use serde_json::{Value, json};

use super::Desk;
use super::task::Cards;

/// Odds are taken over no more layouts than this.
const MOST_LAYOUTS: usize = 500;

/// The boards of a text: LIN begins its fields with a name and a bar, PBN its tags with a bracket.
fn read(text: &str) -> Boards {
    let is_lin = text.contains("md|") && !text.contains("[Deal");
    if is_lin { read_lin(text.as_bytes()) } else { read_pbn(text.as_bytes()) }
}

/// The board at a place of the text, ready to be played.
fn ready(text: &str, board: usize, hands: Hands) -> Result<ReadyBoard, Halt> {
    let mut boards = read(text);
    let refuse = |message: String| Halt::from(Error::Request { message, help: None });
    if board >= boards.boards.len() {
        let problem = boards.problems.first().map_or(String::new(), |problem| format!(": {problem}"));
        return Err(refuse(format!("the text has {} boards{problem}", boards.boards.len())));
    }
    let chosen = boards.boards.swap_remove(board);
    boards.boards = vec![chosen];
    let request = BoardRequest { bidding: true, ..BoardRequest::default() };
    let selection = select(&boards, &request, hands)?;
    let refused = selection.refused.into_iter().next();
    selection.ready.into_iter().next().ok_or_else(|| {
        let why = refused.and_then(|refused| refused.why).map(|why| why.to_string());
        let problem = boards.problems.first().map(ToString::to_string);
        refuse(why.or(problem).unwrap_or_else(|| "the board cannot be played".to_owned()))
    })
}

/// The board as the text has it.
fn given(text: &str, board: usize) -> Option<Board> {
    read(text).boards.into_iter().nth(board)
}

fn about(board: &Board) -> Value {
    let calls =
        board.auction.as_ref().map(|auction| auction.calls().iter().map(ToString::to_string).collect());
    let auction: Option<Vec<String>> = calls;
    json!({
        "name": board.name, "line": board.line,
        "dealer": board.dealer.map(|seat| seat.letter().to_string()),
        "vulnerable": board.vulnerability.pbn(),
        "contract": board.contract.map(|contract| contract.bid()),
        "declarer": board.contract.map(|contract| contract.declarer.letter().to_string()),
        "target": board.contract.map(|contract| contract.target()),
        "whole": board.deal.is_some(),
        "auction": auction,
    })
}

impl Desk<'_> {
    pub(super) fn bridge_boards(&self, text: &str) -> Result<(), Halt> {
        let boards = read(text);
        let list: Vec<Value> = boards.boards.iter().map(about).collect();
        let problems: Vec<Value> = boards
            .problems
            .iter()
            .map(|problem| json!({"line": problem.line, "message": problem.to_string()}))
            .collect();
        self.answer(&json!({"boards": list, "problems": problems}));
        Ok(())
    }

    pub(super) fn bridge_play(&self, asked: &Cards) -> Result<(), Halt> {
        let board = ready(&asked.text, asked.board, Hands::All)?;
        let table = play_until_person(&board, &asked.request, &asked.play, self.budget)?;
        let given = given(&asked.text, asked.board);
        // The board can be taken along, with the cards so far.
        let cards: Vec<bridge::Card> = table.play.iter().filter_map(|card| card.parse().ok()).collect();
        let played = Board {
            lead: cards.first().copied(),
            play: cards,
            result: table.result.as_ref().map(|result| result.tricks),
            dealer: given.as_ref().and_then(|given| given.dealer),
            auction: given.as_ref().and_then(|given| given.auction.clone()),
            ..board.to_board()
        };
        let par = table.result.as_ref().map(|_| par(&board, played.dealer));
        let files = [played];
        self.output.put(
            &json!({"answer": table, "pbn": file_to_pbn(&files), "lin": file_to_lin(&files), "par": par}),
        );
        Ok(())
    }

    pub(super) fn bridge_odds(&self, asked: &Cards, layouts: usize) -> Result<(), Halt> {
        let board = ready(&asked.text, asked.board, Hands::All)?;
        let layouts = layouts.clamp(1, MOST_LAYOUTS);
        self.answer(&odds(&board, &asked.request, &asked.play, layouts, self.budget)?);
        Ok(())
    }

    pub(super) fn bridge_hint(&self, asked: &Cards) -> Result<(), Halt> {
        let board = ready(&asked.text, asked.board, Hands::All)?;
        self.answer(&hint(&board, &asked.request, &asked.play, self.budget)?);
        Ok(())
    }

    pub(super) fn bridge_plan(&self, text: &str, board: usize, request: &PlanRequest) -> Result<(), Halt> {
        let board = ready(text, board, Hands::DeclarersOnly)?;
        self.answer(&bridge::plan(&board, request, self.budget, self.report)?);
        Ok(())
    }

    pub(super) fn bridge_suit(&self, request: &SuitRequest) -> Result<(), Halt> {
        self.answer(&bridge::suit(request, self.budget, self.report)?);
        Ok(())
    }
}
