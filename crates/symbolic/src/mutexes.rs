//! Mutexes as constraints on sets of states.
//!
//! Backward search from a partial goal reaches masses of states that no forward search ever sees. Facts that are
//! known never to hold together cut them off. The conjunction of all mutexes is a huge diagram, but a step back
//! over one operator can only break mutexes of the facts it makes true, its precondition: so each operator is
//! restricted to states that break none of those (edeletion: Torralba and Alcázar 2013).

use counterplay_base::{IdVec, Limit};
use counterplay_bdd::Bdd;
use counterplay_task::{Fact, Task, VarId};

use crate::Space;

/// For each fact, the facts of other variables that never hold with it.
pub(crate) struct Mutexes {
    partners: IdVec<VarId, Vec<Vec<Fact>>>,
}

impl Mutexes {
    /// The mutexes of a task between variables that have bits of their own.
    pub(crate) fn new(task: &Task, space: &Space) -> Mutexes {
        let mut partners: IdVec<VarId, Vec<Vec<Fact>>> =
            task.variables.iter().map(|variable| vec![Vec::new(); variable.values.len()]).collect();
        let mut note = |a: Fact, b: Fact| {
            if a.var != b.var && space.is_encoded(a.var) && space.is_encoded(b.var) {
                partners[a.var][a.value as usize].push(b);
                partners[b.var][b.value as usize].push(a);
            }
        };
        for group in &task.mutex_groups {
            for (i, &a) in group.iter().enumerate() {
                group[i + 1..].iter().for_each(|&b| note(a, b));
            }
        }
        task.mutex_pairs.iter().for_each(|&(a, b)| note(a, b));
        for facts in partners.iter_mut().flatten() {
            facts.sort_unstable();
            facts.dedup();
        }
        Mutexes { partners }
    }

    /// States that do not break a mutex of any of the given facts, provided that these hold.
    pub(crate) fn respected(&self, space: &Space, facts: &[Fact]) -> Result<Bdd, Limit> {
        let mut forbidden: Vec<Fact> =
            facts.iter().flat_map(|fact| &self.partners[fact.var][fact.value as usize]).copied().collect();
        // From the bottom of the order upwards, so that conjunctions only grow at the top.
        forbidden.sort_unstable_by_key(|fact| (std::cmp::Reverse(space.place(fact.var)), *fact));
        forbidden.dedup();
        // A fact whose variable is fixed by the given facts cannot hold anyway.
        forbidden.retain(|fact| facts.iter().all(|given| given.var != fact.var));
        let mut result = space.manager.constant(true);
        for fact in forbidden {
            result = result.minus(&space.cube(&[fact], 0)?)?;
        }
        Ok(result)
    }

    /// States in which the value of `var`, whatever it is, breaks no mutex.
    pub(crate) fn respected_by_any(&self, space: &Space, var: VarId) -> Result<Bdd, Limit> {
        let mut result = space.manager.constant(true);
        for value in 0..self.partners[var].len() as u32 {
            let fact = Fact { var, value };
            if !self.partners[var][value as usize].is_empty() {
                let own = space.cube(&[fact], 0)?;
                result = result.and(&own.minus(&self.respected(space, &[fact])?)?.not())?;
            }
        }
        Ok(result)
    }
}
