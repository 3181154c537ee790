//! `counterplay check`: is this a plan, a policy, a certificate or a strategy, and if not, why?

mod answers;

use std::path::{Path, PathBuf};

use clap::Args;
use counterplay::game;
use counterplay::planning::{
    CertificateTexts, Class, ClosureTexts, check_certificate_texts, check_closure_texts,
};
use counterplay::{CheckRequest, Validity, seconds};

use crate::arguments::EXIT_CODES;
use crate::diagnostics;
use crate::exit::Exit;
use crate::failure::{Failure, Halt};
use crate::files::Reader;
use crate::input::lifted;
use crate::output::{self, remark};
use crate::sentinel;
use crate::settings::{Settings, Verbosity};

/// Validate a plan or a policy on the problem as it is written, without grounding or search
///
/// Accepts what `solve --plan-file` writes and what other planners write.
///
/// Example: counterplay check domain.pddl p01.pddl p01.plan
///
/// What is given tells what is checked: the folder of a certificate; a proof of Kriegspiel or Go, alone or after its problem; strategies for a
/// suit at bridge; rules of a game with a strategy, or with the archive of its solution.
///
/// Example: counterplay check domain.pddl p01.pddl --certificate proof
///
/// Example: counterplay check game.kif strategy.txt
///
/// Example: counterplay check game.kif archive --progress done.json
///
/// Example: counterplay check proof.sgf
#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct CheckArguments {
    /// The PDDL domain; one of the files may be `-`, standard input. A folder alone is a certificate; rules in GDL are a game
    #[arg(value_name = "DOMAIN", required_unless_present = "certificate")]
    domain: Option<PathBuf>,

    /// The PDDL problem; or the strategy of a game, as `game solve --strategy` writes it
    #[arg(value_name = "PROBLEM")]
    problem: Option<PathBuf>,

    /// The plan: a step `(op a b)` on each line; or the policy: a pair `(if condition (op a b))` on each line; or a certificate: a file that
    /// lists nodes, or a folder
    #[arg(value_name = "PLAN")]
    plan: Option<PathBuf>,

    /// Check the certificate in this folder, as `solve --certificate` writes it, without any search; with the PDDL files, also that it is about them
    #[arg(long, value_name = "DIR", conflicts_with_all = ["plan", "class", "runs"])]
    certificate: Option<PathBuf>,

    /// Of an archive: note in this file how far the check has come, and go on from it
    #[arg(long, value_name = "FILE")]
    progress: Option<PathBuf>,

    /// Of an archive: print each position as it is looked at, with its layer and what each role gets
    #[arg(long)]
    list: bool,

    /// What a policy has to guarantee [default: what it claims, or strong-cyclic]
    #[arg(long, value_enum, value_name = "CLASS")]
    class: Option<Class>,

    /// Look at so many states of a policy one by one; beyond, at sets of states, and at random runs if all else fails
    #[arg(long, value_name = "STATES", default_value_t = 1_000_000)]
    most_states: usize,

    /// The state is hidden although the files do not say so: `oneof` in `:init` is then not seen
    #[arg(long)]
    hidden: bool,

    /// Only make so many random runs of a policy
    #[arg(long, value_name = "RUNS")]
    runs: Option<u32>,

    /// Take the outcomes of `oneof` to be equally likely, and tell the probability of the goal and the expected cost of a policy
    #[arg(long)]
    uniform: bool,
}

/// Checks whatever is given.
pub(crate) fn run(arguments: &CheckArguments, settings: &Settings) -> Result<Exit, Failure> {
    let files = [&arguments.domain, &arguments.problem, &arguments.plan];
    let files: Vec<&Path> = files.into_iter().flatten().map(PathBuf::as_path).collect();
    match (&arguments.certificate, &files[..]) {
        (Some(folder), files) => {
            run_certificate(folder, files.first().copied(), files.get(1).copied(), settings)
        }
        (None, [folder]) if folder.is_dir() && game::is_archive(folder) => Err(Failure::Usage {
            message: format!("{} is the archive of a solved game", folder.display()),
            help: Some("give the rules, too: counterplay check GAME FOLDER".to_owned()),
        }),
        (None, [folder]) if folder.is_dir() => run_certificate(folder, None, None, settings),
        (None, [answer]) => answers::run_alone(answer, settings),
        (None, [game, folder]) if folder.is_dir() => {
            answers::run_archive(game, folder, arguments.progress.as_deref(), arguments.list, settings)
        }
        (None, [problem, answer]) => answers::run_beside(problem, answer, settings),
        (None, [domain, problem, folder]) if folder.is_dir() => {
            run_certificate(folder, Some(domain), Some(problem), settings)
        }
        _ => run_plan(arguments, settings),
    }
}

