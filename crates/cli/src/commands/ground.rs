//! `counterplay ground`: the finite task behind a problem, in figures and as a file.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use counterplay_task::{Task, sas};
use serde::Serialize;

use crate::arguments::EXIT_CODES;
use crate::clock::{Phase, Phases, seconds};
use crate::exit::Exit;
use crate::failure::{Failure, Halt};
use crate::figures::grouped;
use crate::input::read_lifted;
use crate::memory;
use crate::output::{self, remark};
use crate::progress::Display;
use crate::sentinel;
use crate::settings::{Settings, Verbosity};
use counterplay::Amount;

/// Turn a problem into a finite-domain task: print its figures, write Fast Downward's `output.sas`
///
/// Example: counterplay ground domain.pddl p01.pddl --output p01.sas
#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct GroundArguments {
    /// The PDDL domain; `-` is standard input
    #[arg(value_name = "DOMAIN")]
    domain: PathBuf,

    /// The PDDL problem
    #[arg(value_name = "PROBLEM")]
    problem: PathBuf,

    /// Where to write the task (translator format, version 3); `-` is standard output, without the figures
    #[arg(long, short, value_name = "FILE", default_value = "output.sas")]
    output: PathBuf,

    /// Print the figures only
    #[arg(long, conflicts_with = "output")]
    no_output: bool,
}

/// Where the task goes.
#[derive(Debug, PartialEq, Eq)]
enum Target {
    Nowhere,
    Stdout,
    File(PathBuf),
}

impl Target {
    fn decide(arguments: &GroundArguments) -> Target {
        match &arguments.output {
            _ if arguments.no_output => Target::Nowhere,
            path if path.as_os_str() == "-" => Target::Stdout,
            path => Target::File(path.clone()),
        }
    }
}

/// The documented shape of `ground --json`.
#[derive(Serialize)]
struct Figures {
    variables: usize,
    derived: usize,
    facts: usize,
    operators: usize,
    conditional_effects: usize,
    axioms: usize,
    goals: usize,
    mutex_groups: usize,
    mutex_pairs: usize,
    least_cost: Option<Amount>,
    greatest_cost: Option<Amount>,
    seconds: f64,
    phases: Phases,
    peak_memory: Option<usize>,
}

impl Figures {
    fn of(task: &Task, phases: Phases, settings: &Settings) -> Figures {
        let cost = |units: Option<u64>| units.and_then(|units| Amount::of_units(units, task.cost_unit));
        let effects = task.operators.iter().flat_map(|op| &op.effects);
        Figures {
            variables: task.variables.len(),
            derived: task.variables.iter().filter(|variable| variable.derived.is_some()).count(),
            facts: task.variables.iter().map(|variable| variable.values.len()).sum(),
            operators: task.operators.len(),
            conditional_effects: effects.filter(|effect| !effect.condition.is_empty()).count(),
            axioms: task.axioms.len(),
            goals: task.goal.len(),
            mutex_groups: task.mutex_groups.len(),
            mutex_pairs: task.mutex_pairs.len(),
            least_cost: cost(task.operators.iter().map(|op| op.cost).min()),
            greatest_cost: cost(task.operators.iter().map(|op| op.cost).max()),
            seconds: seconds(settings.started.elapsed()),
            phases,
            peak_memory: memory::peak(),
        }
    }

    fn text(&self) -> String {
        let rows = [
            ("variables", self.variables),
            ("  of them derived", self.derived),
            ("facts", self.facts),
            ("operators", self.operators),
            ("conditional effects", self.conditional_effects),
            ("axioms", self.axioms),
            ("goals", self.goals),
            ("mutex groups", self.mutex_groups),
            ("mutex pairs", self.mutex_pairs),
        ];
        let mut text = String::new();
        for (name, count) in rows {
            text.push_str(&format!("{name:22}{:>12}\n", grouped(count as u64)));
        }
        if let (Some(least), Some(greatest)) = (self.least_cost, self.greatest_cost) {
            text.push_str(&format!("{:22}{:>12}\n", "operator costs", format!("{least} to {greatest}")));
        }
        text
    }
}

/// Grounds a problem, prints figures and writes the task.
pub(crate) fn run(arguments: &GroundArguments, settings: &Settings) -> Result<Exit, Failure> {
    let target = Target::decide(arguments);
    let display = Arc::new(Display::new(settings));
    let floor = sentinel::watch_command(settings, &display);
    let mut phases = Phases::default();
    let outcome = ground(arguments, settings, &display, &mut phases);
    floor.take_or_wait();
    display.clear();
    let task = match outcome {
        Ok(task) if task.soft.is_empty() => task,
        Ok(task) => {
            if settings.verbosity >= Verbosity::Normal {
                remark(
                    "soft goals are compiled away: plans end with steps that collect or forgo each of them",
                );
            }
            counterplay_plan::without_soft_goals(&task)
        }
        Err(Halt::Failure(failure)) => return Err(failure),
        Err(Halt::Limit(limit)) => {
            output::stopped(limit, settings);
            return Ok(Exit::Limit);
        }
    };
    match &target {
        Target::Nowhere => {}
        Target::Stdout => output::answer(&sas::write(&task))?,
        Target::File(path) => {
            let name = path.display().to_string();
            fs::write(path, sas::write(&task))
                .map_err(|error| Failure::Write { name: name.clone(), error })?;
            if settings.verbosity >= Verbosity::Normal {
                remark(&format!("wrote {name}"));
            }
        }
    }
    let figures = Figures::of(&task, phases, settings);
    match (&target, settings.json) {
        (Target::Stdout, _) => {}
        (_, true) => output::json(&figures)?,
        (_, false) => output::answer(&figures.text())?,
    }
    if settings.verbosity == Verbosity::Verbose {
        let took = |phase: Option<f64>| phase.unwrap_or(0.0);
        remark(&format!("parsing {:.6} s, grounding {:.6} s", took(phases.parse), took(phases.ground)));
    }
    Ok(Exit::Found)
}

fn ground(
    arguments: &GroundArguments,
    settings: &Settings,
    display: &Display,
    phases: &mut Phases,
) -> Result<Task, Halt> {
    let budget = &settings.budget;
    let lifted =
        phases.measure(Phase::Parse, || read_lifted(&arguments.domain, &arguments.problem, budget))?;
    display.announce("grounding");
    Ok(phases.measure(Phase::Ground, || lifted.ground(budget, display))?)
}
