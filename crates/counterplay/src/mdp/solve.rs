//! From texts to a policy.

use std::time::Instant;

use counterplay_base::{Budget, Evidence, Number as Rounded, Progress, Verdict};
use counterplay_mdp::{
    self as engine, Answer as Found, Explored, Mdp, Method, Searched, Table, Unexplored, Unsearched,
    Unsolved, Value,
};
use counterplay_policy::literals;
use counterplay_syntax::{FileId, Sources};
use counterplay_task::{Fact, OddsTask, START};
use num_rational::Ratio;

use super::answer::{MdpAnswer, MdpRule};
use super::request::{MdpRequest, Objective};
use super::verify::{check_chain, check_rules};
use crate::effort::{Phase, Phases, seconds};
use crate::error::{Error, Halt};
use crate::problem::{LiftedProblem, Problem};

/// Up to so many states are all listed; beyond, only those that the search for the best policy needs.
const MOST_LISTED: usize = 50_000;
/// So many rules of a policy are listed.
const MOST_RULES: usize = 100_000;

/// A decision process: a table, or PDDL with probabilities.
#[derive(Clone, Debug)]
pub enum MdpProblem {
    Table(Box<Table>),
    Lifted(Box<LiftedProblem>),
}

impl MdpProblem {
    /// Reads a table `(mdp …)`, or a domain and a problem, which may stand in one file.
    ///
    /// # Errors
    /// Everything that is wrong with the texts, with places.
    pub fn of_sources(sources: Sources, first: FileId, second: Option<FileId>) -> Result<MdpProblem, Error> {
        if second.is_none() && engine::is_table(&sources, first) {
            return match engine::read(&sources, first) {
                Ok(table) => Ok(MdpProblem::Table(Box::new(table))),
                Err(errors) => {
                    let diagnostics = errors.iter().map(engine::TableError::diagnostic).collect();
                    Err(Error::Input { sources, diagnostics })
                }
            };
        }
        match Problem::of_sources(sources, first, second.unwrap_or(first))? {
            Problem::Lifted(lifted) => Ok(MdpProblem::Lifted(lifted)),
            Problem::Finite(_) => unreachable!("texts are a lifted problem"),
        }
    }
}

/// A process in numbers, and how to name its states and actions.
struct Process<'a> {
    mdp: &'a Mdp,
    state: &'a dyn Fn(usize) -> String,
    action: &'a dyn Fn(u32) -> String,
}

/// Solves a decision process and checks the policy.
///
/// # Errors
/// Bad input, options that do not fit, or a bug that the check found.
pub fn solve(
    problem: &MdpProblem,
    request: &MdpRequest,
    budget: &Budget,
    progress: &dyn Progress,
) -> Result<MdpAnswer, Error> {
    let started = Instant::now();
    let mut phases = Phases::default();
    let solved = match problem {
        MdpProblem::Table(table) => solve_table(table, request, budget, &mut phases),
        MdpProblem::Lifted(lifted) => solve_lifted(lifted, request, budget, progress, &mut phases),
    };
    let mut answer = match solved {
        Ok(answer) => answer,
        Err(Halt::Limit(limit)) => {
            let objective = request.objective.unwrap_or(Objective::MaxProb);
            let evidence = Evidence::Bounded { engine: "exploration".to_owned(), lower: None, upper: None };
            MdpAnswer::without(objective, Verdict::Stopped(limit), evidence)
        }
        Err(Halt::Error(error)) => return Err(error),
    };
    answer.phases = phases;
    answer.seconds = seconds(started.elapsed());
    Ok(answer)
}

fn solve_table(
    table: &Table,
    request: &MdpRequest,
    budget: &Budget,
    phases: &mut Phases,
) -> Result<MdpAnswer, Halt> {
    let objective = decide(request, table.discount, table.horizon, &table.mdp, budget)?;
    let process = Process {
        mdp: &table.mdp,
        state: &|state| table.states[state].clone(),
        action: &|label| table.labels[label as usize].clone(),
    };
    let found = phases.measure(Phase::Search, || engine::solve(&table.mdp, objective, budget));
    let (mut answer, found) = described(&process, objective, found)?;
    if let Some(found) = found.filter(|found| request.check && found.stopped.is_none()) {
        phases.measure(Phase::Check, || check_chain(&table.mdp, objective, &found, &mut answer, budget))?;
    }
    Ok(answer)
}

