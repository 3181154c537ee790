//! Positions of a solved game: the plain reading of the rules on one side, the values of the solution on the other.

use std::collections::HashMap;

use counterplay_base::{Budget, Id, Limit, Verdict};
use counterplay_check::{Ahead, Claim, Rulebook};
use counterplay_cluster::ClusterError;
use counterplay_gdl::Rules;
use counterplay_gdl::interpret::{InterpretError, Interpreter, State, TermId};
use counterplay_gdl::message::move_list;
use counterplay_ggp::archive::Archive;
use counterplay_ggp::explicit;
use counterplay_ggp::layered;
use counterplay_ggp::symbolic::{self, Refusal};
use counterplay_ground::game::{FluentId, Game};

use super::solving::{refused, troubled, unsolved};
use crate::error::{Error, Halt};

/// Values of all positions.
pub(super) enum Values<'g, 'a> {
    /// Position by position.
    Explicit(explicit::Solution),
    /// Layer by layer, a word for each position.
    Layered(layered::Solution),
    /// The same, in files.
    Stored(Box<counterplay_cluster::Solution>),
    /// By sets, which may lie in an archive.
    Symbolic(Box<symbolic::Solution<'g>>, Option<&'a mut dyn Archive>),
}

/// Why a question about a position has no answer.
#[derive(Debug)]
pub(super) enum NoAnswer {
    Rules(InterpretError),
    Archive(Refusal),
    Files(ClusterError),
    Stopped(Limit),
}

impl From<InterpretError> for NoAnswer {
    fn from(trouble: InterpretError) -> NoAnswer {
        NoAnswer::Rules(trouble)
    }
}

impl From<NoAnswer> for Halt {
    fn from(trouble: NoAnswer) -> Halt {
        match trouble {
            NoAnswer::Rules(trouble) => troubled(trouble),
            NoAnswer::Archive(refusal) => refused(&refusal).into(),
            NoAnswer::Files(error) => unsolved(error),
            NoAnswer::Stopped(limit) => Halt::Limit(limit),
        }
    }
}

/// Rules and values side by side: what the check of a solution looks at.
pub(super) struct SolvedGame<V> {
    interpreter: Interpreter,
    /// The fluents by name, and by the interpreter's number once they have come up.
    names: HashMap<String, FluentId>,
    known: HashMap<TermId, Option<FluentId>>,
    words: usize,
    /// The places of the moves in the ground rules by role and name, and by the interpreter's number once they have come up;
    /// empty where the order of moves does not matter.
    places: HashMap<(usize, String), usize>,
    known_places: HashMap<(usize, TermId), usize>,
    pub(super) values: V,
    budget: Budget,
}

impl<V> SolvedGame<V> {
    pub(super) fn new(rules: &Rules, game: &Game, values: V, budget: &Budget) -> Result<SolvedGame<V>, Halt> {
        let interpreter = Interpreter::new(rules.clone()).map_err(NoAnswer::Rules)?;
        let names = game.fluents.enumerate().map(|(fluent, name)| (name.to_lowercase(), fluent)).collect();
        Ok(SolvedGame {
            interpreter,
            names,
            known: HashMap::new(),
            words: game.fluents.len().div_ceil(64).max(1),
            places: HashMap::new(),
            known_places: HashMap::new(),
            values,
            budget: budget.clone(),
        })
    }

    /// A move or fluent as it is written.
    pub(super) fn display(&self, term: TermId) -> String {
        self.interpreter.display(term)
    }

    pub(super) fn interpreter(&mut self) -> &mut Interpreter {
        &mut self.interpreter
    }

    /// A state as bits; `None` if a fluent is unknown to the ground rules.
    pub(super) fn row(&mut self, state: &State) -> Option<Vec<u64>> {
        let fluents = self.ground_fluents(state)?;
        let mut row = vec![0u64; self.words];
        fluents.iter().for_each(|fluent| row[fluent.index() / 64] |= 1 << (fluent.index() % 64));
        Some(row)
    }

