//! `counterplay kriegspiel estimate`: which positions agree with all that was heard?

use std::path::PathBuf;

use clap::Args;
use counterplay_base::Budget;
use counterplay_belief::update;
use counterplay_kriegspiel::Kriegspiel;
use counterplay_kriegspiel::chess::Board;
use counterplay_kriegspiel::steps::{self, Step};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::arguments::EXIT_CODES;
use crate::commands::kriegspiel::lines::Lines;
use crate::exit::Exit;
use crate::failure::{Failure, Halt};
use crate::output;
use crate::settings::Settings;

/// Replay histories and tell the exact belief state after each step
///
/// Each line is a JSON object with `id`, `start_fen` (or `root_fen`) and `steps` (or `history`); where a step records the
/// number of `states` or the `sha256` of the sorted positions, it is compared.
///
/// Example: counterplay kriegspiel estimate histories.jsonl --json
#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct EstimateArguments {
    /// The histories, a JSON object on each line; `-` is standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// List the positions after the last step
    #[arg(long)]
    positions: bool,
}

#[derive(Deserialize)]
struct Line {
    id: Option<Value>,
    #[serde(alias = "root_fen")]
    start_fen: String,
    #[serde(alias = "history")]
    steps: Vec<Step>,
}

#[derive(Serialize)]
struct Json {
    id: Value,
    steps: Vec<JsonStep>,
    #[serde(skip_serializing_if = "Option::is_none")]
    positions: Option<Vec<String>>,
}

#[derive(Serialize)]
struct JsonStep {
    states: usize,
    sha256: String,
    ok: bool,
}

/// Replays the histories of a file.
pub(crate) fn run(arguments: &EstimateArguments, settings: &Settings) -> Result<Exit, Failure> {
    super::watched(settings, || replay_all(arguments, settings))
}

fn replay_all(arguments: &EstimateArguments, settings: &Settings) -> Result<Exit, Halt> {
    let mut lines = Lines::read(&arguments.file, settings)?;
    let mut differs = false;
    for (index, place) in lines.places().into_iter().enumerate() {
        let Some(line) = lines.parse::<Line>(place, settings) else { continue };
        let id = line.id.clone().unwrap_or_else(|| Value::from(index + 1));
        match replay(&line, &settings.budget)? {
            Ok((steps, belief)) => {
                differs |= steps.iter().any(|step| !step.ok);
                show(id, steps, &belief, arguments, settings)?;
            }
            Err(message) => lines.tell(place, "kriegspiel::history", &message, settings),
        }
    }
    Ok(if lines.bad {
        Exit::Bad
    } else if differs {
        Exit::None
    } else {
        Exit::Found
    })
}

type Replayed = (Vec<JsonStep>, Vec<Board>);

/// Carries the belief state through all steps; a message if the history makes no sense.
fn replay(line: &Line, budget: &Budget) -> Result<Result<Replayed, String>, Halt> {
    let root = match Board::from_fen(&line.start_fen) {
        Ok(root) => root,
        Err(error) => return Ok(Err(format!("start position: {error}"))),
    };
    let events = match steps::events(&root, &line.steps) {
        Ok(events) => events,
        Err(error) => return Ok(Err(error.to_string())),
    };
    let world = Kriegspiel::default();
    let mut belief = vec![root];
    let mut found = Vec::new();
    for (i, (event, step)) in events.iter().zip(&line.steps).enumerate() {
        budget.check()?;
        belief = update(&world, &belief, event);
        if belief.is_empty() {
            return Ok(Err(format!("step {}: no position agrees with the history up to here", i + 1)));
        }
        let sha256 = hash(&belief);
        let ok = step.states.is_none_or(|states| states == belief.len() as u64)
            && step.sha256.as_ref().is_none_or(|recorded| *recorded == sha256);
        found.push(JsonStep { states: belief.len(), sha256, ok });
    }
    Ok(Ok((found, belief)))
}

/// SHA-256 of the sorted positions, a line each, without a last line end.
fn hash(belief: &[Board]) -> String {
    let mut lines: Vec<String> = belief.iter().map(Board::epd).collect();
    lines.sort_unstable();
    let digest = Sha256::digest(lines.join("\n").as_bytes());
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn show(
    id: Value,
    steps: Vec<JsonStep>,
    belief: &[Board],
    arguments: &EstimateArguments,
    settings: &Settings,
) -> Result<(), Failure> {
    let mut positions: Vec<String> = belief.iter().map(Board::to_string).collect();
    positions.sort_unstable();
    if settings.json {
        let positions = arguments.positions.then_some(positions);
        return output::json(&Json { id, steps, positions });
    }
    let name = match &id {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let mut text = format!("{name}:");
    for step in &steps {
        text.push_str(&format!(" {}{}", step.states, if step.ok { "" } else { " (differs)" }));
    }
    text.push('\n');
    if arguments.positions {
        positions.iter().for_each(|position| text.push_str(&format!("  {position}\n")));
    }
    output::answer(&text)
}
