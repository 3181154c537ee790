//! `counterplay solve`: a plan of least cost or best net benefit, or a policy, checked before it is shown.

mod benefit;
mod confirm;
mod frame;
pub(crate) mod htn;
pub(crate) mod policy;
mod report;
pub(crate) mod verify;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{Args, ValueEnum};
use counterplay_base::{Budget, Verdict};
use counterplay_plan::{Answer, Direction, Heuristic, Options, Search};
use counterplay_task::Task;

use self::benefit::BenefitReport;
use self::htn::HtnChoice;
use self::htn::plan::HtnReport;
use self::htn::policy::NetworkReport;
use self::policy::{ClassChoice, PolicyReport};
use self::report::Report;
use crate::arguments::EXIT_CODES;
use crate::clock::{Phase, Phases};
use crate::exit::Exit;
use crate::failure::{Failure, Halt};
use crate::input::{Input, Lifted};
use crate::progress::Display;
use crate::sentinel;
use crate::settings::Settings;

/// Find a plan of least cost or best net benefit, or a policy where actions have several outcomes, or prove that there is none
///
/// Example: counterplay solve domain.pddl p01.pddl --time-limit 60s --plan-file p01.plan
#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct SolveArguments {
    /// The PDDL domain, or a whole task in Fast Downward's translator format; `-` is standard input
    #[arg(value_name = "DOMAIN")]
    domain: PathBuf,

    /// The PDDL problem; left out for a task in the translator format
    #[arg(value_name = "PROBLEM")]
    problem: Option<PathBuf>,

    /// Which search to run
    #[arg(long, value_enum, default_value_t, value_name = "SEARCH")]
    search: SearchChoice,

    /// Which way a symbolic search goes; with `--search auto` it means dijkstra [default: both]
    #[arg(long, value_enum, value_name = "DIRECTION")]
    direction: Option<DirectionChoice>,

    /// Heuristic of the explicit search; with `--search auto` it means explicit [default: lmcut]
    #[arg(long, value_enum, value_name = "HEURISTIC")]
    heuristic: Option<HeuristicChoice>,

    /// What a policy is to guarantee, where actions have several outcomes [default: as much as possible]
    #[arg(long, value_enum, value_name = "CLASS")]
    class: Option<ClassChoice>,

    /// Write the plan to this file too; an older file of that name is removed first
    #[arg(long, value_name = "FILE")]
    plan_file: Option<PathBuf>,

    /// How a task network is used (HDDL) [default: shop, or network where actions have several outcomes]
    #[arg(long, value_enum, value_name = "WAY")]
    htn: Option<HtnChoice>,

    /// Write the decomposition tree to this file: a picture if the name ends in .svg, else text (HDDL)
    #[arg(long, value_name = "FILE")]
    tree_file: Option<PathBuf>,

    /// How many steps of search may go into making a plan of a task network shorter [default: 40000]
    #[arg(long, value_name = "STEPS")]
    effort: Option<u64>,

    /// Add a picture of the policy to the answer, as SVG under `graph`, where the answer is a policy
    #[arg(long, requires = "json")]
    graph: bool,

    /// Draw the policy as a graph to this SVG file
    #[arg(long, value_name = "FILE")]
    graph_file: Option<PathBuf>,

    /// Do not check the plan before it is shown
    #[arg(long)]
    no_check: bool,
}

/// The searches on offer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum SearchChoice {
    /// Whatever measured best for such tasks
    #[default]
    Auto,
    /// Symbolic breadth-first search: fewest steps, for problems without costs
    Bfs,
    /// Symbolic uniform-cost search
    Dijkstra,
    /// Symbolic A* with a pattern database
    Astar,
    /// A* over single states; for policies, plans for single outcomes that are repaired
    Explicit,
    /// Sets of states: dijkstra for plans, fixpoints for policies
    Symbolic,
}

