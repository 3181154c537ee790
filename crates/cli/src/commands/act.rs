//! `counterplay act`: act in a simulated world, with a policy or by planning on the way.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{Args, ValueEnum};
use counterplay_base::Verdict;
use counterplay_check::{PlanError, read_policy};
use counterplay_pddl::model::GroundAtom;
use counterplay_policy::{
    Agent, Class, End, GroundRule, Nature, Options, PolicySearch, Rule, act, ground_rules, literals,
};
use counterplay_task::{Fact, NondetTask};
use serde::Serialize;

use crate::arguments::EXIT_CODES;
use crate::clock::seconds;
use crate::exit::Exit;
use crate::failure::{Failure, Halt};
use crate::files::Reader;
use crate::input::read_lifted;
use crate::output::{self, count, remark};
use crate::progress::Display;
use crate::sentinel;
use crate::settings::{Settings, Verbosity};

/// Act in a simulated world where nature picks the outcomes
///
/// Example: counterplay act domain.pddl p01.pddl --agent replan --nature random --seed 7
#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct ActArguments {
    /// The PDDL domain
    #[arg(value_name = "DOMAIN")]
    domain: PathBuf,

    /// The PDDL problem
    #[arg(value_name = "PROBLEM")]
    problem: PathBuf,

    /// How to decide what to do
    #[arg(long, value_enum, default_value_t, value_name = "AGENT")]
    agent: AgentChoice,

    /// Follow the policy of this file, as `solve --plan-file` writes it, instead of finding one
    #[arg(long, value_name = "FILE")]
    policy: Option<PathBuf>,

    /// Who picks the outcomes
    #[arg(long, value_enum, default_value_t, value_name = "NATURE")]
    nature: NatureChoice,

    /// The outcomes, by number from 0, one for each step, instead of `--nature`
    #[arg(long, value_delimiter = ',', value_name = "N,N,…")]
    script: Vec<usize>,

    /// Stop after so many steps
    #[arg(long, default_value_t = 1000, value_name = "STEPS")]
    most_steps: usize,
}

/// The agents on offer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum AgentChoice {
    /// Find the strongest policy, then follow it
    #[default]
    Policy,
    /// Follow a plan and make a new one when nature chose otherwise
    Replan,
    /// Real-time A*: one step of lookahead, with learning
    Rta,
}

/// Who picks outcomes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum NatureChoice {
    /// Chance
    #[default]
    Random,
    /// Somebody who picks what looks worst
    Adversary,
}

/// The documented shape of `act --json`.
#[derive(Serialize)]
struct Json {
    reached: bool,
    end: &'static str,
    steps: usize,
    replans: u64,
    actions: Vec<(String, usize)>,
    state: Vec<String>,
    seconds: f64,
}

/// Acts.
pub(crate) fn run(arguments: &ActArguments, settings: &Settings) -> Result<Exit, Failure> {
    let display = Arc::new(Display::new(settings));
    let floor = sentinel::watch_command(settings, &display);
    let outcome = live(arguments, settings, &display);
    floor.take_or_wait();
    display.clear();
    match outcome {
        Ok((json, why)) => {
            let exit = match json.end {
                "reached" => Exit::Found,
                "out-of-steps" => Exit::Limit,
                _ => Exit::None,
            };
            if settings.json {
                output::json(&json)?;
            } else {
                let lines =
                    json.actions.iter().map(|(action, outcome)| format!("{action} ; outcome {outcome}\n"));
                output::answer(&lines.collect::<String>())?;
            }
            if settings.verbosity >= Verbosity::Normal {
                remark(&format!(
                    "{why} after {}, {}",
                    count(json.steps, "step"),
                    count(json.replans as usize, "replan")
                ));
            }
            Ok(exit)
        }
        Err(Halt::Failure(failure)) => Err(failure),
        Err(Halt::Limit(limit)) => {
            output::stopped(limit, settings);
            Ok(Exit::Limit)
        }
    }
}

