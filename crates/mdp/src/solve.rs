//! From a process and an objective to a policy and its value.

use counterplay_base::{Budget, Limit};
use num_rational::BigRational;
use num_traits::ToPrimitive;

use crate::exact::{self, NotExact, Policy};
use crate::horizon::{discounted, finite, finite_exact};
use crate::interval::{self, Bounds};
use crate::model::{Mdp, Number, to_f64};
use crate::qualitative::{allowed, almost_sure, attract, can_reach, predecessors};

/// What a policy is to achieve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Objective {
    /// The greatest probability of reaching a goal.
    MaxProb,
    /// The least expected cost among policies that reach a goal for sure.
    MinCost,
    /// The greatest sum of rewards less costs, where each step later they count so many times as much.
    Discounted(Number),
    /// The greatest sum of rewards less costs within so many steps.
    Horizon(usize),
}

/// A value: exact, or between two numbers.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Exact(BigRational),
    Between(f64, f64),
}

impl Value {
    /// Bounds; the same twice for an exact value.
    pub fn bounds(&self) -> (f64, f64) {
        match self {
            Value::Exact(value) => {
                let near = value.to_f64().unwrap_or(f64::NAN);
                (near, near)
            }
            Value::Between(low, high) => (*low, *high),
        }
    }
}

/// How the value is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Policy iteration in fractions.
    PolicyIteration,
    /// Value iteration from both sides in floating point.
    IntervalIteration,
    /// Dynamic programming from the end.
    DynamicProgramming,
}

/// The best policy and what it is worth.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The best value at the initial state.
    pub value: Value,
    /// The values of all states; floating point.
    pub values: Vec<f64>,
    /// What to do in each state, by the place among its actions. With a horizon, what to do first.
    pub policy: Vec<Option<u32>>,
    /// With a horizon: `later[k]` is what to do with `k + 1` steps to go.
    pub later: Vec<Vec<Option<u32>>>,
    pub method: Method,
    /// Sweeps of value iteration.
    pub sweeps: u64,
    /// The limit that was reached before the bounds met.
    pub stopped: Option<Limit>,
}

/// Why there is no policy.
#[derive(Clone, Debug, PartialEq)]
pub enum Unsolved {
    /// No policy reaches a goal from the initial state for sure, so that every expected cost is infinite.
    NotSure {
        /// Some states where a goal is out of reach, or cannot be reached for sure.
        lost: Vec<usize>,
    },
    /// Something is earned in this state, for which there is no least cost: a discount or a horizon is needed.
    Earning {
        state: usize,
    },
    Stopped(Limit),
}

impl From<Limit> for Unsolved {
    fn from(limit: Limit) -> Unsolved {
        Unsolved::Stopped(limit)
    }
}

/// A share of the time that is left goes into exact fractions.
const EXACT_SHARE: f64 = 0.5;
/// So much of it without a limit.
const EXACT_TIME: std::time::Duration = std::time::Duration::from_secs(10);

/// Finds the best policy for the initial state.
///
/// # Errors
/// That there is none, or the limit that was reached.
pub fn solve(mdp: &Mdp, objective: Objective, budget: &Budget) -> Result<Answer, Unsolved> {
    solve_with(mdp, objective, Precision::Exact, budget)
}

/// Whether values are computed in fractions once they are known in floating point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Precision {
    Exact,
    Rounded,
}

pub(crate) fn solve_with(
    mdp: &Mdp,
    objective: Objective,
    precision: Precision,
    budget: &Budget,
) -> Result<Answer, Unsolved> {
    match objective {
        Objective::MaxProb => max_prob(mdp, precision, budget),
        Objective::MinCost => min_cost(mdp, precision, budget),
        Objective::Discounted(discount) => best_discounted(mdp, discount, budget),
        Objective::Horizon(steps) => best_finite(mdp, steps, budget),
    }
}

fn max_prob(mdp: &Mdp, precision: Precision, budget: &Budget) -> Result<Answer, Unsolved> {
    let reach = can_reach(mdp, budget)?;
    let bounds = interval::probabilities(mdp, &reach, budget)?;
    // Actions that are as good as the best, and among them those that lead towards a goal.
    let mut keeps = Vec::with_capacity(mdp.action_count());
    for state in 0..mdp.len() {
        for action in mdp.actions(state) {
            let worth: f64 =
                mdp.outcomes(action).iter().map(|it| it.p * bounds.lower[it.next as usize]).sum();
            keeps.push(worth + 1e-7 >= bounds.lower[state]);
        }
    }
    let (_, mut policy) = attract(mdp, &predecessors(mdp), &keeps, &mdp.goal, budget)?;
    let exact = match precision {
        Precision::Exact => exact::greatest_probability(mdp, &mut policy, &exact_budget(budget)),
        Precision::Rounded => Err(NotExact::Large),
    };
    complete(mdp, exact, policy, bounds)
}

