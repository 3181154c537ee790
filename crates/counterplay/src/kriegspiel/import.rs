//! Problems from filtered Kriegspiel PGN, the format of the first checkmate database.

use counterplay_kriegspiel::chess::Board;
use counterplay_kriegspiel::pgn::{PgnError, PgnGame, read_games};
use counterplay_kriegspiel::steps::{self, Step};
use serde::Serialize;

/// A problem that was read from PGN. Its JSON form is a line of what `counterplay kriegspiel import` prints.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ImportedProblem {
    /// The `Event` of the game, or its number.
    pub id: String,
    /// The line of the text on which the game begins.
    pub line: usize,
    /// Where the history begins.
    pub root_fen: String,
    /// What was tried and heard.
    pub history: Vec<Step>,
    /// The positions that agree with the history, sorted.
    pub belief: Vec<String>,
    /// The number of these positions.
    pub size: usize,
    /// Within how many plies to mate.
    pub depth: usize,
}

/// Reads the games of a text as problems to mate within `depth` plies.
pub fn import(text: &str, depth: usize) -> Vec<Result<ImportedProblem, PgnError>> {
    let games = read_games(text).into_iter().enumerate();
    games.map(|(index, game)| game.map(|game| problem(&game, index, depth))).collect()
}

fn problem(game: &PgnGame, index: usize, depth: usize) -> ImportedProblem {
    let mut belief: Vec<String> = game.belief.iter().map(Board::to_string).collect();
    belief.sort_unstable();
    let event = game.tags.iter().find(|(name, _)| name == "Event").map(|(_, value)| value.clone());
    ImportedProblem {
        id: event.unwrap_or_else(|| format!("pgn-{:04}", index + 1)),
        line: game.line,
        root_fen: game.root.to_string(),
        history: steps::history(&game.root, &game.events),
        belief,
        size: game.belief.len(),
        depth,
    }
}
