//! `counterplay game`: general games given by their rules in GDL.

mod console;
mod folder;
mod ground;
pub(crate) mod matches;
mod position;
mod serve;
pub(crate) mod simulate;
mod solve;

use std::path::Path;
use std::time::Duration;

use clap::{Args, Subcommand};
use counterplay_gdl::Rules;
use counterplay_ground::game::{Game, GameError, Structure, ground_game, prove_structure};
use counterplay_syntax::Sources;

pub(crate) use position::refused;

use crate::clock::{Phase, Phases};
use crate::exit::Exit;
use crate::failure::{Failure, Halt};
use crate::files::Reader;
use crate::progress::Display;
use crate::sentinel;
use crate::settings::Settings;

/// General games in GDL: instantiate, simulate, solve, play
#[derive(Debug, Args)]
pub(crate) struct GameArguments {
    #[command(subcommand)]
    command: GameCommand,
}

#[derive(Debug, Subcommand)]
enum GameCommand {
    Ground(ground::GroundArguments),
    Simulate(simulate::SimulateArguments),
    Solve(solve::SolveArguments),
    Match(matches::MatchArguments),
    Serve(serve::ServeArguments),
}

/// Does what was asked for.
pub(crate) fn run(arguments: &GameArguments, settings: &Settings) -> Result<Exit, Failure> {
    match &arguments.command {
        GameCommand::Ground(arguments) => ground::run(arguments, settings),
        GameCommand::Simulate(arguments) => simulate::run(arguments, settings),
        GameCommand::Solve(arguments) => solve::run(arguments, settings),
        GameCommand::Match(arguments) => matches::run(arguments, settings),
        GameCommand::Serve(arguments) => serve::run(arguments, settings),
    }
}

/// A rule sheet that has been read.
pub(crate) struct Sheet {
    sources: Sources,
    pub(crate) rules: Rules,
}

impl Sheet {
    fn read(path: &Path, settings: &Settings) -> Result<Sheet, Halt> {
        let mut reader = Reader::default();
        let file = reader.read(path, &settings.budget)?;
        match counterplay_gdl::read(&reader.sources, file) {
            Ok(rules) => Ok(Sheet { sources: reader.sources, rules }),
            Err(errors) => {
                let diagnostics = errors.iter().map(counterplay_gdl::Error::diagnostic).collect();
                Err(Failure::Input { sources: reader.sources, diagnostics }.into())
            }
        }
    }

    /// A rule sheet out of a text that is part of the program.
    pub(crate) fn of(name: &str, text: &str) -> Sheet {
        let mut sources = Sources::default();
        let file = sources.add(name, text);
        let rules = counterplay_gdl::read(&sources, file).expect("bundled rules are fine");
        Sheet { sources, rules }
    }

    /// The text of the rules.
    fn text(&self) -> &str {
        self.sources.files.as_slice().first().map_or("", |file| file.text.as_str())
    }

    /// Refuses rules in which moves are hidden or drawn by chance, where that would make the answer wrong; `done` says what
    /// cannot be done with them.
    pub(crate) fn refuse_imperfect(&self, done: &str) -> Result<(), Failure> {
        let found = self.rules.imperfect_information();
        if found.is_empty() {
            return Ok(());
        }
        let diagnostics = found.iter().map(|own| own.diagnostic(done)).collect();
        Err(Failure::Input { sources: self.sources.clone(), diagnostics })
    }

    fn ground(&self, settings: &Settings, display: &Display) -> Result<Game, Halt> {
        ground_game(&self.rules, &settings.budget, display).map_err(|error| match error {
            GameError::Stopped(limit) => Halt::Limit(limit),
            other => {
                let diagnostics = other.diagnostic().into_iter().collect();
                Failure::Input { sources: self.sources.clone(), diagnostics }.into()
            }
        })
    }
}

/// Proves what it can about a game in some seconds; without proofs, all still works.
fn prove(game: &Game, settings: &Settings) -> Result<Structure, Halt> {
    let budget = settings.budget.slice(LONGEST_PROOF);
    prove_structure(game, &budget).or_else(|_| {
        settings.budget.check()?;
        Ok(Structure::unproved(game))
    })
}

const LONGEST_PROOF: Duration = Duration::from_secs(10);

/// Reads and grounds a game, and does something with it; limits and interrupts end it with their own exit code.
fn with_game(
    path: &Path,
    settings: &Settings,
    work: impl FnOnce(&Sheet, &Game, &Display, &mut Phases) -> Result<Exit, Halt>,
) -> Result<Exit, Failure> {
    sentinel::guarded(settings, |display| {
        let mut phases = Phases::default();
        let sheet = phases.measure(Phase::Parse, || Sheet::read(path, settings))?;
        display.announce("grounding");
        let game = phases.measure(Phase::Ground, || sheet.ground(settings, display))?;
        work(&sheet, &game, display, &mut phases)
    })
}
