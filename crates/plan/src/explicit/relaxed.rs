//! The delete relaxation of a task, laid out for fast exploration.
//!
//! Facts and relaxed operators are plain numbers, and lists of lists are flat. Fact [`TRUE`] always holds: it
//! stands for every fact that no condition asks for, for the default values of derived variables (which may
//! come back at any time without an operator saying so), and it is the precondition of what has none. Fact
//! [`GOAL`] is reached by a free operator from all goals.
//!
//! An operator with conditional effects becomes several relaxed operators, one for each different condition,
//! that share one cost: they form a *group*. Operators that are equal once deletes are forgotten share a group
//! as well, at the least of their costs; an axiom is a free group of its own.

use counterplay_base::IdVec;
use counterplay_task::{Fact, OpId, Task, Value, VarId};
use rustc_hash::FxHashMap;

/// The fact that always holds.
pub(super) const TRUE: u32 = 0;
/// The fact that holds when all goals do.
pub(super) const GOAL: u32 = 1;

/// A list of numbers for each number, back to back.
#[derive(Debug, Default)]
pub(super) struct Lists {
    start: Vec<u32>,
    items: Vec<u32>,
}

impl Lists {
    fn new(lists: impl Iterator<Item = Vec<u32>>) -> Lists {
        let mut flat = Lists { start: vec![0], items: Vec::new() };
        for list in lists {
            flat.items.extend(list);
            flat.start.push(flat.items.len() as u32);
        }
        flat
    }

    /// For each of `len` numbers, the lists it occurs in.
    fn inverse(&self, len: usize) -> Lists {
        let mut start = vec![0u32; len + 1];
        for &item in &self.items {
            start[item as usize + 1] += 1;
        }
        for i in 0..len {
            start[i + 1] += start[i];
        }
        let mut next = start.clone();
        let mut items = vec![0; self.items.len()];
        for list in 0..self.len() {
            for &item in self.get(list as u32) {
                items[next[item as usize] as usize] = list as u32;
                next[item as usize] += 1;
            }
        }
        Lists { start, items }
    }

    /// Number of lists.
    pub(super) fn len(&self) -> usize {
        self.start.len() - 1
    }

    /// One list.
    #[inline]
    pub(super) fn get(&self, list: u32) -> &[u32] {
        &self.items[self.start[list as usize] as usize..self.start[list as usize + 1] as usize]
    }
}

/// The delete relaxation of a task.
#[derive(Debug)]
pub(super) struct Relaxed {
    /// The relaxed fact of each fact of the task.
    facts: IdVec<VarId, Vec<u32>>,
    /// Number of relaxed facts.
    pub(super) fact_count: usize,
    /// Preconditions of each relaxed operator; never empty.
    pub(super) preconditions: Lists,
    /// Facts that each relaxed operator makes true.
    pub(super) adds: Lists,
    /// The relaxed operators that a fact is a precondition of.
    pub(super) needed_by: Lists,
    /// The relaxed operators that make a fact true.
    pub(super) added_by: Lists,
    /// What each relaxed operator costs.
    pub(super) costs: Vec<u32>,
    /// The group of each relaxed operator; the operators of one group stand together.
    pub(super) group: Vec<u32>,
    /// The first relaxed operator of each group, and the end.
    pub(super) group_start: Vec<u32>,
    /// The group of each operator of the task; an operator that achieves nothing has none.
    pub(super) group_of: IdVec<OpId, Option<u32>>,
    /// The operators of the task in each group.
    pub(super) operators: Lists,
    /// Whether some group has several relaxed operators.
    pub(super) has_shared_costs: bool,
}

/// The relaxed operators of one operator, before they are numbered.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Parts(Vec<(Vec<u32>, Vec<u32>)>);

impl Relaxed {
    /// Relaxes a task whose operators cost `costs`.
    pub(super) fn new(task: &Task, costs: &IdVec<OpId, u64>) -> Relaxed {
        let (facts, fact_count) = number_facts(task);
        let of = |fact: &Fact| facts[fact.var][fact.value as usize];
        let cap = cost_cap(fact_count);

        let mut groups: Vec<(Parts, u32)> = Vec::new();
        let mut known: FxHashMap<Parts, u32> = FxHashMap::default();
        let group_of: IdVec<OpId, Option<u32>> = task
            .operators
            .enumerate()
            .map(|(op, operator)| {
                let parts = Parts::of_operator(operator, of);
                if parts.0.is_empty() {
                    return None;
                }
                let cost = costs[op].min(cap) as u32;
                let group = *known.entry(parts).or_insert_with_key(|parts| {
                    groups.push((parts.clone(), cost));
                    groups.len() as u32 - 1
                });
                let least = &mut groups[group as usize].1;
                *least = cost.min(*least);
                Some(group)
            })
            .collect();
        for axiom in &task.axioms {
            let head = of(&axiom.head);
            let parts = Parts::single(axiom.condition.iter().map(of), [head]);
            if !parts.0.is_empty() && !known.contains_key(&parts) {
                groups.push((parts, 0));
            }
        }
        groups.push((Parts::single(task.goal.iter().map(of), [GOAL]), 0));

        let mut group_start = vec![0];
        let (mut group, mut op_costs) = (Vec::new(), Vec::new());
        for (i, (parts, cost)) in groups.iter().enumerate() {
            group.extend(parts.0.iter().map(|_| i as u32));
            op_costs.extend(parts.0.iter().map(|_| *cost));
            group_start.push(group.len() as u32);
        }
        let parts = || groups.iter().flat_map(|(parts, _)| &parts.0);
        let preconditions = Lists::new(parts().map(|(pre, _)| pre.clone()));
        let adds = Lists::new(parts().map(|(_, adds)| adds.clone()));
        Relaxed {
            facts,
            fact_count,
            needed_by: preconditions.inverse(fact_count),
            added_by: adds.inverse(fact_count),
            preconditions,
            adds,
            costs: op_costs,
            operators: operators_by_group(&group_of, groups.len()),
            has_shared_costs: groups.iter().any(|(parts, _)| parts.0.len() > 1),
            group,
            group_start,
            group_of,
        }
    }

