//! `counterplay reproduce`: tables and figures of the papers, measured again on this machine.
//!
//! One file for each item, and one list of them.

mod kriegspiel;
mod kriegspiel_fig4;
mod kriegspiel_fig9;

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use crate::arguments::EXIT_CODES;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::limits;
use crate::output;
use crate::settings::Settings;

/// Regenerate a table or figure of the papers, as text, CSV and SVG
///
/// Without an id, lists what there is.
///
/// Example: counterplay reproduce kriegspiel-fig4 --output figures
#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct ReproduceArguments {
    /// What to regenerate
    #[arg(value_name = "ID")]
    id: Option<String>,

    /// The folder for CSV and SVG files
    #[arg(long, short, value_name = "FOLDER", default_value = "reproduced")]
    pub(crate) output: PathBuf,

    /// How many problems of each kind, where there is a choice
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub(crate) size: usize,

    /// How long each problem may take for each method
    #[arg(long, value_name = "TIME", value_parser = limits::duration, default_value = "2s")]
    pub(crate) each: Duration,
}

/// One table or figure.
struct Item {
    id: &'static str,
    title: &'static str,
    run: fn(&ReproduceArguments, &Settings) -> Result<Exit, Failure>,
}

/// Everything that can be regenerated.
const ITEMS: &[Item] = &[
    Item {
        id: "kriegspiel-fig4",
        title: "Russell and Wolfe (2005), Figure 4: search algorithms on 5-ply checkmate problems",
        run: kriegspiel_fig4::run,
    },
    Item {
        id: "kriegspiel-fig9",
        title: "Russell and Wolfe (2005), Figure 9: interleaved state estimation and search",
        run: kriegspiel_fig9::run,
    },
];

/// Regenerates an item, or lists them.
pub(crate) fn run(arguments: &ReproduceArguments, settings: &Settings) -> Result<Exit, Failure> {
    let Some(id) = &arguments.id else {
        let list: String = ITEMS.iter().map(|item| format!("{:18} {}\n", item.id, item.title)).collect();
        output::answer(&list)?;
        return Ok(Exit::Found);
    };
    match ITEMS.iter().find(|item| item.id == id) {
        Some(item) => (item.run)(arguments, settings),
        None => {
            let message = format!("there is nothing to reproduce under the name `{id}`");
            let help = Some("`counterplay reproduce` lists what there is".to_owned());
            Err(Failure::Usage { message, help })
        }
    }
}