/// The directions on offer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum DirectionChoice {
    /// From the initial state
    Forward,
    /// From the goal
    Backward,
    /// From both, meeting in between
    Both,
}

/// The heuristics on offer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum HeuristicChoice {
    /// LM-cut
    Lmcut,
    /// None: uniform-cost search
    Blind,
}

/// Options that do not fit together are refused, never ignored.
fn decide(arguments: &SolveArguments, seed: u64) -> Result<Options, Failure> {
    let search = match (arguments.search, arguments.direction, arguments.heuristic) {
        (SearchChoice::Auto, Some(_), Some(_)) => {
            return Err(misfit(
                "`--direction` and `--heuristic` belong to different searches",
                "choose a --search",
            ));
        }
        (SearchChoice::Auto, Some(_), None) => Search::Dijkstra,
        (SearchChoice::Auto, None, Some(_)) => Search::Explicit,
        (SearchChoice::Auto, None, None) => Search::Auto,
        (SearchChoice::Bfs, ..) => Search::Bfs,
        (SearchChoice::Dijkstra, ..) => Search::Dijkstra,
        (SearchChoice::Astar, ..) => Search::AStar,
        (SearchChoice::Explicit, ..) => Search::Explicit,
        (SearchChoice::Symbolic, ..) => Search::Dijkstra,
    };
    if arguments.heuristic.is_some() && search != Search::Explicit {
        return Err(misfit(
            "`--heuristic` is for the explicit search",
            "add `--search explicit`, or leave it out",
        ));
    }
    let goes_forward_only = matches!(search, Search::AStar | Search::Explicit);
    if goes_forward_only
        && matches!(arguments.direction, Some(DirectionChoice::Backward | DirectionChoice::Both))
    {
        return Err(misfit(
            "this search goes forward only",
            "`--search bfs` and `--search dijkstra` go both ways",
        ));
    }
    let direction = match arguments.direction {
        Some(DirectionChoice::Forward) => Direction::Forward,
        Some(DirectionChoice::Backward) => Direction::Backward,
        Some(DirectionChoice::Both) | None => Direction::Both,
    };
    let heuristic = match arguments.heuristic {
        Some(HeuristicChoice::Blind) => Heuristic::Blind,
        Some(HeuristicChoice::Lmcut) | None => Heuristic::LmCut,
    };
    Ok(Options { search, direction, heuristic, seed })
}

fn misfit(message: &str, help: &str) -> Failure {
    Failure::Usage { message: message.to_owned(), help: Some(help.to_owned()) }
}

/// Solves a problem and prints the answer.
pub(crate) fn run(arguments: &SolveArguments, settings: &Settings) -> Result<Exit, Failure> {
    let display = Arc::new(Display::new(settings));
    let floor = {
        let (settings, known) = (settings.clone(), Arc::clone(&display));
        sentinel::watch(&settings.budget.clone(), Arc::clone(&display), move |limit| {
            // The process ends here either way.
            let report = Report::stopped(limit, Phases::default()).with_bounds(known.known_bounds());
            let _ = report.print(&settings);
        })
    };
    if let Some(file) = &arguments.plan_file {
        remove_stale(file);
    }
    let mut phases = Phases::default();
    let outcome = answer(arguments, settings, &display, &mut phases);
    floor.take_or_wait();
    display.clear();
    let report = match outcome {
        Ok(report) => report,
        Err(Halt::Limit(limit)) => Found::Plan(Report::stopped(limit, phases)),
        Err(Halt::Failure(failure)) => return Err(failure),
    };
    let (text, exit) = match &report {
        Found::Plan(report) => {
            report.print(settings)?;
            (report.plan_text(), report.exit())
        }
        Found::Benefit(report) => {
            report.print(settings)?;
            (report.plan_text(), report.exit())
        }
        Found::Policy(report) => {
            report.print(settings)?;
            if let (Some(file), Some(picture)) = (&arguments.graph_file, report.picture()) {
                let name = file.display().to_string();
                fs::write(file, picture).map_err(|error| Failure::Write { name, error })?;
            }
            (report.policy_text(), report.exit())
        }
        Found::Htn(report) => {
            report.print(settings)?;
            (report.plan_text(), report.exit())
        }
        Found::Network(report) => {
            report.print(settings)?;
            (report.policy_text(), report.exit())
        }
    };
    if let (Some(file), Some(text)) = (&arguments.plan_file, text) {
        fs::write(file, text).map_err(|error| Failure::Write { name: file.display().to_string(), error })?;
    }
    Ok(exit)
}

