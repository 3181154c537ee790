//! `counterplay check`: is this a plan or a policy, and if not, why?

use std::path::PathBuf;

use clap::Args;
use counterplay::planning::{Class, check_options, guarantee_name};
use counterplay_base::Budget;
use counterplay_check::{
    Checked, CheckedPolicy, DecompositionError, DecompositionFlaw, Flaw, Guarantee, Looked,
    NetworkPolicyFlaw, PlanError, PolicyFlaw, PolicyOptions, check_decomposition, check_network_policy,
    check_plan, check_policy, is_network_policy, is_policy, read_decomposition, read_network_policy,
    read_plan, read_policy,
};
use counterplay_pddl::model::Problem;
use counterplay_syntax::{Diagnostic, FileId, Sources};
use serde::Serialize;

use crate::arguments::EXIT_CODES;
use crate::clock::seconds;
use crate::diagnostics;
use crate::exit::Exit;
use crate::failure::{Failure, Halt};
use crate::files::Reader;
use crate::input::read_problem;
use crate::output::{self, remark};
use crate::sentinel;
use crate::settings::{Settings, Verbosity};
use counterplay::Amount;

/// Validate a plan or a policy on the problem as it is written, without grounding or search
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

    /// The plan: a step `(op a b)` on each line; or the policy: a pair `(if condition (op a b))` on each line
    #[arg(value_name = "PLAN")]
    plan: PathBuf,

    /// What a policy has to guarantee [default: what it claims, or strong-cyclic]
    #[arg(long, value_enum, value_name = "CLASS")]
    class: Option<Class>,

    /// Look at so many states of a policy one by one; beyond, at sets of states, and at random runs if all else fails
    #[arg(long, value_name = "STATES", default_value_t = 1_000_000)]
    most_states: usize,

    /// Only make so many random runs of a policy
    #[arg(long, value_name = "RUNS")]
    runs: Option<u32>,
}

/// What was found.
enum Finding {
    /// It is a plan.
    Valid(Checked),
    /// It is a policy.
    Policy(CheckedPolicy),
    /// It is none; the first thing that is wrong, or all unknown names.
    Invalid { sources: Sources, diagnostics: Vec<Diagnostic> },
}

/// The documented shape of `check --json`.
#[derive(Serialize)]
struct Json {
    valid: bool,
    why: Option<String>,
    cost: Option<Amount>,
    metric: Option<Amount>,
    length: Option<usize>,
    seconds: f64,
}

/// The documented shape of `check --json` for a valid policy.
#[derive(Serialize)]
struct JsonPolicy {
    valid: bool,
    why: Option<String>,
    class: &'static str,
    /// How many states it can reach, if all of them were looked at one by one.
    states: Option<usize>,
    /// Whether the class is certain; it is not after random runs.
    complete: bool,
    seconds: f64,
}

/// Checks a plan or a policy.
pub(crate) fn run(arguments: &CheckArguments, settings: &Settings) -> Result<Exit, Failure> {
    let mut finding = None;
    let exit = sentinel::guarded(settings, |_| {
        let found = find(arguments, settings)?;
        let exit = if matches!(found, Finding::Invalid { .. }) { Exit::None } else { Exit::Found };
        finding = Some(found);
        Ok(exit)
    })?;
    match finding {
        Some(Finding::Valid(checked)) => accept(&checked, settings)?,
        Some(Finding::Policy(checked)) => accept_policy(&checked, settings)?,
        Some(Finding::Invalid { sources, diagnostics }) => refuse(&sources, &diagnostics, settings)?,
        None => {}
    }
    Ok(exit)
}

