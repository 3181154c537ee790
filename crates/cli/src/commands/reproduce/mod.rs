//! `counterplay reproduce`: tables and figures of the papers, once more.
//!
//! Each item is a file here with one function from settings and a [`Size`] to a [`Product`]; [`ITEMS`] lists them.

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
mod hallway;
mod kriegspiel;
mod kriegspiel_fig4;
mod kriegspiel_fig9;
mod tignum;
mod tignum_fig3;
mod tignum_fig5;
mod yoyo;

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

    /// A smaller size that takes minutes at most
    #[arg(long)]
    quick: bool,

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

/// Something that can be reproduced.
struct Item {
    id: &'static str,
    about: &'static str,
    make: fn(&Settings, Size) -> Result<Product, Halt>,
}

/// All of them.
const ITEMS: &[Item] = &[
    Item {
        id: "fig7",
        about: "Nau and others, Figure 7: hunter and prey with one prey on growing grids",
        make: yoyo::fig7,
    },
    Item {
        id: "fig8",
        about: "Nau and others, Figure 8: hunter and prey with growing prey on a grid of 4 x 4",
        make: yoyo::fig8,
    },
    Item {
        id: "benefit-example",
        about: "Kissmann, section 7.1: the running example of net-benefit planning, net benefit 40",
        make: benefit_example::make,
    },
    Item {
        id: "dbs-table2",
        about: "Nau and Au, Table 2: DBS in a noisy tournament, with teams of growing size",
        make: dbs_table2::make,
    },
    Item {
        id: "ggp-table9.1",
        about: "Kissmann, Table 9.1: random play by the rules and by ground rules",
        make: ggp_table9_1::make,
    },
    Item {
        id: "ggp-table9.3",
        about: "Kissmann, Tables 9.3 and 9.4: how long it takes to instantiate games",
        make: ggp_table9_3::make,
    },
    Item {
        id: "ggp-table10.1",
        about: "Kissmann, Table 10.1: strong solutions of games of one player",
        make: ggp_solve::alone,
    },
    Item {
        id: "ggp-table10.2",
        about: "Kissmann, Table 10.2: peg solitaire, states by reward",
        make: ggp_table10_2::make,
    },
    Item {
        id: "ggp-table10.3",
        about: "Kissmann, Table 10.3: strong solutions of games of two players",
        make: ggp_solve::against,
    },
    Item {
        id: "gamer-table11-2",
        about: "Kissmann, Table 11.2: UCT runs on the rules and on the network",
        make: gamer_runs::make,
    },
    Item {
        id: "gamer-table11-3",
        about: "Kissmann, Table 11.3: the hybrid player in puzzles",
        make: gamer_results::puzzles,
    },
    Item {
        id: "gamer-table11-4",
        about: "Kissmann, Table 11.4: the hybrid player against UCT on the rules",
        make: gamer_results::duels,
    },
    Item {
        id: "gobi",
        about: "Willmott et al., Table 1: planning cycles and moves tried, with and without critics",
        make: gobi::make,
    },
    Item {
        id: "gobi-fig8",
        about: "Willmott et al., Figure 8: moves, cycles and estimated alpha-beta search in groups of five",
        make: gobi_fig8::make,
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
    let size = if arguments.quick { Size::Quick } else { Size::Full };
    let outcome = (item.make)(settings, size);
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
