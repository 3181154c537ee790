//! `counterplay dilemma tournament`: everybody meets everybody.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use counterplay_base::{Evidence, Number};
use counterplay_dilemma::ecology::{self, Ecology};
use counterplay_dilemma::tournament::{self, Options, Results};
use serde::Serialize;

use super::field::{PROTOCOL, ProgramArguments, assemble};
use super::results;
use super::rules::{RulesArguments, positive};
use crate::clock::seconds;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::figures::grouped;
use crate::output::{self, remark};
use crate::progress::Display;
use crate::sentinel;
use crate::settings::{Settings, Verbosity};

/// Play a round robin with repetitions, and rank the players
///
/// Example: counterplay dilemma tournament --noise 0.1 --repetitions 5 --heat-map scores.svg
#[derive(Debug, Args)]
#[command(after_help = PROTOCOL)]
pub(crate) struct TournamentArguments {
    /// Who takes part, separated by commas [default: everybody]
    #[arg(long, value_name = "A,B,…", value_delimiter = ',')]
    players: Vec<String>,

    /// Add teams of a master and its slaves, of these sizes
    #[arg(long, value_name = "SIZE,…", value_delimiter = ',', value_parser = positive, allow_negative_numbers = true)]
    teams: Vec<u32>,

    /// How often everybody meets everybody
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = positive, allow_negative_numbers = true)]
    repetitions: u32,

    /// Nobody meets itself
    #[arg(long)]
    no_self_play: bool,

    /// Then let the players multiply by what they earn, for so many generations
    #[arg(long, value_name = "N", value_parser = positive, allow_negative_numbers = true)]
    ecology: Option<u32>,

    #[command(flatten)]
    rules: RulesArguments,

    #[command(flatten)]
    programs: ProgramArguments,

    #[command(flatten)]
    files: FileArguments,
}

/// Where else results go.
#[derive(Debug, Args)]
#[command(next_help_heading = "Results")]
struct FileArguments {
    /// With --json: add the matrices of scores and cooperation
    #[arg(long)]
    matrices: bool,

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
    #[arg(long, value_name = "FILE.svg")]
    ranking_svg: Option<PathBuf>,

    /// Draw the scores of each pair
    #[arg(long, value_name = "FILE.svg")]
    heat_map: Option<PathBuf>,

    /// Draw the shares over the generations
    #[arg(long, value_name = "FILE.svg", requires = "ecology")]
    ecology_svg: Option<PathBuf>,
}

/// The documented shape of `dilemma tournament --json`.
#[derive(Serialize)]
struct Json<'a> {
    /// `stopped` if a limit ended it: the ranking is then that of the pairings finished by then.
    #[serde(skip_serializing_if = "Option::is_none")]
    verdict: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    limit: Option<&'static str>,
    turns: u64,
    matches: u64,
    ranking: Vec<JsonRank<'a>>,
    /// Programs that failed; their matches count for nobody.
    faults: Vec<JsonFault<'a>>,
    /// What the means rest on; nothing if there are none.
    evidence: Option<Evidence>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ecology: Option<Vec<JsonShare<'a>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    strategies: Option<&'a [String]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    scores: Option<&'a [Vec<Option<f64>>]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cooperation: Option<&'a [Vec<Option<f64>>]>,
    seconds: f64,
}

#[derive(Serialize)]
struct JsonRank<'a> {
    strategy: &'a str,
    mean: f64,
    low: Option<f64>,
    high: Option<f64>,
    cooperation: f64,
}

#[derive(Serialize)]
struct JsonFault<'a> {
    strategy: &'a str,
    against: &'a str,
    repetition: u32,
    turn: usize,
    why: &'a str,
}

#[derive(Serialize)]
struct JsonShare<'a> {
    strategy: &'a str,
    share: f64,
}

/// Plays the tournament and prints the ranking.
pub(crate) fn run(arguments: &TournamentArguments, settings: &Settings) -> Result<Exit, Failure> {
    let field = assemble(&arguments.players, &arguments.programs, &arguments.teams)?;
    let options = Options {
        rules: arguments.rules.decide(),
        repetitions: arguments.repetitions,
        self_play: !arguments.no_self_play,
        seed: settings.seed,
        threads: settings.threads_for_parallel_work(),
    };
    if field.len() == 1 && arguments.no_self_play {
        let message = "a single player that does not meet itself has nobody to play with".to_owned();
        return Err(Failure::Usage { message, help: None });
    }
    let display = Arc::new(Display::new(settings));
    let floor = sentinel::watch_command(settings, &display);
    let mut played = tournament::run(&field, &options, &settings.budget, &*display);
    // Some pairs did not meet if a limit ended it, and an ecology needs the scores of all.
    let generations = arguments.ecology.filter(|_| played.stopped.is_none() && !played.names.is_empty());
    let evolved = generations
        .map(|generations| ecology::evolve(&full(&played), generations as usize, &settings.budget));
    let ecology = match evolved.transpose() {
        Ok(ecology) => ecology,
        Err(limit) => {
            played.stopped = Some(limit);
            None
        }
    };
    floor.take_or_wait();
    display.clear();
    write_files(&arguments.files, &played, ecology.as_ref(), settings)?;
    if settings.json {
        output::json(&json(&played, ecology.as_ref(), &arguments.files, &options, settings))?;
    } else if !played.names.is_empty() {
        let mut text = results::text(&played, ecology.as_ref());
        if let Some(evidence) = evidence(&played, &options) {
            text.push_str(&format!("\n{}\n", evidence.sentence()));
        }
        output::answer(&text)?;
    }
    for found in &played.faults {
        remark(&format!(
            "error: {} failed against {} in turn {}: {}; its matches count for nobody",
            found.player, found.against, found.fault.turn, found.fault.why
        ));
    }
    if let Some(limit) = played.stopped {
        remark(&format!("stopped: {limit}"));
    }
    if settings.verbosity >= Verbosity::Normal {
        remarks(&played, settings);
    }
    Ok(match played.stopped {
        Some(_) => Exit::Limit,
        None if played.faults.is_empty() => Exit::Found,
        None => Exit::Bad,
    })
}

