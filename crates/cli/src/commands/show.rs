//! `counterplay show`: a picture of any answer, from its JSON.

use std::path::PathBuf;

use clap::Args;
use counterplay::picture;
use serde_json::{Value, json};

use crate::arguments::EXIT_CODES;
use crate::exit::Exit;
use crate::failure::{Failure, Halt};
use crate::files::Reader;
use crate::output;
use crate::settings::Settings;

/// Draw an answer as SVG, from what a command printed with --json
///
/// Example: counterplay solve domain.pddl problem.pddl --json | counterplay show - > plan.svg
#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct ShowArguments {
    /// The answer; `-` is standard input
    #[arg(value_name = "ANSWER")]
    file: PathBuf,
}

/// Draws the first answer of a file.
pub(crate) fn run(arguments: &ShowArguments, settings: &Settings) -> Result<Exit, Failure> {
    let mut reader = Reader::default();
    let file = match reader.read(&arguments.file, &settings.budget) {
        Ok(file) => file,
        Err(Halt::Failure(failure)) => return Err(failure),
        Err(Halt::Limit(limit)) => {
            output::stopped(limit, settings);
            return Ok(Exit::Limit);
        }
    };
    let name = arguments.file.display();
    let text = &reader.sources.files[file].text;
    let mut answers = serde_json::Deserializer::from_str(text).into_iter::<Value>();
    let answer = match answers.next() {
        Some(Ok(answer)) => answer,
        Some(Err(error)) => {
            return Err(Failure::Usage { message: format!("{name} is not JSON: {error}"), help: None });
        }
        None => return Err(Failure::Usage { message: format!("{name} is empty"), help: None }),
    };
    let Some(svg) = picture(&answer) else {
        let message = format!("{name} holds no answer with something to draw");
        let help = "an answer of `solve`, `kriegspiel solve --proof`, `go solve --whole`, `bridge plan` or `dilemma tournament`, with --json";
        return Err(Failure::Usage { message, help: Some(help.to_owned()) });
    };
    if settings.json {
        output::json(&json!({"svg": svg}))?;
    } else {
        output::answer(&svg)?;
    }
    Ok(Exit::Found)
}
