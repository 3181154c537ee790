//! Best-first width search: states that bring something new come first (Lipovetzky and Geffner 2017, BFWS(f5)).
//!
//! States are sorted into classes by the landmarks that are left and by how much of a relaxed plan has been achieved since that number last fell.
//! The *width* of a state is one if it has a fact that no earlier state of its class had, two if it has such a pair of facts, else
//! three. The least width is expanded first, then the least number of landmarks. Plateaus of the other heuristics are crossed quickly in
//! this way; where width says little, those heuristics are better, so both searches take turns.

use std::collections::{BTreeMap, VecDeque};

use counterplay_base::{Budget, Id, IdVec, Limit, Verdict};
use counterplay_task::{Fact, OpId, Task, Value, VarId, is_goal};

use super::super::axioms::AxiomEvaluator;
use super::super::packed::Layout;
use super::super::relaxed::FactId;
use super::super::states::{StateId, States, reserve};
use super::super::step::Stepper;
use super::super::successors::SuccessorTree;
use super::HeuristicCosts;
use super::ff::FastForward;
use super::landmark_count::LandmarkCount;
use super::landmark_graph::LandmarkGraph;
use super::lazy::LANDMARK_WORK;
use crate::Plan;

/// A new state costs as much as looking at so many operators.
const WORK_PER_STATE: u64 = 20;

/// So many words remember which facts and pairs of facts were seen.
const SEEN_WORDS: usize = 1 << 22;

/// A state with what its class is made of.
#[derive(Clone, Copy, Debug)]
struct Node {
    parent: StateId,
    op: OpId,
    /// What the landmarks cost that are left.
    left: u64,
    /// The relaxed plan that counts for it.
    aim: u32,
    /// How many facts of that plan have been achieved, and where the set of them is.
    achieved: u32,
    marks: usize,
}

impl Node {
    fn class(&self) -> u64 {
        mix(self.left, u64::from(self.achieved))
    }
}

/// The search; it can be interrupted and continued.
#[derive(Debug)]
pub(super) struct WidthSearch<'t> {
    task: &'t Task,
    layout: Layout,
    tree: SuccessorTree,
    axioms: Option<AxiomEvaluator>,
    stepper: Stepper<'t>,
    ff: FastForward,
    landmarks: Option<LandmarkCount>,
    states: States,
    nodes: Vec<Node>,
    /// The facts of relaxed plans, sorted.
    aims: Vec<Vec<FactId>>,
    /// The achieved facts of all states, back to back.
    marks: Vec<u64>,
    seen: Vec<u64>,
    open: BTreeMap<(u8, u64), VecDeque<StateId>>,
    /// The state that is expanded, and the operators that are still to be tried.
    current: StateId,
    applicable: Vec<OpId>,
    values: IdVec<VarId, Value>,
    next: IdVec<VarId, Value>,
    all: Vec<FactId>,
    changed: Vec<FactId>,
    stack: Vec<u32>,
    pub(super) expanded: u64,
    work: u64,
}

