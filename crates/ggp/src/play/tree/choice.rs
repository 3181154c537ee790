//! Which move to try, and which to play.

use std::sync::Arc;

use rand::Rng;

use super::{Position, TreeEdge, UctNodeId, UctTree};

impl UctTree {
    /// The move with the greatest upper confidence bound.
    pub(super) fn choose(&self, node: UctNodeId, role: usize, random: &mut impl Rng) -> usize {
        let edges = self.edges(node, role);
        if edges.len() == 1 {
            return 0;
        }
        let own = &self.nodes[node];
        let decides = own.mover == Some(role as u8);
        let log = ((own.visits + 1) as f32).ln();
        let mut best = (f32::NEG_INFINITY, 0);
        for (at, edge) in edges.iter().enumerate() {
            let tried = (edge.visits + edge.pending) as f32;
            let proved = if decides { edge.child.and_then(|child| self.proved(child)) } else { None };
            let score = match proved {
                Some(rewards) => rewards[role],
                None => {
                    let value = self.value(edge, tried);
                    let bonus = self.settings.exploration * (log / (tried + 0.1)).sqrt();
                    // Roles that choose at the same time would march in step for ever without a share of chance.
                    let share = if own.mover.is_none() { 2.0 * chance(random) } else { 1.0 };
                    value + share * bonus
                }
            };
            // A grain of chance, so that equal moves take turns.
            let score = score + 1e-4 * chance(random);
            if score > best.0 {
                best = (score, at);
            }
        }
        best.1
    }

    /// What a move seems to be worth; playouts on their way count as lost.
    fn value(&self, edge: &TreeEdge, tried: f32) -> f32 {
        let mean = if tried > 0.0 { edge.sum as f32 / tried } else { 0.0 };
        let mean = match self.roles {
            1 if edge.visits > 0 => mean + self.settings.greed * (edge.best - mean),
            _ => mean,
        };
        if self.settings.rave == 0.0 || edge.rave_visits == 0 {
            return if tried > 0.0 { mean } else { 0.5 };
        }
        let rave = (edge.rave_sum / f64::from(edge.rave_visits)) as f32;
        let beta = (self.settings.rave / (3.0 * tried + self.settings.rave)).sqrt();
        beta * rave + (1.0 - beta) * mean
    }

    /// The position after so many of the moves that were tried most, as far as one role at a time decides.
    pub fn ahead(&self, depth: usize) -> Option<Position> {
        let mut node = self.root?;
        for _ in 0..depth {
            if self.proved(node).is_some() {
                return None;
            }
            let role = self.nodes[node].mover? as usize;
            let edges = self.edges(node, role).iter().filter(|edge| edge.child.is_some());
            node = edges.max_by_key(|edge| edge.visits)?.child?;
        }
        Some(Arc::clone(&self.nodes[node].position))
    }

    /// The best move of a role at the root: proved to be best, or tried most often; for puzzles, the first of the best way
    /// found, if that is certain to be best or more than the search promises.
    pub fn best(&self, role: usize) -> Option<u32> {
        let root = self.root?;
        let key = |edge: &&TreeEdge| {
            let proved = self.proved_after(root, role, edge).map(|rewards| rewards[role]);
            let mean = edge.mean().unwrap_or(0.0);
            // What is not won is drawn out.
            let goes_on = f32::from(u8::from(!self.ends(edge)));
            match proved {
                Some(value) if value >= self.most[role] => (2, value, mean, 0.0),
                // A proved loss is chosen only if there is nothing else, and then the one that looked best.
                Some(value) if value <= 0.0 => (0, value, goes_on, mean),
                Some(value) if self.proved(root).is_some() => (1, value, goes_on, mean),
                _ => (1, edge.visits as f32, mean, 0.0),
            }
        };
        let best = self
            .edges(root, role)
            .iter()
            .max_by(|one, other| key(one).partial_cmp(&key(other)).expect("rewards are numbers"))?;
        // A way to an end is worth following if nothing is better, or if it brings more than the moves that were tried
        // most. The first playout that comes back with nothing is not.
        if let Some((reward, plan)) = &self.plan
            && let Some(&first) = plan.front()
            && (*reward >= self.most[role] || *reward > best.mean().unwrap_or(0.0))
        {
            return Some(first);
        }
        Some(best.a_move)
    }

    /// Whether a move is known to end the game.
    fn ends(&self, edge: &TreeEdge) -> bool {
        edge.child.is_some_and(|child| self.nodes[child].widths.iter().all(|&width| width == 0))
    }
}

/// A number from 0 to 1.
fn chance(random: &mut impl Rng) -> f32 {
    (random.next_u32() >> 8) as f32 / 16_777_216.0
}
