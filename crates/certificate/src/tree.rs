//! Which operators a state excludes, in few steps.
//!
//! That no other operator is applicable in a state takes a reason for each of them, and there are many. So operators are put into a
//! tree by their preconditions, with a new variable for each node: *an operator below is applied*. A state excludes whole branches.

use counterplay_base::IdVec;
use counterplay_task::{Fact, OpId, Task, Value, VarId};
use rustc_hash::FxHashMap;

use crate::error::Error;
use crate::formula::Numbers;
use crate::lines::{Id, Lines};
use crate::operators::Steps;
use crate::variables::{Lit, Var};

/// Conditions beyond so many are not told apart by the tree.
const MOST_DEPTH: usize = 64;

/// The operators by their preconditions.
#[derive(Debug)]
pub(crate) struct Tree {
    nodes: Vec<Node>,
    /// That a step goes through the root.
    root: Id,
    /// That a value of the variable of a switch excludes its other branches: by node, switch and value.
    excludes: FxHashMap<(usize, usize, Value), Id>,
}

#[derive(Debug, Default)]
struct Node {
    operators: Vec<OpId>,
    switches: Vec<Switch>,
    /// That an operator below implies one here or a branch.
    below: Id,
    /// The fact that everything below needs: that it does.
    needs: Id,
}

#[derive(Debug)]
struct Switch {
    var: VarId,
    /// Values, each with its node.
    branches: Vec<(Value, usize)>,
}

impl Tree {
    /// Builds the tree and proves what it is used for.
    pub(crate) fn new(
        task: &Task,
        steps: &Steps,
        numbers: &Numbers,
        lines: &mut Lines<'_>,
    ) -> Result<Tree, Error> {
        let mut sorted: Vec<OpId> = task.operators.ids().collect();
        sorted.sort_by(|&a, &b| steps.of[a].precondition.cmp(&steps.of[b].precondition));
        let mut tree = Tree { nodes: vec![Node::default()], root: 0, excludes: FxHashMap::default() };
        tree.fill(0, &sorted, 0, steps);
        let mut downward = vec![0; tree.nodes.len()];
        tree.define(0, None, numbers, lines, &mut downward)?;
        let mut hints: Vec<Id> = downward;
        hints.push(numbers.step_operator);
        tree.root = lines.rup_clause([Var::Step.no(), Var::Branch(0).yes()], &hints)?;
        Ok(tree)
    }

    /// Fills a node with operators that agree on their first `depth` conditions.
    fn fill(&mut self, node: usize, ops: &[OpId], depth: usize, steps: &Steps) {
        let condition =
            |op: OpId| steps.of[op].precondition.get(depth).copied().filter(|_| depth < MOST_DEPTH);
        let done = ops.partition_point(|&op| condition(op).is_none());
        self.nodes[node].operators = ops[..done].to_vec();
        let var = |op: OpId| condition(op).map(|fact| fact.var);
        for same_var in ops[done..].chunk_by(|&a, &b| var(a) == var(b)) {
            let Some(var) = var(same_var[0]) else { continue };
            let mut branches = Vec::new();
            for same in same_var.chunk_by(|&a, &b| condition(a) == condition(b)) {
                let Some(Fact { value, .. }) = condition(same[0]) else { continue };
                let child = self.nodes.len();
                self.nodes.push(Node::default());
                self.fill(child, same, depth + 1, steps);
                branches.push((value, child));
            }
            self.nodes[node].switches.push(Switch { var, branches });
        }
    }

