//! Kissmann 2012, Table 9.1: states expanded by random play with the rules as they are, and with ground rules.
//!
//! The paper compares Prolog with instantiated rules; we compare our interpreter of the rules with the network. The
//! games are our own sheets, some of them smaller: the factor is what can be compared.

use std::time::Duration;

use counterplay_gdl::interpret::InterpretError;
use counterplay_ggp::simulate::{simulate, simulate_rules};
use serde_json::json;

use super::ggp::{self, Sheet};
use super::{Product, Size};
use crate::settings::Settings;
use counterplay::grouped;
use counterplay::{Error, Halt};

/// Our sheet, the paper's name of the game, and its expansions in ten seconds with Prolog and instantiated.
pub(super) const GAMES: [(Sheet, &str, u64, u64); 6] = [
    (ggp::CHOMP, "chomp", 22_020, 1_526_445),
    (ggp::CONNECT_5X5, "connectfour", 44_449, 2_020_006),
    (ggp::LIGHTS, "lightsout", 28_800, 7_230_080),
    (ggp::PEG, "peg_bugfixed", 19_951, 1_966_075),
    (ggp::SHEEP, "sheep_and_wolf", 20_448, 882_738),
    (ggp::TIC_TAC_TOE, "tictactoe", 65_864, 5_654_553),
];

/// Plays all games both ways.
pub(crate) fn make(settings: &Settings, size: Size) -> Result<Product, Halt> {
    let allowed = size.pick(Duration::from_millis(500), Duration::from_secs(10));
    let head = ["game", "rules /10 s", "ground /10 s", "factor", "paper: Prolog", "instantiated", "factor"];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    let mut figures = Vec::new();
    let mut bars = Vec::new();
    for (sheet, name, prolog, instantiated) in GAMES {
        let game = sheet.ground(settings)?;
        let watch = settings.stopwatch();
        let go_on = settings.stopwatch().until(allowed);
        let plain =
            simulate_rules(&sheet.rules(), settings.seed, &settings.budget, go_on).map_err(|trouble| {
                match trouble {
                    InterpretError::Stopped(limit) => Halt::Limit(limit),
                    other => Error::Internal { message: format!("{}: {other}", sheet.name) }.into(),
                }
            })?;
        let plain = plain.states as f64 / watch.seconds();
        let watch = settings.stopwatch();
        let played = simulate(&game, settings.seed, &settings.budget, settings.stopwatch().until(allowed))?;
        let network = played.states as f64 / watch.seconds();
        let factor = network / plain;
        rows.push(vec![
            sheet.name.to_owned(),
            grouped((10.0 * plain) as u64),
            grouped((10.0 * network) as u64),
            format!("{factor:.1}"),
            grouped(prolog),
            grouped(instantiated),
            format!("{:.1}", instantiated as f64 / prolog as f64),
        ]);
        bars.push((sheet.name.to_owned(), 10.0 * network, Some(instantiated as f64)));
        figures.push(json!({"game": sheet.name, "paper_game": name, "rules_per_second": plain,
            "network_per_second": network, "factor": factor, "paper_prolog": prolog,
            "paper_instantiated": instantiated}));
    }
    let note =
        "Expansions in ten seconds of CPU time, from runs of the given length; the paper's on a Core i7 920.";
    let (text, csv) = ggp::table("Table 9.1: expansions by the rules and by ground rules", &rows, note);
    let svg = ggp::picture("Table 9.1: expansions by ground rules", "expansions in ten seconds", &bars);
    Ok(Product { text, csv, svg: Some(svg), figures: json!(figures) })
}
