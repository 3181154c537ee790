//! `counterplay dilemma tournament`: a round robin.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use counterplay::dilemma::{TournamentAnswer, TournamentRequest, tournament};

use super::players::{PROTOCOL, PlayerArguments};
use crate::clock::seconds;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::{self, remark};
use crate::sentinel;
use crate::settings::{Settings, Verbosity};
use counterplay::grouped;

/// Play a round robin with repetitions, and rank the players
///
/// Example: counterplay dilemma tournament --noise 0.1 --repetitions 5 --heat-map-svg scores.svg
#[derive(Debug, Args)]
#[command(after_help = PROTOCOL)]
pub(crate) struct TournamentArguments {
    #[command(flatten)]
    request: TournamentRequest,

    #[command(flatten)]
    players: PlayerArguments,

    #[command(flatten)]
    files: FileArguments,
}

/// Where else results go.
#[derive(Debug, Args)]
#[command(next_help_heading = "Results")]
struct FileArguments {
    /// Write the ranking as CSV
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,

    /// Write scores and cooperation of each pair as CSV
    #[arg(long, value_name = "FILE")]
    pairs_csv: Option<PathBuf>,

    /// Write the shares of all generations as CSV
    #[arg(long, value_name = "FILE", requires = "ecology")]
    ecology_csv: Option<PathBuf>,

    /// Draw the ranking
    #[arg(long = "svg", alias = "ranking-svg", value_name = "FILE.svg")]
    ranking_svg: Option<PathBuf>,

    /// Draw the scores of each pair
    #[arg(long = "heat-map-svg", alias = "heat-map", value_name = "FILE.svg")]
    heat_map: Option<PathBuf>,

    /// Draw the shares over the generations
    #[arg(long, value_name = "FILE.svg", requires = "ecology")]
    ecology_svg: Option<PathBuf>,
}

impl FileArguments {
    /// Writes the files that are wanted.
    fn write(&self, answer: &TournamentAnswer, settings: &Settings) -> Result<(), Failure> {
        let write = |path: &Option<PathBuf>, content: &dyn Fn() -> Option<String>| match path {
            Some(path) => content().map_or(Ok(()), |content| write_file(path, &content, settings)),
            None => Ok(()),
        };
        write(&self.csv, &|| Some(answer.results.ranking_csv()))?;
        write(&self.pairs_csv, &|| Some(answer.results.pairs_csv()))?;
        write(&self.ranking_svg, &|| Some(answer.ranking_picture()))?;
        write(&self.heat_map, &|| Some(answer.heat_map()))?;
        write(&self.ecology_csv, &|| answer.ecology_csv())?;
        write(&self.ecology_svg, &|| answer.ecology_picture())
    }
}

/// Plays the tournament and prints the ranking.
pub(crate) fn run(arguments: &TournamentArguments, settings: &Settings) -> Result<Exit, Failure> {
    let request =
        TournamentRequest { seed: settings.seed, threads: settings.threads, ..arguments.request.clone() };
    let players = arguments.players.all()?;
    let work = sentinel::answered(settings, |display| {
        Ok(tournament(&players, &request, &settings.budget, display)?)
    });
    let Some(mut answer) = work? else { return Ok(Exit::Limit) };
    answer.seconds = seconds(settings.started.elapsed());
    arguments.files.write(&answer, settings)?;
    if settings.json {
        output::json(&answer)?;
    } else {
        output::answer(&answer.text())?;
    }
    for fault in &answer.faults {
        remark(&format!(
            "error: {} failed against {} in turn {}: {}; none of its matches counts",
            fault.strategy, fault.against, fault.turn, fault.why
        ));
    }
    if let Some(limit) = answer.stopped {
        remark(&format!("stopped: {limit}"));
    }
    if settings.verbosity >= Verbosity::Normal {
        let (matches, turns) = (grouped(answer.matches), grouped(answer.turns));
        let took = settings.started.elapsed().as_secs_f64();
        let match_noun = if answer.matches == 1 { "match" } else { "matches" };
        let turn_noun = if answer.turns == 1 { "turn" } else { "turns" };
        remark(&format!("{matches} {match_noun}, {turns} {turn_noun}, {took:.3} s"));
    }
    Ok(match answer.stopped {
        Some(_) => Exit::Limit,
        None if answer.faults.is_empty() => Exit::Found,
        None => Exit::Bad,
    })
}

fn write_file(path: &Path, content: &str, settings: &Settings) -> Result<(), Failure> {
    let name = path.display().to_string();
    fs::write(path, content).map_err(|error| Failure::Write { name: name.clone(), error })?;
    if settings.verbosity >= Verbosity::Normal {
        remark(&format!("wrote {name}"));
    }
    Ok(())
}
