//! A* over pairs of state and network: the shortest plan, where that can be had quickly.
//!
//! The estimate is the least number of actions that the tasks of the network could come to in any state, which
//! never is too much. So the first end is a plan of least length, and running out of pairs proves that there is
//! none.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use counterplay_base::{Budget, BudgetPoll, Limit};
use rustc_hash::FxHashMap;

use crate::plan::Decision;
use crate::successors::{Configuration, SuccessorGenerator};
use counterplay_tasknet::network::NetworkId;

/// What became of a search.
pub(crate) enum Best {
    /// The decisions of a shortest plan, and its length.
    Found(Vec<Decision>, u64),
    /// There is no plan shorter than the bound.
    None,
    /// The bound on pairs of state and network was met.
    Long,
}

struct SearchNode {
    configuration: Configuration,
    /// The node before and what was decided there.
    from: Option<(u32, Decision)>,
}

/// Looks for a plan of fewer than `bound` actions, looking at no more than `nodes` pairs.
pub(crate) fn best_first(
    generator: &mut SuccessorGenerator<'_>,
    start: Configuration,
    bound: u64,
    nodes: usize,
    budget: &Budget,
) -> Result<Best, Limit> {
    let mut poll = BudgetPoll::every(64);
    let mut list = vec![SearchNode { configuration: start, from: None }];
    let mut costs: FxHashMap<(u128, NetworkId), u64> = FxHashMap::default();
    // By estimate; among equals the one with the most behind it and then the latest first.
    let mut open = BinaryHeap::from([(Reverse(generator.ahead(list[0].configuration.network)), 0u64, 0u32)]);
    costs.insert((list[0].configuration.state.hash(), list[0].configuration.network), 0);
    while let Some((_, _, at)) = open.pop() {
        poll.step(budget)?;
        let configuration = list[at as usize].configuration.clone();
        if costs[&(configuration.state.hash(), configuration.network)] < configuration.cost {
            continue;
        }
        if generator.networks.is_empty(configuration.network) {
            if generator.known.is_goal(&configuration.state) {
                return Ok(Best::Found(decisions(&list, at), configuration.cost));
            }
            continue;
        }
        let mut ways = generator.ways(true);
        while let Some(decision) = ways.next(generator, &configuration) {
            let next = generator.take(&configuration, &decision);
            let estimate = next.cost.saturating_add(generator.ahead(next.network));
            if estimate >= bound || generator.is_dead_end(&next) {
                continue;
            }
            let known = costs.entry((next.state.hash(), next.network)).or_insert(u64::MAX);
            if *known <= next.cost {
                continue;
            }
            *known = next.cost;
            if list.len() >= nodes {
                return Ok(Best::Long);
            }
            open.push((Reverse(estimate), next.cost, list.len() as u32));
            list.push(SearchNode { configuration: next, from: Some((at, decision)) });
        }
    }
    Ok(Best::None)
}

fn decisions(list: &[SearchNode], mut at: u32) -> Vec<Decision> {
    let mut found = Vec::new();
    while let Some((before, decision)) = &list[at as usize].from {
        found.push(decision.clone());
        at = *before;
    }
    found.reverse();
    found
}
