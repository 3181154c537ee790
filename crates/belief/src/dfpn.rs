//! Depth-first proof-number search with a table of belief states.

use std::rc::Rc;

use counterplay_base::{Budget, Limit};
use counterplay_proof::{AndOr, Expansion, Keyed, TranspositionTable, df_pn, proved_child};

use crate::algorithm::PlanOf;
use crate::belief::make_set;
use crate::effort::{Effort, Meter};
use crate::plan::Plan;
use crate::tree::{BeliefNode, BeliefTree, Label};
use crate::world::HiddenWorld;

pub(crate) fn search<W: HiddenWorld>(
    world: &W,
    states: &[W::State],
    depth: usize,
    budget: &Budget,
) -> (Result<Option<PlanOf<W>>, Limit>, Effort) {
    let mut belief = states.to_vec();
    make_set(world, &mut belief);
    let mut rules = BeliefTree { world, meter: Meter::new(budget), legal_first: true, early: true };
    let root = BeliefTree::root(&belief, depth);
    let found = df_pn(&mut rules, &root, budget);
    let found = found.and_then(
        |(proved, table)| {
            if proved { plan(&mut rules, &table, &root).map(Some) } else { Ok(None) }
        },
    );
    (found, rules.meter.effort)
}

/// Reads the plan of a proved OR-node from the table.
fn plan<W: HiddenWorld>(
    rules: &mut BeliefTree<'_, W>,
    table: &TranspositionTable<<BeliefTree<'_, W> as Keyed>::Key>,
    node: &BeliefNode<W>,
) -> Result<PlanOf<W>, Limit> {
    let attempts = children(rules, node)?;
    let chosen = proved_child(rules, table, &attempts).expect("a proved OR-node has a proved child");
    let Label::Attempt(attempt) = chosen.label else { unreachable!("OR-nodes lead to attempts") };
    let mut rejected = None;
    let mut after = Vec::new();
    for case in children(rules, chosen)? {
        match case.label {
            Label::Percept(percept) => {
                let mut replies = Vec::new();
                for reply in children(rules, &case)? {
                    let Label::Percept(heard) = reply.label else { unreachable!("replies lead to percepts") };
                    replies.push((heard, plan(rules, table, &reply)?));
                }
                after.push((percept, replies));
            }
            _ => rejected = Some(plan(rules, table, &case)?),
        }
    }
    Ok(Rc::new(Plan { attempt, rejected, after }))
}

fn children<W: HiddenWorld>(
    rules: &mut BeliefTree<'_, W>,
    node: &BeliefNode<W>,
) -> Result<Vec<BeliefNode<W>>, Limit> {
    Ok(match rules.expand(node)? {
        Expansion::Any(children) | Expansion::All(children) => children,
        Expansion::Proved | Expansion::Disproved => Vec::new(),
    })
}
