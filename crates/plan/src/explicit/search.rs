//! The search itself.
//!
//! A state enters the open list with a bound that its parent's estimate and landmarks give. When it comes out for
//! the first time it is evaluated, and goes back if that raises its estimate; only then it is expanded. Bounds hold
//! for states, not for paths, so it does no harm to keep the best of several.

use counterplay_base::{Budget, BudgetPoll, Id, IdVec, Limit, Progress, Report, Verdict};
use counterplay_task::{OpId, Task, Value, VarId, is_goal};

use super::axioms::AxiomEvaluator;
use super::incremental_lmcut::{IncrementalLmCut, ParentLandmarks};
use super::landmarks::ListId;
use super::open::OpenList;
use super::packed::{Layout, PackedCondition};
use super::states::{StateId, States, reserve};
use super::step::Stepper;
use super::stubborn::Stubborn;
use super::successors::SuccessorTree;
use super::symmetry::Symmetries;
use crate::{Heuristic, Plan, Statistics};

/// Progress is reported after so many states, and whenever the lower bound rises.
const REPORT_INTERVAL: u64 = 4096;

/// When so many evaluations have not been enough, the task is looked at more closely, for symmetries and for a better
/// way to compute estimates. If something is found, the search begins anew.
const EVALUATIONS_BEFORE_CLOSER_LOOK: u64 = 50;

/// Estimates are compared on so many states.
const SAMPLE: usize = 5;

/// The search for symmetries may look at each condition of an operator about so often. Most need far less.
const SYMMETRY_WORK: u64 = 500;

/// An A* search that can be interrupted and continued.
///
/// Estimates may be inconsistent, so closed states are opened again when a cheaper way to them turns up. Costs
/// are counted in units of their greatest common divisor.
#[derive(Debug)]
pub struct AStar<'t> {
    task: &'t Task,
    unit: u64,
    costs: IdVec<OpId, u64>,
    layout: Layout,
    goal: PackedCondition,
    tree: SuccessorTree,
    axioms: Option<AxiomEvaluator>,
    evaluator: Evaluator,
    stepper: Stepper<'t>,
    /// The task is looked at more closely after this many evaluations; `None` once that has been done.
    closer_look: Option<u64>,
    /// Partial-order reduction, as long as it helps.
    stubborn: Option<Stubborn>,
    states: States,
    nodes: Vec<SearchNode>,
    open: OpenList,
    figures: Figures,
    verdict: Option<Verdict<Plan>>,
    work_limit: u64,
    /// The state at hand, unpacked, and sometimes its parent.
    values: IdVec<VarId, Value>,
    parent: IdVec<VarId, Value>,
    applicable: Vec<OpId>,
    landmark: Vec<OpId>,
    stack: Vec<u32>,
}

/// A state costs as much as looking at so many operators.
const WORK_PER_STATE: u64 = 20;

/// How far a search has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    /// States expanded, reopened ones each time.
    pub expanded: u64,
    /// States evaluated by the heuristic.
    pub evaluated: u64,
    /// Different states met.
    pub states: u64,
    /// Closed states that were opened again.
    pub reopened: u64,
    /// The estimate of the initial state, in the task's cost units.
    pub initial_estimate: u64,
    /// The cost below which no plan exists, in the task's cost units.
    pub lower_bound: u64,
}

/// What is known about a state; the initial state is the first and its own parent.
#[derive(Clone, Copy, Debug)]
struct SearchNode {
    g: u64,
    h: u64,
    parent: StateId,
    op: OpId,
    landmarks: Option<ListId>,
    status: Status,
    /// Whether the operator leads to a state that is only symmetric to this one.
    is_image: bool,
}

