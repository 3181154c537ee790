//! General games.

use std::time::Duration;

use counterplay::Halt;
use counterplay::game::{self, GamePlayer, GameRules, PlayRequest, SolveRequest};
use serde_json::json;

use super::Desk;
use super::task::GameMoves;

/// A program thinks no longer than this about a move.
const LONGEST: f64 = 60.0;

fn thinking(seconds: f64) -> Duration {
    Duration::from_secs_f64(if seconds.is_finite() { seconds.clamp(0.05, LONGEST) } else { 1.0 })
}

fn rules(text: &str) -> Result<GameRules, Halt> {
    Ok(GameRules::read("rules", text)?)
}

impl Desk<'_> {
    pub(super) fn game_read(&self, text: &str) -> Result<(), Halt> {
        self.answer(&game::outline(&rules(text)?, self.budget, self.report)?);
        Ok(())
    }

    pub(super) fn game_position(&self, asked: &GameMoves) -> Result<(), Halt> {
        self.answer(&game::position(&rules(&asked.rules)?, &asked.moves, self.budget)?);
        Ok(())
    }

    pub(super) fn game_move(
        &self,
        asked: &GameMoves,
        role: usize,
        seconds: f64,
        request: &PlayRequest,
    ) -> Result<(), Halt> {
        let rules = rules(&asked.rules)?;
        let names = rules.roles();
        let name = names.get(role).copied().unwrap_or_default();
        let mut player = GamePlayer::new(&rules, name, request, self.budget.clone())?;
        for joint in &asked.moves {
            let joint: Vec<&str> = joint.iter().map(String::as_str).collect();
            player.make(&joint)?;
        }
        let chosen = player.best_move(thinking(seconds))?;
        self.answer(&chosen);
        Ok(())
    }

    pub(super) fn game_analyse(&self, asked: &GameMoves, role: usize, seconds: f64) -> Result<(), Halt> {
        let rules = rules(&asked.rules)?;
        let mut last = None;
        game::analyse(
            &rules,
            &asked.moves,
            role,
            thinking(seconds),
            self.budget,
            self.report,
            &mut |found| {
                self.output.put(&json!({"analysis": found}));
                last = Some(found);
            },
        )?;
        self.answer(&last);
        Ok(())
    }

    pub(super) fn game_solve(&self, text: &str, request: &SolveRequest) -> Result<(), Halt> {
        let answer = game::solve(&rules(text)?, request, None, self.budget, self.report)?;
        self.answer_with_picture(&answer);
        Ok(())
    }
}
