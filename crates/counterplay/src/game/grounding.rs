//! The ground rules of a game, in figures.

use std::time::{Duration, Instant};

use counterplay_base::{Budget, Limit, Progress};
use counterplay_ground::game::{Game, Structure, prove_structure};
use serde::Serialize;

use super::rules::GameRules;
use crate::effort::{Phase, Phases, seconds};
use crate::error::Halt;
use crate::figures::grouped;

/// The size of the ground rules of a game, and what is proved of them. Its JSON form is what `counterplay game ground --json`
/// prints.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GroundAnswer {
    /// Names of the roles.
    pub roles: Vec<String>,
    /// Fluents that may hold.
    pub fluents: usize,
    /// Moves of all roles together.
    pub moves: usize,
    /// Atoms that are neither fluents nor moves.
    pub derived: usize,
    /// Ground rules.
    pub rules: usize,
    /// Literals in their bodies.
    pub literals: usize,
    /// Rules that depend on their own heads.
    pub recursive: usize,
    /// Rules for rewards.
    pub goals: usize,
    /// Groups of fluents of which at most one holds: all are proved.
    pub groups: usize,
    /// Fluents that are in a group.
    pub grouped_fluents: usize,
    /// Whether it is proved that the players take turns; `false` says that there is no proof.
    pub takes_turns: bool,
    /// For each role the moves that, whenever legal, are its only one: proved.
    pub noops: Vec<Vec<String>>,
    /// The sum of the rewards of two players at every end, if it is proved to be the same.
    pub constant_sum: Option<u32>,
    /// The number of fluents that are proved to hold one after the other, if there are such.
    pub clock: Option<usize>,
    /// Seconds of wall time.
    pub seconds: f64,
    /// Seconds of each phase; the proofs are the phase `check`.
    pub phases: Phases,
    /// The most bytes that the process held, if the caller knows.
    pub peak_memory: Option<usize>,
    /// The ground rules.
    #[serde(skip)]
    pub game: Game,
}

/// Grounds a game and proves what it can about it.
///
/// # Errors
/// What cannot be grounded, or the limit that was reached.
pub fn ground(rules: &GameRules, budget: &Budget, progress: &dyn Progress) -> Result<GroundAnswer, Halt> {
    let started = Instant::now();
    let mut phases = Phases { parse: Some(rules.parse), ..Phases::default() };
    progress.begin("grounding");
    let game = phases.measure(Phase::Ground, || rules.ground(budget, progress))?;
    progress.begin("proving");
    let structure = phases.measure(Phase::Check, || prove(&game, budget))?;
    let mut grouped: Vec<_> = structure.groups.iter().flatten().collect();
    grouped.sort_unstable();
    grouped.dedup();
    let names = |own: &Vec<_>| own.iter().map(|&a_move| game.moves[a_move].name.clone()).collect();
    Ok(GroundAnswer {
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
        seconds: seconds(started.elapsed()) + rules.parse,
        phases,
        peak_memory: None,
        game,
    })
}

impl GroundAnswer {
    /// A table for people.
    pub fn text(&self) -> String {
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
            rows.iter().map(|&(name, count)| format!("{name:22}{:>12}\n", grouped(count))).collect();
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

/// Proves what it can about a game in some seconds; without proofs, all still works.
pub(super) fn prove(game: &Game, budget: &Budget) -> Result<Structure, Limit> {
    prove_structure(game, &budget.slice(LONGEST_PROOF)).or_else(|_| {
        budget.check()?;
        Ok(Structure::unproved(game))
    })
}

const LONGEST_PROOF: Duration = Duration::from_secs(10);
