//! The delete relaxation of a task, laid out for fast exploration.
//!
//! Lists of lists are flat. The fact [`FactId::TRUE`] always holds: it stands for every fact that no condition asks for, for the default values of derived variables (which may
//! come back at any time without an operator saying so), and it is the precondition of what has none. Fact
//! [`FactId::GOAL`] is reached by a free operator from all goals.
//!
//! An operator with conditional effects becomes several relaxed operators, one for each different condition,
//! that share one cost: they form a *group*. Operators that are equal once deletes are forgotten share a group
//! as well, at the least of their costs; an axiom is a free group of its own.

use counterplay_base::{Id, IdLists, IdVec, id};
use counterplay_task::{Fact, OpId, Task, Value, VarId};
use rustc_hash::FxHashMap;

id! {
    /// A fact of the relaxed task.
    pub struct FactId;
    pub struct RelaxedId;
    /// A group of relaxed operators.
    pub struct GroupId;
}

impl FactId {
    /// The fact that always holds.
    pub const TRUE: FactId = FactId(0);
    /// The fact that holds when all goals do.
    pub const GOAL: FactId = FactId(1);
}

/// The delete relaxation of a task.
#[derive(Debug)]
pub struct Relaxed {
    /// The relaxed fact of each fact of the task.
    facts: IdVec<VarId, Vec<FactId>>,
    /// Number of relaxed facts.
    pub fact_count: usize,
    /// Preconditions of each relaxed operator; never empty.
    pub preconditions: IdLists<RelaxedId, FactId>,
    /// Facts that each relaxed operator makes true.
    pub adds: IdLists<RelaxedId, FactId>,
    /// The relaxed operators that a fact is a precondition of.
    pub needed_by: IdLists<FactId, RelaxedId>,
    /// The relaxed operators that make a fact true.
    pub added_by: IdLists<FactId, RelaxedId>,
    /// What each relaxed operator costs.
    pub costs: IdVec<RelaxedId, u32>,
    /// The group of each relaxed operator.
    pub group: IdVec<RelaxedId, GroupId>,
    /// The relaxed operators of each group.
    pub members: IdLists<GroupId, RelaxedId>,
    /// The group of each operator of the task; an operator that achieves nothing has none.
    pub group_of: IdVec<OpId, Option<GroupId>>,
    /// The operators of the task in each group.
    pub operators: IdLists<GroupId, OpId>,
    /// Whether some group has several relaxed operators.
    pub has_shared_costs: bool,
}

/// The relaxed operators of one operator, before they are numbered.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Parts(Vec<Part>);

/// Preconditions and effects.
type Part = (Vec<FactId>, Vec<FactId>);

impl Relaxed {
    /// Relaxes a task whose operators cost `costs`.
    pub fn new(task: &Task, costs: &IdVec<OpId, u64>) -> Relaxed {
        let (facts, fact_count) = number_facts(task);
        let of = |fact: &Fact| facts[fact.var][fact.value as usize];
        let cap = cost_cap(fact_count);

        let mut groups: IdVec<GroupId, (Parts, u32)> = IdVec::new();
        let mut known: FxHashMap<Parts, GroupId> = FxHashMap::default();
        let group_of: IdVec<OpId, Option<GroupId>> = task
            .operators
            .enumerate()
            .map(|(op, operator)| {
                let parts = Parts::of_operator(operator, of);
                if parts.0.is_empty() {
                    return None;
                }
                let cost = costs[op].min(cap) as u32;
                let group =
                    *known.entry(parts).or_insert_with_key(|parts| groups.push((parts.clone(), cost)));
                let least = &mut groups[group].1;
                *least = cost.min(*least);
                Some(group)
            })
            .collect();
        for axiom in &task.axioms {
            let parts = Parts::single(axiom.condition.iter().map(of), [of(&axiom.head)]);
            if !parts.0.is_empty() {
                groups.push((parts, 0));
            }
        }
        groups.push((Parts::single(task.goal.iter().map(of), [FactId::GOAL]), 0));
        Relaxed::from_groups(facts, fact_count, &groups, group_of)
    }

