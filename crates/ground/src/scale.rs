//! Costs and weights as whole numbers.

use counterplay_base::Id;
use counterplay_pddl::model::{Number, Problem};
use num_rational::Ratio;
use num_traits::Zero;

use crate::Error;
use crate::explore::Explored;
use crate::names;
use crate::propositional::Propositional;

/// Costs in units of which each is a multiple.
pub(crate) struct Scaled {
    /// The costs of operators, by their numbers.
    pub(crate) costs: Vec<u64>,
    /// The weights of soft goals.
    pub(crate) weights: Vec<u64>,
    /// What one unit is worth.
    pub(crate) unit: Ratio<i128>,
}

/// The costs of a problem in units of which each is a multiple, and what one unit is worth.
pub(crate) fn scale(names: &Problem, explored: &Explored, problem: &Propositional) -> Result<Scaled, Error> {
    let mut used = vec![None; problem.costs.len()];
    for operator in &problem.operators {
        used[operator.cost as usize].get_or_insert(*operator);
    }
    let mut scale = 1i128;
    let mut costs = vec![0; problem.costs.len()];
    let mut refused = None;
    for (number, operator) in used.iter().enumerate() {
        if operator.is_some() {
            match common_multiple(scale, *problem.costs[number].denom()) {
                Some(multiple) => scale = multiple,
                None => refused = Some(number),
            }
        }
    }
    let too_large = || Error::WeightOverflow { at: names.metric.as_ref().map_or(names.goal.at, |it| it.at) };
    for soft in &problem.soft {
        scale = common_multiple(scale, *soft.weight.denom()).ok_or_else(too_large)?;
    }
    let weights = problem.soft.iter().map(|soft| whole(soft.weight, scale).ok_or_else(too_large));
    let weights = weights.collect::<Result<Vec<u64>, Error>>()?;
    // Sums of all of them are formed during search.
    weights.iter().try_fold(0u64, |sum, &weight| sum.checked_add(weight)).ok_or_else(too_large)?;
    for (number, operator) in used.iter().enumerate() {
        if operator.is_some() {
            match whole(problem.costs[number], scale) {
                Some(cost) => costs[number] = cost,
                None => refused = Some(number),
            }
        }
    }
    match refused.and_then(|number: usize| used[number]) {
        None => Ok(Scaled { costs, weights, unit: Ratio::new(1, scale) }),
        Some(operator) => {
            let relation = explored.database.relation(explored.actions[operator.action.index()]);
            let tuple = relation.tuple(operator.tuple as usize);
            let at = names.actions[operator.action].at;
            Err(Error::CostOverflow { operator: names::application(names, operator.action, tuple), at })
        }
    }
}

fn whole(cost: Number, scale: i128) -> Option<u64> {
    let numerator = cost.numer().checked_mul(scale / cost.denom())?;
    u64::try_from(numerator).ok()
}

/// The least common multiple of two positive numbers.
fn common_multiple(a: i128, b: i128) -> Option<i128> {
    let (mut x, mut y) = (a, b);
    while !y.is_zero() {
        (x, y) = (y, x % y);
    }
    (a / x).checked_mul(b)
}
