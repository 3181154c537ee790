//! What the rules say about a state, without grounding them.
//!
//! ```text
//! Rules ─► program ───────► compile ───────────► evaluate
//!          what depends on   for each question,   answers in tables, kept until
//!          state and moves   an order of          the state or the moves change
//!                            conditions
//! ```
//! A game that is too large to be grounded in time can be played this way from the first second. It is also the plain
//! reading of the rules, against which faster engines are compared.

mod compile;
mod evaluate;
mod plan;
mod program;
mod rows;
mod store;
mod terms;

use counterplay_base::{Budget, Id, Limit};

use crate::model::{Keyword, Rules, Symbol, Term};
use evaluate::Engine;
use program::Program;

pub use terms::TermId;

/// Why a question has no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InterpretError {
    /// A limit came first.
    #[error("stopped: {0}")]
    Stopped(Limit),
    /// Rules build ever larger terms.
    #[error("the rules build ever larger terms")]
    Endless,
    /// Relations are based on others more times than the interpreter can follow.
    #[error("the relations of this game are based on each other too many times")]
    Nested,
}

/// A state: the fluents that hold.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct State(Box<[TermId]>);

impl State {
    /// The state in which exactly these fluents hold.
    pub fn new(fluents: impl IntoIterator<Item = TermId>) -> State {
        let mut fluents: Vec<TermId> = fluents.into_iter().collect();
        fluents.sort_unstable();
        fluents.dedup();
        State(fluents.into())
    }

    /// The fluents that hold, sorted.
    pub fn fluents(&self) -> &[TermId] {
        &self.0
    }
}

/// Answers questions about states of a game.
///
/// A question looks at the budget it is given; after [`InterpretError`] the interpreter is as good as before.
#[derive(Clone, Debug)]
pub struct Interpreter {
    engine: Engine,
    roles: Vec<TermId>,
}

impl Interpreter {
    /// An interpreter of these rules.
    pub fn new(rules: Rules) -> Result<Interpreter, InterpretError> {
        let roles = rules.roles.iter().map(|role| TermId::new(role.index())).collect();
        Ok(Interpreter { engine: Engine::new(Program::new(rules))?, roles })
    }

    pub fn rules(&self) -> &Rules {
        &self.engine.program.rules
    }

    /// The players, in the order of the rule sheet.
    pub fn roles(&self) -> &[TermId] {
        &self.roles
    }

    /// The state in which the game begins.
    pub fn initial(&mut self, budget: &Budget) -> Result<State, InterpretError> {
        let relation = self.engine.program.keyword(Keyword::Init);
        self.engine.ask(relation, 0, &[], budget).map(state_of)
    }

    /// Whether the game is over.
    pub fn is_terminal(&mut self, state: &State, budget: &Budget) -> Result<bool, InterpretError> {
        self.engine.load(&state.0);
        let relation = self.engine.program.keyword(Keyword::Terminal);
        Ok(!self.engine.ask(relation, 0, &[], budget)?.is_empty())
    }

    /// The moves that a player may make, sorted.
    pub fn legal(
        &mut self,
        state: &State,
        role: usize,
        budget: &Budget,
    ) -> Result<Vec<TermId>, InterpretError> {
        self.engine.load(&state.0);
        let relation = self.engine.program.keyword(Keyword::Legal);
        let rows = self.engine.ask(relation, 1, &[self.roles[role]], budget)?;
        let mut moves: Vec<TermId> = rows.iter().map(|row| row[1]).collect();
        moves.sort_unstable();
        Ok(moves)
    }

    /// What the state is worth to a player: the greatest number of several, and `None` if there is none.
    pub fn goal(
        &mut self,
        state: &State,
        role: usize,
        budget: &Budget,
    ) -> Result<Option<u32>, InterpretError> {
        self.engine.load(&state.0);
        let relation = self.engine.program.keyword(Keyword::Goal);
        let rows = self.engine.ask(relation, 1, &[self.roles[role]], budget)?;
        let values = rows.iter().filter_map(|row| self.display(row[1]).parse().ok());
        Ok(values.max())
    }

    /// The state after each player has made a move, in the order of [`Interpreter::roles`].
    pub fn next(
        &mut self,
        state: &State,
        moves: &[TermId],
        budget: &Budget,
    ) -> Result<State, InterpretError> {
        self.engine.load(&state.0);
        self.engine.set_moves(&self.roles, moves);
        let relation = self.engine.program.keyword(Keyword::Next);
        self.engine.ask(relation, 0, &[], budget).map(state_of)
    }

    /// What a player perceives when each player makes a move, sorted; nothing if the rules hide nothing.
    pub fn percepts(
        &mut self,
        state: &State,
        moves: &[TermId],
        role: usize,
        budget: &Budget,
    ) -> Result<Vec<TermId>, InterpretError> {
        let Some(relation) = self.engine.program.percepts else { return Ok(Vec::new()) };
        self.engine.load(&state.0);
        self.engine.set_moves(&self.roles, moves);
        let rows = self.engine.ask(relation, 1, &[self.roles[role]], budget)?;
        let mut percepts: Vec<TermId> = rows.iter().map(|row| row[1]).collect();
        percepts.sort_unstable();
        Ok(percepts)
    }

    /// A term as it is written.
    pub fn display(&self, term: TermId) -> String {
        let mut text = String::new();
        self.engine.terms.display(term, &self.engine.program.rules.symbols, &mut text);
        text
    }

    /// The number of a term without variables, if it has come up.
    pub fn find(&self, term: &Term) -> Option<TermId> {
        self.engine.terms.find(term)
    }

    /// The number of a term without variables, whether it has come up or not; `None` if it has variables.
    ///
    /// # Errors
    /// A term that is nested too deep.
    pub fn make(&mut self, term: &Term) -> Result<Option<TermId>, InterpretError> {
        self.engine.terms.make_all(term)
    }

    /// The number of a word of the rule sheet.
    pub fn constant(&self, symbol: Symbol) -> TermId {
        self.engine.terms.constant(symbol)
    }
}

fn state_of(rows: Vec<Box<[TermId]>>) -> State {
    State::new(rows.iter().map(|row| row[0]))
}
