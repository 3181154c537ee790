//! Figure 8 of Willmott et al.: moves tried, planning cycles and the estimated size of an alpha-beta search, in groups of five.
//!
//! As in the paper only problems that plans alone answer correctly are shown, in ascending order of the estimate and then of the moves
//! tried; each group stands for the means of five. The axis is logarithmic.

use counterplay_draw::chart::{Line, lines};
use serde_json::json;

use super::gobi::{Run, runs};
use super::{Product, Size};
use crate::settings::Settings;
use counterplay::Halt;

/// So many problems make a group.
const GROUP: usize = 5;

/// Runs the book with critics, and groups what was answered correctly.
pub(crate) fn make(settings: &Settings, _: Size) -> Result<Product, Halt> {
    let all = runs(settings)?;
    let count = all.iter().filter(|run| run.critics).count();
    let mut right: Vec<&Run> = all.iter().filter(|run| run.critics && run.right).collect();
    right.sort_by(|a, b| a.estimate.total_cmp(&b.estimate).then(a.moves.cmp(&b.moves)));
    let groups = means(&right);
    let mut text = "Group  problems  moves  cycles  alpha-beta estimate\n".to_owned();
    let mut csv = "group,problems,moves,cycles,estimate\n".to_owned();
    for (i, group) in groups.iter().enumerate() {
        let Mean { size, moves, cycles, estimate } = group;
        text += &format!("{:5}  {size:8}  {moves:5.1}  {cycles:6.1}  {estimate:.0}\n", i + 1);
        csv += &format!("{},{size},{moves:.1},{cycles:.1},{estimate:.0}\n", i + 1);
    }
    let mean =
        |of: fn(&Run) -> u64| right.iter().map(|run| of(run)).sum::<u64>() as f64 / right.len().max(1) as f64;
    text += &format!(
        "\n{} of {count} problems correct: {:.0} moves and {:.0} cycles on average\n\
         the paper, 63 of 85: 24 moves and 144 cycles; its groups rise from 3 leaves to more than a million\n",
        right.len(),
        mean(|run| run.moves),
        mean(|run| run.cycles),
    );
    let line = |label: &str, of: fn(&Mean) -> f64| Line {
        label: label.to_owned(),
        values: groups.iter().map(|group| of(group).max(1.0).log10()).collect(),
    };
    let drawn = [
        line("alpha-beta (estimate)", |group| group.estimate),
        line("cycles", |group| group.cycles),
        line("moves", |group| group.moves),
    ];
    let svg = lines(
        "Logarithm (base 10) of the work, in groups of five problems",
        "groups, the smallest search first",
        &drawn,
    );
    let figures: Vec<_> = groups
        .iter()
        .map(|g| json!({"problems": g.size, "moves": g.moves, "cycles": g.cycles, "estimate": g.estimate}))
        .collect();
    Ok(Product {
        text,
        csv,
        svg: Some(svg),
        figures: json!({"groups": figures, "correct": right.len(), "problems": count}),
    })
}

/// The means of a group.
struct Mean {
    size: usize,
    moves: f64,
    cycles: f64,
    estimate: f64,
}

fn means(runs: &[&Run]) -> Vec<Mean> {
    let mean = |group: &[&Run], of: fn(&Run) -> f64| {
        group.iter().map(|run| of(run)).sum::<f64>() / group.len() as f64
    };
    runs.chunks(GROUP)
        .map(|group| Mean {
            size: group.len(),
            moves: mean(group, |run| run.moves as f64),
            cycles: mean(group, |run| run.cycles as f64),
            estimate: mean(group, |run| run.estimate),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_means_of_five() {
        let run = |moves: u64| Run {
            name: "",
            critics: true,
            cycles: 2 * moves,
            moves,
            right: true,
            twin: 0,
            estimate: 10.0,
        };
        let all: Vec<Run> = (1..=7).map(run).collect();
        let found = means(&all.iter().collect::<Vec<_>>());
        assert_eq!(found.iter().map(|group| group.size).collect::<Vec<_>>(), [5, 2]);
        assert_eq!((found[0].moves, found[0].cycles, found[1].moves), (3.0, 6.0, 6.5));
    }
}
