//! Further joins over a finished database.

use counterplay_base::{Budget, BudgetPoll, Limit};

use super::join::{Join, Plan};
use super::plan::plan;
use super::{Atom, Database, Symbol, Test, variable_count};

/// A join that is asked many times, each time with some variables given.
#[derive(Debug)]
pub struct Query {
    plan: Plan,
    variables: usize,
    join: Join,
    poll: BudgetPoll,
}

impl Query {
    /// Prepares a join for the values of the variables in `wanted`, which all occur in the body; answers
    /// may come more than once. The variables in `given` will have values when it is asked. Each variable
    /// of a test must be given or occur in the body.
    pub fn new(
        database: &mut Database,
        body: &[Atom],
        tests: &[Test],
        given: &[u32],
        wanted: &[u32],
        budget: &Budget,
    ) -> Result<Query, Limit> {
        let greatest = given.iter().max().map_or(0, |&variable| variable as usize + 1);
        let variables = variable_count(body, tests).max(greatest);
        let mut bound = vec![false; variables];
        for &variable in given {
            bound[variable as usize] = true;
        }
        let body: Vec<&Atom> = body.iter().collect();
        let plan = plan(&body, tests, wanted, &mut bound, &mut database.relations, budget)?;
        Ok(Query { plan, variables, join: Join::default(), poll: BudgetPoll::every(1024) })
    }

    /// Begins a new question. `binding` holds a value for each given variable, at its number; it may be
    /// longer than the query has variables.
    pub fn ask(&mut self, binding: &[Symbol]) {
        self.join.restart(&self.plan, self.variables);
        let shared = self.variables.min(binding.len());
        self.join.binding[..shared].copy_from_slice(&binding[..shared]);
    }

    /// The next answer: a value for each variable that is given or wanted, at its number.
    pub fn next(&mut self, database: &Database, budget: &Budget) -> Result<Option<&[Symbol]>, Limit> {
        let found = self.join.advance(&self.plan, &database.relations, &mut self.poll, budget)?;
        Ok(found.then_some(&self.join.binding))
    }
}
