//! Better plans out of a plan.
//!
//! [`eliminate`] leaves out steps that are not needed, together with those that needed them (Nakhost and Müller 2010). [`Windows`] takes a stretch of
//! the plan and looks for the cheapest way between its ends by A*; what has to hold at the later end is what the rest of the plan
//! needs. Stretches overlap, and grow when a pass over the plan has changed nothing (Siddiqui and Haslum 2015).

use counterplay_base::{Budget, IdVec, Limit, Silent, Verdict};
use counterplay_task::{Fact, OpId, Task, Value, VarId, apply, close_under_axioms, is_applicable, is_goal};

use super::super::AStar;
use crate::{Heuristic, Plan};

type State = IdVec<VarId, Value>;

/// Applying an operator costs as much as looking at so many in a heuristic.
const WORK_PER_STEP: u64 = 10;

/// The plan without steps that are not needed, and the work that took. Where the allowed work ends, the plan as it is then.
pub(super) fn eliminate(task: &Task, plan: Plan, allowed: u64, budget: &Budget) -> (Plan, u64) {
    let mut operators = plan.operators;
    let (mut at, mut work) = (0, 0u64);
    let mut state = start(task);
    let per_state = WORK_PER_STEP + task.variables.len() as u64 / 8;
    while at < operators.len() && work < allowed && budget.check().is_ok() {
        work += per_state * (operators.len() - at) as u64;
        match without(task, &state, &operators[at..]) {
            Some(rest) => {
                operators.truncate(at);
                operators.extend(rest);
            }
            None => {
                state = apply(task, &state, operators[at]);
                at += 1;
            }
        }
    }
    let cost = task.plan_cost(&operators).unwrap_or(u64::MAX);
    (Plan { operators, cost }, work)
}

fn start(task: &Task) -> State {
    let mut state = task.initial.clone();
    close_under_axioms(task, &mut state);
    state
}

/// The steps without the first one, and without those that are not applicable any more; `None` if the goal is missed then.
fn without(task: &Task, from: &State, steps: &[OpId]) -> Option<Vec<OpId>> {
    let mut state = from.clone();
    let mut kept = Vec::with_capacity(steps.len());
    for &op in &steps[1..] {
        if is_applicable(task, &state, op) {
            state = apply(task, &state, op);
            kept.push(op);
        }
    }
    is_goal(task, &state).then_some(kept)
}

/// The first stretches have so many steps.
const FIRST_SIZE: usize = 6;
/// The search between two ends may take so much work at first.
const FIRST_WORK: u64 = 1_000_000;

/// Improves one plan, stretch by stretch.
#[derive(Debug)]
pub(super) struct Windows {
    /// The task; its initial state and goal are the ends of the stretch at hand.
    task: Task,
    /// The goal of the task itself.
    goal: Vec<Fact>,
    plan: Plan,
    /// Whether what a stretch has to leave behind is known fact by fact.
    is_regressable: bool,
    size: usize,
    allowed: u64,
    at: usize,
    has_changed: bool,
    is_done: bool,
    work: u64,
}

impl Windows {
    pub(super) fn new(task: &Task, plan: Plan) -> Windows {
        Windows {
            goal: task.goal.clone(),
            is_regressable: task.axioms.is_empty() && !task.has_conditional_effects(),
            task: task.clone(),
            plan,
            size: FIRST_SIZE,
            allowed: FIRST_WORK,
            at: 0,
            has_changed: false,
            is_done: false,
            work: 0,
        }
    }

    /// Takes another plan to improve.
    pub(super) fn take(&mut self, plan: Plan) {
        self.plan = plan;
        (self.size, self.allowed, self.at) = (FIRST_SIZE, FIRST_WORK, 0);
        (self.has_changed, self.is_done) = (false, false);
    }

    pub(super) fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Whether the last pass took the whole plan as one stretch.
    pub(super) fn is_done(&self) -> bool {
        self.is_done
    }

    pub(super) fn work(&self) -> u64 {
        self.work
    }

    /// Looks at the next stretch; whether the plan is better now.
    ///
    /// # Errors
    /// A limit of the budget; the plan is as it was.
    pub(super) fn step(&mut self, budget: &Budget) -> Result<bool, Limit> {
        if self.is_done {
            return Ok(false);
        }
        let end = (self.at + self.size).min(self.plan.operators.len());
        let found = self.improve(self.at, end, budget)?;
        self.has_changed |= found;
        match end == self.plan.operators.len() || self.at + self.size >= self.plan.operators.len() {
            true => self.end_pass(),
            false => self.at += (self.size / 2).max(1),
        }
        Ok(found)
    }

    fn end_pass(&mut self) {
        self.at = 0;
        if std::mem::take(&mut self.has_changed) {
            return;
        }
        self.is_done = self.size >= self.plan.operators.len();
        self.size = self.size.saturating_mul(2);
        self.allowed = self.allowed.saturating_mul(2);
    }

