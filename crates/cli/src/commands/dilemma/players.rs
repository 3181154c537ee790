//! Players of the user's own: programs, and conditions from files.

use std::fs::File;
use std::io::Read;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use counterplay::dilemma::{Entrant, Players, Setting, Strategy};
use counterplay_syntax::Sources;

use super::program::{Program, ProgramPool};
use crate::failure::Failure;
use crate::limits;
use crate::pipes::{ProgramLimits, definition};

/// Options about players of the user's own.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Your own players")]
pub(super) struct PlayerArguments {
    /// Let a program play under a name; it reads a line per turn and answers C or D (see below)
    #[arg(long = "program", value_name = "NAME=COMMAND", value_parser = definition)]
    programs: Vec<(String, String)>,

    /// How long a program may take for a move
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = limits::duration)]
    program_timeout: Duration,

    /// How long a program may take for its first move after it was started
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = limits::duration)]
    program_start: Duration,

    /// Add a player that learns a model with the conditions of a file and plays the best response to it
    #[arg(long = "modeller", value_name = "NAME=FILE", value_parser = definition)]
    modellers: Vec<(String, String)>,
}

/// How programs are spoken to, for `--help`.
pub(super) const PROTOCOL: &str = "\
Programs: the command is started once and plays match after match (several copies of it if several threads play). For
each match it first gets the line `match TURNS NOISE R S T P` (TURNS is ? if unknown), then for each turn a line:
`start`, and later the executed moves of the last turn, its own first, such as `C D`. It answers each turn with a line
`C` or `D`. `end` ends the match; a program that ends then is started again for the next one. A program that dies in a
match, takes too long or answers anything else is reported with its turn and what it answered; the match has no score,
the exit code is 2, and in a tournament none of its matches counts.

Condition files: `(conditions (wary 0.5 (CC calm) (else wary)) (calm 0.9 (DD wary) (else calm)))`. The first condition
holds at the start; after each outcome (own move first) the one named holds; the number is the first belief in
cooperation. examples/dilemma/ has one.";

impl PlayerArguments {
    /// All players of the user's own.
    pub(super) fn all(&self) -> Result<Players, Failure> {
        self.only(|_| true)
    }

    /// Those of the user's own players that are named; other files are not read.
    pub(super) fn named(&self, names: &[&str]) -> Result<Players, Failure> {
        self.only(|name| names.contains(&name))
    }

    fn only(&self, wanted: impl Fn(&str) -> bool) -> Result<Players, Failure> {
        let mut players = Players::default();
        for (name, command) in self.programs.iter().filter(|(name, _)| wanted(name)) {
            let limits = ProgramLimits { start: self.program_start, answer: self.program_timeout };
            let pool = Arc::new(ProgramPool::new(command.clone(), limits));
            let make =
                move |setting: &Setting| -> Box<dyn Strategy> { Box::new(Program::start(&pool, setting)) };
            players = players.with(Entrant::new(name.clone(), Arc::new(make)));
        }
        for (name, path) in self.modellers.iter().filter(|(name, _)| wanted(name)) {
            let mut sources = Sources::default();
            let file = sources.add_bytes(path, read_conditions(path)?);
            players = players.with_conditions(name, sources, file)?;
        }
        Ok(players)
    }
}

/// No file of conditions that can be learned is larger.
const LARGEST_CONDITIONS: u64 = 1 << 20;

fn read_conditions(path: &str) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    File::open(path)
        .and_then(|file| file.take(LARGEST_CONDITIONS).read_to_end(&mut bytes))
        .map_err(|error| Failure::Read { name: path.to_owned(), error })?;
    if bytes.len() as u64 == LARGEST_CONDITIONS {
        let message = format!("{path} is too large for a file of conditions");
        return Err(Failure::Usage { message, help: None });
    }
    Ok(bytes)
}
