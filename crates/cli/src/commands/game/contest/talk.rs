//! A program in the place of a person: JSON objects on lines, and lines of text back.

use std::io::{self, BufRead};

use counterplay_ggp::play::Referee;
use serde_json::{Value, json};

use super::board;
use super::course::{Answer, Problem};
use super::record::Record;
use crate::commands::game::protocol::terms;
use crate::output;

/// How the match stands: the roles, the position, and all steps with the way each move was found.
pub(super) fn position(record: &Record, referee: &Referee) -> Value {
    let steps = record.moves.iter().zip(&record.ways);
    let steps: Vec<Value> = steps.map(|(moves, ways)| json!({"moves": moves, "ways": ways})).collect();
    json!({"roles": record.roles, "board": board::show(&referee.fluents()), "steps": steps})
}

/// Asks for a move until it is legal; where there is only one, nobody is asked.
pub(super) fn ask(role: usize, record: &Record, referee: &Referee) -> Result<Answer, Problem> {
    let legal: Vec<String> = referee.legal(role).iter().map(|&own| referee.display(own)).collect();
    if let [only] = &legal[..] {
        return Ok(Answer { text: only.clone(), way: "Forced".to_owned() });
    }
    loop {
        let mut question = position(record, referee);
        question["waiting"] = json!(true);
        question["role"] = json!(record.roles[role]);
        question["legal"] = json!(legal);
        output::json(&question).map_err(|_| Problem::Leaves)?;
        let mut line = String::new();
        match io::stdin().lock().read_line(&mut line) {
            Ok(0) | Err(_) => return Err(Problem::Leaves),
            Ok(_) => {}
        }
        let found = terms(referee.rules(), line.trim()).and_then(|term| referee.find(role, &term));
        if let Some(own) = found {
            return Ok(Answer { text: referee.display(own), way: "person".to_owned() });
        }
    }
}
