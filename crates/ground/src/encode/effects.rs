//! Effects on variables with several values.
//!
//! Adding an atom sets its variable to it. Deleting one matters only if it is the present value and no
//! effect sets another one: then the variable goes to "none of those". So a deletion carries the condition
//! that its atom is true and that none of the additions to the same variable happens.

use counterplay_task::{Effect, Fact, Value, VarId};

use super::{Encoder, FALSE, TRUE};
use crate::propositional::Operator;

/// If the ways in which no addition happens are more than these, a derived variable stands for them.
const WAYS: usize = 16;

/// The effects of one operator on one variable.
struct Changes {
    var: VarId,
    /// Value and condition of what is added.
    adds: Vec<(Value, Vec<Fact>)>,
    /// Value and condition of what is deleted.
    deletes: Vec<(Value, Vec<Fact>)>,
}

impl Encoder<'_> {
    /// The effects of an operator; `None` if they show that it can never be applied.
    pub(super) fn effects(&mut self, operator: &Operator, precondition: &[Fact]) -> Option<Vec<Effect>> {
        let mut changes: Vec<(Fact, bool, Vec<Fact>)> = Vec::new();
        let context = self.problem.list(operator.precondition);
        for effect in self.problem.effects_of(operator) {
            let Some(condition) = self.facts(self.problem.list(effect.condition), context) else { continue };
            let (atom, adds) = (effect.literal.atom(), effect.literal.is_positive());
            if let Some(var) = self.negation[atom] {
                changes.push((Fact { var, value: TRUE }, adds, condition.clone()));
            }
            changes.push((self.place[atom], adds, condition));
        }
        changes.sort_by_key(|(fact, _, _)| fact.var);
        let mut effects = Vec::with_capacity(changes.len());
        for of_variable in changes.chunk_by(|(left, _, _), (right, _, _)| left.var == right.var) {
            let list = |wanted: bool| {
                let own = of_variable.iter().filter(|&&(_, adds, _)| adds == wanted);
                own.map(|(fact, _, condition)| (fact.value, condition.clone())).collect()
            };
            let change = Changes { var: of_variable[0].0.var, adds: list(true), deletes: list(false) };
            self.change(change, precondition, &mut effects)?;
        }
        Some(effects)
    }

    fn change(&mut self, change: Changes, precondition: &[Fact], out: &mut Vec<Effect>) -> Option<()> {
        let Changes { var, adds, deletes } = change;
        let none = self.task.domain_size(var) - 1;
        let before = precondition.iter().find(|fact| fact.var == var).map(|fact| fact.value);
        let always = adds.iter().find(|(_, condition)| is_implied(condition, precondition));
        if let Some(&(value, _)) = always {
            // At most one atom of the variable is true afterwards, so another one cannot be added as well.
            let other =
                |(v, condition): &(Value, Vec<Fact>)| *v != value && is_implied(condition, precondition);
            if adds.iter().any(other) {
                return None;
            }
            if before != Some(value) {
                out.push(Effect { condition: Vec::new(), fact: Fact { var, value } });
            }
            return Some(());
        }
        let mut found: Vec<Effect> = Vec::new();
        for (value, condition) in &adds {
            if before != Some(*value) {
                found.push(Effect { condition: condition.clone(), fact: Fact { var, value: *value } });
            }
        }
        let gone = Fact { var, value: none };
        for (value, condition) in &deletes {
            if before.is_some_and(|before| before != *value) {
                continue;
            }
            let guard = Fact { var, value: *value };
            let Some(condition) = joined(condition, &[guard]) else { continue };
            let ways = self.without_additions(&condition, &adds, precondition);
            found.extend(ways.into_iter().map(|condition| Effect { condition, fact: gone }));
        }
        self.simplify(&mut found, precondition, var);
        out.extend(found);
        Some(())
    }

    /// The ways in which a condition holds and no addition happens.
    fn without_additions(
        &mut self,
        condition: &[Fact],
        adds: &[(Value, Vec<Fact>)],
        precondition: &[Fact],
    ) -> Vec<Vec<Fact>> {
        let mut threats: Vec<Vec<Fact>> = Vec::new();
        for (_, addition) in adds {
            let mut rest = addition.clone();
            rest.retain(|fact| !condition.contains(fact) && !precondition.contains(fact));
            if rest.is_empty() {
                return Vec::new();
            }
            if joined(addition, condition).is_some() && joined(addition, precondition).is_some() {
                threats.push(rest);
            }
        }
        let mut ways: Vec<Vec<Fact>> = vec![condition.to_vec()];
        for threat in &threats {
            let mut next = Vec::new();
            for way in &ways {
                for fact in threat {
                    let others = (0..self.task.domain_size(fact.var)).filter(|&value| value != fact.value);
                    next.extend(others.filter_map(|value| joined(way, &[Fact { var: fact.var, value }])));
                }
            }
            ways = next;
            if ways.len() > WAYS {
                let var = self.any_of(threats);
                return joined(condition, &[Fact { var, value: FALSE }]).into_iter().collect();
            }
        }
        ways
    }

    /// Leaves out conditions that the precondition implies and effects that change nothing.
    fn simplify(&self, effects: &mut Vec<Effect>, precondition: &[Fact], var: VarId) {
        // With two values and one direction, an effect that finds its value there changes nothing: no need to
        // look. With two directions the look keeps them apart.
        let one_way = effects.windows(2).all(|pair| pair[0].fact == pair[1].fact);
        let one_way = one_way && self.task.domain_size(var) == 2;
        for effect in effects.iter_mut() {
            let idle = |fact: &Fact| one_way && fact.var == var && fact.value != effect.fact.value;
            effect.condition.retain(|fact| !precondition.contains(fact) && !idle(fact));
        }
        effects.retain(|effect| joined(&effect.condition, precondition).is_some());
        effects.sort_by(|a, b| (a.fact, &a.condition).cmp(&(b.fact, &b.condition)));
        effects.dedup();
        let always: Vec<Fact> = effects.iter().filter(|e| e.condition.is_empty()).map(|e| e.fact).collect();
        effects.retain(|effect| effect.condition.is_empty() || !always.contains(&effect.fact));
    }
}

/// Both conditions, sorted; `None` if they contradict each other.
fn joined(left: &[Fact], right: &[Fact]) -> Option<Vec<Fact>> {
    let mut all = [left, right].concat();
    all.sort_unstable();
    all.dedup();
    all.windows(2).all(|pair| pair[0].var != pair[1].var).then_some(all)
}

fn is_implied(condition: &[Fact], precondition: &[Fact]) -> bool {
    condition.iter().all(|fact| precondition.contains(fact))
}