impl SearchNode {
    /// What a plan through the state costs at least.
    fn f(&self) -> u64 {
        self.g.saturating_add(self.h)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Status {
    /// Its estimate is only what its parents say.
    Bounded,
    /// Its estimate is its own.
    Evaluated,
    /// It has been expanded.
    Closed,
    /// No goal can be reached from it.
    Dead,
}

#[derive(Debug)]
enum Evaluator {
    Blind { least: u64 },
    LmCut(Box<IncrementalLmCut>),
}

impl<'t> AStar<'t> {
    /// Prepares a search from the initial state of a task.
    pub fn new(task: &'t Task, heuristic: Heuristic) -> AStar<'t> {
        let unit = task.operators.iter().fold(0, |unit, op| gcd(unit, op.cost)).max(1);
        let costs: IdVec<OpId, u64> = task.operators.iter().map(|op| op.cost / unit).collect();
        let evaluator = match heuristic {
            Heuristic::Blind => Evaluator::Blind { least: costs.iter().copied().min().unwrap_or(0) },
            Heuristic::LmCut => Evaluator::LmCut(Box::new(IncrementalLmCut::new(task, &costs))),
        };
        let layout = Layout::new(task);
        AStar {
            task,
            unit,
            costs,
            goal: PackedCondition::new(&layout, &task.goal),
            tree: SuccessorTree::new(task),
            axioms: AxiomEvaluator::new(task),
            stubborn: match evaluator {
                Evaluator::Blind { .. } => None,
                Evaluator::LmCut(_) => Stubborn::new(task),
            },
            evaluator,
            states: States::new(layout.words()),
            nodes: Vec::new(),
            open: OpenList::default(),
            figures: Figures::default(),
            verdict: None,
            work_limit: u64::MAX,
            values: task.initial.clone(),
            parent: task.initial.clone(),
            stepper: Stepper::new(task, &layout),
            closer_look: match heuristic {
                Heuristic::Blind => None,
                Heuristic::LmCut => Some(EVALUATIONS_BEFORE_CLOSER_LOOK),
            },
            layout,
            applicable: Vec::new(),
            landmark: Vec::new(),
            stack: Vec::new(),
        }
    }

    /// Searches until the answer is known or the budget is spent. After [`Verdict::Stopped`] another call
    /// continues where this one ended.
    pub fn run(&mut self, budget: &Budget, progress: &dyn Progress) -> Verdict<Plan> {
        if let Some(verdict) = &self.verdict {
            return verdict.clone();
        }
        match self.search(budget, progress) {
            Ok(verdict) => {
                self.verdict = Some(verdict.clone());
                verdict
            }
            Err(limit) => Verdict::Stopped(limit),
        }
    }

    /// Like [`AStar::run`], but stops with [`Limit::Nodes`] when about so much work is done: where it stops then
    /// depends on the task alone and not on the machine.
    pub fn run_for(&mut self, work: u64, budget: &Budget, progress: &dyn Progress) -> Verdict<Plan> {
        self.work_limit = self.work().saturating_add(work);
        let verdict = self.run(budget, progress);
        self.work_limit = u64::MAX;
        verdict
    }

    /// The work done since the beginning: operators looked at by the heuristic, and states.
    pub fn work(&self) -> u64 {
        let evaluator = match &self.evaluator {
            Evaluator::Blind { .. } => 0,
            Evaluator::LmCut(lmcut) => lmcut.work(),
        };
        evaluator + WORK_PER_STATE * self.figures.states
    }

    /// The cost below which no plan exists, as far as it is proved.
    pub fn lower_bound(&self) -> u64 {
        self.figures.lower_bound
    }

    /// How far the search has come.
    pub fn figures(&self) -> Figures {
        self.figures
    }

    /// The figures in the words of an answer.
    pub fn statistics(&self) -> Statistics {
        let ran = match self.evaluator {
            Evaluator::Blind { .. } => "blind A*",
            Evaluator::LmCut(_) => "A* with LM-cut",
        };
        let upper_bound = match &self.verdict {
            Some(Verdict::Solved(plan)) => Some(plan.cost),
            _ => None,
        };
        Statistics {
            ran: ran.to_owned(),
            expanded: self.figures.expanded,
            lower_bound: self.figures.lower_bound,
            upper_bound,
            ..Statistics::default()
        }
    }

    fn search(&mut self, budget: &Budget, progress: &dyn Progress) -> Result<Verdict<Plan>, Limit> {
        budget.check()?;
        if self.nodes.is_empty() {
            self.begin(budget)?;
        }
        let mut poll = BudgetPoll::every(32);
        let mut reported = self.figures;
        while let Some((f, h, state)) = self.open.pop() {
            let node = self.nodes[state.index()];
            if matches!(node.status, Status::Closed | Status::Dead) || (node.f(), node.h) != (f, h) {
                continue;
            }
            self.figures.lower_bound = self.figures.lower_bound.max(f.saturating_mul(self.unit));
            let within = poll.step(budget).and_then(|()| budget.allow_nodes(self.states.len() as u64));
            let within = match self.work() >= self.work_limit {
                true => Err(Limit::Nodes(self.work_limit)),
                false => within,
            };
            if let Err(limit) = within {
                self.open.push(f, h, state);
                return Err(limit);
            }
            if self.figures.lower_bound > reported.lower_bound
                || self.figures.evaluated + self.figures.expanded
                    >= reported.evaluated + reported.expanded + REPORT_INTERVAL
            {
                reported = self.figures;
                self.report(progress);
            }
            if self.closer_look.is_some_and(|after| self.figures.evaluated >= after) {
                self.open.push(f, h, state);
                self.look_closer(budget)?;
                continue;
            }
            match self.visit(state, budget) {
                Ok(None) => {}
                Ok(Some(plan)) => {
                    self.report(progress);
                    return Ok(Verdict::Solved(plan));
                }
                Err(limit) => {
                    let node = self.nodes[state.index()];
                    self.open.push(node.f(), node.h, state);
                    return Err(limit);
                }
            }
        }
        Ok(Verdict::Unsolvable)
    }

    fn report(&self, progress: &dyn Progress) {
        progress.bounds(self.figures.lower_bound, None);
        let counts = [
            ("lower bound", self.figures.lower_bound as f64),
            ("expanded", self.figures.expanded as f64),
            ("evaluated", self.figures.evaluated as f64),
            ("states", self.figures.states as f64),
        ];
        progress.report(Report { phase: "A*", counts: &counts });
    }

    /// Puts the initial state into the open list.
    fn begin(&mut self, budget: &Budget) -> Result<(), Limit> {
        let mut words = vec![0; self.layout.words()];
        self.layout.pack(&self.task.initial, &mut words);
        let (state, _) = self.states.insert(&words, budget)?;
        self.nodes.push(SearchNode {
            g: 0,
            h: 0,
            parent: state,
            op: OpId::new(0),
            landmarks: None,
            status: Status::Bounded,
            is_image: false,
        });
        self.open.push(0, 0, state);
        Ok(())
    }

    /// Looks for symmetries and for a better way to compute estimates, and begins anew if there is one.
    fn look_closer(&mut self, budget: &Budget) -> Result<(), Limit> {
        let Evaluator::LmCut(lmcut) = &mut self.evaluator else { return Ok(()) };
        let states = self.states.len();
        let sample: Vec<IdVec<VarId, Value>> = (0..SAMPLE.min(states))
            .map(|i| {
                let state = self.states.get(StateId::new(i * states / SAMPLE));
                self.layout.unpack(state, &mut self.values);
                if let Some(axioms) = &mut self.axioms {
                    axioms.close(&mut self.values);
                }
                self.values.clone()
            })
            .collect();
        let changed = lmcut.choose(&sample, budget)?;
        self.closer_look = None;
        let conditions: usize =
            self.task.operators.iter().map(|op| op.precondition.len() + op.effects.len()).sum();
        let symmetries = Symmetries::find(self.task, SYMMETRY_WORK * (conditions as u64 + 1000));
        if !changed && symmetries.is_none() {
            return Ok(());
        }
        lmcut.forget();
        if let Some(symmetries) = symmetries {
            lmcut.use_symmetries(&symmetries);
            self.stepper.use_symmetries(symmetries);
        }
        self.states = States::new(self.layout.words());
        self.nodes.clear();
        self.open = OpenList::default();
        self.begin(budget)
    }

    /// Evaluates a state if need be, and expands it if it still is the most promising. Returns a plan if the
    /// state is a goal. After an error the state is as before, but for successors it may have got already.
    fn visit(&mut self, state: StateId, budget: &Budget) -> Result<Option<Plan>, Limit> {
        self.layout.unpack(self.states.get(state), &mut self.values);
        if let Some(axioms) = &mut self.axioms {
            axioms.close(&mut self.values);
        }
        let node = self.nodes[state.index()];
        if node.status == Status::Bounded {
            let h = self.evaluate(state, budget)?;
            let node = &mut self.nodes[state.index()];
            let Some(h) = h else {
                node.status = Status::Dead;
                return Ok(None);
            };
            node.status = Status::Evaluated;
            if state.index() == 0 {
                let estimate = h.saturating_mul(self.unit);
                self.figures.initial_estimate = self.figures.initial_estimate.max(estimate);
            }
            if h > node.h {
                node.h = h;
                self.open.push(node.f(), h, state);
                return Ok(None);
            }
        }
        if is_goal(self.task, &self.values) {
            return Ok(Some(self.plan(state)));
        }
        self.expand(state, budget)?;
        Ok(None)
    }

    /// The estimate of the state at hand; `None` for a dead end.
    fn evaluate(&mut self, state: StateId, budget: &Budget) -> Result<Option<u64>, Limit> {
        self.figures.evaluated += 1;
        let lmcut = match &mut self.evaluator {
            Evaluator::Blind { least } => {
                let is_goal = is_goal(self.task, &self.values);
                return Ok(Some(if is_goal { 0 } else { *least }));
            }
            Evaluator::LmCut(lmcut) => lmcut,
        };
        if lmcut.is_full(budget) {
            lmcut.forget();
            self.nodes.iter_mut().for_each(|node| node.landmarks = None);
        }
        let SearchNode { parent, op, is_image, .. } = self.nodes[state.index()];
        let list = self.nodes[parent.index()].landmarks;
        if is_image && list.is_some() {
            // How the state came about is not stored, but easily found again.
            let packed = self.states.get(parent);
            self.layout.unpack(packed, &mut self.parent);
            self.stepper.step(&self.layout, &self.parent, packed, op);
        }
        let applied = if is_image { self.stepper.applied() } else { &[] };
        let parent = list.map(|list| ParentLandmarks { list, op, applied });
        let estimate = lmcut.evaluate(&self.values, parent, budget)?;
        Ok(estimate.map(|(h, list)| {
            self.nodes[state.index()].landmarks = list;
            h
        }))
    }

    /// Generates the successors of the state at hand.
    fn expand(&mut self, state: StateId, budget: &Budget) -> Result<(), Limit> {
        let node = self.nodes[state.index()];
        self.applicable.clear();
        self.tree.applicable(&self.values, &mut self.stack, &mut self.applicable);
        if let (Evaluator::LmCut(lmcut), Some(list)) = (&mut self.evaluator, node.landmarks) {
            lmcut.open(list);
            if let Some(stubborn) = &mut self.stubborn {
                self.landmark.clear();
                lmcut.narrowest(list, &self.applicable, &mut self.landmark);
                stubborn.prune(self.task, &self.values, &self.landmark, &mut self.applicable);
                if stubborn.is_useless() {
                    self.stubborn = None;
                }
            }
        }
        let mut result = Ok(());
        for i in 0..self.applicable.len() {
            let op = self.applicable[i];
            let from_landmarks = match &self.evaluator {
                Evaluator::Blind { .. } => 0,
                Evaluator::LmCut(lmcut) => lmcut.bound_after(op),
            };
            let bound = from_landmarks.max(node.h.saturating_sub(self.costs[op]));
            result = self.generate(state, op, bound, budget);
            if result.is_err() {
                break;
            }
        }
        if let (Evaluator::LmCut(lmcut), Some(list)) = (&mut self.evaluator, node.landmarks) {
            lmcut.close(list);
        }
        result?;
        self.figures.expanded += 1;
        self.nodes[state.index()].status = Status::Closed;
        Ok(())
    }

    /// Adds or improves one successor of the state at hand.
    fn generate(&mut self, state: StateId, op: OpId, bound: u64, budget: &Budget) -> Result<(), Limit> {
        self.stepper.step(&self.layout, &self.values, self.states.get(state), op);
        reserve(&mut self.nodes, 1, budget)?;
        let (next, is_new) = self.states.insert(self.stepper.successor(), budget)?;
        let is_image = !self.stepper.applied().is_empty();
        let g = self.nodes[state.index()].g.saturating_add(self.costs[op]);
        if is_new {
            self.figures.states = self.states.len() as u64;
            // Without a heuristic there is nothing to evaluate, unless the state may be a goal.
            let (h, status) = match self.evaluator {
                Evaluator::Blind { least } if !self.goal.holds(self.stepper.successor()) => {
                    (least, Status::Evaluated)
                }
                _ => (bound, Status::Bounded),
            };
            let node = SearchNode { g, h, parent: state, op, landmarks: None, status, is_image };
            self.nodes.push(node);
            self.open.push(node.f(), h, next);
            return Ok(());
        }
        let node = &mut self.nodes[next.index()];
        let (cheaper, tighter) = (g < node.g, bound > node.h);
        if node.status == Status::Dead || !(cheaper || tighter) {
            return Ok(());
        }
        node.h = node.h.max(bound);
        if cheaper {
            (node.g, node.parent, node.op, node.is_image) = (g, state, op, is_image);
            if node.status == Status::Closed {
                node.status = Status::Evaluated;
                self.figures.reopened += 1;
            }
        }
        if node.status != Status::Closed {
            self.open.push(node.f(), node.h, next);
        }
        Ok(())
    }

    /// The way to a state.
    fn plan(&mut self, mut state: StateId) -> Plan {
        let mut way = Vec::new();
        while state.index() > 0 {
            let SearchNode { parent, op, is_image, .. } = self.nodes[state.index()];
            way.push((parent, op, is_image));
            state = parent;
        }
        // Each state on the way is the image of the one that is really reached, under all symmetries applied so far:
        // the operators have to be taken back through them.
        let mut applied: Vec<u32> = Vec::new();
        let mut operators = Vec::new();
        for &(parent, op, is_image) in way.iter().rev() {
            let real = match self.stepper.symmetries() {
                Some(symmetries) => applied.iter().rev().fold(op, |op, &g| symmetries.origin(g, op)),
                None => op,
            };
            operators.push(real);
            if is_image {
                let packed = self.states.get(parent);
                self.layout.unpack(packed, &mut self.parent);
                self.stepper.step(&self.layout, &self.parent, packed, op);
                applied.extend(self.stepper.applied());
            }
        }
        let cost = self.task.plan_cost(&operators).unwrap_or(u64::MAX);
        Plan { operators, cost }
    }
}

pub(super) fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b > 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;
    use counterplay_base::Silent;
    use counterplay_task::{apply, is_applicable};
    use counterplay_testkit::{brute_force, random_symmetric_task, random_task};

    #[test]
    fn a_closer_look_changes_no_cost() {
        for seed in 0..500 {
            let task = random_task(seed);
            let mut search = AStar::new(&task, Heuristic::LmCut);
            search.closer_look = Some(seed % 8);
            let verdict = search.run(&Budget::unlimited(), &Silent);
            assert_eq!(verdict.solved().map(|plan| plan.cost), brute_force(&task), "seed {seed}");
        }
    }

    #[test]
    fn states_up_to_symmetry_are_enough() {
        let (mut images, mut fewer) = (0, 0);
        for seed in 0..60 {
            let task = random_symmetric_task(seed);
            let mut plain = AStar::new(&task, Heuristic::LmCut);
            plain.closer_look = None;
            let mut search = AStar::new(&task, Heuristic::LmCut);
            search.closer_look = Some(0);
            let expected = plain.run(&Budget::unlimited(), &Silent);
            let verdict = search.run(&Budget::unlimited(), &Silent);
            images += search.nodes.iter().filter(|node| node.is_image).count();
            fewer += usize::from(search.nodes.len() < plain.nodes.len());
            assert!(search.stepper.symmetries().is_some());
            if seed < 20 {
                assert_eq!(
                    brute_force(&task),
                    expected.clone().solved().map(|plan| plan.cost),
                    "seed {seed}"
                );
            }
            let (Verdict::Solved(plan), Verdict::Solved(expected)) = (&verdict, &expected) else {
                assert_eq!(verdict, expected, "seed {seed}");
                continue;
            };
            assert_eq!(plan.cost, expected.cost, "seed {seed}");
            let mut state = task.initial.clone();
            for &op in &plan.operators {
                assert!(is_applicable(&task, &state, op), "seed {seed}");
                state = apply(&task, &state, op);
            }
            assert!(is_goal(&task, &state), "seed {seed}");
        }
        assert!(images > 300 && fewer > 10, "symmetries do something: {images}, {fewer}");
    }
}
