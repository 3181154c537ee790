//! A board of bridge on which the caller plays a side.

use counterplay::Budget;
use counterplay::bridge::{
    BoardSession, Card, CardPlayed, CardPrompt, Hands, PlayRequest, ReadyBoard, SessionEnd, SessionState,
};
use serde_json::Value;

use super::{Conversation, answer, arguments, unknown};
use crate::commands::{AskedBoards, Context, select_boards};
use crate::failure::Failure;
use crate::players::PythonPlayers;

/// A board in progress.
pub(super) struct Table {
    board: ReadyBoard,
    session: BoardSession,
    news: Vec<CardPlayed>,
    /// The cards that may be played now.
    legal: Vec<String>,
    /// What the caller was told last; a call that was interrupted did not hear it.
    told: Value,
}

impl Table {
    pub(super) fn open(request: &str) -> Result<Table, Failure> {
        let asked: AskedBoards<PlayRequest> = serde_json::from_str(request)?;
        let players = PythonPlayers::default();
        // The players keep their budget for the whole board.
        let budget = crate::limits::lasting();
        let progress = &counterplay::Silent;
        let context = Context { budget: &budget, progress, reporter: None, players: &players };
        let boards = select_boards(&asked, Hands::All, &context)?;
        let [board] = &boards[..] else {
            return Err(Failure::request(format!("one board is played at a time, not {}", boards.len())));
        };
        let request = &asked.options;
        let chairs = [
            request.declarer.chair(request.effort(), request.seed),
            request.defence.chair(request.effort(), request.seed),
        ];
        let told = board.context(request.seed, &budget);
        let session = BoardSession::new(&board.deal, board.contract, board.lead, chairs, &told);
        Ok(Table { board: board.clone(), session, news: Vec::new(), legal: Vec::new(), told: Value::Null })
    }

    /// Lets the players of the library play until a card of the caller is wanted, or the board is over.
    fn advance(&mut self) -> Result<Value, Failure> {
        loop {
            let seat = self.session.public().turn();
            match self.session.advance() {
                SessionState::Played(choice) => {
                    self.news.push(CardPlayed::new(seat, choice.card, choice.why));
                }
                SessionState::Waiting(view) => {
                    let prompt = CardPrompt::new(&view, std::mem::take(&mut self.news));
                    self.legal.clone_from(&prompt.legal);
                    self.told = answer(&prompt)?;
                    return Ok(self.told.clone());
                }
                SessionState::Over => {
                    let tricks = self.session.public().declarer_tricks();
                    self.legal.clear();
                    self.told =
                        answer(&SessionEnd::new(&self.board, tricks, std::mem::take(&mut self.news)))?;
                    return Ok(self.told.clone());
                }
            }
        }
    }
}

impl Conversation for Table {
    fn call(&mut self, method: &str, given: Value, _: &Budget) -> Result<Value, Failure> {
        match method {
            "advance" => self.advance(),
            "look" => Ok(self.told.clone()),
            "play" => {
                let text: String = arguments(given)?;
                let card = text.parse::<Card>().ok().filter(|card| self.legal.contains(&card.to_string()));
                let card = card.ok_or_else(|| {
                    Failure::request(format!("`{text}` may not be played; legal: {}", self.legal.join(" ")))
                })?;
                let seat = self.session.public().turn();
                let choice = self.session.play(card);
                self.news.push(CardPlayed::new(seat, choice.card, choice.why));
                self.advance()
            }
            other => Err(unknown(other)),
        }
    }
}
