//! Sets of states as few conjunctions of facts.
//!
//! Minato's and Morreale's irredundant sum of products, with variables of several values: what cannot do
//! without a fact about the next variable is covered with one, value by value, and the rest without.

use counterplay_base::{Budget, Limit};
use counterplay_symbolic::{Space, StateSet};
use counterplay_task::{Fact, NondetTask, VarId};

/// Conjunctions that together hold in all states of `least` and only in states of `most`.
pub fn cover(
    space: &Space,
    nondet: &NondetTask,
    order: &[VarId],
    least: &StateSet,
    most: &StateSet,
    budget: &Budget,
) -> Result<Vec<Vec<Fact>>, Limit> {
    let plain = |var: &&VarId| nondet.task.variables[**var].derived.is_none();
    let order: Vec<VarId> = order.iter().filter(plain).copied().collect();
    let cover = Cover { space, nondet, order, all: space.all(), budget };
    let mut conditions = Vec::new();
    cover.run(least, most, 0, &mut Vec::new(), &mut conditions)?;
    conditions.iter_mut().for_each(|condition| condition.sort_unstable());
    Ok(conditions)
}

struct Cover<'a> {
    space: &'a Space,
    nondet: &'a NondetTask,
    order: Vec<VarId>,
    all: StateSet,
    budget: &'a Budget,
}

impl Cover<'_> {
    /// Covers `least` within `most`, which do not depend on the first `depth` variables; what was covered.
    fn run(
        &self,
        least: &StateSet,
        most: &StateSet,
        depth: usize,
        facts: &mut Vec<Fact>,
        out: &mut Vec<Vec<Fact>>,
    ) -> Result<StateSet, Limit> {
        self.budget.check()?;
        if least.is_empty() {
            return Ok(self.space.none());
        }
        if self.all.is_subset(most)? {
            out.push(facts.clone());
            return Ok(self.all.clone());
        }
        let var = self.order[depth];
        let values = 0..self.nondet.task.domain_size(var);
        let given = |set: &StateSet| -> Result<Vec<StateSet>, Limit> {
            // Codes that stand for no value must not be left over as something to cover.
            let given = |value| self.space.given(set, Fact { var, value })?.intersect(&self.all);
            values.clone().map(given).collect()
        };
        let (least, most) = (given(least)?, given(most)?);
        let mut always = most[0].clone();
        for set in &most[1..] {
            always = always.intersect(set)?;
        }
        let mut covered = self.space.none();
        let mut rest = self.space.none();
        for ((value, least), most) in values.zip(&least).zip(&most) {
            let fact = Fact { var, value };
            facts.push(fact);
            let own = self.run(&least.minus(&always)?, most, depth + 1, facts, out)?;
            facts.pop();
            rest = rest.union(&least.minus(&own)?)?;
            covered = covered.union(&own.intersect(&self.space.facts(&[fact])?)?)?;
        }
        let own = self.run(&rest, &always, depth + 1, facts, out)?;
        covered.union(&own)
    }
}