fn find(arguments: &CheckArguments, settings: &Settings) -> Result<Finding, Halt> {
    let budget = &settings.budget;
    let mut reader = Reader::default();
    let problem = read_problem(&mut reader, &arguments.domain, &arguments.problem, budget)?;
    let plan = reader.read(&arguments.plan, budget)?;
    let sources = reader.sources;
    let is_policy_text = is_network_policy(&sources, plan) || is_policy(&sources, plan);
    if problem.hierarchy.is_some() && !problem.is_nondeterministic() && !is_policy_text {
        return find_decomposition(&problem, sources, plan, budget);
    }
    if is_network_policy(&sources, plan) {
        return find_network_policy(arguments, &problem, sources, plan, budget);
    }
    if problem.is_nondeterministic() || is_policy(&sources, plan) {
        return find_policy(arguments, settings, &problem, sources, plan);
    }
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

/// A plan of a task network must come with its decomposition.
fn find_decomposition(
    problem: &Problem,
    sources: Sources,
    file: FileId,
    budget: &Budget,
) -> Result<Finding, Halt> {
    let text = match read_decomposition(&sources, file, problem) {
        Ok(text) => text,
        Err(errors) => {
            let diagnostics = errors.iter().map(DecompositionError::diagnostic).collect();
            if errors.iter().any(|error| matches!(error, DecompositionError::Malformed { .. })) {
                return Err(Failure::Input { sources, diagnostics }.into());
            }
            return Ok(Finding::Invalid { sources, diagnostics });
        }
    };
    match check_decomposition(problem, &text, budget) {
        Ok(length) => Ok(Finding::Valid(Checked {
            length,
            cost: Some((length as i128).into()),
            metric: None,
            violations: Default::default(),
        })),
        Err(DecompositionFlaw::Stopped { limit } | DecompositionFlaw::Plan(Flaw::Stopped { limit })) => {
            Err(Halt::Limit(limit))
        }
        Err(flaw) => Ok(Finding::Invalid { sources, diagnostics: vec![flaw.diagnostic()] }),
    }
}

/// A policy over state and network.
fn find_network_policy(
    arguments: &CheckArguments,
    problem: &Problem,
    sources: Sources,
    file: FileId,
    budget: &Budget,
) -> Result<Finding, Halt> {
    let text = match read_network_policy(&sources, file, problem) {
        Ok(text) => text,
        Err(flaw) => {
            return Err(Failure::Input { sources, diagnostics: vec![flaw.diagnostic()] }.into());
        }
    };
    let wanted = arguments.class.map_or(text.claimed, guarantee);
    match check_network_policy(problem, &text, wanted, budget) {
        Ok(states) => {
            Ok(Finding::Policy(CheckedPolicy { guarantee: wanted, looked: Looked::States(states) }))
        }
        Err(NetworkPolicyFlaw::Stopped { limit }) => Err(Halt::Limit(limit)),
        Err(flaw) => Ok(Finding::Invalid { sources, diagnostics: vec![flaw.diagnostic()] }),
    }
}

fn guarantee(class: Class) -> Guarantee {
    match class {
        Class::Strong => Guarantee::Strong,
        Class::StrongCyclic => Guarantee::StrongCyclic,
        Class::Weak => Guarantee::Weak,
    }
}

fn find_policy(
    arguments: &CheckArguments,
    settings: &Settings,
    problem: &Problem,
    sources: Sources,
    file: FileId,
) -> Result<Finding, Halt> {
    let policy = match read_policy(&sources, file, problem) {
        Ok(policy) => policy,
        Err(errors) => {
            let diagnostics = errors.iter().map(PlanError::diagnostic).collect();
            let unreadable =
                |error: &PlanError| matches!(error, PlanError::Syntax(_) | PlanError::NoRule { .. });
            if errors.iter().any(unreadable) {
                return Err(Failure::Input { sources, diagnostics }.into());
            }
            return Ok(Finding::Invalid { sources, diagnostics });
        }
    };
    let asked = arguments.class.map(guarantee);
    let wanted = asked.or(policy.claimed).unwrap_or(Guarantee::StrongCyclic);
    let standard = check_options(wanted, settings.seed);
    let options = PolicyOptions {
        most_states: arguments.most_states,
        only_runs: arguments.runs.is_some(),
        runs: arguments.runs.unwrap_or(standard.runs),
        ..standard
    };
    match check_policy(problem, &policy.rules, options, &settings.budget) {
        Ok(checked) => Ok(Finding::Policy(checked)),
        Err(PolicyFlaw::Stopped { limit }) => Err(Halt::Limit(limit)),
        Err(flaw) => Ok(Finding::Invalid { diagnostics: vec![flaw.diagnostic(file)], sources }),
    }
}

fn accept_policy(checked: &CheckedPolicy, settings: &Settings) -> Result<(), Failure> {
    let class = guarantee_name(checked.guarantee);
    if settings.json {
        return output::json(&JsonPolicy {
            valid: true,
            why: None,
            class,
            states: match checked.looked {
                Looked::States(states) => Some(states),
                Looked::Sets | Looked::Runs(_) => None,
            },
            complete: checked.is_certain(),
            seconds: seconds(settings.started.elapsed()),
        });
    }
    let how = match checked.looked {
        Looked::States(states) => output::count(states, "state"),
        Looked::Sets => "by sets of states".to_owned(),
        Looked::Runs(steps) => format!("{} of random runs only", output::count(steps, "step")),
    };
    output::answer(&format!("valid: {class}, {how}\n"))
}

fn accept(checked: &Checked, settings: &Settings) -> Result<(), Failure> {
    if settings.json {
        return output::json(&Json {
            valid: true,
            why: None,
            cost: checked.cost.map(Amount),
            metric: checked.metric.map(Amount),
            length: Some(checked.length),
            seconds: seconds(settings.started.elapsed()),
        });
    }
    let worth = match (checked.metric, checked.cost) {
        (Some(metric), _) => format!(", metric {}", Amount(metric)),
        (None, Some(cost)) => format!(", cost {}", Amount(cost)),
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
