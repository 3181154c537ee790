//! The position of a problem after some moves.

use counterplay_go::{Board, Color, Move, Problem as EngineProblem, sgf};
use serde::Serialize;

use super::{Problem, SgfError};
use crate::error::Error;

/// A board as a page draws it. Points are GTP vertices such as `C4`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GoPosition {
    pub width: usize,
    pub height: usize,
    /// The rows from the top: `X` for black, `O` for white, `.` for an empty point.
    pub rows: Vec<String>,
    /// The colour to move: `black` or `white`.
    pub to_move: String,
    /// The stone that the problem is about; null if it has been taken, or no problem was found in the position.
    pub target: Option<String>,
    /// What the player to move wants: `kill`, `save`, `connect` or `separate`; null without a target.
    pub goal: Option<String>,
    /// Points that the player to move may play.
    pub legal: Vec<String>,
    /// The point that a ko forbids.
    pub ko: Option<String>,
    /// How many stones the last move took.
    pub captured: usize,
    /// The name of the problem.
    pub title: String,
}

impl Problem {
    /// The problem after some moves, black and white in turn: the same target, and the other side to move after each. A vertex
    /// such as `C4`, or `pass`.
    ///
    /// # Errors
    /// A move that is not legal, or that takes the target.
    pub fn after(&self, moves: &[String]) -> Result<Problem, Error> {
        let EngineProblem { mut board, mut to_move, target, .. } = self.record.problem.clone();
        play(&mut board, &mut to_move, moves)?;
        let message = "the group that the problem is about has been taken".to_owned();
        let problem =
            EngineProblem::about(board, to_move, target).ok_or(Error::Request { message, help: None })?;
        let mut record = self.record.clone();
        record.problem = problem;
        record.solutions = Vec::new();
        Ok(Problem { record })
    }
}

/// Plays moves, and counts the stones that the last one took.
fn play(board: &mut Board, to_move: &mut Color, moves: &[String]) -> Result<usize, Error> {
    let mut captured = 0;
    for text in moves {
        let illegal = |why: &str| Error::Request { message: format!("{text}: {why}"), help: None };
        let action = match text.eq_ignore_ascii_case("pass") {
            true => Move::Pass,
            false => Move::Play(board.grid().parse(text).ok_or_else(|| illegal("there is no such point"))?),
        };
        if let Move::Play(point) = action {
            board.check(*to_move, point).map_err(|why| illegal(&why.to_string()))?;
        }
        captured = board.play(*to_move, action);
        *to_move = to_move.other();
    }
    Ok(captured)
}

/// The position of an SGF text after some moves. The text need not hold a problem.
///
/// # Errors
/// What is wrong with the text, or a move that is not legal.
pub fn position(text: &str, moves: &[String]) -> Result<GoPosition, Error> {
    let refuse = |error: SgfError| Error::Request { message: error.to_string(), help: None };
    let games = sgf::read(text).map_err(refuse)?;
    let root = games.first().ok_or_else(|| refuse(SgfError::NoGame(0)))?;
    let (mut board, mut to_move) = sgf::position(root).map_err(refuse)?;
    let record = sgf::read_problem(text, 0).ok();
    let title = record.as_ref().map(|record| record.title.clone()).unwrap_or_default();
    let mut target = None;
    if let Some(record) = record {
        (board, to_move) = (record.problem.board, record.problem.to_move);
        target = Some(record.problem.target);
    }
    let captured = play(&mut board, &mut to_move, moves)?;
    let problem = target.and_then(|target| EngineProblem::about(board.clone(), to_move, target));
    let grid = board.grid();
    let letter = |column, row| match grid.point(column, row).and_then(|point| board.cell(point).color()) {
        Some(Color::Black) => 'X',
        Some(Color::White) => 'O',
        None => '.',
    };
    Ok(GoPosition {
        width: grid.width(),
        height: grid.height(),
        rows: (0..grid.height())
            .map(|row| (0..grid.width()).map(|column| letter(column, row)).collect())
            .collect(),
        to_move: to_move.to_string().to_lowercase(),
        target: problem.as_ref().map(|problem| grid.name(problem.target)),
        goal: problem.as_ref().map(|problem| problem.goal.to_string()),
        legal: grid
            .points()
            .filter(|&point| board.check(to_move, point).is_ok())
            .map(|point| grid.name(point))
            .collect(),
        ko: board.ko().map(|point| grid.name(point)),
        captured,
        title,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::go::{Request, solve};
    use crate::{Budget, Silent};

    const THREE: &str = "(;SZ[7]PL[B]AW[ab][bb][cb][db][da]AB[ac][bc][cc][dc][ec][eb][ea]MA[bb])";

    #[test]
    fn a_wrong_move_is_refuted() {
        let problem = Problem::read(THREE).unwrap();
        let after = problem.after(&["A7".to_owned()]).unwrap();
        let answer = solve(&after, &Request::default(), &Budget::unlimited(), &Silent).unwrap();
        assert_eq!((answer.goal.as_str(), answer.action.as_deref()), ("save", Some("B7")));
    }

    #[test]
    fn a_position_tells_stones_and_legal_points() {
        let start = position(THREE, &[]).unwrap();
        assert_eq!((start.rows[1].as_str(), start.to_move.as_str()), ("OOOOX..", "black"));
        assert_eq!((start.target.as_deref(), start.goal.as_deref()), (Some("B6"), Some("kill")));
        assert!(start.legal.contains(&"B7".to_owned()) && !start.legal.contains(&"B6".to_owned()));
        assert!(position(THREE, &["B6".to_owned()]).is_err() && position("nonsense", &[]).is_err());
        let empty = position("(;SZ[9]PL[B])", &["E5".to_owned()]).unwrap();
        assert_eq!((empty.rows[4].as_str(), empty.target), ("....X....", None));
    }
}
