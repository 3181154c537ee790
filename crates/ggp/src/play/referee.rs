//! Who says what may be done: the rules themselves, read by the interpreter.
//!
//! The manager of a match follows it with a referee; a player keeps one beside its search, so that it always knows a
//! legal move.

use counterplay_base::{Budget, Silent};
use counterplay_gdl::interpret::{InterpretError, Interpreter, State, TermId};
use counterplay_gdl::{Rules, Term};
use counterplay_ground::game::ground_game;

/// The fluents that may come up in a game, as they are written; none if they cannot be found within the budget.
pub fn possible_fluents(rules: &Rules, budget: &Budget) -> Vec<String> {
    let game = ground_game(rules, budget, &Silent);
    game.map_or(Vec::new(), |game| game.fluents.iter().cloned().collect())
}

/// Follows a match by the rules.
#[derive(Clone, Debug)]
pub struct Referee {
    interpreter: Interpreter,
    state: State,
    legal: Vec<Vec<TermId>>,
    is_over: bool,
    goals: Vec<Option<u32>>,
}

impl Referee {
    /// A referee at the beginning of a game.
    pub fn new(rules: Rules, budget: &Budget) -> Result<Referee, InterpretError> {
        let mut interpreter = Interpreter::new(rules)?;
        let state = interpreter.initial(budget)?;
        let mut referee =
            Referee { interpreter, state, legal: Vec::new(), is_over: false, goals: Vec::new() };
        referee.look(budget)?;
        Ok(referee)
    }

    fn look(&mut self, budget: &Budget) -> Result<(), InterpretError> {
        let roles = self.roles();
        let state = &self.state;
        self.goals =
            (0..roles).map(|role| self.interpreter.goal(state, role, budget)).collect::<Result<_, _>>()?;
        self.legal =
            (0..roles).map(|role| self.interpreter.legal(state, role, budget)).collect::<Result<_, _>>()?;
        self.is_over = self.interpreter.is_terminal(state, budget)? || self.legal.iter().any(Vec::is_empty);
        Ok(())
    }

    pub fn rules(&self) -> &Rules {
        self.interpreter.rules()
    }

    pub fn roles(&self) -> usize {
        self.interpreter.roles().len()
    }

    /// The name of a role.
    pub fn role_name(&self, role: usize) -> &str {
        let rules = self.interpreter.rules();
        rules.symbols.name(rules.roles[role])
    }

    /// Whether the game is over, or cannot go on since a role has no move.
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    /// What the position is worth to each role; `None` where the rules do not say.
    pub fn goals(&self) -> &[Option<u32>] {
        &self.goals
    }

    /// The moves of a role.
    pub fn legal(&self, role: usize) -> &[TermId] {
        &self.legal[role]
    }

    /// The legal move that a term stands for.
    pub fn find(&self, role: usize, term: &Term) -> Option<TermId> {
        self.interpreter.find(term).filter(|own| self.legal[role].contains(own))
    }

    /// The term by its number, legal or not, if it has come up.
    pub fn find_any(&self, term: &Term) -> Option<TermId> {
        self.interpreter.find(term)
    }

    /// A move or fluent as it is written.
    pub fn display(&self, term: TermId) -> String {
        self.interpreter.display(term)
    }

    /// The fluents that hold, as they are written, sorted.
    pub fn fluents(&self) -> Vec<String> {
        let mut fluents: Vec<String> =
            self.state.fluents().iter().map(|&fluent| self.interpreter.display(fluent)).collect();
        fluents.sort();
        fluents
    }

    /// Makes a legal move for each role. After trouble, the position is the old one.
    pub fn make(&mut self, joint: &[TermId], budget: &Budget) -> Result<(), InterpretError> {
        let next = self.interpreter.next(&self.state, joint, budget)?;
        let old = std::mem::replace(&mut self.state, next);
        self.look(budget).inspect_err(|_| self.state = old)
    }
}
