//! `solve` where nature has a say: the answer is a policy.

use std::fmt::Write;

use clap::ValueEnum;
use counterplay_base::{Evidence, Verdict};
use counterplay_check::{
    CheckedPolicy, Guarantee, Looked, PolicyFlaw, PolicyOptions, check_policy, read_policy,
};
use counterplay_draw::graph::{self as picture, GraphEdge, GraphNode};
use counterplay_draw::tree::Look;
use counterplay_ground::{NondetTask, ground_outcomes};
use counterplay_pddl::model::Problem;
use counterplay_policy::graph::graph;
use counterplay_policy::{Answer, Class, Options, Policy, Rule, Search, Statistics, rules, text};
use counterplay_syntax::Sources;
use serde::Serialize;

use super::frame::{Frame, JsonSearch, bounded, confirmed_by};
use super::{SearchChoice, SolveArguments, confirm, misfit};
use crate::clock::{Phase, Phases};
use crate::exit::Exit;
use crate::failure::{Failure, Halt};
use crate::input::Lifted;
use crate::output::{self, count, remark};
use crate::progress::Display;
use crate::settings::{Settings, Verbosity};

/// What a policy is to guarantee.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ClassChoice {
    /// The goal is reached whatever happens
    Strong,
    /// The goal can always still be reached
    StrongCyclic,
    /// The goal may be reached
    Weak,
}

impl From<ClassChoice> for Class {
    fn from(choice: ClassChoice) -> Class {
        match choice {
            ClassChoice::Strong => Class::Strong,
            ClassChoice::StrongCyclic => Class::StrongCyclic,
            ClassChoice::Weak => Class::Weak,
        }
    }
}

/// Everything that can be said about a policy, or that there is none.
#[derive(Debug)]
pub(crate) struct PolicyReport {
    verdict: Verdict<(Class, Vec<Rule>)>,
    /// What was asked for.
    wanted: Option<Class>,
    impossible: Vec<Class>,
    /// Who confirmed that, where a policy was found all the same.
    impossible_checked_by: Option<String>,
    /// What the verdict rests on.
    pub(crate) evidence: Evidence,
    statistics: Statistics,
    /// Whether only random runs of it were checked, for want of an end to its states.
    is_sampled: bool,
    /// A picture of the policy, if one was asked for.
    picture: Option<String>,
    phases: Phases,
}

/// The documented shape of `solve --json` for policies.
#[derive(Serialize)]
struct Json<'a> {
    verdict: &'static str,
    kind: &'static str,
    class: Option<&'static str>,
    /// Classes of which it was proved that no policy has them.
    impossible: Vec<&'static str>,
    /// Who confirmed that of the next stronger class, where a policy was found.
    #[serde(skip_serializing_if = "Option::is_none")]
    impossible_checked_by: Option<&'a str>,
    length: Option<usize>,
    /// Whether every state that the policy can reach was looked at by the checker.
    checked: Option<&'static str>,
    policy: Option<Vec<JsonRule<'a>>>,
    /// The policy as a graph, SVG, if a picture was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    graph: Option<&'a str>,
    search: JsonSearch<'a>,
    #[serde(flatten)]
    frame: Frame,
}

#[derive(Serialize)]
struct JsonRule<'a> {
    #[serde(rename = "if")]
    condition: &'a [String],
    #[serde(rename = "do")]
    action: &'a str,
}

/// Which search for policies the options mean.
fn decide(arguments: &SolveArguments, seed: u64) -> Result<Options, Failure> {
    let search = match arguments.search {
        SearchChoice::Auto => Search::Auto,
        SearchChoice::Explicit => Search::Explicit,
        SearchChoice::Symbolic => Search::Symbolic,
        SearchChoice::Bfs | SearchChoice::Dijkstra | SearchChoice::Astar => {
            return Err(misfit(
                "this search is for plans, and the actions of this problem have several outcomes",
                "use `--search auto`, `--search explicit` or `--search symbolic`",
            ));
        }
    };
    if arguments.direction.is_some() || arguments.heuristic.is_some() {
        return Err(misfit(
            "`--direction` and `--heuristic` are for plans, and the actions of this problem have several outcomes",
            "leave them out",
        ));
    }
    Ok(Options { class: arguments.class.map(Class::from), search, seed })
}

/// From the problem to the answer.
pub(crate) fn answer(
    arguments: &SolveArguments,
    lifted: &Lifted,
    settings: &Settings,
    display: &Display,
    phases: &mut Phases,
) -> Result<PolicyReport, Halt> {
    let options = decide(arguments, settings.seed)?;
    let budget = &settings.budget;
    display.announce("grounding");
    let nondet = phases.measure(Phase::Ground, || ground(lifted, settings, display))?;
    display.announce("searching");
    let Answer { verdict, statistics, impossible } =
        phases.measure(Phase::Search, || counterplay_policy::solve(&nondet, &options, budget, display));
    let ran = statistics.ran.clone();
    let mut found = report(arguments, lifted, &nondet, verdict, options.class, statistics, settings, phases)?;
    found.impossible = impossible;
    if !arguments.no_check {
        let search = phases.search;
        if matches!(found.verdict, Verdict::Unsolvable) {
            display.announce("checking");
            let class = options.class.unwrap_or(Class::Weak);
            let confirmed = phases.measure(Phase::Check, || {
                confirm::no_policy(&lifted.problem, class, &ran, settings, search)
            })?;
            found.evidence = Evidence::proved(&ran, confirmed.as_deref());
        } else if let Some(&next) = found.impossible.last().filter(|_| options.class.is_none()) {
            // The policy is the strongest there is only if the next stronger class has none.
            found.impossible_checked_by = phases
                .measure(Phase::Check, || confirm::is_strongest(&lifted.problem, next, settings, search))?;
        }
        found.phases = *phases;
    }
    Ok(found)
}

