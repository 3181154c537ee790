//! Plans of best net benefit: preferences have weights, and the metric weighs them against the cost of actions.

use std::time::Duration;

use counterplay_base::{Budget, Evidence, Limit, Verdict};
use counterplay_check::{Checked, check_plan};
use counterplay_ground::{CompiledMetric, metric_of};
use counterplay_pddl::model::Number;
use counterplay_plan::{Options, Plan, PlanSearch, Quality};
use counterplay_task::Task;
use num_rational::Ratio;

use super::answer::{Answer, Kind, Preference, SearchReport, bounded};
use super::progress::InUnits;
use super::text::Body;
use super::{Run, confirm, verify};
use crate::amount::Amount;
use crate::effort::Phase;
use crate::error::{Error, Halt};
use crate::problem::LiftedProblem;

/// The name of the check of a plan and its net benefit.
const VALIDATOR: &str = "plan validator (validity and metric)";

/// A plan and its value in the problem's own terms.
struct Valued {
    steps: Vec<String>,
    metric: Option<Amount>,
    /// What the steps cost, violated preferences left aside; unknown without a check.
    cost: Option<Amount>,
    preferences: Vec<Preference>,
}

impl Run<'_> {
    /// From the problem to the answer.
    pub(super) fn net_benefit(&mut self, lifted: &LiftedProblem, options: &Options) -> Result<Answer, Halt> {
        let (budget, progress) = (self.budget, self.progress);
        let plain = self.request.certificate;
        if options.search == PlanSearch::Bfs {
            let message = "`search bfs` looks for the fewest steps, and this problem asks for a net benefit";
            return Err(Error::request(message, "use `search dijkstra`").into());
        }
        let worth = metric_of(&lifted.problem, budget).map_err(|error| lifted.refuse(&error))?;
        self.announce("grounding");
        let task = self.phases.measure(Phase::Ground, || lifted.ground_for(plain, budget, progress))?;
        self.refuse_certificate(&task)?;
        let unit = task.cost_unit;
        let value = |units: u64| worth.as_ref().and_then(|worth| worth.of_units(units, unit)).map(Amount);
        self.announce("searching");
        let told = InUnits::new(progress, "metric", value);
        let found =
            self.phases.measure(Phase::Search, || counterplay_plan::solve(&task, options, budget, &told));
        let is_optimal = found.is_optimal();
        let counterplay_plan::Answer { verdict, best, statistics, .. } = found;
        let plan = match &verdict {
            Verdict::Solved(plan) => Some(plan),
            _ => best.as_ref(),
        };
        let mut found = match plan {
            Some(plan) => Some(self.value(lifted, &task, worth.as_ref(), plan)?),
            None => None,
        };
        if found.is_none() && matches!(verdict, Verdict::Stopped(_)) {
            found = empty_plan(lifted, worth.as_ref());
        }
        let proved = verdict.clone();
        let bound = match &verdict {
            Verdict::Unsolvable => None,
            Verdict::Solved(_) | Verdict::Stopped(_) => value(statistics.lower_bound),
        };
        let ran = &statistics.ran;
        let check = self.request.check;
        let evidence = match &verdict {
            Verdict::Solved(_) => Evidence::proved(ran, check.then_some(VALIDATOR)),
            Verdict::Unsolvable if !check => Evidence::proved(ran, None),
            Verdict::Unsolvable => {
                self.announce("checking");
                let (seed, search) = (self.request.seed, self.phases.search);
                let confirmed = self.phases.measure(Phase::Check, || {
                    confirm::no_plan(Some(&lifted.problem), &task, ran, budget, seed, search)
                })?;
                Evidence::proved(ran, confirmed.as_deref())
            }
            Verdict::Stopped(_) if options.quality != Quality::Optimal && found.is_some() => {
                Evidence::proved(ran, check.then_some(VALIDATOR))
            }
            Verdict::Stopped(_) => bounded(ran, bound, found.as_ref().and_then(|found| found.metric)),
        };
        let metric = found.as_ref().and_then(|found| found.metric);
        let has_plan = found.is_some();
        let mut answer = valued_answer(verdict.map(drop), found, evidence);
        if matches!(answer.verdict, Verdict::Stopped(_)) && options.quality != Quality::Optimal && has_plan {
            answer.verdict = Verdict::Solved(());
        }
        answer.optimal = Some(is_optimal);
        answer.set_bounds(bound, metric);
        answer.search = Some(SearchReport {
            ran: statistics.ran,
            layers: Some(statistics.layers),
            expanded: Some(statistics.expanded),
            peak_nodes: Some(statistics.peak_nodes),
            ..SearchReport::default()
        });
        self.certify(&task, &proved, &mut answer, bound)?;
        Ok(answer)
    }

    /// The answer of a run that a limit ended before its search did. The empty plan may be known all the same.
    pub(super) fn net_benefit_stopped(&self, limit: Limit, lifted: &LiftedProblem) -> Answer {
        let a_moment = Budget::unlimited().with_time(Duration::from_secs(1));
        let worth = metric_of(&lifted.problem, &a_moment).ok().flatten();
        let found = if self.request.check { empty_plan(lifted, worth.as_ref()) } else { None };
        let evidence = bounded("", None, found.as_ref().and_then(|found| found.metric));
        let metric = found.as_ref().and_then(|found| found.metric);
        let mut answer = valued_answer(Verdict::Stopped(limit), found, evidence);
        answer.set_bounds(None, metric);
        answer.search = Some(SearchReport::default());
        answer
    }

    /// The plan with its figures, as the checker recomputes them from the texts.
    fn value(
        &mut self,
        lifted: &LiftedProblem,
        task: &Task,
        worth: Option<&CompiledMetric>,
        plan: &Plan,
    ) -> Result<Valued, Halt> {
        let steps = plan.operators.iter().map(|&op| format!("({})", task.operators[op].name)).collect();
        let metric = match worth {
            None => None,
            Some(worth) => Some(worth.of_units(plan.cost, task.cost_unit).ok_or_else(too_large)?),
        };
        if !self.request.check {
            return Ok(Valued { steps, metric: metric.map(Amount), cost: None, preferences: Vec::new() });
        }
        // A limit that has been reached is no reason to show a plan unchecked: checking takes no time to speak of.
        let unlimited = Budget::unlimited();
        let budget = if self.budget.check().is_ok() { self.budget } else { &unlimited };
        let checked =
            self.phases.measure(Phase::Check, || verify::evaluate(&lifted.problem, task, plan, budget))?;
        let bug = |why: String| Error::Internal {
            message: format!("the plan that was found does not pass the check: {why}"),
        };
        let checked = checked.map_err(bug)?;
        if checked.metric != metric {
            let told = |value: Option<Number>| value.map_or("none".to_owned(), |it| it.to_string());
            return Err(bug(format!("its metric is {}, not {}", told(checked.metric), told(metric))).into());
        }
        Ok(Valued::new(steps, checked, worth))
    }
}

