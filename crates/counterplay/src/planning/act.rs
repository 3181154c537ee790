//! Acting in a simulated world, with a policy or by planning on the way.

use std::collections::HashSet;
use std::time::Instant;

use counterplay_base::{Budget, Progress, Verdict};
use counterplay_check::{PlanError, read_policy};
use counterplay_pddl::model::GroundAtom;
use counterplay_policy::{
    self as policies, Agent, End, GroundRule, Nature, Options, PolicySearch, Rule, ground_rules, literals,
};
use counterplay_task::{Fact, NondetTask};
use serde::{Deserialize, Serialize};

use super::text::count;
use crate::effort::seconds;
use crate::error::{Error, Halt};
use crate::problem::LiftedProblem;

/// Who acts, and in which world.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct ActRequest {
    /// How to decide what to do.
    pub agent: AgentKind,
    /// Who picks the outcomes.
    pub nature: NatureKind,
    /// The outcomes, by number from 0, one for each step; in the place of `nature` if it is not empty.
    pub script: Vec<usize>,
    /// Stop after so many steps.
    pub most_steps: usize,
    /// The seed of everything that is left to chance.
    pub seed: u64,
}

impl Default for ActRequest {
    fn default() -> ActRequest {
        ActRequest {
            agent: AgentKind::Policy,
            nature: NatureKind::Random,
            script: Vec::new(),
            most_steps: 1000,
            seed: 0,
        }
    }
}

/// The agents on offer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum AgentKind {
    /// Find the strongest policy, then follow it
    #[default]
    Policy,
    /// Follow a plan and make a new one when nature chose otherwise
    Replan,
    /// Real-time A*: one step of lookahead, with learning
    Rta,
}

/// Who picks outcomes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum NatureKind {
    /// Chance
    #[default]
    Random,
    /// An opponent that picks what looks worst
    Adversary,
}

/// A run in a simulated world. Its JSON form is what `counterplay act --json` prints.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ActAnswer {
    /// Whether the goal was reached.
    pub reached: bool,
    /// How the run ended.
    pub end: ActEnd,
    /// Actions that were taken.
    pub steps: usize,
    /// How often a new plan was made.
    pub replans: u64,
    /// The actions, each with the number of its outcome.
    pub actions: Vec<(String, usize)>,
    /// The atoms that hold at the end.
    pub state: Vec<String>,
    /// Seconds of wall time.
    pub seconds: f64,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ActEnd {
    /// The goal is reached.
    Reached,
    /// The agent has nothing to do.
    Stuck,
    /// The most steps were made.
    OutOfSteps,
}

impl ActAnswer {
    /// A line for each action.
    pub fn text(&self) -> String {
        self.actions.iter().map(|(action, outcome)| format!("{action} ; outcome {outcome}\n")).collect()
    }

    /// How it ended, in one line for people.
    pub fn summary(&self) -> String {
        let why = match self.end {
            ActEnd::Reached => "the goal is reached".to_owned(),
            ActEnd::Stuck => format!("nothing to do in {},", self.state.join(" ")),
            ActEnd::OutOfSteps => format!("stopped in {},", self.state.join(" ")),
        };
        format!("{why} after {}, {}", count(self.steps, "step"), count(self.replans as usize, "replan"))
    }
}

/// A policy that is followed instead of one that is found: the name of its text for messages, and the text.
pub type PolicyText<'a> = (&'a str, &'a str);