/// Puts a policy into words and has it checked.
#[allow(clippy::too_many_arguments, reason = "the parts of a report, each from somewhere else")]
pub(crate) fn report(
    arguments: &SolveArguments,
    lifted: &Lifted,
    nondet: &NondetTask,
    verdict: Verdict<Policy>,
    wanted: Option<Class>,
    statistics: Statistics,
    settings: &Settings,
    phases: &mut Phases,
) -> Result<PolicyReport, Halt> {
    let mut is_sampled = false;
    let mut picture = None;
    let mut evidence = Evidence::proved(&statistics.ran, None);
    let verdict = match verdict {
        Verdict::Solved(policy) => {
            if arguments.graph || arguments.graph_file.is_some() {
                picture = Some(draw(nondet, &policy, settings)?);
            }
            let rules = rules(nondet, &policy);
            if !arguments.no_check {
                let text = text(policy.class, &rules);
                let checked = phases.measure(Phase::Check, || verify(lifted, text, settings))?;
                is_sampled = !checked.is_certain();
                let checker = match checked.looked {
                    Looked::States(_) => "policy checker (every state)",
                    Looked::Sets => "policy checker (sets of states)",
                    Looked::Runs(_) => "policy checker (random runs only)",
                };
                evidence = Evidence::proved(&statistics.ran, Some(checker));
            }
            Verdict::Solved((policy.class, rules))
        }
        Verdict::Unsolvable => Verdict::Unsolvable,
        Verdict::Stopped(limit) => {
            evidence = bounded(&statistics.ran, None, None);
            Verdict::Stopped(limit)
        }
    };
    Ok(PolicyReport {
        verdict,
        wanted,
        impossible: Vec::new(),
        impossible_checked_by: None,
        evidence,
        statistics,
        is_sampled,
        picture,
        phases: *phases,
    })
}

/// Up to so many states are drawn one by one; beyond, those with the same answer are put together.
const SINGLE: usize = 40;
/// So many states are followed for a picture.
const DRAWN: usize = 20_000;

/// The graph of a policy as SVG.
fn draw(nondet: &NondetTask, policy: &Policy, settings: &Settings) -> Result<String, Halt> {
    let graph = graph(nondet, policy, SINGLE, DRAWN, &settings.budget).map_err(Halt::Limit)?;
    let states: usize = graph.nodes.iter().map(|node| node.states).sum();
    let part = if graph.is_whole { "" } else { ", the first of more" };
    let title = format!("{} policy, {}{part}", policy.class.name(), count(states, "state"));
    let nodes: Vec<GraphNode> = graph
        .nodes
        .into_iter()
        .map(|node| {
            let many = (node.states > 1).then(|| count(node.states, "state"));
            let look = if node.is_goal { Look::Won } else { Look::Own };
            let goal = node.is_goal.then(|| "goal".to_owned());
            GraphNode {
                lines: goal.into_iter().chain(node.action).chain(many).chain(node.condition).collect(),
                look,
            }
        })
        .collect();
    let edges: Vec<GraphEdge> = graph.edges.into_iter().map(|(from, to)| GraphEdge { from, to }).collect();
    Ok(picture::graph(&title, &nodes, &edges))
}

/// So many states are looked at one by one.
const MOST_STATES: usize = 200_000;
/// How many runs.
const RUNS: u32 = 100;

/// How a policy is to be checked.
pub(crate) fn check_options(wanted: Guarantee, seed: u64) -> PolicyOptions {
    PolicyOptions { wanted, most_states: MOST_STATES, only_runs: false, runs: RUNS, seed }
}

/// Gives the policy, as text, to the checker. One that fails is a bug of ours, never an answer.
fn verify(lifted: &Lifted, text: String, settings: &Settings) -> Result<CheckedPolicy, Halt> {
    let mut sources = Sources::default();
    let file = sources.add("the policy", text);
    let bug = |why: String| Failure::Bug {
        message: format!("the policy that was found does not pass the check: {why}"),
    };
    let read = read_policy(&sources, file, &lifted.problem)
        .map_err(|errors| bug(errors.first().map(ToString::to_string).unwrap_or_default()))?;
    let wanted = read.claimed.unwrap_or(Guarantee::StrongCyclic);
    let options = check_options(wanted, settings.seed);
    // What cannot be checked to the end in half of what is left of the time is shown all the same, and said to be.
    let budget = match settings.budget.remaining() {
        Some(left) => settings.budget.slice(left / 2),
        None => settings.budget.clone(),
    };
    match check_policy(&lifted.problem, &read.rules, options, &budget) {
        Ok(checked) => Ok(checked),
        Err(PolicyFlaw::Stopped { .. }) if settings.budget.check().is_ok() => {
            Ok(CheckedPolicy { guarantee: wanted, looked: Looked::Runs(0) })
        }
        Err(PolicyFlaw::Stopped { limit }) => Err(Halt::Limit(limit)),
        Err(flaw) => Err(bug(flaw.to_string()).into()),
    }
}

