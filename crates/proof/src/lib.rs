#![doc = include_str!("../README.md")]

mod dfpn;
mod pns;

use counterplay_base::Limit;

pub use dfpn::{Keyed, TranspositionTable, df_pn, proved_child};
pub use pns::{ProofTree, proof_number_search};

/// A tree in which some nodes need one proved child and others need all.
pub trait AndOr {
    /// What a node is about.
    type Node;

    /// The children of a node, or its value.
    fn expand(&mut self, node: &Self::Node) -> Result<Expansion<Self::Node>, Limit>;

    /// Called when a node will not be expanded again: it may drop what only the expansion needed.
    fn forget(&mut self, _node: &mut Self::Node) {}
}

/// What the expansion of a node yields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expansion<N> {
    /// The node is proved.
    Proved,
    /// The node is disproved.
    Disproved,
    /// One of these must be proved; none means disproved.
    Any(Vec<N>),
    /// All of these must be proved; none means proved.
    All(Vec<N>),
}
