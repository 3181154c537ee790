//! The node table: every node once, found by its hash.
//!
//! Slots of the hash table hold the node's number and 32 bits of its hash, probed in a row, so that a look-up
//! reads a node only when it almost certainly is the right one.

use counterplay_base::{Budget, Limit};
use rustc_hash::FxHashMap;

use crate::cache::Cache;
use crate::edge::Edge;

/// A decision: at `level`, go `low` or `high`. The high edge is never complemented.
#[derive(Clone, Copy, Debug)]
#[repr(align(16))]
pub(crate) struct BddNode {
    pub(crate) level: u32,
    /// For a free place, the next one; 0 ends the list.
    pub(crate) next_free: u32,
    pub(crate) low: Edge,
    pub(crate) high: Edge,
}

/// Below every level.
pub(crate) const TERMINAL: u32 = u32::MAX;

/// The budget is looked at once in so many units of work.
const CHECK_INTERVAL: u64 = 1 << 14;
const FIRST_LOG_SLOTS: u32 = 12;
const FIRST_LOG_CACHE: u32 = 13;
/// The cache stops growing at this many entries (2 GiB): beyond it the nodes need the memory more.
const LAST_LOG_CACHE: u32 = 27;

pub(crate) struct Store {
    pub(crate) nodes: Vec<BddNode>,
    /// Hash table: number of a node in the low half, its hash in the high half; 0 is empty.
    slots: Vec<u64>,
    /// Nodes in use at which the hash table is to grow.
    grow_at: usize,
    pub(crate) cache: Cache,
    /// Handles outside, by node: the roots that a collection keeps.
    pub(crate) roots: FxHashMap<u32, u32>,
    /// First free place in `nodes`; 0 if there is none.
    pub(crate) free: u32,
    /// Nodes in use, dead ones included until they are collected.
    pub(crate) used: usize,
    pub(crate) peak: usize,
    /// Nodes in use at which the next collection is worth its time.
    pub(crate) collect_at: usize,
    pub(crate) budget: Budget,
    /// Nodes looked up or made since the beginning: what operations cost, the same on every machine.
    pub(crate) work: u64,
    /// The work at which operations give up.
    pub(crate) work_limit: u64,
    /// The work at which limits are looked at next.
    check_at: u64,
    /// Why the operation at hand gave up.
    pub(crate) reached: Option<Limit>,
}

impl Store {
    pub(crate) fn new(budget: Budget) -> Store {
        let terminal = BddNode { level: TERMINAL, next_free: 0, low: Edge::TRUE, high: Edge::TRUE };
        Store {
            nodes: vec![terminal; 2],
            slots: vec![0; 1 << FIRST_LOG_SLOTS],
            grow_at: (1 << FIRST_LOG_SLOTS) / 4 * 3,
            cache: Cache::new(FIRST_LOG_CACHE),
            roots: FxHashMap::default(),
            free: 0,
            used: 1,
            peak: 1,
            collect_at: 1 << 17,
            budget,
            work: 0,
            work_limit: u64::MAX,
            check_at: CHECK_INTERVAL,
            reached: None,
        }
    }

    #[inline]
    pub(crate) fn level(&self, edge: Edge) -> u32 {
        self.nodes[edge.node()].level
    }

    /// The two cofactors of an edge with respect to a level at or above its own.
    #[inline]
    pub(crate) fn split(&self, edge: Edge, level: u32) -> (Edge, Edge) {
        let node = &self.nodes[edge.node()];
        if node.level == level {
            let flip = edge.is_complemented();
            (node.low.complement_if(flip), node.high.complement_if(flip))
        } else {
            (edge, edge)
        }
    }

    #[inline]
    fn hash(level: u32, low: Edge, high: Edge) -> u32 {
        let children = (low.raw() as u64) | ((high.raw() as u64) << 32);
        let mixed = (children ^ (level as u64).wrapping_mul(0xd6e8_feb8_6659_fd93))
            .wrapping_mul(0x9e37_79b9_7f4a_7c15);
        ((mixed ^ (mixed >> 32)).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 32) as u32
    }

    /// The node that decides at `level` between `low` and `high`, made if it is new.
    #[inline]
    pub(crate) fn make(&mut self, level: u32, low: Edge, high: Edge) -> Option<Edge> {
        if low == high {
            return Some(low);
        }
        self.work += 1;
        if self.work >= self.check_at {
            self.look_at_limits()?;
        }
        let flip = high.is_complemented();
        let (low, high) = (low.complement_if(flip), high.complement_if(flip));
        let hash = Store::hash(level, low, high);
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        loop {
            let slot = self.slots[at];
            if slot == 0 {
                return self.insert(at, hash, level, low, high).map(|edge| edge.complement_if(flip));
            }
            if (slot >> 32) as u32 == hash {
                let node = &self.nodes[slot as u32 as usize];
                if node.low == low && node.high == high && node.level == level {
                    return Some(Edge::to_node(slot as u32).complement_if(flip));
                }
            }
            at = (at + 1) & mask;
        }
    }

