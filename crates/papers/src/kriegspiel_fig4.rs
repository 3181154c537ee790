//! Figure 4 of Russell and Wolfe (2005): the fraction of 5-ply problems that each algorithm solves within a time.

use std::time::Duration;

use counterplay_base::{Limit, Verdict};
use counterplay_belief::{Algorithm, solve};
use counterplay_draw::survival::{Curve, survival};
use counterplay_kriegspiel::Kriegspiel;
use counterplay_kriegspiel::database::Instance;
use serde_json::json;

use super::kriegspiel::five_ply;
use super::{Product, Size};
use crate::settings::Settings;
use counterplay::Halt;

/// Those of the figure, and ours.
const SHOWN: [Algorithm; 15] = [
    Algorithm::PerfectInformationPruning,
    Algorithm::GlDbu,
    Algorithm::LDbu,
    Algorithm::LDub,
    Algorithm::DIpns,
    Algorithm::Ipns,
    Algorithm::DfPn,
    Algorithm::EPns,
    Algorithm::LeDfs,
    Algorithm::EDfs,
    Algorithm::GxDfs,
    Algorithm::Pns,
    Algorithm::GlDfs,
    Algorithm::LDfs,
    Algorithm::Dfs,
];

/// One run.
struct Run {
    algorithm: Algorithm,
    mate: bool,
    problem: usize,
    solved: bool,
    seconds: f64,
    states: u64,
}

/// How much is measured.
pub(super) struct Extent {
    /// Problems of each kind.
    pub(super) problems: usize,
    /// How long each problem may take for each algorithm.
    pub(super) each: Duration,
}

/// The full size: half of the problems of each kind, as in the paper.
pub(super) const FULL: Extent = Extent { problems: 250, each: Duration::from_secs(10) };

/// Measures all algorithms on problems from games.
pub(crate) fn make(settings: &Settings, size: Size) -> Result<Product, Halt> {
    let quick = Extent { problems: 12, each: Duration::from_secs(1) };
    let extent = size.pick(quick, FULL);
    let runs = measure(settings, &extent)?;
    let mut csv = String::from("algorithm,kind,problem,solved,seconds,states\n");
    for run in &runs {
        let kind = if run.mate { "mate" } else { "near-miss" };
        let name = run.algorithm.name();
        csv.push_str(&format!(
            "{name},{kind},{},{},{:.6},{}\n",
            run.problem, run.solved, run.seconds, run.states
        ));
    }
    let panels = [
        ("5-ply mates: fraction solved", curves(&runs, true)),
        ("5-ply near misses: fraction solved", curves(&runs, false)),
    ];
    let list: Vec<_> = SHOWN.iter().map(|&algorithm| figures(&runs, algorithm)).collect();
    Ok(Product {
        text: summary(&runs, extent.each),
        csv,
        svg: Some(survival("CPU seconds", &panels)),
        figures: json!({"algorithms": list}),
    })
}

/// The totals of one algorithm.
fn figures(runs: &[Run], algorithm: Algorithm) -> serde_json::Value {
    let (mates, near) = (total(runs, algorithm, true), total(runs, algorithm, false));
    json!({
        "algorithm": algorithm.name(),
        "mates": {"solved": mates.0, "of": mates.1, "seconds": mates.2},
        "near_misses": {"solved": near.0, "of": near.1, "seconds": near.2},
    })
}

/// Solved problems, all problems, and the time for all.
type Totals = (usize, usize, f64);

fn total(runs: &[Run], algorithm: Algorithm, mate: bool) -> Totals {
    let mine = runs.iter().filter(|run| run.algorithm == algorithm && run.mate == mate);
    mine.fold((0, 0, 0.0), |(solved, all, seconds), run| {
        (solved + usize::from(run.solved), all + 1, seconds + run.seconds)
    })
}

fn measure(settings: &Settings, extent: &Extent) -> Result<Vec<Run>, Limit> {
    let problems = five_ply(extent.problems, settings.seed, &settings.budget)?;
    let mut runs = Vec::new();
    for algorithm in SHOWN {
        for (mate, list) in [(true, &problems.mates), (false, &problems.near_misses)] {
            for (problem, instance) in list.iter().enumerate() {
                settings.budget.check()?;
                runs.push(one((algorithm, mate, problem), instance, extent.each, settings)?);
            }
        }
        let mine = runs.iter().filter(|run| run.algorithm == algorithm);
        let (solved, all) =
            mine.fold((0, 0), |(solved, all), run| (solved + usize::from(run.solved), all + 1));
        (settings.remark)(&format!("{}: {solved} of {all} solved", algorithm.name()));
    }
    Ok(runs)
}

fn one(
    (algorithm, mate, problem): (Algorithm, bool, usize),
    instance: &Instance,
    each: Duration,
    settings: &Settings,
) -> Result<Run, Limit> {
    let budget = settings.budget.slice(each);
    let clock = settings.stopwatch();
    let answer = solve(&Kriegspiel::default(), &instance.belief, 5, algorithm, &budget);
    let seconds = clock.seconds();
    let solved = match answer.verdict {
        Verdict::Solved(_) => true,
        Verdict::Unsolvable => true,
        Verdict::Stopped(Limit::Cancelled) => return Err(Limit::Cancelled),
        Verdict::Stopped(_) => false,
    };
    Ok(Run { algorithm, mate, problem, solved, seconds, states: answer.effort.states })
}

fn curves(runs: &[Run], mate: bool) -> Vec<Curve> {
    let curve = |algorithm: Algorithm| {
        let mine = || runs.iter().filter(move |run| run.algorithm == algorithm && run.mate == mate);
        Curve {
            label: algorithm.name().to_owned(),
            seconds: mine().filter(|run| run.solved).map(|run| run.seconds).collect(),
            problems: mine().count(),
        }
    };
    SHOWN.into_iter().map(curve).collect()
}

/// A table: solved problems, and time in total with unsolved problems counted as long as they were tried.
fn summary(runs: &[Run], each: Duration) -> String {
    let mut text = format!(
        "{:12}{:>14}{:>14}{:>20}{:>20}\n",
        "algorithm", "mates", "near misses", "mates, CPU s", "near misses, CPU s"
    );
    for algorithm in SHOWN {
        let (mates, near) = (total(runs, algorithm, true), total(runs, algorithm, false));
        text.push_str(&format!(
            "{:12}{:>14}{:>14}{:>20.4}{:>20.4}\n",
            algorithm.name(),
            format!("{} of {}", mates.0, mates.1),
            format!("{} of {}", near.0, near.1),
            mates.2,
            near.2
        ));
    }
    let (plain, incremental, best): (Totals, Totals, Totals) =
        [Algorithm::Dfs, Algorithm::GlDbu, Algorithm::PerfectInformationPruning]
            .map(|algorithm| total(runs, algorithm, false))
            .into();
    let at_least = if plain.0 < plain.1 { "at least " } else { "" };
    text.push_str(&format!(
        "near misses: gl-dbu is {at_least}{:.0} times faster in total than dfs, foresight {at_least}{:.0} times \
         (limit {:.1} s a problem)\n",
        plain.2 / incremental.2,
        plain.2 / best.2,
        each.as_secs_f64()
    ));
    text
}
