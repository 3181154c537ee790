//! Pairs of facts that exclude each other, and what follows from them.
//!
//! Forward h² finds pairs that hold in no reachable state, backward h² those that hold in no state from
//! which the goal can be reached; each makes the other sharper, so they take turns until nothing changes.
//! Operators that need or make such a pair go, preconditions are completed where only one value of a
//! variable is left, and so is the goal. Haslum and Geffner (AIPS 2000); Alcázar and Torralba (ICAPS 2015).
//!
//! What is removed is removed for plans: a state that contains a pair found backward may be reachable, but no
//! plan goes through it. A closure that did not finish proves nothing and is thrown away.
//! Derived variables are taken to have any value.

mod backward;
mod closure;
mod forward;
mod lost;
mod matrix;
mod steps;

use counterplay_base::{Budget, BudgetPoll, Id, Limit};
use counterplay_task::{Effect, Fact, Operator, Task};

use crate::Options;
use crate::figures::H2Outcome;
use crate::simplify::{Projection, trivial};
pub(crate) use lost::find_lost;
use matrix::Matrix;
use steps::{Scratch, Step, Steps, is_possible};

/// Tables larger than this are not worth their memory.
const BYTES: usize = 1 << 28;

/// Finds mutex pairs and uses them. The task is to be simplified afterwards.
pub(crate) fn strengthen(task: &mut Task, options: &Options, budget: &Budget) -> Result<H2Outcome, Limit> {
    let steps = Steps::new(task);
    let bytes = Matrix::bytes(steps.numbers.count());
    if bytes > BYTES || budget.allow_bytes(bytes * 3).is_err() || task.operators.is_empty() {
        return Ok(H2Outcome::Skipped);
    }
    let allowed = steps.allowed(task);
    let mut search = H2Analysis { steps, allowed, impossible: Vec::new() };
    match search.run(&budget.slice(options.h2_time)) {
        Ok(true) => {
            search.apply(task, options);
            Ok(H2Outcome::Complete)
        }
        Ok(false) => {
            *task = trivial(task, false);
            Ok(H2Outcome::Complete)
        }
        Err(_) => {
            // Only the slice may end here; if the whole budget has, that is the answer.
            budget.check()?;
            search.apply(task, options);
            Ok(H2Outcome::Cut)
        }
    }
}

/// Finds pairs that hold together in no reachable state, and lists them; nothing else changes. What cannot lead to
/// the goal stays: for policies it matters, since nature may go there.
pub(crate) fn list_unreachable(
    task: &mut Task,
    options: &Options,
    budget: &Budget,
) -> Result<H2Outcome, Limit> {
    let steps = Steps::new(task);
    let bytes = Matrix::bytes(steps.numbers.count());
    if bytes > BYTES || budget.allow_bytes(bytes * 3).is_err() || task.operators.is_empty() {
        return Ok(H2Outcome::Skipped);
    }
    let allowed = steps.allowed(task);
    let mut search = H2Analysis { steps, allowed, impossible: Vec::new() };
    match forward::forward(&search.steps, &search.allowed, &budget.slice(options.h2_time)) {
        Ok(reached) => {
            search.allowed.intersect(&reached);
            search.list_pairs(task);
            Ok(H2Outcome::Complete)
        }
        Err(_) => {
            budget.check()?;
            Ok(H2Outcome::Cut)
        }
    }
}

struct H2Analysis {
    steps: Steps,
    /// The pairs that no completed closure has excluded.
    allowed: Matrix,
    /// Conditional effects (operator, place) that can never happen.
    impossible: Vec<(usize, usize)>,
}

impl H2Analysis {
    /// Runs both directions in turn; `false` if there is no plan.
    fn run(&mut self, budget: &Budget) -> Result<bool, Limit> {
        for round in 0.. {
            let reached = forward::forward(&self.steps, &self.allowed, budget)?;
            let mut changed = self.allowed.intersect(&reached);
            if round == 0 {
                self.drop_impossible_effects();
            }
            changed |= self.prune(budget)?;
            if !self.complete_goal() {
                return Ok(false);
            }
            if round > 0 && !changed {
                break;
            }
            let leading = backward::backward(&self.steps, &self.allowed, budget)?;
            changed = self.allowed.intersect(&leading);
            changed |= self.prune(budget)?;
            if !is_possible(&self.steps.initial, &self.allowed, &mut Vec::new()) {
                return Ok(false);
            }
            if !changed {
                break;
            }
        }
        Ok(true)
    }

    /// Leaves out conditional effects whose conditions cannot be reached. This is asked only of the first
    /// forward closure: to leave out an effect because it leads into a dead end would open the dead end.
    fn drop_impossible_effects(&mut self) {
        let mut row = Vec::new();
        for step in &mut self.steps.steps {
            let Step { op, precondition, conditional, .. } = step;
            conditional.retain(|effect| {
                let both = [&precondition[..], &effect.condition[..]].concat();
                let possible = is_possible(&both, &self.allowed, &mut row);
                if !possible {
                    self.impossible.push((op.index(), effect.place));
                }
                possible
            });
        }
    }

