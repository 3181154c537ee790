//! Several plans, or their number.

use counterplay_base::{Budget, Evidence, Verdict};
use counterplay_plan::{ManyOptions, Wanted, count_plans, find_plans};
use counterplay_task::Task;

use super::answer::{Answer, Kind, SearchReport, bounded};
use super::plan::{found_plan, has_unit_cost, steps};
use super::request::{Plans, Quality, Search, Which};
use super::text::Body;
use super::{Run, confirm, verify};
use crate::amount::Amount;
use crate::effort::Phase;
use crate::error::{Error, Halt};
use crate::problem::Problem;

/// What looks for several plans.
const ENGINE: &str = "best-first search over paths with symbolic backward distances";

impl Run<'_> {
    /// From the problem to several plans.
    pub(super) fn many(&mut self, problem: &Problem, plans: Plans) -> Result<Answer, Halt> {
        self.refuse_options_of_one_plan()?;
        let (budget, progress) = (self.budget, self.progress);
        self.announce("grounding");
        let task = match problem {
            Problem::Lifted(lifted) => {
                &self.phases.measure(Phase::Ground, || lifted.ground_all_actions(budget, progress))?
            }
            Problem::Finite(task) => task.as_ref(),
        };
        refuse_endless(task, plans)?;
        self.announce("searching");
        if plans.count {
            return self.count(problem, task, plans);
        }
        let wanted = match plans.which {
            Which::Cheapest(count) => Wanted::Cheapest(count),
            Which::Within(millionths) => Wanted::Within(millionths),
        };
        let Plans { loopless, unordered, .. } = plans;
        let options = ManyOptions { wanted, loopless, unordered, seed: self.request.seed };
        let found = self.phases.measure(Phase::Search, || find_plans(task, &options, budget, progress));
        if self.request.check {
            self.announce("checking");
            let unlimited = Budget::unlimited();
            self.phases.measure(Phase::Check, || {
                found.plans.iter().try_for_each(|plan| verify::plan(problem, task, plan, &unlimited))
            })?;
        }
        let verdict = match (found.limit, found.plans.is_empty()) {
            (Some(limit), _) => Verdict::Stopped(limit),
            (None, true) => Verdict::Unsolvable,
            (None, false) => Verdict::Solved(()),
        };
        let evidence = match &verdict {
            Verdict::Stopped(_) => bounded(ENGINE, None, None),
            Verdict::Solved(()) => Evidence::proved(ENGINE, self.request.check.then_some(verify::NAME)),
            Verdict::Unsolvable => self.no_plan(problem, task)?,
        };
        let mut answer = Answer::new(Kind::Plan, verdict, evidence);
        if found.is_complete {
            answer.count = Some(found.plans.len().to_string());
        }
        if let Some(first) = found.plans.first() {
            let (names, _, total) = steps(task, first)?;
            answer.length = Some(names.len());
            answer.plan = Some(names);
            answer.cost = Some(total);
            answer.metric = task.has_metric.then_some(total);
            answer.optimal = Some(true);
        }
        let all = found.plans.iter().map(|plan| found_plan(task, plan)).collect::<Result<Vec<_>, Error>>()?;
        answer.body = Body::Many { texts: all.iter().map(|plan| plan.text(has_unit_cost(task))).collect() };
        answer.plans = Some(all);
        answer.search = Some(SearchReport { ran: ENGINE.to_owned(), ..SearchReport::default() });
        Ok(answer)
    }

    /// Counts plans without listing them.
    fn count(&mut self, problem: &Problem, task: &Task, plans: Plans) -> Result<Answer, Halt> {
        let Which::Within(millionths) = plans.which else {
            return Err(Error::request(
                "`count` needs to know which plans to count",
                "use `plans all-optimal` or `within`",
            )
            .into());
        };
        let (budget, seed) = (self.budget, self.request.seed);
        let count = self.phases.measure(Phase::Search, || count_plans(task, millionths, seed, budget))?;
        let Some(least) = count.least else {
            let evidence = self.no_plan(problem, task)?;
            return Ok(Answer::new(Kind::Plan, Verdict::Unsolvable, evidence));
        };
        if count.is_more {
            return Err(Error::request("there are more than 2^128 plans", "use a smaller `within`").into());
        }
        let mut answer = Answer::new(Kind::Plan, Verdict::Solved(()), Evidence::proved(ENGINE, None));
        answer.cost = Amount::of_units(least, task.cost_unit);
        answer.count = Some(count.plans.to_string());
        answer.body = Body::Many { texts: Vec::new() };
        answer.search = Some(SearchReport { ran: ENGINE.to_owned(), ..SearchReport::default() });
        Ok(answer)
    }

    /// The evidence that there is no plan, with what confirmed it.
    fn no_plan(&mut self, problem: &Problem, task: &Task) -> Result<Evidence, Halt> {
        if !self.request.check {
            return Ok(Evidence::proved(ENGINE, None));
        }
        self.announce("checking");
        let lifted = match problem {
            Problem::Lifted(lifted) => Some(&lifted.problem),
            Problem::Finite(_) => None,
        };
        let (budget, seed, search) = (self.budget, self.request.seed, self.phases.search);
        let confirmed = self
            .phases
            .measure(Phase::Check, || confirm::no_plan(lifted, task, "symbolic", budget, seed, search))?;
        Ok(Evidence::proved(ENGINE, confirmed.as_deref()))
    }

    fn refuse_options_of_one_plan(&self) -> Result<(), Error> {
        let request = self.request;
        let is_open =
            request.search == Search::Auto && request.direction.is_none() && request.heuristic.is_none();
        if !is_open || request.quality != Quality::Optimal {
            return Err(Error::request(
                "`search`, `direction`, `heuristic` and `quality` are for one plan, and several were asked for",
                "leave them out",
            ));
        }
        Ok(())
    }
}

/// Where actions cost nothing there may be infinitely many plans of one cost.
fn refuse_endless(task: &Task, plans: Plans) -> Result<(), Error> {
    let is_endless = task.operators.iter().any(|operator| operator.cost == 0);
    if plans.count && (plans.loopless || plans.unordered) {
        return Err(Error::request("`count` counts all plans", "leave `loopless` and `unordered` out"));
    }
    if is_endless && plans.count {
        return Err(Error::request(
            "`count` needs costs above zero: an action that costs nothing can be repeated without end",
            "list the plans with `loopless` instead",
        ));
    }
    if is_endless && matches!(plans.which, Which::Within(_)) && !plans.loopless {
        return Err(Error::request(
            "there may be infinitely many plans of one cost, since actions cost nothing",
            "add `loopless`, or ask for a number of plans",
        ));
    }
    Ok(())
}
