//! Who takes part: strategies by name, programs, teams.

use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use counterplay_dilemma::tournament::Entrant;
use counterplay_dilemma::{Setting, Strategy, strategies, teams};

use super::program::Program;
use crate::failure::Failure;
use crate::limits;

/// Options about players that are programs.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Programs")]
pub(super) struct ProgramArguments {
    /// Let a program play under a name; it reads a line per turn and answers C or D (see below)
    #[arg(long = "program", value_name = "NAME=COMMAND", value_parser = definition)]
    programs: Vec<(String, String)>,

    /// How long a program may take for a move
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = limits::duration)]
    program_timeout: Duration,
}

/// How programs are spoken to, for `--help`.
pub(super) const PROTOCOL: &str = "\
Programs: each match starts the command anew. It first gets the line `match TURNS NOISE R S T P` (TURNS is ? if
unknown), then for each turn a line: `start`, and later the executed moves of the last turn, its own first, such as
`C D`. It answers each turn with a line `C` or `D`. `end` ends the match. A program that dies, takes too long or
answers anything else defects from then on, and the fault is reported.";

impl ProgramArguments {
    /// The names of programs.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.programs.iter().map(|(name, _)| name.as_str())
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

/// Splits `NAME=COMMAND`.
fn definition(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, command)) if !name.trim().is_empty() && !command.trim().is_empty() => {
            Ok((name.trim().to_owned(), command.trim().to_owned()))
        }
        _ => Err(format!("`{text}` is not of the form NAME=COMMAND")),
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
