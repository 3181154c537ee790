//! Running a join: nested look-ups, one solution at a time.
//!
//! A [`Plan`] is a list of levels; each looks up the tuples that fit what is bound so far, binds further
//! variables, and makes the checks that have become possible. [`Join`] walks it without recursion, so that
//! the length of a rule is limited by memory only.

use counterplay_base::{Budget, BudgetPoll, IdVec, Limit};

use super::relation::{Link, Relation};
use super::{RelationId, Symbol, Term};

/// The order of a join and how each atom is looked up.
#[derive(Clone, Debug, Default)]
pub(super) struct Plan {
    /// Checks on what is bound before the first level.
    pub(super) entry: Vec<Check>,
    pub(super) levels: Vec<Level>,
    /// How many levels bind variables that are asked for; the others only look for a witness, and one is
    /// enough.
    pub(super) wanted: usize,
}

#[derive(Clone, Debug)]
pub(super) struct Level {
    pub(super) relation: RelationId,
    /// The index to use; without one all active tuples are tried.
    pub(super) index: Option<usize>,
    /// The values for the columns of the index.
    pub(super) key: Vec<Term>,
    /// Columns that bind variables.
    pub(super) bind: Vec<(usize, u32)>,
    /// Pairs of columns that must be equal: a variable that occurs twice and is bound here.
    pub(super) equal: Vec<(usize, usize)>,
    pub(super) checks: Vec<Check>,
}

/// A condition on bound variables.
#[derive(Clone, Debug)]
pub(super) enum Check {
    Different(Term, Term),
    Holds(RelationId, Vec<Term>),
    Absent(RelationId, Vec<Term>),
}

/// A join under way.
#[derive(Clone, Debug, Default)]
pub(super) struct Join {
    /// The value of each variable that is bound.
    pub(super) binding: Vec<Symbol>,
    cursors: Vec<Link>,
    scratch: Vec<Symbol>,
    state: State,
}

/// Where a join stands between two solutions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    /// Entry checks have to be made.
    #[default]
    Fresh,
    /// The cursors stand behind the last solution.
    Running,
    /// There is no further solution.
    Done,
}

impl Join {
    /// Makes ready for a plan with so many variables; those bound from outside are to be set in `binding`.
    pub(super) fn restart(&mut self, plan: &Plan, variables: usize) {
        self.binding.clear();
        self.binding.resize(variables, 0);
        self.cursors.clear();
        self.cursors.resize(plan.levels.len(), 0);
        self.state = State::Fresh;
    }

    /// Moves to the next solution; `false` when there is none.
    pub(super) fn advance(
        &mut self,
        plan: &Plan,
        relations: &IdVec<RelationId, Relation>,
        poll: &mut BudgetPoll,
        budget: &Budget,
    ) -> Result<bool, Limit> {
        let last = plan.levels.len();
        let mut depth = match self.state {
            State::Done => return Ok(false),
            State::Fresh => {
                if !self.passes(&plan.entry, relations) || last == 0 {
                    let solved = last == 0 && self.passes(&plan.entry, relations);
                    self.state = State::Done;
                    return Ok(solved);
                }
                self.open(0, plan, relations);
                self.state = State::Running;
                0
            }
            State::Running if plan.wanted == 0 => {
                self.state = State::Done;
                return Ok(false);
            }
            State::Running => plan.wanted - 1,
        };
        loop {
            poll.step(budget)?;
            let level = &plan.levels[depth];
            let relation = &relations[level.relation];
            let link = self.cursors[depth];
            if link == 0 {
                if depth == 0 {
                    self.state = State::Done;
                    return Ok(false);
                }
                depth -= 1;
                continue;
            }
            // The cursor moves on before the tuple is used, so that backtracking finds the next one.
            self.cursors[depth] = match level.index {
                Some(index) => relation.next(index, link),
                None => link - 1,
            };
            let tuple = relation.tuple(link as usize - 1);
            if level.equal.iter().any(|&(left, right)| tuple[left] != tuple[right]) {
                continue;
            }
            for &(column, variable) in &level.bind {
                self.binding[variable as usize] = tuple[column];
            }
            if !self.passes(&level.checks, relations) {
                continue;
            }
            depth += 1;
            if depth == last {
                return Ok(true);
            }
            self.open(depth, plan, relations);
        }
    }

    /// Sets the cursor of a level to its first tuple.
    #[inline]
    fn open(&mut self, depth: usize, plan: &Plan, relations: &IdVec<RelationId, Relation>) {
        let level = &plan.levels[depth];
        let relation = &relations[level.relation];
        self.cursors[depth] = match level.index {
            Some(index) => {
                fill(&mut self.scratch, &level.key, &self.binding);
                relation.first(index, &self.scratch)
            }
            None => relation.active() as Link,
        };
    }

    #[inline]
    fn passes(&mut self, checks: &[Check], relations: &IdVec<RelationId, Relation>) -> bool {
        checks.iter().all(|check| match check {
            Check::Different(left, right) => value(*left, &self.binding) != value(*right, &self.binding),
            Check::Holds(relation, terms) => {
                fill(&mut self.scratch, terms, &self.binding);
                relations[*relation].holds(&self.scratch)
            }
            Check::Absent(relation, terms) => {
                fill(&mut self.scratch, terms, &self.binding);
                !relations[*relation].holds(&self.scratch)
            }
        })
    }
}

/// The symbol that a term stands for.
#[inline]
pub(super) fn value(term: Term, binding: &[Symbol]) -> Symbol {
    match term {
        Term::Symbol(symbol) => symbol,
        Term::Variable(variable) => binding[variable as usize],
    }
}

/// The symbols that terms stand for, into a buffer.
#[inline]
pub(super) fn fill(out: &mut Vec<Symbol>, terms: &[Term], binding: &[Symbol]) {
    out.clear();
    out.extend(terms.iter().map(|&term| value(term, binding)));
}
