//! Ground game rules: fluents, moves, and a network of conjunctions and disjunctions over them.

use counterplay_base::{IdLists, IdVec, id};

id! {
    /// A fluent: something that holds in a state or does not.
    pub struct FluentId;
    /// A move of one role.
    pub struct MoveId;
    pub struct RoleId;
    /// A fluent, a move that is made, or something that follows from those by rules.
    ///
    /// Fluents come first, then moves, then what is derived.
    pub struct AtomId;
    pub struct RuleId;
}

/// An atom or its negation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Literal(u32);

impl Literal {
    /// The atom, or with `positive` false its negation.
    pub fn new(atom: AtomId, positive: bool) -> Literal {
        use counterplay_base::Id;
        Literal((atom.index() as u32) << 1 | u32::from(!positive))
    }

    pub fn atom(self) -> AtomId {
        use counterplay_base::Id;
        AtomId::new((self.0 >> 1) as usize)
    }

    /// Whether the atom itself is meant.
    pub fn is_positive(self) -> bool {
        self.0 & 1 == 0
    }

    pub fn negated(self) -> Literal {
        Literal(self.0 ^ 1)
    }

    /// A number of its own: twice that of the atom, plus one if negated.
    pub fn code(self) -> u32 {
        self.0
    }
}

/// What a result of the rules comes to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Signal {
    Constant(bool),
    Literal(Literal),
}

/// A move of a role.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    pub role: RoleId,
    /// As it is written.
    pub name: String,
}

/// A reward that a role gets under some condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Goal {
    pub role: RoleId,
    /// How much, from 0 to 100.
    pub value: u32,
    pub when: Signal,
}

/// Something that a role perceives of a joint move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Percept {
    pub role: RoleId,
    /// As it is written.
    pub name: String,
    pub when: Signal,
}

/// The ground rules of a game.
///
/// Laws: a derived atom holds exactly if the body of one of its rules holds (the least such solution, stratum by
/// stratum). The rules of an atom are consecutive.
#[derive(Clone, Debug)]
pub struct Game {
    pub roles: IdVec<RoleId, String>,
    /// The fluents, as they are written.
    pub fluents: IdVec<FluentId, String>,
    /// The parts of each fluent: its functor and its arguments, as numbers that are equal if the terms are.
    pub terms: IdLists<FluentId, u32>,
    /// The moves; those of a role are consecutive.
    pub moves: IdVec<MoveId, Move>,
    /// What holds at the beginning, sorted.
    pub initial: Vec<FluentId>,
    /// When a fluent holds in the next state.
    pub next: IdVec<FluentId, Signal>,
    /// When a move may be made.
    pub legal: IdVec<MoveId, Signal>,
    /// The rewards, sorted by role and value.
    pub goals: Vec<Goal>,
    /// When the game is over.
    pub terminal: Signal,
    /// The role `random`, which draws its moves.
    pub chance: Option<RoleId>,
    /// What roles perceive of joint moves; `None` if they see everything.
    pub percepts: Option<Vec<Percept>>,
    /// How many atoms there are.
    pub atoms: usize,
    /// The derived atom that each rule is for.
    pub heads: IdVec<RuleId, AtomId>,
    /// The conditions of each rule.
    pub bodies: IdLists<RuleId, Literal>,
    /// Strongly connected components of the derived atoms, in an order in which each depends on earlier ones only.
    pub components: Vec<Vec<AtomId>>,
}

impl Game {
    /// The atom of a fluent.
    pub fn fluent(&self, fluent: FluentId) -> AtomId {
        use counterplay_base::Id;
        AtomId::new(fluent.index())
    }

    /// The atom that says that a move is made.
    pub fn does(&self, a_move: MoveId) -> AtomId {
        use counterplay_base::Id;
        AtomId::new(self.fluents.len() + a_move.index())
    }

    /// The number of the first derived atom.
    pub fn first_derived(&self) -> usize {
        self.fluents.len() + self.moves.len()
    }

    /// The moves of a role.
    pub fn moves_of(&self, role: RoleId) -> impl Iterator<Item = MoveId> + '_ {
        self.moves.enumerate().filter(move |(_, a_move)| a_move.role == role).map(|(id, _)| id)
    }
}
