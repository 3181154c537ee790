//! `counterplay reproduce`: tables and figures of the papers, once more.
//!
//! Each item is a file here with one function from settings and a [`Size`] to a [`Product`]; [`items`] lists them.

mod benchmarks;
mod benefit_example;
mod dbs_table2;
mod gamer;
mod gamer_results;
mod gamer_runs;
mod ggp;
mod ggp_solve;
mod ggp_table10_2;
mod ggp_table9_1;
mod ggp_table9_3;
mod gobi;
mod gobi_fig8;
mod growth;
mod hallway;
mod items;
mod kriegspiel;
mod kriegspiel_fig1;
mod kriegspiel_fig4;
mod kriegspiel_fig9;
mod tignum;
mod tignum_fig3;
mod tignum_fig5;
mod yoyo;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use counterplay_syntax::similar;
use serde::Serialize;

use self::items::ITEMS;
use crate::arguments::EXIT_CODES;
use crate::exit::Exit;
use crate::failure::{Failure, Halt};
use crate::output::{self, remark};
use crate::progress::Display;
use crate::sentinel;
use crate::settings::{Settings, Verbosity};

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

/// How large a reproduction is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Size {
    /// Minutes at most, with fewer or smaller problems.
    Quick,
    /// As large as in the paper, or as far as it goes.
    Full,
}

impl Size {
    /// One of two values.
    pub(crate) fn pick<T>(self, quick: T, full: T) -> T {
        if self == Size::Quick { quick } else { full }
    }
}

/// How an item is made.
#[derive(Clone, Copy)]
enum Make {
    /// From what the program brings along.
    Alone(fn(&Settings, Size) -> Result<Product, Halt>),
    /// From files of the user, or with them if there are any.
    Data(fn(&Settings, Size, Option<&Path>) -> Result<Product, Halt>),
}

/// Something that can be reproduced.
struct Item {
    id: &'static str,
    /// Another name, if it is known by one.
    also: Option<&'static str>,
    about: &'static str,
    make: Make,
    /// How much of the paper's item is produced at full size.
    parts: &'static [Part],
    /// A difference that no count shows.
    lack: Option<&'static str>,
}

/// One dimension of an item, such as its rows, and how far we go in it.
struct Part {
    /// What is counted, in the plural: `games`, `deals`.
    what: &'static str,
    /// How many of them the program produces at full size, counted from what it runs.
    ours: fn() -> usize,
    /// How many of them the paper has.
    paper: usize,
}

impl Part {
    const fn new(what: &'static str, ours: fn() -> usize, paper: usize) -> Part {
        Part { what, ours, paper }
    }

    fn is_whole(&self) -> bool {
        (self.ours)() >= self.paper
    }
}

impl Item {
    const fn new(
        id: &'static str,
        about: &'static str,
        make: fn(&Settings, Size) -> Result<Product, Halt>,
    ) -> Item {
        Item { id, also: None, about, make: Make::Alone(make), parts: &[], lack: None }
    }

    const fn with_data(
        id: &'static str,
        about: &'static str,
        make: fn(&Settings, Size, Option<&Path>) -> Result<Product, Halt>,
    ) -> Item {
        Item { id, also: None, about, make: Make::Data(make), parts: &[], lack: None }
    }

    const fn also(self, name: &'static str) -> Item {
        Item { also: Some(name), ..self }
    }

    const fn counting(self, parts: &'static [Part]) -> Item {
        Item { parts, ..self }
    }

    const fn lacking(self, why: &'static str) -> Item {
        Item { lack: Some(why), ..self }
    }

    /// `whole` only if every part is complete and nothing else is lacking.
    fn state(&self) -> &'static str {
        let whole = !self.parts.is_empty() && self.parts.iter().all(Part::is_whole) && self.lack.is_none();
        if whole { "whole" } else { "part" }
    }

    /// What is lacking, counted and told; none if the item is whole.
    fn lacking_text(&self) -> Option<String> {
        let short = self.parts.iter().filter(|part| !part.is_whole());
        let counted = short.map(|part| format!("{} of {} {}", (part.ours)(), part.paper, part.what));
        let told: Vec<String> = counted.chain(self.lack.map(str::to_owned)).collect();
        (!told.is_empty()).then(|| told.join("; "))
    }

    fn is_called(&self, name: &str) -> bool {
        self.id == name || self.also == Some(name)
    }
}