fn live(arguments: &ActArguments, settings: &Settings, display: &Display) -> Result<(Json, String), Halt> {
    let lifted = read_lifted(&arguments.domain, &arguments.problem, &settings.budget)?;
    display.announce("grounding");
    let nondet = lifted.ground_outcomes(false, &settings.budget, display)?;
    let nature = match (&arguments.script[..], arguments.nature) {
        ([], NatureChoice::Random) => Nature::Random(settings.seed),
        ([], NatureChoice::Adversary) => Nature::Adversary,
        (script, _) => Nature::Script(script.to_vec()),
    };
    display.announce("acting");
    let ground_rules = match &arguments.policy {
        Some(_) if arguments.agent != AgentChoice::Policy => {
            let message = "`--policy` is for the agent that follows one".to_owned();
            let help = Some("leave out `--agent`, or `--policy`".to_owned());
            return Err(Failure::Usage { message, help }.into());
        }
        Some(file) => Some(read(file, &lifted, &nondet, settings)?),
        None => None,
    };
    let policy = match arguments.agent {
        AgentChoice::Policy if ground_rules.is_none() => {
            let options = Options { class: None, search: PolicySearch::Auto, seed: settings.seed };
            match counterplay_policy::solve(&nondet, &options, &settings.budget, display).verdict {
                Verdict::Solved(policy) => Some(policy),
                Verdict::Unsolvable => {
                    Some(counterplay_policy::Policy { class: Class::Weak, pairs: Vec::new() })
                }
                Verdict::Stopped(limit) => return Err(Halt::Limit(limit)),
            }
        }
        AgentChoice::Policy | AgentChoice::Replan | AgentChoice::Rta => None,
    };
    let agent = match (&policy, arguments.agent) {
        _ if ground_rules.is_some() => Agent::Rules(ground_rules.as_deref().unwrap_or_default()),
        (Some(policy), _) => Agent::Policy(policy),
        (None, AgentChoice::Rta) => Agent::RealTime,
        (None, _) => Agent::Replan,
    };
    let run = act(&nondet, agent, &nature, arguments.most_steps, &settings.budget)?;
    let own = run.steps.iter().filter(|&&(choice, _)| nondet.start != Some(choice));
    let actions: Vec<(String, usize)> =
        own.map(|&(choice, outcome)| (format!("({})", nondet.choices[choice].name), outcome)).collect();
    let facts = run.state.enumerate().map(|(var, &value)| Fact { var, value });
    let plain = facts.filter(|fact| nondet.task.variables[fact.var].derived.is_none());
    let state: Vec<String> = plain.flat_map(|fact| literals(&nondet.task, fact)).collect();
    let state: Vec<String> = state.into_iter().filter(|literal| !literal.starts_with("(not ")).collect();
    let (end, why) = match run.end {
        End::Reached => ("reached", "the goal is reached".to_owned()),
        End::Stuck => ("stuck", format!("nothing to do in {},", state.join(" "))),
        End::OutOfSteps => ("out-of-steps", format!("stopped in {},", state.join(" "))),
        End::NoSuchOutcome(many) => {
            let message = format!(
                "step {} of the script is outcome {}, but the action has {}, numbered from 0",
                run.steps.len() + 1,
                arguments.script[run.steps.len()],
                count(many, "outcome"),
            );
            return Err(Failure::Usage { message, help: None }.into());
        }
    };
    let json = Json {
        reached: run.end == End::Reached,
        end,
        steps: actions.len(),
        replans: run.replans,
        actions,
        state,
        seconds: seconds(settings.started.elapsed()),
    };
    Ok((json, why))
}

/// The pairs of a policy file.
fn read(
    file: &Path,
    lifted: &counterplay::LiftedProblem,
    nondet: &NondetTask,
    settings: &Settings,
) -> Result<Vec<GroundRule>, Halt> {
    let problem = &lifted.problem;
    let mut reader = Reader::default();
    reader.sources = lifted.sources.clone();
    let policy = reader.read(file, &settings.budget)?;
    let policy = read_policy(&reader.sources, policy, problem).map_err(|errors| Failure::Input {
        sources: reader.sources.clone(),
        diagnostics: errors.iter().map(PlanError::diagnostic).collect(),
    })?;
    let literal = |(atom, truth): &(GroundAtom, bool)| match truth {
        true => problem.atom_text(atom),
        false => format!("(not {})", problem.atom_text(atom)),
    };
    let rules: Vec<Rule> = policy
        .rules
        .iter()
        .map(|rule| {
            let step = problem.application(&problem.actions[rule.step.action].name, &rule.step.arguments);
            Rule { condition: rule.condition.iter().map(literal).collect(), action: step }
        })
        .collect();
    let fixed: HashSet<String> = problem.init.iter().map(|atom| problem.atom_text(atom)).collect();
    Ok(ground_rules(nondet, &rules, |atom| fixed.contains(atom)))
}