    /// The fluents of a state; `None` if one is unknown to the ground rules.
    pub(super) fn ground_fluents(&mut self, state: &State) -> Option<Vec<FluentId>> {
        let mut found = Vec::new();
        for &term in state.fluents() {
            let known = match self.known.get(&term) {
                Some(&known) => known,
                None => {
                    let name = self.interpreter.display(term).to_lowercase();
                    let fluent = self.names.get(&name).copied();
                    self.known.insert(term, fluent);
                    fluent
                }
            };
            found.push(known?);
        }
        Some(found)
    }
}

/// The places of moves by role and name.
fn places(game: &Game) -> HashMap<(usize, String), usize> {
    let named = game.moves.iter().enumerate();
    named.map(|(place, own)| ((own.role.index(), own.name.to_lowercase()), place)).collect()
}

impl<V> SolvedGame<V> {
    /// The same with moves in the order of the ground rules. Solvers see them in this order, and which of several equilibria
    /// they find depends on it.
    pub(super) fn in_ground_order(self, game: &Game) -> SolvedGame<V> {
        SolvedGame { places: places(game), ..self }
    }

    /// The moves of a role in the order in which the rules give them.
    pub(super) fn moves_as_written(&mut self, state: &State, role: usize) -> Result<Vec<TermId>, NoAnswer> {
        Ok(self.interpreter.legal(state, role, &self.budget)?)
    }

    fn place(&mut self, role: usize, term: TermId) -> usize {
        *self.known_places.entry((role, term)).or_insert_with(|| {
            let name = self.interpreter.display(term).to_lowercase();
            self.places.get(&(role, name)).copied().unwrap_or(usize::MAX)
        })
    }
}

impl<V> Rulebook for SolvedGame<V> {
    type State = State;
    type Move = TermId;
    type Trouble = NoAnswer;

    fn roles(&self) -> usize {
        self.interpreter.roles().len()
    }

    fn initial(&mut self) -> Result<State, NoAnswer> {
        Ok(self.interpreter.initial(&self.budget)?)
    }

    fn is_over(&mut self, state: &State) -> Result<bool, NoAnswer> {
        Ok(self.interpreter.is_terminal(state, &self.budget)?)
    }

    fn rewards(&mut self, state: &State) -> Result<Vec<u32>, NoAnswer> {
        let roles = 0..self.roles();
        roles.map(|role| Ok(self.interpreter.goal(state, role, &self.budget)?.unwrap_or(0))).collect()
    }

    fn moves(&mut self, state: &State, role: usize) -> Result<Vec<TermId>, NoAnswer> {
        let mut moves = self.moves_as_written(state, role)?;
        if !self.places.is_empty() {
            moves.sort_by_cached_key(|&term| self.place(role, term));
        }
        Ok(moves)
    }

    fn next(&mut self, state: &State, moves: &[TermId]) -> Result<State, NoAnswer> {
        Ok(self.interpreter.next(state, moves, &self.budget)?)
    }
}

impl Claim for SolvedGame<Values<'_, '_>> {
    fn value(&mut self, state: &State, made: usize) -> Result<Option<Vec<u32>>, NoAnswer> {
        let Some(fluents) = self.ground_fluents(state) else { return Ok(None) };
        match &mut self.values {
            Values::Explicit(solution) => {
                let mut row = vec![0u64; self.words];
                fluents.iter().for_each(|fluent| row[fluent.index() / 64] |= 1 << (fluent.index() % 64));
                let value = solution.find(&row).and_then(|number| solution.value(number));
                Ok(value.map(<[u32]>::to_vec))
            }
            Values::Layered(solution) => {
                let found = solution.outcome(&fluents, made);
                Ok(found.map(|outcome| solution.outcomes[outcome].clone()))
            }
            Values::Stored(solution) => {
                let found = solution.outcome(&fluents, made).map_err(NoAnswer::Files)?;
                Ok(found.map(|outcome| solution.outcomes[outcome].clone()))
            }
            Values::Symbolic(solution, archive) => {
                let archive = archive.as_deref_mut().map(|archive| archive as &mut dyn Archive);
                match solution.outcome(&fluents, made, archive).map_err(NoAnswer::Archive)? {
                    Verdict::Solved(outcome) => Ok(Some(solution.outcomes[outcome].clone())),
                    Verdict::Unsolvable => Ok(None),
                    Verdict::Stopped(limit) => Err(NoAnswer::Stopped(limit)),
                }
            }
        }
    }
}