    /// The relaxed operators of a group.
    #[inline]
    pub(super) fn members(&self, group: u32) -> std::ops::Range<u32> {
        self.group_start[group as usize]..self.group_start[group as usize + 1]
    }

    /// Number of groups.
    pub(super) fn group_count(&self) -> usize {
        self.group_start.len() - 1
    }

    /// Number of relaxed operators.
    pub(super) fn operator_count(&self) -> usize {
        self.costs.len()
    }

    /// The relaxed facts that hold in a state, each once.
    pub(super) fn facts_of<'a>(&'a self, state: &'a IdVec<VarId, Value>) -> impl Iterator<Item = u32> + 'a {
        let facts = self.facts.iter().zip(state).map(|(facts, &value)| facts[value as usize]);
        std::iter::once(TRUE).chain(facts.filter(|&fact| fact != TRUE))
    }
}

impl Parts {
    /// One relaxed operator, or none if it achieves nothing.
    fn single(pre: impl Iterator<Item = u32>, adds: impl IntoIterator<Item = u32>) -> Parts {
        let mut pre: Vec<u32> = pre.filter(|&fact| fact != TRUE).collect();
        pre.sort_unstable();
        pre.dedup();
        let mut adds: Vec<u32> =
            adds.into_iter().filter(|fact| *fact != TRUE && pre.binary_search(fact).is_err()).collect();
        adds.sort_unstable();
        adds.dedup();
        if adds.is_empty() {
            return Parts(Vec::new());
        }
        // Counters of open preconditions have 16 bits. Leaving conditions out only makes more possible.
        pre.truncate(u16::MAX as usize);
        if pre.is_empty() {
            pre.push(TRUE);
        }
        Parts(vec![(pre, adds)])
    }

    /// One relaxed operator for each different condition of an effect.
    fn of_operator(operator: &counterplay_task::Operator, of: impl Fn(&Fact) -> u32) -> Parts {
        let mut effects: Vec<(&[Fact], u32)> =
            operator.effects.iter().map(|effect| (effect.condition.as_slice(), of(&effect.fact))).collect();
        effects.sort_unstable();
        let mut parts: Vec<(Vec<u32>, Vec<u32>)> = effects
            .chunk_by(|a, b| a.0 == b.0)
            .filter(|same| agree(same[0].0, &operator.precondition))
            .flat_map(|same| {
                let pre = operator.precondition.iter().chain(same[0].0).map(&of);
                Parts::single(pre, same.iter().map(|&(_, add)| add)).0
            })
            .collect();
        parts.sort_unstable();
        parts.dedup();
        Parts(parts)
    }
}

fn operators_by_group(group_of: &IdVec<OpId, Option<u32>>, groups: usize) -> Lists {
    let of_op = group_of.iter().map(|group| group.iter().copied().collect());
    Lists::new(of_op).inverse(groups)
}

/// Whether no variable is asked for different values by two conditions, both sorted by variable.
pub(super) fn agree(a: &[Fact], b: &[Fact]) -> bool {
    let (mut i, mut j) = (0, 0);
    while i < a.len() && j < b.len() {
        if a[i].var == b[j].var && a[i].value != b[j].value {
            return false;
        }
        let (x, y) = (a[i].var, b[j].var);
        i += usize::from(x <= y);
        j += usize::from(y <= x);
    }
    true
}

/// Numbers the facts that some condition asks for; the others, and defaults of derived variables, are [`TRUE`].
fn number_facts(task: &Task) -> (IdVec<VarId, Vec<u32>>, usize) {
    let mut asked: IdVec<VarId, Vec<bool>> =
        task.variables.iter().map(|variable| vec![false; variable.values.len()]).collect();
    let operators = task.operators.iter();
    let conditions = operators
        .flat_map(|op| {
            std::iter::once(&op.precondition).chain(op.effects.iter().map(|effect| &effect.condition))
        })
        .chain(task.axioms.iter().map(|axiom| &axiom.condition))
        .chain(std::iter::once(&task.goal));
    for fact in conditions.flatten() {
        asked[fact.var][fact.value as usize] = true;
    }
    let mut count = GOAL as usize + 1;
    let facts = task
        .variables
        .enumerate()
        .map(|(var, variable)| {
            let default = variable.derived.map(|derived| derived.default);
            (0..)
                .zip(&asked[var])
                .map(|(value, &asked)| {
                    if !asked || default == Some(value) {
                        return TRUE;
                    }
                    count += 1;
                    count as u32 - 1
                })
                .collect()
        })
        .collect();
    (facts, count)
}

/// The largest cost with which no sum along a path of relaxed facts leaves 32 bits. Dearer operators count as
/// this much, which keeps every estimate a lower bound.
fn cost_cap(fact_count: usize) -> u64 {
    u64::from(u32::MAX - 1) / (fact_count as u64 + 1)
}
