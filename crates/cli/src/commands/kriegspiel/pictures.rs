//! `counterplay kriegspiel show`: the belief state as a shaded board, the proof tree as a tree.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use counterplay::Verdict;
use counterplay::kriegspiel::chess::Board;
use counterplay::kriegspiel::{belief_svg, proof_svg};
use counterplay_belief::{Algorithm, solve};
use counterplay_kriegspiel::{Kriegspiel, check_belief};
use serde::Deserialize;
use serde_json::Value;

use crate::arguments::EXIT_CODES;
use crate::commands::kriegspiel::lines::Lines;
use crate::exit::Exit;
use crate::failure::{Failure, Halt};
use crate::output;
use crate::settings::Settings;

/// Draw a problem as SVG: what may stand where, or the proof tree
///
/// Example: counterplay kriegspiel show problems.jsonl --id kp-001 --picture tree > tree.svg
#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct ShowArguments {
    /// The problems, a JSON object on each line; `-` is standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Which problem [default: the first]
    #[arg(long, value_name = "ID")]
    id: Option<String>,

    /// What to draw
    #[arg(long, value_name = "WHAT", value_enum, default_value_t = Picture::Board)]
    picture: Picture,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Picture {
    /// The board: own men, and shades where men of the other side may stand.
    Board,
    /// The proof tree.
    Tree,
}

#[derive(Deserialize)]
struct Line {
    id: Option<Value>,
    #[serde(default)]
    belief: Vec<String>,
    depth: Option<usize>,
}

/// Draws a problem.
pub(crate) fn run(arguments: &ShowArguments, settings: &Settings) -> Result<Exit, Failure> {
    output::concluded(draw(arguments, settings), settings)
}

fn draw(arguments: &ShowArguments, settings: &Settings) -> Result<Exit, Halt> {
    let mut lines = Lines::read(&arguments.file, settings)?;
    for place in lines.places() {
        let Some(line) = lines.parse::<Line>(place, settings) else { continue };
        let name = match &line.id {
            Some(Value::String(text)) => text.clone(),
            Some(other) => other.to_string(),
            None => String::new(),
        };
        if arguments.id.as_ref().is_some_and(|wanted| *wanted != name) {
            continue;
        }
        let positions: Result<Vec<Board>, _> = line.belief.iter().map(|fen| fen.parse::<Board>()).collect();
        let belief = match positions.map_err(|error| error.to_string()) {
            Ok(belief) => belief,
            Err(message) => {
                lines.tell(place, "kriegspiel::problem", &message, settings);
                return Ok(Exit::Bad);
            }
        };
        if let Err(error) = check_belief(&belief) {
            lines.tell(place, "kriegspiel::problem", &error.to_string(), settings);
            return Ok(Exit::Bad);
        }
        if arguments.picture == Picture::Board {
            output::answer(&belief_svg(&name, &belief))?;
            return Ok(Exit::Found);
        }
        let depth = line.depth.filter(|depth| depth % 2 == 1).unwrap_or(3);
        return match solve(&Kriegspiel::default(), &belief, depth, Algorithm::Auto, &settings.budget).verdict
        {
            Verdict::Solved(plan) => {
                output::answer(&proof_svg(&name, &plan))?;
                Ok(Exit::Found)
            }
            Verdict::Unsolvable => {
                output::remark(&format!(
                    "{name}: there is no mate within {depth} plies, so there is no proof tree"
                ));
                Ok(Exit::None)
            }
            Verdict::Stopped(limit) => Err(limit.into()),
        };
    }
    let message = match &arguments.id {
        Some(id) => format!("there is no problem `{id}` in {}", arguments.file.display()),
        None => format!("there is no problem in {}", arguments.file.display()),
    };
    Err(Failure::Usage { message, help: None }.into())
}