    fn from_groups(
        facts: IdVec<VarId, Vec<FactId>>,
        fact_count: usize,
        groups: &IdVec<GroupId, (Parts, u32)>,
        group_of: IdVec<OpId, Option<GroupId>>,
    ) -> Relaxed {
        let (mut preconditions, mut adds) = (IdLists::new(), IdLists::new());
        let (mut needed_by, mut added_by) = (Vec::new(), Vec::new());
        let (mut group_of_relaxed, mut costs) = (IdVec::new(), IdVec::new());
        let mut members = IdLists::new();
        for (group, (parts, cost)) in groups.enumerate() {
            let first = costs.len();
            for (pre, add) in &parts.0 {
                let op = costs.push(*cost);
                group_of_relaxed.push(group);
                let _: RelaxedId = preconditions.push(pre.iter().copied());
                let _: RelaxedId = adds.push(add.iter().copied());
                needed_by.extend(pre.iter().map(|&fact| (fact, op)));
                added_by.extend(add.iter().map(|&fact| (fact, op)));
            }
            let _: GroupId = members.push((first..costs.len()).map(RelaxedId::new));
        }
        let operators: Vec<(GroupId, OpId)> =
            group_of.enumerate().filter_map(|(op, group)| group.map(|group| (group, op))).collect();
        Relaxed {
            facts,
            fact_count,
            preconditions,
            adds,
            needed_by: IdLists::from_pairs(fact_count, &needed_by),
            added_by: IdLists::from_pairs(fact_count, &added_by),
            has_shared_costs: costs.len() > groups.len(),
            costs,
            group: group_of_relaxed,
            members,
            operators: IdLists::from_pairs(groups.len(), &operators),
            group_of,
        }
    }

    pub fn group_count(&self) -> usize {
        self.members.len()
    }

    /// Number of relaxed operators.
    pub fn operator_count(&self) -> usize {
        self.costs.len()
    }

    /// The relaxed fact of a fact.
    pub fn fact(&self, fact: Fact) -> FactId {
        self.facts[fact.var][fact.value as usize]
    }

    /// The relaxed facts that hold in a state, each once.
    pub fn facts_of<'a>(&'a self, state: &'a IdVec<VarId, Value>) -> impl Iterator<Item = FactId> + 'a {
        let facts = self.facts.iter().zip(state).map(|(facts, &value)| facts[value as usize]);
        std::iter::once(FactId::TRUE).chain(facts.filter(|&fact| fact != FactId::TRUE))
    }
}

impl Parts {
    /// One relaxed operator, or none if it achieves nothing.
    fn single(pre: impl Iterator<Item = FactId>, adds: impl IntoIterator<Item = FactId>) -> Parts {
        let mut pre: Vec<FactId> = pre.filter(|&fact| fact != FactId::TRUE).collect();
        pre.sort_unstable();
        pre.dedup();
        let mut adds: Vec<FactId> = adds
            .into_iter()
            .filter(|fact| *fact != FactId::TRUE && pre.binary_search(fact).is_err())
            .collect();
        adds.sort_unstable();
        adds.dedup();
        if adds.is_empty() {
            return Parts(Vec::new());
        }
        // Counters of open preconditions have 16 bits. Leaving conditions out only makes more possible.
        pre.truncate(u16::MAX as usize);
        if pre.is_empty() {
            pre.push(FactId::TRUE);
        }
        Parts(vec![(pre, adds)])
    }

    /// One relaxed operator for each different condition of an effect.
    fn of_operator(operator: &counterplay_task::Operator, of: impl Fn(&Fact) -> FactId) -> Parts {
        let mut effects: Vec<(&[Fact], FactId)> =
            operator.effects.iter().map(|effect| (effect.condition.as_slice(), of(&effect.fact))).collect();
        effects.sort_unstable();
        let mut parts: Vec<Part> = effects
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

/// Numbers the facts that some condition asks for; the others, and defaults of derived variables, are
/// [`FactId::TRUE`].
fn number_facts(task: &Task) -> (IdVec<VarId, Vec<FactId>>, usize) {
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
    let mut count = FactId::GOAL.index() + 1;
    let facts = task
        .variables
        .enumerate()
        .map(|(var, variable)| {
            let default = variable.derived.map(|derived| derived.default);
            (0..)
                .zip(&asked[var])
                .map(|(value, &asked)| {
                    if !asked || default == Some(value) {
                        return FactId::TRUE;
                    }
                    count += 1;
                    FactId::new(count - 1)
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
