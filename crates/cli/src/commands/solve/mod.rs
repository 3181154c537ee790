//! `counterplay solve`: a plan of least cost or best net benefit, or a policy, checked before it is shown.

mod certificate;
mod report;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use counterplay::planning::{Class, Decomposition, Direction, Heuristic, Kind, Search};
use counterplay::{Answer, Phases, Problem, Request, seconds};

use crate::arguments::EXIT_CODES;
use crate::diagnostics;
use crate::exit::Exit;
use crate::failure::{Failure, Halt};
use crate::input;
use crate::memory;
use crate::output::remark;
use crate::progress::Display;
use crate::sentinel;
use crate::settings::{Settings, Verbosity};

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
    search: Search,

    /// Which way a symbolic search goes; with `--search auto` it means dijkstra [default: both]
    #[arg(long, value_enum, value_name = "DIRECTION")]
    direction: Option<Direction>,

    /// Heuristic of the explicit search; with `--search auto` it means explicit [default: lmcut]
    #[arg(long, value_enum, value_name = "HEURISTIC")]
    heuristic: Option<Heuristic>,

    /// What a policy is to guarantee, where actions have several outcomes [default: as much as possible]
    #[arg(long, value_enum, value_name = "CLASS")]
    class: Option<Class>,

    /// Write the plan to this file too; an older file of that name is removed first
    #[arg(long, value_name = "FILE")]
    plan_file: Option<PathBuf>,

    /// How a task network is used (HDDL) [default: shop, or network where actions have several outcomes]
    #[arg(long, value_enum, value_name = "WAY")]
    htn: Option<Decomposition>,

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

    /// Write a proof that no plan is better, or that there is none, to this folder, for the checker VeriPB
    #[arg(long, value_name = "DIR")]
    certificate: Option<PathBuf>,

    /// Do not check the plan before it is shown
    #[arg(long)]
    no_check: bool,
}

impl SolveArguments {
    fn request(&self, seed: u64) -> Request {
        Request {
            search: self.search,
            direction: self.direction,
            heuristic: self.heuristic,
            class: self.class,
            htn: self.htn,
            effort: self.effort,
            check: !self.no_check,
            certificate: self.certificate.is_some(),
            picture: self.graph || self.graph_file.is_some() || self.tree_file.is_some(),
            seed,
        }
    }

    /// Files that the answer of this problem cannot fill are refused before the search.
    fn refuse_files(&self, problem: &Problem) -> Result<(), Failure> {
        let misfit = |message: &str, help: &str| Failure::Usage {
            message: message.to_owned(),
            help: Some(help.to_owned()),
        };
        let lifted = match problem {
            Problem::Lifted(lifted) => Some(lifted),
            Problem::Finite(_) => None,
        };
        let has_network = lifted.is_some_and(|lifted| lifted.has_network());
        let is_uncertain = lifted.is_some_and(|lifted| lifted.problem.is_nondeterministic());
        if self.tree_file.is_some() && !has_network {
            return Err(misfit(
                "`--htn`, `--tree-file` and `--effort` are for task networks, and the files declare none",
                "leave them out, or give HDDL files",
            ));
        }
        if self.tree_file.is_some()
            && (is_uncertain || self.htn.is_some_and(|way| way != Decomposition::Shop))
        {
            return Err(misfit("`--tree-file` and `--effort` are for plans", "leave them out"));
        }
        if self.graph_file.is_some() && !has_network && !is_uncertain && self.class.is_none() {
            return Err(misfit(
                "`--graph-file` is for policies, and the answer here is a plan",
                "leave it out",
            ));
        }
        Ok(())
    }
}

/// Solves a problem and prints the answer.
pub(crate) fn run(arguments: &SolveArguments, settings: &Settings) -> Result<Exit, Failure> {
    let display = Arc::new(Display::new(settings));
    let floor = {
        let (settings, known) = (settings.clone(), Arc::clone(&display));
        sentinel::watch(&settings.budget.clone(), Arc::clone(&display), move |limit| {
            let mut answer = Answer::stopped(Kind::Plan, limit);
            if let Some((lower, upper)) = known.bounds_so_far() {
                answer = answer.with_bounds(lower, upper);
            }
            // The process ends here either way.
            let _ = report::print(&timed(answer, None, &settings), &settings);
        })
    };
    if let Some(file) = &arguments.plan_file {
        remove_stale(file);
    }
    let mut reading = Phases::default();
    let outcome = answer(arguments, settings, &display, &mut reading);
    floor.take_or_wait();
    display.clear();
    let answer = match outcome {
        Ok(answer) => answer,
        Err(Halt::Limit(limit)) => Answer::stopped(Kind::Plan, limit),
        Err(Halt::Failure(failure)) => return Err(failure),
    };
    let answer = timed(answer, reading.parse, settings);
    report::print(&answer, settings)?;
    let write = |file: &Path, text: &str| {
        fs::write(file, text).map_err(|error| Failure::Write { name: file.display().to_string(), error })
    };
    if let (Some(file), Some(picture)) = (&arguments.graph_file, answer.graph.as_deref()) {
        write(file, picture)?;
    }
    if let (Some(file), Some(tree)) = (&arguments.tree_file, &answer.decomposition) {
        let is_picture = file.extension().is_some_and(|it| it.eq_ignore_ascii_case("svg"));
        write(file, answer.picture().filter(|_| is_picture).unwrap_or(tree))?;
    }
    if let (Some(file), Some(text)) = (&arguments.plan_file, answer.file_text()) {
        write(file, &text)?;
    }
    Ok(Exit::of(&answer.verdict))
}

/// From the files to the answer.
fn answer(
    arguments: &SolveArguments,
    settings: &Settings,
    display: &Display,
    reading: &mut Phases,
) -> Result<Answer, Halt> {
    let budget = &settings.budget;
    let problem = reading.measure(counterplay::Phase::Parse, || {
        input::read(&arguments.domain, arguments.problem.as_deref(), budget)
    })?;
    arguments.refuse_files(&problem)?;
    if let Problem::Lifted(lifted) = &problem
        && settings.verbosity >= Verbosity::Normal
    {
        let warnings = lifted.warnings();
        if !warnings.is_empty() {
            remark(diagnostics::render(&lifted.sources, &warnings, settings.color.stderr).trim_end());
        }
    }
    let mut answer = counterplay::solve(&problem, &arguments.request(settings.seed), budget, display)?;
    if let Some(folder) = &arguments.certificate {
        certificate::write(&mut answer, folder, budget)?;
    }
    Ok(answer)
}

/// The answer with the time and memory of the whole process, reading of files included.
fn timed(mut answer: Answer, parse: Option<f64>, settings: &Settings) -> Answer {
    answer.seconds = seconds(settings.started.elapsed());
    answer.phases.parse = parse;
    answer.peak_memory = memory::peak();
    answer
}

/// A plan of an earlier run must not pass for this run's answer. Devices and the like are left alone.
fn remove_stale(file: &Path) {
    if fs::symlink_metadata(file).is_ok_and(|data| data.is_file()) {
        // If it cannot be removed, writing the plan will fail and say so.
        let _ = fs::remove_file(file);
    }
}
