//! A game of Kriegspiel with its referee.

use counterplay::Budget;
use counterplay::kriegspiel::{GameRequest, GameSession, Turn};
use serde_json::{Value, json};

use super::{Conversation, answer, arguments, unknown};
use crate::failure::Failure;

/// A game in progress.
pub(super) struct Match {
    session: GameSession,
}

impl Match {
    pub(super) fn open(request: &str) -> Result<Match, Failure> {
        let request: GameRequest = serde_json::from_str(request)?;
        let session = GameSession::new(&request).map_err(|error| Failure::input(error, "position", None))?;
        Ok(Match { session })
    }

    fn attempt(&mut self, text: &str) -> Result<Value, Failure> {
        if self.session.turn() != Turn::Person {
            return Err(Failure::request("it is not your turn"));
        }
        let wanted =
            text.parse().map_err(|_| Failure::request(format!("`{text}` is no move such as `e2e4`")))?;
        let attempt = self.session.attempt(wanted);
        Ok(json!({"by": attempt.by.letter().to_string(), "try": text, "said": attempt.said.to_string()}))
    }
}

impl Conversation for Match {
    fn call(&mut self, method: &str, given: Value, budget: &Budget) -> Result<Value, Failure> {
        match method {
            "turn" => Ok(Value::from(match self.session.turn() {
                Turn::Person => "you",
                Turn::Program => "program",
                Turn::Over => "over",
            })),
            "prompt" => answer(&self.session.try_wanted()),
            "attempt" => self.attempt(&arguments::<String>(given)?),
            "reply" => {
                let played = self.session.play(budget);
                let attempt = played.ok_or_else(|| Failure::request("it is not the program's turn"))?;
                let shown = (!attempt.is_secret).then(|| attempt.attempt.to_string());
                Ok(json!({
                    "by": attempt.by.letter().to_string(), "try": shown, "said": attempt.said.to_string()
                }))
            }
            "record" => answer(&self.session.record()),
            "pgn" => {
                let [white, black]: [String; 2] = arguments(given)?;
                Ok(Value::from(self.session.pgn([&white, &black], None)))
            }
            other => Err(unknown(other)),
        }
    }
}
