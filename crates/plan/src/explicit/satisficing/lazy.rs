//! Lazy best-first search: a successor waits with the estimates of its parent and is evaluated when it is expanded.
//!
//! Greedy (the key of a state is its estimate) or as weighted A* (its cost and a multiple of the estimate). States that already
//! cost as much as the bound are left out, so each run finds a better plan than those before it, or proves that there is none.

use counterplay_base::{Budget, Id, IdVec, Limit, Verdict};
use counterplay_task::{OpId, Task, Value, VarId, is_goal};

use super::super::axioms::AxiomEvaluator;
use super::super::packed::Layout;
use super::super::states::{StateId, States, reserve};
use super::super::step::Stepper;
use super::super::successors::SuccessorTree;
use super::HeuristicCosts;
use super::ff::FastForward;
use super::landmark_count::LandmarkCount;
use super::landmark_graph::LandmarkGraph;
use super::queues::{Queues, Waiting};
use crate::Plan;

/// A state costs as much as looking at so many operators, and so much for each successor.
const WORK_PER_STATE: u64 = 20;
const WORK_PER_SUCCESSOR: u64 = 20;

/// Finding landmarks may take so much work.
pub(super) const LANDMARK_WORK: u64 = 100_000_000;

/// How estimates and costs make a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Weight {
    /// The estimate alone.
    Greedy,
    /// The cost so far and so many times the estimate.
    Times(u64),
}

#[derive(Clone, Copy, Debug)]
struct Node {
    parent: StateId,
    op: OpId,
    g: u64,
}

/// A search that can be interrupted, continued, and begun anew with another weight.
#[derive(Debug)]
pub(super) struct Lazy<'t> {
    task: &'t Task,
    layout: Layout,
    tree: SuccessorTree,
    axioms: Option<AxiomEvaluator>,
    stepper: Stepper<'t>,
    ff: FastForward,
    landmarks: Option<LandmarkCount>,
    weight: Weight,
    /// Plans have to cost less.
    bound: Option<u64>,
    states: States,
    nodes: Vec<Node>,
    queues: Queues,
    /// The least estimate of each heuristic so far.
    least: [u64; 2],
    pub(super) expanded: u64,
    work: u64,
    values: IdVec<VarId, Value>,
    applicable: Vec<OpId>,
    preferred: Vec<OpId>,
    is_preferred: IdVec<OpId, u32>,
    stamp: u32,
    stack: Vec<u32>,
}

impl<'t> Lazy<'t> {
    pub(super) fn new(task: &'t Task, costs: HeuristicCosts, weight: Weight) -> Lazy<'t> {
        let layout = Layout::new(task);
        Lazy {
            task,
            tree: SuccessorTree::new(task),
            axioms: AxiomEvaluator::new(task),
            stepper: Stepper::new(task, &layout),
            ff: FastForward::new(task, &costs.of(task)),
            landmarks: None,
            weight,
            bound: None,
            states: States::new(layout.words()),
            nodes: Vec::new(),
            queues: Queues::new(2),
            least: [u64::MAX; 2],
            expanded: 0,
            work: 0,
            values: task.initial.clone(),
            applicable: Vec::new(),
            preferred: Vec::new(),
            is_preferred: IdVec::filled(0, task.operators.len()),
            stamp: 0,
            stack: Vec::new(),
            layout,
        }
    }

    /// Begins anew with another weight.
    pub(super) fn restart(&mut self, weight: Weight) {
        self.weight = weight;
        self.states = States::new(self.layout.words());
        self.nodes = Vec::new();
        self.queues = Queues::new(2);
        self.least = [u64::MAX; 2];
        if let Some(landmarks) = &mut self.landmarks {
            landmarks.forget();
        }
    }

    /// Plans have to cost less than this from now on.
    pub(super) fn set_bound(&mut self, bound: u64) {
        self.bound = Some(bound);
    }

    /// Operators looked at since the beginning.
    pub(super) fn work(&self) -> u64 {
        self.work + self.ff.work() + self.landmarks.as_ref().map_or(0, LandmarkCount::work)
    }

    /// Searches until a plan is found or there is none below the bound; or stops with [`Limit::Nodes`] after about so much work. After
    /// that another call continues.
    pub(super) fn run_for(&mut self, work: u64, budget: &Budget) -> Verdict<Plan> {
        let end = self.work().saturating_add(work);
        self.search(end, budget).into()
    }

    /// Whether the tables have grown to a sixth of the memory that is allowed.
    pub(super) fn is_large(&self, budget: &Budget) -> bool {
        let per_state = self.layout.words() * 8 + 32 + size_of::<Node>();
        let held = self.states.len() * per_state + self.queues.len() * size_of::<Waiting>();
        budget.bytes().is_some_and(|allowed| held > allowed / 6)
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
            let Some(waiting) = self.queues.pop() else { return Ok(None) };
            if let Some(plan) = self.visit(waiting, budget)? {
                return Ok(Some(plan));
            }
        }
        Err(Limit::Nodes(end))
    }

