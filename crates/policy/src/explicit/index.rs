//! Which of many conditions hold in a state.
//!
//! The conditions lie in a tree that asks one variable after the other, in the order of their numbers: a node has
//! a branch for each value that some condition asks for, and a way on for conditions that ask nothing of the
//! variable. Only branches that agree with the state are walked.

use counterplay_base::{Id, IdVec};
use counterplay_task::{Fact, Value, VarId};

/// Conditions with a number each.
#[derive(Debug, Default)]
pub(crate) struct Index {
    nodes: Vec<TrieNode>,
}

#[derive(Debug, Default)]
struct TrieNode {
    /// The conditions that end here.
    items: Vec<u32>,
    /// The next variable with the nodes of its values, for conditions that go on.
    switches: Vec<(VarId, Vec<(Value, u32)>)>,
}

impl Index {
    /// Adds a condition, sorted by variable.
    pub(crate) fn insert(&mut self, condition: &[Fact], item: u32) {
        if self.nodes.is_empty() {
            self.nodes.push(TrieNode::default());
        }
        let mut at = 0;
        for fact in condition {
            at = self.child(at, *fact);
        }
        self.nodes[at].items.push(item);
    }

    fn child(&mut self, at: usize, fact: Fact) -> usize {
        let fresh = self.nodes.len() as u32;
        let switches = &mut self.nodes[at].switches;
        let place = match switches.binary_search_by_key(&fact.var.index(), |(var, _)| var.index()) {
            Ok(place) => place,
            Err(place) => {
                switches.insert(place, (fact.var, Vec::new()));
                place
            }
        };
        let values = &mut switches[place].1;
        match values.binary_search_by_key(&fact.value, |&(value, _)| value) {
            Ok(known) => values[known].1 as usize,
            Err(gap) => {
                values.insert(gap, (fact.value, fresh));
                self.nodes.push(TrieNode::default());
                fresh as usize
            }
        }
    }

    /// Calls `visit` with each condition that holds until it says `true`; whether it did.
    pub(crate) fn any(&self, state: &IdVec<VarId, Value>, mut visit: impl FnMut(u32) -> bool) -> bool {
        self.any_known(&|var| Some(state[var]), &mut visit)
    }

    /// The least number of a condition that holds.
    pub(crate) fn first(&self, state: &IdVec<VarId, Value>) -> Option<u32> {
        let mut first = None;
        self.any(state, |item| {
            first = Some(first.map_or(item, |first: u32| first.min(item)));
            false
        });
        first
    }

    /// Like [`Index::any`] where not every value is known; only conditions that certainly hold are visited.
    pub(crate) fn any_known(
        &self,
        value: &impl Fn(VarId) -> Option<Value>,
        visit: &mut impl FnMut(u32) -> bool,
    ) -> bool {
        !self.nodes.is_empty() && self.walk(0, value, visit)
    }

    fn walk(
        &self,
        at: usize,
        value: &impl Fn(VarId) -> Option<Value>,
        visit: &mut impl FnMut(u32) -> bool,
    ) -> bool {
        let node = &self.nodes[at];
        if node.items.iter().any(|&item| visit(item)) {
            return true;
        }
        node.switches.iter().any(|(var, values)| {
            let Some(known) = value(*var) else { return false };
            let found = values.binary_search_by_key(&known, |&(value, _)| value);
            found.is_ok_and(|place| self.walk(values[place].1 as usize, value, visit))
        })
    }

    pub(crate) fn clear(&mut self) {
        self.nodes.clear();
    }
}
