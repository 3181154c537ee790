//! Planning: plans, net benefit, policies, task networks.

use counterplay::generate::{Files, fond, hddl};
use counterplay::planning::{self, ActRequest};
use counterplay::{CheckRequest, LiftedProblem, Problem, Request};
use counterplay_syntax::Sources;
use counterplay_task::sas;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Context, Done, Outcome, Source};
use crate::failure::Failure;

/// A domain and a problem, or one text with a whole task.
#[derive(Debug, Deserialize)]
pub(super) struct Asked<T> {
    domain: Source,
    problem: Option<Source>,
    /// A plan or a policy.
    answer: Option<Source>,
    #[serde(default)]
    options: T,
}

fn problem(domain: Source, problem: Option<Source>) -> Result<Problem, Failure> {
    let mut sources = Sources::default();
    let first = sources.add(domain.name, domain.text);
    match problem {
        Some(problem) => {
            let second = sources.add(problem.name, problem.text);
            Ok(Problem::of_sources(sources, first, second)?)
        }
        None => Ok(Problem::of_sas(sources, first)?),
    }
}

fn lifted(domain: Source, second: Option<Source>) -> Result<LiftedProblem, Failure> {
    match problem(domain, second)? {
        Problem::Lifted(lifted) => Ok(*lifted),
        Problem::Finite(_) => Err(Failure::request("a domain and a problem are needed")),
    }
}

pub(super) fn solve(asked: Asked<Request>, context: &Context<'_>) -> Done {
    let problem = problem(asked.domain, asked.problem)?;
    let answer = counterplay::solve(&problem, &asked.options, context.budget, context.progress)?;
    let outcome = Outcome::new(&answer)?
        .with("text", answer.text(false))
        .with("summary", answer.summary())
        .with("file", answer.file_text())
        .with("svg", answer.picture().map(str::to_owned));
    Ok(outcome)
}

pub(super) fn check(asked: Asked<CheckRequest>, context: &Context<'_>) -> Done {
    let answer = asked.answer.ok_or_else(|| Failure::request("a plan or a policy is needed"))?;
    let lifted = lifted(asked.domain, asked.problem)?;
    let validity = counterplay::check(&lifted, &answer.name, &answer.text, &asked.options, context.budget)?;
    let findings: Vec<_> = validity
        .diagnostics
        .iter()
        .map(|diagnostic| counterplay::Finding::new(&validity.sources, diagnostic))
        .collect();
    let findings = serde_json::to_string(&findings)?;
    Ok(Outcome::new(&validity)?.with("summary", validity.text()).with("findings", findings))
}

pub(super) fn ground(asked: Asked<Empty>, context: &Context<'_>) -> Done {
    let lifted = lifted(asked.domain, asked.problem)?;
    let figures = counterplay::ground(&lifted, context.budget, context.progress)?;
    Ok(Outcome::new(&figures)?.with("sas", sas::write(&figures.task)))
}

pub(super) fn act(asked: Asked<ActRequest>, context: &Context<'_>) -> Done {
    let lifted = lifted(asked.domain, asked.problem)?;
    let policy = asked.answer.as_ref().map(|policy| (&policy.name[..], &policy.text[..]));
    let answer = planning::act(&lifted, policy, &asked.options, context.budget, context.progress)?;
    Ok(Outcome::new(&answer)?.with("text", answer.text()).with("summary", answer.summary()))
}

/// No options.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Empty {}

/// A problem of a case study.
#[derive(Debug, Deserialize)]
#[serde(tag = "what", rename_all = "kebab-case", rename_all_fields = "kebab-case", deny_unknown_fields)]
pub(super) enum Generated {
    HunterPrey { edge: u32, prey: u32, apart: bool },
    HunterPreyHtn { edge: u32, prey: u32 },
    RobotNavigation { packages: u32, kid_doors: usize, seed: u64 },
    RobotNavigationHtn { packages: u32, kid_doors: usize, seed: u64 },
}

impl Generated {
    /// The sizes that the command line allows.
    fn check(&self) -> Result<(), Failure> {
        let within = |name: &str, value: usize, most: usize| match (1..=most).contains(&value) {
            true => Ok(()),
            false => Err(Failure::request(format!("`{name}` is a number from 1 to {most}, not {value}"))),
        };
        match *self {
            Generated::HunterPrey { edge, prey, .. } | Generated::HunterPreyHtn { edge, prey } => {
                within("edge", edge as usize, 200)?;
                within("prey", prey as usize, 100)
            }
            Generated::RobotNavigation { packages, kid_doors, .. }
            | Generated::RobotNavigationHtn { packages, kid_doors, .. } => {
                within("packages", packages as usize, 100)?;
                within("kid_doors", kid_doors, 7)
            }
        }
    }
}

pub(super) fn generate(what: &Generated) -> Done {
    what.check()?;
    let Files { domain, problem } = match *what {
        Generated::HunterPrey { edge, prey, apart } => fond::hunter_prey(edge, prey, apart),
        Generated::HunterPreyHtn { edge, prey } => hddl::hunter_prey(edge, prey),
        Generated::RobotNavigation { packages, kid_doors, seed } => {
            fond::robot_navigation(packages, kid_doors, seed)
        }
        Generated::RobotNavigationHtn { packages, kid_doors, seed } => {
            hddl::robot_navigation(packages, kid_doors, seed)
        }
    };
    Outcome::new(&json!({"domain": domain, "problem": problem}))
}

pub(super) fn picture(answer: &Value) -> Done {
    Ok(Outcome::new(&Value::Null)?.with("svg", counterplay::picture(answer)))
}