/// A position on the way of some moves.
pub(super) struct Reached {
    pub(super) state: State,
    pub(super) made: usize,
    pub(super) joint_moves: Vec<Vec<String>>,
    moves: Vec<Vec<TermId>>,
}

impl<V> SolvedGame<V> {
    /// The joint moves that lead to a position.
    pub(super) fn follow_moves(&mut self, moves: &str) -> Result<Vec<Vec<TermId>>, Halt> {
        Ok(self.follow(moves)?.moves)
    }

    /// Makes moves from the beginning. A move is one of the only role that has a choice, or a list of one move for
    /// each role.
    pub(super) fn follow(&mut self, moves: &str) -> Result<Reached, Halt> {
        let usage = |message: String| Halt::from(Error::Request { message, help: None });
        let list = move_list(moves).ok_or_else(|| usage(format!("brackets do not match in `{moves}`")))?;
        let mut state = self.initial()?;
        let (mut joint_moves, mut moves_made) = (Vec::new(), Vec::new());
        for (made, text) in list.iter().enumerate() {
            if self.is_over(&state)? {
                return Err(usage(format!("the game is over before move {} `{text}`", made + 1)));
            }
            let mut legal: Vec<Vec<TermId>> = Vec::new();
            for role in 0..self.roles() {
                legal.push(self.moves(&state, role)?);
            }
            let Some(joint) = self.joint(&legal, text) else {
                let choosers = legal.iter().filter(|moves| moves.len() > 1);
                let names: Vec<String> = choosers.flatten().map(|&own| self.display(own)).collect();
                let help = Some(format!("legal here: {}", names.join(" ")));
                let message = format!("move {} `{text}` is not legal", made + 1);
                return Err(Error::Request { message, help }.into());
            };
            state = self.next(&state, &joint)?;
            joint_moves.push(joint.iter().map(|&own| self.display(own)).collect());
            moves_made.push(joint);
        }
        Ok(Reached { state, made: list.len(), joint_moves, moves: moves_made })
    }

    fn joint(&self, legal: &[Vec<TermId>], text: &str) -> Option<Vec<TermId>> {
        let named = |own: &[TermId], text: &str| {
            own.iter().copied().find(|&a_move| self.display(a_move).to_lowercase() == text)
        };
        let choosers: Vec<usize> = (0..legal.len()).filter(|&role| legal[role].len() > 1).collect();
        if let [] | [_] = choosers[..] {
            let chooser = choosers.first().copied().unwrap_or(0);
            let forced = |role: usize| legal[role].first().copied();
            let choose = |role: usize| if role == chooser { named(&legal[role], text) } else { forced(role) };
            let joint: Option<Vec<TermId>> = (0..legal.len()).map(choose).collect();
            if joint.is_some() {
                return joint;
            }
        }
        let inner = move_list(text.strip_prefix('(')?.strip_suffix(')')?)?;
        if inner.len() != legal.len() {
            return None;
        }
        legal.iter().zip(&inner).map(|(own, text)| named(own, text)).collect()
    }
}

/// The moves of the role with a choice, and what comes of each.
pub(super) fn choices(
    game: &SolvedGame<Values<'_, '_>>,
    ahead: &Ahead<TermId>,
) -> Vec<(usize, String, Option<Vec<u32>>)> {
    let mut found = Vec::new();
    for role in ahead.choosers() {
        for (number, &own) in ahead.moves[role].iter().enumerate() {
            found.push((role, game.display(own), ahead.after(number)));
        }
    }
    found
}
