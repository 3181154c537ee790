//! Plans of least cost.

use counterplay_base::{Budget, Evidence, Verdict};
use counterplay_plan::{Options, Plan, PlanSearch, Quality};
use counterplay_task::Task;
use num_rational::Ratio;

use super::answer::{Answer, FoundPlan, Interim, InterimFound, Kind, SearchReport, bounded};
use super::text::Body;
use super::{Run, confirm, verify};
use crate::amount::Amount;
use crate::effort::Phase;
use crate::error::{Error, Halt};
use crate::problem::Problem;

impl Run<'_> {
    /// From the problem to the answer.
    pub(super) fn plan(&mut self, problem: &Problem, options: &Options) -> Result<Answer, Halt> {
        let (budget, progress) = (self.budget, self.progress);
        let plain = self.request.certificate;
        self.announce("grounding");
        let task = match problem {
            Problem::Lifted(lifted) => {
                &self.phases.measure(Phase::Ground, || lifted.ground_for(plain, budget, progress))?
            }
            Problem::Finite(task) => task.as_ref(),
        };
        self.refuse_certificate(task)?;
        if options.search == PlanSearch::Bfs && !has_one_cost(task) {
            return Err(Error::request(
                "`search bfs` looks for the fewest steps, and the actions of this problem differ in cost",
                "use `search dijkstra`",
            )
            .into());
        }
        if options.heuristic == counterplay_plan::Heuristic::Abstractions
            && (!task.axioms.is_empty() || task.has_conditional_effects())
        {
            return Err(Error::request(
                "`heuristic abstractions` knows neither derived predicates nor conditional effects, and this problem has some",
                "use `heuristic lmcut`",
            )
            .into());
        }
        self.announce("searching");
        let unit = task.cost_unit;
        let told =
            super::progress::InUnits::new(progress, "cost", move |units| Amount::of_units(units, unit));
        let (check, interim) = (self.request.check, self.interim);
        let tell = |plan: &Plan| {
            // A plan that does not pass the check is a bug; it is told at the end, when it cannot be overlooked.
            let is_sound = !check || verify::plan(problem, task, plan, &Budget::unlimited()).is_ok();
            if is_sound && let Ok(plan) = found_plan(task, plan) {
                let text = plan.text(has_unit_cost(task));
                interim(Interim { found: InterimFound::Plan(plan), text });
            }
        };
        let found = self
            .phases
            .measure(Phase::Search, || counterplay_plan::solve_telling(task, options, budget, &told, &tell));
        let checked_by = match self.request.check {
            false => None,
            true => {
                self.announce("checking");
                self.check_plan(problem, task, &found)?
            }
        };
        let verdict = found.verdict.clone();
        let mut answer = answer(task, options.quality, found, checked_by)?;
        let cost = answer.cost;
        self.certify(task, &verdict, &mut answer, cost)?;
        Ok(answer)
    }

    /// Checks a plan, or confirms that there is none; the name of what did it.
    fn check_plan(
        &mut self,
        problem: &Problem,
        task: &Task,
        found: &counterplay_plan::Answer,
    ) -> Result<Option<String>, Halt> {
        let lifted = match problem {
            Problem::Lifted(lifted) => Some(&lifted.problem),
            Problem::Finite(_) => None,
        };
        let (budget, seed, search) = (self.budget, self.request.seed, self.phases.search);
        self.phases.measure(Phase::Check, || match (&found.verdict, &found.best) {
            (Verdict::Solved(plan), _) => {
                // A plan that is there is shown, and none is shown unchecked: checking takes no time to speak of.
                let unlimited = Budget::unlimited();
                verify::plan(problem, task, plan, if budget.check().is_ok() { budget } else { &unlimited })?;
                for earlier in &found.plans {
                    verify::plan(problem, task, earlier, &unlimited)?;
                }
                Ok(Some(verify::NAME.to_owned()))
            }
            (Verdict::Unsolvable, _) => {
                confirm::no_plan(lifted, task, &found.statistics.ran, budget, seed, search)
            }
            // A limit that has been reached is no reason to show a plan unchecked: checking takes no time to speak of.
            (Verdict::Stopped(_), Some(best)) => {
                for plan in found.plans.iter().chain([best]) {
                    verify::plan(problem, task, plan, &Budget::unlimited())?;
                }
                Ok(Some(verify::NAME.to_owned()))
            }
            (Verdict::Stopped(_), None) => Ok(None),
        })
    }
}

