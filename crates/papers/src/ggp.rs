//! Games for the tables of Kissmann 2012: rule sheets of our own, as they lie among the examples.

use counterplay_base::Silent;
use counterplay_draw::chart::{self, Bar};
use counterplay_gdl::Rules;
use counterplay_ground::game::{Game, GameError, ground_game};
use counterplay_syntax::Sources;

use crate::settings::Settings;
use counterplay::{Error, Halt};

/// A rule sheet.
#[derive(Clone, Copy)]
pub(super) struct Sheet {
    pub(super) name: &'static str,
    text: &'static str,
}

macro_rules! sheet {
    ($name:literal) => {
        Sheet { name: $name, text: counterplay_examples::text(concat!("games/", $name, ".kif")) }
    };
}

pub(super) const CHOMP: Sheet = sheet!("chomp-6x5");
pub(super) const CLOBBER: Sheet = sheet!("clobber-5x4");
pub(super) const CLOBBER_SMALL: Sheet = sheet!("clobber-4x4");
pub(super) const CONNECT_4X4: Sheet = sheet!("connect-four-4x4");
pub(super) const CONNECT_5X4: Sheet = sheet!("connect-four-5x4");
pub(super) const CONNECT_5X5: Sheet = sheet!("connect-four-5x5");
pub(super) const EIGHT_PUZZLE: Sheet = sheet!("eight-puzzle");
pub(super) const GUNSLINGER: Sheet = sheet!("gunslinger");
pub(super) const LIGHTS: Sheet = sheet!("lights-out-5x5");
pub(super) const LIGHTS_SMALL: Sheet = sheet!("lights-out-3x3");
pub(super) const NIM: Sheet = sheet!("nim-3-4-5");
pub(super) const PEG: Sheet = sheet!("peg-solitaire");
pub(super) const PEG_SMALL: Sheet = sheet!("peg-solitaire-small");
pub(super) const SHEEP: Sheet = sheet!("sheep-and-wolf");
pub(super) const TIC_TAC_TOE: Sheet = sheet!("tic-tac-toe");

impl Sheet {
    /// Reads the rules.
    pub(super) fn rules(self) -> Rules {
        let mut sources = Sources::default();
        let file = sources.add(self.name, self.text);
        counterplay_gdl::read(&sources, file).expect("the examples are sound")
    }

    /// The ground rules.
    pub(super) fn ground(self, settings: &Settings) -> Result<Game, Halt> {
        ground_game(&self.rules(), &settings.budget, &Silent).map_err(|error| match error {
            GameError::Stopped(limit) => Halt::Limit(limit),
            other => Error::Internal { message: format!("{}: {other}", self.name) }.into(),
        })
    }
}

/// A bar of ours (marked) and one of the paper's for each game, by powers of ten: what is compared lies far apart.
pub(super) fn picture(title: &str, unit: &str, rows: &[(String, f64, Option<f64>)]) -> String {
    let bar = |label: String, value: f64, marked| Bar {
        label,
        value: value.max(1.0).log10(),
        interval: None,
        marked,
    };
    let mut bars = Vec::new();
    for (name, ours, paper) in rows {
        bars.push(bar(name.clone(), *ours, true));
        bars.extend(paper.map(|paper| bar(format!("{name}, paper"), paper, false)));
    }
    chart::bars(title, &format!("power of ten of {unit}"), &bars)
}

/// Rows as text and as CSV; the first is the head.
pub(super) fn table(title: &str, rows: &[Vec<String>], note: &str) -> (String, String) {
    let columns = rows[0].len();
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut text = format!("{title}\n\n");
    for row in rows {
        let cells = row.iter().zip(&widths).enumerate().map(|(column, (cell, &width))| match column {
            0 => format!("{cell:width$}"),
            _ => format!("{cell:>width$}"),
        });
        text.push_str(cells.collect::<Vec<_>>().join("  ").trim_end());
        text.push('\n');
    }
    text.push_str(&format!("\n{note}\n"));
    let quoted = |cell: &String| if cell.contains(',') { format!("\"{cell}\"") } else { cell.clone() };
    let csv = rows.iter().map(|row| row.iter().map(quoted).collect::<Vec<_>>().join(",") + "\n").collect();
    (text, csv)
}
