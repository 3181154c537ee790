//! Kriegspiel.

use counterplay::kriegspiel::{
    self, DatabaseRow, GameRequest, GameSession, GenerateRequest, Generation, Generator, History, Line,
    Picture, Problem, Proof, Request, Turn,
};
use counterplay::{Limit, Report, Verdict};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Context, Done, Outcome, Source};
use crate::failure::Failure;

/// A belief state, or a history that leads to one, and how a mate is looked for.
#[derive(Debug, Deserialize)]
pub(super) struct Asked {
    problem: Line,
    /// Whether the positions come from the history instead of the list.
    #[serde(default)]
    interleave: bool,
    #[serde(default)]
    options: Request,
    picture: Option<Picture>,
}

fn problem(asked: Line, interleave: bool) -> Result<Problem, Failure> {
    asked.problem(0, None, interleave).map_err(|error| Failure::input(error, "belief state", None))
}

pub(super) fn solve(asked: Asked, context: &Context<'_>) -> Done {
    let problem = problem(asked.problem, asked.interleave)?;
    let answer = kriegspiel::solve(&problem, &asked.options, context.budget, context.progress)?;
    let walked = match (&answer.proof, &problem.source) {
        (Some(Proof::Tree(tree)), kriegspiel::Source::Belief(positions)) => {
            let positions: Vec<String> = positions.iter().map(ToString::to_string).collect();
            Some(serde_json::to_string(&kriegspiel::walk(tree, &positions))?)
        }
        _ => None,
    };
    let board = kriegspiel::picture("belief state", &problem, Picture::Board, context.budget);
    Ok(Outcome::new(&answer)?.with("text", answer.text()).with("svg", board.solved()).with("beliefs", walked))
}

pub(super) fn picture(asked: Asked, context: &Context<'_>) -> Done {
    let problem = problem(asked.problem, asked.interleave)?;
    let wanted = asked.picture.unwrap_or(Picture::Board);
    match kriegspiel::picture("belief state", &problem, wanted, context.budget) {
        Verdict::Solved(svg) => Ok(Outcome::new(&Value::Null)?.with("svg", svg)),
        Verdict::Unsolvable => {
            Err(Failure::request("there is no mate within the depth, and so no proof tree"))
        }
        Verdict::Stopped(limit) => Err(limit.into()),
    }
}

/// A history, and whether its last positions are listed.
#[derive(Debug, Deserialize)]
pub(super) struct Estimated {
    history: History,
    list: bool,
}

pub(super) fn estimate(asked: &Estimated, context: &Context<'_>) -> Done {
    let found = kriegspiel::estimate(&asked.history, 0, asked.list, context.budget, context.progress);
    let answer = found.map_err(|error| match error {
        kriegspiel::HistoryError::Limit(limit) => limit.into(),
        other => Failure::input(other, "history", None),
    })?;
    Ok(Outcome::new(&answer)?.with("text", answer.text()))
}

/// What is wanted, and rows of earlier runs.
#[derive(Debug, Deserialize)]
pub(super) struct Generated {
    options: GenerateRequest,
    /// Rows that are known, and not made again.
    #[serde(default)]
    known: Vec<DatabaseRow>,
    /// Rows whose near misses are asked again at the depth that is wanted now, instead of playing games.
    from: Option<Vec<DatabaseRow>>,
}

pub(super) fn generate(asked: Generated, context: &Context<'_>) -> Done {
    let Generated { options: request, known, from } = asked;
    if !kriegspiel::is_depth(request.depth) {
        return Err(Failure::request("`depth` is an odd number from 1 to 199"));
    }
    let mut generator = request.generator();
    known.iter().for_each(|row| generator.resume(row));
    let mut rows = Vec::new();
    let ended = match from {
        Some(known) => ask_again(&mut generator, known, &mut rows, context)?,
        None => play_games(&mut generator, &mut rows, context),
    };
    let verdict = ended.map_or_else(Verdict::Stopped, Verdict::Solved);
    let counts = Generation::new(verdict, generator.counts());
    Ok(Outcome::new(&json!({"counts": counts, "rows": rows}))?.with("summary", counts.text()))
}

/// Plays games until there are enough problems, or a limit is reached.
fn play_games(
    generator: &mut Generator,
    rows: &mut Vec<DatabaseRow>,
    context: &Context<'_>,
) -> Result<(), Limit> {
    while let Some(more) = generator.next_game(context.budget)? {
        rows.extend(more);
        context.progress.report(Report { phase: "games", counts: &[("problems", rows.len() as f64)] });
    }
    Ok(())
}

/// Asks the near misses among known rows again, until a limit is reached.
fn ask_again(
    generator: &mut Generator,
    known: Vec<DatabaseRow>,
    rows: &mut Vec<DatabaseRow>,
    context: &Context<'_>,
) -> Result<Result<(), Limit>, Failure> {
    for row in known {
        let asked = generator.ask_again(row, context.budget);
        match asked.map_err(|error| Failure::input(error, "problems", None))? {
            Ok(row) => rows.extend(row),
            Err(limit) => return Ok(Err(limit)),
        }
    }
    Ok(Ok(()))
}

/// PGN, and how deep to look for mates.
#[derive(Debug, Deserialize)]
pub(super) struct Imported {
    pgn: Source,
    depth: usize,
}

pub(super) fn import(asked: &Imported) -> Done {
    let read = kriegspiel::import(&asked.pgn.text, asked.depth).into_iter();
    let fail = |error: &dyn std::fmt::Display| Failure::input(error, &asked.pgn.name, None);
    let problems = read.map(|one| one.map_err(|error| fail(&error))).collect::<Result<Vec<_>, _>>()?;
    Outcome::new(&problems)
}

/// A game between programs.
pub(super) fn play(request: &GameRequest, context: &Context<'_>) -> Done {
    let mut session = GameSession::new(request).map_err(|error| Failure::input(error, "position", None))?;
    let mut text = String::new();
    while session.turn() == Turn::Program {
        context.budget.check()?;
        if let Some(attempt) = session.play(context.budget) {
            text += &attempt.text();
        }
        context.progress.begin("playing");
    }
    if session.turn() == Turn::Person {
        return Err(Failure::request("a game between programs has no person: use `KriegspielGame`"));
    }
    text += &session.result_text();
    let [white, black] = [request.white, request.black].map(|kind| format!("{kind:?}"));
    let pgn = session.pgn([&white, &black], None);
    Ok(Outcome::new(&session.record())?.with("text", text).with("pgn", pgn))
}