impl Answer {
    /// The metric of the best plan lies between what is proved and what was found; which of them is the larger depends on whether the metric is
    /// maximised.
    fn set_bounds(&mut self, proved: Option<Amount>, found: Option<Amount>) {
        self.bound = proved;
        (self.lower_bound, self.upper_bound) = match (proved, found) {
            (Some(proved), Some(found)) if proved.0 > found.0 => (Some(found), Some(proved)),
            (Some(proved), Some(found)) => (Some(proved), Some(found)),
            _ => (None, None),
        };
    }
}

fn valued_answer(verdict: Verdict<()>, found: Option<Valued>, evidence: Evidence) -> Answer {
    let is_solved = matches!(verdict, Verdict::Solved(()));
    let mut answer = Answer::new(Kind::NetBenefit, verdict, evidence);
    answer.optimal = Some(is_solved);
    answer.body = Body::NetBenefit;
    if let Some(Valued { steps, metric, cost, preferences }) = found {
        answer.length = Some(steps.len());
        answer.plan = Some(steps);
        answer.cost = cost;
        answer.metric = metric;
        answer.preferences = Some(preferences);
    }
    answer
}

/// The plan without steps, if it reaches the hard goal: where all goals are soft it does, and has a value before any search has
/// begun.
fn empty_plan(lifted: &LiftedProblem, worth: Option<&CompiledMetric>) -> Option<Valued> {
    // It is asked for when a limit has been reached, and takes no time to speak of.
    let checked = check_plan(&lifted.problem, &[], &Budget::unlimited()).ok()?;
    Some(Valued::new(Vec::new(), checked, worth))
}

impl Valued {
    /// The figures of a plan as the checker tells them.
    fn new(steps: Vec<String>, checked: Checked, worth: Option<&CompiledMetric>) -> Valued {
        let Checked { cost, metric, violations, .. } = checked;
        let preferences = violations.into_iter().map(|(name, violated)| {
            let weight = worth.and_then(|worth| worth.weights.get(&name));
            let weight = Amount(weight.copied().unwrap_or_else(|| Ratio::from_integer(0)));
            Preference { name, held: violated == 0, violated, weight }
        });
        let preferences = preferences.collect();
        Valued { steps, metric: metric.map(Amount), cost: cost.map(Amount), preferences }
    }
}

fn too_large() -> Halt {
    Error::request("the value of the plan is too large to be told exactly", "use smaller weights").into()
}
