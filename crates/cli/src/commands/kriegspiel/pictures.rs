//! `counterplay kriegspiel show`: the belief state as a shaded board, the proof tree as a tree.

use std::path::PathBuf;

use clap::Args;
use counterplay::Verdict;
use counterplay::kriegspiel::{Line, Picture, is_depth, picture};
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

/// Draws a problem.
pub(crate) fn run(arguments: &ShowArguments, settings: &Settings) -> Result<Exit, Failure> {
    output::concluded(draw(arguments, settings), settings)
}

fn draw(arguments: &ShowArguments, settings: &Settings) -> Result<Exit, Halt> {
    let mut lines = Lines::read(&arguments.file, settings)?;
    for (index, place) in lines.places().into_iter().enumerate() {
        let Some(line) = lines.parse::<Line>(place, settings) else { continue };
        let name = match &line.id {
            Some(Value::String(text)) => text.clone(),
            Some(other) => other.to_string(),
            None => String::new(),
        };
        if arguments.id.as_ref().is_some_and(|wanted| *wanted != name) {
            continue;
        }
        let asked = line.depth.as_ref().and_then(Value::as_u64).map(|depth| depth as usize);
        let depth = asked.filter(|&depth| is_depth(depth)).unwrap_or(3);
        let problem = match line.problem(index, Some(depth), false) {
            Ok(problem) => problem,
            Err(error) => {
                lines.tell(place, "kriegspiel::problem", &error.to_string(), settings);
                return Ok(Exit::Bad);
            }
        };
        return match picture(&name, &problem, arguments.picture, &settings.budget) {
            Verdict::Solved(svg) => {
                output::answer(&svg)?;
                Ok(Exit::Found)
            }
            Verdict::Unsolvable => {
                let message =
                    format!("{name}: there is no mate within {depth} plies, so there is no proof tree");
                output::remark(&message);
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