/// What the answer is about.
enum Found {
    /// Nobody else acts.
    Plan(Report),
    /// Wishes have prices.
    Benefit(BenefitReport),
    /// Nature has a say.
    Policy(PolicyReport),
    /// Nobody else acts, and there is know-how.
    Htn(HtnReport),
    /// Nature has a say, and the network is to be carried out.
    Network(NetworkReport),
}

/// From the files to the answer.
fn answer(
    arguments: &SolveArguments,
    settings: &Settings,
    display: &Display,
    phases: &mut Phases,
) -> Result<Found, Halt> {
    let budget = &settings.budget;
    let input = phases
        .measure(Phase::Parse, || Input::read(&arguments.domain, arguments.problem.as_deref(), budget))?;
    if let Input::Lifted(lifted) = &input
        && lifted.problem.hierarchy.is_some()
    {
        return decompose(arguments, lifted, settings, display, phases);
    }
    if arguments.htn.is_some() || arguments.tree_file.is_some() || arguments.effort.is_some() {
        return Err(misfit(
            "`--htn`, `--tree-file` and `--effort` are for task networks, and the files declare none",
            "leave them out, or give HDDL files",
        )
        .into());
    }
    if let Input::Lifted(lifted) = &input
        && (lifted.problem.is_nondeterministic() || arguments.class.is_some())
    {
        return Ok(Found::Policy(policy::answer(arguments, lifted, settings, display, phases)?));
    }
    if arguments.class.is_some() {
        return Err(misfit(
            "`--class` is for policies, and in a finite task every action has one outcome",
            "leave it out, or give the PDDL files that the task was made from",
        )
        .into());
    }
    if arguments.graph_file.is_some() {
        return Err(
            misfit("`--graph-file` is for policies, and the answer here is a plan", "leave it out").into()
        );
    }
    let options = &decide(arguments, settings.seed)?;
    if let Input::Lifted(lifted) = &input
        && counterplay_ground::is_net_benefit(&lifted.problem)
    {
        return match benefit::answer(arguments, options, lifted, settings, display, phases) {
            Err(Halt::Limit(limit)) => {
                let report = BenefitReport::stopped(limit, lifted, arguments.no_check, *phases);
                Ok(Found::Benefit(report))
            }
            other => Ok(Found::Benefit(other?)),
        };
    }
    display.announce("grounding");
    let task = match &input {
        Input::Lifted(lifted) => &phases.measure(Phase::Ground, || lifted.ground(budget, display))?,
        Input::Finite(task) => task.as_ref(),
    };
    if options.search == Search::Bfs && !has_one_cost(task) {
        return Err(misfit(
            "`--search bfs` looks for the fewest steps, and the actions of this problem differ in cost",
            "use `--search dijkstra`",
        )
        .into());
    }
    display.announce("searching");
    display.set_unit(task.cost_unit);
    let answer = phases.measure(Phase::Search, || counterplay_plan::solve(task, options, budget, display));
    let checked_by = if arguments.no_check {
        None
    } else {
        display.announce("checking");
        let search = phases.search;
        phases.measure(Phase::Check, || check(&input, task, &answer, settings, search))?
    };
    Ok(Found::Plan(Report::new(task, answer, checked_by, *phases)?))
}

