//! The answer for people.

use std::fmt::Write as _;

use counterplay_base::Verdict;
use counterplay_go::solve::Tier;
use counterplay_go::{Move, diagram};

use super::answer::{Answer, ResultClass};
use crate::figures::count;

impl Answer {
    /// The question, the board with the main line numbered, the move with its evidence, and what the search did.
    pub fn text(&self) -> String {
        let (problem, solution) = (&self.problem, &self.solution);
        let mut text = format!("{} to move: {} the group at {}\n\n", problem.to_move, self.goal, self.target);
        let mut marks = vec![(problem.target, '@')];
        let numbers = solution.line.iter().zip('1'..='9').filter_map(|(action, number)| match action {
            Move::Play(point) if problem.board.is_empty(*point) => Some((*point, number)),
            _ => None,
        });
        marks.extend(numbers);
        text += &diagram::diagram(&problem.board, &marks);
        text.push('\n');
        let evidence = self.evidence.sentence();
        let _ = match &self.action {
            Some(action) => {
                let result = match self.result {
                    ResultClass::Clean | ResultClass::None => "",
                    ResultClass::Ko => ", by winning a ko",
                    ResultClass::Seki => ", in seki",
                };
                writeln!(text, "{action}{result} ({evidence})")
            }
            None if self.verdict == Verdict::Unsolvable => writeln!(text, "there is no way ({evidence})"),
            None if self.tier == Tier::Region => writeln!(text, "no move was found ({evidence})"),
            None => writeln!(text, "no answer was found"),
        };
        if self.line.len() > 1 {
            let _ = writeln!(text, "line: {}", self.line.join(" "));
        }
        for reason in &self.why {
            let _ = writeln!(text, "  {reason}");
        }
        if self.settled == Some(true) && self.verdict == Verdict::Solved(()) {
            let _ = writeln!(
                text,
                "  nothing depends on the move: it is the same if {} moves first",
                problem.to_move.other()
            );
        }
        for first in self.moves.iter().flatten().chain(&self.tried) {
            let _ = writeln!(text, "{}", first.text());
        }
        let _ = writeln!(
            text,
            "{} tried, {}, {} sampled",
            count(self.moves_tried, "move"),
            count(self.cycles, "planning cycle"),
            count(self.sampled, "continuation")
        );
        text
    }
}
