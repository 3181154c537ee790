//! Strong solutions state by state: every reachable state once, then values backwards.
//!
//! States are rows of bits in one table; the network expands a batch of them in one pass, one lane for each state and
//! joint move. Values are found from the ends of the game backwards (backward induction): a state is decided when all its
//! successors are, or when the one to move can get the best that there is. For a single player the best reward that can
//! be reached decides, so cycles do no harm; in games of several players, states from which play can go on for ever may
//! stay undecided, and are counted. A game in which several roles choose at once has no such values and is refused;
//! [`bounds`] tells what each role can be sure of there.
//!
//! This is the obvious twin of the symbolic solver, and the faster one for small games. Memory is asked for before it is
//! taken.

mod bounds;
pub(crate) mod explore;
pub(crate) mod table;

use std::num::NonZeroU32;

use counterplay_base::{Budget, BudgetPoll, Limit, Verdict};
use counterplay_ground::game::Game;
use serde::{Deserialize, Serialize};

pub use bounds::{Bounds, RoleBounds, bounds};

use crate::halt::verdict;
use crate::simultaneous::Simultaneous;
use explore::{AtOnce, Graph, Kind, explore, first_layers};
use table::StateTable;

/// What a player wants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum Order {
    /// The greatest reward; among equals the least sum for the others, and then the greatest rewards of the first roles
    #[default]
    Own,
    /// The greatest difference to the others' rewards; among equals the greatest reward, and then the greatest rewards of
    /// the first roles
    Difference,
}

pub(crate) type Halt = crate::halt::Halt<Simultaneous>;

impl From<Simultaneous> for Halt {
    fn from(simultaneous: Simultaneous) -> Halt {
        Halt::Refused(simultaneous)
    }
}

/// The number of an outcome plus one, so that a state takes four bytes whether it is decided or not.
type Outcome = NonZeroU32;

/// Values of all reachable states.
#[derive(Clone, Debug)]
pub struct Solution {
    table: StateTable,
    /// The distinct outcomes: a reward for each role.
    pub outcomes: Vec<Vec<u32>>,
    values: Vec<Option<Outcome>>,
    /// Number of states first reached after so many moves.
    pub layers: Vec<usize>,
    /// States in which the game is over.
    pub terminal: usize,
    /// States that are not over and in which some role has no legal move; they are taken as ends.
    pub stuck: usize,
    /// Ends at which some role has no reward, or several; the greatest counts, and none counts as 0.
    pub odd_rewards: usize,
}

impl Solution {
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether there is no state; there always is one.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The number of a state.
    pub fn find(&self, state: &[u64]) -> Option<usize> {
        self.table.find(state).map(|number| number as usize)
    }

    /// The fluents of a state, as bits.
    pub fn state(&self, number: usize) -> &[u64] {
        self.table.row(number)
    }

    /// The number of the outcome of a state; `None` if play can go on for ever.
    pub fn outcome(&self, number: usize) -> Option<usize> {
        self.values[number].map(|outcome| outcome.get() as usize - 1)
    }

    /// The rewards that the roles get from a state on; `None` if play can go on for ever.
    pub fn value(&self, number: usize) -> Option<&[u32]> {
        self.outcome(number).map(|outcome| &self.outcomes[outcome][..])
    }

    /// How many states have each outcome.
    pub fn outcome_states(&self) -> Vec<usize> {
        let mut counts = vec![0; self.outcomes.len()];
        self.values.iter().flatten().for_each(|outcome| counts[outcome.get() as usize - 1] += 1);
        counts
    }
}

/// How many states a game may have, as a natural logarithm: counted within `most` states, else extrapolated. Layers are
/// taken to grow ever more slowly until half of the moves that are left, of which there are `length` on average, and to
/// shrink again.
pub fn estimate_states(game: &Game, length: f64, most: usize, budget: &Budget) -> f64 {
    let (layers, is_all) = first_layers(game, most, budget);
    let seen: usize = layers.iter().sum();
    let counted = (seen.max(1) as f64).ln();
    if is_all {
        return counted;
    }
    let depth = layers.len();
    let (Some(&last), Some(&earlier)) = (layers.last(), layers.get(depth.saturating_sub(3))) else {
        return f64::INFINITY;
    };
    if depth < 3 {
        return f64::INFINITY;
    }
    let growth = ((last as f64 / earlier as f64).ln() / 2.0).max(0.0);
    let left = (length - depth as f64).max(1.0);
    counted + growth * left / 4.0 + left.ln()
}

/// Solves a game of at most so many states; [`Limit::Nodes`] says that there are more.
///
/// The verdict is about all reachable states together, so it is never `Unsolvable`: a state from which play can go on
/// for ever is part of the solution, without a value.
///
/// # Errors
/// A state in which several roles choose at once.
pub fn solve(
    game: &Game,
    order: Order,
    most: usize,
    budget: &Budget,
) -> Result<Verdict<Solution>, Simultaneous> {
    verdict(find(game, order, most, budget))
}

