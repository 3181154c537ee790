//! Moves as operators: when they may be made, and what each fluent becomes.

use counterplay_base::{Budget, Id};

use super::formula::{Conditions, Dnf, Lit, Term, reduced};
use super::{End, Question, Reading, SingleError, Touched, opposite, with};
use crate::game::{FluentId, Game, MoveId, Signal};

/// The node that says that some move is legal.
pub(super) const MOVABLE: usize = (u32::MAX >> 1) as usize;
/// A move becomes at most so many operators, one for each way in which it can be legal.
const MOST_WAYS: usize = 8;
/// Literals that may be looked at.
const MOST_WORK: u64 = 300_000_000;

/// A move under one of the conditions that make it legal.
pub(super) struct RawOperator {
    pub(super) a_move: MoveId,
    pub(super) pre: Term,
    /// When fluents hold afterwards, where that is not when they hold before.
    pub(super) changes: Vec<(FluentId, Dnf)>,
    /// Whether a condition of the move was left out.
    pub(super) leaves_out: bool,
}

/// A derived node and the conjunctions that make it true.
pub(super) struct RawAxiom {
    pub(super) node: usize,
    pub(super) bodies: Dnf,
}

/// All moves.
pub(super) struct RawMoves {
    pub(super) operators: Vec<RawOperator>,
    pub(super) axioms: Vec<RawAxiom>,
}

/// Writes the rules of nodes that have none yet. Nodes that depend on a move can only be looked at while that is made.
pub(super) fn settle_nodes(conditions: &mut Conditions<'_>, axioms: &mut Vec<RawAxiom>) {
    while axioms.len() < conditions.nodes.len() {
        let derived = conditions.nodes[axioms.len()];
        let bodies = conditions.bodies(derived);
        axioms.push(RawAxiom { node: conditions.fluents() + axioms.len(), bodies });
    }
}

/// How moves are to be read.
#[derive(Clone, Copy)]
pub(super) struct Moves<'a> {
    pub(super) game: &'a Game,
    pub(super) question: &'a Question<'a>,
    /// What depends on the clock, if that is to be forgotten.
    pub(super) clock: Option<&'a Touched>,
}

impl Moves<'_> {
    /// Reads all moves; `None` if what they do depends on a clock that is to be forgotten.
    pub(super) fn read(
        &self,
        conditions: &mut Conditions<'_>,
        budget: &Budget,
    ) -> Result<Option<RawMoves>, SingleError> {
        let game = self.game;
        let mut axioms: Vec<RawAxiom> = Vec::new();
        let mut operators = Vec::new();
        let mut movable: Dnf = Vec::new();
        for a_move in game.moves.ids() {
            budget.check()?;
            if conditions.work > MOST_WORK {
                return Err(SingleError::TooLarge);
            }
            conditions.make(a_move);
            for (pre, leaves_out) in self.ways(conditions, a_move) {
                if self.question.end == End::Stuck {
                    movable.push(pre.clone());
                }
                let Some(changes) = self.changes(conditions, &pre) else { return Ok(None) };
                operators.push(RawOperator { a_move, pre, changes, leaves_out });
            }
            settle_nodes(conditions, &mut axioms);
        }
        settle_nodes(conditions, &mut axioms);
        if self.question.end == End::Stuck {
            axioms.push(RawAxiom { node: MOVABLE, bodies: reduced(movable) });
        }
        Ok(Some(RawMoves { operators, axioms }))
    }

    /// The conjunctions that make a move possible, and whether something was left out of them.
    fn ways(&self, conditions: &mut Conditions<'_>, a_move: MoveId) -> Vec<(Term, bool)> {
        let game = self.game;
        let mut legal = (*conditions.signal(game.legal[a_move])).clone();
        if let (true, Signal::Literal(literal)) = (legal.len() > MOST_WAYS, game.legal[a_move]) {
            legal = vec![vec![Lit::new(conditions.node(literal.atom()), literal.is_positive())]];
        }
        let leaves_out = match (self.question.reading, game.terminal) {
            (_, Signal::Constant(false)) => false,
            (Reading::Relaxed, _) => true,
            (Reading::Exact, terminal) => {
                let many = legal.clone();
                legal = with(conditions, &legal, opposite(terminal));
                if let (true, Signal::Literal(literal)) = (legal.len() > MOST_WAYS, terminal) {
                    let open = vec![Lit::new(conditions.node(literal.atom()), !literal.is_positive())];
                    legal = many.iter().filter_map(|term| conditions.groups.both(term, &open)).collect();
                }
                false
            }
        };
        if let Some(clock) = self.clock {
            let without =
                |term: Term| term.into_iter().filter(|&literal| !clock.has(conditions, literal)).collect();
            legal = reduced(legal.into_iter().map(without).collect());
        }
        legal.into_iter().map(|term| (term, leaves_out)).collect()
    }

    /// When each fluent holds after the move that is made.
    fn changes(&self, conditions: &mut Conditions<'_>, pre: &Term) -> Option<Vec<(FluentId, Dnf)>> {
        let game = self.game;
        let mut changes = Vec::new();
        for fluent in game.fluents.ids() {
            if self.clock.is_some_and(|clock| clock.atoms[fluent.index()]) {
                continue;
            }
            let next = conditions.signal(game.next[fluent]);
            let own = Lit::new(fluent.index(), true);
            if next.len() == 1 && next[0] == [own] {
                continue;
            }
            let mut after = conditions.groups.given(&next, pre);
            let before = conditions.groups.given(&[vec![own]], pre);
            if after == before {
                continue;
            }
            if self.clock.is_some_and(|clock| clock.in_condition(conditions, &after)) {
                return None;
            }
            // What cannot be negated in few terms becomes a node, which can.
            if let (None, Signal::Literal(literal)) = (conditions.groups.negation(&after), game.next[fluent])
            {
                after = vec![vec![Lit::new(conditions.node(literal.atom()), literal.is_positive())]];
            }
            changes.push((fluent, after));
        }
        Some(changes)
    }
}