    fn begin(&mut self, budget: &Budget) -> Result<Option<Plan>, Limit> {
        if self.is_too_dear(0) {
            return Ok(None);
        }
        if self.landmarks.is_none() {
            let graph = LandmarkGraph::new(self.task, self.ff.relaxed(), LANDMARK_WORK, budget)?;
            self.landmarks = Some(LandmarkCount::new(self.ff.relaxed(), graph));
        }
        let mut words = vec![0; self.layout.words()];
        self.layout.pack(&self.task.initial, &mut words);
        let (state, _) = self.states.insert(&words, budget)?;
        self.nodes.push(Node { parent: state, op: OpId::new(0), g: 0 });
        self.expand(state, None, budget)
    }

    /// Generates a successor, and evaluates and expands it if it is new or was reached at less cost.
    fn visit(&mut self, Waiting { parent, op }: Waiting, budget: &Budget) -> Result<Option<Plan>, Limit> {
        let g = self.nodes[parent.index()].g.saturating_add(self.task.operators[op].cost);
        if self.is_too_dear(g) {
            return Ok(None);
        }
        self.work += WORK_PER_STATE;
        let packed = self.states.get(parent);
        self.layout.unpack(packed, &mut self.values);
        // Effects may have derived conditions.
        if let Some(axioms) = &mut self.axioms {
            axioms.close(&mut self.values);
        }
        self.stepper.step(&self.layout, &self.values, packed, op);
        reserve(&mut self.nodes, 1, budget)?;
        let (state, is_new) = self.states.insert(self.stepper.successor(), budget)?;
        if is_new {
            self.nodes.push(Node { parent, op, g });
            return self.expand(state, Some(parent), budget);
        }
        let node = &mut self.nodes[state.index()];
        if self.weight != Weight::Greedy && g < node.g {
            *node = Node { parent, op, g };
            return self.expand_again(state);
        }
        Ok(None)
    }

    fn is_too_dear(&self, g: u64) -> bool {
        self.bound.is_some_and(|bound| g >= bound)
    }

    /// Makes a state the one at hand.
    fn load(&mut self, state: StateId) {
        self.layout.unpack(self.states.get(state), &mut self.values);
        if let Some(axioms) = &mut self.axioms {
            axioms.close(&mut self.values);
        }
    }

    /// Evaluates a new state and puts its successors into the queues. Returns a plan if it is a goal.
    fn expand(
        &mut self,
        state: StateId,
        parent: Option<StateId>,
        budget: &Budget,
    ) -> Result<Option<Plan>, Limit> {
        self.load(state);
        let landmarks = self.landmarks.as_mut().expect("landmarks are found before the search begins");
        let by_landmarks = landmarks.evaluate(self.ff.relaxed(), &self.values, parent, budget)?;
        if is_goal(self.task, &self.values) {
            return Ok(Some(self.plan(state)));
        }
        self.preferred.clear();
        let Some(by_ff) = self.ff.evaluate(self.task, &self.values, &mut self.preferred) else {
            return Ok(None);
        };
        let mut has_improved = false;
        for (least, estimate) in self.least.iter_mut().zip([by_ff, by_landmarks]) {
            has_improved |= estimate < *least;
            *least = estimate.min(*least);
        }
        if has_improved {
            self.queues.reward();
        }
        self.push_successors(state, [by_ff, by_landmarks]);
        Ok(None)
    }

