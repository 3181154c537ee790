//! Problems as JSON lines: a belief state, or a history that leads to one, and how deep to look for a mate.

use serde::Deserialize;
use serde_json::Value;

use crate::KriegEvent;
use crate::chess::{Board, FenError};
use crate::problem::{BeliefError, check_belief};
use crate::steps::{self, Step, StepError};

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

/// Why a line is no problem.
#[derive(Debug, thiserror::Error)]
pub enum ProblemError {
    /// It is no JSON object of the right form.
    #[error("{0}")]
    Json(#[from] serde_json::Error),
    /// It has no depth.
    #[error("`depth` is missing: within how many moves of both sides?")]
    NoDepth,
    /// Its depth is even.
    #[error("depth {0} is even: the last move is the solver's, so it is odd")]
    EvenDepth(u64),
    /// Its depth is no number, or out of range.
    #[error("depth {0}: it is an odd number from 1 to 199")]
    Depth(Value),
    /// It has no history.
    #[error("`root_fen` and `history` are needed with --interleave")]
    NoHistory,
    /// A position cannot be read.
    #[error("position {index}: {error}")]
    Position {
        /// Which one, from one.
        index: usize,
        /// What is wrong with it.
        error: FenError,
    },
    /// A step of the history makes no sense.
    #[error("{0}")]
    Step(#[from] StepError),
    /// The history ends before the solver's turn.
    #[error("after the history it is the other side's turn")]
    OtherTurn,
    /// The positions are no belief state.
    #[error("{0}")]
    Belief(#[from] BeliefError),
}

/// Whether a mate within so many plies can be asked for: an odd number from 1 to 199, since the last move is the solver's.
pub fn is_depth(depth: usize) -> bool {
    depth % 2 == 1 && depth < 200
}

impl Problem {
    /// A mate within `depth` plies in all of some positions, given as FEN.
    ///
    /// # Errors
    /// What is wrong with the positions or the depth.
    pub fn of_fens(fens: &[&str], depth: usize) -> Result<Problem, ProblemError> {
        let belief = fens.iter().map(|&fen| fen.to_owned()).collect();
        let depth = Some(Value::from(depth));
        Line { id: None, belief, depth, root_fen: None, history: None }.problem(0, None, false)
    }

    /// Reads a JSON object with `belief` and `depth`.
    ///
    /// # Errors
    /// What is wrong with the text.
    pub fn read(line: &str) -> Result<Problem, ProblemError> {
        serde_json::from_str::<Line>(line)?.problem(0, None, false)
    }
}

impl Line {
    /// Makes sense of a line, or says why there is none. `depth` replaces what the line says; a history is read instead of
    /// the positions if `interleave`.
    pub fn problem(
        self,
        index: usize,
        depth: Option<usize>,
        interleave: bool,
    ) -> Result<Problem, ProblemError> {
        let depth = match (depth, self.depth) {
            (Some(depth), _) => depth,
            (None, None) => return Err(ProblemError::NoDepth),
            (None, Some(value)) => match value.as_u64() {
                Some(depth @ 1..=199) if is_depth(depth as usize) => depth as usize,
                Some(depth @ 1..=199) => return Err(ProblemError::EvenDepth(depth)),
                _ => return Err(ProblemError::Depth(value)),
            },
        };
        let id = self.id.unwrap_or_else(|| Value::from(index + 1));
        let read = |i: usize, fen: &str| {
            Board::from_fen(fen).map_err(|error| ProblemError::Position { index: i + 1, error })
        };
        if interleave {
            let (Some(root), Some(history)) = (self.root_fen, self.history) else {
                return Err(ProblemError::NoHistory);
            };
            let root = read(0, &root)?;
            let events = steps::events(&root, &history)?;
            if !steps::is_own_turn(&events) {
                return Err(ProblemError::OtherTurn);
            }
            return Ok(Problem { id, depth, source: Source::History(root, events) });
        }
        let mut belief = Vec::with_capacity(self.belief.len());
        for (i, fen) in self.belief.iter().enumerate() {
            belief.push(read(i, fen)?);
        }
        check_belief(&belief)?;
        Ok(Problem { id, depth, source: Source::Belief(belief) })
    }
}
