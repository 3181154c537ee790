//! Go: life and death.

use counterplay::go::{self, Problem, Request};
use serde::Deserialize;

use super::{Context, Done, Outcome, Source};
use crate::failure::Failure;

/// A game of an SGF text, and how its problem is solved.
#[derive(Debug, Deserialize)]
pub(super) struct Asked {
    sgf: Source,
    /// Counted from zero.
    game: usize,
    target: Option<String>,
    /// Whether every first move is rated.
    #[serde(default)]
    moves: bool,
    /// A first move to be tried.
    #[serde(rename = "try")]
    attempt: Option<String>,
    #[serde(default)]
    options: Request,
}

pub(super) fn solve(asked: &Asked, context: &Context<'_>) -> Done {
    let problem = Problem::of_game(&asked.sgf.text, asked.game, asked.target.as_deref())
        .map_err(|error| Failure::input(error, &asked.sgf.name, None))?;
    let mut answer = go::solve(&problem, &asked.options, context.budget, context.progress)?;
    if asked.moves {
        answer.rate_moves(&asked.options, context.budget);
    }
    if let Some(vertex) = &asked.attempt {
        answer.try_move(vertex, &asked.options, context.budget)?;
    }
    Ok(Outcome::new(&answer)?
        .with("text", answer.text())
        .with("file", answer.sgf())
        .with("svg", answer.board_svg())
        .with("tree_svg", answer.tree_svg()))
}
