//! Belief states from outside: the check that positions are the belief state of a player, and the check of plans for it.

use counterplay_base::{Budget, Limit};
use counterplay_belief::PlanOf;
use counterplay_check::{Strategy, StrategyFlaw, check_strategy, strategy_exists};

use crate::chess::attacks::squares;
use crate::chess::{Board, Color, Move};
use crate::mailbox::{Mailbox, SlowReferee};
use crate::percept::{End, Percept};
use crate::world::Kriegspiel;

/// Why some positions are not the belief state of a player.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BeliefError {
    #[error("there is no position")]
    Empty,
    /// The boards have different sizes.
    #[error("position {index} has a board of another size than the first")]
    Size {
        /// Which one, from one.
        index: usize,
    },
    /// It is not always the same side's turn.
    #[error("in position {index} it is {turn:?}'s turn, unlike in the first")]
    Turn {
        /// Which one, from one.
        index: usize,
        /// Whose turn it is there.
        turn: Color,
    },
    /// The own men differ, though a player sees them.
    #[error("position {index} has other men of {color:?} than the first, but {color:?} sees the own men")]
    OwnMen {
        /// Which one, from one.
        index: usize,
        color: Color,
    },
    /// The own castling rights differ, though a player knows them.
    #[error("position {index} has other castling rights of {color:?} than the first")]
    OwnRights {
        /// Which one, from one.
        index: usize,
        color: Color,
    },
    /// The game is over in a position.
    #[error("position {index} is already {}", .end.name())]
    Over {
        /// Which one, from one.
        index: usize,
        end: End,
    },
}

/// Checks that positions can be the belief state of the side to move.
pub fn check_belief(positions: &[Board]) -> Result<(), BeliefError> {
    let first = positions.first().ok_or(BeliefError::Empty)?;
    let color = first.turn();
    let men = |board: &Board| -> Vec<_> {
        squares(board.of(color)).map(|square| (square, board.at(square))).collect()
    };
    let own = men(first);
    for (i, board) in positions.iter().enumerate() {
        let index = i + 1;
        if board.size() != first.size() {
            return Err(BeliefError::Size { index });
        }
        if board.turn() != color {
            return Err(BeliefError::Turn { index, turn: board.turn() });
        }
        if men(board) != own {
            return Err(BeliefError::OwnMen { index, color });
        }
        if [true, false]
            .iter()
            .any(|&wing| board.castling().has(color, wing) != first.castling().has(color, wing))
        {
            return Err(BeliefError::OwnRights { index, color });
        }
        if let Some(end) = End::of(board) {
            return Err(BeliefError::Over { index, end });
        }
    }
    Ok(())
}

/// A flaw in a plan for Kriegspiel.
pub type PlanFlaw = StrategyFlaw<Mailbox, Move, Percept>;

/// Has the slow referee follow a plan in every position and after every reply.
pub fn check_plan(
    world: &Kriegspiel,
    belief: &[Board],
    plan: &PlanOf<Kriegspiel>,
    depth: usize,
    budget: &Budget,
) -> Result<u64, Box<PlanFlaw>> {
    let states: Vec<Mailbox> = belief.iter().map(Mailbox::of).collect();
    let referee = SlowReferee { material_wins: world.material_wins };
    check_strategy(&referee, &states, &strategy(plan), depth, budget).map_err(Box::new)
}

/// Whether the slow referee, trying everything, finds a plan that mates within `depth`.
///
/// # Errors
/// The limit that came first; each question to the referee counts as a node of the budget.
pub fn plan_exists(
    world: &Kriegspiel,
    belief: &[Board],
    depth: usize,
    budget: &Budget,
) -> Result<bool, Limit> {
    let states: Vec<Mailbox> = belief.iter().map(Mailbox::of).collect();
    let referee = SlowReferee { material_wins: world.material_wins };
    strategy_exists(&referee, &states, depth, Mailbox::legal_moves, budget)
}

/// The same tree in the checker's words.
fn strategy(plan: &PlanOf<Kriegspiel>) -> Strategy<Move, Percept> {
    Strategy {
        attempt: plan.attempt,
        rejected: plan.rejected.as_ref().map(|next| Box::new(strategy(next))),
        after: plan
            .after
            .iter()
            .map(|(percept, replies)| {
                (*percept, replies.iter().map(|(heard, next)| (*heard, strategy(next))).collect())
            })
            .collect(),
    }
}
