//! `counterplay game ground`: the ground rules of a game, in figures.

use std::path::PathBuf;

use clap::Args;
use counterplay_ground::game::Game;
use serde::Serialize;

use super::with_game;
use crate::arguments::EXIT_CODES;
use crate::clock::{Phases, seconds};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::figures::grouped;
use crate::memory;
use crate::output;
use crate::settings::Settings;

/// Instantiate a game and print its figures
///
/// Example: counterplay game ground ticTacToe.kif --json
#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct GroundArguments {
    /// The rules of the game in GDL; `-` is standard input
    #[arg(value_name = "GAME")]
    game: PathBuf,
}

/// The documented shape of `game ground --json`.
#[derive(Serialize)]
struct Figures {
    roles: Vec<String>,
    fluents: usize,
    moves: usize,
    derived: usize,
    rules: usize,
    literals: usize,
    recursive: usize,
    goals: usize,
    groups: usize,
    seconds: f64,
    phases: Phases,
    peak_memory: Option<usize>,
}

impl Figures {
    fn of(game: &Game, phases: Phases, settings: &Settings) -> Figures {
        Figures {
            roles: game.roles.iter().cloned().collect(),
            fluents: game.fluents.len(),
            moves: game.moves.len(),
            derived: game.atoms - game.first_derived(),
            rules: game.heads.len(),
            literals: game.bodies.iter().map(<[_]>::len).sum(),
            recursive: game.components.iter().filter(|component| component.len() > 1).map(Vec::len).sum(),
            goals: game.goals.len(),
            groups: 0,
            seconds: seconds(settings.started.elapsed()),
            phases,
            peak_memory: memory::peak(),
        }
    }

    fn text(&self) -> String {
        let rows = [
            ("roles", self.roles.len()),
            ("fluents", self.fluents),
            ("moves", self.moves),
            ("derived atoms", self.derived),
            ("ground rules", self.rules),
            ("  their literals", self.literals),
            ("mutex groups", self.groups),
        ];
        rows.iter().map(|&(name, count)| format!("{name:22}{:>12}\n", grouped(count as u64))).collect()
    }
}

/// Grounds a game and prints figures.
pub(crate) fn run(arguments: &GroundArguments, settings: &Settings) -> Result<Exit, Failure> {
    with_game(&arguments.game, settings, |_, game, display, phases| {
        let figures = Figures::of(game, *phases, settings);
        display.clear();
        match settings.json {
            true => output::json(&figures)?,
            false => output::answer(&figures.text())?,
        }
        Ok(Exit::Found)
    })
}
