//! Diagrams as bytes, and back.
//!
//! Numbers are written seven bits to a byte, least significant first, with the top bit set on all bytes but the last.
//! First comes the number of nodes, then each node after its children: its level, its low edge and its high edge; then
//! the number of diagrams and an edge for each. An edge is twice the distance back to the node it leads to (0 for the
//! terminal), plus 1 if it is complemented. What is read is checked node by node: any bytes give diagrams in reduced
//! form or an error.

use counterplay_base::Limit;
use rustc_hash::FxHashMap;

use crate::edge::Edge;
use crate::manager::{Bdd, Manager};
use crate::store::{Store, TERMINAL};

/// Why bytes are no diagrams.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unreadable {
    /// They end too early.
    #[error("the diagrams end too early")]
    Short,
    /// They go on after the end.
    #[error("there are {0} bytes after the diagrams")]
    Long(usize),
    /// A node that no reduced diagram has.
    #[error("node {0} of the diagrams is not in order")]
    BddNode(usize),
    /// A limit came first.
    #[error("{0}")]
    Stopped(Limit),
}

impl Manager {
    pub fn export(&self, diagrams: &[&Bdd]) -> Vec<u8> {
        let edges: Vec<Edge> = diagrams.iter().map(|bdd| bdd.edge).collect();
        self.0.borrow().export(&edges)
    }

    /// Reads diagrams whose levels are all below `levels`.
    pub fn import(&self, bytes: &[u8], levels: u32) -> Result<Vec<Bdd>, Unreadable> {
        let edges = {
            let mut store = self.0.borrow_mut();
            // No collection may run before the new nodes have handles.
            store.import(bytes, levels)?
        };
        Ok(edges.into_iter().map(|edge| self.handle(edge)).collect())
    }
}

impl Store {
    fn export(&self, roots: &[Edge]) -> Vec<u8> {
        // Children before parents, by a walk with a stack of its own.
        let mut order: FxHashMap<usize, u64> = FxHashMap::default();
        order.insert(Edge::TRUE.node(), 0);
        let mut list: Vec<usize> = Vec::new();
        let mut open: Vec<(usize, bool)> = roots.iter().map(|edge| (edge.node(), false)).collect();
        while let Some((node, is_done)) = open.pop() {
            if order.contains_key(&node) {
                continue;
            }
            if is_done {
                list.push(node);
                order.insert(node, list.len() as u64);
            } else {
                open.push((node, true));
                let own = &self.nodes[node];
                open.extend([(own.high.node(), false), (own.low.node(), false)]);
            }
        }
        let mut bytes = Vec::with_capacity(list.len() * 6);
        let edge = |bytes: &mut Vec<u8>, edge: Edge, from: u64| {
            let place = order[&edge.node()];
            let distance = if place == 0 { 0 } else { from - place };
            put(bytes, distance << 1 | u64::from(edge.is_complemented()));
        };
        put(&mut bytes, list.len() as u64);
        for (at, &node) in list.iter().enumerate() {
            let own = &self.nodes[node];
            put(&mut bytes, u64::from(own.level));
            edge(&mut bytes, own.low, at as u64 + 1);
            edge(&mut bytes, own.high, at as u64 + 1);
        }
        put(&mut bytes, roots.len() as u64);
        for &root in roots {
            edge(&mut bytes, root, list.len() as u64 + 1);
        }
        bytes
    }

    fn import(&mut self, bytes: &[u8], levels: u32) -> Result<Vec<Edge>, Unreadable> {
        let mut reader = TransferReader { bytes };
        let count = reader.number()? as usize;
        // A node takes three bytes at least, so a wrong count cannot ask for more than the file has.
        if count > bytes.len() / 3 {
            return Err(Unreadable::Short);
        }
        let mut edges: Vec<Edge> = Vec::with_capacity(count + 1);
        edges.push(Edge::TRUE);
        for at in 1..=count {
            let level = reader.number()?;
            let low = reader.edge(&edges).ok_or(Unreadable::BddNode(at))?;
            let high = reader.edge(&edges).ok_or(Unreadable::BddNode(at))?;
            let below = self.level(low).min(self.level(high));
            let in_order = level < u64::from(levels) && (below == TERMINAL || level < u64::from(below));
            if !in_order || low == high || high.is_complemented() {
                return Err(Unreadable::BddNode(at));
            }
            let made = self.make(level as u32, low, high);
            edges.push(made.ok_or_else(|| {
                Unreadable::Stopped(self.reached.take().expect("an operation that gives up says why"))
            })?);
        }
        let roots = reader.number()? as usize;
        if roots > reader.bytes.len() {
            return Err(Unreadable::Short);
        }
        let roots: Option<Vec<Edge>> = (0..roots).map(|_| reader.edge(&edges)).collect();
        let roots = roots.ok_or(Unreadable::BddNode(count + 1))?;
        match reader.bytes.len() {
            0 => Ok(roots),
            more => Err(Unreadable::Long(more)),
        }
    }
}

fn put(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

struct TransferReader<'b> {
    bytes: &'b [u8],
}

impl TransferReader<'_> {
    fn number(&mut self) -> Result<u64, Unreadable> {
        let mut number = 0u64;
        for shift in (0..63).step_by(7) {
            let (&byte, rest) = self.bytes.split_first().ok_or(Unreadable::Short)?;
            self.bytes = rest;
            number |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Ok(number);
            }
        }
        Err(Unreadable::Short)
    }

    /// An edge from the node after those that are known.
    fn edge(&mut self, known: &[Edge]) -> Option<Edge> {
        let number = self.number().ok()?;
        let distance = (number >> 1) as usize;
        let target = match distance {
            0 => 0,
            _ => known.len().checked_sub(distance).filter(|&at| at > 0)?,
        };
        Some(known[target].complement_if(number & 1 == 1))
    }
}
