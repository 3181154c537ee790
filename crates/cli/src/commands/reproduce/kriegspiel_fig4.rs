//! Figure 4 of Russell and Wolfe (2005): the fraction of 5-ply problems that each algorithm solves within a time.

use counterplay_base::{Limit, Verdict};
use counterplay_belief::{Algorithm, solve};
use counterplay_draw::survival::{Curve, survival};
use counterplay_kriegspiel::Kriegspiel;
use counterplay_kriegspiel::database::Instance;

use super::ReproduceArguments;
use super::kriegspiel::{Clock, five_ply, write};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::{self, remark};
use crate::settings::{Settings, Verbosity};

/// Those of the figure, and ours.
const SHOWN: [Algorithm; 15] = [
    Algorithm::Foresight,
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

/// Measures all algorithms on problems from games.
pub(crate) fn run(arguments: &ReproduceArguments, settings: &Settings) -> Result<Exit, Failure> {
    let runs = match measure(arguments, settings) {
        Ok(runs) => runs,
        Err(limit) => {
            output::stopped(limit, settings);
            return Ok(Exit::Limit);
        }
    };
    let mut csv = String::from("algorithm,kind,problem,solved,seconds,states\n");
    for run in &runs {
        let kind = if run.mate { "mate" } else { "near-miss" };
        let name = run.algorithm.name();
        csv.push_str(&format!(
            "{name},{kind},{},{},{:.6},{}\n",
            run.problem, run.solved, run.seconds, run.states
        ));
    }
    write(&arguments.output, "kriegspiel-fig4.csv", &csv)?;
    for (mate, name, title) in [
        (true, "kriegspiel-fig4-mates.svg", "5-ply mates: fraction solved"),
        (false, "kriegspiel-fig4-near-misses.svg", "5-ply near misses: fraction solved"),
    ] {
        write(&arguments.output, name, &survival(title, "CPU seconds", &curves(&runs, mate)))?;
    }
    output::answer(&summary(&runs, arguments))?;
    Ok(Exit::Found)
}

fn measure(arguments: &ReproduceArguments, settings: &Settings) -> Result<Vec<Run>, Limit> {
    let problems = five_ply(arguments.size, settings.seed, &settings.budget)?;
    let mut runs = Vec::new();
    for algorithm in SHOWN {
        for (mate, list) in [(true, &problems.mates), (false, &problems.near_misses)] {
            for (problem, instance) in list.iter().enumerate() {
                settings.budget.check()?;
                runs.push(one(algorithm, mate, problem, instance, arguments, settings)?);
            }
        }
        if settings.verbosity > Verbosity::Quiet {
            let mine = runs.iter().filter(|run| run.algorithm == algorithm);
            let (solved, all) =
                mine.fold((0, 0), |(solved, all), run| (solved + usize::from(run.solved), all + 1));
            remark(&format!("{}: {solved} of {all} solved", algorithm.name()));
        }
    }
    Ok(runs)
}

fn one(
    algorithm: Algorithm,
    mate: bool,
    problem: usize,
    instance: &Instance,
    arguments: &ReproduceArguments,
    settings: &Settings,
) -> Result<Run, Limit> {
    let budget = settings.budget.slice(arguments.each);
    let clock = Clock::start();
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
fn summary(runs: &[Run], arguments: &ReproduceArguments) -> String {
    let mut text = format!(
        "{:12}{:>14}{:>14}{:>18}{:>18}\n",
        "algorithm", "mates", "near misses", "mates, CPU s", "near misses, CPU s"
    );
    let total = |algorithm: Algorithm, mate: bool| {
        let mine = runs.iter().filter(|run| run.algorithm == algorithm && run.mate == mate);
        mine.fold((0, 0, 0.0), |(solved, all, seconds), run| {
            (solved + usize::from(run.solved), all + 1, seconds + run.seconds)
        })
    };
    for algorithm in SHOWN {
        let (mates, near) = (total(algorithm, true), total(algorithm, false));
        text.push_str(&format!(
            "{:12}{:>14}{:>14}{:>18.4}{:>18.4}\n",
            algorithm.name(),
            format!("{} of {}", mates.0, mates.1),
            format!("{} of {}", near.0, near.1),
            mates.2,
            near.2
        ));
    }
    let (plain, incremental, best) =
        (total(Algorithm::Dfs, false), total(Algorithm::GlDbu, false), total(Algorithm::Foresight, false));
    let at_least = if plain.0 < plain.1 { "at least " } else { "" };
    text.push_str(&format!(
        "near misses: gl-dbu is {at_least}{:.0} times faster in total than dfs, foresight {at_least}{:.0} times \
         (limit {:.1} s a problem)\n",
        plain.2 / incremental.2,
        plain.2 / best.2,
        arguments.each.as_secs_f64()
    ));
    text
}
