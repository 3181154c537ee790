//! `counterplay game ground`: the ground rules of a game, in figures.

use std::fs;
use std::path::PathBuf;

use clap::Args;
use counterplay_ground::game::{Game, Structure};
use serde::Serialize;

use super::{prove, with_game};
use crate::arguments::EXIT_CODES;
use crate::clock::{Phase, Phases, seconds};
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

    /// Write the instantiated rules in GDL to this file
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
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
    /// Groups of fluents of which at most one holds: all are proved.
    groups: usize,
    /// Fluents that are in a group.
    grouped_fluents: usize,
    /// Whether it is proved that the players take turns; `false` says that there is no proof.
    takes_turns: bool,
    /// For each role the moves that, whenever legal, are its only one: proved.
    noops: Vec<Vec<String>>,
    /// The sum of the rewards of two players at every end, if it is proved to be the same.
    constant_sum: Option<u32>,
    /// The number of fluents that are proved to hold one after the other, if there are such.
    clock: Option<usize>,
    seconds: f64,
    phases: Phases,
    peak_memory: Option<usize>,
}

impl Figures {
    fn of(game: &Game, structure: &Structure, phases: Phases, settings: &Settings) -> Figures {
        let mut grouped: Vec<_> = structure.groups.iter().flatten().collect();
        grouped.sort_unstable();
        grouped.dedup();
        let names = |own: &Vec<_>| own.iter().map(|&a_move| game.moves[a_move].name.clone()).collect();
        Figures {
            roles: game.roles.iter().cloned().collect(),
            fluents: game.fluents.len(),
            moves: game.moves.len(),
            derived: game.atoms - game.first_derived(),
            rules: game.heads.len(),
            literals: game.bodies.iter().map(<[_]>::len).sum(),
            recursive: game.components.iter().filter(|component| component.len() > 1).map(Vec::len).sum(),
            goals: game.goals.len(),
            groups: structure.groups.len(),
            grouped_fluents: grouped.len(),
            takes_turns: structure.takes_turns,
            noops: structure.noops.iter().map(names).collect(),
            constant_sum: structure.constant_sum,
            clock: structure.clock.as_ref().map(Vec::len),
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
            ("mutex groups, proved", self.groups),
            ("  fluents in them", self.grouped_fluents),
        ];
        let mut text: String =
            rows.iter().map(|&(name, count)| format!("{name:22}{:>12}\n", grouped(count as u64))).collect();
        let mut say = |what: &str, is_proved: bool| {
            let word = if is_proved { "proved" } else { "not proved" };
            text.push_str(&format!("{what:22}{word:>12}\n"));
        };
        if self.roles.len() > 1 {
            say("players take turns", self.takes_turns);
            say("constant sum", self.constant_sum.is_some());
        }
        say("clock", self.clock.is_some());
        text
    }
}

/// Grounds a game and prints figures.
pub(crate) fn run(arguments: &GroundArguments, settings: &Settings) -> Result<Exit, Failure> {
    with_game(&arguments.game, settings, |sheet, game, display, phases| {
        // Figures are right whatever is hidden; but instantiated rules have no `sees`.
        if arguments.output.is_some() {
            sheet.refuse_imperfect("written without variables")?;
        }
        display.announce("proving");
        let structure = phases.measure(Phase::Check, || prove(game, settings))?;
        let figures = Figures::of(game, &structure, *phases, settings);
        display.clear();
        if let Some(path) = &arguments.output {
            fs::write(path, game.to_gdl())
                .map_err(|error| Failure::Write { name: path.display().to_string(), error })?;
        }
        match settings.json {
            true => output::json(&figures)?,
            false => output::answer(&figures.text())?,
        }
        Ok(Exit::Found)
    })
}
