//! Pairs of facts that can be reached together.
//!
//! Haslum and Geffner, *Admissible heuristics for optimal planning* (AIPS 2000), for m = 2 and without
//! costs. A step is looked at again only if the pairs of one of its preconditions have changed, and a row
//! of pairs is extended by whole words.

use counterplay_base::{Budget, BudgetPoll, Limit};

use super::closure::Closure;
use super::matrix::{Matrix, clear, contains, insert, intersect};
use super::steps::{Step, Steps, common_row, is_possible};

/// The least set of pairs that contains those of the initial state and is closed under the steps, within
/// `allowed`.
pub(super) fn forward(steps: &Steps, allowed: &Matrix, budget: &Budget) -> Result<Matrix, Limit> {
    let mut start = Matrix::empty(allowed.size());
    for &a in &steps.initial {
        steps.initial.iter().for_each(|&b| start.insert(a, b));
    }
    let mut sweep = Sweep {
        steps,
        allowed,
        reached: Closure::new(start),
        row: Vec::new(),
        common: Vec::new(),
        condition: Vec::new(),
    };
    let mut seen: Vec<Option<u64>> = vec![None; steps.steps.len()];
    let mut poll = BudgetPoll::every(64);
    loop {
        let before = sweep.reached.time;
        for (at, step) in steps.steps.iter().enumerate().filter(|(_, step)| step.alive) {
            // What conditional effects need is not among the preconditions: those steps are always looked at.
            if !step.conditional.is_empty() || sweep.reached.has_news(&step.precondition, seen[at]) {
                poll.step(budget)?;
                seen[at] = Some(sweep.reached.time);
                sweep.apply(step);
                for place in 0..step.conditional.len() {
                    poll.step(budget)?;
                    sweep.apply_conditional(step, place);
                }
            }
        }
        if sweep.reached.time == before {
            return Ok(sweep.reached.pairs);
        }
    }
}

struct Sweep<'a> {
    steps: &'a Steps,
    allowed: &'a Matrix,
    reached: Closure,
    row: Vec<u64>,
    common: Vec<u64>,
    condition: Vec<usize>,
}

impl Sweep<'_> {
    fn apply(&mut self, step: &Step) {
        common_row(&step.precondition, &self.reached.pairs, &mut self.row);
        if !step.precondition.iter().all(|&fact| contains(&self.row, fact)) {
            return;
        }
        // What the step leaves alone stays, as far as it may stand beside the effects.
        for &var in &step.changed {
            clear(&mut self.row, self.steps.ranges[var].clone());
        }
        for &effect in &step.effects {
            intersect(&mut self.row, self.allowed.row(effect));
        }
        step.effects.iter().for_each(|&effect| insert(&mut self.row, effect));
        for &effect in &step.effects {
            self.reached.extend(effect, &self.row, self.allowed);
        }
    }

    /// One conditional effect, together with those before it. Other variables that effects of this step touch
    /// may keep their values.
    fn apply_conditional(&mut self, step: &Step, at: usize) {
        let own = &step.conditional[at];
        if !self.can_happen(step, &[&own.condition]) {
            return;
        }
        std::mem::swap(&mut self.row, &mut self.common);
        for &var in &step.changed {
            clear(&mut self.row, self.steps.ranges[var].clone());
        }
        let var = self.steps.numbers.fact(own.fact).var;
        clear(&mut self.row, self.steps.ranges[var].clone());
        step.effects.iter().for_each(|&other| insert(&mut self.row, other));
        insert(&mut self.row, own.fact);
        for other in &step.conditional[..at] {
            if self.can_happen(step, &[&own.condition, &other.condition]) {
                insert(&mut self.row, other.fact);
            }
        }
        self.reached.extend(own.fact, &self.row, self.allowed);
    }

    /// Whether precondition and further conditions can hold together; leaves what can hold along with them in
    /// `self.common`.
    fn can_happen(&mut self, step: &Step, conditions: &[&[usize]]) -> bool {
        self.condition.clear();
        self.condition.extend(&step.precondition);
        conditions.iter().for_each(|condition| self.condition.extend(condition.iter()));
        is_possible(&self.condition, &self.reached.pairs, &mut self.common)
    }
}