fn solve_lifted(
    lifted: &LiftedProblem,
    request: &MdpRequest,
    budget: &Budget,
    progress: &dyn Progress,
    phases: &mut Phases,
) -> Result<MdpAnswer, Halt> {
    if lifted.has_network() {
        return Err(Error::request("task networks have no probabilities here", "leave out `:htn`").into());
    }
    let task = phases.measure(Phase::Ground, || {
        let keeps = request.discount.is_some() || request.horizon.is_some();
        lifted.ground_odds(request.uniform, keeps, budget, progress)
    })?;
    let whole = phases.measure(Phase::Search, || {
        // Objectives over rewards need all states; for others a part of them may do.
        let needs_all =
            request.discount.is_some() || request.horizon.is_some() || task.costs.iter().any(is_earned);
        engine::explore(&task, if needs_all { usize::MAX } else { MOST_LISTED }, budget)
    });
    let whole = whole.map_err(|why| unexplored(&task, why))?;
    let (explored, objective, found) = match whole {
        Some(explored) => {
            let objective = decide(request, None, None, &explored.mdp, budget)?;
            let found = phases.measure(Phase::Search, || engine::solve(&explored.mdp, objective, budget));
            (explored, objective, found)
        }
        None => phases.measure(Phase::Search, || search_part(&task, request, budget))?,
    };
    let Explored { mdp, states } = explored;
    let name = |at: usize| {
        let Some(state) = states.get(at) else { return "beyond".to_owned() };
        let facts = state.enumerate().map(|(var, &value)| Fact { var, value });
        let facts = facts.filter(|fact| task.nondet.task.variables[fact.var].derived.is_none());
        let all = facts.flat_map(|fact| literals(&task.nondet.task, fact));
        let atoms: Vec<String> = all.filter(|literal| !literal.starts_with("(not ")).collect();
        if atoms.is_empty() { "(and)".to_owned() } else { atoms.join(" ") }
    };
    let action = |label: u32| format!("({})", choice_name(&task, label));
    let process = Process { mdp: &mdp, state: &name, action: &action };
    let (mut answer, found) = described(&process, objective, found)?;
    let Some(found) = found else { return Ok(answer) };
    if found.stopped.is_some() {
        return Ok(answer);
    }
    if !matches!(objective, engine::Objective::Horizon(_)) {
        answer.file = Some(policy_text(&task, &mdp, &states, &found));
    }
    if request.check {
        phases.measure(Phase::Check, || match (objective, &answer.file) {
            (engine::Objective::MaxProb | engine::Objective::MinCost, Some(text)) => {
                let text = text.clone();
                check_rules(lifted, &text, request.uniform, objective, &found, &mut answer, budget)
            }
            _ => check_chain(&mdp, objective, &found, &mut answer, budget),
        })?;
    }
    Ok(answer)
}

fn is_earned(cost: &Ratio<i128>) -> bool {
    *cost < Ratio::from_integer(0)
}

/// Searches a process with more states than are listed: for the least cost, and if no policy is sure, for the greatest probability.
fn search_part(
    task: &OddsTask,
    request: &MdpRequest,
    budget: &Budget,
) -> Result<(Explored, engine::Objective, Result<Found, Unsolved>), Halt> {
    let wanted = match request.objective {
        Some(Objective::MaxProb) => vec![engine::Objective::MaxProb],
        Some(Objective::MinCost) => vec![engine::Objective::MinCost],
        Some(Objective::Discounted) => {
            return Err(Error::request("no discount is given", "use `discount`").into());
        }
        Some(Objective::Horizon) => return Err(Error::request("no horizon is given", "use `horizon`").into()),
        None => vec![engine::Objective::MinCost, engine::Objective::MaxProb],
    };
    let last = wanted.len() - 1;
    for (at, objective) in wanted.into_iter().enumerate() {
        match engine::search(task, objective, budget) {
            Ok(Searched { explored, mut answer, is_closed, .. }) => {
                if !is_closed {
                    answer.policy.fill(None);
                }
                return Ok((explored, objective, Ok(answer)));
            }
            Err(Unsearched::Unexplored(why)) => return Err(unexplored(task, why)),
            Err(Unsearched::Unsolved(Unsolved::Stopped(limit), _)) => return Err(limit.into()),
            Err(Unsearched::Unsolved(why, explored)) if at == last => {
                return Ok((*explored, objective, Err(why)));
            }
            Err(Unsearched::Unsolved(..)) => {}
        }
    }
    unreachable!("the last objective returns")
}