/// Acts in a simulated world.
///
/// # Errors
/// Options that do not fit, a policy that cannot be read, or the limit that was reached.
pub fn act(
    lifted: &LiftedProblem,
    policy: Option<PolicyText<'_>>,
    request: &ActRequest,
    budget: &Budget,
    progress: &dyn Progress,
) -> Result<ActAnswer, Halt> {
    let started = Instant::now();
    if policy.is_some() && request.agent != AgentKind::Policy {
        let message = "`policy` is for the agent that follows one";
        return Err(Error::request(message, "leave out `agent`, or `policy`").into());
    }
    progress.begin("grounding");
    let task = lifted.ground_outcomes(false, budget, progress)?;
    progress.begin("acting");
    let rules = policy.map(|(name, text)| read_rules(lifted, &task, name, text)).transpose()?;
    let found = match request.agent {
        AgentKind::Policy if rules.is_none() => Some(find_policy(&task, request.seed, budget, progress)?),
        _ => None,
    };
    let agent = match (&rules, &found, request.agent) {
        (Some(rules), ..) => Agent::Rules(rules),
        (None, Some(policy), _) => Agent::Policy(policy),
        (None, None, AgentKind::Rta) => Agent::RealTime,
        (None, None, _) => Agent::Replan,
    };
    let run = policies::act(&task, agent, &request.nature(), request.most_steps, budget)?;
    let end = match run.end {
        End::Reached => ActEnd::Reached,
        End::Stuck => ActEnd::Stuck,
        End::OutOfSteps => ActEnd::OutOfSteps,
        End::NoSuchOutcome(many) => return Err(request.no_such_outcome(run.steps.len(), many).into()),
    };
    let own = run.steps.iter().filter(|&&(choice, _)| task.start != Some(choice));
    let actions: Vec<(String, usize)> =
        own.map(|&(choice, outcome)| (format!("({})", task.choices[choice].name), outcome)).collect();
    let facts = run.state.enumerate().map(|(var, &value)| Fact { var, value });
    let plain = facts.filter(|fact| task.task.variables[fact.var].derived.is_none());
    let state = plain.flat_map(|fact| literals(&task.task, fact));
    Ok(ActAnswer {
        reached: end == ActEnd::Reached,
        end,
        steps: actions.len(),
        replans: run.replans,
        actions,
        state: state.filter(|literal| !literal.starts_with("(not ")).collect(),
        seconds: seconds(started.elapsed()) + lifted.parse,
    })
}

impl ActRequest {
    fn nature(&self) -> Nature {
        match (&self.script[..], self.nature) {
            ([], NatureKind::Random) => Nature::Random(self.seed),
            ([], NatureKind::Adversary) => Nature::Adversary,
            (script, _) => Nature::Script(script.to_vec()),
        }
    }

    fn no_such_outcome(&self, step: usize, many: usize) -> Error {
        let message = format!(
            "step {} of the script is outcome {}, but the action has {}, numbered from 0",
            step + 1,
            self.script.get(step).copied().unwrap_or_default(),
            count(many, "outcome"),
        );
        Error::Request { message, help: None }
    }
}

/// The strongest policy; one without pairs if there is none.
fn find_policy(
    task: &NondetTask,
    seed: u64,
    budget: &Budget,
    progress: &dyn Progress,
) -> Result<policies::Policy, Halt> {
    let options = Options { class: None, search: PolicySearch::Auto, seed };
    match policies::solve(task, &options, budget, progress).verdict {
        Verdict::Solved(policy) => Ok(policy),
        Verdict::Unsolvable => Ok(policies::Policy { class: policies::Class::Weak, pairs: Vec::new() }),
        Verdict::Stopped(limit) => Err(Halt::Limit(limit)),
    }
}

/// The pairs of a policy in the format that `check` reads.
fn read_rules(
    lifted: &LiftedProblem,
    task: &NondetTask,
    name: &str,
    text: &str,
) -> Result<Vec<GroundRule>, Error> {
    let problem = &lifted.problem;
    let mut sources = lifted.sources.clone();
    let file = sources.add(name, text);
    let policy = read_policy(&sources, file, problem).map_err(|errors| Error::Input {
        sources: sources.clone(),
        diagnostics: errors.iter().map(PlanError::diagnostic).collect(),
    })?;
    let literal = |(atom, truth): &(GroundAtom, bool)| match truth {
        true => problem.atom_text(atom),
        false => format!("(not {})", problem.atom_text(atom)),
    };
    let rule = |rule: &counterplay_check::Rule| {
        let action = problem.application(&problem.actions[rule.step.action].name, &rule.step.arguments);
        Rule { condition: rule.condition.iter().map(literal).collect(), action }
    };
    let rules: Vec<Rule> = policy.rules.iter().map(rule).collect();
    let fixed: HashSet<String> = problem.init.iter().map(|atom| problem.atom_text(atom)).collect();
    Ok(ground_rules(task, &rules, |atom| fixed.contains(atom)))
}
