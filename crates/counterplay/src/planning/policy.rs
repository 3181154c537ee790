//! Policies for actions with several outcomes.

use std::cell::{Cell, RefCell};
use std::time::Instant;

use counterplay_base::{Budget, Evidence, Verdict};
use counterplay_check::{
    CheckedPolicy, Examined, Guarantee, PolicyFlaw, PolicyOptions, check_policy, read_policy,
};
use counterplay_draw::graph::{self as picture, GraphEdge, GraphNode};
use counterplay_draw::tree::Look;
use counterplay_policy::graph::{graph, states};
use counterplay_policy::{self as policies, Class as EngineClass, Found, Policy, rules, text};
use counterplay_syntax::Sources;
use counterplay_task::NondetTask;

use super::answer::{
    Answer, Coverage, Interim, InterimFound, InterimPolicy, Kind, PolicyBody, PolicyRule, SearchReport,
    bounded,
};
use super::request::Class;
use super::scene::PolicyStates;
use super::text::Body;
use super::{Run, confirm};
use crate::effort::{Phase, seconds};
use crate::error::{Error, Halt};
use crate::figures::count;
use crate::problem::LiftedProblem;

/// Up to so many states are drawn one by one; beyond, those with the same action are put together.
const SINGLE: usize = 40;
/// So many states are followed for a picture.
const DRAWN: usize = 20_000;
/// So many states are listed for callers that let people choose the outcomes.
const FOLLOWED: usize = 2_000;
/// So many states are checked one by one.
const MOST_STATES: usize = 200_000;
/// How many random runs are checked if nothing else is possible.
const RUNS: u32 = 100;

/// A policy that was told before the search was over, and what the checker said of it.
pub(super) struct ToldPolicy {
    text: String,
    checked: CheckedPolicy,
}

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
        // The policy that was told last, as text, with what the checker said of it.
        let told: RefCell<Option<ToldPolicy>> = RefCell::new(None);
        let mut checking = 0.0;
        let started = Instant::now();
        let found = {
            let (check, interim, checking) =
                (self.request.check, self.interim, Cell::from_mut(&mut checking));
            let tell = |found: Found<'_>| {
                let begun = Instant::now();
                let rules = rules(&task, found.policy);
                let text = text(found.policy.class, &rules);
                // A policy that does not pass the check is a bug; it is told at the end, when it cannot be overlooked.
                let checked = check.then(|| checked_text(lifted, &text, seed, budget));
                if checked.as_ref().is_none_or(Result::is_ok) {
                    let class = found.policy.class.into();
                    let open = found.open.iter().map(|&class| Class::from(class)).collect();
                    let policy = InterimPolicy { class, rules: in_words(rules), open };
                    interim(Interim { found: InterimFound::Policy(policy), text: text.clone() });
                }
                if let Some(Ok(checked)) = checked {
                    told.replace(Some(ToldPolicy { text, checked }));
                }
                checking.set(checking.get() + seconds(begun.elapsed()));
            };
            counterplay_policy::solve_telling(&task, &options, budget, progress, &tell)
        };
        self.phases.search = Some(seconds(started.elapsed()) - checking);
        if checking > 0.0 {
            self.phases.check = Some(checking);
        }
        let ran = found.statistics.ran.clone();
        let impossible = found.impossible.clone();
        let mut answer = self.policy_answer(lifted, &task, found, self.request.class, told.into_inner())?;
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

    /// Puts a policy into words and has it checked, unless it was when it was told.
    pub(super) fn policy_answer(
        &mut self,
        lifted: &LiftedProblem,
        task: &NondetTask,
        found: policies::Answer,
        wanted: Option<Class>,
        told: Option<ToldPolicy>,
    ) -> Result<Answer, Halt> {
        let policies::Answer { verdict, best, statistics, impossible, open } = found;
        let ran = statistics.ran.clone();
        let evidence = match &verdict {
            Verdict::Stopped(_) => bounded(&ran, None, None),
            _ => Evidence::proved(&ran, None),
        };
        let mut answer = Answer::new(Kind::Policy, verdict.as_ref().map(drop), evidence);
        let classes = |list: &[EngineClass]| Some(list.iter().map(|&class| Class::from(class)).collect());
        answer.impossible = classes(&impossible);
        answer.open = classes(&open);
        answer.search = Some(SearchReport {
            ran: statistics.ran,
            layers: Some(statistics.rounds),
            expanded: Some(statistics.expanded),
            peak_nodes: Some(statistics.peak_nodes),
            ..SearchReport::default()
        });
        let is_solved = matches!(verdict, Verdict::Solved(_));
        let mut file = None;
        if let Some(policy) = verdict.solved().or(best) {
            if self.request.picture {
                answer.graph = Some(self.draw(task, &policy)?);
                let (states, whole) = states(task, &policy, FOLLOWED, self.budget).map_err(Halt::Limit)?;
                answer.policy_states = Some(PolicyStates::new(states, whole));
            }
            let rules = rules(task, &policy);
            let text = text(policy.class, &rules);
            if self.request.check {
                let checked = match told.filter(|told| told.text == text) {
                    Some(told) => told.checked,
                    None => self.verify_policy(lifted, &text)?,
                };
                let (coverage, checker) = match checked.looked {
                    Examined::States(_) => (Coverage::Complete, "policy checker (every state)"),
                    Examined::Sets => (Coverage::Complete, "policy checker (sets of states)"),
                    Examined::Runs(_) => (Coverage::Sampled, "policy checker (random runs only)"),
                };
                answer.checked = Some(coverage);
                if is_solved {
                    answer.evidence = Evidence::proved(&ran, Some(checker));
                }
            }
            answer.class = Some(policy.class.into());
            answer.length = Some(rules.len());
            answer.policy = Some(PolicyBody::Rules(in_words(rules)));
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
        let (budget, seed) = (self.budget, self.request.seed);
        self.phases.measure(Phase::Check, || checked_text(lifted, text, seed, budget))
    }
}

/// What the checker says of a policy. What cannot be checked to the end in half of the time that is left is shown all the same, and
/// said to be.
fn checked_text(
    lifted: &LiftedProblem,
    text: &str,
    seed: u64,
    whole: &Budget,
) -> Result<CheckedPolicy, Halt> {
    let mut sources = Sources::default();
    let file = sources.add("the policy", text);
    let bug = |why: String| Error::Internal {
        message: format!("the policy that was found does not pass the check: {why}"),
    };
    let read = read_policy(&sources, file, &lifted.problem)
        .map_err(|errors| bug(errors.first().map(ToString::to_string).unwrap_or_default()))?;
    let wanted = read.claimed.unwrap_or(Guarantee::StrongCyclic);
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
}

fn in_words(rules: Vec<policies::Rule>) -> Vec<PolicyRule> {
    let rules = rules.into_iter();
    rules.map(|rule| PolicyRule { condition: rule.condition, action: rule.action }).collect()
}
