//! The place where people watch and play a match: a terminal, or a program that talks in lines of JSON.

use std::io::{self, BufRead};

use counterplay_gamehost::manager::{Console, MatchRecord, board};
use counterplay_gdl::message::terms;
use counterplay_ggp::play::Referee;
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::output;

/// A terminal.
pub(super) struct Terminal {
    /// Whether moves are shown.
    pub(super) shows_moves: bool,
    /// Whether positions are shown.
    pub(super) shows_positions: bool,
    /// The fluents that may come up, for the size of boards; none if they are not known.
    pub(super) fluents: Vec<String>,
}

impl Terminal {
    fn position(&self, referee: &Referee) -> io::Result<()> {
        match self.shows_positions {
            true => written(output::answer(&board::show_among(&referee.fluents(), &self.fluents))),
            false => Ok(()),
        }
    }
}

impl Console for Terminal {
    fn begin(&self, referee: &Referee) -> io::Result<()> {
        self.position(referee)
    }

    fn moved(&self, record: &MatchRecord, referee: &Referee) -> io::Result<()> {
        if self.shows_moves {
            written(output::answer(&record.step(record.moves.len() - 1)))?;
        }
        self.position(referee)
    }

    fn end(&self, _: &MatchRecord, _: &Referee) -> io::Result<()> {
        Ok(())
    }

    fn ask(&self, role: usize, record: &MatchRecord, referee: &Referee) -> Option<String> {
        let legal = legal_moves(role, referee);
        let list: Vec<String> =
            legal.iter().enumerate().map(|(at, text)| format!("{:>3} {text}", at + 1)).collect();
        let mut question = format!("{}, your moves:\n{}\n", record.roles[role], list.join("\n"));
        loop {
            question.push_str("number or move, q to stop: ");
            output::answer(&question).ok()?;
            let line = line()?;
            let line = line.trim();
            if line.eq_ignore_ascii_case("q") {
                return None;
            }
            let by_number = line.parse::<usize>().ok().and_then(|at| legal.get(at.wrapping_sub(1)).cloned());
            if let Some(text) = by_number.or_else(|| legal_move(role, line, referee)) {
                return Some(text);
            }
            question = format!("`{line}` is not among your moves\n");
        }
    }
}

/// A program in the place of a person: JSON objects on lines, and lines of text back.
pub(super) struct JsonLines;

impl Console for JsonLines {
    fn begin(&self, _: &Referee) -> io::Result<()> {
        Ok(())
    }

    fn moved(&self, _: &MatchRecord, _: &Referee) -> io::Result<()> {
        Ok(())
    }

    fn end(&self, record: &MatchRecord, referee: &Referee) -> io::Result<()> {
        let rewards: Vec<_> = referee.goals().iter().map(|goal| goal.unwrap_or(0)).collect();
        let mut news = position(record, referee);
        news["rewards"] = json!(rewards);
        written(output::json(&news))
    }

    fn ask(&self, role: usize, record: &MatchRecord, referee: &Referee) -> Option<String> {
        let mut question = position(record, referee);
        question["waiting"] = json!(true);
        question["role"] = json!(record.roles[role]);
        question["legal"] = json!(legal_moves(role, referee));
        loop {
            output::json(&question).ok()?;
            if let Some(text) = legal_move(role, line()?.trim(), referee) {
                return Some(text);
            }
        }
    }
}

/// How the match stands: the roles, the position, and all steps with the way each move was found.
fn position(record: &MatchRecord, referee: &Referee) -> Value {
    let steps = record.moves.iter().zip(&record.ways);
    let steps: Vec<Value> = steps.map(|(moves, ways)| json!({"moves": moves, "ways": ways})).collect();
    json!({"roles": record.roles, "board": board::show(&referee.fluents()), "steps": steps})
}

fn legal_moves(role: usize, referee: &Referee) -> Vec<String> {
    referee.legal(role).iter().map(|&own| referee.display(own)).collect()
}

/// The legal move that a line names; the outer brackets may be left out.
fn legal_move(role: usize, line: &str, referee: &Referee) -> Option<String> {
    let find = |text: &str| terms(referee.rules(), text).and_then(|term| referee.find(role, &term));
    find(line).or_else(|| find(&format!("({line})"))).map(|own| referee.display(own))
}

/// A line of standard input; `None` at its end.
fn line() -> Option<String> {
    let mut line = String::new();
    match io::stdin().lock().read_line(&mut line) {
        Ok(0) | Err(_) => None,
        Ok(_) => Some(line),
    }
}

/// A match knows no failures of the command line, only what the system says.
fn written(result: Result<(), Failure>) -> io::Result<()> {
    result.map_err(|failure| match failure {
        Failure::Write { error, .. } => error,
        _ => io::Error::other("the answer cannot be written"),
    })
}
