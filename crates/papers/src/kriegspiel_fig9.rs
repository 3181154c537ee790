//! Figure 9 of Russell and Wolfe (2005): estimation and search one after the other, or at the same time.

use counterplay_base::Limit;
use counterplay_belief::{Algorithm, Stream, solve, solve_while_estimating};
use counterplay_draw::survival::{Curve, survival};
use counterplay_kriegspiel::Kriegspiel;
use counterplay_kriegspiel::chess::Board;
use counterplay_kriegspiel::database::Instance;
use rand_chacha::ChaCha8Rng;
use serde_json::json;

use super::kriegspiel::three_ply;
use super::{Product, Size};
use crate::settings::Settings;
use counterplay::Halt;

/// One problem, both ways.
struct Run {
    mate: bool,
    states: usize,
    needed: usize,
    sequential: f64,
    interleaved: f64,
}

/// Problems of each kind at full size.
pub(super) const PROBLEMS: usize = 500;

/// Measures both ways on 3-ply problems from games.
pub(crate) fn make(settings: &Settings, size: Size) -> Result<Product, Halt> {
    let runs = measure(settings, size.pick(30, PROBLEMS))?;
    let mut csv = String::from("kind,states,needed,sequential,interleaved\n");
    for run in &runs {
        let kind = if run.mate { "mate" } else { "near-miss" };
        let (sequential, interleaved) = (run.sequential, run.interleaved);
        csv.push_str(&format!("{kind},{},{},{sequential:.6},{interleaved:.6}\n", run.states, run.needed));
    }
    let curve = |label: &str, mate: bool, seconds: fn(&Run) -> f64| {
        let mine: Vec<f64> = runs.iter().filter(|run| run.mate == mate).map(seconds).collect();
        Curve { label: label.to_owned(), problems: mine.len(), seconds: mine }
    };
    let panels = [true, false].map(|mate| {
        let title = if mate { "3-ply mates: fraction solved" } else { "3-ply near misses: fraction solved" };
        let both = [
            ("sequential", (|run| run.sequential) as fn(&Run) -> f64),
            ("interleaved", |run| run.interleaved),
        ];
        (title, both.map(|(label, seconds)| curve(label, mate, seconds)).to_vec())
    });
    Ok(Product {
        text: summary(&runs),
        csv,
        svg: Some(survival("CPU seconds", &panels)),
        figures: json!({"mates": figures(&runs, true), "near_misses": figures(&runs, false)}),
    })
}

/// The totals of one kind.
fn figures(runs: &[Run], mate: bool) -> serde_json::Value {
    let sum = |part: fn(&Run) -> f64| runs.iter().filter(|run| run.mate == mate).map(part).sum::<f64>();
    json!({
        "problems": runs.iter().filter(|run| run.mate == mate).count(),
        "states": sum(|run| run.states as f64),
        "needed": sum(|run| run.needed as f64),
        "sequential_seconds": sum(|run| run.sequential),
        "interleaved_seconds": sum(|run| run.interleaved),
    })
}

fn measure(settings: &Settings, problems: usize) -> Result<Vec<Run>, Limit> {
    let problems = three_ply(problems, settings.seed, &settings.budget)?;
    let mut runs = Vec::new();
    for (mate, list) in [(true, &problems.mates), (false, &problems.near_misses)] {
        for instance in list {
            runs.push(one(&problems.root, instance, mate, settings)?);
        }
    }
    Ok(runs)
}

fn one(root: &Board, instance: &Instance, mate: bool, settings: &Settings) -> Result<Run, Limit> {
    let budget = &settings.budget;
    budget.check()?;
    let world = Kriegspiel::default();
    let stream = || Stream::<_, ChaCha8Rng>::new(&world, std::slice::from_ref(root), &instance.events, None);
    let clock = settings.stopwatch();
    let belief: Vec<Board> = stream().collect();
    let answer = solve(&world, &belief, 3, Algorithm::GlDbu, budget);
    let sequential = clock.seconds();
    let clock = settings.stopwatch();
    let (same, needed) = solve_while_estimating(&world, stream(), 3, budget);
    let interleaved = clock.seconds();
    debug_assert_eq!(
        answer.verdict.solved().is_some(),
        same.verdict.solved().is_some(),
        "both ways decide the same"
    );
    Ok(Run { mate, states: belief.len(), needed, sequential, interleaved })
}

fn summary(runs: &[Run]) -> String {
    let mut text = format!(
        "{:14}{:>10}{:>12}{:>12}{:>16}{:>16}\n",
        "problems", "number", "states", "needed", "sequential", "interleaved"
    );
    for (mate, name) in [(true, "mates"), (false, "near misses")] {
        let mine: Vec<&Run> = runs.iter().filter(|run| run.mate == mate).collect();
        let states: usize = mine.iter().map(|run| run.states).sum();
        let needed: usize = mine.iter().map(|run| run.needed).sum();
        let sequential: f64 = mine.iter().map(|run| run.sequential).sum();
        let interleaved: f64 = mine.iter().map(|run| run.interleaved).sum();
        text.push_str(&format!(
            "{name:14}{:>10}{states:>12}{needed:>12}{sequential:>14.3} s{interleaved:>14.3} s\n",
            mine.len()
        ));
    }
    text
}