    /// Puts the successors of a state into the queues once more, since it was reached at less cost.
    fn expand_again(&mut self, state: StateId) -> Result<Option<Plan>, Limit> {
        self.load(state);
        if is_goal(self.task, &self.values) {
            return Ok(Some(self.plan(state)));
        }
        self.preferred.clear();
        if let Some(by_ff) = self.ff.evaluate(self.task, &self.values, &mut self.preferred) {
            self.push_successors(state, [by_ff, by_ff]);
        }
        Ok(None)
    }

    fn push_successors(&mut self, state: StateId, estimates: [u64; 2]) {
        self.expanded += 1;
        self.stamp += 1;
        self.preferred.iter().for_each(|&op| self.is_preferred[op] = self.stamp);
        self.applicable.clear();
        self.tree.applicable(&self.values, &mut self.stack, &mut self.applicable);
        self.work += WORK_PER_SUCCESSOR * self.applicable.len() as u64;
        let landmarks = self.landmarks.as_mut().expect("landmarks are found before the search begins");
        landmarks.look(state);
        let g = self.nodes[state.index()].g;
        let keys = match self.weight {
            Weight::Greedy => estimates,
            Weight::Times(weight) => estimates.map(|h| g.saturating_add(weight.saturating_mul(h))),
        };
        for &op in &self.applicable {
            let is_preferred = self.is_preferred[op] == self.stamp
                || landmarks.is_preferred(self.task, self.ff.relaxed(), &self.values, op);
            self.queues.push(&keys, is_preferred, Waiting { parent: state, op });
        }
    }

    /// The way to a state.
    fn plan(&self, state: StateId) -> Plan {
        let step = |state: StateId| (self.nodes[state.index()].op, self.nodes[state.index()].parent);
        super::plan_to(self.task, state, step)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use counterplay_task::{apply, close_under_axioms, is_applicable};
    use counterplay_testkit::{brute_force, random_task};

    fn is_plan(task: &Task, plan: &Plan) -> bool {
        let mut state = task.initial.clone();
        close_under_axioms(task, &mut state);
        for &op in &plan.operators {
            if !is_applicable(task, &state, op) {
                return false;
            }
            state = apply(task, &state, op);
        }
        is_goal(task, &state) && task.plan_cost(&plan.operators) == Some(plan.cost)
    }

    /// Greedy search finds a plan exactly where there is one, and weight one with a falling bound ends with the best.
    #[test]
    fn searches_agree_with_brute_force() {
        let budget = Budget::unlimited();
        for seed in 0..400 {
            let task = random_task(seed);
            let truth = brute_force(&task);
            let mut search = Lazy::new(&task, HeuristicCosts::One, Weight::Greedy);
            let mut verdict = search.run_for(1 + seed * 3, &budget);
            while let Verdict::Stopped(limit) = verdict {
                assert!(matches!(limit, Limit::Nodes(_)));
                verdict = search.run_for(50, &budget);
            }
            assert_eq!(matches!(verdict, Verdict::Solved(_)), truth.is_some(), "seed {seed}");
            let Verdict::Solved(mut best) = verdict else { continue };
            assert!(is_plan(&task, &best), "seed {seed}");
            loop {
                search.restart(Weight::Times(1 + seed % 3));
                search.set_bound(best.cost);
                match search.run_for(u64::MAX, &budget) {
                    Verdict::Solved(better) => {
                        assert!(is_plan(&task, &better) && better.cost < best.cost, "seed {seed}");
                        best = better;
                    }
                    Verdict::Unsolvable => break,
                    Verdict::Stopped(limit) => panic!("{limit}"),
                }
            }
            assert_eq!(Some(best.cost), truth, "seed {seed}");
        }
    }
}
