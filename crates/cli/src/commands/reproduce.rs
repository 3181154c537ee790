//! `counterplay reproduce`: tables and figures of the papers, once more.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use counterplay_papers::{ITEMS, Item, Listing, Product, Size, find, similar_name};
use serde::Serialize;

use crate::arguments::EXIT_CODES;
use crate::clock;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::{self, remark};
use crate::progress::Display;
use crate::sentinel;
use crate::settings::{Settings, Verbosity};
use counterplay_system::memory;

/// Regenerate a table or figure of the papers, as text, CSV and SVG
///
/// Example: counterplay reproduce dbs-table2 --output tables
#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct ReproduceArguments {
    /// Which one; all of them are listed if left out
    id: Option<String>,

    /// List what can be reproduced
    #[arg(long, conflicts_with = "id")]
    list: bool,

    /// A smaller size that takes minutes at most
    #[arg(long)]
    quick: bool,

    /// Files that the item reads: a folder of benchmarks or a single one, as `--list` says
    #[arg(long, value_name = "PATH", requires = "id")]
    data: Option<PathBuf>,

    /// Also write text, CSV and SVG files into this folder
    #[arg(long, value_name = "FOLDER")]
    output: Option<PathBuf>,
}

/// The JSON form of the list.
#[derive(Serialize)]
struct List {
    items: Vec<Listing>,
}

/// The JSON form of an item that was made.
#[derive(Serialize)]
struct Made<'a> {
    id: &'a str,
    figures: &'a serde_json::Value,
}

/// Reproduces one item, or lists all.
pub(crate) fn run(arguments: &ReproduceArguments, settings: &Settings) -> Result<Exit, Failure> {
    let Some(id) = arguments.id.as_ref().filter(|_| !arguments.list) else {
        return list(settings);
    };
    let Some(item) = find(id) else {
        let help = similar_name(id).map(|near| format!("did you mean `{near}`?"));
        let help = help.or(Some("`counterplay reproduce --list` shows what there is".to_owned()));
        return Err(Failure::Usage { message: format!("there is nothing called `{id}` to reproduce"), help });
    };
    if let Some(data) = arguments.data.as_ref().filter(|_| !item.reads_files()) {
        let message = format!("`{}` reads no files, so `--data {}` has no use", item.id(), data.display());
        return Err(Failure::Usage { message, help: Some("leave it out".to_owned()) });
    }
    let display = Arc::new(Display::new(settings));
    let floor = sentinel::watch_command(settings, &display);
    let size = if arguments.quick { Size::Quick } else { Size::Full };
    let outcome = item.make(&made_under(settings), size, arguments.data.as_deref());
    floor.take_or_wait();
    let product = match outcome {
        Ok(product) => product,
        Err(counterplay::Halt::Error(error)) => return Err(error.into()),
        Err(counterplay::Halt::Limit(limit)) => {
            output::stopped(limit, settings);
            return Ok(Exit::Limit);
        }
    };
    if let Some(folder) = &arguments.output {
        write(folder, item.id(), &product, settings)?;
    }
    if settings.json {
        output::json(&Made { id: item.id(), figures: &product.figures })?;
    } else {
        output::answer(&product.text)?;
    }
    Ok(Exit::Found)
}

/// What the items get to know of the settings.
fn made_under(settings: &Settings) -> counterplay_papers::Settings {
    counterplay_papers::Settings {
        budget: settings.budget.clone(),
        seed: settings.seed,
        threads: settings.threads,
        clock: clock::thread_time,
        resident: memory::resident,
        remark: if settings.verbosity > Verbosity::Quiet { remark } else { |_| () },
    }
}

fn list(settings: &Settings) -> Result<Exit, Failure> {
    if settings.json {
        output::json(&List { items: ITEMS.iter().map(Item::listing).collect() })?;
    } else {
        let width = ITEMS.iter().map(|item| item.id().len()).max().unwrap_or(0);
        output::answer(&ITEMS.iter().map(|item| line(&item.listing(), width)).collect::<String>())?;
    }
    Ok(Exit::Found)
}

/// An item in the list: its name, what it is, and what it lacks.
fn line(item: &Listing, width: usize) -> String {
    let lack = item.lacking.as_ref();
    let lack = lack.map_or(String::new(), |lack| format!("{:width$}  (in part: {lack})\n", ""));
    format!("{:width$}  {}\n{lack}", item.id, item.about)
}

fn write(folder: &Path, id: &str, product: &Product, settings: &Settings) -> Result<(), Failure> {
    let failed = |path: &Path| {
        let name = path.display().to_string();
        move |error| Failure::Write { name, error }
    };
    fs::create_dir_all(folder).map_err(failed(folder))?;
    let files = [("txt", Some(&product.text)), ("csv", Some(&product.csv)), ("svg", product.svg.as_ref())];
    for (ending, content) in files {
        let Some(content) = content else { continue };
        let path = folder.join(format!("{id}.{ending}"));
        fs::write(&path, content).map_err(failed(&path))?;
        if settings.verbosity >= Verbosity::Normal {
            remark(&format!("wrote {}", path.display()));
        }
    }
    Ok(())
}
