//! General games.

use counterplay::game::{self, GameRules, MatchRequest, PlayerKind, Seat, SimulateRequest, SolveRequest};
use counterplay_system::clock;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Context, Done, Outcome, Source};
use crate::failure::Failure;

/// The rules of a game, and what is asked about it.
#[derive(Debug, Deserialize)]
pub(super) struct Asked<T> {
    rules: Source,
    #[serde(default)]
    options: T,
    /// Who plays each role: names of players of the library, or of Python players.
    #[serde(default)]
    players: Vec<String>,
}

/// Reads rules.
pub(crate) fn rules(source: &Source) -> Result<GameRules, Failure> {
    Ok(GameRules::read(&source.name, &source.text)?)
}

/// The names of the roles, and whether a search can play.
pub(super) fn describe(asked: &Asked<super::planning::Empty>) -> Done {
    let rules = rules(&asked.rules)?;
    let perfect = rules.refuse_imperfect("read").is_ok();
    Outcome::new(&json!({"roles": rules.roles(), "perfect": perfect}))
}

pub(super) fn ground(asked: Asked<super::planning::Empty>, context: &Context<'_>) -> Done {
    let answer = game::ground(&rules(&asked.rules)?, context.budget, context.progress)?;
    Ok(Outcome::new(&answer)?.with("text", answer.text()).with("gdl", answer.game.to_gdl()))
}

pub(super) fn simulate(asked: Asked<SimulateRequest>, context: &Context<'_>) -> Done {
    let rules = rules(&asked.rules)?;
    let Context { budget, progress, .. } = *context;
    let answer = game::simulate(&rules, &asked.options, clock::thread_time, budget, progress)?;
    Ok(Outcome::new(&answer)?.with("text", answer.text()))
}

pub(super) fn solve(asked: Asked<SolveRequest>, context: &Context<'_>) -> Done {
    let rules = rules(&asked.rules)?;
    let answer = game::solve(&rules, &asked.options, None, context.budget, context.progress)?;
    Ok(Outcome::new(&answer)?.with("text", answer.text()))
}

pub(super) fn play_match(asked: Asked<MatchRequest>, context: &Context<'_>) -> Done {
    let rules = rules(&asked.rules)?;
    let seat = |name: &String| match context.players.contestant(name) {
        Some(own) => Ok(Seat::Own(Box::new(own))),
        None => serde_json::from_value::<PlayerKind>(Value::from(name.as_str())).map(Seat::BuiltIn).map_err(
            |_| Failure::request(format!("there is no player `{name}`: random, rules, uct or hybrid")),
        ),
    };
    let seats = asked.players.iter().map(seat).collect::<Result<Vec<_>, _>>()?;
    let answer = game::play_match(&rules, seats, &asked.options, context.budget, context.progress)?;
    Outcome::new(&answer)
}
