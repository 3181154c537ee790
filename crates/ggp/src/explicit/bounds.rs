//! What each role can be sure of, and what it can be held to.
//!
//! Where roles choose at once, or play can go on for ever, a game may have no pure value. Two figures of a role are well
//! defined all the same. *Sure* is the greatest reward that the role can force whatever the others do, even if they see its
//! move before they make theirs (maximin over pure strategies). *Held to* is the least reward to which the others, all
//! against it, can hold the role even if it sees their moves before it makes its own (minimax). What the role can
//! guarantee itself by mixed strategies lies between them. Play without an end counts as nothing for the first figure and
//! as the greatest reward that GDL knows for the second.
//!
//! Each figure of a role is one backward pass over the edges: ends are taken from the best reward down (or from the worst
//! up), and a state gets the reward at hand as soon as one choice of the side that forces it leads only to states that have
//! one.

use counterplay_base::{Budget, BudgetPoll, Limit, Verdict};
use counterplay_ground::game::Game;

use super::Halt;
use super::explore::{AtOnce, Graph, Kind, explore};

/// The greatest reward that GDL knows.
const GREATEST: u32 = 100;

/// What a role can be sure of at the beginning, and what it can be held to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RoleBounds {
    /// The reward that it can force.
    pub sure: u32,
    /// The reward to which the others can hold it.
    pub held_to: u32,
}

/// Bounds for all roles, and figures of the game.
#[derive(Clone, Debug)]
pub struct Bounds {
    /// For each role.
    pub roles: Vec<RoleBounds>,
    /// Number of states first reached after so many moves.
    pub layers: Vec<usize>,
    /// States in which the game is over.
    pub terminal: usize,
    /// States that are not over and in which some role has no legal move; they are taken as ends.
    pub stuck: usize,
    /// States in which more than one role has several moves.
    pub simultaneous: usize,
    /// Ends at which some role has no reward, or several; the greatest counts, and none counts as 0.
    pub odd_rewards: usize,
}

/// Bounds of a game of at most so many states; [`Limit::Nodes`] says that there are more.
pub fn bounds(game: &Game, most: usize, budget: &Budget) -> Verdict<Bounds> {
    match find(game, most, budget) {
        Ok(bounds) => Verdict::Solved(bounds),
        Err(Halt::Stopped(limit)) => Verdict::Stopped(limit),
        Err(Halt::Refused(_)) => unreachable!("states in which several roles choose are explored"),
    }
}

fn find(game: &Game, most: usize, budget: &Budget) -> Result<Bounds, Halt> {
    let graph = explore(game, AtOnce::Explore, most, budget)?;
    let counts = graph.table.len() + 1 + 3 * graph.edges.len();
    budget.allow_bytes(4 * (counts + graph.table.len()))?;
    let parents = Parents::new(&graph, budget)?;
    let mut roles = Vec::new();
    for role in 0..game.roles.len() {
        let sure = forced(&graph, &parents, role, Side::Role, budget)?;
        let held_to = forced(&graph, &parents, role, Side::Others, budget)?;
        roles.push(RoleBounds { sure: sure.unwrap_or(0), held_to: held_to.unwrap_or(GREATEST) });
    }
    let Graph { layers, terminal, stuck, simultaneous, odd_rewards, .. } = graph;
    Ok(Bounds { roles, layers, terminal, stuck, simultaneous, odd_rewards })
}

/// Who forces something.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Role,
    Others,
}

/// The edges into each state, back to back, and the state that each edge comes from.
struct Parents {
    start: Vec<u32>,
    edges: Vec<u32>,
    from: Vec<u32>,
}

impl Parents {
    fn new(graph: &Graph, budget: &Budget) -> Result<Parents, Limit> {
        let mut poll = BudgetPoll::every(4096);
        let mut start = graph.edges_into(budget)?;
        let mut edges = vec![0u32; graph.edges.len()];
        for edge in 0..graph.edges.len() {
            poll.step(budget)?;
            let place = &mut start[graph.edges.get(edge) as usize];
            *place -= 1;
            edges[*place as usize] = edge as u32;
        }
        let mut from = vec![0u32; graph.edges.len()];
        for state in 0..graph.kinds.len() {
            if let Kind::Open { first, widths } = graph.kinds.get(state) {
                let joint = graph.widths[widths as usize].joint;
                from[first as usize..(first + joint) as usize].fill(state as u32);
            }
        }
        Ok(Parents { start, edges, from })
    }
}

/// The best reward (for the others: the worst) of a role that a side can force at the beginning; `None` if it can force
/// no end at all.
fn forced(
    graph: &Graph,
    parents: &Parents,
    role: usize,
    side: Side,
    budget: &Budget,
) -> Result<Option<u32>, Limit> {
    let mut poll = BudgetPoll::every(4096);
    let states = graph.kinds.len();
    // For each choice of the side, the replies that do not yet lead where they should: choice `n` of a state whose edges
    // begin at `first` has its count at `first + n`.
    let mut waiting = vec![0u32; graph.edges.len()];
    let mut is_forced = vec![false; states];
    let mut ends: Vec<(u32, u32)> = Vec::new();
    for state in 0..states {
        match graph.kinds.get(state) {
            Kind::Over(outcome) => ends.push((graph.outcomes[outcome as usize][role], state as u32)),
            Kind::Open { first, widths } => {
                let widths = &graph.widths[widths as usize];
                let own = widths.of[role];
                let (choices, replies) = match side {
                    Side::Role => (own, widths.joint / own),
                    Side::Others => (widths.joint / own, own),
                };
                waiting[first as usize..(first + choices) as usize].fill(replies);
            }
        }
    }
    ends.sort_unstable();
    if side == Side::Role {
        ends.reverse();
    }
    let mut open = Vec::new();
    for (reward, end) in ends {
        is_forced[end as usize] = true;
        open.push(end);
        while let Some(state) = open.pop() {
            if state == 0 {
                return Ok(Some(reward));
            }
            let range = parents.start[state as usize] as usize..parents.start[state as usize + 1] as usize;
            for &edge in &parents.edges[range] {
                poll.step(budget)?;
                let parent = parents.from[edge as usize];
                let Kind::Open { first, widths } = graph.kinds.get(parent as usize) else {
                    unreachable!("an end has no moves")
                };
                let widths = &graph.widths[widths as usize].of;
                let number = edge - first;
                let step: u32 = widths[role + 1..].iter().product();
                let choice = match side {
                    Side::Role => number / step % widths[role],
                    Side::Others => number / (step * widths[role]) * step + number % step,
                };
                let left = &mut waiting[(first + choice) as usize];
                *left -= 1;
                if *left == 0 && !std::mem::replace(&mut is_forced[parent as usize], true) {
                    open.push(parent);
                }
            }
        }
    }
    Ok(None)
}
