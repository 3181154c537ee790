//! `counterplay kriegspiel generate`: a database of mates and near misses from games.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use counterplay::Verdict;
use counterplay::kriegspiel::{DatabaseRow, GenerateRequest, Generation, Generator};

use crate::arguments::EXIT_CODES;
use crate::commands::kriegspiel::lines::Lines;
use crate::commands::kriegspiel::solve::check_depth;
use crate::exit::Exit;
use crate::failure::{Failure, Halt};
use crate::output::{self, remark};
use crate::progress::Display;
use crate::sentinel;
use crate::settings::{Settings, Verbosity};

/// Play two programs against each other and write mate and near-miss problems as JSON lines
///
/// A careful White plays a rash Black; when White's belief state is small enough it is looked at. The same seed gives the
/// same problems. A file that was begun is continued. With `--from`, the near misses of another file are asked
/// again at a greater depth.
///
/// Example: counterplay kriegspiel generate --mates 500 --near-misses 500 --output db3.jsonl
#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct GenerateArguments {
    /// Where the problems go; an existing file is continued
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,

    /// How many mates to find
    #[arg(long, value_name = "N", default_value_t = 500)]
    mates: usize,

    /// How many near misses to find
    #[arg(long, value_name = "N", default_value_t = 500)]
    near_misses: usize,

    /// Within how many plies to mate
    #[arg(long, value_name = "N", default_value_t = 3)]
    depth: usize,

    /// Ask the near misses of this file again, at `--depth`
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,

    /// Hints (rejected tries) that White gets on each turn
    #[arg(long, value_name = "N", default_value_t = 6)]
    hints: usize,

    /// Count known material wins as mates
    #[arg(long)]
    material_wins: bool,
}

impl GenerateArguments {
    fn request(&self, seed: u64) -> GenerateRequest {
        GenerateRequest {
            mates: self.mates,
            near_misses: self.near_misses,
            depth: self.depth,
            hints: self.hints,
            material_wins: self.material_wins,
            seed,
        }
    }
}

/// Generates problems.
pub(crate) fn run(arguments: &GenerateArguments, settings: &Settings) -> Result<Exit, Failure> {
    let floor = sentinel::watch_command(settings, &Arc::new(Display::new(settings)));
    let mut generator = arguments.request(settings.seed).generator();
    let outcome = generate(arguments, settings, &mut generator);
    floor.take_or_wait();
    let (verdict, exit) = match outcome {
        Ok(()) => (Verdict::Solved(()), Exit::Found),
        Err(Halt::Failure(failure)) => return Err(failure),
        Err(Halt::Limit(limit)) => {
            remark(&format!("stopped: {limit}; run the same command again to go on"));
            (Verdict::Stopped(limit), Exit::Limit)
        }
    };
    let generation = Generation::new(verdict, generator.counts());
    if settings.json {
        output::json(&generation)?;
    } else {
        output::answer(&generation.text())?;
    }
    Ok(exit)
}

fn generate(
    arguments: &GenerateArguments,
    settings: &Settings,
    generator: &mut Generator,
) -> Result<(), Halt> {
    check_depth(arguments.depth)?;
    resume(&arguments.output, settings, generator)?;
    let mut database = Database::open(&arguments.output)?;
    if let Some(from) = &arguments.from {
        return ask_again(from, settings, generator, &mut database);
    }
    while let Some(rows) = generator.next_game(&settings.budget)? {
        rows.iter().try_for_each(|row| database.append(row))?;
        let counts = generator.counts();
        if settings.verbosity == Verbosity::Verbose && counts.games.is_multiple_of(20) {
            remark(&format!(
                "game {}: {} mates, {} near misses",
                counts.games, counts.mates, counts.near_misses
            ));
        }
    }
    Ok(())
}

/// Tells the generator what an earlier run has found.
fn resume(path: &Path, settings: &Settings, generator: &mut Generator) -> Result<(), Halt> {
    if !path.exists() {
        return Ok(());
    }
    let mut lines = Lines::read(path, settings)?;
    for place in lines.places() {
        if let Some(row) = lines.parse::<DatabaseRow>(place, settings) {
            generator.resume(&row);
        }
    }
    if lines.bad {
        let message = format!("{} has lines that are no problems", path.display());
        let help = Some("remove them to continue the file, or choose another name".to_owned());
        return Err(Failure::Usage { message, help }.into());
    }
    Ok(())
}

/// A file that rows are appended to.
struct Database {
    file: File,
    name: String,
}

impl Database {
    fn open(path: &Path) -> Result<Database, Failure> {
        let name = path.display().to_string();
        match OpenOptions::new().create(true).append(true).open(path) {
            Ok(file) => Ok(Database { file, name }),
            Err(error) => Err(Failure::Write { name, error }),
        }
    }

    fn append(&mut self, row: &DatabaseRow) -> Result<(), Failure> {
        let mut line = serde_json::to_string(row).expect("problems have a JSON form");
        line.push('\n');
        let written = self.file.write_all(line.as_bytes());
        written.map_err(|error| Failure::Write { name: self.name.clone(), error })
    }
}

/// Asks the near misses of another file at a greater depth.
fn ask_again(
    from: &Path,
    settings: &Settings,
    generator: &mut Generator,
    database: &mut Database,
) -> Result<(), Halt> {
    let mut lines = Lines::read(from, settings)?;
    for place in lines.places() {
        let Some(row) = lines.parse::<DatabaseRow>(place, settings) else { continue };
        match generator.ask_again(row, &settings.budget) {
            Ok(asked) => {
                if let Some(row) = asked? {
                    database.append(&row)?;
                }
            }
            Err(error) => lines.tell(place, "kriegspiel::problem", &error.to_string(), settings),
        }
    }
    Ok(())
}
