//! Who takes part: strategies by name, programs, teams.

use std::fs::File;
use std::io::Read;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use counterplay_dilemma::modeller::{Modeller, TextError, read_conditions};
use counterplay_dilemma::tournament::Entrant;
use counterplay_dilemma::{Setting, Strategy, strategies, teams};
use counterplay_syntax::Sources;

use super::program::Program;
use crate::failure::Failure;
use crate::limits;

/// Options about players of the user's own.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Your own players")]
pub(super) struct ProgramArguments {
    /// Let a program play under a name; it reads a line per turn and answers C or D (see below)
    #[arg(long = "program", value_name = "NAME=COMMAND", value_parser = definition)]
    programs: Vec<(String, String)>,

    /// How long a program may take for a move
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = limits::duration)]
    program_timeout: Duration,

    /// Add a player that learns a model with the conditions of a file and plays the best response to it
    #[arg(long = "modeller", value_name = "NAME=FILE", value_parser = definition)]
    modellers: Vec<(String, String)>,
}

/// How programs are spoken to, for `--help`.
pub(super) const PROTOCOL: &str = "\
Programs: each match starts the command anew. It first gets the line `match TURNS NOISE R S T P` (TURNS is ? if
unknown), then for each turn a line: `start`, and later the executed moves of the last turn, its own first, such as
`C D`. It answers each turn with a line `C` or `D`. `end` ends the match. A program that dies, takes too long or
answers anything else is reported with its turn and what it answered; the match has no score, the exit code is 2, and
in a tournament none of its matches counts.

Condition files: `(conditions (wary 0.5 (CC calm) (else wary)) (calm 0.9 (DD wary) (else calm)))`. The first condition
holds at the start; after each outcome (own move first) the one named holds; the number is the first belief in
cooperation. examples/dilemma/ has one.";

impl ProgramArguments {
    /// The names of the user's own players.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.programs.iter().chain(&self.modellers).map(|(name, _)| name.as_str())
    }

    /// The player with this name: a program if one is called so, else a strategy.
    pub(super) fn find(&self, name: &str) -> Result<Entrant, Failure> {
        if let Some((name, command)) = self.programs.iter().find(|(known, _)| known == name) {
            let (command, timeout) = (command.clone(), self.program_timeout);
            let make = move |setting: &Setting| -> Box<dyn Strategy> {
                Box::new(Program::start(&command, timeout, setting))
            };
            return Ok(Entrant::new(name.clone(), Arc::new(make)));
        }
        if let Some((name, path)) = self.modellers.iter().find(|(known, _)| known == name) {
            return modeller(name, path);
        }
        match Entrant::find(name) {
            Ok(entrant) => Ok(entrant),
            Err(unknown) => {
                let help = match unknown.similar {
                    Some(similar) => format!("did you mean `{similar}`?"),
                    None => "`counterplay dilemma strategies` lists them all".to_owned(),
                };
                Err(Failure::Usage { message: unknown.to_string(), help: Some(help) })
            }
        }
    }
}

/// No file of conditions that can be learned is larger.
const LARGEST_CONDITIONS: u64 = 1 << 20;

/// A player with the conditions of a file.
fn modeller(name: &str, path: &str) -> Result<Entrant, Failure> {
    let mut sources = Sources::default();
    let mut bytes = Vec::new();
    File::open(path)
        .and_then(|file| file.take(LARGEST_CONDITIONS).read_to_end(&mut bytes))
        .map_err(|error| Failure::Read { name: path.to_owned(), error })?;
    if bytes.len() as u64 == LARGEST_CONDITIONS {
        let message = format!("{path} is too large for a file of conditions");
        return Err(Failure::Usage { message, help: None });
    }
    let file = sources.add_bytes(path, bytes);
    let set = match read_conditions(&sources, file) {
        Ok(set) => set,
        Err(errors) => {
            let diagnostics = errors.iter().map(TextError::diagnostic).collect();
            return Err(Failure::Input { sources, diagnostics });
        }
    };
    let make = move |setting: &Setting| -> Box<dyn Strategy> { Box::new(Modeller::new(&set, setting)) };
    Ok(Entrant::new(name.to_owned(), Arc::new(make)))
}

/// Splits `NAME=COMMAND`.
fn definition(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, command)) if !name.trim().is_empty() && !command.trim().is_empty() => {
            Ok((name.trim().to_owned(), command.trim().to_owned()))
        }
        _ => Err(format!("`{text}` is not of the form NAME=COMMAND or NAME=FILE")),
    }
}

/// The field of a tournament: the players named, or everybody; then programs and teams.
pub(super) fn assemble(
    named: &[String],
    programs: &ProgramArguments,
    team_sizes: &[u32],
) -> Result<Vec<Entrant>, Failure> {
    let mut field = Vec::new();
    if named.is_empty() {
        field.extend(strategies::all().map(Entrant::from));
    }
    for name in named.iter().map(|name| name.trim()).filter(|name| !name.is_empty()) {
        field.push(programs.find(name)?);
    }
    for name in programs.names() {
        if !field.iter().any(|entrant| entrant.name == name) {
            field.push(programs.find(name)?);
        }
    }
    for (number, &size) in team_sizes.iter().enumerate() {
        field.extend(teams::team(number as u32, size as usize));
    }
    if field.is_empty() {
        let message = "nobody takes part".to_owned();
        return Err(Failure::Usage { message, help: Some("leave `--players` out for everybody".to_owned()) });
    }
    if field.len() > MOST {
        let message = format!("{} players are too many: at most {MOST} can meet", field.len());
        return Err(Failure::Usage { message, help: None });
    }
    Ok(field)
}

/// More players make more pairs than anybody waits for.
const MOST: usize = 5000;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definitions_have_a_name_and_a_command() {
        assert_eq!(definition("me=./me --fast=1"), Ok(("me".to_owned(), "./me --fast=1".to_owned())));
        for text in ["me", "=x", "me=", ""] {
            assert!(definition(text).is_err(), "{text}");
        }
    }
}