    /// Completes preconditions, and drops steps that cannot be part of a plan; whether anything changed.
    fn prune(&mut self, budget: &Budget) -> Result<bool, Limit> {
        let mut changed = false;
        let mut scratch = Scratch::default();
        let mut poll = BudgetPoll::every(64);
        for at in 0..self.steps.steps.len() {
            poll.step(budget)?;
            let step = &self.steps.steps[at];
            if !step.alive {
                continue;
            }
            let mut precondition = step.precondition.clone();
            let implied = self.steps.complete(&mut precondition, &self.allowed, &mut scratch);
            let step = &mut self.steps.steps[at];
            let known = step.precondition.len();
            step.alive = implied.is_some();
            step.implied = implied.unwrap_or_default();
            step.precondition = precondition;
            if self.steps.steps[at].alive && !self.steps.steps[at].conditional.is_empty() {
                let mut step = self.steps.steps[at].clone();
                step.decide_effects(&self.steps);
                self.steps.steps[at] = step;
            }
            let step = &self.steps.steps[at];
            let mut after = step.after(&self.steps);
            after.extend(step.implied_after(&self.steps));
            let alive = step.alive && is_possible(&after, &self.allowed, &mut scratch.row);
            changed |= !alive || step.precondition.len() > known;
            self.steps.steps[at].alive = alive;
        }
        Ok(changed)
    }

    /// Completes the goal; `false` if it cannot hold.
    fn complete_goal(&mut self) -> bool {
        let mut goal = self.steps.goal.clone();
        let implied = self.steps.complete(&mut goal, &self.allowed, &mut Scratch::default());
        let possible = implied.is_some();
        goal.extend(implied.unwrap_or_default());
        self.steps.goal = goal;
        possible
    }

    /// Puts what was found into the task.
    fn apply(mut self, task: &mut Task, options: &Options) {
        self.impossible.sort_unstable();
        let numbers = &self.steps.numbers;
        for &goal in &self.steps.goal {
            let fact = numbers.fact(goal);
            if !task.goal.contains(&fact) {
                task.goal.push(fact);
            }
        }
        task.goal.sort_unstable();
        let mut steps = self.steps.steps.iter();
        let operators = std::mem::take(&mut task.operators).into_iter().filter_map(|mut operator| {
            let step = steps.next().expect("a step for each operator");
            let mut place = 0;
            operator.effects.retain(|_| {
                place += 1;
                self.impossible.binary_search(&(step.op.index(), place - 1)).is_err()
            });
            let found = step.precondition.iter().chain(&step.implied).map(|&number| numbers.fact(number));
            complete_operator(&mut operator, found, options.disambiguate_all);
            let leads_on = |effect: &Effect| {
                let number = numbers.of(effect.fact);
                !effect.condition.is_empty() || self.allowed.contains(number, number)
            };
            let useful = !operator.effects.is_empty() && operator.effects.iter().all(leads_on);
            (step.alive && useful).then_some(operator)
        });
        task.operators = operators.collect();
        self.list_pairs(task);
        // A value that only a conditional effect sets stays, although it leads nowhere: see above.
        let conditional = task.operators.iter().flat_map(|operator| &operator.effects);
        let conditional = conditional.filter(|effect| !effect.condition.is_empty());
        let mut kept = vec![false; numbers.count()];
        conditional.for_each(|effect| kept[numbers.of(effect.fact)] = true);
        let keep = |fact: Fact| {
            let number = numbers.of(fact);
            self.steps.is_derived[fact.var] || self.allowed.contains(number, number) || kept[number]
        };
        let projection = Projection::of_values(task, keep);
        if !projection.is_identity() && !projection.apply(task) {
            *task = trivial(task, false);
        }
    }

    /// Lists the pairs that are excluded and not in a group.
    fn list_pairs(&self, task: &mut Task) {
        let Steps { numbers, ranges, is_derived, .. } = &self.steps;
        let known = self.steps.allowed(task);
        for (_, range) in ranges.enumerate().filter(|&(var, _)| !is_derived[var]) {
            for a in range.clone() {
                for (word, (&before, &after)) in known.row(a).iter().zip(self.allowed.row(a)).enumerate() {
                    let mut gone = before & !after;
                    while gone != 0 {
                        let b = word * 64 + gone.trailing_zeros() as usize;
                        gone &= gone - 1;
                        if b >= range.end {
                            task.mutex_pairs.push((numbers.fact(a), numbers.fact(b)));
                        }
                    }
                }
            }
        }
    }
}

/// Adds what follows from the precondition, for variables that the operator changes or whose value its
/// effects ask for.
fn complete_operator(operator: &mut Operator, found: impl Iterator<Item = Fact>, all: bool) {
    for fact in found {
        let is_asked = |other: &Fact| other.var == fact.var;
        let matters = all
            || operator
                .effects
                .iter()
                .any(|effect| effect.fact.var == fact.var || effect.condition.iter().any(is_asked));
        if matters && !operator.precondition.iter().any(is_asked) {
            operator.precondition.push(fact);
        }
    }
    let Operator { precondition, effects, .. } = operator;
    precondition.sort_unstable();
    let contradicts =
        |fact: &Fact| precondition.iter().any(|known| known.var == fact.var && known.value != fact.value);
    let mut has_shrunk = false;
    effects.retain_mut(|effect| {
        if effect.condition.iter().any(contradicts) {
            return false;
        }
        let before = effect.condition.len();
        effect.condition.retain(|fact| !precondition.contains(fact));
        has_shrunk |= effect.condition.len() < before;
        !precondition.contains(&effect.fact)
    });
    // Effects that differed in what the precondition implies are the same now.
    if has_shrunk {
        let mut kept: Vec<Effect> = Vec::with_capacity(effects.len());
        effects.drain(..).for_each(|effect| {
            if !kept.contains(&effect) {
                kept.push(effect);
            }
        });
        *effects = kept;
    }
}
