//! Diagrams as plain lists of nodes, for callers that walk them.

use rustc_hash::FxHashMap;

use crate::edge::Edge;
use crate::manager::{Bdd, Manager};

/// Diagrams without complemented edges: the two constants are numbers 0 and 1, and `nodes[i]` is number `i + 2`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlainNodes {
    /// Children stand before their parents.
    pub nodes: Vec<PlainNode>,
    /// The number of each diagram that was asked for.
    pub roots: Vec<u32>,
}

/// A level and the numbers of what follows if its bit is off and on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlainNode {
    pub level: u32,
    pub low: u32,
    pub high: u32,
}

impl Manager {
    /// The nodes of some diagrams, each function once.
    pub fn plain(&self, diagrams: &[&Bdd]) -> PlainNodes {
        let store = self.0.borrow();
        let mut number: FxHashMap<Edge, u32> = FxHashMap::default();
        number.insert(Edge::FALSE, 0);
        number.insert(Edge::TRUE, 1);
        let mut nodes = Vec::new();
        let mut open: Vec<(Edge, bool)> = diagrams.iter().map(|bdd| (bdd.edge, false)).collect();
        while let Some((edge, is_done)) = open.pop() {
            if number.contains_key(&edge) {
                continue;
            }
            let own = &store.nodes[edge.node()];
            let [low, high] = [own.low, own.high].map(|child| child.complement_if(edge.is_complemented()));
            if is_done {
                nodes.push(PlainNode { level: own.level, low: number[&low], high: number[&high] });
                number.insert(edge, nodes.len() as u32 + 1);
            } else {
                open.extend([(edge, true), (high, false), (low, false)]);
            }
        }
        PlainNodes { nodes, roots: diagrams.iter().map(|bdd| number[&bdd.edge]).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use counterplay_base::Budget;

    #[test]
    fn plain_nodes_are_the_same_functions() {
        let manager = Manager::new(Budget::unlimited());
        let bit = |level| manager.literal(level, true).expect("small");
        let odd = bit(0).xor(&bit(2)).and_then(|odd| odd.xor(&bit(4))).expect("small");
        let even = odd.not();
        let PlainNodes { nodes, roots } = manager.plain(&[&odd, &even]);
        for word in 0..8u32 {
            for (root, is_odd) in roots.iter().zip([true, false]) {
                let mut at = *root;
                while at > 1 {
                    let node = nodes[at as usize - 2];
                    at = if word >> (node.level / 2) & 1 == 1 { node.high } else { node.low };
                }
                assert_eq!(at == 1, (word.count_ones() % 2 == 1) == is_odd, "{word}");
            }
        }
    }
}
