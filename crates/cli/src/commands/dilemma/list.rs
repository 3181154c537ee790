//! `counterplay dilemma strategies`: who is on offer, and where they come from.

use clap::Args;
use counterplay_dilemma::{Entry, Memory, dbs, strategies};
use serde::Serialize;

use crate::exit::Exit;
use crate::failure::Failure;
use crate::output;
use crate::settings::Settings;

/// List the strategies with what they do and where they come from
///
/// Example: counterplay dilemma strategies --sources
#[derive(Debug, Args)]
pub(crate) struct ListArguments {
    /// Show the sources too
    #[arg(long)]
    sources: bool,
}

#[derive(Serialize)]
struct Json<'a> {
    strategies: Vec<JsonEntry<'a>>,
}

#[derive(Serialize)]
struct JsonEntry<'a> {
    name: &'a str,
    about: &'a str,
    source: &'a str,
    /// Turns remembered; null for all of them.
    memory: Option<usize>,
    stochastic: bool,
    /// Whether it plays in a tournament of everybody.
    in_field: bool,
}

fn json_entry(entry: &'static Entry, in_field: bool) -> JsonEntry<'static> {
    let memory = match entry.memory {
        Memory::Turns(turns) => Some(turns),
        Memory::Whole => None,
    };
    let Entry { name, about, source, stochastic, .. } = *entry;
    JsonEntry { name, about, source, memory, stochastic, in_field }
}

/// Prints the list.
pub(crate) fn run(arguments: &ListArguments, settings: &Settings) -> Result<Exit, Failure> {
    let entries = strategies::all().map(|entry| json_entry(entry, true));
    let entries: Vec<_> = entries.chain(strategies::extras().map(|entry| json_entry(entry, false))).collect();
    if settings.json {
        output::json(&Json { strategies: entries })?;
        return Ok(Exit::Found);
    }
    let width = entries.iter().map(|entry| entry.name.len()).max().unwrap_or(0);
    let mut text = String::new();
    for entry in &entries {
        let chance = if entry.stochastic { " (by chance)" } else { "" };
        let field = if entry.in_field { "" } else { " (by name only)" };
        text.push_str(&format!("{:width$}  {}{chance}{field}\n", entry.name, entry.about));
        if arguments.sources {
            text.push_str(&format!("{:width$}    {}\n", "", entry.source));
        }
    }
    text.push_str("\nversions of DBS, by name only\n");
    for version in dbs::variants() {
        text.push_str(&format!("{:width$}  {}\n", version.name, version.about));
    }
    output::answer(&text)?;
    Ok(Exit::Found)
}
