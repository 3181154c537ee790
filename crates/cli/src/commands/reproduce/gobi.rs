//! Table 1 of Willmott et al.: planning cycles, moves tried, result and the estimated size of an alpha-beta search.
//!
//! The problems of the paper come from a book that cannot be passed on; ours are the shapes of `counterplay_go::book`, once with
//! and once without critics, by plans alone as in the paper. The estimate is the paper's: with n empty points in the mask
//! an alpha-beta search looks at n! / 2^(n/2) leaves, the power rounded down.

use counterplay_go::book::exercises;
use counterplay_go::solve::{Method, Options, solve};
use serde_json::json;

use super::{Product, Size};
use crate::failure::Halt;
use crate::settings::Settings;

/// The estimate of the paper's appendix A.
fn estimate(points: u32) -> f64 {
    let factorial: f64 = (1..=points).map(f64::from).product();
    factorial / 2f64.powi((points / 2) as i32)
}

/// Runs the book with and without critics.
pub(super) fn make(settings: &Settings, _: Size) -> Result<Product, Halt> {
    let mut text = "Problem                                critics     cycles  moves  result  dfpn  alpha-beta estimate\n".to_owned();
    let mut csv = "problem,critics,cycles,moves,result,dfpn_moves,estimate\n".to_owned();
    let mut rows = Vec::new();
    let mut totals = [(0usize, 0u64, 0u64); 2];
    let book = exercises();
    for exercise in &book {
        let plain = Options { method: Method::Dfpn, ..Options::default() };
        let twin = solve(&exercise.problem, &plain, &settings.budget);
        for (i, critics) in [true, false].into_iter().enumerate() {
            settings.budget.check()?;
            let options = Options { method: Method::Plan, critics, ..Options::default() };
            let solution = solve(&exercise.problem, &options, &settings.budget);
            let board = &exercise.problem.board;
            let points = solution.zone.iter().filter(|&&p| board.is_empty(p)).count() as u32;
            let right = solution.action.is_some_and(|action| exercise.answers.contains(&action));
            let (result, size) = (if right { "C" } else { "F" }, estimate(points));
            let how = if critics { "with" } else { "without" };
            text += &format!(
                "{:38} {how:9} {:8} {:6}  {result:6} {:5}  {size:.0}\n",
                exercise.name, solution.cycles, solution.tried, twin.tried
            );
            csv += &format!(
                "{},{critics},{},{},{result},{},{size:.0}\n",
                exercise.name.replace(',', ";"),
                solution.cycles,
                solution.tried,
                twin.tried
            );
            rows.push(json!({
                "problem": exercise.name, "critics": critics, "cycles": solution.cycles, "moves": solution.tried,
                "correct": right, "dfpn_moves": twin.tried, "estimate": size,
            }));
            totals[i].0 += usize::from(right);
            totals[i].1 += solution.tried;
            totals[i].2 += solution.cycles;
        }
    }
    let count = book.len();
    for (how, (right, moves, cycles)) in ["with", "without"].into_iter().zip(totals) {
        text += &format!(
            "\n{how} critics: {right} of {count} correct, {:.0} moves and {:.0} cycles on average",
            moves as f64 / count as f64,
            cycles as f64 / count as f64
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
