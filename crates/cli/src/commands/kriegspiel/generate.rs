//! `counterplay kriegspiel generate`: a database of mates and near misses from games.

use std::collections::HashSet;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use counterplay_base::Budget;
use counterplay_kriegspiel::chess::Board;
use counterplay_kriegspiel::database::{Instance, Kind, Recipe, classify, play_game};
use counterplay_kriegspiel::steps::{self, Step};
use serde::{Deserialize, Serialize};

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

/// A problem as it is written; the fields that `solve` and `estimate` read have the names they expect.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Row {
    id: String,
    game: u64,
    kind: String,
    root_fen: String,
    history: Vec<Step>,
    belief: Vec<String>,
    size: usize,
    depth: usize,
    mate: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    first_try: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    winnable: Option<usize>,
    true_state: String,
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// What has been found so far.
#[derive(Default)]
struct Stock {
    mates: usize,
    near_misses: usize,
    next_game: u64,
    seen: HashSet<Vec<String>>,
}

/// Generates problems.
pub(crate) fn run(arguments: &GenerateArguments, settings: &Settings) -> Result<Exit, Failure> {
    let floor = sentinel::watch_command(settings, &Arc::new(Display::new(settings)));
    let mut stock = Stock::default();
    let outcome = generate(arguments, settings, &mut stock);
    floor.take_or_wait();
    let exit = match outcome {
        Ok(()) => Exit::Found,
        Err(Halt::Failure(failure)) => return Err(failure),
        Err(Halt::Limit(limit)) => {
            remark(&format!("stopped: {limit}; run the same command again to go on"));
            Exit::Limit
        }
    };
    if settings.json {
        output::json(&serde_json::json!({
            "verdict": if exit == Exit::Found { "solved" } else { "stopped" },
            "mates": stock.mates,
            "near_misses": stock.near_misses,
            "games": stock.next_game,
        }))?;
    } else {
        let text = format!(
            "{} mates and {} near misses from {} games\n",
            stock.mates, stock.near_misses, stock.next_game
        );
        output::answer(&text)?;
    }
    Ok(exit)
}

fn generate(arguments: &GenerateArguments, settings: &Settings, stock: &mut Stock) -> Result<(), Halt> {
    check_depth(arguments.depth)?;
    let recipe = Recipe {
        depth: arguments.depth,
        hints: arguments.hints,
        material_wins: arguments.material_wins,
        ..Recipe::default()
    };
    take_stock(&arguments.output, settings, stock)?;
    let mut file = append(&arguments.output)?;
    let name = arguments.output.display().to_string();
    let mut write = |row: &Row| {
        let mut line = serde_json::to_string(row).expect("problems have a JSON form");
        line.push('\n');
        file.write_all(line.as_bytes()).map_err(|error| Failure::Write { name: name.clone(), error })
    };
    if let Some(from) = &arguments.from {
        return ask_again(from, &recipe, settings, stock, &mut write);
    }
    let root: Board = START.parse().expect("the start position is sound");
    while stock.mates < arguments.mates || stock.near_misses < arguments.near_misses {
        let game = stock.next_game;
        let seed = settings.seed.wrapping_mul(1_000_003).wrapping_add(game);
        for instance in play_game(root, &recipe, seed, &settings.budget)? {
            let row = row(&root, &instance, game, &recipe, stock.mates + stock.near_misses);
            let wanted = if row.mate {
                stock.mates < arguments.mates
            } else {
                stock.near_misses < arguments.near_misses
            };
            if wanted && stock.add(&row) {
                write(&row)?;
            }
        }
        stock.next_game = game + 1;
        if settings.verbosity == Verbosity::Verbose && game % 20 == 19 {
            remark(&format!("game {}: {} mates, {} near misses", game + 1, stock.mates, stock.near_misses));
        }
    }
    Ok(())
}

impl Stock {
    /// Counts a problem; `false` if it was there before.
    fn add(&mut self, row: &Row) -> bool {
        let mut belief = row.belief.clone();
        belief.sort_unstable();
        if !self.seen.insert(belief) {
            return false;
        }
        *(if row.mate { &mut self.mates } else { &mut self.near_misses }) += 1;
        true
    }
}

