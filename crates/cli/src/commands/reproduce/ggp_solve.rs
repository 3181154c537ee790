//! Kissmann 2012, Tables 10.1 and 10.3 and the text around them: strong solutions, alone and against another.

use counterplay_base::Silent;
use counterplay_ggp::explicit::Order;
use counterplay_ggp::symbolic::{self, Solution};
use counterplay_ground::game::{Game, prove_structure};
use serde_json::json;

use super::ggp::{self, Sheet};
use super::{Product, Size};
use crate::commands::game::refused;
use crate::failure::Halt;
use crate::figures::grouped;
use crate::settings::Settings;
use crate::stopwatch::Stopwatch;

/// Our sheet, and what the paper says of the game: its name, states and seconds of the layered approach.
type Row = (Sheet, &'static str, Option<u64>, Option<f64>);

/// Games of one player.
const ALONE: [Row; 3] = [
    (ggp::EIGHT_PUZZLE, "8puzzle", Some(3_590_984), Some(16.1)),
    (ggp::LIGHTS, "lightsout", Some(48_641_856), Some(205.1)),
    (ggp::PEG, "peg_bugfixed", Some(187_636_299), Some(5052.3)),
];
const ALONE_QUICK: [Row; 2] = [(ggp::LIGHTS_SMALL, "-", None, None), (ggp::PEG_SMALL, "-", None, None)];

/// Games of two players.
const AGAINST: [Row; 7] = [
    (ggp::GUNSLINGER, "-", None, None),
    (ggp::NIM, "nim4, larger", Some(149_042), Some(5.4)),
    (ggp::CHOMP, "chomp 8x7, larger", Some(12_868), Some(6.3)),
    (ggp::CONNECT_5X4, "-", None, None),
    (ggp::CONNECT_5X5, "-", None, None),
    (ggp::SHEEP, "sheep_and_wolf", None, None),
    (ggp::CLOBBER, "clobber", Some(26_787_440), Some(450.0)),
];
const AGAINST_QUICK: [Row; 5] = [
    (ggp::GUNSLINGER, "-", None, None),
    (ggp::NIM, "nim4, larger", Some(149_042), Some(5.4)),
    (ggp::CHOMP, "chomp 8x7, larger", Some(12_868), Some(6.3)),
    (ggp::CONNECT_4X4, "-", None, None),
    (ggp::CLOBBER_SMALL, "-", None, None),
];

/// Games of one player.
pub(super) fn alone(settings: &Settings, size: Size) -> Result<Product, Halt> {
    let rows = size.pick(&ALONE_QUICK[..], &ALONE[..]);
    make("Table 10.1: games of one player", rows, settings)
}

/// Games of two players.
pub(super) fn against(settings: &Settings, size: Size) -> Result<Product, Halt> {
    let rows = size.pick(&AGAINST_QUICK[..], &AGAINST[..]);
    make("Table 10.3: games of two players", rows, settings)
}

/// Solves a game by sets of states.
pub(super) fn solve<'g>(game: &'g Game, settings: &Settings) -> Result<Solution<'g>, Halt> {
    let structure = prove_structure(game, &settings.budget)?;
    symbolic::solve(game, &structure, Order::Own, None, &settings.budget, &Silent).map_err(refused)
}

fn make(title: &str, games: &[Row], settings: &Settings) -> Result<Product, Halt> {
    let head = ["game", "value", "layers", "states", "seconds", "nodes", "paper: states", "seconds", "game"];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    let mut figures = Vec::new();
    for (sheet, name, states, seconds) in games {
        let game = sheet.ground(settings)?;
        let watch = Stopwatch::start();
        let solution = solve(&game, settings)?;
        let cpu = watch.seconds();
        let value = solution.value.map(|outcome| solution.outcomes[outcome].clone());
        let shown = value
            .as_ref()
            .map_or("-".to_owned(), |value| value.iter().map(u32::to_string).collect::<Vec<_>>().join(" "));
        let total: u128 = solution.layer_states.iter().sum();
        rows.push(vec![
            sheet.name.to_owned(),
            shown,
            solution.layer_states.len().to_string(),
            grouped(total as u64),
            format!("{cpu:.2}"),
            grouped(solution.peak_nodes as u64),
            states.map_or("-".to_owned(), grouped),
            seconds.map_or("-".to_owned(), |seconds| format!("{seconds:.1}")),
            (*name).to_owned(),
        ]);
        figures.push(json!({"game": sheet.name, "value": value, "states": total as u64,
            "layers": solution.layer_states.len(), "seconds": cpu, "peak_nodes": solution.peak_nodes,
            "measure": solution.measure, "paper_states": states, "paper_seconds": seconds}));
    }
    let note = "CPU seconds from ground rules to the values of all states; the paper's layered approach on a Core i7 920.";
    let (text, csv) = ggp::table(title, &rows, note);
    Ok(Product { text, csv, svg: None, figures: json!(figures) })
}
