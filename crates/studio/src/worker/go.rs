//! Go.

use counterplay::go::{Problem, Request, position, solve};
use counterplay::{Error, Halt};
use serde_json::json;

use super::Desk;
use super::task::GoMoves;

impl Desk<'_> {
    pub(super) fn go_position(&self, asked: &GoMoves) -> Result<(), Halt> {
        self.answer(&position(&asked.sgf, &asked.moves)?);
        Ok(())
    }

    pub(super) fn go_solve(&self, asked: &GoMoves, request: &Request) -> Result<(), Halt> {
        let refuse =
            |error: counterplay::go::SgfError| Error::Request { message: error.to_string(), help: None };
        let problem = Problem::read(&asked.sgf).map_err(refuse)?.after(&asked.moves)?;
        let answer = solve(&problem, request, self.budget, self.report)?;
        self.report.flush();
        self.output.put(&json!({"answer": answer, "sgf": answer.sgf(), "svg": answer.board_svg()}));
        Ok(())
    }
}
