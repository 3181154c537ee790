//! A solution as the checker sees it: the rules by the interpreter, the values by the explicit solver.

use std::collections::HashMap;

use counterplay_base::{Budget, Id};
use counterplay_check::{Claim, Rulebook};
use counterplay_gdl::Rules;
use counterplay_gdl::interpret::{InterpretError, Interpreter, State, TermId};
use counterplay_ggp::explicit::Solution;
use counterplay_ground::game::{FluentId, Game};

pub(super) struct Claimed<'s> {
    interpreter: Interpreter,
    fluents: HashMap<String, FluentId>,
    words: usize,
    solution: &'s Solution,
    budget: Budget,
}

impl<'s> Claimed<'s> {
    pub(super) fn new(
        rules: &Rules,
        game: &Game,
        solution: &'s Solution,
    ) -> Result<Claimed<'s>, InterpretError> {
        Ok(Claimed {
            interpreter: Interpreter::new(rules.clone())?,
            fluents: game.fluents.enumerate().map(|(id, name)| (name.to_lowercase(), id)).collect(),
            words: game.fluents.len().div_ceil(64).max(1),
            solution,
            budget: Budget::unlimited(),
        })
    }
}

impl Rulebook for Claimed<'_> {
    type State = State;
    type Move = TermId;
    type Trouble = InterpretError;

    fn roles(&self) -> usize {
        self.interpreter.roles().len()
    }

    fn initial(&mut self) -> Result<State, InterpretError> {
        self.interpreter.initial(&self.budget)
    }

    fn is_over(&mut self, state: &State) -> Result<bool, InterpretError> {
        self.interpreter.is_terminal(state, &self.budget)
    }

    fn rewards(&mut self, state: &State) -> Result<Vec<u32>, InterpretError> {
        (0..self.roles())
            .map(|role| Ok(self.interpreter.goal(state, role, &self.budget)?.unwrap_or(0)))
            .collect()
    }

    fn moves(&mut self, state: &State, role: usize) -> Result<Vec<TermId>, InterpretError> {
        self.interpreter.legal(state, role, &self.budget)
    }

    fn next(&mut self, state: &State, moves: &[TermId]) -> Result<State, InterpretError> {
        self.interpreter.next(state, moves, &self.budget)
    }
}

impl Claim for Claimed<'_> {
    fn value(&mut self, state: &State, _: usize) -> Result<Option<Vec<u32>>, InterpretError> {
        let mut row = vec![0u64; self.words];
        for &term in state.fluents() {
            let Some(fluent) = self.fluents.get(&self.interpreter.display(term).to_lowercase()) else {
                return Ok(None);
            };
            row[fluent.index() / 64] |= 1 << (fluent.index() % 64);
        }
        Ok(self.solution.find(&row).and_then(|number| self.solution.value(number)).map(<[u32]>::to_vec))
    }
}