/// The finite task with the outcomes of its actions.
pub(crate) fn ground(lifted: &Lifted, settings: &Settings, display: &Display) -> Result<NondetTask, Halt> {
    let options = counterplay_ground::Options::default();
    // Actions and goal are the same with a task network and without.
    let plain = Problem { hierarchy: None, ..lifted.problem.clone() };
    match ground_outcomes(&plain, &options, &settings.budget, display) {
        Ok((nondet, _)) => Ok(nondet),
        Err(counterplay_ground::Error::Stopped(limit)) => Err(Halt::Limit(limit)),
        Err(other) => {
            let diagnostics = other.diagnostic().into_iter().collect();
            Err(Failure::Input { sources: lifted.sources.clone(), diagnostics }.into())
        }
    }
}

impl PolicyReport {
    /// The exit code that says the same.
    pub(crate) fn exit(&self) -> Exit {
        Exit::of(&self.verdict)
    }

    /// The picture of the policy, if there is one.
    pub(crate) fn picture(&self) -> Option<&str> {
        self.picture.as_deref()
    }

    /// The policy as a file, if there is one.
    pub(crate) fn policy_text(&self) -> Option<String> {
        match &self.verdict {
            Verdict::Solved((class, rules)) => Some(text(*class, rules)),
            _ => None,
        }
    }

    /// Prints the answer to stdout and remarks on it to stderr.
    pub(crate) fn print(&self, settings: &Settings) -> Result<(), Failure> {
        if settings.json {
            output::json(&self.json(settings))?;
        } else {
            output::answer(&self.text())?;
        }
        if settings.verbosity >= Verbosity::Normal {
            remark(&self.summary(settings));
        }
        Ok(())
    }

    fn text(&self) -> String {
        match &self.verdict {
            Verdict::Solved((class, rules)) => text(*class, rules),
            Verdict::Unsolvable => format!("; unsolvable: {}\n", self.nothing()),
            Verdict::Stopped(limit) => format!("; stopped: {limit}\n"),
        }
    }

    fn nothing(&self) -> String {
        match self.wanted {
            _ if self.impossible.contains(&Class::Weak) => {
                "there is no policy, not even a weak one: no outcome of any action leads to the goal"
                    .to_owned()
            }
            Some(class) => format!("there is no {} policy", class.name()),
            None => "there is no policy".to_owned(),
        }
    }

    fn json(&self, settings: &Settings) -> Json<'_> {
        let solved = self.verdict.as_ref().solved();
        Json {
            verdict: self.verdict.word(),
            kind: "policy",
            class: solved.map(|(class, _)| class.name()),
            impossible: self.impossible.iter().map(|&class| class.name()).collect(),
            impossible_checked_by: self.impossible_checked_by.as_deref(),
            length: solved.map(|(_, rules)| rules.len()),
            checked: solved
                .and(self.phases.check)
                .map(|_| if self.is_sampled { "sampled" } else { "complete" }),
            policy: solved.map(|(_, rules)| {
                rules
                    .iter()
                    .map(|rule| JsonRule { condition: &rule.condition, action: &rule.action })
                    .collect()
            }),
            graph: self.picture(),
            search: JsonSearch {
                ran: &self.statistics.ran,
                layers: self.statistics.rounds,
                expanded: self.statistics.expanded,
                peak_nodes: self.statistics.peak_nodes,
            },
            frame: Frame::new(&self.verdict, self.phases, settings).resting_on(&self.evidence),
        }
    }

    /// One line for people.
    fn summary(&self, settings: &Settings) -> String {
        let mut line = match &self.verdict {
            Verdict::Solved((class, rules)) => {
                let checked = match (self.phases.check, self.is_sampled) {
                    (None, _) => "",
                    (Some(_), false) => ", checked",
                    (Some(_), true) => ", random runs checked",
                };
                format!("solved: {} policy of {}{checked}", class.name(), count(rules.len(), "pair"))
            }
            Verdict::Unsolvable => {
                format!("unsolvable: proved that {}, {}", self.nothing(), confirmed_by(&self.evidence))
            }
            Verdict::Stopped(limit) => format!("stopped: {limit}"),
        };
        if !self.impossible.is_empty() && !matches!(self.verdict, Verdict::Unsolvable) {
            let names: Vec<&str> = self.impossible.iter().map(|&class| class.name()).collect();
            let _ = write!(line, "; proved that none is {}", names.join(" or "));
        }
        let _ = write!(line, " ({:.3} s, {})", settings.started.elapsed().as_secs_f64(), self.statistics.ran);
        line
    }
}
