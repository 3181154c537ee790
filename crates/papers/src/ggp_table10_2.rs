//! Kissmann 2012, Table 10.2: how many states of peg solitaire have each reward.

use serde_json::json;

use super::ggp;
use super::ggp_solve::solve;
use super::{Product, Size};
use crate::settings::Settings;
use counterplay::Halt;
use counterplay::grouped;

/// The paper's rewards and states.
pub(super) const PAPER: [(u32, u64); 12] = [
    (100, 13_428_122),
    (99, 4),
    (90, 67_047_807),
    (80, 39_688_157),
    (70, 41_976_387),
    (60, 12_869_577),
    (50, 7_233_160),
    (40, 3_169_848),
    (30, 1_305_817),
    (20, 572_871),
    (10, 228_492),
    (0, 116_057),
];

/// Solves peg solitaire; the quick one is a bar of three by seven holes, of which the paper says nothing.
pub(crate) fn make(settings: &Settings, size: Size) -> Result<Product, Halt> {
    let sheet = size.pick(ggp::PEG_SMALL, ggp::PEG);
    let game = sheet.ground(settings)?;
    let solution = solve(&game, settings)?;
    let mut rows = vec![["reward", "states", "paper"].map(str::to_owned).to_vec()];
    let mut figures = Vec::new();
    let mut bars = Vec::new();
    for (rewards, &states) in solution.outcomes.iter().zip(&solution.outcome_states).rev() {
        let reward = rewards[0];
        let paper =
            PAPER.iter().find(|(own, _)| *own == reward && size == Size::Full).map(|(_, states)| *states);
        let told = paper.map_or("-".to_owned(), grouped);
        rows.push(vec![reward.to_string(), grouped(states), told]);
        bars.push((format!("reward {reward}"), states as f64, paper.map(|states| states as f64)));
        figures.push(json!({"reward": reward, "states": states as u64, "paper": paper}));
    }
    let total: u128 = solution.layer_states.iter().sum();
    let told = size.pick("-".to_owned(), grouped(187_636_299));
    rows.push(vec!["all".to_owned(), grouped(total), told]);
    let note = "States by the best reward that can still be reached from them.";
    let (text, csv) = ggp::table(&format!("Table 10.2: {}", sheet.name), &rows, note);
    let svg = ggp::picture(&format!("Table 10.2: {}", sheet.name), "states", &bars);
    Ok(Product { text, csv, svg: Some(svg), figures: json!(figures) })
}
