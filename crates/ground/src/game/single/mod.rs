//! A game of one role as a planning task: moves become operators, an end with a wanted reward becomes the goal.
//!
//! The *exact* reading has the plays of the game as its plans. The *relaxed* one leaves out what tends to make a task hard and rarely
//! decides anything: that play stops at an end, and a clock that nothing else depends on. Each play is still a plan there,
//! so a relaxed task without a plan proves that there is no such play, and a shortest plan that is a play is a shortest
//! play; whether it is one, the caller has to look at.
//!
//! ```text
//! formula    conditions as few conjunctions       operators  moves, with what they change
//! variables  fluents as variables of a task
//! ```

mod formula;
mod operators;
mod variables;

use counterplay_base::{Budget, Id, IdVec, Limit};
use counterplay_task::{OpId, Task};

use super::model::{FluentId, Game, MoveId, Signal};
use super::structure::{Structure, cover};
use formula::{Conditions, Dnf, Groups, Lit, reduced};
use operators::Moves;

/// What kind of end is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// One that the rules call terminal.
    Terminal,
    /// A state that is not terminal and in which there is no legal move.
    Stuck,
}

/// How closely the task follows the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    Relaxed,
    Exact,
}

/// What is asked about a game of one role.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// The position to begin from.
    pub from: &'a [FluentId],
    /// The reward that is wanted at the end; any if there is none.
    pub reward: Option<u32>,
    pub end: End,
    pub reading: Reading,
}

/// A planning task made of a game.
#[derive(Clone, Debug)]
pub struct SingleTask {
    pub task: Task,
    /// The move of each operator; the operators that only look at the end have none.
    pub moves: IdVec<OpId, Option<MoveId>>,
    /// Whether it has plans that are no plays.
    pub is_relaxed: bool,
    /// Whether all plays have the same number of moves: the goal names one value of the clock.
    pub has_one_length: bool,
}

/// Why there is no planning task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SingleError {
    #[error("the game has {0} roles, and a planner acts for one")]
    Roles(usize),
    #[error("chance takes part in the game, and a planner knows none")]
    Chance,
    #[error("the conditions of the moves are too many to be written down as a planning task")]
    TooLarge,
    #[error("stopped: {0}")]
    Stopped(Limit),
}

impl From<Limit> for SingleError {
    fn from(limit: Limit) -> SingleError {
        SingleError::Stopped(limit)
    }
}

/// Writes the task for a question; `None` if no state at all fits the wanted end.
///
/// # Errors
/// A game that is no task of one agent, or a limit.
pub fn single_task(
    game: &Game,
    structure: &Structure,
    question: &Question<'_>,
    budget: &Budget,
) -> Result<Option<SingleTask>, SingleError> {
    if game.chance.is_some() {
        return Err(SingleError::Chance);
    }
    if game.roles.len() != 1 {
        return Err(SingleError::Roles(game.roles.len()));
    }
    let question = match question.end {
        End::Terminal => *question,
        // That no move is legal is no less than what makes moves legal.
        End::Stuck => Question { reading: Reading::Exact, ..*question },
    };
    let subject = Subject { game, structure, cover: cover(game, structure), question };
    let clock = structure.clock.as_ref().filter(|_| question.reading == Reading::Relaxed);
    if let Some(clock) = clock {
        match subject.write(Some(&Touched::by(game, clock)), budget)? {
            Written::Task(task) => return Ok(Some(*task)),
            Written::NoGoal => return Ok(None),
            Written::NeedsClock => {}
        }
    }
    match subject.write(None, budget)? {
        Written::Task(task) => Ok(Some(*task)),
        Written::NoGoal => Ok(None),
        Written::NeedsClock => unreachable!("nothing is forgotten"),
    }
}

/// What came of writing a task.
enum Written {
    Task(Box<SingleTask>),
    /// No state fits the wanted end.
    NoGoal,
    /// The clock cannot be forgotten: the goal or a move depends on it.
    NeedsClock,
}

/// A game, and what is asked about it.
struct Subject<'a> {
    game: &'a Game,
    structure: &'a Structure,
    cover: Vec<Vec<FluentId>>,
    question: Question<'a>,
}

