//! `counterplay check`: is this a plan, and if not, why?

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use counterplay_base::Budget;
use counterplay_check::{Checked, Flaw, PlanError, check_plan, read_plan};
use counterplay_syntax::{Diagnostic, Sources};
use serde::Serialize;

use crate::arguments::EXIT_CODES;
use crate::clock::seconds;
use crate::diagnostics;
use crate::exit::Exit;
use crate::failure::{Failure, Halt};
use crate::figures::Figure;
use crate::files::Reader;
use crate::input::read_problem;
use crate::output::{self, remark};
use crate::progress::Display;
use crate::sentinel;
use crate::settings::{Settings, Verbosity};

/// Validate a plan on the problem as it is written, without grounding or search
///
/// Accepts what `solve --plan-file` writes and what other planners write.
///
/// Example: counterplay check domain.pddl p01.pddl p01.plan
#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct CheckArguments {
    /// The PDDL domain; one of the files may be `-`, standard input
    #[arg(value_name = "DOMAIN")]
    domain: PathBuf,

    /// The PDDL problem
    #[arg(value_name = "PROBLEM")]
    problem: PathBuf,

    /// The plan: a step `(op a b)` on each line
    #[arg(value_name = "PLAN")]
    plan: PathBuf,
}

/// What was found.
enum Finding {
    /// It is a plan.
    Valid(Checked),
    /// It is none; the first thing that is wrong, or all unknown names.
    Invalid { sources: Sources, diagnostics: Vec<Diagnostic> },
}

/// The documented shape of `check --json`.
#[derive(Serialize)]
struct Json {
    valid: bool,
    why: Option<String>,
    cost: Option<Figure>,
    metric: Option<Figure>,
    length: Option<usize>,
    seconds: f64,
}

/// Checks a plan.
pub(crate) fn run(arguments: &CheckArguments, settings: &Settings) -> Result<Exit, Failure> {
    let display = Arc::new(Display::new(settings));
    let floor = {
        let settings = settings.clone();
        sentinel::watch(&settings.budget.clone(), Arc::clone(&display), move |limit| {
            output::stopped(limit, &settings);
        })
    };
    let outcome = find(arguments, &settings.budget);
    floor.take_or_wait();
    display.clear();
    match outcome {
        Ok(Finding::Valid(checked)) => {
            accept(&checked, settings)?;
            Ok(Exit::Found)
        }
        Ok(Finding::Invalid { sources, diagnostics }) => {
            refuse(&sources, &diagnostics, settings)?;
            Ok(Exit::None)
        }
        Err(Halt::Failure(failure)) => Err(failure),
        Err(Halt::Limit(limit)) => {
            output::stopped(limit, settings);
            Ok(Exit::Limit)
        }
    }
}

fn find(arguments: &CheckArguments, budget: &Budget) -> Result<Finding, Halt> {
    let mut reader = Reader::default();
    let problem = read_problem(&mut reader, &arguments.domain, &arguments.problem, budget)?;
    let plan = reader.read(&arguments.plan, budget)?;
    let sources = reader.sources;
    let steps = match read_plan(&sources, plan, &problem) {
        Ok(steps) => steps,
        Err(errors) => {
            let diagnostics = errors.iter().map(PlanError::diagnostic).collect();
            // What cannot be read is bad input; what names things that do not exist is a plan, and a wrong one.
            let unreadable =
                |error: &PlanError| matches!(error, PlanError::Syntax(_) | PlanError::NoStep { .. });
            if errors.iter().any(unreadable) {
                return Err(Failure::Input { sources, diagnostics }.into());
            }
            return Ok(Finding::Invalid { sources, diagnostics });
        }
    };
    match check_plan(&problem, &steps, budget) {
        Ok(checked) => Ok(Finding::Valid(checked)),
        Err(Flaw::Stopped { limit }) => Err(Halt::Limit(limit)),
        Err(flaw @ Flaw::Overflow { .. }) => {
            Err(Failure::Input { sources, diagnostics: vec![flaw.diagnostic()] }.into())
        }
        Err(flaw) => Ok(Finding::Invalid { sources, diagnostics: vec![flaw.diagnostic()] }),
    }
}

fn accept(checked: &Checked, settings: &Settings) -> Result<(), Failure> {
    if settings.json {
        return output::json(&Json {
            valid: true,
            why: None,
            cost: checked.cost.map(Figure),
            metric: checked.metric.map(Figure),
            length: Some(checked.length),
            seconds: seconds(settings.started.elapsed()),
        });
    }
    let worth = match (checked.metric, checked.cost) {
        (Some(metric), _) => format!(", metric {}", Figure(metric)),
        (None, Some(cost)) => format!(", cost {}", Figure(cost)),
        (None, None) => String::new(),
    };
    output::answer(&format!("valid: {}{worth}\n", output::count(checked.length, "step")))
}

fn refuse(sources: &Sources, findings: &[Diagnostic], settings: &Settings) -> Result<(), Failure> {
    let why = findings.iter().map(|finding| finding.message.as_str()).collect::<Vec<_>>().join("; ");
    if settings.json {
        output::json(&Json {
            valid: false,
            why: Some(why.clone()),
            cost: None,
            metric: None,
            length: None,
            seconds: seconds(settings.started.elapsed()),
        })?;
    } else {
        output::answer(&format!("invalid: {why}\n"))?;
    }
    if settings.verbosity > Verbosity::Quiet {
        remark(diagnostics::render(sources, findings, settings.color.stderr).trim_end());
    }
    Ok(())
}
