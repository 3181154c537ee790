//! Kissmann 2012, Tables 10.1 and 10.3 and the text around them: strong solutions, alone and against another.

use counterplay::game::refused;
use counterplay_base::{Limit, Silent, Verdict};
use counterplay_ggp::explicit::Order;
use counterplay_ggp::{layered, symbolic};
use counterplay_ground::game::{Game, prove_structure};
use serde_json::json;

use super::ggp::{self, Sheet};
use super::{Product, Size};
use crate::settings::Settings;
use counterplay::Halt;
use counterplay::grouped;

/// Our sheet, and what the paper says of the game: its name, states and seconds of the layered approach.
pub(super) type Row = (Sheet, &'static str, Option<u64>, Option<f64>);

/// Games of one player.
pub(super) const ALONE: [Row; 3] = [
    (ggp::EIGHT_PUZZLE, "8puzzle", Some(3_590_984), Some(16.1)),
    (ggp::LIGHTS, "lightsout", Some(48_641_856), Some(205.1)),
    (ggp::PEG, "peg_bugfixed", Some(187_636_299), Some(5052.3)),
];
const ALONE_QUICK: [Row; 2] = [(ggp::LIGHTS_SMALL, "-", None, None), (ggp::PEG_SMALL, "-", None, None)];

/// Games of two players.
pub(super) const AGAINST: [Row; 7] = [
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

/// What a strong solution comes to.
pub(super) struct Solved {
    value: Option<Vec<u32>>,
    pub(super) outcomes: Vec<Vec<u32>>,
    pub(super) outcome_states: Vec<u128>,
    pub(super) layer_states: Vec<u128>,
    measure: Option<String>,
    /// Of diagrams, if there were some.
    peak_nodes: Option<usize>,
}

/// Solves a game in layers if a clock keeps them apart, and by sets of states otherwise.
pub(super) fn solve(game: &Game, settings: &Settings) -> Result<Solved, Halt> {
    let structure = prove_structure(game, &settings.budget)?;
    match layered::solve(game, &structure, Order::Own, MOST_LAYERED, &settings.budget, &Silent) {
        Ok(Verdict::Solved(solution)) => Ok(Solved {
            value: Some(solution.outcomes[solution.value].clone()),
            outcomes: solution.outcomes,
            outcome_states: solution.outcome_states.iter().map(|&count| count.into()).collect(),
            layer_states: solution.layer_states.iter().map(|&count| count.into()).collect(),
            measure: Some(solution.measure),
            peak_nodes: None,
        }),
        Ok(Verdict::Stopped(limit)) if !matches!(limit, Limit::Nodes(_)) => Err(limit.into()),
        _ => {
            let solution = symbolic::solve(game, &structure, Order::Own, None, &settings.budget, &Silent);
            let solution = match solution.map_err(|refusal| refused(&refusal))? {
                Verdict::Solved(solution) => solution,
                Verdict::Stopped(limit) => return Err(limit.into()),
                Verdict::Unsolvable => unreachable!("a state without a value is part of the solution"),
            };
            Ok(Solved {
                value: solution.value.map(|outcome| solution.outcomes[outcome].clone()),
                peak_nodes: Some(solution.peak_nodes),
                outcomes: solution.outcomes,
                outcome_states: solution.outcome_states,
                layer_states: solution.layer_states,
                measure: solution.measure,
            })
        }
    }
}

/// Games with more states are solved by sets.
const MOST_LAYERED: u64 = 250_000_000;

fn make(title: &str, games: &[Row], settings: &Settings) -> Result<Product, Halt> {
    let head = ["game", "value", "layers", "states", "seconds", "nodes", "paper: states", "seconds", "game"];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    let mut figures = Vec::new();
    let mut bars = Vec::new();
    for (sheet, name, states, seconds) in games {
        let game = sheet.ground(settings)?;
        let watch = settings.stopwatch();
        let solution = solve(&game, settings)?;
        let cpu = watch.seconds();
        let shown = solution
            .value
            .as_ref()
            .map_or("-".to_owned(), |value| value.iter().map(u32::to_string).collect::<Vec<_>>().join(" "));
        let total: u128 = solution.layer_states.iter().sum();
        rows.push(vec![
            sheet.name.to_owned(),
            shown,
            solution.layer_states.len().to_string(),
            grouped(total),
            format!("{cpu:.2}"),
            solution.peak_nodes.map_or("-".to_owned(), |nodes| grouped(nodes)),
            states.map_or("-".to_owned(), grouped),
            seconds.map_or("-".to_owned(), |seconds| format!("{seconds:.1}")),
            (*name).to_owned(),
        ]);
        bars.push((sheet.name.to_owned(), 1000.0 * cpu, seconds.map(|seconds| 1000.0 * seconds)));
        figures.push(json!({"game": sheet.name, "value": solution.value, "states": total as u64,
            "layers": solution.layer_states.len(), "seconds": cpu, "peak_nodes": solution.peak_nodes,
            "measure": solution.measure, "paper_states": states, "paper_seconds": seconds}));
    }
    let note = "CPU seconds from ground rules to the values of all states, in layers of states or, where there are nodes, \
                by sets; the paper's layered approach on a Core i7 920.";
    let (text, csv) = ggp::table(title, &rows, note);
    let svg = ggp::picture(title, "milliseconds", &bars);
    Ok(Product { text, csv, svg: Some(svg), figures: json!(figures) })
}