    /// Defines the variables of a node and of those below, and proves that everything below needs the fact. Returns the
    /// reasons why the operators below do.
    fn define(
        &mut self,
        node: usize,
        fact: Option<Fact>,
        numbers: &Numbers,
        lines: &mut Lines<'_>,
        downward: &mut [Id],
    ) -> Result<Vec<Id>, Error> {
        let mut reasons: Vec<Id> =
            self.nodes[node].operators.iter().filter_map(|&op| numbers.precondition[op]).collect();
        let mut parts: Vec<Var> = self.nodes[node].operators.iter().map(|&op| Var::Op(op)).collect();
        let branches: Vec<(Fact, usize)> = self.nodes[node]
            .switches
            .iter()
            .flat_map(|switch| {
                switch.branches.iter().map(|&(value, child)| (Fact { var: switch.var, value }, child))
            })
            .collect();
        for (fact, child) in branches {
            reasons.extend(self.define(child, Some(fact), numbers, lines, downward)?);
            parts.push(Var::Branch(child));
        }
        let own = Var::Branch(node);
        let count = parts.len() as u128;
        let some = std::iter::once(own.no()).chain(parts.iter().map(|part| part.yes())).map(|lit| (1, lit));
        self.nodes[node].below = lines.define(some, 1, own, false)?;
        let all = parts.iter().map(|part| (1, part.no()));
        downward[node] =
            lines.define(std::iter::once((count.max(1), own.yes())).chain(all), count, own, true)?;
        reasons.push(self.nodes[node].below);
        if let Some(fact) = fact {
            self.nodes[node].needs = lines.rup_clause([own.no(), Var::Now(fact).yes()], &reasons)?;
        }
        Ok(reasons)
    }

    /// Proves that `outcome` follows from `given` and a step, because each applicable operator has a reason for it.
    pub(crate) fn conclude(
        &mut self,
        (given, meaning): (Var, Vec<Id>),
        outcome: Lit,
        state: &IdVec<VarId, Value>,
        reasons: impl Iterator<Item = Id>,
        known: (&Steps, &Numbers),
        lines: &mut Lines<'_>,
    ) -> Result<Id, Error> {
        let (steps, numbers) = known;
        let mut hints = meaning;
        hints.push(self.root);
        let mut visited = vec![0];
        let mut next = 0;
        while next < visited.len() {
            let node = visited[next];
            next += 1;
            for &op in &self.nodes[node].operators {
                let missing = steps.of[op].precondition.iter().find(|fact| state[fact.var] != fact.value);
                let excluded = missing.zip(numbers.precondition[op]);
                hints.extend(
                    excluded.into_iter().flat_map(|(fact, why)| [numbers.at_most_one[fact.var], why]),
                );
            }
            for switch in 0..self.nodes[node].switches.len() {
                let value = state[self.nodes[node].switches[switch].var];
                hints.push(self.excludes(node, switch, value, numbers, lines)?);
                let branches = &self.nodes[node].switches[switch].branches;
                visited.extend(branches.iter().filter(|branch| branch.0 == value).map(|&(_, child)| child));
            }
        }
        hints.extend(reasons);
        hints.extend(visited.iter().rev().map(|&node| self.nodes[node].below));
        Ok(lines.rup_clause([given.no(), Var::Step.no(), outcome], &hints)?)
    }

    /// That a value excludes all branches of a switch but its own.
    fn excludes(
        &mut self,
        node: usize,
        switch: usize,
        value: Value,
        numbers: &Numbers,
        lines: &mut Lines<'_>,
    ) -> Result<Id, Error> {
        if let Some(&known) = self.excludes.get(&(node, switch, value)) {
            return Ok(known);
        }
        let Switch { var, branches } = &self.nodes[node].switches[switch];
        let others: Vec<usize> =
            branches.iter().filter(|branch| branch.0 != value).map(|&(_, child)| child).collect();
        let mut hints = vec![numbers.at_most_one[*var]];
        hints.extend(others.iter().map(|&child| self.nodes[child].needs));
        let count = others.len() as u128;
        let own = std::iter::once((count.max(1), Var::Now(Fact { var: *var, value }).no()));
        let all = others.iter().map(|&child| (1, Var::Branch(child).no()));
        let id = lines.rup(own.chain(all), count, &hints)?;
        self.excludes.insert((node, switch, value), id);
        Ok(id)
    }
}
