//! Strong-cyclic plans: the goal can always still be reached, and is reached if nature is fair.
//!
//! That a *belief state* can lead to the goal is not enough: it may do so from some of its states only, while from the others
//! the same percepts come for ever (Bertoli, Cimatti and Pistore, ECAI 2006). So for each belief state we compute the
//! set of its states from which the goal can be reached by actions that are safe; a belief state is given up if that is not all of
//! it, and an action is safe if none of its parts is given up. Where one action does not do for all states of a belief state, the plan
//! names several, one of which is picked at random each time: plans that are not allowed to do so may not exist
//! (Chatterjee, Doyen, Henzinger and Raskin 2007).

use counterplay_base::{Budget, Limit};

use crate::graph::{Graph, Label};
use crate::space::BeliefSpace;

/// For each belief state the edges of the plan; `None` if it is given up. Every belief state must have been expanded.
pub(crate) fn strong_cyclic<S: BeliefSpace>(
    graph: &mut Graph<'_, S>,
    budget: &Budget,
) -> Result<Vec<Option<Vec<u32>>>, Limit> {
    let mut safe: Vec<bool> = graph.nodes.iter().map(|node| node.estimate.is_some()).collect();
    loop {
        let plan = reach(graph, &safe, budget)?;
        let kept: Vec<bool> = plan.iter().map(Option::is_some).collect();
        if kept == safe {
            return Ok(plan);
        }
        safe = kept;
    }
}

/// The edges by which all states of each safe belief state can reach the goal through safe belief states.
fn reach<S: BeliefSpace>(
    graph: &mut Graph<'_, S>,
    safe: &[bool],
    budget: &Budget,
) -> Result<Vec<Option<Vec<u32>>>, Limit> {
    let count = graph.nodes.len();
    let mut good: Vec<S::Belief> = Vec::with_capacity(count);
    let mut plan: Vec<Vec<u32>> = vec![Vec::new(); count];
    for (node, edges) in graph.nodes.iter().zip(&mut plan) {
        good.push(if node.label == Label::Open { graph.space.none() } else { node.belief.clone() });
        if let Label::Solved(edge) = node.label {
            edges.push(edge);
        }
    }
    let mut changed = true;
    while changed {
        changed = false;
        for at in 0..count {
            budget.check()?;
            if !safe[at] || good[at] == graph.nodes[at].belief {
                continue;
            }
            let edges = graph.nodes[at].edges.len();
            for edge in 0..edges {
                let Edge { action, next } = safe_edge(graph, at, edge, safe);
                let mut own = graph.space.none();
                for part in next {
                    let from = graph.nodes[at].belief.clone();
                    let more = graph.space.may_lead(&from, action, &good[part as usize])?;
                    own = graph.space.union(&own, &more)?;
                }
                let wider = graph.space.union(&good[at], &own)?;
                if wider != good[at] {
                    good[at] = wider;
                    plan[at].push(edge as u32);
                    changed = true;
                }
            }
        }
    }
    let all = plan.into_iter().zip(good).enumerate();
    let all = all.map(|(at, (mut edges, good))| {
        edges.sort_unstable();
        edges.dedup();
        (safe[at] && good == graph.nodes[at].belief).then_some(edges)
    });
    Ok(all.collect())
}

struct Edge {
    action: u32,
    next: Vec<u32>,
}

/// An edge with its parts; without parts if one of them is given up.
fn safe_edge<S: BeliefSpace>(graph: &Graph<'_, S>, node: usize, edge: usize, safe: &[bool]) -> Edge {
    let edge = &graph.nodes[node].edges[edge];
    let is_safe = edge.next.iter().all(|&(_, part)| safe[part as usize]);
    let next = if is_safe { edge.next.iter().map(|&(_, part)| part).collect() } else { Vec::new() };
    Edge { action: edge.action, next }
}
