//! Kissmann 2012, Tables 9.3 and 9.4: how long it takes to instantiate games.

use serde_json::json;

use super::ggp::{self, Sheet};
use super::{Product, Size};
use crate::settings::Settings;
use counterplay::Halt;
use counterplay::grouped;

/// Our sheet, the paper's name of the game, and its seconds with Prolog and with dependency graphs.
pub(super) const GAMES: [(Sheet, &str, f64, f64); 7] = [
    (ggp::CHOMP, "chomp", 0.448, 1.643),
    (ggp::CLOBBER, "clobber", 1.763, 32.409),
    (ggp::CONNECT_5X5, "connectfour", 0.131, 0.133),
    (ggp::NIM, "nim1", 0.133, 2.379),
    (ggp::PEG, "peg bugfixed", 1.962, 6.620),
    (ggp::SHEEP, "sheep and wolf", 1.890, 9.539),
    (ggp::TIC_TAC_TOE, "tictactoe", 0.065, 0.062),
];

/// Grounds all games.
pub(crate) fn make(settings: &Settings, size: Size) -> Result<Product, Halt> {
    let head = ["game", "fluents", "moves", "rules", "seconds", "paper: Prolog", "graphs"];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    let mut figures = Vec::new();
    let mut bars = Vec::new();
    // The system tells CPU time in ticks, which are longer than that of a small game.
    let rounds = size.pick(100u32, 1000);
    for (sheet, name, prolog, graphs) in GAMES {
        let watch = settings.stopwatch();
        let mut game = sheet.ground(settings)?;
        for _ in 1..rounds {
            game = sheet.ground(settings)?;
        }
        let seconds = watch.seconds() / f64::from(rounds);
        rows.push(vec![
            sheet.name.to_owned(),
            grouped(game.fluents.len() as u64),
            grouped(game.moves.len() as u64),
            grouped(game.heads.len() as u64),
            format!("{seconds:.4}"),
            format!("{prolog:.3}"),
            format!("{graphs:.3}"),
        ]);
        bars.push((sheet.name.to_owned(), 1e6 * seconds, Some(1e6 * prolog)));
        figures.push(json!({"game": sheet.name, "paper_game": name, "seconds": seconds,
            "paper_prolog": prolog, "paper_graphs": graphs}));
    }
    let note = "CPU seconds of reading and grounding our own sheets of these games, some of them smaller.";
    let (text, csv) = ggp::table("Table 9.3: instantiation", &rows, note);
    let svg = ggp::picture("Table 9.3: instantiation", "microseconds", &bars);
    Ok(Product { text, csv, svg: Some(svg), figures: json!(figures) })
}
