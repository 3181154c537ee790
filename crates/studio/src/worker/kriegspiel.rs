//! Kriegspiel.

use counterplay::kriegspiel::chess::Move;
use counterplay::kriegspiel::{
    GameRequest, GameSession, PlayerKind, Problem, Proof, Request, Turn, positions, solve, walk,
};
use counterplay::{Error, Halt};
use serde_json::json;

use super::{Desk, STOP, drawn};

fn refuse(error: &dyn std::fmt::Display) -> Error {
    Error::Request { message: error.to_string(), help: None }
}

/// A player as a record names it.
fn name(kind: PlayerKind) -> &'static str {
    match kind {
        PlayerKind::You => "You",
        PlayerKind::Careful => "Counterplay, careful",
        PlayerKind::Expert => "Counterplay, expert",
        PlayerKind::Greedy => "Counterplay, greedy",
        PlayerKind::Rash => "Counterplay, rash",
        PlayerKind::Random => "Counterplay, random",
    }
}

impl Desk<'_> {
    pub(super) fn kriegspiel_solve(&self, line: &str, request: &Request) -> Result<(), Halt> {
        let problem = Problem::read(line).map_err(|error| refuse(&error))?;
        let positions = positions(&problem)?;
        let answer = solve(&problem, request, self.budget, self.report)?;
        let beliefs = match &answer.proof {
            Some(Proof::Tree(tree)) => Some(walk(tree, &positions)),
            _ => None,
        };
        self.report.flush();
        let svg = drawn(&answer);
        self.output.put(&json!({"answer": answer, "positions": positions, "beliefs": beliefs, "svg": svg}));
        Ok(())
    }

    /// Plays a game: an event `waiting` for each try that is wanted from the person, and `over` at the end.
    pub(super) fn kriegspiel_play(&self, request: &GameRequest) -> Result<(), Halt> {
        let mut session = GameSession::new(request).map_err(|error| refuse(&error))?;
        let names = [request.white, request.black].map(name);
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
                        let pgn = session.pgn(names, Some(session.color()));
                        self.output
                            .put(&json!({"over": ending, "resigned": true, "record": record, "pgn": pgn}));
                        return Ok(());
                    };
                    session.attempt(attempt);
                }
            }
        }
        let pgn = session.pgn(names, None);
        self.output.put(&json!({"over": session.ending(), "record": session.record(), "pgn": pgn}));
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
