//! The variables of the formula and their names.

use std::fmt;

use counterplay_base::Id;
use counterplay_task::{Fact, OpId, VarId};

use crate::lines::number;

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
    /// The variables of a block have the values of this pattern.
    Pattern(u32),
    PatternNext(u32),
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
    /// No variable of this block changes.
    Still(usize),
    /// After the step a fact of this zone holds in this block.
    ZoneIn(usize, usize),
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

impl Var {
    /// What the name begins with, and the numbers after it.
    fn name(self) -> (&'static str, Option<u64>, Option<u64>) {
        let of = |number: usize| Some(number as u64);
        match self {
            Var::Now(Fact { var, value }) => ("x", of(var.index()), Some(u64::from(value))),
            Var::Next(Fact { var, value }) => ("y", of(var.index()), Some(u64::from(value))),
            Var::Op(op) => ("op", of(op.index()), None),
            Var::Fires(op, effect) => ("fires", of(op.index()), of(effect)),
            Var::Changes(var) => ("changes", of(var.index()), None),
            Var::Cost(bit) => ("c", Some(u64::from(bit)), None),
            Var::CostNext(bit) => ("d", Some(u64::from(bit)), None),
            Var::Init => ("init", None, None),
            Var::Goal => ("goal", None, None),
            Var::Step => ("step", None, None),
            Var::Inside => ("inx", None, None),
            Var::InsideNext => ("iny", None, None),
            Var::AtLeast(cost) => ("gx", Some(cost), None),
            Var::AtLeastNext(cost) => ("gy", Some(cost), None),
            Var::State(i) => ("sx", of(i), None),
            Var::StateNext(i) => ("sy", of(i), None),
            Var::Pattern(i) => ("bx", Some(u64::from(i)), None),
            Var::PatternNext(i) => ("by", Some(u64::from(i)), None),
            Var::Zone(i) => ("zx", of(i), None),
            Var::ZoneNext(i) => ("zy", of(i), None),
            Var::Estimate(i) => ("ex", of(i), None),
            Var::EstimateNext(i) => ("ey", of(i), None),
            Var::Set(number) => ("nx", Some(u64::from(number)), None),
            Var::SetNext(number) => ("ny", Some(u64::from(number)), None),
            Var::Layer(i) => ("lx", of(i), None),
            Var::LayerNext(i) => ("ly", of(i), None),
            Var::Group(i) => ("group", of(i), None),
            Var::Kept(place) => ("kept", of(place), None),
            Var::Still(block) => ("still", of(block), None),
            Var::ZoneIn(zone, block) => ("zone", of(zone), of(block)),
            Var::Class(cost) => ("class", Some(cost), None),
            Var::Branch(node) => ("branch", of(node), None),
        }
    }

    fn append(self, text: &mut Vec<u8>) {
        let (word, first, second) = self.name();
        text.extend_from_slice(word.as_bytes());
        if let Some(first) = first {
            number(text, first);
        }
        if let Some(second) = second {
            text.push(b'_');
            number(text, second);
        }
    }
}

impl Lit {
    /// Appends its name.
    pub(crate) fn append(self, text: &mut Vec<u8>) {
        if self.is_negated {
            text.push(b'~');
        }
        self.var.append(text);
    }
}

impl fmt::Display for Var {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut name = Vec::new();
        self.append(&mut name);
        f.write_str(&String::from_utf8_lossy(&name))
    }
}

impl fmt::Display for Lit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut name = Vec::new();
        self.append(&mut name);
        f.write_str(&String::from_utf8_lossy(&name))
    }
}