fn min_cost(mdp: &Mdp, precision: Precision, budget: &Budget) -> Result<Answer, Unsolved> {
    if let Some(state) = mdp.earning() {
        return Err(Unsolved::Earning { state });
    }
    let (sure, proper) = almost_sure(mdp, budget)?;
    if !sure[mdp.initial()] {
        let lost = (0..mdp.len()).filter(|&state| !sure[state]).collect();
        return Err(Unsolved::NotSure { lost });
    }
    let uses = allowed(mdp, &sure);
    let bounds = interval::costs(mdp, &sure, &uses, &proper, budget)?;
    let mut keeps = vec![false; mdp.action_count()];
    for state in (0..mdp.len()).filter(|&state| sure[state]) {
        for number in mdp.action_numbers(state).filter(|&number| uses[number]) {
            let action = mdp.action(number);
            let ahead: f64 =
                mdp.outcomes(action).iter().map(|it| it.p * bounds.upper[it.next as usize]).sum();
            let cost = to_f64(action.cost) + ahead;
            keeps[number] = cost <= bounds.upper[state] * (1.0 + 1e-7) + 1e-7;
        }
    }
    let (_, nearly) = attract(mdp, &predecessors(mdp), &keeps, &mdp.goal, budget)?;
    let reaches = exact::surely_reaching(mdp, &nearly);
    // What the rounding spoilt is answered by the policy that is known to be sure.
    let is_sound = (0..mdp.len()).all(|state| !sure[state] || reaches[state]);
    let mut policy = if is_sound { nearly } else { proper };
    let exact = match precision {
        Precision::Exact => exact::least_cost(mdp, &mut policy, &sure, &exact_budget(budget)),
        Precision::Rounded => Err(NotExact::Large),
    };
    let exact = exact.map(|values| values.into_iter().map(Option::unwrap_or_default).collect());
    let policy = policy.into_iter().zip(&sure).map(|(action, sure)| action.filter(|_| *sure)).collect();
    complete(mdp, exact, policy, bounds)
}

fn best_discounted(mdp: &Mdp, discount: Number, budget: &Budget) -> Result<Answer, Unsolved> {
    let (mut policy, [lower, upper]) = discounted(mdp, discount, budget)?;
    let exact = exact::greatest_discounted(mdp, &mut policy, discount, &exact_budget(budget));
    complete(mdp, exact, policy, Bounds { lower, upper, sweeps: 0, stopped: None })
}

fn best_finite(mdp: &Mdp, steps: usize, budget: &Budget) -> Result<Answer, Unsolved> {
    let (value, values, later) = match finite_exact(mdp, steps, budget) {
        Ok(solved) => {
            let near = solved.values.iter().map(|value| value.to_f64().unwrap_or(f64::NAN)).collect();
            (Value::Exact(solved.values[mdp.initial()].clone()), near, solved.policy)
        }
        Err(NotExact::Stopped(limit)) => return Err(limit.into()),
        Err(NotExact::Large) => {
            let solved = finite(mdp, steps, budget)?;
            let near = solved.values[mdp.initial()];
            let slack = 1e-12 * near.abs().max(1.0) * (steps + 1) as f64;
            (Value::Between(near - slack, near + slack), solved.values, solved.policy)
        }
    };
    let policy = later.last().cloned().unwrap_or_else(|| vec![None; mdp.len()]);
    let method = Method::DynamicProgramming;
    Ok(Answer { value, values, policy, later, method, sweeps: steps as u64, stopped: None })
}

fn exact_budget(budget: &Budget) -> Budget {
    budget.slice(budget.remaining().map_or(EXACT_TIME, |left| left.mul_f64(EXACT_SHARE)))
}

/// The answer with the exact values, or with bounds where there are none.
fn complete(
    mdp: &Mdp,
    exact: Result<Vec<BigRational>, NotExact>,
    policy: Policy,
    bounds: Bounds,
) -> Result<Answer, Unsolved> {
    let initial = mdp.initial();
    let Bounds { lower, upper, sweeps, stopped } = bounds;
    let (value, values, method, stopped) = match exact {
        Ok(values) => {
            let near = values.iter().map(|value| value.to_f64().unwrap_or(f64::NAN)).collect();
            (Value::Exact(values[initial].clone()), near, Method::PolicyIteration, None)
        }
        Err(_) => {
            let slack = interval::CLOSE * upper[initial].abs().max(1.0);
            let value = Value::Between(lower[initial] - slack, upper[initial] + slack);
            (value, lower, Method::IntervalIteration, stopped)
        }
    };
    Ok(Answer { value, values, policy, later: Vec::new(), method, sweeps, stopped })
}
