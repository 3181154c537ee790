//! Facts within which nature can hold every policy.
//!
//! Nature may pick the outcomes that change least, and always the same ones. If a set of facts contains the initial state, and every
//! action whose precondition lies in the set has an outcome that adds nothing from outside, then nature can keep all states inside for ever. A goal
//! with a fact outside is then never certain to be reached: there is no strong policy, and no state had to be looked at to see it.
//! Which set is found depends on which outcomes are let in; those that add no part of the goal, and least, come first.

use counterplay_base::{Budget, BudgetPoll, IdVec, Limit};
use counterplay_task::{ChoiceId, Fact, NondetTask, OpId, VarId};

/// The name of this proof in [`Statistics::ran`](crate::Statistics::ran).
pub const TRAP: &str = "trap of facts";

/// The facts that are inside.
struct Trap<'t> {
    nondet: &'t NondetTask,
    inside: IdVec<VarId, Vec<bool>>,
    is_goal_var: IdVec<VarId, bool>,
}

/// Whether nature is seen to be able to keep every policy from the goal. `false` says nothing.
pub(crate) fn excludes_strong(nondet: &NondetTask, budget: &Budget) -> Result<bool, Limit> {
    let task = &nondet.task;
    let mut inside: IdVec<VarId, Vec<bool>> = IdVec::new();
    for (var, variable) in task.variables.enumerate() {
        // What is derived may follow or not.
        let is_derived = variable.derived.is_some();
        let mut values = vec![is_derived; variable.values.len()];
        if let Some(initial) = values.get_mut(task.initial[var] as usize) {
            *initial = true;
        }
        inside.push(values);
    }
    let mut is_goal_var = IdVec::filled(false, task.variables.len());
    task.goal.iter().for_each(|fact| is_goal_var[fact.var] = true);
    Trap { nondet, inside, is_goal_var }.close(budget)
}

impl Trap<'_> {
    fn has(&self, fact: Fact) -> bool {
        self.inside[fact.var][fact.value as usize]
    }

    fn has_all(&self, facts: &[Fact]) -> bool {
        facts.iter().all(|&fact| self.has(fact))
    }

    /// What an outcome may add.
    fn added(&self, op: OpId) -> impl Iterator<Item = Fact> {
        let effects = self.nondet.task.operators[op].effects.iter();
        let live = effects.filter(|effect| !self.has(effect.fact) && self.has_all(&effect.condition));
        live.map(|effect| effect.fact)
    }

    /// The outcome that adds least, with what it costs nature: parts of the goal, and facts.
    fn least(&self, choice: ChoiceId) -> Option<((usize, usize), OpId)> {
        let goal = &self.nondet.task.goal;
        let cost = |op| {
            let is_wanted = |fact: &Fact| self.is_goal_var[fact.var] && goal.contains(fact);
            let wanted = self.added(op).filter(is_wanted).count();
            ((wanted, self.added(op).count()), op)
        };
        self.nondet.choices[choice].operators().map(cost).min()
    }

    fn let_in(&mut self, op: OpId) {
        let added: Vec<Fact> = self.added(op).collect();
        added.into_iter().for_each(|fact| self.inside[fact.var][fact.value as usize] = true);
    }

    /// Lets facts in until every action has an outcome that adds none; whether a part of the goal is still outside.
    fn close(mut self, budget: &Budget) -> Result<bool, Limit> {
        let mut poll = BudgetPoll::every(1024);
        loop {
            if self.has_all(&self.nondet.task.goal) {
                return Ok(false);
            }
            // Actions with one outcome leave nature no choice. Those with several wait until these are done.
            let mut changed = false;
            let mut waiting: Vec<((usize, usize), ChoiceId)> = Vec::new();
            for (id, choice) in self.nondet.choices.enumerate() {
                poll.step(budget)?;
                if !self.has_all(self.nondet.precondition(id)) {
                    continue;
                }
                match self.least(id) {
                    None | Some(((_, 0), _)) => {}
                    Some((_, op)) if choice.operators().len() == 1 => {
                        self.let_in(op);
                        changed = true;
                    }
                    Some((cost, _)) => waiting.push((cost, id)),
                }
            }
            if changed {
                continue;
            }
            waiting.sort_unstable();
            let Some(&(cost, _)) = waiting.first() else { return Ok(true) };
            // What adds more than the least may come to add nothing once the least is in.
            for (_, choice) in waiting.into_iter().take_while(|&(other, _)| other == cost) {
                poll.step(budget)?;
                if let Some(((_, 1..), op)) = self.least(choice) {
                    self.let_in(op);
                }
            }
        }
    }
}
