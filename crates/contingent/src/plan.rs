//! Plans that branch on what is seen.

use rustc_hash::FxHashMap;

use crate::Guarantee;
use crate::graph::{Graph, Label};
use crate::space::BeliefSpace;

/// A plan as a graph of nodes; it begins at node 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BranchingPlan {
    pub guarantee: Guarantee,
    pub nodes: Vec<PlanNode>,
}

/// What to do at one place in a plan.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlanNode {
    /// None at a goal; several if one of them is to be picked at random each time.
    pub steps: Vec<PlanStep>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanStep {
    /// The number of an action of the task.
    pub action: usize,
    /// Where the plan goes on, for each thing that may be seen.
    pub branches: Vec<Branch>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branch {
    /// For each observed fact of the action whether it holds.
    pub percept: Vec<bool>,
    /// The node that comes next.
    pub next: usize,
}

impl BranchingPlan {
    /// The steps of a plan that does not branch.
    pub fn sequence(&self) -> Option<Vec<usize>> {
        let mut actions = Vec::new();
        let mut at = 0;
        loop {
            match &self.nodes[at].steps[..] {
                [] => return Some(actions),
                [PlanStep { action, branches }]
                    if branches.len() == 1 && actions.len() < self.nodes.len() =>
                {
                    actions.push(*action);
                    at = branches[0].next;
                }
                _ => return None,
            }
        }
    }

    /// The largest number of steps to the goal; `None` if the plan has cycles.
    pub fn depth(&self) -> Option<usize> {
        if self.guarantee != Guarantee::Strong {
            return None;
        }
        let mut depth: Vec<Option<usize>> = vec![None; self.nodes.len()];
        let mut open = vec![0];
        while let Some(&at) = open.last() {
            let next = self.nodes[at].steps.iter().flat_map(|step| &step.branches).map(|branch| branch.next);
            match next.clone().find(|&next| depth[next].is_none()) {
                Some(next) => open.push(next),
                None => {
                    let below = next.filter_map(|next| depth[next]).max();
                    depth[at] = Some(below.map_or(0, |below| below + 1));
                    open.pop();
                }
            }
        }
        depth[0]
    }
}

/// The plan that labels spell out.
pub(crate) fn of_labels<S: BeliefSpace>(graph: &Graph<'_, S>) -> BranchingPlan {
    let edges = |node: u32| match graph.nodes[node as usize].label {
        Label::Solved(edge) => vec![edge],
        Label::Goal | Label::Open => Vec::new(),
    };
    collect(graph, Guarantee::Strong, edges)
}

/// The plan with some edges for each belief state.
pub(crate) fn of_edges<S: BeliefSpace>(graph: &Graph<'_, S>, chosen: &[Option<Vec<u32>>]) -> BranchingPlan {
    collect(graph, Guarantee::StrongCyclic, |node| chosen[node as usize].clone().unwrap_or_default())
}

fn collect<S: BeliefSpace>(
    graph: &Graph<'_, S>,
    guarantee: Guarantee,
    chosen: impl Fn(u32) -> Vec<u32>,
) -> BranchingPlan {
    let mut numbers: FxHashMap<u32, usize> = FxHashMap::default();
    let mut order = vec![0u32];
    numbers.insert(0, 0);
    let mut nodes = Vec::new();
    while nodes.len() < order.len() {
        let node = order[nodes.len()];
        let edges = &graph.nodes[node as usize].edges;
        let mut steps = Vec::new();
        for edge in chosen(node) {
            let edge = &edges[edge as usize];
            let mut branches = Vec::new();
            for (percept, next) in &edge.next {
                let number = *numbers.entry(*next).or_insert_with(|| {
                    order.push(*next);
                    order.len() - 1
                });
                branches.push(Branch { percept: percept.clone(), next: number });
            }
            steps.push(PlanStep { action: edge.action as usize, branches });
        }
        nodes.push(PlanNode { steps });
    }
    BranchingPlan { guarantee, nodes }
}
