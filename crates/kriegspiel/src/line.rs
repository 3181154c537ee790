//! Problems as JSON lines: a belief state, or a history that leads to one, and how deep to look for a mate.

use serde::Deserialize;
use serde_json::Value;

use crate::KriegEvent;
use crate::chess::Board;
use crate::problem::check_belief;
use crate::steps::{self, Step};

/// A line of a file; other fields are ignored.
#[derive(Clone, Debug, Deserialize)]
pub struct Line {
    /// A name for the problem.
    pub id: Option<Value>,
    /// The positions of the belief state, as FEN.
    #[serde(default)]
    pub belief: Vec<String>,
    /// Within how many moves of both sides.
    pub depth: Option<Value>,
    /// Where the history begins.
    pub root_fen: Option<String>,
    /// What happened since.
    pub history: Option<Vec<Step>>,
}

/// A problem that makes sense.
#[derive(Clone, Debug)]
pub struct Problem {
    /// Its name, or its number in the file.
    pub id: Value,
    /// Within how many moves of both sides: an odd number below 200.
    pub depth: usize,
    /// The positions, or where they come from.
    pub source: Source,
}

/// Where the positions of a belief state come from.
#[derive(Clone, Debug)]
pub enum Source {
    /// They are listed.
    Belief(Vec<Board>),
    /// They are those that agree with a history.
    History(Board, Vec<KriegEvent>),
}

impl Line {
    /// Makes sense of a line, or says why there is none. `depth` replaces what the line says; a history is read instead of
    /// the positions if `interleave`.
    pub fn problem(self, index: usize, depth: Option<usize>, interleave: bool) -> Result<Problem, String> {
        let depth = match (depth, self.depth) {
            (Some(depth), _) => depth,
            (None, None) => return Err("`depth` is missing: within how many moves of both sides?".to_owned()),
            (None, Some(value)) => match value.as_u64() {
                Some(depth @ 1..=199) if depth % 2 == 1 => depth as usize,
                Some(depth @ 1..=199) => {
                    return Err(format!(
                        "depth {depth} is even: the last move is the solver's, so it is odd"
                    ));
                }
                _ => return Err(format!("depth {value}: it is an odd number from 1 to 199")),
            },
        };
        let id = self.id.unwrap_or_else(|| Value::from(index + 1));
        let read = |i: usize, fen: &str| {
            Board::from_fen(fen).map_err(|error| format!("position {}: {error}", i + 1))
        };
        if interleave {
            let (Some(root), Some(history)) = (self.root_fen, self.history) else {
                return Err("`root_fen` and `history` are needed with --interleave".to_owned());
            };
            let root = read(0, &root)?;
            let events = steps::events(&root, &history).map_err(|error| error.to_string())?;
            if !steps::is_own_turn(&events) {
                return Err("after the history it is the other side's turn".to_owned());
            }
            return Ok(Problem { id, depth, source: Source::History(root, events) });
        }
        let mut belief = Vec::with_capacity(self.belief.len());
        for (i, fen) in self.belief.iter().enumerate() {
            belief.push(read(i, fen)?);
        }
        check_belief(&belief).map_err(|error| error.to_string())?;
        Ok(Problem { id, depth, source: Source::Belief(belief) })
    }
}
