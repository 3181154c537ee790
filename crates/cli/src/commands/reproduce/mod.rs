//! `counterplay reproduce`: tables and figures of the papers, once more.
//!
//! Each item is a file here with one function from settings to a [`Product`]; [`ITEMS`] lists them.

mod dbs_table2;
mod hallway;
mod kriegspiel;
mod kriegspiel_fig4;
mod kriegspiel_fig9;
mod tignum;
mod tignum_fig3;
mod tignum_fig5;

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use counterplay_syntax::similar;
use serde::Serialize;

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

    /// Also write text, CSV and SVG files into this folder
    #[arg(long, value_name = "FOLDER")]
    output: Option<PathBuf>,
}

/// Something that can be reproduced.
struct Item {
    id: &'static str,
    about: &'static str,
    make: fn(&Settings) -> Result<Product, Halt>,
}

/// All of them.
const ITEMS: &[Item] = &[
    Item {
        id: "dbs-table2",
        about: "Nau and Au, Table 2: DBS in a noisy tournament, with teams of growing size",
        make: dbs_table2::make,
    },
    Item {
        id: "hallway",
        about: "Nau and Au, section 4.2: the hallway as a decision process",
        make: hallway::make,
    },
    Item {
        id: "kriegspiel-fig4",
        about: "Russell and Wolfe, Figure 4: search algorithms on 5-ply checkmate problems",
        make: kriegspiel_fig4::make,
    },
    Item {
        id: "kriegspiel-fig9",
        about: "Russell and Wolfe, Figure 9: interleaved state estimation and search",
        make: kriegspiel_fig9::make,
    },
    Item {
        id: "tignum",
        about: "Smith, Nau and Throop, Table 4: declarer by task network against its rival on notrump deals",
        make: tignum::make,
    },
    Item {
        id: "tignum-fig3",
        about: "Smith, Nau and Throop, Figures 3 and 4: the decision tree of a finesse",
        make: tignum_fig3::make,
    },
    Item {
        id: "tignum-fig5",
        about: "Smith, Nau and Throop, Figures 5 and 6: two notrump by East, made",
        make: tignum_fig5::make,
    },
];

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
    let Some(item) = ITEMS.iter().find(|item| item.id == id) else {
        let near = similar(id, ITEMS.iter().map(|item| item.id));
        let help = near.map(|near| format!("did you mean `{near}`?"));
        let help = help.or(Some("`counterplay reproduce --list` shows what there is".to_owned()));
        return Err(Failure::Usage { message: format!("there is nothing called `{id}` to reproduce"), help });
    };
    let display = Arc::new(Display::new(settings));
    let floor = sentinel::watch_command(settings, &display);
    let outcome = (item.make)(settings);
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
        let items = ITEMS.iter().map(|item| JsonItem { id: item.id, about: item.about }).collect();
        output::json(&JsonList { items })?;
    } else {
        let width = ITEMS.iter().map(|item| item.id.len()).max().unwrap_or(0);
        let line = |item: &Item| format!("{:width$}  {}\n", item.id, item.about);
        output::answer(&ITEMS.iter().map(line).collect::<String>())?;
    }
    Ok(Exit::Found)
}

fn write(folder: &std::path::Path, id: &str, product: &Product, settings: &Settings) -> Result<(), Failure> {
    let failed = |path: &std::path::Path| {
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
