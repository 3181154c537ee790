//! Proof-number search of black-box belief states: PNS, L-PNS and E-PNS.

use std::rc::Rc;

use counterplay_base::{Budget, Limit};
use counterplay_proof::{ProofTree, proof_number_search};

use crate::algorithm::PlanOf;
use crate::belief::make_set;
use crate::effort::{Effort, Meter};
use crate::plan::Plan;
use crate::tree::{BeliefNode, BeliefTree, Label};
use crate::world::HiddenWorld;

/// The paper's improvements: legal percepts first (L), early termination (E).
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Options {
    pub(crate) legal_first: bool,
    pub(crate) early: bool,
}

pub(crate) fn search<W: HiddenWorld>(
    world: &W,
    states: &[W::State],
    depth: usize,
    options: Options,
    budget: &Budget,
) -> (Result<Option<PlanOf<W>>, Limit>, Effort) {
    let mut belief = states.to_vec();
    make_set(world, &mut belief);
    let mut rules = BeliefTree {
        world,
        meter: Meter::new(budget),
        legal_first: options.legal_first,
        early: options.early,
    };
    let root = BeliefTree::root(&belief, depth);
    let found = proof_number_search(&mut rules, root, budget);
    let found = found.map(|tree| tree.value().then(|| plan(&tree, tree.root())));
    (found, rules.meter.effort)
}

/// Reads the plan from a proved OR-node.
fn plan<W: HiddenWorld>(tree: &ProofTree<BeliefNode<W>>, or_node: usize) -> PlanOf<W> {
    let child = tree.proved_children(or_node).next().expect("a proved OR-node has a proved child");
    let Label::Attempt(attempt) = tree.node(child).label else { unreachable!("OR-nodes lead to attempts") };
    let mut rejected = None;
    let mut after = Vec::new();
    for case in tree.proved_children(child) {
        match tree.node(case).label {
            Label::Percept(percept) => {
                let replies = tree.proved_children(case).map(|reply| {
                    let Label::Percept(heard) = tree.node(reply).label else {
                        unreachable!("replies lead to percepts")
                    };
                    (heard, plan(tree, reply))
                });
                after.push((percept, replies.collect()));
            }
            _ => rejected = Some(plan(tree, case)),
        }
    }
    Rc::new(Plan { attempt, rejected, after })
}
