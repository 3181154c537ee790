//! Proof-number search: the whole tree is kept, and a most-proving node is expanded at each step.

use counterplay_base::{Budget, BudgetPoll, Limit};

use crate::{AndOr, Expansion};

/// A number that no tree reaches.
const INFINITE: u32 = u32::MAX;

/// A node of the tree.
#[derive(Debug)]
struct ProofNode<N> {
    node: N,
    parent: Option<u32>,
    first: u32,
    count: u32,
    kind: Kind,
    proof: u32,
    disproof: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Leaf,
    Any,
    All,
}

/// The tree of a finished search.
#[derive(Debug)]
pub struct ProofTree<N> {
    entries: Vec<ProofNode<N>>,
}

impl<N> ProofTree<N> {
    /// Whether the root is proved.
    pub fn value(&self) -> bool {
        self.entries[0].proof == 0
    }

    pub fn root(&self) -> usize {
        0
    }

    /// What a node is about.
    pub fn node(&self, index: usize) -> &N {
        &self.entries[index].node
    }

    /// Its children that are proved.
    pub fn proved_children(&self, index: usize) -> impl Iterator<Item = usize> + '_ {
        let entry = &self.entries[index];
        let children = entry.first as usize..(entry.first + entry.count) as usize;
        children.filter(|&child| self.entries[child].proof == 0)
    }

    fn numbers(&self, index: usize) -> (u32, u32) {
        let entry = &self.entries[index];
        let children = &self.entries[entry.first as usize..(entry.first + entry.count) as usize];
        let sum = |numbers: &mut dyn Iterator<Item = u32>| numbers.fold(0, u32::saturating_add);
        let least = |numbers: &mut dyn Iterator<Item = u32>| numbers.min().unwrap_or(INFINITE);
        let proofs = &mut children.iter().map(|child| child.proof);
        let disproofs = &mut children.iter().map(|child| child.disproof);
        match entry.kind {
            Kind::Leaf => (entry.proof, entry.disproof),
            Kind::Any => (least(proofs), sum(disproofs)),
            Kind::All => (sum(proofs), least(disproofs)),
        }
    }

    /// The most-proving node: one that helps most for a proof as well as for a disproof; the first among equals.
    fn most_proving(&self) -> usize {
        let mut index = 0;
        loop {
            let entry = &self.entries[index];
            let wanted = match entry.kind {
                Kind::Leaf => return index,
                Kind::Any => |child: &ProofNode<N>| child.proof,
                Kind::All => |child: &ProofNode<N>| child.disproof,
            };
            let children = entry.first as usize..(entry.first + entry.count) as usize;
            index = children
                .min_by_key(|&child| wanted(&self.entries[child]))
                .expect("inner nodes have children");
        }
    }
}

/// Searches until the root is proved or disproved.
pub fn proof_number_search<T: AndOr>(
    problem: &mut T,
    root: T::Node,
    budget: &Budget,
) -> Result<ProofTree<T::Node>, Limit> {
    let leaf = |node, parent| ProofNode {
        node,
        parent,
        first: 0,
        count: 0,
        kind: Kind::Leaf,
        proof: 1,
        disproof: 1,
    };
    let mut tree = ProofTree { entries: vec![leaf(root, None)] };
    let mut poll = BudgetPoll::every(64);
    while tree.entries[0].proof != 0 && tree.entries[0].disproof != 0 {
        poll.step(budget)?;
        let index = tree.most_proving();
        let expansion = problem.expand(&tree.entries[index].node)?;
        problem.forget(&mut tree.entries[index].node);
        let (kind, children) = match expansion {
            Expansion::Proved => (Kind::All, Vec::new()),
            Expansion::Disproved => (Kind::Any, Vec::new()),
            Expansion::Any(children) => (Kind::Any, children),
            Expansion::All(children) => (Kind::All, children),
        };
        let first = tree.entries.len() as u32;
        let grown = tree.entries.len() + children.len();
        if grown > tree.entries.capacity() {
            budget.allow_bytes(tree.entries.capacity() * size_of::<ProofNode<T::Node>>())?;
        }
        tree.entries.extend(children.into_iter().map(|node| leaf(node, Some(index as u32))));
        let entry = &mut tree.entries[index];
        (entry.kind, entry.first, entry.count) = (kind, first, grown as u32 - first);
        let mut next = Some(index as u32);
        while let Some(index) = next {
            let (proof, disproof) = tree.numbers(index as usize);
            let entry = &mut tree.entries[index as usize];
            if (entry.proof, entry.disproof) == (proof, disproof) && entry.count > 0 {
                break;
            }
            (entry.proof, entry.disproof) = (proof, disproof);
            next = entry.parent;
        }
    }
    Ok(tree)
}
