//! The tables and figures of the five papers, once more.
//!
//! Each [`Item`] is a file here with one function from [`Settings`] and a [`Size`] to a [`Product`]: text with the paper's
//! figures beside ours, CSV, and a picture. [`ITEMS`] lists them, with how much of the paper's item is done. The searches used
//! are those of the library; `growth` alone has its own, since it counts states and diagram nodes layer by layer.
//!
//! ```
//! let item = counterplay_papers::find("dbs-table2").expect("the tournament of DBS");
//! assert!(item.about().contains("Table 2"));
//! ```

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
mod settings;
mod tignum;
mod tignum_fig3;
mod tignum_fig5;
mod yoyo;

use std::path::Path;

use counterplay::Halt;
use counterplay_syntax::similar;
use serde::Serialize;

pub use items::ITEMS;
pub use settings::Settings;

/// How large a reproduction is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
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
pub struct Item {
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

    /// The name that `counterplay reproduce` takes.
    pub fn id(&self) -> &'static str {
        self.id
    }

    /// The paper, the number of the table or figure, and what it shows.
    pub fn about(&self) -> &'static str {
        self.about
    }

    /// Whether the item reads files of the user.
    pub fn reads_files(&self) -> bool {
        matches!(self.make, Make::Data(_))
    }

    /// Makes the table or figure again. `data` is for items that read files.
    pub fn make(&self, settings: &Settings, size: Size, data: Option<&Path>) -> Result<Product, Halt> {
        match self.make {
            Make::Alone(make) => make(settings, size),
            Make::Data(make) => make(settings, size, data),
        }
    }

    /// The entry of the list.
    pub fn listing(&self) -> Listing {
        let part = |part: &Part| Coverage { what: part.what, done: (part.ours)(), of: part.paper };
        Listing {
            id: self.id,
            about: self.about,
            state: self.state(),
            parts: self.parts.iter().map(part).collect(),
            lacking: self.lacking_text(),
        }
    }

    fn is_called(&self, name: &str) -> bool {
        self.id == name || self.also == Some(name)
    }
}

/// What came out.
pub struct Product {
    /// For people, with the paper's figures beside ours.
    pub text: String,
    /// For tools.
    pub csv: String,
    /// For the eye, if there is something to see.
    pub svg: Option<String>,
    /// Figures by name, for `--json`.
    pub figures: serde_json::Value,
}

/// An item as `counterplay reproduce --list --json` prints it.
#[derive(Clone, Debug, Serialize)]
pub struct Listing {
    pub id: &'static str,
    pub about: &'static str,
    /// `whole`, or `part` with what is lacking.
    pub state: &'static str,
    pub parts: Vec<Coverage>,
    pub lacking: Option<String>,
}

/// How much of one dimension of an item is done.
#[derive(Clone, Debug, Serialize)]
pub struct Coverage {
    /// What is counted, in the plural.
    pub what: &'static str,
    pub done: usize,
    pub of: usize,
}

/// The item of a name.
pub fn find(name: &str) -> Option<&'static Item> {
    ITEMS.iter().find(|item| item.is_called(name))
}

/// The name that was probably meant.
pub fn similar_name(name: &str) -> Option<&'static str> {
    similar(name, ITEMS.iter().flat_map(|item| [Some(item.id), item.also]).flatten())
}
