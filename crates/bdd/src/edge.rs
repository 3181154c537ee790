//! Edges: which node, and whether it is meant or its complement.

use std::num::NonZeroU32;

/// A reference to a node, possibly complemented. Never zero, so that `Option<Edge>` is as small as an edge:
/// the recursions return `None` when a limit was reached.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct Edge(NonZeroU32);

impl Edge {
    /// The constant true: the terminal node is number 1.
    pub(crate) const TRUE: Edge = Edge::from_raw(2);
    pub(crate) const FALSE: Edge = Edge::from_raw(3);

    #[inline]
    pub(crate) const fn from_raw(raw: u32) -> Edge {
        match NonZeroU32::new(raw) {
            Some(raw) => Edge(raw),
            None => panic!("node 0 does not exist"),
        }
    }

    /// The plain edge to a node.
    #[inline]
    pub(crate) fn to_node(index: u32) -> Edge {
        Edge::from_raw(index << 1)
    }

    #[inline]
    pub(crate) fn raw(self) -> u32 {
        self.0.get()
    }

    #[inline]
    pub(crate) fn node(self) -> usize {
        (self.0.get() >> 1) as usize
    }

    #[inline]
    pub(crate) fn is_complemented(self) -> bool {
        self.0.get() & 1 == 1
    }

    #[inline]
    pub(crate) fn is_constant(self) -> bool {
        self.0.get() < 4
    }

    #[inline]
    pub(crate) fn complement(self) -> Edge {
        Edge::from_raw(self.0.get() ^ 1)
    }

    /// Complemented if `flip` is.
    #[inline]
    pub(crate) fn complement_if(self, flip: bool) -> Edge {
        Edge::from_raw(self.0.get() ^ flip as u32)
    }
}