fn find(game: &Game, order: Order, most: usize, budget: &Budget) -> Result<Solution, Halt> {
    let graph = explore(game, AtOnce::Refuse, most, budget)?;
    let ranks: Vec<Vec<u32>> =
        (0..game.roles.len()).map(|role| ranks(&graph.outcomes, role, order)).collect();
    let values = decide(&graph, &ranks, budget)?;
    let Graph { table, outcomes, layers, terminal, stuck, odd_rewards, .. } = graph;
    Ok(Solution { table, outcomes, values, layers, terminal, stuck, odd_rewards })
}

/// Values from the ends backwards.
fn decide(graph: &Graph, ranks: &[Vec<u32>], budget: &Budget) -> Result<Vec<Option<Outcome>>, Limit> {
    let count = graph.kinds.len();
    // Values, successors that are not decided, where the parents of each state begin, states to go on from; and parents.
    budget.allow_bytes(4 * (4 * count + 1 + graph.edges.len()))?;
    let mut values: Vec<Option<Outcome>> = vec![None; count];
    let mut waiting: Vec<u32> = vec![0; count];
    let mut ends: Vec<u32> = Vec::new();
    for state in 0..count {
        match graph.kinds.get(state) {
            Kind::Over(outcome) => {
                values[state] = Outcome::new(outcome + 1);
                ends.push(state as u32);
            }
            Kind::Open { widths, .. } => waiting[state] = graph.widths[widths as usize].joint,
        }
    }
    let (start, parents) = parents(graph, budget)?;
    let parents_of =
        |state: u32| &parents[start[state as usize] as usize..start[state as usize + 1] as usize];
    let rank =
        |role: usize, outcome: Option<Outcome>| ranks[role][outcome.expect("decided").get() as usize - 1];
    let mut poll = BudgetPoll::every(4096);
    if let [_] = ranks {
        // Best rewards first: a player who can reach one gets it.
        ends.sort_by_key(|&state| std::cmp::Reverse(rank(0, values[state as usize])));
        let mut open = Vec::new();
        for end in ends {
            open.push(end);
            while let Some(state) = open.pop() {
                poll.step(budget)?;
                for &parent in parents_of(state) {
                    if values[parent as usize].is_none() {
                        values[parent as usize] = values[end as usize];
                        open.push(parent);
                    }
                }
            }
        }
        return Ok(values);
    }
    let top: Vec<u32> = ranks.iter().map(|own| own.iter().copied().max().unwrap_or(0)).collect();
    let mut open = ends;
    while let Some(state) = open.pop() {
        poll.step(budget)?;
        for &parent in parents_of(state) {
            waiting[parent as usize] -= 1;
            if values[parent as usize].is_some() {
                continue;
            }
            let Kind::Open { first, widths } = graph.kinds.get(parent as usize) else { continue };
            let widths = &graph.widths[widths as usize];
            let role = widths.mover;
            let best = if waiting[parent as usize] == 0 {
                let successors = (first..first + widths.joint).map(|edge| graph.edges.get(edge as usize));
                let outcomes = successors.map(|successor| values[successor as usize]);
                outcomes.max_by_key(|&outcome| rank(role, outcome)).expect("every role has a move")
            } else if rank(role, values[state as usize]) == top[role] {
                values[state as usize]
            } else {
                continue;
            };
            values[parent as usize] = best;
            open.push(parent);
        }
    }
    Ok(values)
}

/// Where the parents of each state begin, and the parents, a state as often as it has moves that lead there.
pub(crate) fn parents(graph: &Graph, budget: &Budget) -> Result<(Vec<u32>, Vec<u32>), Limit> {
    let mut poll = BudgetPoll::every(4096);
    let mut start = graph.edges_into(budget)?;
    let mut parents = vec![0u32; graph.edges.len()];
    for state in 0..graph.kinds.len() {
        poll.step(budget)?;
        if let Kind::Open { first, widths } = graph.kinds.get(state) {
            for edge in first..first + graph.widths[widths as usize].joint {
                let place = &mut start[graph.edges.get(edge as usize) as usize];
                *place -= 1;
                parents[*place as usize] = state as u32;
            }
        }
    }
    Ok((start, parents))
}

/// How much a role likes each outcome: greater is better.
pub fn ranks(outcomes: &[Vec<u32>], role: usize, order: Order) -> Vec<u32> {
    let key = |outcome: &Vec<u32>| {
        let own = i64::from(outcome[role]);
        let others: i64 = outcome.iter().map(|&reward| i64::from(reward)).sum::<i64>() - own;
        match order {
            // The rewards themselves decide between what is liked equally, so that there is one answer.
            Order::Own => (own, -others, outcome.clone()),
            Order::Difference => (own - others, own, outcome.clone()),
        }
    };
    let mut keys: Vec<(i64, i64, Vec<u32>)> = outcomes.iter().map(key).collect();
    keys.sort_unstable();
    keys.dedup();
    outcomes.iter().map(|outcome| keys.binary_search(&key(outcome)).expect("just made") as u32).collect()
}