/// What an earlier run has found. A last line that was cut off is dropped.
fn take_stock(path: &Path, settings: &Settings, stock: &mut Stock) -> Result<(), Halt> {
    if !path.exists() {
        return Ok(());
    }
    let mut lines = Lines::read(path, settings)?;
    for place in lines.places() {
        if let Some(row) = lines.parse::<Row>(place, settings) {
            stock.add(&row);
            stock.next_game = stock.next_game.max(row.game);
        }
    }
    // The last game may have had a second problem: it is played again, and what is known is not written twice.
    if lines.bad {
        let message = format!("{} has lines that are no problems", path.display());
        let help = Some("remove them to continue the file, or choose another name".to_owned());
        return Err(Failure::Usage { message, help }.into());
    }
    Ok(())
}

fn append(path: &Path) -> Result<File, Failure> {
    OpenOptions::new()
        .create(true)
        .append(true)
        .open(path)
        .map_err(|error| Failure::Write { name: path.display().to_string(), error })
}

fn row(root: &Board, instance: &Instance, game: u64, recipe: &Recipe, number: usize) -> Row {
    let mut belief: Vec<String> = instance.belief.iter().map(Board::to_string).collect();
    belief.sort_unstable();
    let (mate, first_try, winnable) = match instance.kind {
        Kind::Mate { first_try } => (true, Some(first_try.to_string()), None),
        Kind::NearMiss { winnable } => (false, None, Some(winnable)),
    };
    Row {
        id: format!("g{}-{number:04}", recipe.depth),
        game,
        kind: if mate { "mate" } else { "near-miss" }.to_owned(),
        root_fen: root.to_string(),
        history: steps::history(root, &instance.events),
        size: belief.len(),
        belief,
        depth: recipe.depth,
        mate,
        first_try,
        winnable,
        true_state: instance.truth.to_string(),
    }
}

/// Asks the near misses of another file at a greater depth.
fn ask_again(
    from: &Path,
    recipe: &Recipe,
    settings: &Settings,
    stock: &mut Stock,
    write: &mut impl FnMut(&Row) -> Result<(), Failure>,
) -> Result<(), Halt> {
    let mut lines = Lines::read(from, settings)?;
    for place in lines.places() {
        let Some(row) = lines.parse::<Row>(place, settings) else { continue };
        if row.mate {
            continue;
        }
        let belief: Result<Vec<Board>, _> = row.belief.iter().map(|fen| fen.parse()).collect();
        let belief = match belief {
            Ok(belief) => belief,
            Err(error) => {
                lines.tell(place, "kriegspiel::problem", &error.to_string(), settings);
                continue;
            }
        };
        if let Some(row) = again(row, &belief, recipe, &settings.budget)?
            && stock.add(&row)
        {
            write(&row)?;
        }
    }
    Ok(())
}

fn again(row: Row, belief: &[Board], recipe: &Recipe, budget: &Budget) -> Result<Option<Row>, Halt> {
    let Some(kind) = classify(belief, recipe, budget)? else { return Ok(None) };
    let (mate, first_try, winnable) = match kind {
        Kind::Mate { first_try } => (true, Some(first_try.to_string()), None),
        Kind::NearMiss { winnable } => (false, None, Some(winnable)),
    };
    let id = format!("{}-{}ply", row.id, recipe.depth);
    let kind = if mate { "mate" } else { "near-miss" }.to_owned();
    Ok(Some(Row { id, kind, depth: recipe.depth, mate, first_try, winnable, ..row }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_gives_the_same_problems_again() {
        let root: Board = START.parse().unwrap();
        let recipe = Recipe { moves: 30, ..Recipe::default() };
        let rows = || -> Vec<String> {
            let found = play_game(root, &recipe, 7, &Budget::unlimited()).unwrap();
            let text = |instance| serde_json::to_string(&row(&root, instance, 7, &recipe, 0)).unwrap();
            found.iter().map(text).collect()
        };
        assert_eq!(rows(), rows());
    }
}
