//! Which move to try, and which to play.

use std::sync::{Arc, LazyLock};

use rand::Rng;

use super::{Child, Leads, Position, TreeEdge, UctNodeId, UctTree};

/// One over the square root of small numbers of visits.
static ROOTS: LazyLock<Vec<f32>> =
    LazyLock::new(|| (0..4096).map(|visits| inverse_root(visits as f32)).collect());

fn inverse_root(visits: f32) -> f32 {
    1.0 / (visits + UNTRIED).sqrt()
}

/// As many visits a move that was never tried seems to have.
const UNTRIED: f32 = 0.1;

impl UctTree {
    /// The move with the greatest upper confidence bound.
    pub(super) fn choose(
        &self,
        node: UctNodeId,
        role: usize,
        random: &mut impl Rng,
        prior: &impl Fn(u32) -> f32,
    ) -> usize {
        let edges = self.edges(node, role);
        if edges.len() == 1 {
            return 0;
        }
        let mover = self.shape(node).mover;
        let own = self.node(node);
        let decides = mover == Some(role as u8);
        if decides
            && let Some(urgent) = own.urgent.checked_sub(1)
            && edges[urgent as usize].visits == 0
        {
            return urgent as usize;
        }
        let spread = self.settings.exploration * ((own.visits + 1) as f32).ln().sqrt();
        let later = self.later_of(node, role);
        // Equal moves take turns: the first one looked at is drawn.
        let count = edges.len();
        let start = ((u64::from(random.next_u32()) * count as u64) >> 32) as usize;
        let mut best = (f32::NEG_INFINITY, 0);
        for step in 0..count {
            let at = if start + step < count { start + step } else { start + step - count };
            let edge = &edges[at];
            let proved = if decides { self.proved_child(edge.child) } else { None };
            let score = match proved {
                Some(outcome) => self.outcomes[outcome as usize][role],
                None => {
                    let root = ROOTS.get(edge.visits as usize).copied();
                    let bonus = spread * root.unwrap_or_else(|| inverse_root(edge.visits as f32));
                    // Roles that choose at the same time would march in step for ever without a share of chance.
                    let share = if mover.is_none() { 2.0 * chance(random) } else { 1.0 };
                    self.value(edge, later.get(at), prior) + share * bonus
                }
            };
            if score > best.0 {
                best = (score, at);
            }
        }
        best.1
    }

    /// Statistics of later moves, beside the edges of a role; empty if they do not count.
    fn later_of(&self, node: UctNodeId, role: usize) -> &[super::Later] {
        if self.settings.rave == 0.0 {
            return &[];
        }
        let first = self.edge_at(node, role);
        &self.later[first..first + self.edges(node, role).len()]
    }

    /// What a move seems to be worth; playouts on their way count as lost.
    #[inline]
    fn value(&self, edge: &TreeEdge, later: Option<&super::Later>, prior: &impl Fn(u32) -> f32) -> f32 {
        let (bias, visits) = (self.settings.bias, edge.visits as f32);
        let mean = match edge.visits {
            0 => prior(edge.a_move),
            few if bias > 0.0 && few < 1000 => (edge.sum + bias * prior(edge.a_move)) / (visits + bias),
            _ => edge.sum / visits,
        };
        let mean = match self.roles {
            1 if edge.visits > 0 => mean + self.settings.greed * (edge.best - mean),
            _ => mean,
        };
        match later {
            Some(later) if later.visits > 0.0 => {
                let beta =
                    later.visits / (later.visits + visits + later.visits * visits / self.settings.rave);
                beta * later.sum / later.visits + (1.0 - beta) * mean
            }
            _ => mean,
        }
    }

    /// The position after so many of the moves that were tried most, as far as one role at a time decides.
    pub fn ahead(&self, depth: usize) -> Option<Position> {
        let mut node = self.root?;
        for _ in 0..depth {
            if self.proved(node).is_some() {
                return None;
            }
            let role = self.shape(node).mover? as usize;
            let child = |edge: &TreeEdge| match edge.child.leads() {
                Leads::To(child) => Some((edge.visits, child)),
                _ => None,
            };
            node = self.edges(node, role).iter().filter_map(child).max_by_key(|&(visits, _)| visits)?.1;
        }
        Some(Arc::from(self.position(node)))
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
                // What is won is ended at once if it can be.
                Some(value) if value >= self.most[role] => (2, value, 1.0 - goes_on, mean),
                // A proved loss is chosen only if there is nothing else, and then the one that took longest to refute.
                Some(value) if value <= 0.0 => (0, value, goes_on, edge.visits as f32),
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

    /// Whether a move is known to end the game, or to lead where all is proved.
    fn ends(&self, edge: &TreeEdge) -> bool {
        edge.child != Child::default() && matches!(edge.child.leads(), Leads::Proved(_))
    }
}

/// A number from 0 to 1.
fn chance(random: &mut impl Rng) -> f32 {
    (random.next_u32() >> 8) as f32 / 16_777_216.0
}
