//! `counterplay solve`: a plan of least cost or best net benefit, or a policy, checked before it is shown.

mod certificate;
mod downward;
mod plan_files;
mod report;
mod several;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use clap::{Args, ValueEnum};
use counterplay::planning::{Class, Decomposition, Direction, Heuristic, Kind, Quality, Search};
use counterplay::planning::{Interim, InterimFound, solve_telling};
use counterplay::{Answer, Phases, Problem, Request, picture, seconds};

use crate::arguments::{EXIT_CODES, FURTHER};
use crate::diagnostics;
use crate::exit::Exit;
use crate::failure::{Failure, Halt};
use crate::input;
use crate::output::remark;
use crate::progress::Display;
use crate::sentinel;
use crate::settings::{Settings, Verbosity};
use counterplay_system::memory;

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
    #[arg(long, value_enum, value_name = "DIRECTION", help_heading = FURTHER)]
    direction: Option<Direction>,

    /// Heuristic of the explicit search; with `--search auto` it means explicit [default: lmcut]
    #[arg(long, value_enum, value_name = "HEURISTIC", help_heading = FURTHER)]
    heuristic: Option<Heuristic>,

    /// How good a plan has to be; every mode reports the best plan and both bounds when it is stopped
    #[arg(long, value_enum, default_value_t, value_name = "QUALITY")]
    quality: Quality,

    #[command(flatten)]
    several: several::SeveralArguments,

    /// What a policy is to guarantee, where actions have several outcomes [default: as much as possible]
    #[arg(long, value_enum, value_name = "CLASS")]
    class: Option<Class>,

    /// The state is hidden although the files do not say so: `oneof` in `:init` is then not seen (conformant plans)
    #[arg(long, help_heading = FURTHER)]
    hidden: bool,

    /// Write the plan to this file too; an older file of that name is removed first
    #[arg(long, value_name = "FILE")]
    plan_file: Option<PathBuf>,

    /// How a task network is used (HDDL) [default: shop, or network where actions have several outcomes]
    #[arg(long, value_enum, value_name = "WAY")]
    htn: Option<Decomposition>,

    /// Write the decomposition tree to this file: a picture if the name ends in .svg, else text (HDDL)
    #[arg(long, value_name = "FILE", help_heading = FURTHER)]
    tree_file: Option<PathBuf>,

    /// How many steps of search may go into making a plan of a task network shorter [default: 40000]
    #[arg(long, value_name = "STEPS", help_heading = FURTHER)]
    effort: Option<u64>,

    /// Add a picture of the policy to the answer, as SVG under `graph`, where the answer is a policy
    #[arg(long, requires = "json", help_heading = FURTHER)]
    graph: bool,

    /// Draw the answer to this SVG file: the steps of a plan, the graph of a policy, the tree of a decomposition
    #[arg(long = "svg", aliases = ["graph-svg", "graph-file"], value_name = "FILE.svg")]
    svg: Option<PathBuf>,

    /// Write a proof that no plan is better, or that there is none, to this folder, for the checker VeriPB
    #[arg(long, value_name = "DIR")]
    certificate: Option<PathBuf>,

    /// Do not check the plan before it is shown
    #[arg(long, help_heading = FURTHER)]
    no_check: bool,

    /// Whose exit codes to end with
    #[arg(long, value_enum, default_value_t, value_name = "SCHEME", help_heading = FURTHER)]
    exit_codes: ExitCodes,
}

/// The schemes of exit codes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExitCodes {
    /// Those that every command has
    #[default]
    Counterplay,
    /// Those of Fast Downward's driver, which Downward Lab and unified-planning read
    Downward,
}

impl SolveArguments {
    /// The call of the planning competitions.
    pub(crate) fn competition(
        domain: PathBuf,
        problem: PathBuf,
        plan_file: PathBuf,
        quality: Quality,
        exit_codes: ExitCodes,
    ) -> SolveArguments {
        SolveArguments {
            domain,
            problem: Some(problem),
            search: Search::default(),
            direction: None,
            heuristic: None,
            quality,
            several: several::SeveralArguments::default(),
            class: None,
            plan_file: Some(plan_file),
            hidden: false,
            htn: None,
            tree_file: None,
            effort: None,
            graph: false,
            svg: None,
            certificate: None,
            no_check: false,
            exit_codes,
        }
    }

