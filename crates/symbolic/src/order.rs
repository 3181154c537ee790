//! Static variable orders: variables that depend on each other should be neighbours.
//!
//! GAMER's heuristic (Kissmann 2012, section 6.4.2, Algorithm 6.9): arrange the variables on a line so that the
//! sum of squared distances over the edges of the symmetric causal graph is small, by random transpositions from
//! several random permutations. Two departures: the effort scales with the number of variables, and the first
//! start is the given order instead of a random one, since translators number variables sensibly.

use counterplay_base::{Id, IdLists};
use counterplay_task::{Task, VarId};
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// How hard to look for a good order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OrderSearch {
    /// Number of starting permutations.
    pub restarts: u32,
    /// Transpositions tried from each start, for each variable.
    pub swaps_per_variable: u32,
    /// Upper bound of transpositions from each start.
    pub most_swaps: u32,
    /// Seed of the permutations and transpositions.
    pub seed: u64,
}

impl Default for OrderSearch {
    fn default() -> Self {
        OrderSearch { restarts: 20, swaps_per_variable: 300, most_swaps: 50_000, seed: 0 }
    }
}

/// The symmetric causal graph: two variables are neighbours if some operator changes one of them and reads or
/// changes the other, or some axiom computes one from the other.
pub fn causal_graph(task: &Task) -> IdLists<VarId, VarId> {
    let mut pairs: Vec<(VarId, VarId)> = Vec::new();
    let mut connect = |a: VarId, b: VarId| {
        if a != b {
            pairs.push((a, b));
            pairs.push((b, a));
        }
    };
    for op in &task.operators {
        for effect in &op.effects {
            let read = op.precondition.iter().chain(&effect.condition).map(|fact| fact.var);
            let changed = op.effects.iter().map(|other| other.fact.var);
            read.chain(changed).for_each(|var| connect(effect.fact.var, var));
        }
    }
    for axiom in &task.axioms {
        axiom.condition.iter().for_each(|fact| connect(axiom.head.var, fact.var));
    }
    // What a soft goal asks for together should stand together as well.
    for soft in &task.soft {
        let vars: Vec<VarId> = soft.alternatives.iter().flatten().map(|fact| fact.var).collect();
        for (i, &var) in vars.iter().enumerate().take(MOST_PREFERRED) {
            vars[i + 1..].iter().take(MOST_PREFERRED).for_each(|&other| connect(var, other));
        }
    }
    pairs.sort_unstable();
    pairs.dedup();
    IdLists::from_pairs(task.variables.len(), &pairs)
}

/// Facts of one soft goal beyond so many do not pull their variables together.
const MOST_PREFERRED: usize = 16;

impl OrderSearch {
    /// Orders the variables of a task, without starting from the order they are given in.
    pub fn scattered(&self, task: &Task) -> Vec<VarId> {
        let n = task.variables.len();
        let mut renumbered: Vec<VarId> = (0..n).map(VarId::new).collect();
        renumbered.shuffle(&mut ChaCha8Rng::seed_from_u64(!self.seed));
        let mut number = vec![VarId::new(0); n];
        renumbered.iter().enumerate().for_each(|(i, var)| number[var.index()] = VarId::new(i));
        let graph = causal_graph(task);
        let pairs: Vec<(VarId, VarId)> = (0..n)
            .flat_map(|var| graph[VarId::new(var)].iter().map(move |near| (VarId::new(var), *near)))
            .map(|(var, near)| (number[var.index()], number[near.index()]))
            .collect();
        let order = self.order(&IdLists::from_pairs(n, &pairs));
        order.into_iter().map(|place| renumbered[place.index()]).collect()
    }

    /// Orders the vertices of a graph on a line; neighbours come close to each other.
    pub fn order(&self, graph: &IdLists<VarId, VarId>) -> Vec<VarId> {
        let n = graph.len();
        let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
        let swaps = (self.swaps_per_variable as usize * n).min(self.most_swaps as usize);
        let mut best: Vec<VarId> = (0..n).map(VarId::new).collect();
        if n < 3 {
            return best;
        }
        let mut least = u64::MAX;
        for restart in 0..self.restarts {
            let mut order: Vec<VarId> = (0..n).map(VarId::new).collect();
            if restart > 0 {
                order.shuffle(&mut rng);
            }
            let mut place = vec![0i64; n];
            order.iter().enumerate().for_each(|(at, var)| place[var.index()] = at as i64);
            for _ in 0..swaps {
                let (i, j) = (rng.random_range(0..n), rng.random_range(0..n));
                if i != j && change(graph, &place, order[i], order[j]) < 0 {
                    place.swap(order[i].index(), order[j].index());
                    order.swap(i, j);
                }
            }
            let total = spread(graph, &place);
            if total < least {
                least = total;
                best = order;
            }
        }
        best
    }
}

/// By how much the sum of squared distances changes when `x` and `y` swap places.
fn change(graph: &IdLists<VarId, VarId>, place: &[i64], x: VarId, y: VarId) -> i64 {
    let (i, j) = (place[x.index()], place[y.index()]);
    let moved = |var: VarId, other: VarId, from: i64, to: i64| -> i64 {
        graph[var]
            .iter()
            .filter(|&&near| near != other)
            .map(|near| {
                let at = place[near.index()];
                (at - to).pow(2) - (at - from).pow(2)
            })
            .sum()
    };
    moved(x, y, i, j) + moved(y, x, j, i)
}

/// The sum of squared distances, each edge counted twice.
fn spread(graph: &IdLists<VarId, VarId>, place: &[i64]) -> u64 {
    graph
        .iter()
        .enumerate()
        .flat_map(|(var, near)| {
            near.iter().map(move |other| (place[var] - place[other.index()]).pow(2) as u64)
        })
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path_graph(n: usize) -> IdLists<VarId, VarId> {
        // A path whose vertices are numbered in a scattered way.
        let number = |i: usize| VarId::new(i * 7 % n);
        let pairs: Vec<_> =
            (1..n).flat_map(|i| [(number(i - 1), number(i)), (number(i), number(i - 1))]).collect();
        IdLists::from_pairs(n, &pairs)
    }

    #[test]
    fn a_swap_changes_the_spread_by_what_is_said() {
        let graph = path_graph(10);
        let mut place: Vec<i64> = (0..10).collect();
        let before = spread(&graph, &place) as i64;
        let (x, y) = (VarId::new(2), VarId::new(7));
        let said = change(&graph, &place, x, y);
        place.swap(2, 7);
        assert_eq!(spread(&graph, &place) as i64 - before, 2 * said);
    }

    #[test]
    fn a_scattered_path_is_straightened_out() {
        let graph = path_graph(10);
        let order = OrderSearch::default().order(&graph);
        let mut place = vec![0i64; 10];
        order.iter().enumerate().for_each(|(at, var)| place[var.index()] = at as i64);
        assert!(spread(&graph, &place) <= 30, "close to the optimum of 18: {}", spread(&graph, &place));
        assert_eq!(order, OrderSearch::default().order(&graph), "same seed, same order");
    }
}