/// Checks a plan, or confirms that there is none; who did it.
fn check(
    input: &Input,
    task: &Task,
    answer: &Answer,
    settings: &Settings,
    search: Option<f64>,
) -> Result<Option<String>, Halt> {
    let problem = match input {
        Input::Lifted(lifted) => Some(&lifted.problem),
        Input::Finite(_) => None,
    };
    match (&answer.verdict, &answer.best) {
        (Verdict::Solved(plan), _) => {
            verify::check(input, task, plan, &settings.budget)?;
            Ok(Some(verify::NAME.to_owned()))
        }
        (Verdict::Unsolvable, _) => confirm::no_plan(problem, task, &answer.statistics.ran, settings, search),
        // A limit that has been reached is no reason to show a plan unchecked: checking takes no time to speak of.
        (Verdict::Stopped(_), Some(best)) => {
            verify::check(input, task, best, &Budget::unlimited())?;
            Ok(None)
        }
        (Verdict::Stopped(_), None) => Ok(None),
    }
}

/// From HDDL files to the answer, in the way that was asked for.
fn decompose(
    arguments: &SolveArguments,
    lifted: &Lifted,
    settings: &Settings,
    display: &Display,
    phases: &mut Phases,
) -> Result<Found, Halt> {
    let is_nondeterministic = lifted.problem.is_nondeterministic();
    let default = if is_nondeterministic { HtnChoice::Network } else { HtnChoice::Shop };
    Ok(match arguments.htn.unwrap_or(default) {
        HtnChoice::Shop if is_nondeterministic => {
            return Err(misfit(
                "`--htn shop` is for actions with one outcome, and some here have several",
                "use `--htn network`, `--htn nd` or `--htn yoyo`",
            )
            .into());
        }
        HtnChoice::Shop if arguments.class.is_some() => {
            return Err(misfit("`--class` is for policies", "leave it out, or use another `--htn`").into());
        }
        HtnChoice::Shop => Found::Htn(htn::plan::answer(arguments, lifted, settings, display, phases)?),
        HtnChoice::Network => {
            Found::Network(htn::policy::network(arguments, lifted, settings, display, phases)?)
        }
        way @ (HtnChoice::Nd | HtnChoice::Yoyo) => {
            Found::Policy(htn::policy::steered(arguments, lifted, way, settings, display, phases)?)
        }
    })
}

fn has_one_cost(task: &Task) -> bool {
    let mut costs = task.operators.iter().map(|op| op.cost);
    costs.next().is_none_or(|first| costs.all(|cost| cost == first))
}

/// A plan of an earlier run must not pass for this run's answer. Devices and the like are left alone.
fn remove_stale(file: &Path) {
    if fs::symlink_metadata(file).is_ok_and(|data| data.is_file()) {
        // If it cannot be removed, writing the plan will fail and say so.
        let _ = fs::remove_file(file);
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::arguments::Arguments;
    use crate::commands::Command;

    fn decided(options: &str) -> Result<Options, Failure> {
        let words = ["counterplay", "solve", "d", "p"].into_iter().chain(options.split_whitespace());
        match Arguments::parse_from(words).command {
            Command::Solve(arguments) => decide(&arguments, 7),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn what_is_left_open_is_decided_once() {
        let options = decided("").unwrap();
        assert_eq!(options, Options { search: Search::Auto, seed: 7, ..Options::default() });
        assert_eq!(decided("--direction backward").unwrap().search, Search::Dijkstra);
        assert_eq!(decided("--heuristic blind").unwrap().search, Search::Explicit);
        assert_eq!(decided("--search bfs").unwrap().direction, Direction::Both);
    }

    #[test]
    fn options_that_do_not_fit_are_refused() {
        for options in [
            "--direction forward --heuristic blind",
            "--search dijkstra --heuristic lmcut",
            "--search astar --direction backward",
            "--search explicit --direction both",
        ] {
            assert!(matches!(decided(options), Err(Failure::Usage { .. })), "{options}");
        }
    }
}
