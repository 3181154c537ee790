//! Planning: plans, net benefit, policies, task networks, decision processes, certificates.

use std::cell::RefCell;
use std::collections::HashMap;
use std::io::{self, Write};
use std::rc::Rc;

use counterplay::generate::{Files, fond, hddl};
use counterplay::mdp::{self, MdpProblem, MdpRequest};
use counterplay::planning::{self, ActRequest, CertificateTexts, ClosureTexts, Interim, InterimFound};
use counterplay::{Answer, Budget, CheckRequest, LiftedProblem, Problem, Request};
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
    let Context { budget, progress, reporter, .. } = *context;
    let tell = |Interim { found, text }: Interim| match (reporter, found) {
        (Some(reporter), InterimFound::Plan(plan)) => reporter.found("plan", &plan),
        (Some(reporter), InterimFound::Policy(policy)) => {
            let told =
                json!({"class": policy.class, "open": policy.open, "policy": policy.rules, "file": text});
            reporter.found("policy", &told);
        }
        (None, _) => {}
    };
    let mut answer = planning::solve_telling(&problem, &asked.options, budget, progress, &tell)?;
    let certificate = certificate_files(&mut answer, budget)?;
    let mut outcome = Outcome::new(&answer)?
        .with("text", answer.text(false))
        .with("summary", answer.summary())
        .with("file", answer.file_text())
        .with("svg", answer.picture().map(str::to_owned));
    for (name, text) in certificate {
        outcome = outcome.with(name, text);
    }
    Ok(outcome)
}

/// The files of the certificate as texts, if one was asked for and made.
fn certificate_files(answer: &mut Answer, budget: &Budget) -> Result<Vec<(&'static str, String)>, Failure> {
    let sinks: RefCell<Vec<(&'static str, Sink)>> = RefCell::default();
    let open = |name| {
        let sink = Sink::default();
        sinks.borrow_mut().push((name, sink.clone()));
        Ok(sink)
    };
    let bug = |error: &dyn std::fmt::Display| Failure::Internal { message: error.to_string() };
    answer.write_certificate(budget, open).map_err(|error| bug(&error))?;
    let files = answer.certificate.as_ref().map_or(&[][..], |report| &report.files[..]);
    let whole = sinks.into_inner().into_iter().filter(|(name, _)| files.contains(name));
    whole
        .map(|(name, sink)| Ok((name, String::from_utf8(sink.0.take()).map_err(|error| bug(&error))?)))
        .collect()
}

/// A file in memory that is read after its writer is gone.
#[derive(Clone, Default)]
struct Sink(Rc<RefCell<Vec<u8>>>);

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A certificate, and the problem that it is about, if that is to be compared.
#[derive(Debug, Deserialize)]
pub(super) struct Certified {
    /// Its files by name.
    files: HashMap<String, String>,
    domain: Option<Source>,
    problem: Option<Source>,
    /// There are none yet; one that is given is refused.
    #[serde(default)]
    #[expect(dead_code, reason = "reading it is what counts")]
    options: Empty,
}

pub(super) fn check_certificate(asked: Certified, context: &Context<'_>) -> Done {
    let Certified { mut files, domain, problem, .. } = asked;
    let about = domain.map(|domain| lifted(domain, problem)).transpose()?;
    let mut take = |name: &str| files.remove(name);
    let (plan, ranks, none) = (take("plan"), take("ranks.txt"), take("none.txt"));
    let (task, invariant) = (take("task.sas"), take("invariant.txt"));
    let budget = context.budget;
    // A certificate about a finite task stands alone; the others are about a problem as it is written.
    let validity = match (task, invariant, about) {
        (Some(task), Some(invariant), about) if ranks.is_none() && none.is_none() => {
            let texts = CertificateTexts { task, invariant, plan };
            planning::check_certificate_texts(&texts, about.as_ref(), budget)?
        }
        (_, _, Some(about)) if ranks.is_some() || none.is_some() => {
            let texts = ClosureTexts { plan, ranks, none };
            planning::check_closure_texts(&texts, &about, &CheckRequest::default(), budget)?
        }
        (_, _, None) if ranks.is_some() || none.is_some() => {
            return Err(Failure::request(
                "this certificate is about a problem as it is written: give the domain and the problem",
            ));
        }
        _ => {
            return Err(Failure::input(
                "task.sas and invariant.txt are needed, or ranks.txt or none.txt",
                "certificate",
                None,
            ));
        }
    };
    Ok(Outcome::new(&validity)?.with("summary", validity.text()))
}

pub(super) fn mdp(asked: Asked<MdpRequest>, context: &Context<'_>) -> Done {
    let mut sources = Sources::default();
    let first = sources.add(asked.domain.name, asked.domain.text);
    let second = asked.problem.map(|problem| sources.add(problem.name, problem.text));
    let process = MdpProblem::of_sources(sources, first, second)?;
    let answer = mdp::solve(&process, &asked.options, context.budget, context.progress)?;
    let file = answer.file_text().map(str::to_owned);
    Ok(Outcome::new(&answer)?.with("text", answer.text()).with("file", file))
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
    HunterPreyHtn { edge: u32, prey: u32, apart: bool },
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
            Generated::HunterPrey { edge, prey, .. } | Generated::HunterPreyHtn { edge, prey, .. } => {
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
        Generated::HunterPreyHtn { edge, prey, apart } => hddl::hunter_prey(edge, prey, apart),
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
