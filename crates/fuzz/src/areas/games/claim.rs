//! A solution as the checker sees it: the rules by the interpreter, the values by the explicit solver.

use std::collections::HashMap;

use counterplay_base::{Budget, Id};
use counterplay_check::{Claim, MixedClaim, Profile, Rulebook};
use counterplay_gdl::Rules;
use counterplay_gdl::interpret::{InterpretError, Interpreter, State, TermId};
use counterplay_ggp::explicit::Solution;
use counterplay_ggp::mixed::{self, Concept, Stage, StageSolution};
use counterplay_ground::game::{FluentId, Game};
use num_rational::BigRational;

pub(super) struct Claimed<S> {
    interpreter: Interpreter,
    fluents: HashMap<String, FluentId>,
    words: usize,
    /// The places of the moves in the ground rules, by role and name.
    places: HashMap<(usize, String), usize>,
    solution: S,
    budget: Budget,
}

/// Expected values and how they are to be understood.
#[derive(Clone, Copy)]
pub(super) struct Expected<'s> {
    solution: &'s mixed::Solution,
    concept: Concept,
    chance: Option<usize>,
    /// Whether the value of the first position is changed.
    is_spoiled: bool,
}

pub(super) type MixedClaimed<'s> = Claimed<Expected<'s>>;

impl<'s> MixedClaimed<'s> {
    pub(super) fn mixed(
        rules: &Rules,
        game: &Game,
        solution: &'s mixed::Solution,
        concept: Concept,
        is_spoiled: bool,
    ) -> Result<MixedClaimed<'s>, InterpretError> {
        let chance = game.chance.map(Id::index);
        Claimed::of(rules, game, Expected { solution, concept, chance, is_spoiled })
    }
}

impl<'s> Claimed<&'s Solution> {
    pub(super) fn new(
        rules: &Rules,
        game: &Game,
        solution: &'s Solution,
    ) -> Result<Claimed<&'s Solution>, InterpretError> {
        Claimed::of(rules, game, solution)
    }
}

impl<S> Claimed<S> {
    fn of(rules: &Rules, game: &Game, solution: S) -> Result<Claimed<S>, InterpretError> {
        Ok(Claimed {
            interpreter: Interpreter::new(rules.clone())?,
            fluents: game.fluents.enumerate().map(|(id, name)| (name.to_lowercase(), id)).collect(),
            words: game.fluents.len().div_ceil(64).max(1),
            places: places(game),
            solution,
            budget: Budget::unlimited(),
        })
    }

    /// A state as bits; `None` if it has a fluent that is unknown.
    fn row(&self, state: &State) -> Option<Vec<u64>> {
        let mut row = vec![0u64; self.words];
        for &term in state.fluents() {
            let fluent = self.fluents.get(&self.interpreter.display(term).to_lowercase())?;
            row[fluent.index() / 64] |= 1 << (fluent.index() % 64);
        }
        Some(row)
    }
}

fn places(game: &Game) -> HashMap<(usize, String), usize> {
    let named = game.moves.iter().enumerate();
    named.map(|(place, own)| ((own.role.index(), own.name.to_lowercase()), place)).collect()
}

impl<S> Rulebook for Claimed<S> {
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
        let mut moves = self.interpreter.legal(state, role, &self.budget)?;
        // Which of several equilibria the solver found depends on the order in which it saw the moves.
        moves.sort_by_cached_key(|&term| {
            let name = self.interpreter.display(term).to_lowercase();
            self.places.get(&(role, name)).copied()
        });
        Ok(moves)
    }

    fn next(&mut self, state: &State, moves: &[TermId]) -> Result<State, InterpretError> {
        self.interpreter.next(state, moves, &self.budget)
    }
}

impl Claim for Claimed<&Solution> {
    fn value(&mut self, state: &State, _: usize) -> Result<Option<Vec<u32>>, InterpretError> {
        let Some(row) = self.row(state) else { return Ok(None) };
        Ok(self.solution.find(&row).and_then(|number| self.solution.value(number)).map(<[u32]>::to_vec))
    }
}

impl MixedClaim for MixedClaimed<'_> {
    fn chance(&self) -> Option<usize> {
        self.solution.chance
    }

    fn expected(&mut self, state: &State, made: usize) -> Result<Option<Vec<BigRational>>, InterpretError> {
        let Some(row) = self.row(state) else { return Ok(None) };
        let Expected { solution, is_spoiled, .. } = self.solution;
        let number = solution.find(&row);
        let mut value = number.and_then(|number| solution.value(number)).map(<[BigRational]>::to_vec);
        if let (true, 0, Some(value)) = (is_spoiled, made, &mut value) {
            value[0] += BigRational::new(1.into(), 7.into());
        }
        Ok(value)
    }

    fn profile(
        &mut self,
        moves: &[Vec<TermId>],
        values: &[Vec<BigRational>],
    ) -> Result<Profile, InterpretError> {
        let widths: Vec<usize> = moves.iter().map(Vec::len).collect();
        let Expected { solution, concept, chance, .. } = self.solution;
        let stage = Stage { widths: &widths, chance, values: values.iter().map(Vec::as_slice).collect() };
        let found = stage.solve(concept, solution.is_opposite, &self.budget);
        let StageSolution { mixtures, threats, .. } = found.expect("it was solved before");
        Ok(Profile { mixtures, threats })
    }
}
