//! Saturated cost partitioning over several orders.

use counterplay_base::{Budget, IdVec, Limit};
use counterplay_task::{OpId, Task, Value, VarId};

use super::sample::{self, Chance};
use super::{Abstraction, UNREACHABLE};

/// Orders are judged by so many states.
const SAMPLE: usize = 200;
/// There are at most so many orders.
const MOST_ORDERS: usize = 60;
/// So many orders in a row that help no sample state are enough.
const PATIENCE: usize = 30;

/// The distances of one abstraction under its share of the costs.
#[derive(Debug)]
struct Share {
    abstraction: u32,
    distances: Vec<u32>,
}

/// Abstractions and, for each order, their shares.
#[derive(Debug)]
pub(super) struct Partitioned {
    abstractions: Vec<Abstraction>,
    orders: Vec<Vec<Share>>,
    ids: Vec<u32>,
}

/// A sample state: what each abstraction maps it to, and the best estimate so far.
struct Sampled {
    ids: Vec<u32>,
    best: u64,
}

impl Partitioned {
    pub(super) fn new(
        task: &Task,
        costs: &IdVec<OpId, u32>,
        abstractions: Vec<Abstraction>,
        work: u64,
        budget: &Budget,
    ) -> Result<Partitioned, Limit> {
        let mut alone = Vec::new();
        for abstraction in &abstractions {
            budget.check()?;
            let distances = abstraction.distances(costs);
            let stolen = abstraction.stolen(&distances);
            alone.push((distances, stolen));
        }
        let mut heuristic = Partitioned { abstractions, orders: Vec::new(), ids: Vec::new() };
        let estimate = heuristic
            .ids_of(&task.initial)
            .iter()
            .zip(&alone)
            .map(|(&id, (distances, _))| distances[id as usize])
            .max();
        let length = 2 * estimate.filter(|&it| it != UNREACHABLE).unwrap_or(10).clamp(5, 200) as usize;
        let mut sample: Vec<Sampled> = std::iter::once(task.initial.clone())
            .chain(sample::states(task, SAMPLE, length))
            .map(|state| Sampled { ids: heuristic.ids_of(&state), best: 0 })
            .collect();
        let (mut chance, mut spent, mut in_vain) = (Chance::new(2), 0u64, 0);
        let per_order: u64 =
            heuristic.abstractions.iter().map(|it| 4 * it.len() as u64 + u64::from(it.states)).sum();
        for round in 0.. {
            if heuristic.orders.len() >= MOST_ORDERS || in_vain >= PATIENCE || round > 0 && spent > work {
                break;
            }
            budget.check()?;
            // The first order is made for the initial state.
            let at = if round == 0 { 0 } else { chance.below(sample.len()) };
            let order = heuristic.order_for(&sample[at].ids, &alone);
            let shares = heuristic.share(&order, costs, budget)?;
            spent += per_order;
            let mut helps = round == 0;
            for state in &mut sample {
                if let Some(estimate) = sum(&shares, &state.ids).filter(|&estimate| estimate > state.best) {
                    state.best = estimate;
                    helps = true;
                }
            }
            in_vain = if helps { 0 } else { in_vain + 1 };
            if helps {
                heuristic.orders.push(shares);
            }
        }
        heuristic.drop_unused();
        Ok(heuristic)
    }

    fn ids_of(&self, state: &IdVec<VarId, Value>) -> Vec<u32> {
        self.abstractions.iter().map(|abstraction| abstraction.mapping.abstract_state(state)).collect()
    }

    /// Abstractions that tell much about a state and take little of the costs come first.
    fn order_for(&self, ids: &[u32], alone: &[(Vec<u32>, u64)]) -> Vec<u32> {
        let score = |&i: &u32| {
            let (distances, stolen) = &alone[i as usize];
            let distance = distances[ids[i as usize] as usize];
            let distance = if distance == UNREACHABLE { 0 } else { distance };
            f64::from(distance) / (*stolen).max(1) as f64
        };
        let mut order: Vec<u32> = (0..self.abstractions.len() as u32).collect();
        order.sort_by(|a, b| score(b).total_cmp(&score(a)));
        order
    }

    /// The shares of the costs, in the given order.
    fn share(&self, order: &[u32], costs: &IdVec<OpId, u32>, budget: &Budget) -> Result<Vec<Share>, Limit> {
        let mut left = costs.clone();
        let mut shares = Vec::new();
        for &number in order {
            budget.check()?;
            let abstraction = &self.abstractions[number as usize];
            let distances = abstraction.distances(&left);
            abstraction.saturate(&distances, &mut left);
            if distances.iter().any(|&distance| distance > 0) {
                shares.push(Share { abstraction: number, distances });
            }
        }
        Ok(shares)
    }

    /// Only the mappings of abstractions are needed from here on.
    fn drop_unused(&mut self) {
        for abstraction in &mut self.abstractions {
            abstraction.transitions = Vec::new();
            abstraction.start = Vec::new();
            abstraction.classes = Vec::new();
        }
    }

    /// How many tables an evaluation looks at.
    pub(super) fn size(&self) -> u64 {
        (self.abstractions.len() + self.orders.iter().map(Vec::len).sum::<usize>()) as u64
    }

    /// The best sum of all orders; `None` if one of the abstractions knows no way to the goal.
    pub(super) fn evaluate(&mut self, state: &IdVec<VarId, Value>) -> Option<u64> {
        let Partitioned { abstractions, orders, ids } = self;
        ids.clear();
        ids.extend(abstractions.iter().map(|abstraction| abstraction.mapping.abstract_state(state)));
        let mut best = 0;
        for shares in orders.iter() {
            best = sum(shares, ids)?.max(best);
        }
        Some(best)
    }
}

/// The distances of all shares together; `None` if one of them is infinite.
fn sum(shares: &[Share], ids: &[u32]) -> Option<u64> {
    shares.iter().try_fold(0u64, |total, share| {
        let distance = share.distances[ids[share.abstraction as usize] as usize];
        (distance != UNREACHABLE).then(|| total + u64::from(distance))
    })
}
