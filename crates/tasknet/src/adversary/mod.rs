//! Two agents with goals against each other: adversarial task-network planning.
//!
//! S. Willmott, J. Richardson, A. Bundy, J. Levine, Applying adversarial planning techniques to Go (TCS 252, 2001). Each agent
//! holds an agenda of goals and both share one base of schemas. The agent in control picks a goal, refines it level by level
//! in the world as it now is until a goal of the lowest level yields a move (their Algorithm 2), makes the move in the
//! world model and hands control over; the subgoals it left aside stay on its agenda and may be interleaved with others later. When one agent has
//! achieved all its input goals the other one must backtrack, and it may change its own choices only.
//!
//! What we add: a memory of positions whose winner is known; critics with priorities; a *guard*, by which an agent that has run out of
//! plans tries every move there is, so that the other one's success is a proof and not only the failure of a small
//! knowledge base. The world here is changed and restored in place (`play`, `undo`) instead of being a value as in
//! [`TaskWorld`](crate::TaskWorld): a board of 361 points is too dear to copy for every move, and each move has one outcome.

mod planner;
mod tree;

pub use planner::{Answer, Memory, Outcome, Settings, Stopped, plan};
pub use tree::{Contingency, NodeId, PlanChoice, PlanTree};

/// One of the two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Agent {
    /// Moves first.
    Alpha,
    /// Moves second.
    Beta,
}

impl Agent {
    pub fn other(self) -> Agent {
        match self {
            Agent::Alpha => Agent::Beta,
            Agent::Beta => Agent::Alpha,
        }
    }
}

/// The levels of abstraction, from moves to objectives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// Yields moves.
    Move,
    /// A short forcing line.
    Tactic,
    /// A local plan.
    Plan,
    /// A way to reach an objective.
    Strategy,
    /// What an agent is given to achieve.
    Objective,
}

/// One way to achieve a goal: the conjunction of subgoals of lower levels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schema<G> {
    /// Its name, for explanations.
    pub name: &'static str,
    /// What has to be achieved, in the order in which the subgoals are tried first.
    pub subgoals: Vec<G>,
}

/// The world model of two agents, and what they know about it.
///
/// Laws: `undo` restores everything that `play` changed, the key included; `schemas`, `moves` and `criticise` depend on the
/// present world only; subgoals have lower levels than the goal they belong to.
pub trait Arena {
    /// A goal with its arguments.
    type Goal: Clone + PartialEq + std::fmt::Debug;
    /// What an agent does in a turn.
    type Move: Copy + Eq + std::fmt::Debug;

    /// Whose turn it is.
    fn turn(&self) -> Agent;

    /// Who has achieved its input goals, if one of them has.
    fn winner(&mut self) -> Option<Agent>;

    /// A number for the world, whose turn it is included. Worlds with equal keys have the same winner.
    fn key(&self) -> u64;

    /// Makes a move of the agent whose turn it is.
    fn play(&mut self, action: Self::Move);

    /// Takes the last move back.
    fn undo(&mut self);

    /// Who wins when a world comes back on one line.
    fn repetition(&self) -> Agent;

    /// How abstract a goal is.
    fn level(&self, goal: &Self::Goal) -> Level;

    /// Whether a goal is achieved as things stand, so that nothing needs to be done for it.
    fn is_achieved(&mut self, goal: &Self::Goal) -> bool;

    /// Appends the schemas of a goal whose preconditions hold now, the most promising first.
    fn schemas(&mut self, goal: &Self::Goal, out: &mut Vec<Schema<Self::Goal>>);

    /// Appends the allowed moves that a goal of the lowest level suggests, the most promising first.
    fn moves(&mut self, goal: &Self::Goal, out: &mut Vec<Self::Move>);

    /// Appends the optional goals that the critics see for the agent whose turn it is, the most urgent first.
    fn criticise(&mut self, out: &mut Vec<Self::Goal>);

    /// Appends all allowed moves of the agent whose turn it is.
    fn every_move(&mut self, out: &mut Vec<Self::Move>);

    /// Told of a move that has just turned out to win for the agent whose turn it is: it may be worth trying early elsewhere.
    fn learn(&mut self, _action: Self::Move) {}
}

#[cfg(test)]
mod tests;