/// Checks a plan or a policy, or a list of nodes.
fn run_plan(arguments: &CheckArguments, settings: &Settings) -> Result<Exit, Failure> {
    let mut found = None;
    let exit = sentinel::guarded(settings, |_| {
        let validity = find(arguments, settings)?;
        let exit = if validity.valid { Exit::Found } else { Exit::None };
        found = Some(validity);
        Ok(exit)
    })?;
    if let Some(mut validity) = found {
        validity.seconds = seconds(settings.started.elapsed());
        if settings.json {
            output::json(&validity)?;
        } else {
            output::answer(&validity.text())?;
        }
        if !validity.valid && settings.verbosity > Verbosity::Quiet {
            let told = diagnostics::render(&validity.sources, &validity.diagnostics, settings.color.stderr);
            remark(told.trim_end());
        }
    }
    Ok(exit)
}

/// Checks the certificate in a folder.
fn run_certificate(
    folder: &Path,
    domain: Option<&Path>,
    problem: Option<&Path>,
    settings: &Settings,
) -> Result<Exit, Failure> {
    let mut found = None;
    let exit = sentinel::guarded(settings, |_| {
        let budget = &settings.budget;
        let mut reader = Reader::default();
        let problem = match (domain, problem) {
            (Some(domain), Some(problem)) => Some(lifted(&mut reader, domain, problem, budget)?),
            (None, None) => None,
            _ => return Err(Halt::Failure(missing_files())),
        };
        let mut reader = Reader::default();
        let mut read = |name: &str| reader.read_text(&folder.join(name), budget).map(|(_, text)| text);
        let mut find = |name: &str| match folder.join(name).exists() {
            true => read(name).map(Some),
            false => Ok(None),
        };
        let plan = find("plan")?;
        let (ranks, none) = (find("ranks.txt")?, find("none.txt")?);
        let validity = match &problem {
            _ if ranks.is_none() && none.is_none() && folder.join("task.sas").exists() => {
                let texts =
                    CertificateTexts { task: read("task.sas")?, invariant: read("invariant.txt")?, plan };
                check_certificate_texts(&texts, problem.as_ref(), budget)?
            }
            Some(problem) => {
                let texts = ClosureTexts { plan, ranks, none };
                check_closure_texts(&texts, problem, &CheckRequest::default(), budget)?
            }
            // The only certificates that stand alone are those about finite tasks.
            None if ranks.is_none() && none.is_none() => {
                return Err(read("task.sas").err().unwrap_or_else(alone));
            }
            None => return Err(alone()),
        };
        let exit = if validity.valid { Exit::Found } else { Exit::None };
        found = Some(validity);
        Ok(exit)
    })?;
    if let Some(mut validity) = found {
        validity.seconds = seconds(settings.started.elapsed());
        if settings.json {
            output::json(&validity)?;
        } else {
            output::answer(&validity.text())?;
        }
    }
    Ok(exit)
}

/// A certificate that only makes sense beside its problem.
fn alone() -> Halt {
    let message = "this certificate is about a problem as it is written".to_owned();
    let help = "give the files: counterplay check DOMAIN PROBLEM --certificate DIR".to_owned();
    Halt::Failure(Failure::Usage { message, help: Some(help) })
}

pub(super) fn missing_files() -> Failure {
    let message = "files are missing".to_owned();
    let help = "give DOMAIN PROBLEM PLAN, GAME STRATEGY, GAME FOLDER, or a proof that stands alone; `counterplay check --help` lists them".to_owned();
    Failure::Usage { message, help: Some(help) }
}

fn find(arguments: &CheckArguments, settings: &Settings) -> Result<Validity, Halt> {
    let budget = &settings.budget;
    let mut reader = Reader::default();
    let (Some(domain), Some(problem), Some(plan)) = (&arguments.domain, &arguments.problem, &arguments.plan)
    else {
        return Err(Halt::Failure(missing_files()));
    };
    let lifted = lifted(&mut reader, domain, problem, budget)?;
    let (name, text) = reader.read_text(plan, budget)?;
    let request = CheckRequest {
        class: arguments.class,
        most_states: arguments.most_states,
        hidden: arguments.hidden,
        runs: arguments.runs,
        uniform: arguments.uniform,
        seed: settings.seed,
    };
    Ok(counterplay::check(&lifted, &name, &text, &request, budget)?)
}
