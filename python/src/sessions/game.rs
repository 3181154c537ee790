//! A position of a game, and a player that thinks about a match.

use std::time::Duration;

use counterplay::Budget;
use counterplay::game::{GamePlayer, GamePosition, PlayRequest};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Conversation, answer, arguments, unknown};
use crate::commands::{Source, game_rules};
use crate::failure::Failure;

/// A position, and those before it.
pub(super) struct Position {
    now: GamePosition,
    before: Vec<GamePosition>,
}

#[derive(Deserialize)]
struct Rules {
    rules: Source,
}

impl Position {
    pub(super) fn open(request: &str, budget: &Budget) -> Result<Position, Failure> {
        let Rules { rules } = serde_json::from_str(request)?;
        Ok(Position { now: GamePosition::new(&game_rules(&rules)?, budget)?, before: Vec::new() })
    }
}

impl Conversation for Position {
    fn call(&mut self, method: &str, given: Value, budget: &Budget) -> Result<Value, Failure> {
        match method {
            "state" => {}
            "make" => {
                let joint: Vec<String> = arguments(given)?;
                let mut next = self.now.clone();
                next.make(&joint, budget)?;
                self.before.push(std::mem::replace(&mut self.now, next));
            }
            "undo" => match self.before.pop() {
                Some(before) => self.now = before,
                None => return Err(Failure::request("no move was made yet")),
            },
            other => return Err(unknown(other)),
        }
        Ok(json!({
            "over": self.now.is_over(),
            "legal": self.now.legal_moves(),
            "fluents": self.now.fluents(),
            "rewards": self.now.rewards(),
            "made": self.before.len(),
        }))
    }
}

/// A player of one match.
pub(super) struct ThinkingPlayer {
    player: GamePlayer,
}

#[derive(Deserialize)]
struct PlayerRequest {
    rules: Source,
    role: String,
    #[serde(default)]
    options: PlayRequest,
}

impl ThinkingPlayer {
    pub(super) fn open(request: &str) -> Result<ThinkingPlayer, Failure> {
        let PlayerRequest { rules, role, options } = serde_json::from_str(request)?;
        // The player thinks as long as it lives: no limit of a single call applies to it, but that of memory.
        let budget = crate::limits::lasting();
        Ok(ThinkingPlayer { player: GamePlayer::new(&game_rules(&rules)?, &role, &options, budget)? })
    }

    /// The best move within some time, or earlier if it is proved or the caller stops.
    fn think(&self, seconds: f64, budget: &Budget) -> Result<Value, Failure> {
        let time = Duration::try_from_secs_f64(seconds)
            .map_err(|_| Failure::request(format!("`{seconds}` is no time in seconds")))?;
        answer(&self.player.best_move_within(time, budget)?)
    }
}

impl Conversation for ThinkingPlayer {
    fn call(&mut self, method: &str, given: Value, budget: &Budget) -> Result<Value, Failure> {
        match method {
            "best_move" => self.think(arguments(given)?, budget),
            "make" => {
                let joint: Vec<String> = arguments(given)?;
                self.player.make(&joint.iter().map(String::as_str).collect::<Vec<_>>())?;
                Ok(Value::Null)
            }
            "state" => Ok(json!({
                "over": self.player.is_over(),
                "legal": self.player.legal_moves(),
                "rewards": self.player.rewards(),
            })),
            other => Err(unknown(other)),
        }
    }
}
