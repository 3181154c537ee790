//! The second evaluation of a policy.

use counterplay_base::{Budget, Evidence};
use counterplay_check::{
    ChainState, PolicyWorth, WorthFlaw, chain_worth, discounted_worth, policy_worth, read_policy,
};
use counterplay_mdp::{Answer as Found, Mdp, Objective as Wanted, Value};
use counterplay_syntax::Sources;
use num_rational::{BigRational, Ratio};
use num_traits::ToPrimitive;

use super::answer::MdpAnswer;
use super::request::Objective;
use crate::error::{Error, Halt};
use crate::problem::LiftedProblem;

/// The checker in the evidence.
const CHECKER: &str = "the policy evaluator (exact fractions)";
/// So many states of a policy are evaluated.
const MOST_STATES: usize = 5_000;

/// The chain of a policy, for the checker.
fn chain(mdp: &Mdp, policy: &[Option<u32>]) -> Vec<ChainState> {
    let state = |state: usize| {
        let action = policy[state].map(|at| &mdp.actions(state)[at as usize]);
        ChainState {
            is_goal: mdp.is_goal(state),
            cost: action.map_or(Ratio::from_integer(0), |action| action.cost) - mdp.reward(state),
            next: action.map_or_else(Vec::new, |action| {
                mdp.outcomes(action).iter().map(|it| (it.odds, it.next as usize)).collect()
            }),
        }
    };
    (0..mdp.len()).map(state).collect()
}

/// Has the policy of a process evaluated once more. A difference is a bug, never an answer.
pub(super) fn check_chain(
    mdp: &Mdp,
    objective: Wanted,
    found: &Found,
    answer: &mut MdpAnswer,
    budget: &Budget,
) -> Result<(), Halt> {
    if mdp.len() > MOST_STATES {
        return Ok(());
    }
    let chain = chain(mdp, &found.policy);
    match objective {
        Wanted::MaxProb | Wanted::MinCost => {
            compare(chain_worth(&chain, mdp.initial(), budget), objective, found, answer)
        }
        Wanted::Discounted(discount) => {
            let worth = discounted_worth(&chain, mdp.initial(), discount, budget);
            settle(worth.map(Some), found, answer)
        }
        // A policy that depends on the steps that are left is no chain over the states.
        Wanted::Horizon(_) => Ok(()),
    }
}

/// Has the policy run on the problem as it is written.
pub(super) fn check_rules(
    lifted: &LiftedProblem,
    text: &str,
    uniform: bool,
    objective: Wanted,
    found: &Found,
    answer: &mut MdpAnswer,
    budget: &Budget,
) -> Result<(), Halt> {
    let mut sources = Sources::default();
    let file = sources.add("the policy", text);
    let read = read_policy(&sources, file, &lifted.problem)
        .map_err(|errors| bug(&errors.first().map(ToString::to_string).unwrap_or_default()))?;
    let own = budget.slice(budget.remaining().map_or(std::time::Duration::from_secs(20), |left| left / 2));
    let worth = policy_worth(&lifted.problem, &read.rules, uniform, MOST_STATES, &own);
    compare(worth, objective, found, answer)
}

fn compare(
    worth: Result<PolicyWorth, WorthFlaw>,
    objective: Wanted,
    found: &Found,
    answer: &mut MdpAnswer,
) -> Result<(), Halt> {
    if let Ok(worth) = &worth {
        answer.probability = worth.probability.to_f64();
        answer.cost = worth.cost.as_ref().and_then(ToPrimitive::to_f64);
    }
    let value = worth.map(|worth| match objective {
        Wanted::MinCost => worth.cost,
        _ => Some(worth.probability),
    });
    settle(value, found, answer)
}

/// Compares the value of the policy with what the search claims.
fn settle(
    value: Result<Option<BigRational>, WorthFlaw>,
    found: &Found,
    answer: &mut MdpAnswer,
) -> Result<(), Halt> {
    let value = match value {
        Ok(Some(value)) => value,
        Ok(None) => return Err(bug("it does not reach a goal for sure").into()),
        Err(WorthFlaw::TooLarge { .. } | WorthFlaw::Stopped(_)) => return Ok(()),
        Err(flaw) => return Err(bug(&flaw.to_string()).into()),
    };
    let agrees = match &found.value {
        Value::Exact(claimed) => *claimed == value,
        Value::Between(low, high) => {
            let near = value.to_f64().unwrap_or(f64::NAN);
            // A policy is never better than the best; how much worse it is was not promised.
            let slack = 1e-6 * near.abs().max(1.0);
            match answer.objective {
                Objective::MinCost => near >= low - slack,
                _ => near <= high + slack,
            }
        }
    };
    if !agrees {
        return Err(bug(&format!("its value is {value}, and {:?} was claimed", found.value)).into());
    }
    if let Evidence::Proved { checked_by, .. } = &mut answer.evidence {
        *checked_by = Some(CHECKER.to_owned());
    }
    Ok(())
}

fn bug(why: &str) -> Error {
    Error::Internal { message: format!("the policy that was found does not pass the check: {why}") }
}
