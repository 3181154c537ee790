//! When a soft goal is lost.
//!
//! Backward h² once more, from one soft goal at a time: a pair of facts from which it cannot be reached means that its
//! price will have to be paid, long before the plan ends. An order that was shipped without a product never gets it
//! delivered. Searches add these prices to what a state has cost already.

use counterplay_base::{Budget, Limit};
use counterplay_task::{Fact, SoftGoal, Task, VarId};

use super::BYTES;
use super::backward::backward;
use super::matrix::Matrix;
use super::steps::{Steps, is_possible};
use crate::Options;

/// A soft goal gets at most so many conditions.
const MOST_CONDITIONS: usize = 200;

/// Finds for each soft goal conditions under which it is lost, and drops alternatives that cannot be reached at all.
/// What takes too long is left out.
pub(crate) fn find_lost(task: &mut Task, options: &Options, budget: &Budget) -> Result<(), Limit> {
    let mut steps = Steps::new(task);
    let bytes = Matrix::bytes(steps.numbers.count());
    if task.soft.is_empty() || bytes > BYTES || budget.allow_bytes(bytes * 4).is_err() {
        return Ok(());
    }
    let slice = budget.slice(options.h2_time / 4);
    let possible = steps.allowed(task);
    for soft in task.soft.iter_mut().filter(|soft| soft.weight > 0) {
        match find(&mut steps, &possible, soft, &slice) {
            Ok(()) => {}
            // Only the slice may end here; if the whole budget has, that is the answer.
            Err(_) => return budget.check(),
        }
    }
    Ok(())
}

fn find(steps: &mut Steps, possible: &Matrix, soft: &mut SoftGoal, budget: &Budget) -> Result<(), Limit> {
    let mut leading = Matrix::empty(possible.size());
    let mut reachable = Vec::new();
    for facts in &soft.alternatives {
        let plain = facts.iter().filter(|fact| !steps.is_derived[fact.var]);
        steps.goal = plain.map(|&fact| steps.numbers.of(fact)).collect();
        let own = backward(steps, possible, budget)?;
        if is_possible(&steps.initial, &own, &mut Vec::new()) {
            reachable.push(facts.clone());
            for a in 0..own.size() {
                leading.row_mut(a).iter_mut().zip(own.row(a)).for_each(|(all, own)| *all |= own);
            }
        }
    }
    soft.alternatives = reachable;
    let vars: Vec<VarId> = soft.alternatives.iter().flatten().map(|fact| fact.var).collect();
    if !vars.is_empty() {
        soft.lost = conditions(steps, possible, &leading, &vars);
    }
    Ok(())
}

/// Facts, and pairs of a fact of the goal's own variables with another, from which the goal cannot be reached.
fn conditions(steps: &Steps, possible: &Matrix, leading: &Matrix, vars: &[VarId]) -> Vec<Vec<Fact>> {
    let fact = |number: usize| steps.numbers.fact(number);
    let is_lost = |a: usize, b: usize| possible.contains(a, b) && !leading.contains(a, b);
    let plain = |&number: &usize| !steps.is_derived[fact(number).var];
    let all: Vec<usize> = (0..possible.size()).filter(plain).collect();
    let mut found: Vec<Vec<Fact>> = all.iter().filter(|&&a| is_lost(a, a)).map(|&a| vec![fact(a)]).collect();
    for &a in all.iter().filter(|&&a| leading.contains(a, a) && vars.contains(&fact(a).var)) {
        for &b in all.iter().filter(|&&b| leading.contains(b, b) && is_lost(a, b)) {
            let mut pair = vec![fact(a), fact(b)];
            pair.sort_unstable();
            if !found.contains(&pair) {
                found.push(pair);
            }
            if found.len() >= MOST_CONDITIONS {
                return found;
            }
        }
    }
    found
}
