//! A strategy that is asked turn by turn, and a match against one.

use counterplay::Budget;
use counterplay::dilemma::{MatchRules, Move, Players, Session, SessionAnswer, SteppedStrategy};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Conversation, answer, arguments, unknown};
use crate::failure::Failure;

#[derive(Deserialize)]
struct Request {
    strategy: String,
    #[serde(default)]
    rules: MatchRules,
    #[serde(default)]
    seed: u64,
}

fn read_move(text: &str) -> Result<Move, Failure> {
    match text {
        "C" | "c" => Ok(Move::C),
        "D" | "d" => Ok(Move::D),
        other => Err(Failure::request(format!("`{other}` is neither C nor D"))),
    }
}

/// A strategy in a match that the caller runs.
pub(super) struct Player {
    strategy: SteppedStrategy,
}

impl Player {
    pub(super) fn open(request: &str) -> Result<Player, Failure> {
        let Request { strategy, rules, seed } = serde_json::from_str(request)?;
        Ok(Player { strategy: SteppedStrategy::new(&Players::default(), &strategy, &rules, seed)? })
    }
}

impl Conversation for Player {
    fn call(&mut self, method: &str, given: Value, _: &Budget) -> Result<Value, Failure> {
        match method {
            // Tells the turns that were played since, and asks for the next move.
            "choose" => {
                let played: Vec<(String, String)> = arguments(given)?;
                for (own, other) in &played {
                    self.strategy.record(read_move(own)?, read_move(other)?);
                }
                let chosen = self.strategy.choose().map_err(|fault| Failure::request(fault.why))?;
                Ok(Value::from(chosen.to_string()))
            }
            other => Err(unknown(other)),
        }
    }
}

/// A match of the caller against a strategy.
pub(super) struct Match {
    session: Session,
    strategy: String,
}

impl Match {
    pub(super) fn open(request: &str) -> Result<Match, Failure> {
        let Request { strategy, rules, seed } = serde_json::from_str(request)?;
        let entrant = Players::default().find(&strategy)?;
        let strategy = entrant.name.clone();
        Ok(Match { session: Session::new(&entrant, rules.decide()?, seed), strategy })
    }
}

impl Conversation for Match {
    fn call(&mut self, method: &str, given: Value, _: &Budget) -> Result<Value, Failure> {
        match method {
            "play" => {
                let intended = read_move(&arguments::<String>(given)?)?;
                let turn = self.session.turn(intended).map_err(|fault| Failure::request(fault.why))?;
                Ok(json!({"moves": turn.moves.map(|one| one.to_string()), "gains": turn.gains}))
            }
            "advice" => {
                let (beliefs, advice) = self.session.advice();
                Ok(json!({"move": advice.to_string(), "beliefs": beliefs.map(|beliefs| beliefs.lines)}))
            }
            "score" => answer(&SessionAnswer::new(&self.session, &self.strategy)),
            other => Err(unknown(other)),
        }
    }
}
