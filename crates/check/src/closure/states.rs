//! Nodes that are states.

use counterplay_pddl::model::{ActionId, ObjectId, Problem};

use super::arena::{Arena, Moves, Starts};
use super::text::{Dictionary, Entry, Line, Word, atoms_text, number};
use crate::evaluate::Trouble;
use crate::exhaust::space::Space;

pub(super) struct StateArena<'a> {
    problem: &'a Problem,
    pub(super) space: Space<'a>,
    names: Dictionary<'a>,
    /// What to do in a state, where the certificate says it.
    pub(super) actions: Vec<Option<(ActionId, Vec<ObjectId>)>>,
}

impl<'a> StateArena<'a> {
    pub(super) fn new(problem: &'a Problem, space: Space<'a>) -> StateArena<'a> {
        StateArena { problem, space, names: Dictionary::new(problem), actions: Vec::new() }
    }

    /// What is to be done in a state.
    pub(super) fn action(&self, state: usize) -> Option<&(ActionId, Vec<ObjectId>)> {
        self.actions.get(state).and_then(Option::as_ref)
    }

    pub(super) fn set_action(&mut self, state: usize, action: (ActionId, Vec<ObjectId>)) {
        self.actions.resize(self.actions.len().max(state + 1), None);
        self.actions[state] = Some(action);
    }
}

impl Arena for StateArena<'_> {
    fn starts(&mut self) -> Result<(Vec<usize>, Starts), Trouble> {
        // Problems in which numbers matter have none; they are refused.
        let starts = self.space.starts().ok_or(Trouble::Overflow)?;
        Ok((starts, Starts::Any))
    }

    fn look(&mut self, node: usize) -> Result<Moves, Trouble> {
        self.space.look(node)
    }

    fn len(&self) -> usize {
        self.space.len()
    }

    fn read(&mut self, entry: &Entry<'_>) -> Result<usize, String> {
        if entry.keyword != "state" {
            return Err("expected `state RANK ATOM ...`".to_owned());
        }
        let words = entry.words.get(1..).unwrap_or_default();
        let (atoms, step) = match words {
            [atoms @ .., Word::Plain("do"), Word::Form(step)] => (atoms, Some(self.names.step(step)?)),
            atoms => (atoms, None),
        };
        let atoms = self.names.atoms(atoms)?;
        let state = self.space.state_with(atoms).map_err(|atom| {
            format!(
                "no action and no choice changes `{}`, so it cannot be listed",
                self.problem.atom_text(&atom)
            )
        })?;
        if let Some(step) = step {
            self.set_action(state, step);
        }
        Ok(state)
    }

    fn write(&mut self, node: usize, rank: usize, out: &mut Vec<Line>) {
        let mut line = format!("state {rank}{}", atoms_text(self.problem, self.space.atoms_of(node)));
        if let Some((action, arguments)) = self.action(node) {
            let name = &self.problem.actions[*action].name;
            line += &format!(" do {}", self.problem.application(name, arguments));
        }
        out.push(line);
    }

    fn describe(&self, node: usize) -> String {
        format!("the state with{}", atoms_text(self.problem, self.space.atoms_of(node)))
    }
}

/// The rank of a node's line.
pub(super) fn rank(entry: &Entry<'_>) -> Result<usize, String> {
    number(entry.words.first())
}
