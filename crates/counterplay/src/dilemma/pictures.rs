//! Pictures of a tournament.

use counterplay_dilemma::ecology::Ecology;
use counterplay_dilemma::tournament::Results;
use counterplay_draw::chart::{self, Bar, Line};
use counterplay_draw::heatmap::{self, HeatMap};

/// The ranking as bars; versions of DBS are marked.
pub(super) fn ranking(results: &Results) -> String {
    let bar = |player: usize| {
        let name = &results.names[player];
        let estimate = results.means[player];
        Bar {
            label: name.clone(),
            value: estimate.mean,
            interval: estimate.low().zip(estimate.high()),
            marked: name.starts_with("DBS"),
        }
    };
    let bars: Vec<Bar> = results.ranking().into_iter().map(bar).collect();
    chart::bars("Mean score of a match, with 95 % intervals", "points", &bars)
}

/// The scores of each pair, best players first.
pub(super) fn heat_map(results: &Results) -> String {
    let order = results.ranking();
    let names: Vec<String> = order.iter().map(|&player| results.names[player].clone()).collect();
    let row = |&one: &usize| order.iter().map(|&two| results.scores[one][two]).collect();
    let values: Vec<Vec<Option<f64>>> = order.iter().map(row).collect();
    heatmap::draw(&HeatMap {
        title: "Mean score of the row against the column",
        names: &names,
        values: &values,
    })
}

/// The ten largest shares over the generations.
pub(super) fn ecology(results: &Results, ecology: &Ecology) -> String {
    let line = |(player, _): (usize, f64)| Line {
        label: results.names[player].clone(),
        values: ecology.shares.iter().map(|shares| shares[player]).collect(),
    };
    let lines: Vec<Line> = ecology.ranking().into_iter().take(10).map(line).collect();
    chart::lines("Shares of the population", "generation", &lines)
}
