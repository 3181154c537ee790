//! Pairs of facts from which the goal can be reached.
//!
//! The same closure as [`super::forward`] with the steps turned round (Alcázar and Torralba, *A reminder
//! about the importance of computing and exploiting invariants in planning*, ICAPS 2015): a step leads from
//! what holds after it back to its precondition, and a variable that it changes without looking at it may
//! have had any value. A pair that is not found holds in no state from which a goal state can be reached:
//! such states may be reachable, but are dead ends.

use counterplay_base::{Budget, BudgetPoll, Limit};

use super::closure::Closure;
use super::matrix::{Matrix, contains, fill, intersect};
use super::steps::{Step, Steps, common_row};

/// The pairs of states that lead to the goal, within the pairs that can be reached at all.
pub(super) fn backward(steps: &Steps, possible: &Matrix, budget: &Budget) -> Result<Matrix, Limit> {
    let reached = Closure::new(goal_pairs(steps, possible));
    let mut sweep = Sweep { steps, possible, reached, row: Vec::new(), before: Vec::new() };
    let mut seen: Vec<Option<u64>> = vec![None; steps.steps.len()];
    let after: Vec<Vec<usize>> = steps.steps.iter().map(|step| step.after(steps)).collect();
    let mut poll = BudgetPoll::every(64);
    loop {
        let before = sweep.reached.time;
        for (at, step) in steps.steps.iter().enumerate().filter(|(_, step)| step.alive) {
            if sweep.reached.has_news(&after[at], seen[at]) {
                poll.step(budget)?;
                seen[at] = Some(sweep.reached.time);
                sweep.regress(step, &after[at]);
            }
        }
        if sweep.reached.time == before {
            return Ok(sweep.reached.pairs);
        }
    }
}

/// The pairs of goal states.
fn goal_pairs(steps: &Steps, possible: &Matrix) -> Matrix {
    let mut pairs = Matrix::empty(possible.size());
    let mut row = Vec::new();
    common_row(&steps.goal, possible, &mut row);
    if steps.goal.iter().all(|&fact| contains(&row, fact)) {
        for fact in (0..possible.size()).filter(|&fact| contains(&row, fact)) {
            pairs.row_mut(fact).copy_from_slice(&row);
            intersect(pairs.row_mut(fact), possible.row(fact));
        }
    }
    pairs
}

struct Sweep<'a> {
    steps: &'a Steps,
    possible: &'a Matrix,
    reached: Closure,
    row: Vec<u64>,
    before: Vec<u64>,
}

impl Sweep<'_> {
    fn regress(&mut self, step: &Step, after: &[usize]) {
        common_row(after, &self.reached.pairs, &mut self.row);
        if !after.iter().all(|&fact| contains(&self.row, fact)) {
            return;
        }
        // What the step leaves alone held before; what it moves may have been anything that fits its
        // precondition.
        for var in step.moved() {
            fill(&mut self.row, self.steps.ranges[var].clone());
        }
        common_row(&step.precondition, self.possible, &mut self.before);
        intersect(&mut self.row, &self.before);
        for var in step.moved() {
            for fact in self.steps.ranges[var].clone() {
                if contains(&self.row, fact) {
                    self.reached.extend(fact, &self.row, self.possible);
                }
            }
        }
    }
}
