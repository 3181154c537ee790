//! The second look at the verdict that there is no answer.
//!
//! A plan or policy is checked before it is shown; that there is none is confirmed as far as time allows. On small problems every
//! reachable state is visited on the lifted problem, by code that shares nothing with the grounder and the searches. On
//! larger ones a search of another kind has to agree, on a task that was grounded without the mutexes of h². One that
//! disagrees is a bug, never an answer.

use std::time::Duration;

use counterplay_base::{Budget, Silent, Verdict};
use counterplay_check::{Confirmation, confirm_no_plan, confirm_no_policy};
use counterplay_ground::{ground, ground_outcomes};
use counterplay_pddl::model::Problem;
use counterplay_plan::{Heuristic, Options as PlanOptions, PlanSearch};
use counterplay_policy::{Class, Options as PolicyOptions, PolicySearch, TRAP};
use counterplay_task::{NondetTask, Task};

use super::request;
use crate::error::{Error, Halt};

/// What is said to have confirmed a verdict on every reachable state.
const EXHAUSTIVE: &str = "exhaustive search of the lifted problem";
/// So many states are looked at one by one.
const MOST_STATES: usize = 200_000;
/// A confirmation may always take this long.
const LEAST: Duration = Duration::from_secs(2);
/// Where there is an answer already, this long.
const A_MOMENT: Duration = Duration::from_millis(10);
/// And so many times as long as the search did.
const SHARE: f64 = 3.0;

/// What a confirmation may take: a share of the time that the search took, and never more than the user allows.
pub(super) fn allowance(budget: &Budget, search: Option<f64>) -> Budget {
    let share = Duration::try_from_secs_f64(search.unwrap_or(0.0) * SHARE).unwrap_or(LEAST);
    budget.slice(share.max(LEAST))
}

/// Half of the allowance, so that a second engine has the other half.
pub(super) fn first_half(allowance: &Budget) -> Budget {
    allowance.slice(allowance.remaining().unwrap_or(LEAST) / 2)
}

/// What confirmed that there is no plan (or that the hard goal is out of reach); `None` if nothing did in time. Without a
/// lifted problem only another search is asked.
pub(super) fn no_plan(
    problem: Option<&Problem>,
    task: &Task,
    ran: &str,
    budget: &Budget,
    seed: u64,
    search: Option<f64>,
) -> Result<Option<String>, Halt> {
    let allowance = allowance(budget, search);
    if let Some(problem) = problem {
        let look = confirm_no_plan(problem, MOST_STATES, &first_half(&allowance));
        if let Some(confirmed) = exhaustive(look, "no plan")? {
            return Ok(Some(confirmed));
        }
    }
    let without_h2 = counterplay_ground::Options { h2: false, ..Default::default() };
    let other = problem.map(|problem| ground(problem, &without_h2, &allowance, &Silent));
    let task = match &other {
        Some(Ok(task)) => task,
        // A limit, since the problem could be grounded before.
        Some(Err(_)) => return Ok(None),
        None => task,
    };
    let search = if ran.starts_with("symbolic") { PlanSearch::Explicit } else { PlanSearch::Dijkstra };
    let options = PlanOptions { search, heuristic: Heuristic::LmCut, seed, ..Default::default() };
    let answer = counterplay_plan::solve(task, &options, &allowance, &Silent);
    second(answer.verdict, &answer.statistics.ran, "no plan")
}

/// What confirmed that there is no policy of a class.
pub(super) fn no_policy(
    problem: &Problem,
    class: Class,
    ran: &str,
    budget: &Budget,
    seed: u64,
    search: Option<f64>,
) -> Result<Option<String>, Halt> {
    let allowance = allowance(budget, search);
    let claim = format!("no {} policy", class.name());
    let look =
        confirm_no_policy(problem, request::Class::from(class).into(), MOST_STATES, &first_half(&allowance));
    if let Some(confirmed) = exhaustive(look, &claim)? {
        return Ok(Some(confirmed));
    }
    let search = match ran {
        "explicit" | TRAP => PolicySearch::Symbolic,
        _ => PolicySearch::Explicit,
    };
    let without_h2 = counterplay_ground::Options { h2: false, ..Default::default() };
    let plain = Problem { hierarchy: None, ..problem.clone() };
    let nondet: NondetTask = match ground_outcomes(&plain, &without_h2, &allowance, &Silent) {
        Ok((nondet, _)) => nondet,
        Err(_) => return Ok(None),
    };
    let options = PolicyOptions { class: Some(class), search, seed };
    let answer = counterplay_policy::solve(&nondet, &options, &allowance, &Silent);
    second(answer.verdict, &answer.statistics.ran, &claim)
}

/// A policy was found and said to be of the strongest class there is: what confirmed that the next stronger class has none. There is an
/// answer already, so this may take half as long as the search did.
pub(super) fn is_strongest(
    problem: &Problem,
    stronger: Class,
    budget: &Budget,
    search: Option<f64>,
) -> Result<Option<String>, Halt> {
    let half = Duration::try_from_secs_f64(search.unwrap_or(0.0) / 2.0).unwrap_or_default();
    let budget = budget.slice(half.clamp(A_MOMENT, LEAST));
    let look = confirm_no_policy(problem, request::Class::from(stronger).into(), MOST_STATES, &budget);
    exhaustive(look, &format!("no {} policy", stronger.name()))
}

fn exhaustive(look: Confirmation, claim: &str) -> Result<Option<String>, Halt> {
    match look {
        Confirmation::Confirmed { .. } => Ok(Some(EXHAUSTIVE.to_owned())),
        Confirmation::TooLarge => Ok(None),
        Confirmation::Refuted(why) => Err(refuted(claim, &why)),
    }
}

pub(super) fn second<T>(verdict: Verdict<T>, ran: &str, claim: &str) -> Result<Option<String>, Halt> {
    match verdict {
        Verdict::Unsolvable => Ok(Some(format!("second engine: {ran}"))),
        Verdict::Stopped(_) => Ok(None),
        Verdict::Solved(_) => Err(refuted(claim, &format!("another search, {ran}, finds one"))),
    }
}

pub(super) fn refuted(claim: &str, why: &str) -> Halt {
    let message = format!("the proof that there is {claim} does not pass the check: {why}");
    Error::Internal { message }.into()
}
