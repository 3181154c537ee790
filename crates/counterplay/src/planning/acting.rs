//! Acting in a simulated world, with a policy or by planning on the way.

use std::collections::HashSet;
use std::time::Instant;

use counterplay_base::{Budget, Progress, Verdict};
use counterplay_check::{PlanError, read_policy};
use counterplay_pddl::model::GroundAtom;
use counterplay_policy::{
    Agent, Class, End as EngineEnd, GroundRule, Nature as EngineNature, Options, Policy, PolicySearch, Rule,
    Run, ground_rules, literals,
};
use counterplay_task::{Fact, NondetTask};
use serde::{Deserialize, Serialize};

use crate::effort::seconds;
use crate::error::{Error, Halt};
use crate::figures::count;
use crate::problem::LiftedProblem;

/// How to act, and who picks the outcomes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct ActRequest {
    /// How to decide what to do.
    pub agent: AgentKind,
    /// Who picks the outcomes.
    pub nature: NatureKind,
    /// The outcomes by number from 0, one for each step; instead of `nature` if there are any.
    pub script: Vec<usize>,
    /// Steps after which the run ends.
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
    /// An adversary that picks what looks worst
    Adversary,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum RunEnd {
    /// The goal holds.
    Reached,
    /// The agent knew nothing to do.
    Stuck,
    /// After as many steps as allowed, or at the end of the script.
    OutOfSteps,
}

/// A run in a simulated world. Its JSON form is what `counterplay act --json` prints.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ActAnswer {
    /// Whether the goal was reached.
    pub reached: bool,
    pub end: RunEnd,
    pub steps: usize,
    /// How often a plan was made after the first.
    pub replans: u64,
    /// The actions, each with the number of its outcome.
    pub actions: Vec<(String, usize)>,
    /// The atoms that hold at the end.
    pub state: Vec<String>,
    /// Seconds of wall time.
    pub seconds: f64,
}

impl ActAnswer {
    /// The actions for people, one a line.
    pub fn text(&self) -> String {
        self.actions.iter().map(|(action, outcome)| format!("{action} ; outcome {outcome}\n")).collect()
    }

    /// How the run ended, in a sentence.
    pub fn summary(&self) -> String {
        let state = self.state.join(" ");
        let why = match self.end {
            RunEnd::Reached => "the goal is reached".to_owned(),
            RunEnd::Stuck => format!("nothing to do in {state},"),
            RunEnd::OutOfSteps => format!("stopped in {state},"),
        };
        format!("{why} after {}, {}", count(self.steps, "step"), count(self.replans, "replan"))
    }
}

/// Acts until the goal is reached, nothing more can be done, or the steps are used up. `policy` is the name and the text of a policy
/// to follow, as [`solve`](super::solve) writes it.
///
/// # Errors
/// A policy that cannot be read, options that do not fit, or the limit that was reached.
pub fn act(
    lifted: &LiftedProblem,
    policy: Option<(&str, &str)>,
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
    let nondet = lifted.ground_outcomes(false, budget, progress)?;
    let nature = match (&request.script[..], request.nature) {
        ([], NatureKind::Random) => EngineNature::Random(request.seed),
        ([], NatureKind::Adversary) => EngineNature::Adversary,
        (script, _) => EngineNature::Script(script.to_vec()),
    };
    progress.begin("acting");
    let run_as = |agent| {
        counterplay_policy::act(&nondet, agent, &nature, request.most_steps, budget).map_err(Halt::from)
    };
    let run = match (request.agent, policy) {
        (AgentKind::Replan, _) => run_as(Agent::Replan)?,
        (AgentKind::Rta, _) => run_as(Agent::RealTime)?,
        (AgentKind::Policy, Some((name, text))) => {
            run_as(Agent::Rules(&read_rules(name, text, lifted, &nondet)?))?
        }
        (AgentKind::Policy, None) => {
            run_as(Agent::Policy(&strongest_policy(&nondet, request.seed, budget, progress)?))?
        }
    };
    let end = match run.end {
        EngineEnd::Reached => RunEnd::Reached,
        EngineEnd::Stuck => RunEnd::Stuck,
        EngineEnd::OutOfSteps => RunEnd::OutOfSteps,
        EngineEnd::NoSuchOutcome(many) => return Err(no_such_outcome(&run, many, &request.script).into()),
    };
    Ok(answer(&nondet, &run, end, seconds(started.elapsed()) + lifted.parse))
}

/// The strongest policy; one without pairs if there is none.
fn strongest_policy(
    nondet: &NondetTask,
    seed: u64,
    budget: &Budget,
    progress: &dyn Progress,
) -> Result<Policy, Halt> {
    let options = Options { class: None, search: PolicySearch::Auto, seed };
    match counterplay_policy::solve(nondet, &options, budget, progress).verdict {
        Verdict::Solved(policy) => Ok(policy),
        Verdict::Unsolvable => Ok(Policy { class: Class::Weak, pairs: Vec::new() }),
        Verdict::Stopped(limit) => Err(Halt::Limit(limit)),
    }
}

fn no_such_outcome(run: &Run, many: usize, script: &[usize]) -> Error {
    let step = run.steps.len();
    let message = format!(
        "step {} of the script is outcome {}, but the action has {}, numbered from 0",
        step + 1,
        script[step],
        count(many, "outcome"),
    );
    Error::Request { message, help: None }
}

fn answer(nondet: &NondetTask, run: &Run, end: RunEnd, seconds: f64) -> ActAnswer {
    let own = run.steps.iter().filter(|&&(choice, _)| nondet.start != Some(choice));
    let actions: Vec<(String, usize)> =
        own.map(|&(choice, outcome)| (format!("({})", nondet.choices[choice].name), outcome)).collect();
    let facts = run.state.enumerate().map(|(var, &value)| Fact { var, value });
    let plain = facts.filter(|fact| nondet.task.variables[fact.var].derived.is_none());
    let state = plain.flat_map(|fact| literals(&nondet.task, fact));
    ActAnswer {
        reached: end == RunEnd::Reached,
        end,
        steps: actions.len(),
        replans: run.replans,
        actions,
        state: state.filter(|literal| !literal.starts_with("(not ")).collect(),
        seconds,
    }
}

/// The pairs of a policy in text form.
fn read_rules(
    name: &str,
    text: &str,
    lifted: &LiftedProblem,
    nondet: &NondetTask,
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
