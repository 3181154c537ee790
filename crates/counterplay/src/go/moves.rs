//! All first moves of a problem, and the refutation of one.

use counterplay_base::Budget;
use counterplay_go::solve::moves::{RatedMove, rate_move, rate_moves};
use counterplay_go::{Grid, Move};
use serde::Serialize;

use super::{Answer, Request, ResultClass};
use crate::error::Error;

/// What a first move leads to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FirstMove {
    /// The move.
    #[serde(rename = "move")]
    pub action: String,
    /// What it achieves; `none` if the other side refutes it. Whether a target that is kept has two eyes is left open.
    pub result: ResultClass,
    /// Whether that is proved for the whole board.
    pub proved: bool,
    /// What follows: the refutation, or the longest resistance against the move.
    pub line: Vec<String>,
}

impl FirstMove {
    fn new(grid: Grid, rated: RatedMove) -> FirstMove {
        FirstMove {
            action: grid.move_name(rated.action),
            result: ResultClass::from(rated.class),
            proved: rated.proved,
            line: rated.line.into_iter().map(|action| grid.move_name(action)).collect(),
        }
    }

    /// The move, what it achieves, and what follows.
    pub(super) fn text(&self) -> String {
        let result = match self.result {
            ResultClass::Clean => "succeeds",
            ResultClass::Ko => "leads to a ko",
            ResultClass::Seki => "leads to seki",
            ResultClass::None => "fails",
        };
        let proved = if self.proved { "proved" } else { "not proved" };
        let line = if self.line.is_empty() { String::new() } else { format!(": {}", self.line.join(" ")) };
        format!("{:4} {result} ({proved}){line}", self.action)
    }
}

impl Answer {
    /// Rates every first move in the region that was searched, the best first: clean before ko before failure, fewer moves before more.
    pub fn rate_moves(&mut self, request: &Request, budget: &Budget) {
        let (problem, grid) = (&self.problem, self.problem.board.grid());
        let rated = rate_moves(problem, &self.solution.region.points, &request.options(), budget);
        self.moves = Some(rated.into_iter().map(|rated| FirstMove::new(grid, rated)).collect());
    }

    /// Tries one first move, a vertex such as `C4` or `pass`, and tells what it leads to.
    ///
    /// # Errors
    /// A move that is not on the board or not legal.
    pub fn try_move(&mut self, vertex: &str, request: &Request, budget: &Budget) -> Result<(), Error> {
        let grid = self.problem.board.grid();
        let refuse = |why: &str| Error::Request { message: format!("{vertex}: {why}"), help: None };
        let action = match vertex.eq_ignore_ascii_case("pass") {
            true => Move::Pass,
            false => Move::Play(grid.parse(vertex).ok_or_else(|| refuse("there is no such point"))?),
        };
        let rated = rate_move(&self.problem, action, &request.options(), budget)
            .ok_or_else(|| refuse("the move is not legal"))?;
        self.tried = Some(FirstMove::new(grid, rated));
        Ok(())
    }
}