fn choice_name(task: &OddsTask, label: u32) -> &str {
    &task.nondet.choices[counterplay_base::Id::new(label as usize)].name
}

fn unexplored(task: &OddsTask, why: Unexplored) -> Halt {
    match why {
        Unexplored::Stopped(limit) => Halt::Limit(limit),
        Unexplored::Overflow(choice) => {
            let name = &task.nondet.choices[choice].name;
            let message = format!("the expected cost of `({name})` has too many digits");
            Error::Request { message, help: Some("round costs and probabilities".to_owned()) }.into()
        }
    }
}

/// The objective that was asked for, or that fits.
fn decide(
    request: &MdpRequest,
    discount: Option<Ratio<i128>>,
    horizon: Option<usize>,
    mdp: &Mdp,
    budget: &Budget,
) -> Result<engine::Objective, Halt> {
    let discount = match &request.discount {
        None => discount,
        Some(text) => Some(fraction(text).ok_or_else(|| {
            Error::request(
                "`discount` is a number of at least 0 and less than 1",
                "such as `0.95` or `19/20`",
            )
        })?),
    };
    let horizon = request.horizon.or(horizon);
    let chosen = match request.objective {
        Some(objective) => objective,
        None if request.horizon.is_some() => Objective::Horizon,
        None if request.discount.is_some() => Objective::Discounted,
        None if horizon.is_some() => Objective::Horizon,
        None if discount.is_some() => Objective::Discounted,
        None if mdp.earning().is_none() && engine::almost_sure(mdp, budget)?.0[mdp.initial()] => {
            Objective::MinCost
        }
        None => Objective::MaxProb,
    };
    Ok(match chosen {
        Objective::MaxProb => engine::Objective::MaxProb,
        Objective::MinCost => engine::Objective::MinCost,
        Objective::Discounted => match discount {
            Some(discount) => engine::Objective::Discounted(discount),
            None => return Err(Error::request("no discount is given", "use `discount`").into()),
        },
        Objective::Horizon => match horizon {
            Some(steps) => engine::Objective::Horizon(steps),
            None => return Err(Error::request("no horizon is given", "use `horizon`").into()),
        },
    })
}

/// A fraction or decimal of at least zero and less than one.
fn fraction(text: &str) -> Option<Ratio<i128>> {
    let decimal = |text: &str| -> Option<Ratio<i128>> {
        let (whole, part) = text.split_once('.').unwrap_or((text, ""));
        let digits = [whole, part].concat();
        let is_number =
            !digits.is_empty() && digits.len() <= 9 && digits.bytes().all(|it| it.is_ascii_digit());
        is_number.then(|| Ratio::new(digits.parse().unwrap_or(0), 10i128.pow(part.len() as u32)))
    };
    let (above, below) = text.split_once('/').unwrap_or((text, "1"));
    let (above, below) = (decimal(above)?, decimal(below).filter(|it| *it.numer() != 0)?);
    Some(above / below).filter(|it| *it < Ratio::from_integer(1))
}

fn objective_of(objective: engine::Objective) -> Objective {
    match objective {
        engine::Objective::MaxProb => Objective::MaxProb,
        engine::Objective::MinCost => Objective::MinCost,
        engine::Objective::Discounted(_) => Objective::Discounted,
        engine::Objective::Horizon(_) => Objective::Horizon,
    }
}

/// The answer in words, and what was found.
fn described(
    process: &Process<'_>,
    objective: engine::Objective,
    found: Result<Found, Unsolved>,
) -> Result<(MdpAnswer, Option<Found>), Halt> {
    let mdp = process.mdp;
    let kind = objective_of(objective);
    let mut answer = match &found {
        Ok(found) => solved(kind, found),
        Err(Unsolved::Stopped(limit)) => return Err(Halt::Limit(*limit)),
        Err(Unsolved::Earning { state }) => {
            let message = format!(
                "something is earned in `{}`, so that going on may pay for ever and there is no least cost",
                (process.state)(*state)
            );
            let help = Some("give `discount` or `horizon`, or ask for `max-prob`".to_owned());
            return Err(Error::Request { message, help }.into());
        }
        Err(Unsolved::NotSure { lost }) => {
            let engine = "almost sure reachability";
            let mut answer = MdpAnswer::without(kind, Verdict::Unsolvable, Evidence::proved(engine, None));
            let some: Vec<String> = lost.iter().take(3).map(|&state| (process.state)(state)).collect();
            answer.why = Some(format!(
                "no policy reaches a goal for sure, so that every expected cost is infinite; it cannot be reached for sure from {} of {} states, such as {}",
                lost.len(),
                mdp.len(),
                some.join("; ")
            ));
            answer
        }
    };
    answer.states = Some(mdp.len());
    answer.actions = Some((0..mdp.len()).map(|state| mdp.actions(state).len()).sum());
    if let Ok(found) = &found {
        answer.policy = Some(rules(process, found));
    }
    Ok((answer, found.ok()))
}