    fn improve(&mut self, from: usize, to: usize, budget: &Budget) -> Result<bool, Limit> {
        let before = self.state_after(from);
        let goal = match self.is_regressable {
            true => self.needed_after(to),
            false => self.values_after(to),
        };
        let cost = self.task.plan_cost(&self.plan.operators[from..to]).unwrap_or(u64::MAX);
        let initial = std::mem::replace(&mut self.task.initial, before);
        self.task.goal = goal;
        self.work += (self.task.operators.len() + self.task.variables.len()) as u64 * 20;
        let mut search = AStar::new(&self.task, Heuristic::LmCut);
        search.give_up_at(cost);
        let verdict = search.run_for(self.allowed, budget, &Silent);
        self.work += search.work();
        self.task.initial = initial;
        match verdict {
            Verdict::Solved(better) if better.cost < cost => {
                self.plan.operators.splice(from..to, better.operators);
                self.plan.cost = self.task.plan_cost(&self.plan.operators).unwrap_or(u64::MAX);
                Ok(true)
            }
            Verdict::Solved(_) | Verdict::Unsolvable | Verdict::Stopped(Limit::Nodes(_)) => Ok(false),
            Verdict::Stopped(limit) => Err(limit),
        }
    }

    /// The state after so many steps, with defaults for derived variables as an initial state has them.
    fn state_after(&mut self, steps: usize) -> State {
        let mut state = start(&self.task);
        for &op in &self.plan.operators[..steps] {
            state = apply(&self.task, &state, op);
        }
        self.work += WORK_PER_STEP * steps as u64;
        for (var, variable) in self.task.variables.enumerate() {
            if let Some(derived) = variable.derived {
                state[var] = derived.default;
            }
        }
        state
    }

    /// What has to hold after so many steps for the rest of the plan to work; without axioms and conditional effects.
    fn needed_after(&mut self, steps: usize) -> Vec<Fact> {
        let mut needed: IdVec<VarId, Option<Value>> = IdVec::filled(None, self.task.variables.len());
        for fact in &self.goal {
            needed[fact.var] = Some(fact.value);
        }
        for &op in self.plan.operators[steps..].iter().rev() {
            let operator = &self.task.operators[op];
            operator.effects.iter().for_each(|effect| needed[effect.fact.var] = None);
            operator.precondition.iter().for_each(|fact| needed[fact.var] = Some(fact.value));
        }
        needed.enumerate().filter_map(|(var, value)| value.map(|value| Fact { var, value })).collect()
    }

    /// All values after so many steps, as a goal.
    fn values_after(&mut self, steps: usize) -> Vec<Fact> {
        if steps == self.plan.operators.len() {
            return self.goal.clone();
        }
        let state = self.state_after(steps);
        let basic = state.enumerate().filter(|&(var, _)| self.task.variables[var].derived.is_none());
        basic.map(|(var, &value)| Fact { var, value }).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use counterplay_testkit::{brute_force, random_task};
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    fn is_plan(task: &Task, plan: &Plan) -> bool {
        let mut state = start(task);
        for &op in &plan.operators {
            if !is_applicable(task, &state, op) {
                return false;
            }
            state = apply(task, &state, op);
        }
        is_goal(task, &state) && task.plan_cost(&plan.operators) == Some(plan.cost)
    }

    /// A random walk that happens to end in a goal.
    fn wandering_plan(task: &Task, rng: &mut ChaCha8Rng) -> Option<Plan> {
        let (mut state, mut operators) = (start(task), Vec::new());
        for _ in 0..60 {
            if is_goal(task, &state) && operators.len() > 5 {
                let cost = task.plan_cost(&operators)?;
                return Some(Plan { operators, cost });
            }
            let able: Vec<OpId> =
                task.operators.ids().filter(|&op| is_applicable(task, &state, op)).collect();
            let op = *able.get(rng.random_range(0..able.len().max(1)))?;
            state = apply(task, &state, op);
            operators.push(op);
        }
        None
    }

    #[test]
    fn shortened_plans_are_plans_and_end_optimal() {
        let (mut shorter, mut plans, budget) = (0, 0, Budget::unlimited());
        for seed in 0..400 {
            let task = random_task(seed);
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            let Some(plan) = (0..20).find_map(|_| wandering_plan(&task, &mut rng)) else { continue };
            plans += 1;
            let (brief, _) = eliminate(&task, plan.clone(), u64::MAX, &budget);
            assert!(is_plan(&task, &brief) && brief.cost <= plan.cost, "seed {seed}");
            shorter += usize::from(brief.operators.len() < plan.operators.len());
            let mut windows = Windows::new(&task, plan);
            while !windows.is_done() {
                let before = windows.plan().cost;
                let better = windows.step(&budget).unwrap();
                assert!(is_plan(&task, windows.plan()), "seed {seed}");
                assert_eq!(better, windows.plan().cost < before, "seed {seed}");
            }
            // The last stretch is the whole plan.
            assert_eq!(Some(windows.plan().cost), brute_force(&task), "seed {seed}");
        }
        assert!(plans > 50 && shorter > 20, "{plans} plans, {shorter} made shorter");
    }
}