/// What came out.
pub(crate) struct Product {
    /// For people, with the paper's figures beside ours.
    pub(crate) text: String,
    /// For tools.
    pub(crate) csv: String,
    /// For the eye, if there is something to see.
    pub(crate) svg: Option<String>,
    /// Figures by name, for `--json`.
    pub(crate) figures: serde_json::Value,
}

#[derive(Serialize)]
struct JsonList {
    items: Vec<JsonItem>,
}

#[derive(Serialize)]
struct JsonItem {
    id: &'static str,
    about: &'static str,
    /// `whole`, or `part` with what is lacking.
    state: &'static str,
    parts: Vec<JsonPart>,
    lacking: Option<String>,
}

#[derive(Serialize)]
struct JsonPart {
    what: &'static str,
    done: usize,
    of: usize,
}

#[derive(Serialize)]
struct Json<'a> {
    id: &'a str,
    figures: &'a serde_json::Value,
}

/// Reproduces one item, or lists all.
pub(crate) fn run(arguments: &ReproduceArguments, settings: &Settings) -> Result<Exit, Failure> {
    let Some(id) = arguments.id.as_ref().filter(|_| !arguments.list) else {
        return list(settings);
    };
    let Some(item) = ITEMS.iter().find(|item| item.is_called(id)) else {
        let near = similar(id, ITEMS.iter().flat_map(|item| [Some(item.id), item.also]).flatten());
        let help = near.map(|near| format!("did you mean `{near}`?"));
        let help = help.or(Some("`counterplay reproduce --list` shows what there is".to_owned()));
        return Err(Failure::Usage { message: format!("there is nothing called `{id}` to reproduce"), help });
    };
    if let (Make::Alone(_), Some(data)) = (item.make, &arguments.data) {
        let message = format!("`{}` reads no files, so `--data {}` has no use", item.id, data.display());
        return Err(Failure::Usage { message, help: Some("leave it out".to_owned()) });
    }
    let display = Arc::new(Display::new(settings));
    let floor = sentinel::watch_command(settings, &display);
    let size = if arguments.quick { Size::Quick } else { Size::Full };
    let outcome = match item.make {
        Make::Alone(make) => make(settings, size),
        Make::Data(make) => make(settings, size, arguments.data.as_deref()),
    };
    floor.take_or_wait();
    let product = match outcome {
        Ok(product) => product,
        Err(Halt::Failure(failure)) => return Err(failure),
        Err(Halt::Limit(limit)) => {
            output::stopped(limit, settings);
            return Ok(Exit::Limit);
        }
    };
    if let Some(folder) = &arguments.output {
        write(folder, item.id, &product, settings)?;
    }
    if settings.json {
        output::json(&Json { id: item.id, figures: &product.figures })?;
    } else {
        output::answer(&product.text)?;
    }
    Ok(Exit::Found)
}

fn list(settings: &Settings) -> Result<Exit, Failure> {
    if settings.json {
        let json = |item: &Item| JsonItem {
            id: item.id,
            about: item.about,
            state: item.state(),
            parts: item
                .parts
                .iter()
                .map(|part| JsonPart { what: part.what, done: (part.ours)(), of: part.paper })
                .collect(),
            lacking: item.lacking_text(),
        };
        output::json(&JsonList { items: ITEMS.iter().map(json).collect() })?;
    } else {
        output::answer(&ITEMS.iter().map(line).collect::<String>())?;
    }
    Ok(Exit::Found)
}

/// An item in the list: its name, what it is, and what it lacks.
fn line(item: &Item) -> String {
    let width = ITEMS.iter().map(|item| item.id.len()).max().unwrap_or(0);
    let lack =
        item.lacking_text().map_or(String::new(), |lack| format!("{:width$}  (in part: {lack})\n", ""));
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
