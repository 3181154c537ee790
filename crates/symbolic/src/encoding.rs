//! A planning task over sets of states.

use std::collections::BTreeMap;

use counterplay_base::{Budget, IdVec, Limit};
use counterplay_bdd::Bdd;
use counterplay_task::{Effect, Fact, OpId, Operator, Task, Value, VarId};

use crate::mutexes::Mutexes;
use crate::relation::merge;
use crate::{Partition, Relation, Space, StateSet};

/// The task's states, operators, goal and mutexes as diagrams.
pub struct Encoding<'t> {
    pub task: &'t Task,
    pub space: Space,
    /// Where each value of a derived variable holds, as a set over the other variables.
    derived: IdVec<VarId, Vec<Bdd>>,
    mutexes: Mutexes,
}

/// A changed variable without precondition is held to its mutexes only if that takes at most so much work.
const CONSTRAINT_WORK: u64 = 10_000;

impl<'t> Encoding<'t> {
    /// Lays the task out in the given order of its variables.
    pub fn with_order(task: &'t Task, order: &[VarId], budget: &Budget) -> Result<Encoding<'t>, Limit> {
        let basic: Vec<VarId> =
            order.iter().copied().filter(|&var| task.variables[var].derived.is_none()).collect();
        let sizes: IdVec<VarId, Value> = task.variables.ids().map(|var| task.domain_size(var)).collect();
        let space = Space::new(sizes, &basic, budget)?;
        let derived = IdVec::filled(Vec::new(), task.variables.len());
        let mutexes = Mutexes::new(task, &space);
        let mut encoding = Encoding { task, space, derived, mutexes };
        encoding.derive()?;
        Ok(encoding)
    }

    /// Computes the sets of states in which derived variables have their values, stratum by stratum.
    fn derive(&mut self) -> Result<(), Limit> {
        let mut strata: BTreeMap<u32, Vec<VarId>> = BTreeMap::new();
        for (var, variable) in self.task.variables.enumerate() {
            if let Some(derived) = variable.derived {
                strata.entry(derived.layer).or_default().push(var);
                let all = |value| self.space.manager.constant(value == derived.default);
                self.derived[var] = (0..self.task.domain_size(var)).map(all).collect();
            }
        }
        for vars in strata.values() {
            let axioms: Vec<_> =
                self.task.axioms.iter().filter(|axiom| vars.contains(&axiom.head.var)).collect();
            let mut changed = true;
            while changed {
                changed = false;
                for axiom in &axioms {
                    let Fact { var, value } = axiom.head;
                    let more = self.condition(&axiom.condition)?;
                    let wider = self.derived[var][value as usize].or(&more)?;
                    if wider != self.derived[var][value as usize] {
                        changed = true;
                        let default = self.task.variables[var].derived.expect("only derived heads").default;
                        self.derived[var][default as usize] =
                            self.derived[var][default as usize].minus(&wider)?;
                        self.derived[var][value as usize] = wider;
                    }
                }
            }
        }
        Ok(())
    }

    /// All facts hold, derived ones included; over current bits.
    fn condition(&self, facts: &[Fact]) -> Result<Bdd, Limit> {
        let (basic, derived): (Vec<Fact>, Vec<Fact>) =
            facts.iter().partition(|fact| self.task.variables[fact.var].derived.is_none());
        let mut result = self.space.cube(&basic, 0)?;
        for fact in derived {
            result = result.and(&self.derived[fact.var][fact.value as usize])?;
        }
        Ok(result)
    }

    /// The states in which all facts hold, derived ones included.
    pub fn states(&self, facts: &[Fact]) -> Result<StateSet, Limit> {
        StateSet(self.condition(facts)?).intersect(&self.space.all())
    }

    pub fn initial(&self) -> Result<StateSet, Limit> {
        let basic = self.task.variables.enumerate().filter(|(_, variable)| variable.derived.is_none());
        let facts: Vec<Fact> = basic.map(|(var, _)| Fact { var, value: self.task.initial[var] }).collect();
        self.states(&facts)
    }

    /// The goal states that break no mutex of a goal fact.
    pub fn goal(&self) -> Result<StateSet, Limit> {
        let respected = StateSet(self.mutexes.respected(&self.space, &self.basic(&self.task.goal))?);
        self.states(&self.task.goal)?.intersect(&respected)
    }

    fn basic(&self, facts: &[Fact]) -> Vec<Fact> {
        facts.iter().copied().filter(|fact| self.task.variables[fact.var].derived.is_none()).collect()
    }

    /// What one operator does.
    pub fn relation(&self, op: OpId) -> Result<Relation, Limit> {
        let op = &self.task.operators[op];
        let mut relation = self.condition(&op.precondition)?;
        let mut changed: Vec<VarId> = op.effects.iter().map(|effect| effect.fact.var).collect();
        changed.sort_unstable();
        changed.dedup();
        // Changes nearest to the bottom of the order come first: conjunctions then only grow upwards.
        changed.sort_by_key(|&var| std::cmp::Reverse(self.space.place(var)));
        for &var in &changed {
            relation = relation.and(&self.change(op, var)?)?;
        }
        Relation::new(&self.space, relation, changed)
    }

    /// How an operator changes one variable.
    fn change(&self, op: &Operator, var: VarId) -> Result<Bdd, Limit> {
        let effects: Vec<&Effect> = op.effects.iter().filter(|effect| effect.fact.var == var).collect();
        let mut fires = self.space.manager.constant(false);
        let mut result = self.space.manager.constant(false);
        for effect in effects {
            let condition = self.condition(&effect.condition)?;
            result = result.or(&condition.and(&self.space.cube(&[effect.fact], 1)?)?)?;
            fires = fires.or(&condition)?;
        }
        result = result.or(&self.space.unchanged(var)?.minus(&fires)?)?;
        result.and(&self.space.domain(var)?)
    }

    /// What one operator does, for steps back from states that break no mutex: only from states that break none
    /// either.
    pub fn backward_relation(&self, op: OpId) -> Result<Relation, Limit> {
        let relation = self.relation(op)?;
        let op = &self.task.operators[op];
        let known = self.basic(&op.precondition);
        let mut result = relation.restricted_to(&StateSet(self.mutexes.respected(&self.space, &known)?))?;
        for &var in relation.changed().iter().filter(|&&var| known.iter().all(|fact| fact.var != var)) {
            let respected = || self.mutexes.respected_by_any(&self.space, var);
            match self.space.with_allowance(CONSTRAINT_WORK, respected) {
                Ok(respected) => result = result.restricted_to(&StateSet(respected))?,
                Err(Limit::Nodes(_)) => {}
                Err(limit) => return Err(limit),
            }
        }
        Ok(result)
    }

    /// Merges the relations of all operators by what they cost, up to `bound` nodes each and `work` in all.
    pub fn partitions(
        &self,
        cost: impl Fn(OpId) -> u64,
        relation: impl Fn(OpId) -> Result<Relation, Limit>,
        bound: usize,
        work: u64,
    ) -> Result<BTreeMap<u64, Partition>, Limit> {
        let mut by_cost: BTreeMap<u64, Vec<Relation>> = BTreeMap::new();
        for op in self.task.operators.ids() {
            let relation = relation(op)?;
            if !relation.is_empty() {
                by_cost.entry(cost(op)).or_default().push(relation);
            }
        }
        by_cost.into_iter().map(|(cost, parts)| Ok((cost, merge(&self.space, parts, bound, work)?))).collect()
    }
}
