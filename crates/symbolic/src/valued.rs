//! Sets of states as diagrams over variables in place of bits.
//!
//! A node asks for the value of a variable and has a child for each of them. How values are coded as bits does not show, so a
//! reader needs to know nothing but the order of the variables.

use counterplay_bdd::{PlainNode, PlainNodes};
use counterplay_task::VarId;
use rustc_hash::FxHashMap;

use crate::{Space, StateSet};

/// Sets as diagrams over variables: number 0 is the empty set, 1 the set of all states, and `nodes[i]` is number `i + 2`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValuedNodes {
    /// The variables, the one asked first at the beginning.
    pub order: Vec<VarId>,
    /// Children stand before their parents; equal nodes are one node.
    pub nodes: Vec<ValuedNode>,
    /// The number of each set that was asked for.
    pub roots: Vec<u32>,
}

/// A variable, and what follows for each of its values.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ValuedNode {
    pub var: VarId,
    pub children: Vec<u32>,
}

impl Space {
    /// Some sets as diagrams over variables.
    pub fn valued(&self, sets: &[&StateSet]) -> ValuedNodes {
        let PlainNodes { nodes: bits, roots } =
            self.manager.plain(&sets.iter().map(|set| &set.0).collect::<Vec<_>>());
        let mut order: Vec<VarId> = self.variables().filter(|&var| self.width(var) > 0).collect();
        order.sort_by_key(|&var| self.place(var));
        let mut var_of_bit: Vec<VarId> = Vec::new();
        order.iter().for_each(|&var| var_of_bit.extend((0..self.width(var)).map(|_| var)));
        let mut valued = Valued {
            space: self,
            bits: &bits,
            numbers: FxHashMap::default(),
            made: FxHashMap::default(),
            nodes: Vec::new(),
        };
        valued.numbers.insert(0, 0);
        valued.numbers.insert(1, 1);
        for &root in &roots {
            valued.add(root, &var_of_bit);
        }
        let roots = roots.iter().map(|root| valued.numbers[root]).collect();
        let Valued { nodes, .. } = valued;
        ValuedNodes { order, nodes, roots }
    }
}

struct Valued<'a> {
    space: &'a Space,
    bits: &'a [PlainNode],
    /// The number of a function over bits that asks for no bit within a variable.
    numbers: FxHashMap<u32, u32>,
    made: FxHashMap<ValuedNode, u32>,
    nodes: Vec<ValuedNode>,
}

impl Valued<'_> {
    fn node(&self, number: u32) -> Option<PlainNode> {
        number.checked_sub(2).map(|at| self.bits[at as usize])
    }

    /// Numbers a function and all that follows from it.
    fn add(&mut self, root: u32, var_of_bit: &[VarId]) {
        let mut open = vec![root];
        while let Some(&number) = open.last() {
            let Some(node) = self.node(number).filter(|_| !self.numbers.contains_key(&number)) else {
                open.pop();
                continue;
            };
            let var = var_of_bit[node.level as usize / 2];
            let ends = self.ends(number, var);
            let before = open.len();
            open.extend(ends.iter().filter(|end| !self.numbers.contains_key(end)));
            if open.len() > before {
                continue;
            }
            open.pop();
            let children: Vec<u32> = ends.iter().map(|end| self.numbers[end]).collect();
            let own = match children.iter().all(|&child| child == children[0]) {
                true => children[0],
                false => self.make(ValuedNode { var, children }),
            };
            self.numbers.insert(number, own);
        }
    }

    fn make(&mut self, node: ValuedNode) -> u32 {
        if let Some(&known) = self.made.get(&node) {
            return known;
        }
        self.nodes.push(node.clone());
        let number = self.nodes.len() as u32 + 1;
        self.made.insert(node, number);
        number
    }

    /// Where each value of a variable leads from a node that asks one of its bits.
    fn ends(&self, from: u32, var: VarId) -> Vec<u32> {
        let follow = |value| {
            let word = self.space.code_word(var, value);
            let mut at = from;
            while let Some(node) = self.node(at) {
                let Some(&(_, is_on)) = word.iter().find(|(bit, _)| 2 * bit == node.level) else { break };
                at = if is_on { node.high } else { node.low };
            }
            at
        };
        (0..self.space.size(var)).map(follow).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use counterplay_base::{Budget, Id as _, IdVec, Limit};
    use counterplay_task::{Fact, Value};

    #[test]
    fn sets_over_variables_have_the_same_states() -> Result<(), Limit> {
        let sizes: IdVec<VarId, Value> = vec![3, 1, 5, 2].into();
        let order = [2, 0, 3, 1].map(VarId::new);
        let space = Space::new(sizes.clone(), &order, &Budget::unlimited())?;
        let fact = |var, value| Fact { var: VarId::new(var), value };
        let first = space.facts(&[fact(0, 2), fact(2, 4)])?;
        let second = first.union(&space.facts(&[fact(3, 1), fact(2, 1)])?)?;
        let third = space.all().minus(&second)?;
        let sets = [&first, &second, &third];
        let ValuedNodes { order, nodes, roots } = space.valued(&sets);
        assert_eq!(order, [2, 0, 3].map(VarId::new));
        for number in 0..30u32 {
            let state: IdVec<VarId, Value> = vec![number % 3, 0, number / 3 % 5, number / 15].into();
            for (set, root) in sets.iter().zip(&roots) {
                let mut at = *root;
                while at > 1 {
                    let node = &nodes[at as usize - 2];
                    at = node.children[state[node.var] as usize];
                }
                assert_eq!(at == 1, space.contains(set, &state), "{state:?}");
            }
        }
        Ok(())
    }
}
