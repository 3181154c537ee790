//! What a certificate asks of the problem: one step at a time.

use counterplay_pddl::model::{Effect, GroundAtom, PredicateId, Problem};

use super::text::{Entry, Line};
use crate::evaluate::Trouble;

/// What can be done at a node.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Moves {
    /// Whether everything is done here.
    pub(crate) is_end: bool,
    /// For each move the nodes that it may lead to.
    pub(crate) moves: Vec<Vec<usize>>,
}

/// Which of the first nodes have to be lost for a negative claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Starts {
    /// Nature chooses among them.
    Any,
    /// We choose among them.
    All,
}

/// Nodes, numbered as they come up.
pub(super) trait Arena {
    /// The first nodes, and who chooses among them.
    fn starts(&mut self) -> Result<(Vec<usize>, Starts), Trouble>;
    /// What can be done at a node.
    fn look(&mut self, node: usize) -> Result<Moves, Trouble>;
    /// How many nodes came up so far.
    fn len(&self) -> usize;
    /// The number of a node that a line describes, or what is wrong with the line.
    fn read(&mut self, entry: &Entry<'_>) -> Result<usize, String>;
    /// Notes a state that nodes below refer to.
    fn read_facts(&mut self, _entry: &Entry<'_>) -> Result<(), String> {
        Err("expected `state RANK ATOM ...`".to_owned())
    }
    /// Writes a node; lines that it needs before are written as well.
    fn write(&mut self, node: usize, rank: usize, out: &mut Vec<Line>);
    /// A node for people.
    fn describe(&self, node: usize) -> String;
}

/// The predicates that can change, and the atoms that cannot.
pub(super) fn fixed_atoms(problem: &Problem) -> (Vec<PredicateId>, Vec<GroundAtom>) {
    fn note(effect: &Effect, changing: &mut Vec<PredicateId>) {
        match effect {
            Effect::And(parts) | Effect::OneOf(parts, _) => {
                parts.iter().for_each(|part| note(part, changing));
            }
            Effect::Forall(_, part) | Effect::When(_, part) => note(part, changing),
            Effect::Add(atom, _) | Effect::Delete(atom, _) => changing.push(atom.predicate),
            Effect::Change(..) => {}
        }
    }
    let mut changing = Vec::new();
    problem.actions.iter().for_each(|action| note(&action.effect, &mut changing));
    changing.sort_unstable();
    changing.dedup();
    let fixed = problem.init.iter().filter(|atom| changing.binary_search(&atom.predicate).is_err());
    (changing.clone(), fixed.cloned().collect())
}
