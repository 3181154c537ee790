//! Operators that another one replaces.
//!
//! Of operators with the same effects, one that needs no more and costs no more makes the other superfluous.

use std::hash::{Hash, Hasher};

use counterplay_base::Id;
use counterplay_task::{Fact, OpId, Operator, Task};
use rustc_hash::{FxHashMap, FxHasher};

/// Among many operators with equal effects, only equal preconditions are looked for.
const MANY: usize = 64;

/// Removes superfluous operators; how many.
pub(super) fn remove_dominated(task: &mut Task) -> usize {
    let mut buckets: FxHashMap<u64, Vec<OpId>> = FxHashMap::default();
    for (op, operator) in task.operators.enumerate() {
        buckets.entry(hash_effects(operator)).or_default().push(op);
    }
    let mut superfluous = vec![false; task.operators.len()];
    for bucket in buckets.into_values().filter(|bucket| bucket.len() > 1) {
        if bucket.len() <= MANY {
            for &op in &bucket {
                let replaced = bucket
                    .iter()
                    .any(|&other| other != op && !superfluous[other.index()] && replaces(task, other, op));
                superfluous[op.index()] = replaced;
            }
        } else {
            remove_equal(task, bucket, &mut superfluous);
        }
    }
    let before = task.operators.len();
    let mut at = 0;
    let operators = std::mem::take(&mut task.operators);
    task.operators = operators
        .into_iter()
        .filter(|_| {
            at += 1;
            !superfluous[at - 1]
        })
        .collect();
    before - task.operators.len()
}

fn hash_effects(operator: &Operator) -> u64 {
    let mut hasher = FxHasher::default();
    for effect in &operator.effects {
        effect.fact.hash(&mut hasher);
        effect.condition.hash(&mut hasher);
    }
    hasher.finish()
}

/// Whether `one` can stand for `other`; the first of equal operators does.
fn replaces(task: &Task, one: OpId, other: OpId) -> bool {
    let (a, b) = (&task.operators[one], &task.operators[other]);
    let equal = a.cost == b.cost && a.precondition == b.precondition;
    a.effects == b.effects
        && a.cost <= b.cost
        && is_subset(&a.precondition, &b.precondition)
        && (!equal || one < other)
}

fn is_subset(smaller: &[Fact], larger: &[Fact]) -> bool {
    let mut rest = larger.iter();
    smaller.iter().all(|fact| rest.any(|other| other == fact))
}

fn remove_equal(task: &Task, mut bucket: Vec<OpId>, superfluous: &mut [bool]) {
    let effects = |op: OpId| task.operators[op].effects.iter().map(|e| (e.fact, &e.condition));
    bucket.sort_by(|&a, &b| {
        let (left, right) = (&task.operators[a], &task.operators[b]);
        let order = left.precondition.cmp(&right.precondition);
        order.then_with(|| effects(a).cmp(effects(b))).then(left.cost.cmp(&right.cost)).then(a.cmp(&b))
    });
    for pair in bucket.windows(2) {
        let (a, b) = (&task.operators[pair[0]], &task.operators[pair[1]]);
        if a.precondition == b.precondition && a.effects == b.effects {
            superfluous[pair[1].index()] = true;
        }
    }
}