impl Subject<'_> {
    fn write(&self, clock: Option<&Touched>, budget: &Budget) -> Result<Written, SingleError> {
        let game = self.game;
        let mut group = vec![None; game.fluents.len()];
        for (number, fluents) in self.cover.iter().enumerate().filter(|(_, fluents)| fluents.len() > 1) {
            fluents.iter().for_each(|fluent| group[fluent.index()] = Some(number as u32));
        }
        let mut conditions = Conditions::new(game, Groups { group });
        let Goal { goal, is_relaxed } = goal(game, &mut conditions, &self.question);
        if goal.is_empty() {
            return Ok(Written::NoGoal);
        }
        if clock.is_some_and(|clock| clock.in_condition(&conditions, &goal)) {
            return Ok(Written::NeedsClock);
        }
        let moves = Moves { game, question: &self.question, clock };
        let Some(raw) = moves.read(&mut conditions, budget)? else { return Ok(Written::NeedsClock) };
        let is_relaxed = is_relaxed || clock.is_some() || raw.operators.iter().any(|own| own.leaves_out);
        let is_forgotten = |fluent: FluentId| clock.is_some_and(|clock| clock.atoms[fluent.index()]);
        let (task, moves) = variables::write(self, &conditions, &raw, &goal, &is_forgotten)?;
        let has_one_length = self.structure.clock.iter().flatten().any(|fluent| {
            let now = Lit::new(fluent.index(), true);
            goal.iter().all(|term| term.contains(&now))
        });
        Ok(Written::Task(Box::new(SingleTask { task, moves, is_relaxed, has_one_length })))
    }
}

/// What has to hold at the end.
struct Goal {
    goal: Dnf,
    is_relaxed: bool,
}

fn goal(game: &Game, conditions: &mut Conditions<'_>, question: &Question<'_>) -> Goal {
    let mut wanted: Dnf = match question.reward {
        None => vec![Vec::new()],
        Some(value) => {
            let mut any = Vec::new();
            for goal in game.goals.iter().filter(|goal| goal.value == value) {
                any.extend(conditions.signal(goal.when).iter().cloned());
            }
            reduced(any)
        }
    };
    let fluents = game.fluents.len();
    let is_plain = |condition: &Dnf| condition.iter().flatten().all(|literal| literal.node() < fluents);
    if question.end == End::Stuck {
        let stuck = vec![Lit::new(operators::MOVABLE, false)];
        wanted = with(conditions, &wanted, opposite(game.terminal));
        wanted = wanted.iter().filter_map(|term| conditions.groups.both(term, &stuck)).collect();
        return Goal { goal: wanted, is_relaxed: false };
    }
    let terminal = conditions.signal(game.terminal);
    let both = conditions.groups.product(&wanted, &terminal);
    match both {
        Some(both) if is_plain(&both) || question.reading == Reading::Exact => {
            Goal { goal: both, is_relaxed: false }
        }
        // That it is an end is looked at in the plan that is found.
        _ if question.reading == Reading::Relaxed && is_plain(&wanted) => {
            Goal { goal: wanted, is_relaxed: true }
        }
        _ => Goal { goal: with(conditions, &wanted, game.terminal), is_relaxed: false },
    }
}

/// A condition and a signal together; the signal stays a node of its own where it has many terms.
fn with(conditions: &mut Conditions<'_>, condition: &Dnf, signal: Signal) -> Dnf {
    let own = conditions.signal(signal);
    match (conditions.groups.product(condition, &own), signal) {
        (Some(both), _) => both,
        (None, Signal::Literal(literal)) => {
            let node = vec![Lit::new(conditions.node(literal.atom()), literal.is_positive())];
            condition.iter().filter_map(|term| conditions.groups.both(term, &node)).collect()
        }
        (None, Signal::Constant(_)) => unreachable!("a constant has at most one term"),
    }
}

fn opposite(signal: Signal) -> Signal {
    match signal {
        Signal::Constant(value) => Signal::Constant(!value),
        Signal::Literal(literal) => Signal::Literal(literal.negated()),
    }
}

/// The atoms that depend on some fluents.
struct Touched {
    atoms: Vec<bool>,
}

impl Touched {
    fn by(game: &Game, fluents: &[FluentId]) -> Touched {
        let mut atoms = vec![false; game.atoms];
        fluents.iter().for_each(|fluent| atoms[fluent.index()] = true);
        let mut of: Vec<Vec<usize>> = vec![Vec::new(); game.atoms];
        for (rule, head) in game.heads.enumerate() {
            of[head.index()].extend(game.bodies[rule].iter().map(|literal| literal.atom().index()));
        }
        for component in &game.components {
            let any = component.iter().any(|atom| of[atom.index()].iter().any(|&below| atoms[below]));
            component.iter().for_each(|atom| atoms[atom.index()] = any);
        }
        Touched { atoms }
    }

    /// Whether a literal does.
    fn has(&self, conditions: &Conditions<'_>, literal: Lit) -> bool {
        match literal.node().checked_sub(conditions.fluents()) {
            None => self.atoms[literal.node()],
            Some(_) if literal.node() == operators::MOVABLE => true,
            Some(derived) => self.atoms[conditions.nodes[derived].1.index()],
        }
    }

    fn in_condition(&self, conditions: &Conditions<'_>, condition: &Dnf) -> bool {
        condition.iter().flatten().any(|&literal| self.has(conditions, literal))
    }
}
