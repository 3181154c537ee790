//! Derived variables, computed fast.
//!
//! Every axiom counts the conditions that do not hold yet. Facts are processed once each; an axiom whose count
//! reaches zero makes its head true. A derived variable keeps its default exactly when its stratum is finished
//! without it, and only then conditions on the default count.

use counterplay_base::IdVec;
use counterplay_task::{Fact, FactNumbers, Task, Value, VarId};

/// Computes the derived variables of states of one task.
#[derive(Debug)]
pub struct AxiomEvaluator {
    numbers: FactNumbers,
    /// The axioms whose condition has the fact of this number.
    watching: Vec<Vec<u32>>,
    /// Conditions of each axiom.
    conditions: Vec<u32>,
    heads: Vec<Fact>,
    /// The axioms without condition.
    free: Vec<u32>,
    plain: Vec<VarId>,
    /// The derived variables with their defaults, by stratum.
    strata: Vec<Vec<Fact>>,
    open: Vec<u32>,
    queue: Vec<Fact>,
}

impl AxiomEvaluator {
    /// Prepares the axioms of a task; `None` if it has no derived variable.
    pub fn new(task: &Task) -> Option<AxiomEvaluator> {
        let mut strata: Vec<(u32, Fact)> = task
            .variables
            .enumerate()
            .filter_map(|(var, variable)| {
                variable.derived.map(|derived| (derived.layer, Fact { var, value: derived.default }))
            })
            .collect();
        if strata.is_empty() {
            return None;
        }
        strata.sort_unstable();
        let numbers = FactNumbers::new(task);
        let mut watching = vec![Vec::new(); numbers.count()];
        for (i, axiom) in task.axioms.iter().enumerate() {
            for fact in &axiom.condition {
                watching[numbers.of(*fact)].push(i as u32);
            }
        }
        Some(AxiomEvaluator {
            numbers,
            watching,
            conditions: task.axioms.iter().map(|axiom| axiom.condition.len() as u32).collect(),
            heads: task.axioms.iter().map(|axiom| axiom.head).collect(),
            free: (0..)
                .zip(&task.axioms)
                .filter(|(_, axiom)| axiom.condition.is_empty())
                .map(|(i, _)| i)
                .collect(),
            plain: task.variables.ids().filter(|&var| task.variables[var].derived.is_none()).collect(),
            strata: strata
                .chunk_by(|a, b| a.0 == b.0)
                .map(|stratum| stratum.iter().map(|&(_, fact)| fact).collect())
                .collect(),
            open: Vec::new(),
            queue: Vec::new(),
        })
    }

    /// Sets the derived variables of a state whose plain variables are right.
    pub fn close(&mut self, state: &mut IdVec<VarId, Value>) {
        self.open.clone_from(&self.conditions);
        self.queue.clear();
        for default in self.strata.iter().flatten() {
            state[default.var] = default.value;
        }
        for i in 0..self.free.len() {
            self.derive(self.free[i], state);
        }
        for i in 0..self.plain.len() {
            let var = self.plain[i];
            self.queue.push(Fact { var, value: state[var] });
        }
        self.saturate(state);
        for stratum in 0..self.strata.len() {
            for i in 0..self.strata[stratum].len() {
                let default = self.strata[stratum][i];
                if state[default.var] == default.value {
                    self.queue.push(default);
                }
            }
            self.saturate(state);
        }
    }

    fn saturate(&mut self, state: &mut IdVec<VarId, Value>) {
        while let Some(fact) = self.queue.pop() {
            let fact = self.numbers.of(fact);
            for i in 0..self.watching[fact].len() {
                let axiom = self.watching[fact][i];
                self.open[axiom as usize] -= 1;
                if self.open[axiom as usize] == 0 {
                    self.derive(axiom, state);
                }
            }
        }
    }

    fn derive(&mut self, axiom: u32, state: &mut IdVec<VarId, Value>) {
        let head = self.heads[axiom as usize];
        if state[head.var] != head.value {
            state[head.var] = head.value;
            self.queue.push(head);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use counterplay_task::close_under_axioms;
    use counterplay_testkit::{Shape, random_task_of, reachable};

    #[test]
    fn derived_variables_agree_with_the_plain_semantics() {
        let shape = Shape { conditional_effects: false, axioms: true, zero_costs: false, huge_costs: false };
        for seed in 0..300 {
            let task = random_task_of(shape, seed);
            let mut axioms = AxiomEvaluator::new(&task).expect("a task with axioms");
            for mut state in reachable(&task) {
                let mut plain = state.clone();
                close_under_axioms(&task, &mut plain);
                axioms.close(&mut state);
                assert_eq!(state, plain, "seed {seed}");
            }
        }
    }
}