/// The answer in the words and units of the problem.
fn answer(
    task: &Task,
    quality: Quality,
    found: counterplay_plan::Answer,
    checked_by: Option<String>,
) -> Result<Answer, Halt> {
    let is_optimal = found.is_optimal();
    let counterplay_plan::Answer { verdict, best, plans, statistics } = found;
    let plan = match &verdict {
        Verdict::Solved(plan) => Some(plan),
        _ => best.as_ref(),
    };
    let amount = |units: u64| Amount::of_units(units, task.cost_unit);
    let upper = plan.map(|plan| plan.cost).or(statistics.upper_bound);
    let has_what_was_asked_for = match &verdict {
        Verdict::Solved(_) => true,
        Verdict::Unsolvable => false,
        // As good a plan as the limits allow was asked for, and it is there.
        Verdict::Stopped(_) => quality != Quality::Optimal && plan.is_some(),
    };
    let evidence = match &verdict {
        Verdict::Stopped(_) if !has_what_was_asked_for => {
            bounded(&statistics.ran, amount(statistics.lower_bound), upper.and_then(amount))
        }
        _ => Evidence::proved(&statistics.ran, checked_by.as_deref()),
    };
    let earlier = plans.iter().map(|plan| found_plan(task, plan)).collect::<Result<Vec<_>, Error>>()?;
    let steps = plan.map(|plan| steps(task, plan)).transpose()?;
    let mut answer = Answer::new(Kind::Plan, verdict.map(drop), evidence);
    if has_what_was_asked_for {
        answer.verdict = Verdict::Solved(());
    }
    answer.optimal = Some(is_optimal);
    if answer.verdict != Verdict::Unsolvable {
        answer.lower_bound = amount(statistics.lower_bound);
        answer.upper_bound = upper.and_then(amount);
    }
    answer.plans = (!earlier.is_empty()).then_some(earlier);
    answer.search = Some(SearchReport {
        ran: statistics.ran,
        layers: Some(statistics.layers),
        expanded: Some(statistics.expanded),
        peak_nodes: Some(statistics.peak_nodes),
        lower_bound: amount(statistics.lower_bound),
        upper_bound: statistics.upper_bound.and_then(amount),
        ..SearchReport::default()
    });
    if let Some((names, costs, total)) = steps {
        answer.length = Some(names.len());
        answer.plan = Some(names);
        answer.cost = Some(total);
        answer.metric = task.has_metric.then_some(total);
        answer.body = Body::Plan { costs, unit_cost: has_unit_cost(task) };
    }
    Ok(answer)
}

pub(super) fn has_unit_cost(task: &Task) -> bool {
    let unit_is_one = task.cost_unit == Ratio::from_integer(1);
    unit_is_one && task.operators.iter().all(|operator| operator.cost == 1)
}

pub(super) fn found_plan(task: &Task, plan: &Plan) -> Result<FoundPlan, Error> {
    let (names, _, cost) = steps(task, plan)?;
    Ok(FoundPlan { cost, length: names.len(), plan: names })
}

/// The steps of a plan, the cost of each, and their sum.
pub(super) fn steps(task: &Task, plan: &Plan) -> Result<(Vec<String>, Vec<Amount>, Amount), Error> {
    let too_large =
        || Error::request("the cost of the plan is too large to be told exactly", "use smaller costs");
    let total = Amount::of_units(plan.cost, task.cost_unit).ok_or_else(too_large)?;
    let operators = || plan.operators.iter().map(|&op| &task.operators[op]);
    let names = operators().map(|operator| format!("({})", operator.name)).collect();
    let costs: Option<Vec<Amount>> =
        operators().map(|operator| Amount::of_units(operator.cost, task.cost_unit)).collect();
    Ok((names, costs.ok_or_else(too_large)?, total))
}

fn has_one_cost(task: &Task) -> bool {
    let mut costs = task.operators.iter().map(|operator| operator.cost);
    costs.next().is_none_or(|first| costs.all(|cost| cost == first))
}
