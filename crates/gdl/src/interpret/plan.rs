//! How a rule is evaluated when some columns of its head are known.
//!
//! The order of conditions is fixed beforehand: tests as soon as their variables are bound, and otherwise the
//! condition that is expected to have the fewest answers. So it is known at every step which variables are bound, and
//! going back needs no undoing.

use counterplay_base::id;

use super::store::Columns;
use super::terms::TermId;
use crate::model::{Rule, Term};

id! {
    /// A list of facts.
    pub struct StoreId;
    /// A relation with the columns that are known when it is asked.
    pub struct QuestionId;
}

/// A term to be built from bound variables.
#[derive(Clone, Debug)]
pub(super) enum Pattern {
    Ground(TermId),
    Bound(usize),
    /// The name and the arguments.
    Function(TermId, Box<[Pattern]>),
}

/// A term to be taken apart, binding variables.
#[derive(Clone, Debug)]
pub(super) enum Match {
    Equal(TermId),
    /// A variable that is bound.
    Check(usize),
    /// A variable that is bound here.
    Bind(usize),
    Function(TermId, Box<[Match]>),
}

/// Where the rows of a condition come from.
#[derive(Clone, Copy, Debug)]
pub(super) enum Source {
    Store(StoreId),
    Question(QuestionId),
}

/// A condition on rows: known columns, and what to do with the others.
#[derive(Clone, Debug)]
pub(super) struct Lookup {
    pub(super) source: Source,
    pub(super) arity: usize,
    pub(super) columns: Columns,
    pub(super) key: Box<[Pattern]>,
    pub(super) rest: Box<[(usize, Match)]>,
}

/// One condition of a rule.
#[derive(Clone, Debug)]
pub(super) enum Step {
    Holds(Lookup),
    /// All columns are known.
    HoldsNot(Lookup),
    Differ(Pattern, Pattern),
    /// The first is known, the second may bind variables.
    Same(Pattern, Match),
}

/// A rule, ready to be evaluated.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    pub(super) variables: usize,
    /// The known columns of the head, in order.
    pub(super) open: Box<[Match]>,
    pub(super) steps: Box<[Step]>,
    /// All columns of the head.
    pub(super) head: Box<[Pattern]>,
}

/// Which variables of a rule are bound so far.
pub(super) struct Bound(Vec<bool>);

impl Bound {
    pub(super) fn new(rule: &Rule) -> Bound {
        Bound(vec![false; rule.variables.len()])
    }

    /// Whether all variables of a term are bound.
    pub(super) fn covers(&self, term: &Term) -> bool {
        match term {
            Term::Symbol(_) => true,
            Term::Variable(variable) => self.0[*variable as usize],
            Term::Function(_, args) => args.iter().all(|arg| self.covers(arg)),
        }
    }

    /// Binds a variable; whether it was bound before.
    pub(super) fn bind(&mut self, variable: u32) -> bool {
        std::mem::replace(&mut self.0[variable as usize], true)
    }
}
