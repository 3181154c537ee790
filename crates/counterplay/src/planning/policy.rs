//! Policies for actions with several outcomes.

use counterplay_base::{Evidence, Verdict};
use counterplay_check::{
    CheckedPolicy, Examined, Guarantee, PolicyFlaw, PolicyOptions, check_policy, read_policy,
};
use counterplay_draw::graph::{self as picture, GraphEdge, GraphNode};
use counterplay_draw::tree::Look;
use counterplay_policy::graph::graph;
use counterplay_policy::{Class as EngineClass, Policy, Statistics, rules, text};
use counterplay_syntax::Sources;
use counterplay_task::NondetTask;

use super::answer::{Answer, Coverage, Kind, PolicyBody, PolicyRule, SearchReport, bounded};
use super::request::Class;
use super::text::Body;
use super::{Run, confirm};
use crate::effort::Phase;
use crate::error::{Error, Halt};
use crate::figures::count;
use crate::problem::LiftedProblem;

/// Up to so many states are drawn one by one; beyond, those with the same action are put together.
const SINGLE: usize = 40;
/// So many states are followed for a picture.
const DRAWN: usize = 20_000;
/// So many states are checked one by one.
const MOST_STATES: usize = 200_000;
/// How many random runs are checked if nothing else is possible.
const RUNS: u32 = 100;

/// How a policy is checked.
pub fn check_options(wanted: Guarantee, seed: u64) -> PolicyOptions {
    PolicyOptions { wanted, most_states: MOST_STATES, only_runs: false, runs: RUNS, seed }
}

impl Run<'_> {
    /// From the problem to the answer.
    pub(super) fn policy(&mut self, lifted: &LiftedProblem) -> Result<Answer, Halt> {
        let options = self.request.policy_options()?;
        let (budget, progress, seed) = (self.budget, self.progress, self.request.seed);
        self.announce("grounding");
        let task = self.phases.measure(Phase::Ground, || lifted.ground_outcomes(false, budget, progress))?;
        self.announce("searching");
        let found = self
            .phases
            .measure(Phase::Search, || counterplay_policy::solve(&task, &options, budget, progress));
        let ran = found.statistics.ran.clone();
        let impossible = found.impossible;
        let mut answer =
            self.policy_answer(lifted, &task, found.verdict, self.request.class, found.statistics)?;
        answer.impossible = Some(impossible.iter().map(|&class| Class::from(class)).collect());
        if self.request.check {
            let search = self.phases.search;
            if matches!(answer.verdict, Verdict::Unsolvable) {
                self.announce("checking");
                let class = options.class.unwrap_or(EngineClass::Weak);
                let confirmed = self.phases.measure(Phase::Check, || {
                    confirm::no_policy(&lifted.problem, class, &ran, budget, seed, search)
                })?;
                answer.evidence = Evidence::proved(&ran, confirmed.as_deref());
            } else if let Some(&next) = impossible.last().filter(|_| options.class.is_none()) {
                // The policy is the strongest there is only if the next stronger class has none.
                answer.impossible_checked_by = self
                    .phases
                    .measure(Phase::Check, || confirm::is_strongest(&lifted.problem, next, budget, search))?;
            }
        }
        Ok(answer)
    }

    /// Puts a policy into words and has it checked.
    pub(super) fn policy_answer(
        &mut self,
        lifted: &LiftedProblem,
        task: &NondetTask,
        verdict: Verdict<Policy>,
        wanted: Option<Class>,
        statistics: Statistics,
    ) -> Result<Answer, Halt> {
        let ran = statistics.ran.clone();
        let evidence = match &verdict {
            Verdict::Stopped(_) => bounded(&ran, None, None),
            _ => Evidence::proved(&ran, None),
        };
        let mut answer = Answer::new(Kind::Policy, verdict.as_ref().map(drop), evidence);
        answer.impossible = Some(Vec::new());
        answer.search = Some(SearchReport {
            ran: statistics.ran,
            layers: Some(statistics.rounds),
            expanded: Some(statistics.expanded),
            peak_nodes: Some(statistics.peak_nodes),
            ..SearchReport::default()
        });
        let mut file = None;
        if let Verdict::Solved(policy) = verdict {
            if self.request.picture {
                answer.graph = Some(self.draw(task, &policy)?);
            }
            let rules = rules(task, &policy);
            let text = text(policy.class, &rules);
            if self.request.check {
                let checked = self.verify_policy(lifted, &text)?;
                let (coverage, checker) = match checked.looked {
                    Examined::States(_) => (Coverage::Complete, "policy checker (every state)"),
                    Examined::Sets => (Coverage::Complete, "policy checker (sets of states)"),
                    Examined::Runs(_) => (Coverage::Sampled, "policy checker (random runs only)"),
                };
                answer.checked = Some(coverage);
                answer.evidence = Evidence::proved(&ran, Some(checker));
            }
            answer.class = Some(policy.class.into());
            answer.length = Some(rules.len());
            let rules = rules.into_iter();
            let rules = rules.map(|rule| PolicyRule { condition: rule.condition, action: rule.action });
            answer.policy = Some(PolicyBody::Rules(rules.collect()));
            file = Some(text);
        }
        answer.body = Body::Policy { text: file, wanted };
        Ok(answer)
    }

    /// The graph of a policy as SVG.
    fn draw(&self, task: &NondetTask, policy: &Policy) -> Result<String, Halt> {
        let graph = graph(task, policy, SINGLE, DRAWN, self.budget).map_err(Halt::Limit)?;
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
                let lines = goal.into_iter().chain(node.action).chain(many).chain(node.condition);
                GraphNode { lines: lines.collect(), look }
            })
            .collect();
        let edges: Vec<GraphEdge> =
            graph.edges.into_iter().map(|(from, to)| GraphEdge { from, to }).collect();
        Ok(picture::graph(&title, &nodes, &edges))
    }

    /// Gives the policy, as text, to the checker. One that fails is a bug, never an answer.
    fn verify_policy(&mut self, lifted: &LiftedProblem, text: &str) -> Result<CheckedPolicy, Halt> {
        let (whole, seed) = (self.budget, self.request.seed);
        self.phases.measure(Phase::Check, || {
            let mut sources = Sources::default();
            let file = sources.add("the policy", text);
            let bug = |why: String| Error::Internal {
                message: format!("the policy that was found does not pass the check: {why}"),
            };
            let read = read_policy(&sources, file, &lifted.problem)
                .map_err(|errors| bug(errors.first().map(ToString::to_string).unwrap_or_default()))?;
            let wanted = read.claimed.unwrap_or(Guarantee::StrongCyclic);
            // What cannot be checked to the end in half of the time that is left is shown all the same, and said to be.
            let budget = match whole.remaining() {
                Some(left) => whole.slice(left / 2),
                None => whole.clone(),
            };
            match check_policy(&lifted.problem, &read.rules, check_options(wanted, seed), &budget) {
                Ok(checked) => Ok(checked),
                Err(PolicyFlaw::Stopped { .. }) if whole.check().is_ok() => {
                    Ok(CheckedPolicy { guarantee: wanted, looked: Examined::Runs(0) })
                }
                Err(PolicyFlaw::Stopped { limit }) => Err(Halt::Limit(limit)),
                Err(flaw) => Err(bug(flaw.to_string()).into()),
            }
        })
    }
}
