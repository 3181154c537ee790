//! The variables of the formula and their names.

use std::fmt;

use counterplay_base::Id;
use counterplay_task::{Fact, OpId, VarId};

/// A variable of the formula. What ends in `Next` speaks about the state after the step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Var {
    Now(Fact),
    Next(Fact),
    Op(OpId),
    /// An effect with a condition of its own, by its place, takes place.
    Fires(OpId, usize),
    /// An effect on a variable takes place.
    Changes(VarId),
    /// A bit of the cost paid so far.
    Cost(u32),
    CostNext(u32),
    /// The three ways in which the invariant might be none.
    Init,
    Goal,
    Step,
    /// The pair is in the set.
    Inside,
    InsideNext,
    /// The cost is at least this.
    AtLeast(u64),
    AtLeastNext(u64),
    State(usize),
    StateNext(usize),
    Zone(usize),
    ZoneNext(usize),
    Estimate(usize),
    EstimateNext(usize),
    /// The state is in the set with this number.
    Set(u32),
    SetNext(u32),
    Layer(usize),
    LayerNext(usize),
    /// An operator of a group, which changes no variable above a place of the order, is applied.
    Group(usize),
    /// No variable from this place of the order on changes.
    Kept(usize),
    /// An operator of this cost is applied.
    Class(u64),
    /// An operator below this node of the tree of preconditions is applied.
    Branch(usize),
}

/// A variable or its negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Lit {
    var: Var,
    is_negated: bool,
}

impl Var {
    pub(crate) fn yes(self) -> Lit {
        Lit { var: self, is_negated: false }
    }

    pub(crate) fn no(self) -> Lit {
        Lit { var: self, is_negated: true }
    }
}

impl fmt::Display for Var {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Var::Now(Fact { var, value }) => write!(f, "x{}_{value}", var.index()),
            Var::Next(Fact { var, value }) => write!(f, "y{}_{value}", var.index()),
            Var::Op(op) => write!(f, "op{}", op.index()),
            Var::Fires(op, effect) => write!(f, "fires{}_{effect}", op.index()),
            Var::Changes(var) => write!(f, "changes{}", var.index()),
            Var::Cost(bit) => write!(f, "c{bit}"),
            Var::CostNext(bit) => write!(f, "d{bit}"),
            Var::Init => write!(f, "init"),
            Var::Goal => write!(f, "goal"),
            Var::Step => write!(f, "step"),
            Var::Inside => write!(f, "inx"),
            Var::InsideNext => write!(f, "iny"),
            Var::AtLeast(cost) => write!(f, "gx{cost}"),
            Var::AtLeastNext(cost) => write!(f, "gy{cost}"),
            Var::State(i) => write!(f, "sx{i}"),
            Var::StateNext(i) => write!(f, "sy{i}"),
            Var::Zone(i) => write!(f, "zx{i}"),
            Var::ZoneNext(i) => write!(f, "zy{i}"),
            Var::Estimate(i) => write!(f, "ex{i}"),
            Var::EstimateNext(i) => write!(f, "ey{i}"),
            Var::Set(number) => write!(f, "nx{number}"),
            Var::SetNext(number) => write!(f, "ny{number}"),
            Var::Layer(i) => write!(f, "lx{i}"),
            Var::LayerNext(i) => write!(f, "ly{i}"),
            Var::Group(i) => write!(f, "group{i}"),
            Var::Kept(place) => write!(f, "kept{place}"),
            Var::Class(cost) => write!(f, "class{cost}"),
            Var::Branch(node) => write!(f, "branch{node}"),
        }
    }
}

impl fmt::Display for Lit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", if self.is_negated { "~" } else { "" }, self.var)
    }
}
