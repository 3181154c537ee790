//! `counterplay ground`: the finite task behind a problem, in figures and as a file.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use counterplay::Grounding;
use counterplay_task::sas;

use crate::arguments::EXIT_CODES;
use crate::clock::{Phase, Phases, seconds};
use crate::exit::Exit;
use crate::failure::{Failure, Halt};
use crate::input::read_lifted;
use crate::memory;
use crate::output::{self, remark};
use crate::progress::Display;
use crate::sentinel;
use crate::settings::{Settings, Verbosity};
use counterplay::grouped;

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

fn text(figures: &Grounding) -> String {
    let rows = [
        ("variables", figures.variables),
        ("  of them derived", figures.derived),
        ("facts", figures.facts),
        ("operators", figures.operators),
        ("conditional effects", figures.conditional_effects),
        ("axioms", figures.axioms),
        ("goals", figures.goals),
        ("mutex groups", figures.mutex_groups),
        ("mutex pairs", figures.mutex_pairs),
    ];
    let mut text = String::new();
    for (name, count) in rows {
        text.push_str(&format!("{name:22}{:>12}\n", grouped(count)));
    }
    if let (Some(least), Some(greatest)) = (figures.least_cost, figures.greatest_cost) {
        text.push_str(&format!("{:22}{:>12}\n", "operator costs", format!("{least} to {greatest}")));
    }
    text
}

/// Grounds a problem, prints figures and writes the task.
pub(crate) fn run(arguments: &GroundArguments, settings: &Settings) -> Result<Exit, Failure> {
    let target = Target::decide(arguments);
    let display = Arc::new(Display::new(settings));
    let floor = sentinel::watch_command(settings, &display);
    let budget = &settings.budget;
    let mut reading = Phases::default();
    let outcome = reading
        .measure(Phase::Parse, || read_lifted(&arguments.domain, &arguments.problem, budget))
        .and_then(|lifted| Ok(counterplay::ground(&lifted, budget, &*display)?));
    floor.take_or_wait();
    display.clear();
    let mut figures = match outcome {
        Ok(figures) => figures,
        Err(Halt::Failure(failure)) => return Err(failure),
        Err(Halt::Limit(limit)) => {
            output::stopped(limit, settings);
            return Ok(Exit::Limit);
        }
    };
    if figures.had_soft_goals && settings.verbosity >= Verbosity::Normal {
        remark("soft goals are compiled away: plans end with steps that collect or forgo each of them");
    }
    match &target {
        Target::Nowhere => {}
        Target::Stdout => output::answer(&sas::write(&figures.task))?,
        Target::File(path) => {
            let name = path.display().to_string();
            fs::write(path, sas::write(&figures.task))
                .map_err(|error| Failure::Write { name: name.clone(), error })?;
            if settings.verbosity >= Verbosity::Normal {
                remark(&format!("wrote {name}"));
            }
        }
    }
    figures.phases.parse = reading.parse;
    figures.seconds = seconds(settings.started.elapsed());
    figures.peak_memory = memory::peak();
    match (&target, settings.json) {
        (Target::Stdout, _) => {}
        (_, true) => output::json(&figures)?,
        (_, false) => output::answer(&text(&figures))?,
    }
    if settings.verbosity == Verbosity::Verbose {
        let took = |phase: Option<f64>| phase.unwrap_or(0.0);
        let phases = figures.phases;
        remark(&format!("parsing {:.6} s, grounding {:.6} s", took(phases.parse), took(phases.ground)));
    }
    Ok(Exit::Found)
}
