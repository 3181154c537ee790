//! The problem without variables, still in terms of atoms that are true or false.
//!
//! Conditions are conjunctions of literals; an operator's effects are conditional and change one atom each,
//! and adding wins over deleting. Lists of literals and effects lie back to back in two arenas, since tasks
//! have some ten thousand operators with a handful of each.

use counterplay_base::{Id, IdVec, id};
use counterplay_pddl::model::{ActionId, Number, PredicateId};

id! {
    /// A ground atom that may change, or an auxiliary one.
    pub struct AtomId;
}

/// An atom or its negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Literal(u32);

impl Literal {
    /// The atom holds (`true`) or does not.
    #[inline]
    pub(crate) fn new(atom: AtomId, positive: bool) -> Literal {
        Literal((atom.index() as u32) << 1 | u32::from(!positive))
    }

    #[inline]
    pub(crate) fn atom(self) -> AtomId {
        AtomId::new((self.0 >> 1) as usize)
    }

    #[inline]
    pub(crate) fn is_positive(self) -> bool {
        self.0 & 1 == 0
    }

    #[inline]
    pub(crate) fn negated(self) -> Literal {
        Literal(self.0 ^ 1)
    }

    /// Position in a table with two entries for each atom.
    #[inline]
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// Where an atom comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// The tuple with this number of the predicate's relation.
    Predicate(PredicateId, u32),
    /// Stands for a formula that is no conjunction of literals.
    Auxiliary(u32),
}

/// A stretch of an arena.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) struct Stretch {
    pub(crate) start: usize,
    pub(crate) end: usize,
}

impl Stretch {
    pub(crate) fn range(self) -> std::ops::Range<usize> {
        self.start..self.end
    }

    pub(crate) fn is_empty(self) -> bool {
        self.start == self.end
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Operator {
    pub(crate) action: ActionId,
    /// The number of the parameters in the action's relation.
    pub(crate) tuple: u32,
    /// Which of the conjunctions that its action's precondition was split into it has. The outcomes of one action are split
    /// alike: those with the same part belong together, whatever becomes of their preconditions later.
    pub(crate) part: u32,
    /// The number of its cost.
    pub(crate) cost: u32,
    /// Literals, sorted.
    pub(crate) precondition: Stretch,
    pub(crate) effects: Stretch,
}

/// If the condition holds, the literal becomes true.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effect {
    /// Literals, sorted; none of them is in the precondition.
    pub(crate) condition: Stretch,
    pub(crate) literal: Literal,
}

/// If the body holds, so does the head.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Axiom {
    /// Literals, sorted.
    pub(crate) body: Stretch,
    pub(crate) head: AtomId,
}

/// A preference for the end.
#[derive(Clone, Debug)]
pub(crate) struct Soft {
    /// Conjunctions of literals, of which one should hold.
    pub(crate) alternatives: Vec<Vec<Literal>>,
    /// What it costs to go without.
    pub(crate) weight: Number,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Propositional {
    pub(crate) atoms: IdVec<AtomId, Origin>,
    pub(crate) initial: IdVec<AtomId, bool>,
    /// Whether axioms compute the atom.
    pub(crate) derived: IdVec<AtomId, bool>,
    pub(crate) operators: Vec<Operator>,
    pub(crate) axioms: Vec<Axiom>,
    /// Literals, sorted; `None` if the goal cannot hold.
    pub(crate) goal: Option<Vec<Literal>>,
    /// Wishes for the end.
    pub(crate) soft: Vec<Soft>,
    pub(crate) effects: Vec<Effect>,
    pub(crate) literals: Vec<Literal>,
    /// The costs that occur.
    pub(crate) costs: Vec<Number>,
    /// Whether operators that change nothing stay: among outcomes of an action they count.
    pub(crate) keeps_idle: bool,
}

impl Propositional {
    /// The literals of a list.
    #[inline]
    pub(crate) fn list(&self, list: Stretch) -> &[Literal] {
        &self.literals[list.range()]
    }

    /// The effects of an operator.
    #[inline]
    pub(crate) fn effects_of(&self, operator: &Operator) -> &[Effect] {
        &self.effects[operator.effects.range()]
    }

    /// Stores a list of literals.
    pub(crate) fn store(&mut self, literals: &[Literal]) -> Stretch {
        let start = self.literals.len();
        self.literals.extend_from_slice(literals);
        Stretch { start, end: self.literals.len() }
    }

    /// Adds an atom that stands for a formula.
    pub(crate) fn auxiliary(&mut self) -> AtomId {
        self.initial.push(false);
        self.derived.push(true);
        let number = self.atoms.len() as u32;
        self.atoms.push(Origin::Auxiliary(number))
    }
}

/// Sorts literals and removes repetitions; `false` if they contradict each other.
pub(crate) fn tidy(literals: &mut Vec<Literal>) -> bool {
    literals.sort_unstable();
    literals.dedup();
    literals.windows(2).all(|pair| pair[0].atom() != pair[1].atom())
}
