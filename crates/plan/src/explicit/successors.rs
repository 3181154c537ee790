//! Which operators are applicable in a state.
//!
//! The preconditions of all operators are kept as a decision tree: a node holds the operators whose conditions
//! are used up, and for each variable that comes next in some precondition a switch over its values. Only the
//! branches that agree with the state are visited.

use std::num::NonZeroU32;
use std::ops::Range;

use counterplay_base::IdVec;
use counterplay_task::{Fact, OpId, Task, Value, VarId};

/// The decision tree over the preconditions of a task.
#[derive(Debug)]
pub struct SuccessorTree {
    nodes: Vec<TreeNode>,
    switches: Vec<Switch>,
    /// The child of each value of each switch. The root is no child.
    children: Vec<Option<NonZeroU32>>,
    operators: Vec<OpId>,
}

#[derive(Debug)]
struct TreeNode {
    operators: Range<u32>,
    switches: Range<u32>,
}

#[derive(Debug)]
struct Switch {
    var: VarId,
    children: u32,
}

impl SuccessorTree {
    pub fn new(task: &Task) -> SuccessorTree {
        let mut sorted: Vec<OpId> = task.operators.ids().collect();
        sorted.sort_by(|&a, &b| task.operators[a].precondition.cmp(&task.operators[b].precondition));
        let mut tree = SuccessorTree {
            nodes: Vec::new(),
            switches: Vec::new(),
            children: Vec::new(),
            operators: Vec::new(),
        };
        // Each piece of work is a node to fill: the operators below it, which agree on their first `depth`
        // conditions. Sorted operators with a common prefix stand together.
        let mut work = vec![(0usize, sorted.as_slice(), 0usize)];
        tree.nodes.push(TreeNode { operators: 0..0, switches: 0..0 });
        while let Some((node, ops, depth)) = work.pop() {
            let condition = |op: OpId| task.operators[op].precondition.get(depth).copied();
            let done = ops.partition_point(|&op| condition(op).is_none());
            let first_op = tree.operators.len() as u32;
            tree.operators.extend_from_slice(&ops[..done]);
            let first_switch = tree.switches.len() as u32;
            for same_var in ops[done..].chunk_by(|&a, &b| condition(a).map(var) == condition(b).map(var)) {
                let Some(Fact { var, .. }) = condition(same_var[0]) else { continue };
                let children = tree.children.len();
                tree.children.resize(children + task.domain_size(var) as usize, None);
                tree.switches.push(Switch { var, children: children as u32 });
                for same_fact in same_var.chunk_by(|&a, &b| condition(a) == condition(b)) {
                    let Some(Fact { value, .. }) = condition(same_fact[0]) else { continue };
                    tree.children[children + value as usize] = NonZeroU32::new(tree.nodes.len() as u32);
                    work.push((tree.nodes.len(), same_fact, depth + 1));
                    tree.nodes.push(TreeNode { operators: 0..0, switches: 0..0 });
                }
            }
            tree.nodes[node] = TreeNode {
                operators: first_op..tree.operators.len() as u32,
                switches: first_switch..tree.switches.len() as u32,
            };
        }
        tree
    }

    /// Appends the applicable operators to `out`, in a fixed order.
    pub fn applicable(&self, state: &IdVec<VarId, Value>, stack: &mut Vec<u32>, out: &mut Vec<OpId>) {
        stack.clear();
        stack.push(0);
        while let Some(node) = stack.pop() {
            let TreeNode { operators, switches } = &self.nodes[node as usize];
            out.extend_from_slice(&self.operators[operators.start as usize..operators.end as usize]);
            for switch in &self.switches[switches.start as usize..switches.end as usize] {
                let child = self.children[switch.children as usize + state[switch.var] as usize];
                stack.extend(child.map(NonZeroU32::get));
            }
        }
    }
}

fn var(fact: Fact) -> VarId {
    fact.var
}

#[cfg(test)]
mod tests {
    use super::*;
    use counterplay_task::is_applicable;
    use counterplay_testkit::{random_task, reachable};

    fn scan(task: &Task, state: &IdVec<VarId, Value>) -> Vec<OpId> {
        task.operators.ids().filter(|&op| is_applicable(task, state, op)).collect()
    }

    #[test]
    fn the_tree_agrees_with_a_scan() {
        for seed in 0..300 {
            let task = random_task(seed);
            let tree = SuccessorTree::new(&task);
            for state in reachable(&task) {
                let mut fast = Vec::new();
                tree.applicable(&state, &mut Vec::new(), &mut fast);
                fast.sort_unstable();
                assert_eq!(fast, scan(&task, &state), "seed {seed}");
            }
        }
    }
}
