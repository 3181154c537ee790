//! Table 1 of Willmott et al.: planning cycles, moves tried, result and the estimated size of an alpha-beta search.
//!
//! The problems of the paper come from a book that cannot be passed on; ours are the shapes of `counterplay_go::book`, once with
//! and once without critics, by plans alone as in the paper. The estimate is the paper's: with n empty points in the mask
//! an alpha-beta search looks at n! / 2^(n/2) leaves, the power rounded down.

use counterplay_go::book::exercises;
use counterplay_go::solve::{Method, Options, solve};
use serde_json::json;

use super::{Product, Size};
use crate::settings::Settings;
use counterplay::Halt;

/// The estimate of the paper's appendix A.
fn estimate(points: u32) -> f64 {
    let factorial: f64 = (1..=points).map(f64::from).product();
    factorial / 2f64.powi((points / 2) as i32)
}

/// How a problem went.
pub(super) struct Run {
    /// Its name.
    pub(super) name: &'static str,
    /// Whether critics took part.
    pub(super) critics: bool,
    /// Planning cycles.
    pub(super) cycles: u64,
    /// Moves tried.
    pub(super) moves: u64,
    /// Whether the answer is right.
    pub(super) right: bool,
    /// Positions that df-pn looked at.
    pub(super) twin: u64,
    /// The paper's estimate for alpha-beta.
    pub(super) estimate: f64,
}

/// How many problems there are.
pub(super) fn count() -> usize {
    exercises().len()
}

/// Runs the book with and without critics.
pub(super) fn runs(settings: &Settings) -> Result<Vec<Run>, Halt> {
    let mut found = Vec::new();
    for exercise in exercises() {
        let plain = Options { method: Method::Dfpn, ..Options::default() };
        let twin = solve(&exercise.problem, &plain, &settings.budget).statistics.moves_tried;
        for critics in [true, false] {
            settings.budget.check()?;
            let options = Options { method: Method::Plan, critics, ..Options::default() };
            let solution = solve(&exercise.problem, &options, &settings.budget);
            let board = &exercise.problem.board;
            let points = solution.region.points.iter().filter(|&&p| board.is_empty(p)).count() as u32;
            let right = solution.action().is_some_and(|action| exercise.answers.contains(&action));
            let (cycles, moves) = (solution.statistics.cycles, solution.statistics.moves_tried);
            found.push(Run {
                name: exercise.name,
                critics,
                cycles,
                moves,
                right,
                twin,
                estimate: estimate(points),
            });
        }
    }
    Ok(found)
}

/// The table.
pub(crate) fn make(settings: &Settings, _: Size) -> Result<Product, Halt> {
    let mut text = "Problem                                critics     cycles  moves  result  dfpn  alpha-beta estimate\n".to_owned();
    let mut csv = "problem,critics,cycles,moves,result,dfpn_moves,estimate\n".to_owned();
    let mut rows = Vec::new();
    let all = runs(settings)?;
    for run in &all {
        let Run { name, critics, cycles, moves, right, twin, estimate } = run;
        let (result, how) = (if *right { "C" } else { "F" }, if *critics { "with" } else { "without" });
        text += &format!("{name:38} {how:9} {cycles:8} {moves:6}  {result:6} {twin:5}  {estimate:.0}\n");
        csv +=
            &format!("{},{critics},{cycles},{moves},{result},{twin},{estimate:.0}\n", name.replace(',', ";"));
        rows.push(json!({
            "problem": name, "critics": critics, "cycles": cycles, "moves": moves, "correct": right,
            "dfpn_moves": twin, "estimate": estimate,
        }));
    }
    for (how, critics) in [("with", true), ("without", false)] {
        let those: Vec<&Run> = all.iter().filter(|run| run.critics == critics).collect();
        let mean =
            |of: fn(&Run) -> u64| those.iter().map(|run| of(run)).sum::<u64>() as f64 / those.len() as f64;
        text += &format!(
            "\n{how} critics: {} of {} correct, {:.0} moves and {:.0} cycles on average",
            those.iter().filter(|run| run.right).count(),
            those.len(),
            mean(|run| run.moves),
            mean(|run| run.cycles)
        );
    }
    text +=
        "\nthe paper, on 85 problems of its book: 74 % with critics, 67 % without, 31 moves and 174 cycles\n";
    Ok(Product { text, csv, svg: None, figures: json!({"rows": rows}) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_estimate_is_the_one_in_the_paper() {
        let known = [(3, 3.0), (4, 6.0), (5, 30.0), (6, 90.0), (7, 630.0), (9, 22680.0), (10, 113_400.0)];
        for (points, leaves) in known {
            assert_eq!(estimate(points), leaves);
        }
    }
}