    fn request(&self, seed: u64) -> Result<Request, Failure> {
        Ok(Request {
            search: self.search,
            direction: self.direction,
            heuristic: self.heuristic,
            quality: self.quality,
            plans: self.several.decide()?,
            class: self.class,
            hidden: self.hidden,
            htn: self.htn,
            effort: self.effort,
            check: !self.no_check,
            certificate: self.certificate.is_some(),
            picture: self.graph || self.svg.is_some() || self.tree_file.is_some(),
            seed,
        })
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
        Ok(())
    }
}

/// Solves a problem and prints the answer.
pub(crate) fn run(arguments: &SolveArguments, settings: &Settings) -> Result<Exit, Failure> {
    let outcome = answer_and_print(arguments, settings);
    match (arguments.exit_codes, outcome) {
        (ExitCodes::Counterplay, outcome) => outcome.map(|answer| Exit::of(&answer.verdict)),
        (ExitCodes::Downward, Ok(answer)) => Ok(Exit::Other(downward::of_answer(&answer))),
        (ExitCodes::Downward, Err(failure)) => {
            failure.show(settings);
            Ok(Exit::Other(downward::of_failure(&failure)))
        }
    }
}

fn answer_and_print(arguments: &SolveArguments, settings: &Settings) -> Result<Answer, Failure> {
    let display = Arc::new(Display::new(settings));
    let interim: Arc<Mutex<Option<Interim>>> = Arc::default();
    let floor = {
        let (settings, known, interim) = (settings.clone(), Arc::clone(&display), Arc::clone(&interim));
        let exit_codes = arguments.exit_codes;
        sentinel::watch(&settings.budget.clone(), Arc::clone(&display), move |limit| {
            let mut answer = Answer::stopped(Kind::Plan, limit);
            if let Ok(Some(interim)) = interim.lock().map(|interim| interim.clone()) {
                answer = answer.with_interim(interim);
            }
            if let Some((lower, upper)) = known.bounds_so_far() {
                answer = answer.with_bounds(lower, upper);
            }
            // The process ends here either way.
            let answer = timed(answer, None, &settings);
            let _ = report::print(&answer, &settings);
            if exit_codes == ExitCodes::Downward {
                std::process::exit(i32::from(downward::of_answer(&answer)));
            }
        })
    };
    let files =
        arguments.plan_file.as_deref().map(|file| plan_files::PlanFiles::begin(file, arguments.quality));
    let mut reading = Phases::default();
    let tell = |better: Interim| {
        if let Some(files) = &files {
            files.better(&better.text);
        }
        if let InterimFound::Policy(policy) = &better.found
            && settings.verbosity >= Verbosity::Normal
            && !settings.json
        {
            display.clear();
            let stronger: Vec<&str> = policy.open.iter().map(|class| class.name()).collect();
            let (class, size) = (policy.class.name(), policy.rules.len());
            remark(&format!("{class} policy of size {size}; looking for a {} one", stronger.join(" or a ")));
        }
        if let Ok(mut interim) = interim.lock() {
            *interim = Some(better);
        }
    };
    let outcome = answer(arguments, settings, &display, &mut reading, &tell);
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
    if let (Some(file), Some(picture)) = (&arguments.svg, drawn(&answer)) {
        write(file, &picture)?;
    }
    if let (Some(file), Some(tree)) = (&arguments.tree_file, &answer.decomposition) {
        let is_picture = file.extension().is_some_and(|it| it.eq_ignore_ascii_case("svg"));
        write(file, answer.picture().filter(|_| is_picture).unwrap_or(tree))?;
    }
    if let (Some(file), Some(text)) = (&arguments.plan_file, answer.file_text()) {
        write(file, &text)?;
    }
    for (number, text) in (1..).zip(answer.file_texts()) {
        if let Some(files) = &files {
            write(&files.numbered(number), text)?;
        }
    }
    Ok(answer)
}

/// The picture that `counterplay show` draws of the answer; none if there is nothing to draw.
fn drawn(answer: &Answer) -> Option<String> {
    picture(&serde_json::to_value(answer).ok()?)
}

/// From the files to the answer.
fn answer(
    arguments: &SolveArguments,
    settings: &Settings,
    display: &Display,
    reading: &mut Phases,
    tell: &dyn Fn(Interim),
) -> Result<Answer, Halt> {
    let budget = &settings.budget;
    let request = arguments.request(settings.seed)?;
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
    let mut answer = solve_telling(&problem, &request, budget, display, tell)?;
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
