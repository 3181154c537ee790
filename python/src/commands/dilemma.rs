//! Repeated games with noise.

use counterplay::dilemma::{self, MatchRequest, Players, RoshamboRequest, Standing, TournamentRequest};
use counterplay_syntax::Sources;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Context, Done, Outcome, Source};
use crate::failure::Failure;

/// Who plays, and players that learn a model with conditions of the caller's own.
#[derive(Debug, Deserialize)]
pub(super) struct Asked<T> {
    #[serde(default)]
    conditions: Vec<Source>,
    #[serde(default)]
    options: T,
}

/// The players of the caller's own: Python objects, and models with conditions.
fn players(conditions: &[Source], context: &Context<'_>) -> Result<Players, Failure> {
    let mut players = context.players.entrants();
    for source in conditions {
        let mut sources = Sources::default();
        let file = sources.add(&source.name, &source.text);
        players = players.with_conditions(&source.name, sources, file)?;
    }
    Ok(players)
}

pub(super) fn play_match(asked: &Asked<MatchRequest>, context: &Context<'_>) -> Done {
    let players = players(&asked.conditions, context)?;
    let answer = dilemma::play_match(&players, &asked.options, context.budget, context.progress)?;
    Ok(Outcome::new(&answer)?.with("text", answer.text()))
}

/// Who has played, the best mean first.
fn ranked(standings: &[Standing]) -> Vec<Value> {
    let mut best: Vec<(f64, &Standing)> = standings.iter().filter_map(|one| Some((one.mean?, one))).collect();
    best.sort_by(|a, b| b.0.total_cmp(&a.0));
    let row =
        |(mean, one): (f64, &Standing)| json!({"strategy": one.name, "mean": mean, "matches": one.matches});
    best.into_iter().map(row).collect()
}

pub(super) fn tournament(asked: &Asked<TournamentRequest>, context: &Context<'_>) -> Done {
    let players = players(&asked.conditions, context)?;
    let tell = |standings: &[Standing]| {
        if let Some(reporter) = context.reporter {
            reporter.found("standings", &ranked(standings));
        }
    };
    let Context { budget, progress, .. } = *context;
    let answer = dilemma::tournament_telling(&players, &asked.options, budget, progress, &tell)?;
    Ok(Outcome::new(&answer)?
        .with("text", answer.text())
        .with("svg", answer.ranking_picture())
        .with("heat_map", answer.heat_map())
        .with("ecology_svg", answer.ecology_picture())
        .with("csv", answer.results.ranking_csv()))
}

pub(super) fn roshambo(request: &RoshamboRequest, context: &Context<'_>) -> Done {
    let answer = dilemma::play_roshambo(request, context.budget, context.progress)?;
    Ok(Outcome::new(&answer)?.with("text", answer.text()))
}