impl<'t> WidthSearch<'t> {
    pub(super) fn new(task: &'t Task) -> WidthSearch<'t> {
        let layout = Layout::new(task);
        WidthSearch {
            task,
            tree: SuccessorTree::new(task),
            axioms: AxiomEvaluator::new(task),
            stepper: Stepper::new(task, &layout),
            ff: FastForward::new(task, &HeuristicCosts::One.of(task)),
            landmarks: None,
            states: States::new(layout.words()),
            nodes: Vec::new(),
            aims: Vec::new(),
            marks: Vec::new(),
            seen: Vec::new(),
            open: BTreeMap::new(),
            current: StateId::new(0),
            applicable: Vec::new(),
            values: task.initial.clone(),
            next: task.initial.clone(),
            all: Vec::new(),
            changed: Vec::new(),
            stack: Vec::new(),
            expanded: 0,
            work: 0,
            layout,
        }
    }

    /// Operators looked at since the beginning.
    pub(super) fn work(&self) -> u64 {
        self.work + self.ff.work() + self.landmarks.as_ref().map_or(0, LandmarkCount::work)
    }

    /// Whether the tables have grown to a sixth of the memory that is allowed.
    pub(super) fn is_large(&self, budget: &Budget) -> bool {
        let per_state = self.layout.words() * 8 + 32 + size_of::<Node>();
        let held = self.states.len() * per_state + (self.marks.len() + SEEN_WORDS) * 8;
        budget.bytes().is_some_and(|allowed| held > allowed / 6)
    }

    /// Searches until a plan is found or every state has been looked at; or stops with [`Limit::Nodes`] after about so much work.
    pub(super) fn run_for(&mut self, work: u64, budget: &Budget) -> Verdict<Plan> {
        let end = self.work().saturating_add(work);
        self.search(end, budget).into()
    }

    fn search(&mut self, end: u64, budget: &Budget) -> Result<Option<Plan>, Limit> {
        budget.check()?;
        if self.nodes.is_empty()
            && let Some(plan) = self.begin(budget)?
        {
            return Ok(Some(plan));
        }
        while self.work() < end {
            budget.check()?;
            while let Some(op) = self.applicable.pop() {
                self.work += WORK_PER_STATE;
                let packed = self.states.get(self.current);
                self.stepper.step(&self.layout, &self.values, packed, op);
                reserve(&mut self.nodes, 1, budget)?;
                let (state, is_new) = self.states.insert(self.stepper.successor(), budget)?;
                if is_new && let Some(plan) = self.enter(state, Some((self.current, op)), budget)? {
                    return Ok(Some(plan));
                }
            }
            let Some(state) = self.pop() else { return Ok(None) };
            self.expanded += 1;
            self.current = state;
            self.layout.unpack(self.states.get(state), &mut self.values);
            if let Some(axioms) = &mut self.axioms {
                axioms.close(&mut self.values);
            }
            self.tree.applicable(&self.values, &mut self.stack, &mut self.applicable);
            self.applicable.reverse();
        }
        Err(Limit::Nodes(end))
    }

    fn begin(&mut self, budget: &Budget) -> Result<Option<Plan>, Limit> {
        if self.landmarks.is_none() {
            let graph = LandmarkGraph::new(self.task, self.ff.relaxed(), LANDMARK_WORK, budget)?;
            self.landmarks = Some(LandmarkCount::new(self.ff.relaxed(), graph));
        }
        reserve(&mut self.seen, SEEN_WORDS, budget)?;
        self.seen.resize(SEEN_WORDS, 0);
        let mut words = vec![0; self.layout.words()];
        self.layout.pack(&self.task.initial, &mut words);
        let (state, _) = self.states.insert(&words, budget)?;
        self.enter(state, None, budget)
    }

    fn pop(&mut self) -> Option<StateId> {
        let mut first = self.open.first_entry()?;
        let state = first.get_mut().pop_front();
        if first.get().is_empty() {
            first.remove();
        }
        state
    }

    /// Evaluates a new state and lets it wait. Returns a plan if it is a goal.
    fn enter(
        &mut self,
        state: StateId,
        from: Option<(StateId, OpId)>,
        budget: &Budget,
    ) -> Result<Option<Plan>, Limit> {
        self.layout.unpack(self.states.get(state), &mut self.next);
        if let Some(axioms) = &mut self.axioms {
            axioms.close(&mut self.next);
        }
        let landmarks = self.landmarks.as_mut().expect("landmarks are found before the search begins");
        let parent = from.map(|(parent, _)| parent);
        let left = landmarks.evaluate(self.ff.relaxed(), &self.next, parent, budget)?;
        self.look_at_facts(from.is_some());
        let op = from.map_or(OpId::new(0), |(_, op)| op);
        let before = parent.map(|parent| self.nodes[parent.index()]);
        let mut node = Node { parent: parent.unwrap_or(state), op, left, aim: 0, achieved: 0, marks: 0 };
        let mut is_dead = false;
        match before {
            Some(before) if left >= before.left => self.go_on(&mut node, before, budget)?,
            _ => is_dead = !self.aim_anew(&mut node, budget)?,
        }
        self.nodes.push(node);
        if is_goal(self.task, &self.next) {
            return Ok(Some(self.plan(state)));
        }
        if !is_dead {
            let is_new_class = before.is_none_or(|before| before.class() != node.class());
            let width = self.width(node.class(), is_new_class);
            self.open.entry((width, left)).or_default().push_back(state);
        }
        Ok(None)
    }

    /// Lists the facts of the new state, and those that its parent does not have.
    fn look_at_facts(&mut self, has_parent: bool) {
        let relaxed = self.ff.relaxed();
        self.all.clear();
        self.changed.clear();
        for (var, &value) in self.next.enumerate() {
            let fact = relaxed.fact(Fact { var, value });
            self.all.push(fact);
            if !has_parent || self.values[var] != value {
                self.changed.push(fact);
            }
        }
        self.work += self.all.len() as u64 / 4;
    }

    /// The relaxed plan of the parent counts on.
    fn go_on(&mut self, node: &mut Node, before: Node, budget: &Budget) -> Result<(), Limit> {
        let aim = &self.aims[before.aim as usize];
        let width = aim.len().div_ceil(64);
        reserve(&mut self.marks, width, budget)?;
        let start = self.marks.len();
        self.marks.extend_from_within(before.marks..before.marks + width);
        let marks = &mut self.marks[start..];
        for fact in &self.changed {
            if let Ok(at) = aim.binary_search(fact) {
                marks[at / 64] |= 1 << (at % 64);
            }
        }
        node.aim = before.aim;
        node.achieved = marks.iter().map(|word| word.count_ones()).sum();
        node.marks = start;
        Ok(())
    }

    /// A new relaxed plan; `false` if there is none, and then there is no plan from here.
    fn aim_anew(&mut self, node: &mut Node, budget: &Budget) -> Result<bool, Limit> {
        let is_possible = self.ff.evaluate(self.task, &self.next, &mut Vec::new()).is_some();
        let mut facts = if is_possible { self.ff.planned_facts() } else { Vec::new() };
        facts.sort_unstable();
        let width = facts.len().div_ceil(64);
        reserve(&mut self.marks, width, budget)?;
        node.aim = self.aims.len() as u32;
        node.marks = self.marks.len();
        self.marks.extend(std::iter::repeat_n(0, width));
        reserve(&mut self.aims, 1, budget)?;
        self.aims.push(facts);
        Ok(is_possible)
    }

    /// The width of the new state, whose facts are seen from now on. Among pairs only those with a fact that has changed are looked at.
    fn width(&mut self, class: u64, is_new_class: bool) -> u8 {
        let WidthSearch { seen, all, changed, .. } = self;
        let mut see = |first: FactId, second: usize| {
            let bit = mix(mix(class, first.index() as u64), second as u64) as usize % (SEEN_WORDS * 64);
            let word = &mut seen[bit / 64];
            let is_new = *word >> (bit % 64) & 1 == 0;
            *word |= 1 << (bit % 64);
            is_new
        };
        let (mut has_new_fact, mut has_new_pair) = (false, false);
        for &fact in if is_new_class { &*all } else { &*changed } {
            has_new_fact |= see(fact, usize::MAX);
        }
        for &one in &*changed {
            for &other in &*all {
                if one != other {
                    has_new_pair |= see(one.min(other), one.max(other).index());
                }
            }
        }
        self.work += (changed.len() * all.len()) as u64 / 4;
        match (has_new_fact, has_new_pair) {
            (true, _) => 1,
            (false, true) => 2,
            (false, false) => 3,
        }
    }

    /// The way to a state.
    fn plan(&self, state: StateId) -> Plan {
        let step = |state: StateId| (self.nodes[state.index()].op, self.nodes[state.index()].parent);
        super::plan_to(self.task, state, step)
    }
}

/// Two numbers as one that looks random.
fn mix(one: u64, other: u64) -> u64 {
    let mut bits = (one ^ other.rotate_left(32)).wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(other);
    bits ^= bits >> 29;
    bits = bits.wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits ^ bits >> 32
}

#[cfg(test)]
mod tests {
    use super::*;
    use counterplay_task::{apply, close_under_axioms, is_applicable};
    use counterplay_testkit::{brute_force, random_task};

    /// A plan is found exactly where there is one, whatever the slices.
    #[test]
    fn plans_are_found_where_there_are_some() {
        let budget = Budget::unlimited();
        let mut found = 0;
        for seed in 0..300 {
            let task = random_task(seed);
            let mut search = WidthSearch::new(&task);
            let mut verdict = search.run_for(1 + seed * 7, &budget);
            while let Verdict::Stopped(limit) = verdict {
                assert!(matches!(limit, Limit::Nodes(_)));
                verdict = search.run_for(50, &budget);
            }
            assert_eq!(matches!(verdict, Verdict::Solved(_)), brute_force(&task).is_some(), "seed {seed}");
            let Verdict::Solved(plan) = verdict else { continue };
            let mut state = task.initial.clone();
            close_under_axioms(&task, &mut state);
            for &op in &plan.operators {
                assert!(is_applicable(&task, &state, op), "seed {seed}");
                state = apply(&task, &state, op);
            }
            assert!(is_goal(&task, &state), "seed {seed}");
            found += 1;
        }
        assert!(found > 50, "{found} plans");
    }
}
