//! Results of a tournament as text, tables and pictures.

use std::fmt::Write;

use counterplay_dilemma::ecology::Ecology;
use counterplay_dilemma::tournament::Results;
use counterplay_draw::chart::{self, Bar, Line};
use counterplay_draw::heatmap::{self, HeatMap};

/// The ranking as a table, and the outcome of the ecology if there is one.
pub(super) fn text(played: &Results, ecology: Option<&Ecology>) -> String {
    let width = played.names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(8);
    let mut text = format!("rank  {:width$}      mean       ±  cooperates\n", "strategy");
    for (rank, player) in played.ranking().into_iter().enumerate() {
        let estimate = played.means[player];
        let margin = estimate.margin.map_or(String::new(), |margin| format!("{margin:.2}"));
        let _ = writeln!(
            text,
            "{:>4}  {:width$}  {:>8.2}  {margin:>6}  {:>9.1}%",
            rank + 1,
            played.names[player],
            estimate.mean,
            100.0 * played.cooperation_rate(player)
        );
    }
    if let Some(ecology) = ecology {
        let generations = ecology.shares.len() - 1;
        let _ = writeln!(text, "\nshares after {generations} generations");
        for (player, share) in ecology.ranking().into_iter().take(20).filter(|(_, share)| *share >= 0.0005) {
            let _ = writeln!(text, "{:>6.1}%  {}", 100.0 * share, played.names[player]);
        }
    }
    text
}

/// A name as CSV wants it.
pub(super) fn quoted(name: &str) -> String {
    match name.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", name.replace('"', "\"\"")),
        false => name.to_owned(),
    }
}

fn cell(value: Option<f64>) -> String {
    value.map_or(String::new(), |value| format!("{value:.6}"))
}

/// The ranking.
pub(super) fn ranking_csv(played: &Results) -> String {
    let mut text = "rank,strategy,mean,low,high,cooperation\n".to_owned();
    for (rank, player) in played.ranking().into_iter().enumerate() {
        let estimate = played.means[player];
        let _ = writeln!(
            text,
            "{},{},{:.6},{},{},{:.6}",
            rank + 1,
            quoted(&played.names[player]),
            estimate.mean,
            cell(estimate.low()),
            cell(estimate.high()),
            played.cooperation_rate(player)
        );
    }
    text
}

/// Scores and cooperation of each pair.
pub(super) fn pairs_csv(played: &Results) -> String {
    let mut text = "strategy,against,score,cooperation\n".to_owned();
    for (one, name) in played.names.iter().enumerate() {
        for (two, other) in played.names.iter().enumerate() {
            let (score, cooperation) = (cell(played.scores[one][two]), cell(played.cooperation[one][two]));
            let _ = writeln!(text, "{},{},{score},{cooperation}", quoted(name), quoted(other));
        }
    }
    text
}

/// The shares of all generations, a row each.
pub(super) fn ecology_csv(played: &Results, ecology: &Ecology) -> String {
    let names: Vec<String> = played.names.iter().map(|name| quoted(name)).collect();
    let mut text = format!("generation,{}\n", names.join(","));
    for (generation, shares) in ecology.shares.iter().enumerate() {
        let shares: Vec<String> = shares.iter().map(|share| format!("{share:.9}")).collect();
        let _ = writeln!(text, "{generation},{}", shares.join(","));
    }
    text
}

/// The ranking as bars; DBS and masters stand out.
pub(super) fn ranking_svg(played: &Results) -> String {
    let bar = |player: usize| {
        let name = &played.names[player];
        let estimate = played.means[player];
        Bar {
            label: name.clone(),
            value: estimate.mean,
            interval: estimate.low().zip(estimate.high()),
            marked: name.starts_with("DBS"),
        }
    };
    let bars: Vec<Bar> = played.ranking().into_iter().map(bar).collect();
    chart::bars("Mean score of a match, with 95 % intervals", "points", &bars)
}

/// The scores of each pair, best players first.
pub(super) fn heat_map(played: &Results) -> String {
    let order = played.ranking();
    let names: Vec<String> = order.iter().map(|&player| played.names[player].clone()).collect();
    let row = |&one: &usize| order.iter().map(|&two| played.scores[one][two]).collect();
    let values: Vec<Vec<Option<f64>>> = order.iter().map(row).collect();
    heatmap::draw(&HeatMap {
        title: "Mean score of the row against the column",
        names: &names,
        values: &values,
    })
}

/// The ten largest shares over the generations.
pub(super) fn ecology_svg(played: &Results, ecology: &Ecology) -> String {
    let line = |(player, _): (usize, f64)| Line {
        label: played.names[player].clone(),
        values: ecology.shares.iter().map(|shares| shares[player]).collect(),
    };
    let lines: Vec<Line> = ecology.ranking().into_iter().take(10).map(line).collect();
    chart::lines("Shares of the population", "generation", &lines)
}