fn solved(kind: Objective, found: &Found) -> MdpAnswer {
    let engine = match found.method {
        Method::PolicyIteration => "value iteration, then policy iteration in exact fractions",
        Method::IntervalIteration => "interval iteration in floating point",
        Method::DynamicProgramming => "dynamic programming from the end",
    };
    let (low, high) = found.value.bounds();
    let (verdict, evidence) = match (&found.value, found.stopped) {
        (Value::Exact(_), _) => (Verdict::Solved(()), Evidence::proved(engine, None)),
        (Value::Between(..), None) => {
            let within = Some(format!("the rounding of floating-point numbers: from {low} to {high}"));
            let evidence = Evidence::Proved { engine: engine.to_owned(), checked_by: None, within };
            (Verdict::Solved(()), evidence)
        }
        (Value::Between(..), Some(limit)) => {
            let engine = engine.to_owned();
            let evidence =
                Evidence::Bounded { engine, lower: Some(Rounded(low)), upper: Some(Rounded(high)) };
            (Verdict::Stopped(limit), evidence)
        }
    };
    let mut answer = MdpAnswer::without(kind, verdict, evidence);
    answer.value = Some(if low == high { low } else { (low + high) / 2.0 });
    (answer.lower_bound, answer.upper_bound) = (Some(low), Some(high));
    if let Value::Exact(value) = &found.value {
        answer.exact = Some(value.to_string());
    }
    answer
}

/// The states that can come up under a policy, the initial one first.
fn reached(mdp: &Mdp, policy: &[Option<u32>]) -> Vec<usize> {
    let mut seen = vec![false; mdp.len()];
    let mut list = vec![mdp.initial()];
    seen[mdp.initial()] = true;
    let mut at = 0;
    while at < list.len() {
        let state = list[at];
        at += 1;
        let Some(action) = policy[state] else { continue };
        for outcome in mdp.outcomes(&mdp.actions(state)[action as usize]) {
            if !std::mem::replace(&mut seen[outcome.next as usize], true) {
                list.push(outcome.next as usize);
            }
        }
    }
    list
}

fn rules(process: &Process<'_>, found: &Found) -> Vec<MdpRule> {
    let own = reached(process.mdp, &found.policy).into_iter();
    let own = own.filter_map(|state| Some((state, found.policy[state]?)));
    let own = own.filter(|&(state, _)| !process.mdp.is_goal(state)).take(MOST_RULES);
    own.map(|(state, action)| MdpRule {
        state: (process.state)(state),
        action: (process.action)(process.mdp.actions(state)[action as usize].label),
        value: found.values[state],
    })
    .collect()
}

/// The policy as rules over atoms, one for each state that can come up.
fn policy_text(
    task: &OddsTask,
    mdp: &Mdp,
    states: &[counterplay_base::IdVec<counterplay_task::VarId, u32>],
    found: &Found,
) -> String {
    let finite = &task.nondet.task;
    let mut text = "(class weak)\n".to_owned();
    for state in reached(mdp, &found.policy) {
        let Some(action) = found.policy[state].filter(|_| !mdp.is_goal(state)) else { continue };
        let name = choice_name(task, mdp.actions(state)[action as usize].label);
        if name == START {
            continue;
        }
        let facts = states[state].enumerate().map(|(var, &value)| Fact { var, value });
        let facts = facts.filter(|fact| finite.variables[fact.var].derived.is_none());
        let condition: Vec<String> = facts.flat_map(|fact| literals(finite, fact)).collect();
        text.push_str(&format!("(if (and {}) ({name}))\n", condition.join(" ")));
    }
    text
}