    fn insert(&mut self, at: usize, hash: u32, level: u32, low: Edge, high: Edge) -> Option<Edge> {
        self.look_at_room()?;
        let node = BddNode { level, next_free: 0, low, high };
        let index = if self.free != 0 {
            let index = self.free;
            self.free = self.nodes[index as usize].next_free;
            self.nodes[index as usize] = node;
            index
        } else {
            self.nodes.push(node);
            self.nodes.len() as u32 - 1
        };
        self.slots[at] = (hash as u64) << 32 | index as u64;
        self.used += 1;
        self.peak = self.peak.max(self.used);
        if self.used > self.grow_at {
            self.grow()?;
        }
        Some(Edge::to_node(index))
    }

    /// From now on operations give up when `limit` units of work are done in all.
    pub(crate) fn set_work_limit(&mut self, limit: u64) {
        self.work_limit = limit;
        self.check_at = self.work.saturating_add(CHECK_INTERVAL).min(limit);
    }

    fn look_at_limits(&mut self) -> Option<()> {
        if self.work >= self.work_limit {
            self.reached = Some(Limit::Nodes(self.work_limit));
            return None;
        }
        self.check_at = self.work.saturating_add(CHECK_INTERVAL).min(self.work_limit);
        let used = self.used as u64;
        let checked = self.budget.check().and_then(|()| self.budget.allow_nodes(used));
        self.note(checked)
    }

    /// Makes room for more nodes before they are needed.
    fn look_at_room(&mut self) -> Option<()> {
        if self.free == 0 && self.nodes.len() == self.nodes.capacity() {
            if self.nodes.len() >= (1 << 31) - 1 {
                self.reached = Some(Limit::Nodes(1 << 31));
                return None;
            }
            let grown = self.grow_nodes();
            self.note(grown)?;
        }
        Some(())
    }

    /// Doubles the node table, or near the memory limit enlarges it by the part that still fits; the cache gives way to it.
    fn grow_nodes(&mut self) -> Result<(), Limit> {
        loop {
            let capacity = self.nodes.capacity();
            let mut refused = Ok(());
            for part in [1, 2, 4, 8] {
                let more = (capacity / part).max(1);
                // While the table moves, the old and the new one are both there.
                refused = self.budget.allow_bytes((capacity + more) * std::mem::size_of::<BddNode>());
                if refused.is_ok() {
                    self.nodes.reserve_exact(more);
                    return Ok(());
                }
            }
            if !self.shrink_cache() {
                return refused;
            }
        }
    }

    /// Halves the cache if it holds at least as many entries as the node table; says whether it did.
    fn shrink_cache(&mut self) -> bool {
        let worth = self.cache.len() >= self.nodes.len() / 2 && self.cache.len() > 1 << FIRST_LOG_CACHE;
        if worth {
            self.cache.shrink();
        }
        worth
    }

    /// Remembers a limit that was reached.
    pub(crate) fn note(&mut self, checked: Result<(), Limit>) -> Option<()> {
        match checked {
            Ok(()) => Some(()),
            Err(limit) => {
                self.reached = Some(limit);
                None
            }
        }
    }

    /// Doubles the hash table and, if memory allows, the cache. Near the memory limit the table stays as it is until it is
    /// seven eighths full.
    fn grow(&mut self) -> Option<()> {
        let more = self.slots.len() * 2 * std::mem::size_of::<u64>();
        while let Err(limit) = self.budget.allow_bytes(more) {
            if self.used < self.slots.len() / 8 * 7 {
                self.grow_at = self.used + self.slots.len() / 64;
                return Some(());
            }
            if !self.shrink_cache() {
                return self.note(Err(limit));
            }
        }
        let doubled = vec![0; self.slots.len() * 2];
        self.grow_at = doubled.len() / 4 * 3;
        for slot in std::mem::replace(&mut self.slots, doubled) {
            if slot != 0 {
                self.hang(slot);
            }
        }
        let log_size = self.cache.len().ilog2() + 1;
        if log_size <= LAST_LOG_CACHE && self.budget.allow_bytes(Cache::bytes(log_size) * 2).is_ok() {
            self.cache.grow();
        }
        Some(())
    }

    /// Puts an entry into the first empty slot of its row.
    fn hang(&mut self, slot: u64) {
        let mask = self.slots.len() - 1;
        let mut at = (slot >> 32) as usize & mask;
        while self.slots[at] != 0 {
            at = (at + 1) & mask;
        }
        self.slots[at] = slot;
    }

    /// Frees the nodes that `keep` does not name.
    pub(crate) fn sweep(&mut self, keep: impl Fn(usize) -> bool) {
        self.slots.fill(0);
        self.free = 0;
        self.used = 1;
        for index in (2..self.nodes.len()).rev() {
            let BddNode { level, low, high, .. } = self.nodes[index];
            // A free place has two equal edges, which no node has.
            if low == high || !keep(index) {
                self.nodes[index] =
                    BddNode { level: 0, next_free: self.free, low: Edge::TRUE, high: Edge::TRUE };
                self.free = index as u32;
            } else {
                self.hang((Store::hash(level, low, high) as u64) << 32 | index as u64);
                self.used += 1;
            }
        }
    }
}