/// What the means rest on: matches without chance are exact, others a sample of so many repetitions.
fn evidence(played: &Results, options: &Options) -> Option<Evidence> {
    const ENGINE: &str = "round robin";
    if played.names.is_empty() {
        return None;
    }
    if played.exact {
        return Some(Evidence::proved(ENGINE, None));
    }
    let margins = played.means.iter().filter_map(|mean| mean.margin);
    let widest = margins.reduce(f64::max);
    Some(Evidence::Sampled {
        engine: ENGINE.to_owned(),
        samples: u64::from(options.repetitions),
        error: widest.map(Number),
        about: "mean points of a match; the error is the widest of the ranking, over the repetitions"
            .to_owned(),
    })
}

/// The scores of all pairs; a player that did not meet itself is taken to earn its mean from itself.
fn full(played: &Results) -> Vec<Vec<f64>> {
    let row = |(i, row): (usize, &Vec<Option<f64>>)| {
        row.iter().map(|score| score.unwrap_or(played.means[i].mean)).collect()
    };
    played.scores.iter().enumerate().map(row).collect()
}

fn json<'a>(
    played: &'a Results,
    ecology: Option<&Ecology>,
    files: &FileArguments,
    options: &Options,
    settings: &Settings,
) -> Json<'a> {
    let matrices = files.matrices;
    let name = |player: usize| played.names[player].as_str();
    let rank = |player: usize| JsonRank {
        strategy: name(player),
        mean: played.means[player].mean,
        low: played.means[player].low(),
        high: played.means[player].high(),
        cooperation: played.cooperation_rate(player),
    };
    let fault = |found: &'a tournament::Misbehaviour| JsonFault {
        strategy: &found.player,
        against: &found.against,
        repetition: found.repetition + 1,
        turn: found.fault.turn,
        why: &found.fault.why,
    };
    let share = |(player, share): (usize, f64)| JsonShare { strategy: name(player), share };
    Json {
        verdict: played.stopped.map(|_| "stopped"),
        limit: played.stopped.map(counterplay_base::Limit::name),
        turns: played.turns,
        matches: played.matches,
        ranking: played.ranking().into_iter().map(rank).collect(),
        faults: played.faults.iter().map(fault).collect(),
        evidence: evidence(played, options),
        ecology: ecology.map(|ecology| ecology.ranking().into_iter().map(share).collect()),
        strategies: matrices.then_some(&played.names),
        scores: matrices.then_some(&played.scores),
        cooperation: matrices.then_some(&played.cooperation),
        seconds: seconds(settings.started.elapsed()),
    }
}

fn remarks(played: &Results, settings: &Settings) {
    remark(&format!(
        "{} matches, {} turns, {:.3} s",
        grouped(played.matches),
        grouped(played.turns),
        settings.started.elapsed().as_secs_f64()
    ));
}

fn write_files(
    files: &FileArguments,
    played: &Results,
    ecology: Option<&Ecology>,
    settings: &Settings,
) -> Result<(), Failure> {
    let write = |path: &Option<PathBuf>, content: &dyn Fn() -> String| match path {
        Some(path) => write_file(path, &content(), settings),
        None => Ok(()),
    };
    write(&files.csv, &|| results::ranking_csv(played))?;
    write(&files.pairs_csv, &|| results::pairs_csv(played))?;
    write(&files.ranking_svg, &|| results::ranking_svg(played))?;
    write(&files.heat_map, &|| results::heat_map(played))?;
    if let Some(ecology) = ecology {
        write(&files.ecology_csv, &|| results::ecology_csv(played, ecology))?;
        write(&files.ecology_svg, &|| results::ecology_svg(played, ecology))?;
    }
    Ok(())
}

fn write_file(path: &Path, content: &str, settings: &Settings) -> Result<(), Failure> {
    let name = path.display().to_string();
    fs::write(path, content).map_err(|error| Failure::Write { name: name.clone(), error })?;
    if settings.verbosity >= Verbosity::Normal {
        remark(&format!("wrote {name}"));
    }
    Ok(())
}
