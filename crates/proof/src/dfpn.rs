//! Depth-first proof-number search (df-pn): thresholds instead of a tree, and a table of nodes.
//!
//! A node is searched as long as its numbers stay below thresholds that its parent sets so that it would go elsewhere
//! beyond them. The table remembers numbers by key; it is never cleared, so that the proof can be read from it.

use std::hash::Hash;

use counterplay_base::{Budget, BudgetPoll, Limit};
use rustc_hash::FxHashMap;

use crate::{AndOr, Expansion};

const INFINITE: u32 = u32::MAX / 2;

/// A tree whose nodes have keys: nodes with the same key have the same value.
pub trait Keyed: AndOr {
    /// What distinguishes nodes.
    type Key: Copy + Eq + Hash;

    /// The key of a node.
    fn key(&self, node: &Self::Node) -> Self::Key;
}

/// Proof and disproof numbers by key.
pub type TranspositionTable<K> = FxHashMap<K, (u32, u32)>;

/// Tables with fewer entries grow without asking for memory.
const SMALL_TABLE: usize = 1 << 12;

/// Searches until the root is proved or disproved; the table then tells the proof.
pub fn df_pn<T: Keyed>(
    problem: &mut T,
    root: &T::Node,
    budget: &Budget,
) -> Result<(bool, TranspositionTable<T::Key>), Limit> {
    let mut search =
        DfpnSearch { problem, table: TranspositionTable::default(), budget, poll: BudgetPoll::every(32) };
    let (proof, _) = search.visit(root, INFINITE, INFINITE)?;
    Ok((proof == 0, search.table))
}

/// The first of some nodes that the table says is proved.
pub fn proved_child<'n, T: Keyed>(
    problem: &T,
    table: &TranspositionTable<T::Key>,
    nodes: &'n [T::Node],
) -> Option<&'n T::Node> {
    nodes.iter().find(|node| table.get(&problem.key(node)).is_some_and(|numbers| numbers.0 == 0))
}

struct DfpnSearch<'a, T: Keyed> {
    problem: &'a mut T,
    table: TranspositionTable<T::Key>,
    budget: &'a Budget,
    poll: BudgetPoll,
}

impl<T: Keyed> DfpnSearch<'_, T> {
    fn visit(&mut self, node: &T::Node, most_proof: u32, most_disproof: u32) -> Result<(u32, u32), Limit> {
        self.poll.step(self.budget)?;
        let full = self.table.capacity();
        if self.table.len() == full && full >= SMALL_TABLE {
            // A full table doubles, and holds the old entries until they are moved; an eighth of its slots stay free.
            self.budget.allow_bytes((2 * full / 7 * 8) * (size_of::<(T::Key, (u32, u32))>() + 1))?;
        }
        let key = self.problem.key(node);
        let (any, children) = match self.problem.expand(node)? {
            Expansion::Proved => return Ok(self.store(key, 0, INFINITE)),
            Expansion::Disproved => return Ok(self.store(key, INFINITE, 0)),
            Expansion::Any(children) => (true, children),
            Expansion::All(children) => (false, children),
        };
        let keys: Vec<T::Key> = children.iter().map(|child| self.problem.key(child)).collect();
        loop {
            // Seen from the side that needs one child, `wanted` is to become zero and `other` is summed up.
            let mut best: Option<(usize, u32, u32)> = None;
            let (mut second, mut sum) = (INFINITE, 0u32);
            for (i, key) in keys.iter().enumerate() {
                let (proof, disproof) = self.table.get(key).copied().unwrap_or((1, 1));
                let (wanted, other) = if any { (proof, disproof) } else { (disproof, proof) };
                sum = sum.saturating_add(other).min(INFINITE);
                match best {
                    Some((_, least, _)) if wanted >= least => second = second.min(wanted),
                    _ => {
                        second = best.map_or(INFINITE, |(_, least, _)| least);
                        best = Some((i, wanted, other));
                    }
                }
            }
            let least = best.map_or(INFINITE, |(_, wanted, _)| wanted);
            // A proved child of an ANY-node leaves no way to disprove it, whatever the other children need.
            let sum = if least == 0 { INFINITE } else { sum };
            let (proof, disproof) = if any { (least, sum) } else { (sum, least) };
            let numbers = self.store(key, proof, disproof);
            let Some((i, _, other)) = best else { return Ok(numbers) };
            if proof >= most_proof || disproof >= most_disproof || proof == 0 || disproof == 0 {
                return Ok(numbers);
            }
            let (most_wanted, most_other) =
                if any { (most_proof, most_disproof) } else { (most_disproof, most_proof) };
            let wanted = most_wanted.min(second.saturating_add(1));
            let other = most_other.saturating_sub(sum).saturating_add(other).min(INFINITE);
            let (proof, disproof) = if any { (wanted, other) } else { (other, wanted) };
            self.visit(&children[i], proof, disproof)?;
        }
    }

    fn store(&mut self, key: T::Key, proof: u32, disproof: u32) -> (u32, u32) {
        self.table.insert(key, (proof, disproof));
        (proof, disproof)
    }
}
