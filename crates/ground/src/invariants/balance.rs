//! Whether operators keep an invariant.
//!
//! By induction: suppose that at most one literal of an instance is true. An operator that makes another
//! one true must take the first away. It is known to be true only if precondition or effect condition say
//! so, and it is taken away only by an effect whose condition is implied and which no other effect undoes.

use counterplay_base::{Budget, BudgetPoll, Limit};

use super::Facts;
use super::candidate::{Candidate, Instances};
use crate::propositional::{Effect, Literal, Operator, Propositional};

/// The verdict on a candidate.
#[derive(Debug)]
pub(super) struct Balance {
    /// For each instance whether it is kept by all operators and at most one of its literals starts true.
    pub(super) good: Vec<bool>,
    /// Effects that add to an instance without taking away: one for each action, as examples to learn from.
    pub(super) unbalanced: Vec<(usize, usize)>,
    /// How many effects were looked at.
    pub(super) work: u64,
}

/// What one effect does to its instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    Kept,
    /// Nothing is taken away; a larger candidate might know of something.
    Unbalanced,
    /// Two literals may become true at once; a larger candidate only gets worse.
    Heavy,
}

/// Checks all instances of a candidate.
pub(super) fn check(
    candidate: &Candidate,
    instances: &Instances,
    facts: &Facts<'_>,
    budget: &Budget,
) -> Result<Balance, Limit> {
    let problem = facts.problem;
    let mut poll = BudgetPoll::every(4096);
    let starts_true = |literal: &&Literal| problem.initial[literal.atom()] == literal.is_positive();
    let good: Vec<bool> = instances
        .members
        .iter()
        .map(|members| members.iter().filter(starts_true).take(2).count() <= 1)
        .collect();
    let mut left = good.iter().filter(|&&good| good).count();
    let mut balance = Balance { good, unbalanced: Vec::new(), work: 0 };
    for part in &candidate.parts {
        for &(operator, effect) in facts.changes(part.predicate, part.positive) {
            if left == 0 {
                return Ok(balance);
            }
            poll.step(budget)?;
            let (operator, effect) = (operator as usize, effect as usize);
            balance.work += problem.operators[operator].effects.range().len() as u64;
            let literal = problem.effects[effect].literal;
            let instance = instances.of(literal).expect("the part covers the effect") as usize;
            if !balance.good[instance] {
                continue;
            }
            let outcome = judge(problem, &problem.operators[operator], effect, instance as u32, instances);
            if outcome == Outcome::Kept {
                continue;
            }
            balance.good[instance] = false;
            left -= 1;
            let action = problem.operators[operator].action;
            let is_new = |&(other, _): &(usize, usize)| problem.operators[other].action != action;
            if outcome == Outcome::Unbalanced && balance.unbalanced.iter().all(is_new) {
                balance.unbalanced.push((operator, effect));
            }
        }
    }
    Ok(balance)
}

/// What one effect, together with the other effects of its operator, does to an instance.
fn judge(
    problem: &Propositional,
    operator: &Operator,
    effect: usize,
    instance: u32,
    instances: &Instances,
) -> Outcome {
    let precondition = problem.list(operator.precondition);
    let own = problem.effects[effect];
    let condition = problem.list(own.condition);
    let member = |literal: &Literal| instances.of(*literal) == Some(instance);
    let mut known = precondition.iter().chain(condition).copied().filter(member);
    let before = known.next();
    if known.any(|other| Some(other) != before) {
        // Two literals of the instance would have to be true before.
        return Outcome::Kept;
    }
    for other in problem.effects_of(operator) {
        if other.literal != own.literal
            && member(&other.literal)
            && may_join(problem, operator, &own, other, before, instance, instances)
        {
            return Outcome::Heavy;
        }
    }
    match before {
        Some(before) if before == own.literal => Outcome::Kept,
        Some(before) if is_taken(problem, operator, &own, before) => Outcome::Kept,
        _ => Outcome::Unbalanced,
    }
}

/// Whether two effects can happen at once.
fn may_join(
    problem: &Propositional,
    operator: &Operator,
    one: &Effect,
    other: &Effect,
    before: Option<Literal>,
    instance: u32,
    instances: &Instances,
) -> bool {
    let precondition = problem.list(operator.precondition);
    let (left, right) = (problem.list(one.condition), problem.list(other.condition));
    let holds = |literal: Literal| precondition.contains(&literal) || left.contains(&literal);
    if right.iter().any(|&literal| holds(literal.negated())) {
        return false;
    }
    // Another literal of the instance in the other condition: not both are true before.
    !right.iter().any(|&literal| {
        instances.of(literal) == Some(instance) && before.is_some_and(|known| known != literal)
    })
}

/// Whether a literal is false afterwards whenever the effect happens.
fn is_taken(problem: &Propositional, operator: &Operator, effect: &Effect, literal: Literal) -> bool {
    let precondition = problem.list(operator.precondition);
    let condition = problem.list(effect.condition);
    let holds = |literal: &Literal| precondition.contains(literal) || condition.contains(literal);
    let effects = problem.effects_of(operator);
    let taken = effects
        .iter()
        .any(|other| other.literal == literal.negated() && problem.list(other.condition).iter().all(holds));
    // Adding wins over deleting, so an addition that may happen too would save the atom.
    let saved = effects.iter().any(|other| {
        other.literal == literal && !problem.list(other.condition).iter().any(|part| holds(&part.negated()))
    });
    taken && !saved
}

/// Literals that an effect's operator certainly takes away when the effect happens.
pub(super) fn taken_with(problem: &Propositional, operator: usize, effect: usize) -> Vec<Literal> {
    let operator = &problem.operators[operator];
    let effect = &problem.effects[effect];
    let lists = problem.list(operator.precondition).iter().chain(problem.list(effect.condition));
    lists.copied().filter(|&literal| is_taken(problem, operator, effect, literal)).collect()
}
