//! Kriegspiel.

use counterplay::kriegspiel::chess::Move;
use counterplay::kriegspiel::{GameRequest, GameSession, Problem, Request, Turn, positions, solve};
use counterplay::{Error, Halt};
use serde_json::json;

use super::{Desk, STOP};

fn refuse(error: &dyn std::fmt::Display) -> Error {
    Error::Request { message: error.to_string(), help: None }
}

impl Desk<'_> {
    pub(super) fn kriegspiel_solve(&self, line: &str, request: &Request) -> Result<(), Halt> {
        let problem = Problem::read(line).map_err(|error| refuse(&error))?;
        let positions = positions(&problem)?;
        let answer = solve(&problem, request, self.budget, self.report)?;
        self.report.flush();
        self.output.put(&json!({"answer": answer, "positions": positions}));
        Ok(())
    }

    /// Plays a game: an event `waiting` for each try that is wanted from the person, and `over` at the end.
    pub(super) fn kriegspiel_play(&self, request: &GameRequest) -> Result<(), Halt> {
        let mut session = GameSession::new(request).map_err(|error| refuse(&error))?;
        loop {
            match session.turn() {
                Turn::Over => break,
                Turn::Program => {
                    self.budget.check()?;
                    session.play(self.budget);
                }
                Turn::Person => {
                    self.output.put(&json!({"waiting": session.try_wanted()}));
                    let Some(attempt) = self.next_try() else {
                        let (ending, record) = (session.ending(), session.record());
                        self.output.put(&json!({"over": ending, "resigned": true, "record": record}));
                        return Ok(());
                    };
                    session.attempt(attempt);
                }
            }
        }
        self.output.put(&json!({"over": session.ending(), "record": session.record()}));
        Ok(())
    }

    /// What the person tries next; `None` if the person resigns. Lines that are no move are passed over.
    fn next_try(&self) -> Option<Move> {
        for line in &self.lines {
            if line == STOP || line == "resign" {
                return None;
            }
            if let Ok(attempt) = line.parse() {
                return Some(attempt);
            }
        }
        None
    }
}
